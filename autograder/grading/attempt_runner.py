"""Attempt runner: runs the attempts of one submission, one after another, and replaces a zygote that failed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from autograder.grading.attempt import Attempt
from autograder.grading.attempt_result import AttemptResult
from autograder.grading.attempt_run import AttemptRun, run_test
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.grading.script import ScriptBook
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.limits import Limits, make_limits
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import TestCall


@dataclass
class AttemptRunner:
    """Runs attempts at tests of one submission.

    `scripts`: with which the tests of a question are first tried together; None where each runs alone. `zygote`: the
    one to begin with; None where it failed, and the next attempt then starts another. `lost_s`: the seconds that went
    to a sandbox that failed. `limits`: of each worker.
    """

    materials: Mapping[str, Material]
    scripts: ScriptBook | None = None
    make_zygote: Callable[[], Zygote] = Zygote
    memory: WorkerMemory = field(default_factory=WorkerMemory)
    zygote: Zygote | None = None
    lost_s: float = 0.0
    limits: Limits = field(default_factory=make_limits)

    def close(self) -> None:
        """End the zygote."""
        if self.zygote is not None:
            self.zygote.close()
            self.zygote = None

    def start_zygote(self) -> Zygote:
        """Return the zygote; a new one where there is none."""
        if self.zygote is None:
            self.zygote = self.make_zygote()
        return self.zygote

    @contextmanager
    def open_run(self, attempt: Attempt) -> Iterator[AttemptRun]:
        """Yield the run of an attempt, and end its workers; SandboxError or OSError if no zygote starts.

        A zygote that cannot end a worker is replaced before the next attempt.
        """
        run = AttemptRun(attempt, self.materials, zygote=self.start_zygote(), memory=self.memory, limits=self.limits)
        try:
            yield run
        finally:
            try:
                run.close()
            except SandboxError:
                self.close()

    def run(self, attempt: Attempt, test: HiddenTest, call: TestCall) -> AttemptResult:
        """Return the result of an attempt, repeated once where the machine or the sandbox failed.

        Student code that kills its own worker does so twice, and a second failure of the sandbox is reported.
        """
        result = self._run_timed(attempt, test, call)
        was_killed = result.outcome is not None and result.outcome.was_killed
        return self._run_timed(attempt, test, call) if was_killed or result.is_sandbox_failure else result

    def _run_timed(self, attempt: Attempt, test: HiddenTest, call: TestCall) -> AttemptResult:
        started = time.monotonic()
        result = self._run_once(attempt, test, call)
        if result.is_sandbox_failure:
            self.close()
            self.lost_s += time.monotonic() - started
        return result

    def _run_once(self, attempt: Attempt, test: HiddenTest, call: TestCall) -> AttemptResult:
        needs_repeat = True
        while needs_repeat:  # a bounded number of library modules is learned
            try:
                with self.open_run(attempt) as run:
                    result = run_test(run, test, call)
            except (SandboxError, OSError) as error:
                return AttemptResult(outcome=Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error)))
            needs_repeat = run.needs_repeat
        return result
