"""Findings: turns the stored results of a run, one after another, into the rows of its summary.

Each result is read, counted and dropped, so that memory grows only with the numbers and not with the texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.assignment import Assignment
from autograder.mistakes import MistakeBank
from autograder.plain_text import order_naturally
from autograder.regression.baseline import Baseline
from autograder.regression.comparison import ComparedRun
from autograder.regression.item_analysis import ScoreTable
from autograder.regression.roster import Entry
from autograder.regression.scores import Scores, add_points, restrict_scores
from autograder.regression.store import ResultStore, StoredResult
from autograder.regression.summary import Cause, Comparison, DiagnosisRow, QuestionRow, StudentRow
from autograder.results import GraderIdentity, Verdict


@dataclass
class Findings:
    """Everything found so far; `add` takes the results one by one, in the order of the names.

    `baseline`: an earlier run to compare with. `grader`: the one of the first result; None before.
    """

    assignment: Assignment
    only: Sequence[str]
    baseline: Baseline | None = None
    students: list[StudentRow] = field(default_factory=list)
    grader: GraderIdentity | None = None
    table: ScoreTable = field(default_factory=ScoreTable)
    _diagnosed: dict[str, dict[str, str]] = field(default_factory=dict)  # by known mistake, the question of each test
    _first_of: dict[str, str] = field(default_factory=dict)  # the submission with these files

    def __post_init__(self) -> None:
        self.from_baseline = ComparedRun(self.baseline.title if self.baseline else "")
        self.published = ComparedRun("the scores in the export")
        self.twins = ComparedRun("submissions with the same files")

    def add(self, entry: Entry, stored: StoredResult, store: ResultStore) -> None:
        """Count the result of one submission."""
        scores = stored.scores
        self.students.append(_build_student_row(entry, stored, store.get_path(entry.name)))
        if stored.state == "undecided":
            return
        self.grader = self.grader or stored.grader
        if stored.state == "graded":
            self.table.add(scores.tests)
        for test in scores.tests.values():
            for mistake in test.diagnosis:
                self._diagnosed.setdefault(mistake, {})[test.key] = test.question
        self._compare_with_baseline(entry.name, stored)
        self._compare_with_published(entry, scores)
        self._compare_with_twin(entry.name, stored, store)

    def summarise_questions(self) -> tuple[QuestionRow, ...]:
        """Return each question with the class's mean score."""
        worth: dict[str, float] = defaultdict(float)
        for test in self.table.tests:
            worth[test.question] += test.max_score or 0.0
        titles = {question.stem: question.title for question in self.assignment.questions}
        rows = []
        for stem, most in worth.items():
            points = [row.questions.get(stem, 0.0) for row in self.students if row.state == "graded"]
            mean = round(sum(points) / len(points), 2) if points else None
            title = titles.get(stem, stem)
            rows.append(QuestionRow(stem=stem, title=title, max_score=round(most, 2), mean_score=mean))
        return tuple(rows)

    def rank_diagnoses(self) -> tuple[DiagnosisRow, ...]:
        """Return the known mistakes made in this class, the most frequent first."""
        rows = [self._build_diagnosis(name, questions) for name, questions in self._diagnosed.items()]
        return tuple(sorted(rows, key=lambda row: (-len(row.students), row.diagnosis)))

    def build_baseline_comparison(self) -> Comparison | None:
        """Return the comparison with the baseline; None without a baseline."""
        if self.baseline is None:
            return None
        names = {student.name for student in self.students}
        return self.from_baseline.build([name for name in self.baseline.names if name not in names])

    def _build_diagnosis(self, name: str, questions: Mapping[str, str]) -> DiagnosisRow:
        stem = next(iter(questions.values()))
        known = MistakeBank(self.assignment).load(stem)
        judged = (student for student in self.students if student.state != "undecided")
        return DiagnosisRow(
            diagnosis=name,
            story=next((each.story for each in known if each.id == name), ""),  # a mistake that is no longer known
            question=stem,
            tests=tuple(sorted(questions, key=order_naturally)),
            students=tuple(student.name for student in judged if name in student.diagnoses),
        )

    def _compare_with_baseline(self, name: str, stored: StoredResult) -> None:
        if self.baseline is None:
            return
        before = self.baseline.store.load(name)
        if before is None:
            self.from_baseline.appeared.append(name)
        elif before.state != "undecided":
            was, now = self.baseline.restrict_both(before.scores, stored.scores, self.only)
            self.from_baseline.note_difference(name, was, now, cause=_find_cause(before, stored))

    def _compare_with_published(self, entry: Entry, scores: Scores) -> None:
        """Compare the tests and their sum; without tests, the total, although a penalty may have reduced it."""
        published = entry.exported.published
        if published is None:
            return
        published = restrict_scores(published, self.only)
        if published.tests:
            published = replace(published, total=add_points(published.tests.values()))
        else:
            scores = replace(scores, tests={})
        self.published.note_difference(entry.name, published, scores, cause=Cause.UNKNOWN)

    def _compare_with_twin(self, name: str, stored: StoredResult, store: ResultStore) -> None:
        """Compare a submission with the first one that has the same files."""
        files = stored.provenance.submission
        twin = self._first_of.setdefault(files, name)
        if twin == name or not files:
            return
        first = store.load(twin)
        if first is not None:
            self.twins.note_difference(name, first.scores, stored.scores, cause=Cause.NOTHING)


def _find_cause(before: StoredResult, after: StoredResult) -> Cause:
    """Find the possible cause of a changed score."""
    was, now = before.provenance, after.provenance
    if was.submission != now.submission:
        return Cause.CODE
    return Cause.NOTHING if was.grader == now.grader else Cause.GRADER


def _build_student_row(entry: Entry, stored: StoredResult, path: Path) -> StudentRow:
    scores = stored.scores
    questions: dict[str, float] = defaultdict(float)
    for test in scores.tests.values():
        questions[test.question] += test.score or 0.0
    return StudentRow(
        name=entry.name,
        people=entry.exported.people,
        file=path.name,
        submission=stored.provenance.submission,
        state=stored.state,
        score=scores.total,
        questions={stem: round(points, 2) for stem, points in questions.items()},
        published=entry.exported.published.total if entry.exported.published else None,
        attempts=entry.exported.attempts,
        diagnoses=tuple(sorted({name for test in scores.tests.values() for name in test.diagnosis})),
        fault=stored.fault,
        not_passed=sum(test.verdict != Verdict.PASSED.value for test in scores.tests.values()),
    )
