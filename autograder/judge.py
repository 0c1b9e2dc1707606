"""Judge: turns one hidden test and one submission into a result; repeats it where a sibling may be to blame.

One error costs once. A test that fails is repeated in a fresh worker in which the grader's functions stand in for the
student's other graded functions of that question; if it passes then, it has full credit and a note names the function
that spoiled it.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from autograder import explain
from autograder.attempt import Attempt, Material, Memory
from autograder.checks import CheckFailed, NotWritten
from autograder.hidden_test import HiddenTest
from autograder.replies import CallFailed
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.box import SandboxError, Zygote
from autograder.sandbox.outcome import Outcome, OutcomeKind
from autograder.student import Student

TestCall = Callable[[Student], float | None]  # runs the test's body; the partial score it set, if any


@dataclass(frozen=True)
class Trial:
    """What one attempt showed; the first that applies of fault, outcome and failed counts."""

    score: float | None = None
    failed: CheckFailed | None = None
    outcome: Outcome | None = None
    fault: str = ""
    printed: bytes = b""
    notes: tuple[str, ...] = ()

    @property
    def is_passed(self) -> bool:
        """Whether the test ran to its end with full credit."""
        return self.failed is None and self.outcome is None and not self.fault and self.score is None

    @property
    def is_ours(self) -> bool:
        """Whether the grader, not the student, is at fault."""
        return bool(self.fault) or (self.outcome is not None and self.outcome.kind is OutcomeKind.SANDBOX_FAILED)


@dataclass
class Judge:
    """Judges the tests of one submission; `deadline` is the monotonic time at which the run ends."""

    materials: Mapping[str, Material]
    deadline: float
    make_zygote: Callable[[], Zygote] = Zygote
    memory: Memory = field(default_factory=Memory)
    _zygote: Zygote | None = None

    def close(self) -> None:
        """End the zygote."""
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

    def start(self) -> Zygote:
        """Start the zygote, which loads numpy while the grader does other things."""
        if self._zygote is None:
            self._zygote = self.make_zygote()
        return self._zygote

    def judge(self, test: HiddenTest, call: TestCall) -> CheckResult:
        """The result of one test."""
        started = time.monotonic()
        if started >= self.deadline:
            return _not_run(test)
        trial, spoilers = self._follow_through(test, call)
        seconds = time.monotonic() - started
        if not trial.is_passed and not trial.is_ours and time.monotonic() >= self.deadline:
            return _not_run(test)
        return _result(test, trial, spoilers, seconds=seconds)

    def _follow_through(self, test: HiddenTest, call: TestCall) -> tuple[Trial, tuple[str, ...]]:
        first = self._try(test, call, ())
        siblings = self._siblings(test)
        if first.is_passed or first.is_ours or not siblings or not _may_be_a_siblings_fault(first, test):
            return first, ()
        isolated = self._try(test, call, siblings)
        if isolated.is_ours:
            return first, ()
        if not isolated.is_passed:
            return (isolated if isolated.failed is not None or first.failed is None else first), ()
        return isolated, self._spoilers(test, call, siblings)

    def _spoilers(self, test: HiddenTest, call: TestCall, siblings: tuple[str, ...]) -> tuple[str, ...]:
        alone = [sibling for sibling in siblings if self._try(test, call, (sibling,)).is_passed]
        return tuple(alone) or siblings

    def _siblings(self, test: HiddenTest) -> tuple[str, ...]:
        """The student's other functions; a class that is not under test counts as one, whatever methods are graded."""
        names = [function.name for function in self.materials[test.stem].question.functions]
        classes = {name.partition(".")[0] for name in test.functions}
        others = [name for name in names if name not in test.functions]
        return tuple(
            dict.fromkeys(name if name.partition(".")[0] in classes else name.partition(".")[0] for name in others)
        )

    def _try(self, test: HiddenTest, call: TestCall, substituted: tuple[str, ...]) -> Trial:
        trial = self._try_once(test, call, substituted)
        if trial.outcome is not None and trial.outcome.kind is OutcomeKind.SANDBOX_FAILED:
            self.close()  # a zygote that failed is replaced once; the second failure is reported
            trial = self._try_once(test, call, substituted)
        if trial.outcome is not None and trial.outcome.kind is OutcomeKind.TIMED_OUT:
            self.memory.timed_out.update(test.functions)
        return trial

    def _try_once(self, test: HiddenTest, call: TestCall, substituted: tuple[str, ...]) -> Trial:
        try:
            zygote = self.start()
        except (SandboxError, OSError) as error:
            return Trial(outcome=Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error)))
        attempt = Attempt(
            zygote, self.materials, self.memory, test.functions, self.deadline, substituted=substituted
        )
        try:
            trial = _run(attempt, call)
        finally:
            _close(attempt)
        return self._try_once(test, call, substituted) if attempt.is_to_be_repeated else trial


def _run(attempt: Attempt, call: TestCall) -> Trial:
    try:
        score = call(Student(attempt))
    except CheckFailed as failed:
        return Trial(failed=failed, printed=attempt.printed)
    except NotWritten as stub:
        return Trial(outcome=Outcome(OutcomeKind.NOT_WRITTEN, detail=str(stub)))
    except CallFailed as error:
        return Trial(outcome=error.outcome, printed=attempt.printed)
    except Exception:  # noqa: BLE001  (a mistake in a hidden test is our fault, and is reported as ours)
        return Trial(fault=traceback.format_exc(limit=-6))
    return Trial(score=score, notes=tuple(attempt.notes))


def _close(attempt: Attempt) -> None:
    try:
        attempt.close()
    except SandboxError:  # the next attempt meets the same zygote and reports it
        return


def _may_be_a_siblings_fault(trial: Trial, test: HiddenTest) -> bool:
    """False where the function under test is itself missing, or its file is."""
    outcome = trial.outcome
    if outcome is None:
        return True
    if outcome.is_at_load or (outcome.kind is OutcomeKind.NOT_WRITTEN and not outcome.frames):
        return False
    if outcome.kind is not OutcomeKind.NOT_WRITTEN:
        return True
    return outcome.frames[-1].function not in {name.rpartition(".")[2] for name in test.functions}


def _result(test: HiddenTest, trial: Trial, spoilers: tuple[str, ...], *, seconds: float) -> CheckResult:
    verdict = _verdict(trial)
    return CheckResult(
        test_id=test.test_id,
        stem=test.stem,
        functions=test.functions,
        title=test.title,
        number=test.number,
        points=test.points,
        score=_score(test, trial, verdict),
        verdict=verdict,
        outcome=trial.outcome.kind.value if trial.outcome else OutcomeKind.RETURNED.value,
        visibility=test.visibility,
        output=_output(test, trial, verdict, spoilers),
        fault=trial.fault or (trial.outcome.detail if trial.outcome and trial.is_ours else ""),
        seconds=seconds,
    )


def _verdict(trial: Trial) -> Verdict:
    if trial.is_ours:
        return Verdict.UNDECIDED
    if trial.outcome is not None and trial.outcome.kind is OutcomeKind.NOT_WRITTEN:
        return Verdict.NOT_WRITTEN
    if trial.outcome is not None or trial.failed is not None:
        return Verdict.FAILED
    return Verdict.PASSED if trial.score is None else Verdict.PARTIAL


def _score(test: HiddenTest, trial: Trial, verdict: Verdict) -> float | None:
    if verdict is Verdict.UNDECIDED:
        return None
    if verdict is Verdict.PARTIAL:
        return min(max(trial.score or 0.0, 0.0), test.points)
    return test.points if verdict is Verdict.PASSED else 0.0


def _output(test: HiddenTest, trial: Trial, verdict: Verdict, spoilers: tuple[str, ...]) -> str:
    if verdict is Verdict.UNDECIDED:
        return (
            "Not judged: the grader itself failed here. This is not your fault; the test has no score, staff see why."
        )
    if verdict in (Verdict.PASSED, Verdict.PARTIAL):
        return "\n".join([verdict.value.capitalize() + ".", *trial.notes, *_spoiler_note(spoilers)])
    if test.hide_errors is not None:
        return test.hide_errors
    shows_values = test.visibility is Visibility.VISIBLE
    if trial.failed is not None:
        text = explain.explain_check(trial.failed, shows_values=shows_values)
    else:
        assert trial.outcome is not None  # noqa: S101  (neither passed nor failed a check)
        text = explain.explain_outcome(trial.outcome, shows_values=shows_values)
    printed = explain.explain_printed(trial.printed) if shows_values else ""
    return f"{text}\n{printed}" if printed else text


def _spoiler_note(spoilers: tuple[str, ...]) -> list[str]:
    if not spoilers:
        return []
    names = " and ".join(spoilers)
    return [f"Full credit: this passes with the grader's {names} in place of yours. Look at {names}."]


def _not_run(test: HiddenTest) -> CheckResult:
    return CheckResult(
        test_id=test.test_id,
        stem=test.stem,
        functions=test.functions,
        title=test.title,
        number=test.number,
        points=test.points,
        score=0.0,
        verdict=Verdict.NOT_RUN,
        outcome=OutcomeKind.TIMED_OUT.value,
        visibility=test.visibility,
        output="Not run: earlier checks used up the time for the whole submission. Look for slow or endless functions.",
    )
