"""Fault injection: sends signals to a worker or the zygote at a chosen moment of a hidden test, as a machine might.

The tests judge the toy question; the callback that they pass to student code injects the fault while that code runs.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from autograder.checks import checks
from autograder.results import CheckResult, Verdict
from autograder.sandbox.host.client import Worker, WorkerEnd, Zygote
from autograder.student import Callback, Student
from tests.selftest.support.grader_process import Watch, list_children, list_descendants, read_status_field
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.toy_question import FUNCTIONS, changed, hidden_test

STUDENT_CODE = changed(
    "def double(x): return 2 * x",
    "def area(callback, _): return callback()",
    "def volume(callback, *_):\n  callback()\n  while True: pass",
    "def doubled_volume(callback, *_):\n  print('y' * 300, flush=True)\n  return callback()",
)
# All functions are under test, so that no attempt is repeated with the grader's functions.
TEST = hidden_test(*FUNCTIONS)


def find_starter(zygote: Zygote) -> int:
    """Find the process that the grader started; with a pid namespace it waits for the zygote."""
    return zygote._process.pid


def find_zygote(zygote: Zygote) -> int:
    """Find the process that forks the workers."""
    starter = find_starter(zygote)
    depths = {pid: len(read_status_field(pid, "NSpid")) for pid in (starter, *list_children(starter))}
    return next((pid for pid, depth in depths.items() if depth > depths[starter]), starter)


def find_worker(zygote: Zygote) -> int:
    """Find the only worker."""
    (worker,) = list_children(find_zygote(zygote))
    return worker


class SignalFault:
    """Sends a signal to a process of the current zygote, `times` times.

    `point`: the step of the zygote at which the signal is sent; if empty, a hidden test sends it.
    """

    def __init__(
        self, victim: Callable[[Zygote], int], *, times: int = 1, number: int = signal.SIGKILL, point: str = ""
    ) -> None:
        self.left = times
        self.zygote: Zygote | None = None
        self.below: list[Watch] = []
        self._victim, self._number, self._point = victim, number, point

    def __call__(self) -> None:
        if not self.left:
            return
        self.left -= 1
        assert self.zygote is not None
        victim = self._victim(self.zygote)
        dying = Watch(self._dying_with(victim) if self._number == signal.SIGKILL else ())
        self.below.append(Watch(list_descendants(victim)))
        os.kill(victim, self._number)
        if self._number == signal.SIGSTOP:
            self.zygote._control.settimeout(0.3)  # the usual timeout allows for slow machines
        assert dying.all_end()

    def _dying_with(self, victim: int) -> set[int]:
        """Return the processes that end at once. Without a pid namespace, a worker being started ends later."""
        assert self.zygote is not None
        has_namespace = find_zygote(self.zygote) != find_starter(self.zygote)
        return {victim} | (list_descendants(victim) if has_namespace or self._point != "entering" else set())

    def pass_point(self, point: str) -> None:
        """Inject the fault if this is its point; called by the zygote."""
        if point == self._point:
            self()


class FaultyZygote(Zygote):
    """A zygote with a point for faults at every message."""

    def __init__(self, fault: SignalFault) -> None:
        super().__init__()
        self._fault = fault
        fault.zygote = self
        fault.pass_point("starting")

    def spawn(self, *arguments: Any, **options: Any) -> Worker:
        worker = super().spawn(*arguments, **options)
        self._fault.pass_point("entered")
        return worker

    def end(self, pid: int) -> WorkerEnd:
        self._fault.pass_point("ending")
        return super().end(pid)

    def _ask_for_worker(self, *arguments: Any) -> int:
        self._fault.pass_point("asked")
        pid = super()._ask_for_worker(*arguments)
        self._fault.pass_point("entering")
        return pid


class FaultBench:
    """A judge of a submission, with zygotes for fault injection; a context manager."""

    def __init__(self, fault: SignalFault, materials: Any = STUDENT_CODE, *, seconds: float = 60.0) -> None:
        self.zygotes = 0
        self._fault = fault
        self.judge = make_judge(materials, seconds=seconds, make_zygote=self._make)

    def __enter__(self) -> FaultBench:
        return self

    def __exit__(self, *_: object) -> None:
        self.judge.runner.zygotes.close()
        assert all(watch.all_end() for watch in self._fault.below)

    def judge_body(self, body: Body) -> CheckResult:
        """Judge a hidden test with this body."""
        return self.judge.judge(TEST, lambda student: body(student, self._fault))

    def _make(self) -> Zygote:
        self.zygotes += 1
        return FaultyZygote(self._fault)


Body = Callable[[Student, SignalFault], None]


def simple(student: Student, _: SignalFault) -> None:
    checks.equal("double(x)", student.shapes.double(1), 2)


def between_import_and_call(student: Student, fault: SignalFault) -> None:
    student._attempt.module("shapes").function("double")
    fault()
    simple(student, fault)


def between_calls(student: Student, fault: SignalFault) -> None:
    simple(student, fault)
    fault()
    simple(student, fault)


def inside_a_callback(student: Student, fault: SignalFault) -> None:
    student.shapes.area(Callback(fault), 1)


def with_output_pending(student: Student, fault: SignalFault) -> None:
    student.shapes.doubled_volume(Callback(fault), 1, 1)


def during_an_endless_call(student: Student, fault: SignalFault) -> None:
    if fault.left:
        student.shapes.volume(Callback(threading.Timer(0.1, fault).start), 1, 1)


# Each injects a fault at another message; the last one only after a while.
QUICK_BODIES = (between_import_and_call, between_calls, inside_a_callback, with_output_pending)
BODIES = (*QUICK_BODIES, during_an_endless_call)


def at_moments(bodies: Sequence[Body], points: Sequence[str] = ()) -> pytest.MarkDecorator:
    """Run a test with a fault inside of each of the bodies, and at these points of the zygote, before student code."""
    moments = {body.__name__: (body, "") for body in bodies} | {point: (simple, point) for point in points}
    return pytest.mark.parametrize(("body", "point"), moments.values(), ids=moments)


def assert_passed(result: CheckResult) -> None:
    """Assert that the student has the points."""
    assert (result.verdict, result.score) == (Verdict.PASSED, 2.0), result


def assert_ours(result: CheckResult, reason: str = "") -> None:
    """Assert that the test has no score, that staff read the reason, and students that it is not their fault."""
    assert (result.verdict, result.score, result.outcome) == (Verdict.UNDECIDED, None, "sandbox_failed"), result
    assert result.fault and reason in result.fault
    assert "This is not your fault" in result.output
    assert "zygote" not in result.output
