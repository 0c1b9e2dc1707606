"""Bank run: turns the bank of known mistakes into catches, by grading each as a submission, on all cores.

Every process has its own grader and takes every n-th mistake, which spreads the slow ones. Mistakes are staff code, but
they are graded like any submission, so that the matrix shows the points that students would lose.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
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


class _Losses(NamedTuple):
    """What one submission of the bank lost: the names of tests, and points by function.

    `is_late`: a test ran out of time. `replayed`: what catches its mistake where it is run in the grader, which names
    it by this; None if it says itself which tests these are.
    """

    tests: frozenset[str]
    points: Mapping[str, float]
    is_late: bool
    replayed: Caught | None = None


_Key = tuple[str, str]  # a question, and a mistake or _RIGHT
_Texts = Mapping[_Key, str]  # of the files that are graded


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
    entries = {(question.stem, each): text for question in questions for each, text in _list_texts(bank, question.stem)}
    shares = [dict(islice(entries.items(), first, None, processes)) for first in range(min(processes, len(entries)))]
    lost: dict[_Key, _Losses] = {}
    for key, losses in _grade_shares(assignment, shares):
        lost[key] = losses
        report_progress(len(lost), len(entries))
    missing = next((key for key in entries if key not in lost), None)
    if missing is not None:
        raise BankError(f"{_describe(missing)} could not be judged: the process that graded it ended")
    return tuple(_build_catches(bank, question, tests, lost, reasons[question.stem]) for question in questions)


def _list_texts(bank: MistakeBank, stem: str) -> Iterator[tuple[str, str]]:
    """List the texts of a question that are graded, each after the id of its mistake."""
    yield _RIGHT, bank.read_right_source(stem)
    yield from ((mistake.id, bank.build_submission_source(mistake)) for mistake in bank.load(stem))


def _describe(key: _Key) -> str:
    stem, name = key
    return f"{stem}: {f'the mistake {name}' if name else 'the right solution'}"


def _grade_shares(assignment: Assignment, shares: Sequence[_Texts]) -> Iterator[tuple[_Key, _Losses]]:
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


def _grade_share(assignment: Assignment, share: _Texts, writer: Connection) -> None:
    """Send the losses of each text, or the error that ends the work."""
    stems = [stem for stem in assignment.stems if any(stem == each for each, _ in share)]
    try:
        bank = CaughtBank(assignment)
        with Grader(assignment, only=stems) as grader:
            for key, text in share.items():
                report = grader.grade(Submission.build(assignment, {key[0]: text}))
                writer.send((key, _collect_losses(bank, key, report)))
    except Exception as error:  # noqa: BLE001  (raised again in the process that shows it)
        writer.send(error)


def _collect_losses(bank: CaughtBank, key: _Key, report: Report) -> _Losses:
    """Collect what was lost, and what the grader finds out about a mistake by running it, before it names it."""
    faults = [f"{check.test_id}\n{check.fault}" for check in report.checks if check.verdict is Verdict.UNDECIDED]
    if faults:
        raise BankError(f"{_describe(key)} could not be judged: {faults[0]}")
    failed = [check for check in report.checks if check.verdict is not Verdict.PASSED]
    points: dict[str, float] = {}
    for check in failed:
        for function in check.functions:
            points[function] = points.get(function, 0.0) + check.points - (check.score or 0.0)
    tests = frozenset(check.test_id.partition("::")[2] for check in failed)
    is_late = any(check.outcome == OutcomeKind.TIMED_OUT.value for check in failed)
    run = [each for each in bank.load(key[0]) if each.id == key[1] and not each.caught_by and not is_late]
    return _Losses(tests, points, is_late, bank.find_caught(run[0]) if run else None)


def _build_catches(
    bank: MistakeBank,
    question: Question,
    tests: Sequence[HiddenTest],
    lost: Mapping[_Key, _Losses],
    reasons: Mapping[str, str],
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
    function = mistake.graded_function
    own = {test.name: test.points for test in tests if function in test.functions}
    points = sum(own.values())
    replayed = lost.replayed or Caught(mistake.caught_by, mistake.breaks)
    return Catch(
        id=mistake.id,
        function=mistake.function,
        story=mistake.story,
        named=frozenset(replayed.rows) if mistake.caught_by else lost.tests - own.keys() | {*replayed.rows},
        caught=lost.tests,
        severity=mistake.severity,
        price=lost.points.get(function, 0.0) / points if points else 0.0,
        reason=reason,
        breaks=mistake.breaks,
        broken=replayed.parts,
        is_late=mistake.ends and lost.is_late,
        is_derived=not mistake.caught_by,
    )
