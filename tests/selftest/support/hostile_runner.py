"""Runner: runs an attack in a worker of the real sandbox and describes the outcome and the damage in a few words."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from autograder.assignment import Function, Question
from autograder.checks import CheckFailed, checks
from autograder.grading.attempt import Attempt
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.limits import Limits
from autograder.sandbox.preload import find_modules_to_preload
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import Layer
from autograder.student import Callback, Student
from autograder.submission import QuestionFiles, SourceFile
from tests.selftest.support import hostile_naive_grader
from tests.selftest.support.grader_process import Watch, list_descendants
from tests.selftest.support.hostile_attack import Attack, read_tools
from tests.selftest.support.hostile_environment import NAMESPACES
from tests.selftest.support.hostile_target import INPUT, Target
from tests.selftest.support.worker_calls import exchange, find

_CPU_S = 1
_WALL_PER_CPU = 20  # on a busy machine a second of computing time takes long
_QUESTION = Question("hostile", "Hostile", 1.0, ("hostile.py",), (Function("attack"),))
_NORMAL_TEST = "import numpy as np\ndef attack(target): return float(np.ones(7).sum())"
_HOW_IT_DIED = re.compile("^the process (was ended by|ended itself with) ")
_GONE_S = 2.0  # a process that ends with its zygote is gone at once
_ATTEMPTS = 40  # one for each library module that a worker lacks


@dataclass(frozen=True)
class Aftermath:
    """The state after an attack with all layers on."""

    next_test: str
    processes_left: list[int]
    files_changed: list[str]
    is_target_alive: bool


class AttackRunner:
    """A target, and zygotes with some namespaces left out; a context manager."""

    def __init__(self) -> None:
        self.target = Target()
        self._zygotes: dict[frozenset[Layer], Zygote] = {}
        self._own_processes: dict[Zygote, set[int]] = {}
        self._patience = mock.patch.object(limit, "WALL_PER_CPU", _WALL_PER_CPU)

    def __enter__(self) -> AttackRunner:
        self._patience.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patience.stop()
        for zygote in self._zygotes.values():
            zygote.close()
        self.target.close()

    def run_attack(
        self, attack: Attack, *, without: frozenset[Layer] = frozenset(), seconds: float | None = None
    ) -> str:
        """Run an attack in a worker without some layers; return the outcome in a few words."""
        if attack.id == "G4":
            return _run_survival(without, attack)
        with contextlib.ExitStack() as opened:
            given = self._brief_attacker()
            if attack.id == "G12":
                given["sibling"] = _start_neighbour(opened, without)
            run = _Run(attack.text, given, right=attack.right, seconds=seconds or attack.seconds)
            zygote = self._get_zygote(without)
            words = [run.execute(zygote, without) for _ in range(2 if "twice" in attack.fields else 1)]
        return words[-1] if given["array"].tolist() == list(INPUT) else "changed the grader's array"

    def run_in_one_process(self, attack: Attack) -> str:
        """Run an attack in a grader that runs student code itself; return the outcome."""
        return hostile_naive_grader.judge_attack(attack, self._brief_attacker())

    def find_aftermath(self) -> Aftermath:
        """Describe the state after the attacks so far."""
        zygote = self._get_zygote(frozenset())
        return Aftermath(
            _Run(_NORMAL_TEST, None).execute(zygote, frozenset()),
            sorted(list_descendants(zygote._process.pid) - self._own_processes[zygote]),
            self.target.list_changes(),
            self.target.is_alive(),
        )

    def find_processes_left(self) -> list[int]:
        """Find processes below any zygote that are not its own."""
        own = self._own_processes.items()
        return sorted(pid for zygote, known in own for pid in list_descendants(zygote._process.pid) - known)

    def restore(self) -> None:
        """Restore files and processes that an attack has damaged."""
        if self.target.list_changes() or not self.target.is_alive():
            self.target.restore()

    def find_layers(self) -> dict[Layer, str]:
        """Return each layer with the reason why it is inactive, or an empty text if it is active."""
        worker = self._get_zygote(frozenset()).spawn(Limits(), preload=())
        worker.close()
        return {Layer(report.name): "" if report.is_active else report.reason or "off" for report in worker.layers}

    def _brief_attacker(self) -> dict[str, Any]:
        return self.target.brief_attacker(Callback(lambda x: x))

    def _get_zygote(self, without: frozenset[Layer]) -> Zygote:
        key = without & NAMESPACES
        if key not in self._zygotes:
            zygote = self._zygotes[key] = Zygote(without=key)
            _Run(_NORMAL_TEST, None).execute(zygote, frozenset())
            self._own_processes[zygote] = list_descendants(zygote._process.pid)
        return self._zygotes[key]


@dataclass(frozen=True)
class _Run:
    """A submission that runs once in a worker: its text, its argument and the right value."""

    text: str
    given: dict[str, Any] | None
    right: Any = None
    seconds: float = 20.0
    memory: WorkerMemory = field(default_factory=WorkerMemory)  # of the submission of which several runs are tests

    def execute(self, zygote: Zygote, without: frozenset[Layer]) -> str:
        """Run it and return the outcome."""
        for _ in range(_ATTEMPTS):
            attempt = Attempt(("attack",), time.monotonic() + self.seconds)
            weakened: Any = SimpleNamespace(spawn=partial(zygote.spawn, without=without))
            limits = limit.choose_limits(_CPU_S)
            with mock.patch.object(limit, "choose_clock", _stop_clock) if without else contextlib.nullcontext():
                run = AttemptRun(attempt, _make_material(self.text), zygote=weakened, memory=self.memory, limits=limits)
            try:
                word = _describe_value(Student(run).hostile.attack(self.given), self.right)
            except CallFailed as failed:
                word = _describe_outcome(failed.outcome)
            finally:
                run.close()
            if run.functions.again is None:
                return word
        return "wants too many modules"


def _stop_clock(*_: object) -> limit.Clock:
    """Leave out the timers of a program, which student code can switch off, where a layer is shown to work alone."""
    return limit.Clock(0.0, 0.0, limit.PROGRAM_S)


def _run_survival(without: frozenset[Layer], attack: Attack) -> str:
    zygote = Zygote(without=without & NAMESPACES)
    worker = zygote.spawn(Limits(), preload=(), without=without)
    (pid, *_) = sorted(list_descendants(zygote._process.pid), reverse=True)
    function = find(worker, attack.text, "attack")[1]
    with contextlib.suppress(Ended):
        exchange(worker, messages.CALL, function, ({},), seconds=0.1)
    watch = Watch([pid])
    zygote._process.kill()
    is_gone = watch.all_end(_GONE_S)
    if not is_gone:
        os.kill(pid, signal.SIGKILL)
    zygote.close()
    worker.connection.close()
    return "gone" if is_gone else "still there"


def _start_neighbour(opened: contextlib.ExitStack, without: frozenset[Layer]) -> int:
    """Start a worker of another submission, isolated as the attacker is; return its process."""
    zygote = opened.enter_context(Zygote(without=without & NAMESPACES))
    opened.callback(zygote.spawn(Limits(), preload=(), without=without).close)
    return max(list_descendants(zygote._process.pid))


def _make_material(text: str) -> Material:
    files = QuestionFiles("hostile", SourceFile("hostile.py", text, "hostile"))
    own = {"hostile": ("hostile.py", text, False), "attacker": ("attacker.py", read_tools(), False)}
    return Material(_QUESTION, files, own, {}, find_modules_to_preload((text, read_tools())), ModuleType("reference"))


def _describe_value(value: Any, right: Any) -> str:
    if right is not None:
        try:
            check = checks.equal if isinstance(right, str) else checks.close
            check("attack()", value, right if isinstance(right, str | float) else np.array(right))
        except CheckFailed:
            return "fails the check"
        return "passes the check"
    return value.encode("unicode_escape").decode() if isinstance(value, str) else repr(value)


def _describe_outcome(outcome: Outcome) -> str:
    kind, detail = outcome.kind, outcome.detail
    if kind is OutcomeKind.RAISED:
        return f"raised {outcome.error_type}" if outcome.error_type else "cannot be sent"
    if kind is OutcomeKind.TIMED_OUT:
        return "timed out: " + ("computing time" if "computing" in detail else "deadline")
    if kind is OutcomeKind.DIED:
        return "died: " + ("gone" if detail.endswith("was killed") else _HOW_IT_DIED.sub("", detail))
    return kind.value.replace("_", " ")
