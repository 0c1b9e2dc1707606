"""Summary: the records of summary.json, which holds all findings of a run without the tests' outputs.

Apart from `timing` and notes on stored results, the same submissions and the same grader give the same bytes, in any
order and on any number of cores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import Enum

from autograder.gradescope.submission_policy import LateCharge
from autograder.regression.gradescope_export import Person
from autograder.regression.store import Load, State, StoredResult
from autograder.results import GraderIdentity

VERSION = 1  # raised when readers of the earlier format would misread a file


def label_people(people: Iterable[Person], name: str) -> str:
    """Return the names of submitters on one line, an email or sid for one without a name; without any, `name`."""
    return ", ".join(person.name or person.email or person.sid for person in people) or name


@dataclass(frozen=True, kw_only=True)
class StudentRow:
    """One submission. `name`: of its folder or file; `file`: of its result.

    `score`: after the penalty for lateness, if the run was given a due date; None if the grader failed.
    `fault`: the end of the text on how it failed, if it failed on the submission as a whole.
    """

    name: str
    people: tuple[Person, ...]
    file: str
    submission: str
    state: State
    score: float | None
    questions: dict[str, float]
    published: float | None
    attempts: int
    diagnoses: tuple[str, ...]
    not_passed: int
    late: LateCharge | None = None
    fault: str = ""

    @property
    def label(self) -> str:
        """The names of its submitters, or else of its folder."""
        return label_people(self.people, self.name)


@dataclass(frozen=True, kw_only=True)
class QuestionRow:
    """One question over the class."""

    stem: str
    title: str
    max_score: float
    mean_score: float | None


@dataclass(frozen=True, kw_only=True)
class DiagnosisRow:
    """One known mistake, and the students who made it. `story`: what the mistaken code does, if known."""

    diagnosis: str
    story: str
    question: str
    tests: tuple[str, ...]
    students: tuple[str, ...]


class Cause(str, Enum):
    """Possible cause of a changed score."""

    NOTHING = "nothing"  # same code, same grader: not deterministic
    GRADER = "grader"  # same code, another grader
    CODE = "code"  # changed code
    UNKNOWN = "unknown"  # the code of the earlier scores is not known, as in an export


@dataclass(frozen=True, kw_only=True)
class Move:
    """One test of one submission whose points changed; None for a test that has no score or does not exist."""

    test: str
    title: str
    before: float | None
    after: float | None
    verdict_before: str
    verdict_after: str
    diagnosis_before: tuple[str, ...]
    diagnosis_after: tuple[str, ...]

    @property
    def change(self) -> float:
        """Points gained; negative if points were lost."""
        return round((self.after or 0.0) - (self.before or 0.0), 4)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One submission whose scores changed."""

    name: str
    cause: Cause
    before: float | None
    after: float | None
    moves: tuple[Move, ...]

    @property
    def change(self) -> float:
        """Points gained in total; negative if points were lost."""
        return round((self.after or 0.0) - (self.before or 0.0), 4)


@dataclass(frozen=True, kw_only=True)
class TestMoves:
    """One test's changes over the class. `diagnoses`: counts by the current diagnosis, "" for none."""

    test: str
    title: str
    gained: tuple[str, ...]
    dropped: tuple[str, ...]
    unchanged: tuple[str, ...]
    points: float
    diagnoses: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Item:
    """One test over the class.

    `passed`: the share with full points. `discrimination`: the point-biserial correlation of passing with the points
    of all other tests, None if all or none passed. `remark`: a hint for staff.
    """

    test: str
    title: str
    question: str
    max_score: float
    count: int
    passed: float | None
    mean_score: float | None
    discrimination: float | None
    remark: str


@dataclass(frozen=True, kw_only=True)
class Seconds:
    """Duration of one test over the class; not part of any comparison."""

    mean: float
    longest: float


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """The totals of the class. `counts`: of the totals between neighbouring `edges`, the last one included.

    The edges are at ten equal ranges from 0 to all points; for a large class they are at tenths of the
    class (`has_quantiles`), because in equal ranges most of a class may be in one bar.
    """

    count: int
    mean: float
    deviation: float
    quartiles: tuple[float, float, float]
    lowest: float
    highest: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    has_quantiles: bool = False


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The comparison with another run, which `against` names.

    `unstable`: same code and grader but other scores; `differences`: all others. `appeared` and `vanished`: submissions
    that only one of the two runs has. `by_function`: functions whose checks of the earlier run are gone, so that
    their points are compared as one sum.
    """

    against: str
    compared: int
    unstable: tuple[Difference, ...]
    differences: tuple[Difference, ...]
    tests: tuple[TestMoves, ...]
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    by_function: tuple[str, ...] = ()

    @property
    def is_different(self) -> bool:
        """Whether any score changed."""
        return bool(self.unstable or self.differences)


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Duration and reuse, which differ from run to run.

    `graded`: the submissions of this start; `kept`: those with a result of an earlier start. `questions`: of the
    submissions graded; `reused`: those of them whose results an earlier run had stored; `rechecked`: reused ones that
    were graded again. `tests`: by key.
    """

    seconds: float
    graded: int = 0
    kept: int = 0
    tests: dict[str, Seconds]
    questions: int = 0
    reused: int = 0
    rechecked: int = 0


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The whole file. `is_complete`: whether every submission has a result; False after Ctrl-C.

    `disagreements`: the checks of reused questions that had another result when they were graded again.
    """

    version: int
    title: str
    is_complete: bool
    grader: GraderIdentity
    key: str
    only: tuple[str, ...]
    max_score: float
    submissions: int
    students: tuple[StudentRow, ...]
    questions: tuple[QuestionRow, ...]
    tests: tuple[Item, ...]
    redundant: tuple[tuple[str, ...], ...]
    diagnoses: tuple[DiagnosisRow, ...]
    distribution: Distribution | None
    baseline: Comparison | None
    published: Comparison | None
    repeats: Comparison | None
    disagreements: tuple[str, ...] = ()
    notes: tuple[str, ...]
    timing: Timing

    @property
    def undecided(self) -> tuple[str, ...]:
        """The submissions without a complete result, through a fault of ours."""
        return tuple(student.name for student in self.students if student.state == "undecided")

    @property
    def is_different(self) -> bool:
        """Whether a score differs from the baseline, or from one repetition to another."""
        return any(each is not None and each.is_different for each in (self.baseline, self.repeats))

    def read_results(self, load: Load) -> Iterator[tuple[StudentRow, StoredResult]]:
        """Yield each submission with its result, which `load` returns, one after another."""
        for row in self.students:
            stored = load(row.name)
            if stored is not None:
                yield row, stored

    def as_bytes(self) -> bytes:
        """Serialize to the file's content; ValueError for NaN and infinity."""
        return json.dumps(asdict(self), indent=1, allow_nan=False).encode("ascii") + b"\n"
