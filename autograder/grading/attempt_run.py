"""Attempt run: calls the body of a hidden test on student code in workers, and turns what happened into a result.

The attempts of one submission run one after another; a zygote that failed is replaced.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from autograder.checks.cases import keep_cases
from autograder.checks.checks import is_right
from autograder.contracts import CheckBody, ContractError
from autograder.contracts.body import FailingCase, find_failing_case
from autograder.grading.attempt import (
    Asked,
    Attempt,
    Body,
    Reason,
    Transcript,
    Tried,
    bound_judging,
    call_body,
    judge_replies,
)
from autograder.grading.ending import Ending, NoValue, Ours, Partial, Passed, end_in_failure, find_failure
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.grading.student_module import LentWorker, StudentModule
from autograder.programs.calls import write_call
from autograder.programs.outcome import CallFailed
from autograder.results import Verdict
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.limits import STANDARD, Limits, choose_limits, limit_replies
from autograder.sandbox.protocol.trusted_form import pack_records
from autograder.sandbox.protocol.wire import WireError
from autograder.student import RunningAttempt, TestCall

# Of the clock: a test that took longer ends with its first failed comparison. Quick calls on a busy machine do not.
_LONGEST_BODY_S = 2.0


class AttemptRun(RunningAttempt):
    """One attempt under way, at a test that asks for its own question alone; close it to end the worker."""

    def __init__(
        self,
        attempt: Attempt,
        material: Material,
        *,
        zygote: Zygote,
        memory: WorkerMemory,
        limits: Limits = STANDARD,
        lent: LentWorker | None = None,
    ) -> None:
        super().__init__()
        self.attempt = attempt
        self.limits = limits
        self.transcript = Transcript(limit_replies(attempt.need))
        self.functions = StudentModule(
            material,
            attempt=attempt,
            zygote=zygote,
            memory=memory,
            transcript=self.transcript,
            limits=limits,
            lent=lent,
        )
        self._question_id = material.question.question_id
        self._printed_before_probing = b""

    @property
    def printed(self) -> bytes:
        """The output of the student's code, until the test failed."""
        return self._printed_before_probing if self.transcript.is_probing else self.functions.printed

    def begin_probing(self) -> bool:
        """Keep later calls out of the transcript; True, because a student reads what they find out."""
        if not self.transcript.is_probing:
            self._printed_before_probing = self.printed
            self.transcript.is_probing = True
        return True

    def observe(self, fact: object) -> None:
        """Record a fact, until the test has failed."""
        if not self.transcript.is_probing:
            super().observe(fact)

    def module(self, question_id: str) -> StudentModule:
        """Return the functions of the question; AttributeError for another one than the test's."""
        if question_id != self._question_id:
            raise AttributeError(f"a test of {self._question_id} asks for {question_id}")
        return self.functions

    def close(self) -> None:
        """End the worker."""
        self.functions.close()


Observe = Callable[[AttemptRun, HiddenTest, Tried], object]


def run_test(run: AttemptRun, test: HiddenTest, call: Body) -> Tried:
    """Run a test and return what the attempt showed."""
    if isinstance(call, CheckBody):
        ending = judge_replies(call, lambda check: run.functions.run(check.programs, check.groups), test.points)
    else:
        ending = _run_by_hand(run, call, test.points)
    if run.attempt.substituted and isinstance(ending, (Passed, Partial)):
        ending = replace(ending, entry=None)  # its value is not the student's
    tried = Tried(
        ending,
        replies=tuple(run.transcript.replies) if run.transcript.is_small else None,
        observations=tuple(run.observations),
        printed=b"" if isinstance(ending, Passed) else run.printed,
        used=run.functions.used,
        asked=tuple(run.functions.asked),
        ends=tuple(run.functions.ends),
    )
    return replace(tried, failing=_find_failing(call, tried))


def _run_by_hand(run: AttemptRun, call: TestCall, points: float) -> Ending:
    """Call the body of a test by hand, which may go on after its first failure."""
    started = time.monotonic()

    def go_on() -> bool:
        return time.monotonic() - started < _LONGEST_BODY_S and run.begin_probing()

    with keep_cases(go_on) as kept:
        ending = call_body(run, call, points)
    failed = kept.failed or find_failure(ending)
    return ending if failed is None else end_in_failure(kept.complete(failed), points)


def _find_failing(call: Body, tried: Tried) -> FailingCase | None:
    """Find the first failing case of a check of a contract, if its replies are few enough to keep."""
    failed, ending = find_failure(tried.ending), tried.ending
    is_lost = failed is not None
    if isinstance(ending, NoValue):
        failed = ending.otherwise
        is_lost = ending.verdict is Verdict.FAILED or failed is not None
    if not is_lost or not isinstance(call, CheckBody) or tried.replies is None:
        return None
    with suppress(CallFailed, ContractError), bound_judging():
        return find_failing_case(call.derived, tried.replies, failed)
    return None


@dataclass
class ZygoteHolder:
    """Holds one zygote at a time; where one failed and was closed, the next attempt makes another."""

    make: Callable[[], Zygote] = Zygote
    zygote: Zygote | None = None

    def get(self) -> Zygote:
        """Return the zygote; a new one where there is none."""
        if self.zygote is None:
            self.zygote = self.make()
        return self.zygote

    def close(self) -> None:
        """End the zygote."""
        zygote, self.zygote = self.zygote, None
        if zygote is not None:
            zygote.close()


@dataclass
class AttemptRunner:
    """Runs attempts at tests of one submission.

    `shares_workers`: whether the checks of a pass are first tried in one worker. `lost_s`: the
    seconds that went to a sandbox that failed. `limits`: of each worker. `deadline`: the monotonic time at which the
    run ends. `observe`: is told each attempt.
    """

    materials: Mapping[str, Material]
    shares_workers: bool = False
    zygotes: ZygoteHolder = field(default_factory=ZygoteHolder)
    memory: WorkerMemory = field(default_factory=WorkerMemory)
    lost_s: float = 0.0
    limits: Limits = field(default_factory=choose_limits)
    deadline: float = math.inf
    observe: Observe = lambda *_: None

    @contextlib.contextmanager
    def open_run(self, attempt: Attempt, question_id: str, lent: LentWorker | None = None) -> Iterator[AttemptRun]:
        """Yield the run of an attempt, and end its worker; SandboxError or OSError if no zygote starts.

        A zygote that cannot end a worker is replaced before the next attempt.
        """
        run = AttemptRun(
            attempt,
            self.materials[question_id],
            zygote=self.zygotes.get(),
            memory=self.memory,
            limits=self.limits,
            lent=lent,
        )
        try:
            yield run
        finally:
            try:
                run.close()
            except SandboxError:
                self.zygotes.close()

    def run(self, attempt: Attempt, test: HiddenTest, call: Body) -> Tried:
        """Return what an attempt showed, repeated once where the machine or the sandbox failed.

        It is also made again, in a new worker, for each library that had to be loaded before student code. Student code
        that kills its own worker does so twice, and a second failure of the sandbox is reported.
        """
        reasons = [attempt.reason]
        may_fail = True
        while True:
            tried, again = self._run_once(attempt, test, call)
            if again is None and may_fail and _may_be_the_machine(tried):
                again = Reason.MACHINE
                may_fail = False
            if again is None:
                return replace(tried, reasons=tuple(reasons))
            attempt = replace(attempt, reason=again)
            reasons.append(again)

    def find_wrong(self, functions: tuple[str, ...], question_id: str, asked: Sequence[Asked]) -> tuple[str, ...]:
        """Find the functions of the student's that return other values than the grader's did, in a test of others."""
        calls = []
        programs = []
        for call in asked:
            program = write_call(call.name, call.arguments)
            with contextlib.suppress(WireError, TypeError):  # a student's object does not cross
                pack_records((program,))
                calls.append(call)
                programs.append(program)
        wrong = []
        attempt = Attempt(functions, self.deadline)
        with contextlib.suppress(CallFailed, SandboxError, OSError), self.open_run(attempt, question_id) as run:
            replies = run.functions.run(programs)
            for call, (value,) in zip(calls, replies, strict=True):
                if not is_right(value, call.right):
                    wrong.append(call.name)
        return tuple(wrong)

    def _run_once(self, attempt: Attempt, test: HiddenTest, call: Body) -> tuple[Tried, Reason | None]:
        """Return what one attempt showed, and why it has to be made again, which is so a bounded number of times."""
        started = time.monotonic()
        again = None
        try:
            with self.open_run(attempt, test.question_id) as run:
                tried = run_test(run, test, call)
                self.observe(run, test, tried)
            again = run.functions.again
        except (SandboxError, OSError) as error:
            tried = Tried(Ours(str(error), by_sandbox=True))
        if again is None and isinstance(tried.ending, Ours) and tried.ending.by_sandbox:
            self.zygotes.close()
            self.lost_s += time.monotonic() - started
        return tried, again


def _may_be_the_machine(tried: Tried) -> bool:
    """Whether the sandbox failed, or something ended the worker by a signal, which the machine does too."""
    if isinstance(tried.ending, Ours):
        return tried.ending.by_sandbox
    return tried.was_killed
