"""Catches: records which hidden tests catch which known mistakes, which mistakes survive, which tests are redundant.

Every mistake is graded as a submission, on all cores; every process has its own grader. Mistakes are staff code, but
they are graded like any submission, so that the matrix shows the points that students would lose.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autograder import GraderError
from autograder.assignment import Assignment, Question, Severity, load_assignment
from autograder.diagnosis import Caught, CaughtBank
from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.all_cores import Progress, run_on_all_cores
from autograder.mistakes import Mistake, MistakeBank
from autograder.results import CheckResult, Verdict
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.submission import Submission, select_questions

_RIGHT = ""  # used as the id of the right solution
_ENDINGS = {  # where tests are named by the mistake, and where they are derived
    False: ("does not name it", "names {}, but passes it"),
    True: ("passes it in the grader", "fails {} in the grader, but passes it"),
}


class Band(NamedTuple):
    """Prices from `least` to `most`, both included; `words` say it."""

    least: float
    most: float
    words: str

    def holds(self, price: float) -> bool:
        """Whether a price is in the band, to a thousandth."""
        return self.least <= round(price, 3) <= self.most


# A slip leaves most of the points of a right method, a misconception some, and what is no such function next to none.
BANDS: Mapping[Severity, Band] = {
    Severity.SLIP: Band(0.0, 0.599, "below 60 %"),
    Severity.MISCONCEPTION: Band(0.6, 0.85, "60 to 85 %"),
    Severity.FUNDAMENTAL: Band(0.851, 1.0, "above 85 %"),
}
"""What mistakes should cost."""


@dataclass(frozen=True)
class Catch:
    """One mistake; `named`: the tests that it should fail, `caught`: the tests that it fails.

    `price`: the share of the function's points that it costs, from 0 to 1. `reason`: why this is another than the
    severity should cost. `breaks`: the parts that it declares to break, `broken`: those that are wrong. `is_late`: it
    ran out of time, and should end. `is_derived`: it does not say itself which tests it fails.
    """

    id: str
    function: str
    story: str
    named: frozenset[str]
    caught: frozenset[str]
    severity: Severity
    price: float
    reason: str = ""
    breaks: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    is_late: bool = False
    is_derived: bool = False

    @property
    def survives(self) -> bool:
        """Whether a submission with this mistake loses no points."""
        return not self.caught

    @property
    def is_priced(self) -> bool:
        """Whether its price counts: a mistake that names no part or test yet is not finished."""
        return bool(self.breaks if self.is_derived else self.named)

    @property
    def is_outlier(self) -> bool:
        """Whether its price counts and is outside of the band of its severity."""
        return self.is_priced and not BANDS[self.severity].holds(self.price)


@dataclass(frozen=True)
class QuestionCatches:
    """One question: its tests in the order of their numbers, its mistakes, the tests that the right solution fails."""

    stem: str
    title: str
    tests: tuple[HiddenTest, ...]
    mistakes: tuple[Catch, ...]
    failed_by_right: frozenset[str] = frozenset()

    @property
    def differing(self) -> tuple[Catch, ...]:
        """The mistakes that tests catch, but not as they say."""
        return tuple(each for each in self.mistakes if not each.survives and any(self.list_findings_of(each)))

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

    def label_tests(self, names: Iterable[str]) -> tuple[str, ...]:
        """Label tests by number and name, in the order of the numbers; unknown names come last, unchanged."""
        wanted = set(names)
        labels = {test.name: f"{test.number} {test.name}" for test in self.tests}
        known = [label for name, label in labels.items() if name in wanted]
        return (*known, *sorted(wanted - labels.keys()))

    def list_findings(self) -> Iterator[str]:
        """List the problems, a line each; there are none where mistakes, tests and right solution agree."""
        for name in self.label_tests(self.failed_by_right):
            yield f"the right solution fails {name}"
        for mistake in self.mistakes:
            yield from self.list_findings_of(mistake)
        yield from (f"{test.number} {test.name} catches nothing" for test in self.idle)

    def list_findings_of(self, mistake: Catch) -> Iterator[str]:
        """List how a mistake differs from what it says."""
        if mistake.survives:
            yield f"{mistake.id} survives: no test fails it"
            return
        if mistake.is_late:
            yield f"{mistake.id} runs out of time; say ends=False, and name the tests as caught_by"
            return
        fails, passes = _ENDINGS[mistake.is_derived]
        unnamed, missed = mistake.caught - mistake.named, mistake.named - mistake.caught
        yield from (f"{mistake.id} fails {name}, but {fails}" for name in self.label_tests(unnamed))
        yield from (f"{mistake.id} {passes.format(name)}" for name in self.label_tests(missed))
        if set(mistake.breaks) != set(mistake.broken):
            found, told = (json.dumps(list(parts)) for parts in (mistake.broken, mistake.breaks))
            yield f"{mistake.id} says breaks={told}; what is wrong is breaks={found}"


def is_exact(questions: Iterable[QuestionCatches]) -> bool:
    """Tell whether the bank and the hidden tests of all questions agree."""
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
    the grader failed on a submission, PriceReasonsError if prices.toml names what there is not.
    """
    questions, bank = select_questions(assignment, only), MistakeBank(assignment)
    stems = tuple(question.stem for question in questions)
    tasks: list[_Task] = []
    for stem in stems:
        bank.read_price_reasons(stem)  # a file that is refused is told now, before minutes of work
        ids = [_RIGHT, *(mistake.id for mistake in bank.load(stem))]
        tasks += [_Task(assignment.root, stems, stem, each) for each in ids]
    tests = [each.test for each in collect_hidden_tests(assignment, stems=stems)]
    judged = run_on_all_cores(_judge, {task.name: task for task in tasks}, processes, report_progress)
    found = ([judged[task.name] for task in tasks if task.stem == stem] for stem in stems)
    return tuple(_gather(question, tests, ours) for question, ours in zip(questions, found, strict=True))


def _gather(question: Question, tests: Sequence[HiddenTest], judged: Sequence[_Judged]) -> QuestionCatches:
    """Gather what was found out about a question, of its right solution first."""
    ours = tuple(test for test in tests if test.stem == question.stem)
    mistakes = tuple(catch for _, catch in judged if catch is not None)
    return QuestionCatches(question.stem, question.title, ours, mistakes, judged[0][0])


@cache
def _start(root: Path, stems: tuple[str, ...]) -> tuple[Grader, CaughtBank]:
    """Start the grader of this process, which ends with it."""
    assignment = load_assignment(root)
    grader = Grader(assignment, only=stems)
    atexit.register(grader.close)
    return grader, CaughtBank(assignment)


def _judge(task: _Task) -> _Judged:
    """Grade a submission of the bank."""
    grader, bank = _start(task.root, task.stems)
    mistake = next((each for each in bank.load(task.stem) if each.id == task.id), None)
    text = bank.read_right_source(task.stem) if mistake is None else bank.build_submission_source(mistake)
    checks = grader.grade(Submission.build(bank.assignment, {task.stem: text})).checks
    faults = [f"{check.test_id}\n{check.fault}" for check in checks if check.verdict is Verdict.UNDECIDED]
    if faults:
        raise BankError(f"{task.name} could not be judged: {faults[0]}")
    failed = [check for check in checks if check.verdict is not Verdict.PASSED]
    caught = frozenset(check.test_id.partition("::")[2] for check in failed)
    return caught, None if mistake is None else _build_catch(bank, mistake, failed, caught)


def _build_catch(bank: CaughtBank, mistake: Mistake, failed: Sequence[CheckResult], caught: frozenset[str]) -> Catch:
    """Build the catch of a mistake; what it costs beside its own function is not derived, and depends on the others.

    A mistake that does not say what catches it is run in the grader, too, which names it by this.
    """
    function = mistake.graded_function
    tests = (each.test for each in collect_hidden_tests(bank.assignment, stems=(mistake.stem,)))
    own = {test.name: test.points for test in tests if function in test.functions}
    points = sum(own.values())
    lost = sum(check.points - (check.score or 0.0) for check in failed if function in check.functions)
    is_late = any(check.outcome == OutcomeKind.TIMED_OUT.value for check in failed)
    is_said = mistake.caught_by or is_late
    replayed = Caught(mistake.caught_by, mistake.breaks) if is_said else bank.find_caught(mistake)
    return Catch(
        id=mistake.id,
        function=mistake.function,
        story=mistake.story,
        named=frozenset(replayed.rows) if mistake.caught_by else caught - own.keys() | {*replayed.rows},
        caught=caught,
        severity=mistake.severity,
        price=lost / points if points else 0.0,
        reason=bank.read_price_reasons(mistake.stem).get(mistake.id, ""),
        breaks=mistake.breaks,
        broken=replayed.parts,
        is_late=mistake.ends and is_late,
        is_derived=not mistake.caught_by,
    )
