"""Results: one `CheckResult` for each hidden test, gathered in the `Report` on one submission.

`gradescope.results_json.Results` is the same in Gradescope's format, `regression.summary.Summary` is about a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from autograder.plain_text import count
from autograder.sandbox.protocol.layers import LayerReport

AS_READ: Mapping[str, object] = {"extra": "forbid", "allow_inf_nan": False}  # what results.json holds is read so
Order = Literal["desc", "asc"]  # of a column of the leaderboard: the first value is the best
ROBUSTNESS, ADVICE = "robustness", "advice"  # tags of tests, besides the names of functions


_HALF = 1e-9  # sums of shares differ by rounding from one Python to the next: what is half a cent, almost, goes up


def round_points(points: float) -> float:
    """Round points to hundredths, the same on each Python."""
    return round(points + _HALF, 2)


def is_points(value: object) -> bool:
    """Return whether it is a number of points that a check may give."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf")


def is_check_number(value: object) -> bool:
    """Return whether it is the number of a check, such as "4.10"."""
    return isinstance(value, str) and all(part.isdecimal() for part in value.split("."))


class Verdict(str, Enum):
    """How one hidden test ended; the closed set that `extra_data.verdict` uses."""

    PASSED = "passed"
    PARTIAL = "partial"
    FAILED = "failed"
    NOT_WRITTEN = "not_written"
    UNDECIDED = "undecided"  # our fault: the test has no score and staff are told
    NOT_RUN = "not_run"  # the run's own deadline came first


class Visibility(str, Enum):
    """When students see a test; the values are Gradescope's."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"


@dataclass(frozen=True, kw_only=True)
class LeaderboardEntry:
    """One column of the leaderboard; Gradescope sorts it in descending order if `order` is absent."""

    __pydantic_config__ = AS_READ

    name: str
    value: float | str
    order: Order | None = None


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """The result of one hidden test; `output` is plain text, already escaped and cut.

    `was_run`: false for a test that failed because its functions did not end in others before. `attempts`: why each
    attempt was made (see `Reason`). `contradicts`: it passed, and the same calls gave wrong values in an earlier
    attempt, as where code guesses, or another function of the file spoils what both share.
    """

    test_id: str
    question_id: str
    functions: tuple[str, ...]
    title: str
    number: str
    points: float
    score: float | None
    verdict: Verdict
    outcome: str
    visibility: Visibility
    output: str
    diagnosis: tuple[str, ...] = ()  # the ids of known mistakes
    replaced: tuple[str, ...] = ()  # functions and files of the student's without which the test passed
    fault: str = ""  # for staff: what went wrong in the grader where the verdict is undecided
    seconds: float = 0.0
    leaderboard: LeaderboardEntry | None = None
    is_robustness: bool = False  # about large numbers, tiny sizes or warnings
    is_advice: bool = False  # without points
    was_run: bool = True
    attempts: tuple[str, ...] = ()
    contradicts: bool = False
    grounds: tuple[str, ...] = ()  # for staff: why known mistakes were named, and the nearest other was not


def add_points(checks: Iterable[CheckResult]) -> tuple[float, float]:
    """Add up the points that checks got, each rounded as Gradescope shows it, and those that they are worth."""
    score = most = 0.0
    for check in checks:
        score += round(check.score or 0.0, 2)
        most += check.points
    return round(score, 2), round(most, 2)


def write_points(checks: Iterable[CheckResult]) -> str:
    """Write how many points checks got, and how many they are worth."""
    score, most = add_points(checks)
    return f"{score:g} of {count(most, 'point')}"


@dataclass(frozen=True, kw_only=True)
class WrittenText:
    """One answer that a person grades, which no check judges; `answer` is cleaned, and empty where nothing is written.

    `key` is its place in the file. `points`: what the person gives, which is no part of the report's score. `rubric` is
    for staff alone. `fault`: what went wrong in the grader where the answer could not be read.
    """

    question_id: str
    key: str
    title: str
    number: str
    points: float
    answer: str
    rubric: str
    fault: str = ""


@dataclass(frozen=True, kw_only=True)
class QuestionStatus:
    """What was found of one question: the student's file (None when missing) and one-line notes about it.

    `keys`: where the question's answers stand in its file, by the names that its checks have for them.
    """

    question_id: str
    title: str
    points: float
    file: str | None
    notes: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class GraderIdentity:
    """Which grader judged: enough to repeat the run."""

    version: str
    content_hash: str
    seed: int
    python: str
    numpy: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """What the grader says of one submission, in the order of the hidden tests' numbers.

    `visible_seconds`: until the visible tests were judged, which is what students may see of the time.
    """

    checks: tuple[CheckResult, ...]
    questions: tuple[QuestionStatus, ...]
    notes: tuple[str, ...]
    grader: GraderIdentity
    layers: tuple[LayerReport, ...]
    texts: tuple[WrittenText, ...] = ()
    seconds: float = 0.0
    visible_seconds: float = 0.0

    @property
    def score(self) -> float:
        """Sum of the tests' scores, each rounded to two decimals as Gradescope shows them."""
        return add_points(self.checks)[0]

    @property
    def graded(self) -> tuple[CheckResult, ...]:
        """The checks that give points, without those that give advice."""
        return tuple(check for check in self.checks if not check.is_advice)

    @property
    def max_score(self) -> float:
        """Sum of the tests' points."""
        return add_points(self.checks)[1]

    @property
    def points_by_hand(self) -> float:
        """Sum of the points that a person gives for texts, which are no part of `max_score`."""
        return round(sum(text.points for text in self.texts), 2)

    @property
    def leaderboard(self) -> tuple[LeaderboardEntry, ...]:
        """The columns set by tests that passed, in whole or in part."""
        passed = [check for check in self.checks if check.verdict in (Verdict.PASSED, Verdict.PARTIAL)]
        return tuple(check.leaderboard for check in passed if check.leaderboard is not None)

    @property
    def is_undecided(self) -> bool:
        """Whether some test could not be judged, or a text not be read, through a fault of the grader."""
        is_unread = any(text.fault for text in self.texts)
        return is_unread or any(check.verdict is Verdict.UNDECIDED for check in self.checks)
