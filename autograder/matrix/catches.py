"""Catches: finds which hidden tests catch which known mistakes, and writes that as a matrix and as a page.

Every mistake is graded as a submission, on all cores; every process has its own grader. Mistakes are staff code, but
they are graded like any submission, so that one that never ends is stopped.
"""

from __future__ import annotations

import atexit
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autograder import GraderError
from autograder.assignment import Assignment, load_assignment
from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.all_cores import Progress, run_on_all_cores
from autograder.mistakes import MistakeBank
from autograder.plain_text import count
from autograder.results import Verdict
from autograder.submission import Submission, select_questions
from autograder.templates import open_template

LEGEND = "x: the test catches the mistake"
_WIDTH = 100
_RIGHT = ""  # used as the id of the right solution


@dataclass(frozen=True)
class Catch:
    """One mistake; `caught`: the names of the tests that it fails."""

    id: str
    story: str
    caught: frozenset[str]


@dataclass(frozen=True)
class QuestionCatches:
    """One question: its tests in the order of their numbers, its mistakes, the tests that the right solution fails."""

    question_id: str
    title: str
    tests: tuple[HiddenTest, ...]
    mistakes: tuple[Catch, ...]
    failed_by_right: frozenset[str] = frozenset()

    @property
    def survivors(self) -> list[Catch]:
        """The mistakes that no test catches."""
        return [each for each in self.mistakes if not each.caught]

    @property
    def idle(self) -> list[HiddenTest]:
        """The tests that catch nothing."""
        return [test for test in self.tests if not self.list_caught_by(test)]

    @property
    def redundant(self) -> list[HiddenTest]:
        """The tests that could each be removed alone: another test catches every mistake that they catch."""
        catching = (test for test in self.tests if test not in self.idle)
        return [test for test in catching if not self.list_caught_only_by(test)]

    def list_caught_by(self, test: HiddenTest) -> list[Catch]:
        """List the mistakes that a test catches."""
        return [mistake for mistake in self.mistakes if test.name in mistake.caught]

    def list_caught_only_by(self, test: HiddenTest) -> list[Catch]:
        """List the mistakes that only this test catches."""
        return [mistake for mistake in self.list_caught_by(test) if len(mistake.caught) == 1]

    def list_findings(self) -> list[str]:
        """List the problems, a line each; there are none where mistakes, tests and right solution agree."""
        wrong = [test for test in self.tests if test.name in self.failed_by_right]
        return [
            *(f"the right solution fails {test.number} {test.name}" for test in wrong),
            *(f"{mistake.id} survives: no test fails it" for mistake in self.survivors),
            *(f"{test.number} {test.name} catches nothing" for test in self.idle),
        ]


def is_exact(questions: Iterable[QuestionCatches]) -> bool:
    """Return whether every mistake is caught, and every hidden test catches one, in all questions."""
    return not any(question.list_findings() for question in questions)


class BankError(GraderError):
    """A submission of the bank could not be judged, through a fault of the grader that the matrix must not hide."""


class _Task(NamedTuple):
    """A mistake to grade, or the right solution of a question. `question_ids`: the questions of the run."""

    root: Path
    question_ids: tuple[str, ...]
    question_id: str
    id: str

    @property
    def name(self) -> str:
        """Its name for a message."""
        return f"{self.question_id}: the mistake {self.id}" if self.id else f"{self.question_id}: the right solution"


def run_bank(
    assignment: Assignment,
    *,
    only: Sequence[str] | None,
    report_progress: Progress,
) -> list[QuestionCatches]:
    """Grade all mistakes of the questions `only`, or of all, and the right solutions.

    `report_progress` gets the number of submissions that are graded, and of all. Raises SubmissionError
    for an unknown question id, HiddenTestError for broken tests, SandboxError if no worker can be started, BankError if
    the grader failed on a submission.
    """
    questions, bank = select_questions(assignment, only), MistakeBank(assignment)
    question_ids = tuple(question.question_id for question in questions)
    tasks = {}
    for question_id in question_ids:
        names = [_RIGHT, *(mistake.id for mistake in bank.load(question_id))]
        for name in names:
            task = _Task(assignment.root, question_ids, question_id, name)
            tasks[task.name] = task
    tests = [each.test for each in collect_hidden_tests(assignment, question_ids=question_ids)]
    judged = run_on_all_cores(_judge, tasks, report_progress)
    found = []
    for question in questions:
        question_id = question.question_id
        names = [name for name, task in tasks.items() if task.question_id == question_id]
        right, *mistakes = [judged[name] for name in names]
        ours = tuple(test for test in tests if test.question_id == question_id)
        found.append(QuestionCatches(question_id, question.title, ours, tuple(mistakes), right.caught))
    return found


@cache
def _start(root: Path, question_ids: tuple[str, ...]) -> Grader:
    """Start the grader of this process, which ends with it."""
    assignment = load_assignment(root)
    grader = Grader(assignment, only=question_ids)
    atexit.register(grader.close)
    return grader


def _judge(task: _Task) -> Catch:
    """Grade a submission of the bank."""
    grader = _start(task.root, task.question_ids)
    bank = MistakeBank(load_assignment(task.root))
    text, story = bank.read_right_source(task.question_id), ""
    for mistake in bank.load(task.question_id):
        if mistake.id == task.id:
            text, story = bank.build_submission_source(mistake), mistake.story
    submission = Submission.build(bank.assignment, {task.question_id: text})
    checks = grader.grade(submission).checks
    for check in checks:
        if check.verdict is Verdict.UNDECIDED:
            raise BankError(f"{task.name} could not be judged: {check.test_id}\n{check.fault}")
    failed = (check for check in checks if check.verdict is not Verdict.PASSED)
    caught = frozenset(check.test_id.partition("::")[2] for check in failed)
    return Catch(task.id, story, caught)


def mark(mistake: Catch, test: HiddenTest) -> str:
    """Mark one mistake and one test with the legend's sign."""
    return "x" if test.name in mistake.caught else "."


def render(questions: Sequence[QuestionCatches]) -> str:
    """Render the matrices of all questions and the conclusion."""
    mistakes = tests = told = 0
    for question in questions:
        mistakes += len(question.mistakes)
        tests += len(question.tests)
        told += len(question.list_findings())
    verdict = count(told, "problem") if told else "all are caught"
    parts = ["\n".join(_render_question(question)) for question in questions]
    return "\n\n".join([*parts, f"{LEGEND}\n{_count_all(mistakes, tests)}: {verdict}"])


def _render_question(question: QuestionCatches) -> Iterator[str]:
    yield f"{question.title} ({question.question_id}): {_count_all(len(question.mistakes), len(question.tests))}"
    ids = [mistake.id for mistake in question.mistakes]
    width = max(map(len, ids), default=0)
    for line in _stack_digits(question.tests):
        yield f"  {'':{width}}  {line}"
    for mistake in question.mistakes:
        marks = [mark(mistake, test) for test in question.tests]
        yield f"  {mistake.id:{width}}  {''.join(marks)}"
    for finding in question.list_findings():
        yield f"  {finding}"
    if question.redundant:
        numbers = ", ".join(test.number for test in question.redundant)
        text = f"No need to act: any one of these could go, because other tests catch its mistakes too: {numbers}"
        yield from textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _count_all(mistakes: int, tests: int) -> str:
    return f"{count(mistakes, 'mistake')}, {count(tests, 'test')}"


def _stack_digits(tests: Iterable[HiddenTest]) -> Iterator[str]:
    """Write the last part of each number vertically, so that it takes one column."""
    last = [test.number.rpartition(".")[2] for test in tests]
    height = max(map(len, last), default=0)
    columns = [part.rjust(height) for part in last]
    for digits in zip(*columns, strict=True):
        yield "".join(digits)


def render_page(questions: Sequence[QuestionCatches], *, title: str) -> str:
    """Render one self-contained HTML file, readable without network, script or colour; every text is escaped."""
    return open_template(Path(__file__).with_name("page.html.jinja")).render(
        questions=questions,
        title=title,
        is_exact=is_exact(questions),
        mark=mark,
        legend=LEGEND,
    )
