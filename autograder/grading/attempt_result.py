"""Trial: turns what an attempt at a hidden test showed into the result that is reported."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from autograder.checks import CheckFailed
from autograder.grading import explain
from autograder.grading.hidden_test import HiddenTest
from autograder.plain_text import clean
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind

_FAULT_CHARACTERS = 10_000
_NOTE_CHARACTERS = 500


@dataclass(frozen=True)
class Trial:
    """What one attempt showed; the first that applies of fault, outcome and failed counts.

    `score`: what the test set, None where full points are due to a test that ends well. `replies`: what the student's
    functions answered, each a value or an Outcome. `observations`: what else the test saw of them. `reproducer`: lines
    of Python that show the failure.
    """

    score: float | None = None
    failed: CheckFailed | None = None
    outcome: Outcome | None = None
    fault: str = ""
    printed: bytes = b""
    notes: tuple[str, ...] = ()
    replies: tuple[object, ...] = ()
    observations: tuple[object, ...] = ()
    reproducer: str = ""

    @property
    def is_passed(self) -> bool:
        """Whether the test ran to its end with full credit."""
        return self.verdict is Verdict.PASSED

    @property
    def is_ours(self) -> bool:
        """Whether the grader, not the student, is at fault."""
        return self.verdict is Verdict.UNDECIDED

    @property
    def is_late(self) -> bool:
        """Whether the student's code was stopped because it took too long."""
        return self.outcome is not None and self.outcome.kind is OutcomeKind.TIMED_OUT

    @property
    def verdict(self) -> Verdict:
        """What the attempt alone says of the test."""
        kind = self.outcome.kind if self.outcome is not None else OutcomeKind.RETURNED
        if self.fault or kind is OutcomeKind.SANDBOX_FAILED:
            return Verdict.UNDECIDED
        if kind is OutcomeKind.NOT_WRITTEN:
            return Verdict.NOT_WRITTEN
        if kind is not OutcomeKind.RETURNED or self.failed is not None:
            return Verdict.FAILED
        return Verdict.PASSED if self.score is None else Verdict.PARTIAL

    def with_replies_of(self, other: Trial) -> Trial:
        """The attempt, with what the student's functions did in another."""
        return replace(self, replies=other.replies, observations=other.observations)

    def with_advice_of(self, other: Trial) -> Trial:
        """The attempt, with the reproducer and the word on the own loss of another, in which all siblings are theirs.

        What students run themselves is their own functions together, and beside the grader's functions a gradient that
        is right for their own may look wrong.
        """
        if self.failed is not None and self.failed is not other.failed:
            self.failed.gradient_note = other.failed.gradient_note if other.failed is not None else ""
        return replace(self, reproducer=other.reproducer)

    def better(self, other: Trial) -> Trial:
        """Of two attempts that both lost points, the one to report: partial credit, then a check, then this one."""
        if Verdict.PARTIAL in (self.verdict, other.verdict):
            return max(self, other, key=lambda trial: trial.score if trial.score is not None else -1.0)
        return other if other.failed is not None or self.failed is None else self


def result_of(test: HiddenTest, trial: Trial, spoilers: tuple[str, ...], *, seconds: float) -> CheckResult:
    """The result of a test; `spoilers` are the student's functions without which it passed."""
    outcome = trial.outcome
    return _result(
        test,
        trial.verdict,
        score=_score(test, trial),
        outcome=outcome.kind if outcome else OutcomeKind.RETURNED,
        output=_output(test, trial, spoilers),
        fault=clean(trial.fault or (outcome.detail if outcome and trial.is_ours else ""), _FAULT_CHARACTERS),
        spoilers=spoilers,
        seconds=seconds,
    )


def not_run(test: HiddenTest) -> CheckResult:
    """The result of a test for which no time was left."""
    output = "Not run: earlier checks used up the time for the whole submission. Look for slow or endless functions."
    return _result(test, Verdict.NOT_RUN, score=0.0, outcome=OutcomeKind.TIMED_OUT, output=output)


def _result(
    test: HiddenTest, verdict: Verdict, *, score: float | None, outcome: OutcomeKind, output: str, **others: Any
) -> CheckResult:
    fields: dict[str, Any] = {
        name: getattr(test, name) for name in ("test_id", "stem", "functions", "title", "number", "points")
    }
    fields |= {"visibility": test.visibility, "verdict": verdict, "score": score, "outcome": outcome.value}
    return CheckResult(**fields, output=output, **others)


def _score(test: HiddenTest, trial: Trial) -> float | None:
    if trial.verdict is Verdict.UNDECIDED:
        return None
    if trial.verdict is Verdict.PARTIAL:
        return max(trial.score or 0.0, 0.0)
    return test.points if trial.is_passed else 0.0


def _output(test: HiddenTest, trial: Trial, spoilers: tuple[str, ...]) -> str:
    if trial.is_ours:
        return (
            "Not judged: the grader itself failed here. This is not your fault; the test has no score, staff see why."
        )
    if trial.verdict in (Verdict.PASSED, Verdict.PARTIAL):
        notes = [explain.clean_student_text(note, _NOTE_CHARACTERS) for note in trial.notes]
        return "\n".join([trial.verdict.value.capitalize() + ".", *notes, *_spoiler_note(spoilers)])
    if test.hide_errors is not None:
        return test.hide_errors
    shows_values = test.visibility is Visibility.VISIBLE
    if trial.failed is not None:
        text = explain.explain_check(trial.failed, shows_values=shows_values)
    else:
        assert trial.outcome is not None  # noqa: S101  (neither passed nor failed a check)
        text = explain.explain_outcome(trial.outcome, shows_values=shows_values)
    if not shows_values:
        return text
    more = [explain.explain_reproducer(trial.reproducer), explain.explain_printed(trial.printed)]
    return "\n".join(filter(None, [text, *more]))


def _spoiler_note(spoilers: tuple[str, ...]) -> list[str]:
    if not spoilers:
        return []
    names = " and ".join(spoilers)
    return [f"Full credit: this passes with the grader's {names} in place of yours. Look at {names}."]
