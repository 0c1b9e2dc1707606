"""Ending: how an attempt at a check ends, one of six ways, each with what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from autograder.checks import CheckFailed
from autograder.contracts.check import unite
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.results import LeaderboardEntry, Verdict, round_points


@dataclass(frozen=True)
class Passed:
    """The check has full credit.

    `notes`: lines that it adds to its output. `entry`: the column of the leaderboard that it set. `replaced`: the
    functions, classes and files of the student's in whose place the grader's took part. `at_fault`: the same, with the
    methods that lost points in place of their class.
    """

    verdict: ClassVar[Verdict] = Verdict.PASSED
    outcome_name: ClassVar[str] = OutcomeKind.RETURNED.value
    notes: tuple[str, ...] = ()
    entry: LeaderboardEntry | None = None
    replaced: tuple[str, ...] = ()
    at_fault: tuple[str, ...] = ()


@dataclass(frozen=True)
class Partial:
    """The check has some credit. `failed`: what is wrong; None where the check has set the score itself.

    `replaced`: the functions of the student's in whose place the grader's took part.
    """

    verdict: ClassVar[Verdict] = Verdict.PARTIAL
    outcome_name: ClassVar[str] = OutcomeKind.RETURNED.value
    score: float
    failed: CheckFailed | None = None
    notes: tuple[str, ...] = ()
    entry: LeaderboardEntry | None = None
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failed:
    """A value is wrong. `replaced`: as of `Partial`."""

    verdict: ClassVar[Verdict] = Verdict.FAILED
    outcome_name: ClassVar[str] = OutcomeKind.RETURNED.value
    failed: CheckFailed
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoValue:
    """Student code gave no value. `replaced`: as of `Partial`.

    `shows_texts`: the text of an exception holds no value of the grader's. `uncalled`: functions that were late in
    earlier checks, so that they were not called here. `otherwise`: what is wrong if the function is no stub, whose
    values these are.
    """

    outcome: Outcome
    shows_texts: bool = True
    uncalled: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    otherwise: CheckFailed | None = None

    @property
    def verdict(self) -> Verdict:
        """Not written, or failed."""
        return Verdict.NOT_WRITTEN if self.outcome.kind is OutcomeKind.NOT_WRITTEN else Verdict.FAILED

    @property
    def outcome_name(self) -> str:
        """How the call ended."""
        return self.outcome.kind.value


@dataclass(frozen=True)
class Ours:
    """The grader is at fault. `by_sandbox`: the machine or the sandbox failed, which it may not do again."""

    verdict: ClassVar[Verdict] = Verdict.UNDECIDED
    fault: str
    by_sandbox: bool = False

    @property
    def outcome_name(self) -> str:
        """What failed."""
        kind = OutcomeKind.SANDBOX_FAILED if self.by_sandbox else OutcomeKind.RETURNED
        return kind.value


@dataclass(frozen=True)
class NotRun:
    """The time for the whole submission was used up, by student code."""

    verdict: ClassVar[Verdict] = Verdict.NOT_RUN
    outcome_name: ClassVar[str] = OutcomeKind.TIMED_OUT.value


Ending = Passed | Partial | Failed | NoValue | Ours | NotRun


def end_without_value(outcome: Outcome) -> NoValue | Ours:
    """Return the ending of a check after a call that gave no value."""
    if outcome.kind is OutcomeKind.SANDBOX_FAILED:
        return Ours(outcome.detail, by_sandbox=True)
    return NoValue(outcome)


def end_in_failure(failed: CheckFailed, points: float) -> Partial | Failed:
    """Return the ending of a check worth `points` that found a wrong value, with the score of the right parts.

    Of the error no tracebacks are kept: their frames hold all values of the check, and the error itself.
    """
    error: BaseException | None = failed
    while error is not None:
        error.__traceback__ = None
        error = error.__context__
    score = round_points(failed.share * points)
    if score > 0:
        return Partial(score, failed)
    return Failed(failed)


def find_failure(ending: Ending) -> CheckFailed | None:
    """Return the wrong value that a check found, if it found one."""
    return ending.failed if isinstance(ending, (Partial, Failed)) else None


def hide_answers(ending: Ending) -> Ending:
    """Return the ending without what students may not read where functions of the grader's answered."""
    return replace(ending, shows_texts=False) if isinstance(ending, NoValue) else ending


def combine(alone: Ending, followed: Ending, points: float, *, is_comparable: bool) -> Ending:
    """Return the ending to report of a check worth `points` that lost some alone and with the grader's functions.

    Each part of a row takes the better of both. `is_comparable`: a wrong value of `followed` cannot be due to the
    replacement, as it can where an object of the student's is shaped differently.
    """
    if isinstance(alone, Partial) or isinstance(followed, Partial):
        return _take_better(alone, followed, points)
    if isinstance(followed, Failed) and (is_comparable or not isinstance(alone, Failed)):
        return followed
    if not isinstance(alone, NoValue) or not isinstance(followed, NoValue):
        return alone
    return hide_answers(followed) if _tells_more(followed.outcome, alone.outcome) else alone


def _take_better(alone: Ending, followed: Ending, points: float) -> Ending:
    """Return the ending with more points, and the points of all parts that are right in either."""
    better = max(alone, followed, key=_get_score)
    first, second = find_failure(alone), find_failure(followed)
    if first is None or second is None or not isinstance(better, Partial):
        return better
    united = unite(first.earned, second.earned)
    share = sum(united.values())
    return replace(better, score=round_points(share * points))


def _get_score(ending: Ending) -> float:
    return ending.score if isinstance(ending, Partial) else -1.0


def _tells_more(followed: Outcome, alone: Outcome) -> bool:
    """Whether the function under test raised an error of its own with the grader's functions."""
    return followed.kind is not OutcomeKind.NOT_WRITTEN and not followed.is_like(alone)
