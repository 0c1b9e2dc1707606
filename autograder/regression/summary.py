"""Summary: the records of summary.json, which holds all findings of a run without the tests' outputs.

Apart from `timing`, the same submissions and the same grader give the same bytes, in any order and on any number of
cores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import Enum

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

    `score`: the sum of the points, before a penalty for lateness; None if the grader failed.
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
    of all other tests, None if all or none passed.
    """

    test: str
    title: str
    question: str
    max_score: float
    passed: float | None
    mean_score: float | None
    discrimination: float | None


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """The totals of the class. `counts`: of the totals between neighbouring `edges`, the last one included.

    The edges are those of ten equal ranges from 0 to all points.
    """

    count: int
    mean: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The comparison with another run, which `against` names.

    `unstable`: same code and grader but other scores; `differences`: all others. `appeared` and `vanished`: submissions
    that only one of the two runs has.
    """

    against: str
    compared: int
    unstable: tuple[Difference, ...]
    differences: tuple[Difference, ...]
    tests: tuple[TestMoves, ...]
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()

    @property
    def is_different(self) -> bool:
        """Whether any score changed."""
        return bool(self.unstable or self.differences)


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Duration of this start.

    `graded`: the submissions of this start; `kept`: those with a result of an earlier start.
    """

    seconds: float
    graded: int = 0
    kept: int = 0


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The whole file. `is_complete`: whether every submission has a result; False after Ctrl-C.

    `twins`: the comparison of submissions whose files are the same, with each other.
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
    diagnoses: tuple[DiagnosisRow, ...]
    distribution: Distribution | None
    baseline: Comparison | None
    published: Comparison | None
    twins: Comparison | None
    notes: tuple[str, ...]
    timing: Timing

    @property
    def undecided(self) -> tuple[str, ...]:
        """The submissions without a complete result, through a fault of ours."""
        return tuple(student.name for student in self.students if student.state == "undecided")

    @property
    def is_different(self) -> bool:
        """Whether a score differs from the baseline, or between submissions with the same files."""
        return any(each is not None and each.is_different for each in (self.baseline, self.twins))

    def read_results(self, load: Load) -> Iterator[tuple[StudentRow, StoredResult]]:
        """Yield each submission with its result, which `load` returns, one after another."""
        for row in self.students:
            stored = load(row.name)
            if stored is not None:
                yield row, stored

    def as_bytes(self) -> bytes:
        """Serialize to the file's content; ValueError for NaN and infinity."""
        return json.dumps(asdict(self), indent=1, allow_nan=False).encode("ascii") + b"\n"
