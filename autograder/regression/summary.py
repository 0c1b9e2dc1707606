"""Summary: turns the results of a run, one after another, into all that summary.json and the report say of a class.

Each result is read, counted and dropped, so that memory grows only with the numbers and not with the texts. Statistics
are of graded submissions: empty, unreadable and undecided ones are marked as such everywhere, and counted in none.
Apart from `timing`, the same submissions and the same grader give the same bytes.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import StatisticsError, correlation, fmean

from autograder.assignment import Assignment
from autograder.grading.identity import identify_grader
from autograder.mistakes import MistakeBank
from autograder.plain_text import order_naturally
from autograder.regression.class_results import Member, Row, Run, StoredResult
from autograder.regression.comparison import Comparison
from autograder.results import GraderIdentity, Verdict

VERSION = 2  # raised when readers of the earlier format would misread a file
_BARS = 10
_MistakeKey = tuple[str, str]  # its question and id


@dataclass(frozen=True)
class StudentRow:
    """One submission. `score`: the sum of the points, None if the grader failed; `fault`: how it did on the whole.

    `notes`: on its files as a whole.
    """

    member: Member
    state: str
    score: float | None
    questions: dict[str, float]
    not_passed: int
    notes: str
    fault: str


@dataclass(frozen=True)
class QuestionRow:
    """One question over the class; `share`: of its points."""

    question_id: str
    title: str
    max_score: float
    share: float | None


@dataclass(frozen=True)
class MistakeRow:
    """One known mistake, what its code does, the numbers of the rows that show it, and the files of who made it."""

    question: str
    mistake: str
    story: str
    rows: tuple[str, ...]
    students: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Item:
    """One row over the submissions in which it is written.

    `passed`: the share with all points. `discrimination`: the correlation of passing with the points of the question's
    other rows (point-biserial; Crocker and Algina 1986, chapter 14); None if either is the same for all.
    """

    number: str
    title: str
    question: str
    max_score: float
    passed: float | None
    discrimination: float | None


@dataclass(frozen=True)
class Distribution:
    """The totals of the class. `counts`: of the totals between neighbouring `edges`, the last one included.

    The edges divide ten equal ranges from 0 to all points.
    """

    count: int
    mean: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Duration of a start, the submissions that it graded, and those with a result of an earlier start."""

    seconds: float = 0.0
    graded: int = 0
    kept: int = 0


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a run says of a class, and summary.json holds.

    `is_complete`: whether every submission has a result; False after Ctrl-C.
    `states`: counts of submissions.
    """

    version: int
    title: str
    is_complete: bool
    grader: GraderIdentity
    only: tuple[str, ...]
    max_score: float
    submissions: int
    states: dict[str, int]
    students: tuple[StudentRow, ...]
    questions: tuple[QuestionRow, ...]
    rows: tuple[Item, ...]
    mistakes: tuple[MistakeRow, ...]
    distribution: Distribution | None
    baseline: Comparison | None
    notes: tuple[str, ...]
    timing: Timing

    @property
    def column(self) -> str:
        """The title of the points in a gradebook, where those of some questions are no grade of the assignment."""
        return ": ".join(filter(None, (self.title, ", ".join(self.only))))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The files of the submissions without a complete result, through a fault of ours."""
        return tuple(student.member.file for student in self.students if student.state == "undecided")

    @property
    def is_different(self) -> bool:
        """Whether points differ from the baseline."""
        return self.baseline is not None and bool(self.baseline.changed)

    def as_bytes(self) -> bytes:
        """Serialize to the file's content; ValueError for NaN and infinity."""
        return json.dumps(asdict(self), indent=1, allow_nan=False).encode("ascii") + b"\n"


@dataclass
class RowTally:
    """The points of one row where it is written, and of the question's other rows there."""

    row: Row
    points: array[float] = field(default_factory=lambda: array("d"))
    others: array[float] = field(default_factory=lambda: array("d"))

    def add(self, row: Row, question_points: float) -> None:
        """Count the row of one submission."""
        if row.verdict != Verdict.NOT_WRITTEN.value:
            self.points.append(row.points)
            self.others.append(question_points - row.points)

    def analyse(self) -> Item:
        """Analyse the row, which at least one submission has."""
        most = self.row.max_score
        passed = [float(points >= most) for points in self.points]
        return Item(
            number=self.row.number,
            title=self.row.title,
            question=self.row.question,
            max_score=most,
            passed=round(fmean(passed), 4) if passed else None,
            discrimination=_correlate(passed, self.others),
        )


def _correlate(first: Sequence[float], second: Sequence[float]) -> float | None:
    try:
        return round(correlation(first, second), 4)
    except StatisticsError:  # too few, or one never varies
        return None


@dataclass
class _Counts:
    """What was counted so far. `made`: by known mistake, the file and the row's number each time.

    `rows`: all that any submission has, for the points where nobody wrote anything.
    """

    students: list[StudentRow] = field(default_factory=list)
    rows: dict[str, Row] = field(default_factory=dict)
    tallies: dict[str, RowTally] = field(default_factory=dict)
    made: dict[_MistakeKey, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, member: Member, result: StoredResult) -> None:
        """Count one result."""
        questions: dict[str, float] = defaultdict(float)
        for row in result.rows.values():
            questions[row.question] += row.points
            for mistake in row.mistakes:
                self.made[row.question, mistake].append((member.file, row.number))
        points = {question_id: round(sum_of, 2) for question_id, sum_of in questions.items()}
        not_passed = sum(row.verdict != Verdict.PASSED.value for row in result.rows.values())
        student = StudentRow(member, result.state, result.total, points, not_passed, result.notes, result.fault)
        self.students.append(student)
        self.rows = {**result.rows, **self.rows}
        if result.state == "graded":
            for key, row in result.rows.items():
                self.tallies.setdefault(key, RowTally(row)).add(row, questions[row.question])

    def summarise_questions(self, assignment: Assignment) -> tuple[QuestionRow, ...]:
        """Return each question with the class's share of its points."""
        worth: dict[str, float] = defaultdict(float)
        for row in self.rows.values():
            worth[row.question] += row.max_score
        titles = {each.question_id: each.title for each in assignment.questions if each.question_id in worth}
        rows = []
        for question_id in [*titles, *sorted(worth.keys() - titles.keys())]:
            points = [student.questions.get(question_id, 0.0) for student in self.students if student.state == "graded"]
            share = round(fmean(points) / worth[question_id], 4) if points and worth[question_id] else None
            title = titles.get(question_id, question_id)
            rows.append(QuestionRow(question_id, title, round(worth[question_id], 2), share))
        return tuple(rows)

    def rank_mistakes(self, assignment: Assignment) -> tuple[MistakeRow, ...]:
        """Return the known mistakes, the most frequent first; one without a story is known no more."""
        bank = MistakeBank(assignment)
        stories: dict[_MistakeKey, str] = {}
        for question_id in sorted({question_id for question_id, _ in self.made}.intersection(assignment.question_ids)):
            stories |= {(question_id, known.id): known.story for known in bank.load(question_id)}
        rows = []
        for key in sorted(self.made.keys() & stories.keys()):
            numbers = sorted({number for _, number in self.made[key]}, key=order_naturally)
            files = dict.fromkeys(file for file, _ in self.made[key])
            rows.append(MistakeRow(*key, stories[key], tuple(numbers), tuple(files)))
        return tuple(sorted(rows, key=lambda row: -len(row.students)))


def summarise(run: Run, assignment: Assignment, *, baseline: Comparison | None, timing: Timing) -> Summary:
    """Summarise the results of a run that are there."""
    counts = _Counts()
    grader = None
    for file, member in run.members.items():
        result = run.load(file)
        if result is not None:
            counts.add(member, result)
            grader = grader or result.grader
    students = counts.students
    questions = counts.summarise_questions(assignment)
    max_score = round(sum(question.max_score for question in questions), 2)
    totals = [student.score for student in students if student.state == "graded" and student.score is not None]
    return Summary(
        version=VERSION,
        title=assignment.title,
        is_complete=len(students) == len(run.members),
        grader=grader or identify_grader(assignment),
        only=run.only,
        max_score=max_score,
        submissions=len(run.members),
        states=dict(sorted(Counter(student.state for student in students).items())),
        students=tuple(students),
        questions=questions,
        rows=tuple(counts.tallies[key].analyse() for key in sorted(counts.tallies, key=order_naturally)),
        mistakes=counts.rank_mistakes(assignment),
        distribution=compute_distribution(totals, max_score),
        baseline=baseline,
        notes=run.notes,
        timing=timing,
    )


def compute_distribution(totals: Sequence[float], max_score: float) -> Distribution | None:
    """Compute the distribution of the totals; None if there are none."""
    if not totals:
        return None
    edges = tuple(round((max_score or 1.0) * number / _BARS, 4) for number in range(_BARS + 1))
    counts = [0] * _BARS
    for total in totals:
        counts[min(max(bisect_right(edges, total) - 1, 0), _BARS - 1)] += 1
    return Distribution(len(totals), round(fmean(totals), 2), edges, tuple(counts))
