"""Bank run: turns the bank of known mistakes into catches, by grading each as a submission, on all cores.

Every process has its own grader and takes every n-th mistake, which spreads the slow ones. Mistakes are staff code, but
they are graded like any submission, so that the matrix shows the points that students would lose.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from autograder import GraderError
from autograder.assignment import Assignment, Question
from autograder.diagnosis import Caught, CaughtBank
from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.catches import Catch, QuestionCatches
from autograder.mistakes import Mistake, MistakeBank
from autograder.results import Report, Verdict
from autograder.sandbox.protocol.outcome import OutcomeKind
from autograder.submission import Submission, select_questions

_RIGHT = ""  # used as the id of the right solution


class BankError(GraderError):
    """A submission of the bank could not be judged, through a fault of the grader that the matrix must not hide."""


class _Entry(NamedTuple):
    """One submission of the bank: the right solution of a question, or one with a mistake."""

    stem: str
    id: str
    submission: Submission

    @property
    def key(self) -> tuple[str, str]:
        return self.stem, self.id

    def describe(self) -> str:
        """Name it for a message."""
        return f"{self.stem}: {f'the mistake {self.id}' if self.id else 'the right solution'}"


class _Losses(NamedTuple):
    """What one submission of the bank lost: the names of tests, and points by function.

    `is_late`: a test ran out of time. `replayed`: what catches its mistake where it is run in the grader, which names
    it by this; None if it says itself which tests these are.
    """

    tests: frozenset[str]
    points: Mapping[str, float]
    is_late: bool
    replayed: Caught | None = None


Lost = Mapping[tuple[str, str], _Losses]  # by question and mistake


def run_bank(
    assignment: Assignment,
    *,
    only: Sequence[str] | None,
    processes: int,
    report_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[QuestionCatches, ...]:
    """Grade all mistakes of the questions `only`, or of all, and the right solutions.

    `report_progress` gets the number of submissions that are graded, and of all. Raises SubmissionError
    for an unknown question id, HiddenTestError for broken tests, SandboxError if no worker can be started, BankError if
    the grader failed on a submission, PriceReasonsError if prices.toml names what there is not.
    """
    questions, bank = select_questions(assignment, only), MistakeBank(assignment)
    # A file that is refused is told now, before minutes of work.
    reasons = {question.stem: bank.read_price_reasons(question.stem) for question in questions}
    tests = [each.test for each in collect_hidden_tests(assignment, stems=list(reasons))]
    entries = [entry for question in questions for entry in _list_entries(bank, question)]
    shares = [share for share in (entries[first::processes] for first in range(processes)) if share]
    lost: dict[tuple[str, str], _Losses] = {}
    for key, losses in _grade_shares(assignment, shares):
        lost[key] = losses
        report_progress(len(lost), len(entries))
    for entry in entries:
        if entry.key not in lost:
            raise BankError(f"{entry.describe()} could not be judged: the process that graded it ended")
    return tuple(_build_catches(bank, question, tests, lost, reasons[question.stem]) for question in questions)


def _list_entries(bank: MistakeBank, question: Question) -> Iterable[_Entry]:
    texts = {_RIGHT: bank.read_right_source(question.stem)}
    texts |= {mistake.id: bank.build_submission_source(mistake) for mistake in bank.load(question.stem)}
    for name, text in texts.items():
        yield _Entry(question.stem, name, Submission.build(bank.assignment, {question.stem: text}))


def _grade_shares(
    assignment: Assignment, shares: Sequence[Sequence[_Entry]]
) -> Iterator[tuple[tuple[str, str], _Losses]]:
    """Yield the losses of all entries as they are graded, each share in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with ExitStack() as running:
        readers: set[Connection] = set()
        for share in shares:
            reader, writer = context.Pipe(duplex=False)
            process = context.Process(target=_grade_share, args=(assignment, share, writer))
            process.start()
            running.callback(process.join)
            running.callback(process.terminate)
            writer.close()
            readers.add(reader)
        while readers:
            for reader in readers.intersection(wait(readers)):
                try:
                    received = reader.recv()
                except EOFError:
                    readers.remove(reader)
                    continue
                if isinstance(received, Exception):
                    raise received
                yield received


def _grade_share(assignment: Assignment, share: Sequence[_Entry], writer: Connection) -> None:
    """Send the losses of each entry, or the error that ends the work."""
    stems = [question.stem for question in assignment.questions if any(question.stem == each.stem for each in share)]
    try:
        bank = CaughtBank(assignment)
        with Grader(assignment, only=stems) as grader:
            for each in share:
                losses = _collect_losses(each, grader.grade(each.submission))
                writer.send((each.key, _add_replay(bank, each, losses)))
    except Exception as error:  # noqa: BLE001  (raised again in the process that shows it)
        writer.send(error)


def _collect_losses(entry: _Entry, report: Report) -> _Losses:
    faults = [f"{check.test_id}\n{check.fault}" for check in report.checks if check.verdict is Verdict.UNDECIDED]
    if faults:
        raise BankError(f"{entry.describe()} could not be judged: {faults[0]}")
    failed = [check for check in report.checks if check.verdict is not Verdict.PASSED]
    points: dict[str, float] = {}
    for check in failed:
        for function in check.functions:
            points[function] = points.get(function, 0.0) + check.points - (check.score or 0.0)
    tests = frozenset(check.test_id.partition("::")[2] for check in failed)
    return _Losses(tests, points, any(check.outcome == OutcomeKind.TIMED_OUT.value for check in failed))


def _add_replay(bank: CaughtBank, entry: _Entry, losses: _Losses) -> _Losses:
    """Add what the grader finds out about a mistake by running it, as it does before it names it."""
    mistake = next((each for each in bank.load(entry.stem) if each.id == entry.id), None)
    if mistake is None or mistake.caught_by or losses.is_late:
        return losses
    return losses._replace(replayed=bank.find_caught(mistake))


def _build_catches(
    bank: MistakeBank, question: Question, tests: Sequence[HiddenTest], lost: Lost, reasons: Mapping[str, str]
) -> QuestionCatches:
    ours = tuple(test for test in tests if test.stem == question.stem)
    return QuestionCatches(
        stem=question.stem,
        title=question.title,
        tests=ours,
        mistakes=tuple(
            _build_catch(mistake, lost[question.stem, mistake.id], ours, reasons.get(mistake.id, ""))
            for mistake in bank.load(question.stem)
        ),
        failed_by_right=lost[question.stem, _RIGHT].tests,
    )


def _build_catch(mistake: Mistake, lost: _Losses, tests: Sequence[HiddenTest], reason: str) -> Catch:
    """Build the catch of a mistake; what it costs beside its own function is not derived, and depends on the others."""
    own = {test.name for test in tests if mistake.graded_function in test.functions}
    replayed = lost.replayed or Caught(mistake.caught_by, mistake.breaks)
    return Catch(
        id=mistake.id,
        function=mistake.function,
        story=mistake.story,
        named=frozenset(replayed.rows) if mistake.caught_by else lost.tests - own | {*replayed.rows},
        caught=lost.tests,
        severity=mistake.severity,
        price=_compute_price(lost, mistake.graded_function, tests),
        reason=reason,
        breaks=mistake.breaks,
        broken=replayed.parts,
        is_late=mistake.ends and lost.is_late,
        is_derived=not mistake.caught_by,
    )


def _compute_price(lost: _Losses, function: str, tests: Sequence[HiddenTest]) -> float:
    points = sum(test.points for test in tests if function in test.functions)
    return lost.points.get(function, 0.0) / points if points else 0.0
