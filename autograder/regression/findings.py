"""Findings: turns the stored results of a run, one after another, into the rows of its summary.

Each result is read, counted and dropped, so that memory grows only with the numbers and not with the texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.assignment import Assignment
from autograder.gradescope.submission_policy import LateCharge
from autograder.plain_text import order_naturally
from autograder.regression.baseline import Baseline
from autograder.regression.comparison import Cause, Difference, compare_scores, group_by_test, infer_cause
from autograder.regression.function_scores import join_gone_checks
from autograder.regression.item_analysis import ScoreTable
from autograder.regression.late_penalties import LatePenalties
from autograder.regression.roster import Entry
from autograder.regression.scores import Scores
from autograder.regression.store import ResultStore, StoredResult
from autograder.regression.summary import Comparison, DiagnosisRow, LateRow, PersonRow, QuestionRow, StudentRow
from autograder.results import GraderIdentity, Verdict


@dataclass
class Findings:
    """Everything found so far; `add` takes the results one by one, in the order of the names.

    `baseline`: an earlier run to compare with; `repeats`: the same submissions graded again. `late`: the penalties, of
    which published scores are compared after, and runs before them. `grader`: the one of the first result; None before.
    """

    assignment: Assignment
    only: Sequence[str]
    baseline: Baseline | None = None
    repeats: Sequence[ResultStore] = ()
    late: LatePenalties | None = None
    students: list[StudentRow] = field(default_factory=list)
    grader: GraderIdentity | None = None
    _table: ScoreTable | None = None
    _moved: list[Difference] = field(default_factory=list)
    _compared: int = 0
    _appeared: list[str] = field(default_factory=list)
    _from_published: list[Difference] = field(default_factory=list)
    _published: int = 0
    _joined: dict[str, None] = field(default_factory=dict)
    _joined_published: dict[str, None] = field(default_factory=dict)
    _unstable: list[Difference] = field(default_factory=list)
    _repeated: int = 0
    _first_of: dict[str, tuple[str, int]] = field(default_factory=dict)
    _diagnosed: dict[str, _FoundMistake] = field(default_factory=dict)

    def add(self, entry: Entry, stored: StoredResult, store: ResultStore) -> None:
        """Count the result of one submission."""
        scores = stored.scores
        charge = self.late.compute_charge(entry) if self.late is not None else None
        self.students.append(_build_student_row(entry, stored, store.get_path(entry.name), charge))
        if stored.state == "undecided":
            return
        self.grader = self.grader or stored.grader
        self._analyse(stored)
        self._note_diagnoses(entry.name, scores)
        self._compare_with_baseline(entry.name, stored)
        self._compare_with_published(entry, replace(scores, total=_reduce(scores.total, charge)))
        self._compare_with_repeats(entry.name, stored, store)

    def collect_totals(self) -> list[float]:
        """Return the total of every graded submission."""
        return [row.score for row in self.students if row.state == "graded" and row.score is not None]

    @property
    def table(self) -> ScoreTable:
        """The points and seconds of every test."""
        return self._table or ScoreTable(())

    def summarise_questions(self) -> tuple[QuestionRow, ...]:
        """Return each question with the class's mean score."""
        worth: dict[str, float] = defaultdict(float)
        for _, _, stem, points in self.table.tests:
            worth[stem] += points
        scored = [student for student in self.students if student.state == "graded"]
        titles = {question.stem: question.title for question in self.assignment.questions}
        return tuple(
            QuestionRow(
                stem=stem,
                title=titles.get(stem, stem),
                max_score=round(points, 2),
                mean_score=_compute_mean([student.questions.get(stem, 0.0) for student in scored]),
            )
            for stem, points in worth.items()
        )

    def rank_diagnoses(self, story_of: Callable[[str, str], str]) -> tuple[DiagnosisRow, ...]:
        """Return the known mistakes made in this class, the most frequent first."""
        rows = [
            DiagnosisRow(
                diagnosis=name,
                story=story_of(found.question, name),
                question=found.question,
                tests=tuple(sorted(found.tests, key=order_naturally)),
                students=tuple(dict.fromkeys(found.students)),
            )
            for name, found in self._diagnosed.items()
        ]
        return tuple(sorted(rows, key=lambda row: (-len(row.students), row.diagnosis)))

    def build_baseline_comparison(self) -> Comparison | None:
        """Return the comparison with the baseline; None without a baseline."""
        if self.baseline is None:
            return None
        names = {student.name for student in self.students}
        vanished = [name for name in self.baseline.names if name not in names]
        made = _build_comparison(self.baseline.title, self._moved, self._joined, compared=self._compared)
        return made.model_copy(update={"appeared": tuple(self._appeared), "vanished": tuple(vanished)})

    def build_published_comparison(self) -> Comparison | None:
        """Return the comparison with the scores published on Gradescope; None if the export has none."""
        if not self._published:
            return None
        against, joined = "the scores in the export", self._joined_published
        return _build_comparison(against, self._from_published, joined, compared=self._published)

    def build_repeat_comparison(self) -> Comparison | None:
        """Return the comparison of identical code, graded again or submitted twice; None if there is none."""
        if not self._repeated:
            return None
        return _build_comparison("the same files, graded again", self._unstable, (), compared=self._repeated)

    def _analyse(self, stored: StoredResult) -> None:
        tests = stored.scores.tests.values()
        if self._table is None and tests and stored.state == "graded":
            self._table = ScoreTable([(test.key, test.title, test.question, test.max_score or 0.0) for test in tests])
        if self._table is not None and stored.state == "graded":
            self._table.add({test.key: test.score for test in tests}, stored.provenance.seconds)

    def _note_diagnoses(self, name: str, scores: Scores) -> None:
        for test in scores.tests.values():
            for mistake in test.diagnosis:
                found = self._diagnosed.setdefault(mistake, _FoundMistake(test.question))
                found.tests.add(test.key)
                found.students.append(name)

    def _compare_with_baseline(self, name: str, stored: StoredResult) -> None:
        if self.baseline is None:
            return
        before = self.baseline.store.load(name)
        if before is None:
            self._appeared.append(name)
        elif before.state != "undecided":
            self._compared += 1
            was, now = before.provenance, stored.provenance
            cause = infer_cause(is_same_code=was.submission == now.submission, is_same_grader=was.grader == now.grader)
            both = self.baseline.find_shared_questions(self.only)
            found = join_gone_checks(restrict_scores(before.scores, both), restrict_scores(stored.scores, both))
            self._joined |= dict.fromkeys(found.functions)
            moved = compare_scores(name, found.before, found.after, cause=cause)
            self._moved += [moved] if moved else []

    def _compare_with_published(self, entry: Entry, scores: Scores) -> None:
        if entry.published is None:
            return
        self._published += 1
        published = restrict_scores(entry.published, self.only)
        mine = scores if published.tests else replace(scores, tests={})  # only their total is known
        found = join_gone_checks(published, mine)
        self._joined_published |= dict.fromkeys(found.functions)
        moved = compare_scores(entry.name, found.before, found.after, cause=Cause.UNKNOWN)
        self._from_published += [moved] if moved else []

    def _compare_with_repeats(self, name: str, stored: StoredResult, store: ResultStore) -> None:
        others = [other for repeat in self.repeats if (other := repeat.load(name)) is not None]
        code = stored.provenance.submission
        marks = hash(tuple((test.key, test.score) for test in stored.scores.tests.values()))
        twin, theirs = self._first_of.setdefault(code, (name, marks)) if code else (name, marks)
        if twin != name:
            self._repeated += 1
            others += [other] if theirs != marks and (other := store.load(twin)) is not None else []
        self._repeated += bool(self.repeats)
        moves = (compare_scores(name, stored.scores, other.scores, cause=Cause.NOTHING) for other in others)
        self._unstable += [moved for moved in moves if moved is not None][:1]


@dataclass
class _FoundMistake:
    """A known mistake made in this class."""

    question: str
    tests: set[str] = field(default_factory=set)
    students: list[str] = field(default_factory=list)


def restrict_scores(scores: Scores, stems: Collection[str]) -> Scores:
    """Return the scores of these questions, or of all if none is named; tests of unknown questions are kept."""
    if not stems:
        return scores
    tests = {key: test for key, test in scores.tests.items() if not test.question or test.question in stems}
    if len(tests) == len(scores.tests):
        return scores
    return replace(scores, total=round(sum(test.score or 0.0 for test in tests.values()), 2), tests=tests)


def _build_comparison(against: str, moved: Sequence[Difference], joined: Iterable[str], *, compared: int) -> Comparison:
    unstable = tuple(each for each in moved if each.cause is Cause.NOTHING)
    others = tuple(each for each in moved if each.cause is not Cause.NOTHING)
    return Comparison(
        against=against,
        compared=compared,
        unstable=unstable,
        differences=others,
        tests=tuple(group_by_test(moved)),
        by_function=tuple(sorted(joined, key=order_naturally)),
    )


def _reduce(total: float | None, charge: LateCharge | None) -> float | None:
    return total if total is None or charge is None else charge.reduce(total)


def _build_student_row(entry: Entry, stored: StoredResult, path: Path, charge: LateCharge | None) -> StudentRow:
    scores = stored.scores
    questions: dict[str, float] = defaultdict(float)
    for test in scores.tests.values():
        questions[test.question] += test.score or 0.0
    return StudentRow(
        name=entry.name,
        people=tuple(PersonRow(name=each.name, sid=each.sid, email=each.email) for each in entry.people),
        file=path.name,
        submission=stored.provenance.submission,
        state=stored.state,
        score=_reduce(scores.total, charge),
        late=LateRow(days=charge.days, free_days=charge.free, percent=charge.percent) if charge else None,
        questions={stem: round(points, 2) for stem, points in questions.items()},
        published=entry.published.total if entry.published else None,
        attempts=entry.attempts,
        diagnoses=tuple(sorted({name for test in scores.tests.values() for name in test.diagnosis})),
        fault=stored.fault,
        not_passed=sum(test.verdict != Verdict.PASSED.value for test in scores.tests.values()),
    )


def _compute_mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 2) if values else None
