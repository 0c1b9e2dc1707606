"""Shared worker: answers the scripts of one pass, question after question, as long as they end soon and leave it clean.

Run by the grader. No other worker of the pass runs at the same time: it is closed before a test runs alone.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.material import Material
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Worker
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.host.replies import determine_outcome_of_end
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.sandbox.protocol.wire import WireError

_NAMES = 100  # library modules that are loaded for all questions together


class SharedWorker:
    """The worker of the scripts of one pass, started when it is needed; `stems`: the questions that may share it."""

    def __init__(self, runner: AttemptRunner, stems: Iterable[str]) -> None:
        self._runner = runner
        self._preloads = {stem: runner.materials[stem].preload for stem in stems}
        self._worker: Worker | None = None
        self._preload: tuple[str, ...] = ()
        self._used_s = 0.0

    def close(self) -> None:
        """End the worker, if there is one; the next script starts another. A zygote that cannot end it is replaced."""
        if self._worker is None:
            return
        worker, self._worker = self._worker, None
        try:
            worker.close()
        except SandboxError:
            self._runner.close()

    def run(
        self, material: Material, module: str, tests: Sequence[tuple[object, ...]], *, deadline: float
    ) -> list[object]:
        """Return the replies to the scripts of a question's tests; fewer where it does not answer all of them.

        `module`: the one that defines the functions. A worker serves another question only while that costs no limit.
        """
        replies: list[object] = []
        with contextlib.suppress(SandboxError, OSError, WireError):
            try:
                reply = self._exchange(material, module, tests, deadline)
                if messages.is_returned(reply) and type(reply[1]) is list:
                    replies = reply[1]
            finally:
                if len(replies) != len(tests) or self._used_s > limit.SHARED_S:
                    self.close()
        return replies

    def _exchange(
        self, material: Material, module: str, tests: Sequence[tuple[object, ...]], deadline: float
    ) -> object:
        worker, modules = self._start(material)
        started = time.monotonic()
        request = (messages.SCRIPT, module, self._preload, modules, list(tests))
        try:
            return worker.connection.exchange(request, deadline=min(deadline, started + limit.SCRIPT_WALL_S))
        except Ended as ended:
            outcome = determine_outcome_of_end(ended, worker.close(), cpu_s=limit.SCRIPT_CPU_S)
            if outcome.kind is OutcomeKind.TIMED_OUT:
                self._runner.memory.waiting.add(material.question.stem, time.monotonic() - started)
            return None
        finally:
            self._used_s += time.monotonic() - started

    def _start(self, material: Material) -> tuple[Worker, bytes]:
        """Return a worker, and the files of the question where it has those of another one."""
        modules = self._runner.memory.get_compiled_files(material).encode_modules(support_wins=False)
        preload = self._choose_preload(material)
        if self._worker is not None and self._preload == preload:
            return self._worker, modules
        self.close()
        zygote = self._runner.start_zygote()
        worker = zygote.spawn(replace(self._runner.limits, cpu_s=limit.SCRIPT_CPU_S), preload=preload, modules=modules)
        self._worker, self._preload, self._used_s = worker, preload, 0.0
        self._runner.memory.layers = worker.layers
        return worker, b""

    def _choose_preload(self, material: Material) -> tuple[str, ...]:
        """Return the library modules to load: those of all questions, where none gains a submodule by another's."""
        own = _list_submodules(material.preload)
        names = {name for each in self._preloads.values() if _list_submodules(each) == own for name in each}
        return tuple(sorted(names)) if len(names) <= _NAMES else material.preload


def _list_submodules(names: Iterable[str]) -> set[str]:
    """List the submodules that an import of their package alone would not give; numpy loads its parts by itself."""
    return {name for name in names if "." in name and not name.startswith("numpy.")}
