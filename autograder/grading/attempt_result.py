"""Attempt result: records the end of one attempt at a hidden test, and turns it into the result that is reported."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from autograder.checks import CheckFailed
from autograder.grading import explain
from autograder.grading.hidden_test import HiddenTest
from autograder.plain_text import clean
from autograder.results import CheckResult, LeaderboardEntry, Verdict, Visibility
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind

_FAULT_CHARACTERS = 10_000
_NOTE_CHARACTERS = 500


@dataclass(frozen=True)
class AttemptResult:
    """The end of one attempt; the first that applies of fault, outcome and failed counts.

    `score`: the score that the test set, None where a test that ends well earns full points. `replies`: the replies of
    the student's functions, each a value or an Outcome. `observations`: facts that the test noted beside them.
    `reproducer`: lines of Python that show the failure. `leaderboard`: the value that the test set for its column.
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
    leaderboard: float | str | None = None

    @property
    def is_passed(self) -> bool:
        """Whether the test ran to its end with full credit."""
        return self.verdict is Verdict.PASSED

    @property
    def is_ours(self) -> bool:
        """Whether the grader, not the student, is at fault."""
        return self.verdict is Verdict.UNDECIDED

    @property
    def is_sandbox_failure(self) -> bool:
        """Whether the sandbox failed, so that nothing is known of the student's code."""
        return self.outcome is not None and self.outcome.kind is OutcomeKind.SANDBOX_FAILED

    @property
    def is_late(self) -> bool:
        """Whether the student's code was stopped because it took too long."""
        return self.outcome is not None and self.outcome.kind is OutcomeKind.TIMED_OUT

    @property
    def verdict(self) -> Verdict:
        """The verdict on the test by this attempt alone."""
        kind = self.outcome.kind if self.outcome is not None else OutcomeKind.RETURNED
        if self.fault or kind is OutcomeKind.SANDBOX_FAILED:
            return Verdict.UNDECIDED
        if kind is OutcomeKind.NOT_WRITTEN:
            return Verdict.NOT_WRITTEN
        if kind is not OutcomeKind.RETURNED or self.failed is not None:
            return Verdict.FAILED
        return Verdict.PASSED if self.score is None else Verdict.PARTIAL

    def take_replies_of(self, other: AttemptResult) -> AttemptResult:
        """Return this result with the replies and observations of another."""
        return replace(self, replies=other.replies, observations=other.observations)

    def take_advice_of(self, other: AttemptResult) -> AttemptResult:
        """Return this result with the reproducer and the gradient check of another, without substitutes.

        Students run their own functions together. Beside the grader's functions, a gradient that is right for the
        student's own loss may look wrong.
        """
        if self.failed is not None and self.failed is not other.failed:
            self.failed.gradient_note = other.failed.gradient_note if other.failed is not None else ""
        return replace(self, reproducer=other.reproducer)

    def choose(self, other: AttemptResult) -> AttemptResult:
        """Return the result to report of two that lost points: partial credit, then a failed check, then this one."""
        if Verdict.PARTIAL in (self.verdict, other.verdict):
            return max(self, other, key=lambda each: each.score if each.score is not None else -1.0)
        return other if other.failed is not None or self.failed is None else self


def build_check_result(
    test: HiddenTest, result: AttemptResult, spoilers: tuple[str, ...], *, seconds: float
) -> CheckResult:
    """Return the result of a test; `spoilers` are the student's functions without which it passed."""
    outcome = result.outcome
    return _build(
        test,
        result.verdict,
        score=_compute_score(test, result),
        outcome=outcome.kind if outcome else OutcomeKind.RETURNED,
        output=_write_output(test, result, spoilers),
        fault=clean(result.fault or (outcome.detail if outcome and result.is_ours else ""), _FAULT_CHARACTERS),
        spoilers=spoilers,
        seconds=seconds,
        leaderboard=_build_leaderboard_entry(test, result),
    )


def _build_leaderboard_entry(test: HiddenTest, result: AttemptResult) -> LeaderboardEntry | None:
    if test.column is None or result.leaderboard is None:
        return None
    return LeaderboardEntry(name=test.column.name, value=result.leaderboard, order=test.column.order)


def build_not_run(test: HiddenTest) -> CheckResult:
    """Return the result of a test for which no time was left."""
    output = "Not run: earlier checks used up the time for the whole submission. Look for slow or endless functions."
    return _build(test, Verdict.NOT_RUN, score=0.0, outcome=OutcomeKind.TIMED_OUT, output=output)


def _build(
    test: HiddenTest, verdict: Verdict, *, score: float | None, outcome: OutcomeKind, output: str, **others: Any
) -> CheckResult:
    fields: dict[str, Any] = {
        name: getattr(test, name) for name in ("test_id", "stem", "functions", "title", "number", "points")
    }
    fields |= {"visibility": test.visibility, "verdict": verdict, "score": score, "outcome": outcome.value}
    return CheckResult(**fields, output=output, **others)


def _compute_score(test: HiddenTest, result: AttemptResult) -> float | None:
    if result.verdict is Verdict.UNDECIDED:
        return None
    if result.verdict is Verdict.PARTIAL:
        return max(result.score or 0.0, 0.0)
    return test.points if result.is_passed else 0.0


def _write_output(test: HiddenTest, result: AttemptResult, spoilers: tuple[str, ...]) -> str:
    if result.is_ours:
        return (
            "Not judged: the grader itself failed here. This is not your fault; the test has no score, staff see why."
        )
    if result.verdict in (Verdict.PASSED, Verdict.PARTIAL):
        notes = [explain.clean_student_text(note, _NOTE_CHARACTERS) for note in result.notes]
        return "\n".join([result.verdict.value.capitalize() + ".", *notes, *_write_spoiler_note(spoilers)])
    if test.hide_errors is not None:
        return test.hide_errors
    shows_values = test.visibility is Visibility.VISIBLE
    if result.failed is not None:
        text = explain.explain_check(result.failed, shows_values=shows_values)
    else:
        assert result.outcome is not None  # noqa: S101  (neither passed nor failed a check)
        text = explain.explain_outcome(result.outcome, shows_values=shows_values)
    if not shows_values:
        return text
    more = [explain.explain_reproducer(result.reproducer), explain.explain_printed(result.printed)]
    return "\n".join(filter(None, [text, *more]))


def _write_spoiler_note(spoilers: tuple[str, ...]) -> list[str]:
    if not spoilers:
        return []
    names = " and ".join(spoilers)
    return [f"Full credit: this passes with the grader's {names} in place of yours. Look at {names}."]
