"""Attempt: one try of a hidden test: its specification, how it ended, and the result that is reported of it."""

from __future__ import annotations

import math
import traceback
from dataclasses import dataclass, replace

from autograder.checks import CheckFailed, NotWritten
from autograder.contracts import ContractError
from autograder.contracts.check import unite
from autograder.contracts.failing_case import FailingCase
from autograder.grading import explain
from autograder.grading.hidden_test import HiddenTest
from autograder.plain_text import clean
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.results import CheckResult, LeaderboardEntry, Verdict, Visibility, round_points
from autograder.sandbox import limits as limit
from autograder.sandbox.limits import STANDARD, Limits
from autograder.student import RunningAttempt, Student, TestCall

_FAULT_CHARACTERS = 10_000
_NOTE_CHARACTERS = 500
_RETURNED = Outcome(OutcomeKind.RETURNED)
_OF_TEST = ("test_id", "stem", "functions", "title", "number", "points", "visibility", "is_robustness", "is_advice")
_NOT_JUDGED = "Not judged: the grader itself failed here. This is not your fault; the test has no score, staff see why."
_NOT_RUN = "Not run: earlier checks used up the time for the whole submission. Look for slow or endless functions."


@dataclass(frozen=True)
class Attempt:
    """One try of a test of `functions`, in which the grader's functions replace those named in `substituted`.

    `deadline` is the monotonic time at which the whole run ends, `cpu_s` the CPU seconds of each worker; it has
    three times as many by the clock, and `wall_s` for each request once the file is loaded. `need`: what the right
    solution needs of the test, from which other limits follow. `call_s`: the CPU seconds of one call, 0 for no limit of
    its own. `supplied_wins`: the modules that the grader supplies replace the student's copies of them.
    `runs_constructors`: a constructor of the student's runs before the grader's that replaces it, for the sake of
    attributes of its own.
    """

    functions: tuple[str, ...]
    deadline: float
    cpu_s: int = limit.CPU_S
    wall_s: float = math.inf
    need: limit.Need | None = None
    call_s: float = 0.0
    substituted: tuple[str, ...] = ()
    supplied_wins: bool = False
    runs_constructors: bool = True

    @property
    def is_repeat(self) -> bool:
        """Whether code of the grader's replaces some of the student's."""
        return bool(self.substituted) or self.supplied_wins


@dataclass(frozen=True)
class AttemptResult:
    """The end of one attempt; the first that applies of fault, outcome and failed counts.

    `score`: the score that the test set, or that the parts of a failed check earn; None where a test that ends well
    earns full points. `replies`: the replies of the student's functions, each a value or an Outcome; None if too large
    to keep. `observations`: facts that the test noted beside them. `failing`: the case to show;
    `lines`: those that show it, or that it is right alone. `leaderboard`: the column that the test set.
    `is_out_of_time`: what the verdict depends on was not run. `shows_texts`: no text of an exception may hold a value
    of the grader's. `used`: of the functions that were replaced, those that student code called. `endless`: functions
    that did not end in earlier tests, so that this one was not run. `beside`: functions of the student's in whose place
    the grader's took part when it failed. `replaced`: the functions and files of the student's in whose place the
    grader's took part when it passed.
    """

    score: float | None = None
    failed: CheckFailed | None = None
    outcome: Outcome = _RETURNED
    fault: str = ""
    printed: bytes = b""
    notes: tuple[str, ...] = ()
    replies: tuple[object, ...] | None = ()
    observations: tuple[object, ...] = ()
    failing: FailingCase | None = None
    lines: str = ""
    leaderboard: LeaderboardEntry | None = None
    is_out_of_time: bool = False
    shows_texts: bool = True
    used: tuple[str, ...] = ()
    endless: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()

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
        return self.outcome.kind is OutcomeKind.TIMED_OUT

    @property
    def verdict(self) -> Verdict:
        """The verdict on the test by this attempt alone."""
        kind = self.outcome.kind
        if self.is_out_of_time:
            return Verdict.NOT_RUN
        if self.fault or kind is OutcomeKind.SANDBOX_FAILED:
            return Verdict.UNDECIDED
        if kind is OutcomeKind.NOT_WRITTEN:
            return Verdict.NOT_WRITTEN
        if kind is not OutcomeKind.RETURNED or (self.failed is not None and self.score is None):
            return Verdict.FAILED
        return Verdict.PASSED if self.score is None else Verdict.PARTIAL

    def hide_answers(self) -> AttemptResult:
        """Return the result without what students may not read where functions of the grader's answered."""
        failed = self.failed.copy_with(gradient_note="") if self.failed is not None else None
        return replace(self, failed=failed, printed=b"", failing=None, shows_texts=False)

    def choose(self, second: AttemptResult, points: float, *, is_comparable: bool) -> AttemptResult:
        """Return the result to report of this one and of a repeat with functions of the grader's; both lost points.

        The replies, for the diagnosis, are those of the repeat, since no other function's mistake is in them. Lines to
        run, prints and the gradient check are always this one's: students run their own functions together, and the
        grader's functions would answer any question that student code prints. `is_comparable`: a failed check of the
        repeat cannot be due to the replacement, as it can where an object of the student's is shaped differently. Each
        part of a row of `points` takes the better of both.
        """
        best = self
        if Verdict.PARTIAL in (self.verdict, second.verdict):
            best = max(self, second, key=lambda each: each.score if each.score is not None else -1.0)
            if self.failed is not None and second.failed is not None:
                united = unite(self.failed.earned, second.failed.earned)
                best = replace(best, score=compute_score(sum(united.values()), points))
        elif second.failed is not None and (is_comparable or self.failed is None):
            note = self.failed.gradient_note if self.failed is not None else ""
            best = replace(second, failed=second.failed.copy_with(gradient_note=note))
        elif self.failed is None and second.failed is None and _tells_more(second.outcome, self.outcome):
            best = replace(second, shows_texts=False)
        return replace(
            best,
            replies=second.replies,
            observations=second.observations,
            failing=self.failing,
            printed=self.printed,
        )


OUT_OF_TIME = AttemptResult(outcome=Outcome(OutcomeKind.TIMED_OUT), is_out_of_time=True)


def call_body(run: RunningAttempt, call: TestCall, points: float) -> AttemptResult:
    """Call the body of a test of so many points, and return how it ended."""
    try:
        score = _require_score(call(Student(run)), points)
    except CheckFailed as failed:
        return build_failure(failed, points)
    except NotWritten as stub:
        return AttemptResult(outcome=Outcome(OutcomeKind.NOT_WRITTEN, detail=str(stub)))
    except CallFailed as error:
        return AttemptResult(outcome=error.outcome)
    except ContractError as error:
        return AttemptResult(fault=str(error))  # its frames are the grader's, and say nothing to an author
    except Exception:  # noqa: BLE001  (a mistake in a hidden test is our fault, and is reported as ours)
        return AttemptResult(fault=traceback.format_exc(limit=-6))
    return AttemptResult(score=score, notes=tuple(run.notes), leaderboard=run.leaderboard)


def build_failure(failed: CheckFailed, points: float) -> AttemptResult:
    """Return the result of a failed check, with the score of the parts that are right.

    Of the error no tracebacks are kept: their frames hold all values of the test, and the error itself.
    """
    error: BaseException | None = failed
    while error is not None:
        error.__traceback__ = None
        error = error.__context__
    return AttemptResult(failed=failed, score=compute_score(failed.share, points))


def _require_score(score: float | None, points: float) -> float | None:
    if score is None:
        return None
    if not math.isfinite(score):
        raise ValueError(f"set_score({score}) in a hidden test")
    return None if score >= points else score


def compute_score(share: float, points: float) -> float | None:
    """Compute the points of a share; None for no points."""
    score = round_points(share * points)
    return score if score > 0 else None


def _tells_more(second: Outcome, first: Outcome) -> bool:
    """Whether the function under test raised an error of its own beside the grader's functions."""
    return second.kind is not OutcomeKind.NOT_WRITTEN and not second.is_like(first)


def build_check_result(
    test: HiddenTest, result: AttemptResult, *, seconds: float = 0.0, limits: Limits = STANDARD
) -> CheckResult:
    """Return the result to report of a test."""
    return CheckResult(
        **{name: getattr(test, name) for name in _OF_TEST},
        verdict=result.verdict,
        score=_compute_score(test, result),
        outcome=result.outcome.kind.value,
        output=_write_output(test, result, limits),
        was_run=not result.endless,
        fault=clean(result.fault or (result.outcome.detail if result.is_ours else ""), _FAULT_CHARACTERS),
        replaced=result.replaced,
        seconds=seconds,
        leaderboard=result.leaderboard,
    )


def _compute_score(test: HiddenTest, result: AttemptResult) -> float | None:
    if result.is_ours:
        return None
    if result.verdict is Verdict.PARTIAL:
        return max(result.score or 0.0, 0.0)
    return test.points if result.is_passed else 0.0


def _write_output(test: HiddenTest, result: AttemptResult, limits: Limits) -> str:
    if result.is_ours or result.is_out_of_time:
        return _NOT_JUDGED if result.is_ours else _NOT_RUN
    if result.verdict in (Verdict.PASSED, Verdict.PARTIAL) and result.failed is None:
        notes = [explain.clean_student_text(note, _NOTE_CHARACTERS) for note in result.notes]
        if result.replaced:
            names = " and ".join(result.replaced)
            notes.append(f"Full credit: this passes with the grader's {names} in place of yours. Look at {names}.")
        return "\n".join([f"{result.verdict.value.capitalize()}.", *notes])
    if test.hide_errors is not None:
        return test.hide_errors
    shows_values = test.visibility is Visibility.VISIBLE
    if result.endless:
        text = explain.explain_endless(result.endless)
    elif result.failed is not None:
        text = explain.explain_check(result.failed, shows_values=shows_values)
    else:
        text = explain.explain_outcome(result.outcome, shows_values=shows_values and result.shows_texts, limits=limits)
    if test.is_advice:
        text = explain.mark_as_advice(text)
    if not shows_values:
        return text
    more = [explain.explain_beside(result.beside), result.lines, explain.explain_printed(result.printed)]
    return "\n".join(filter(None, [text, *more]))
