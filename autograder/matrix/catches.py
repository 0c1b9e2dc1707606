"""Catches: records which hidden tests catch which known mistakes, which mistakes survive, which tests are redundant.

Every mistake is graded as a submission, on all cores; every process has its own grader. Mistakes are staff code, but
they are graded like any submission, so that one that never ends is stopped.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autograder import GraderError
from autograder.assignment import Assignment, Question, load_assignment
from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.all_cores import Progress, run_on_all_cores
from autograder.mistakes import MistakeBank
from autograder.results import Verdict
from autograder.submission import Submission, select_questions

_RIGHT = ""  # used as the id of the right solution


@dataclass(frozen=True)
class Catch:
    """One mistake; `caught`: the names of the tests that it fails."""

    id: str
    function: str
    story: str
    caught: frozenset[str]


@dataclass(frozen=True)
class QuestionCatches:
    """One question: its tests in the order of their numbers, its mistakes, the tests that the right solution fails."""

    stem: str
    title: str
    tests: tuple[HiddenTest, ...]
    mistakes: tuple[Catch, ...]
    failed_by_right: frozenset[str] = frozenset()

    @property
    def survivors(self) -> tuple[Catch, ...]:
        """The mistakes that no test catches."""
        return tuple(each for each in self.mistakes if not each.caught)

    @property
    def idle(self) -> tuple[HiddenTest, ...]:
        """The tests that catch nothing."""
        return tuple(test for test in self.tests if not self.list_caught_by(test))

    @property
    def redundant(self) -> tuple[HiddenTest, ...]:
        """The tests that could each be removed alone: another test catches every mistake that they catch."""
        return tuple(test for test in self.tests if self.list_caught_by(test) and not self.list_caught_only_by(test))

    def list_caught_by(self, test: HiddenTest) -> tuple[Catch, ...]:
        """List the mistakes that a test catches."""
        return tuple(mistake for mistake in self.mistakes if test.name in mistake.caught)

    def list_caught_only_by(self, test: HiddenTest) -> tuple[Catch, ...]:
        """List the mistakes that only this test catches."""
        return tuple(mistake for mistake in self.list_caught_by(test) if len(mistake.caught) == 1)

    def list_findings(self) -> Iterator[str]:
        """List the problems, a line each; there are none where mistakes, tests and right solution agree."""
        wrong = (test for test in self.tests if test.name in self.failed_by_right)
        yield from (f"the right solution fails {test.number} {test.name}" for test in wrong)
        yield from (f"{mistake.id} survives: no test fails it" for mistake in self.survivors)
        yield from (f"{test.number} {test.name} catches nothing" for test in self.idle)


def is_exact(questions: Iterable[QuestionCatches]) -> bool:
    """Tell whether every mistake is caught, and every hidden test catches one, in all questions."""
    return not any(any(question.list_findings()) for question in questions)


_Judged = tuple[frozenset[str], Catch | None]  # the names of the tests that fail; a mistake's catch


class BankError(GraderError):
    """A submission of the bank could not be judged, through a fault of the grader that the matrix must not hide."""


class _Task(NamedTuple):
    """A mistake to grade, or the right solution of a question. `stems`: the questions of the run."""

    root: Path
    stems: tuple[str, ...]
    stem: str
    id: str

    @property
    def name(self) -> str:
        """Its name for a message."""
        return f"{self.stem}: {f'the mistake {self.id}' if self.id else 'the right solution'}"


def run_bank(
    assignment: Assignment,
    *,
    only: Sequence[str] | None,
    processes: int,
    report_progress: Progress = lambda _done, _total: None,
) -> tuple[QuestionCatches, ...]:
    """Grade all mistakes of the questions `only`, or of all, and the right solutions.

    `report_progress` gets the number of submissions that are graded, and of all. Raises SubmissionError
    for an unknown question id, HiddenTestError for broken tests, SandboxError if no worker can be started, BankError if
    the grader failed on a submission.
    """
    questions, bank = select_questions(assignment, only), MistakeBank(assignment)
    stems = tuple(question.stem for question in questions)
    tasks: list[_Task] = []
    for stem in stems:
        ids = [_RIGHT, *(mistake.id for mistake in bank.load(stem))]
        tasks += [_Task(assignment.root, stems, stem, each) for each in ids]
    tests = [each.test for each in collect_hidden_tests(assignment, stems=stems)]
    judged = run_on_all_cores(_judge, {task.name: task for task in tasks}, processes, report_progress)
    found = []
    for question in questions:
        ours = [judged[task.name] for task in tasks if task.stem == question.stem]
        found.append(_gather(question, tests, ours))
    return tuple(found)


def _gather(question: Question, tests: Sequence[HiddenTest], judged: Sequence[_Judged]) -> QuestionCatches:
    """Gather what was found out about a question, of its right solution first."""
    ours = tuple(test for test in tests if test.stem == question.stem)
    mistakes = tuple(catch for _, catch in judged if catch is not None)
    return QuestionCatches(question.stem, question.title, ours, mistakes, judged[0][0])


@cache
def _start(root: Path, stems: tuple[str, ...]) -> Grader:
    """Start the grader of this process, which ends with it."""
    assignment = load_assignment(root)
    grader = Grader(assignment, only=stems)
    atexit.register(grader.close)
    return grader


def _judge(task: _Task) -> _Judged:
    """Grade a submission of the bank."""
    grader = _start(task.root, task.stems)
    bank = MistakeBank(load_assignment(task.root))
    mistake = next((each for each in bank.load(task.stem) if each.id == task.id), None)
    text = bank.read_right_source(task.stem) if mistake is None else bank.build_submission_source(mistake)
    checks = grader.grade(Submission.build(bank.assignment, {task.stem: text})).checks
    faults = [f"{check.test_id}\n{check.fault}" for check in checks if check.verdict is Verdict.UNDECIDED]
    if faults:
        raise BankError(f"{task.name} could not be judged: {faults[0]}")
    failed = (check for check in checks if check.verdict is not Verdict.PASSED)
    caught = frozenset(check.test_id.partition("::")[2] for check in failed)
    return caught, None if mistake is None else Catch(mistake.id, mistake.function, mistake.story, caught)
