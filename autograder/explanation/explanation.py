"""Explanation: judges one check with a grader that records what the check asked and compared."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment import Assignment, load_assignment
from autograder.checks import CheckFailed
from autograder.diagnosis.general_kinds import describe_kinds
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.explanation.recorder import AttemptRecord, run_recorded
from autograder.grader import Grader, SelfCheck
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.reproducer import find_refused
from autograder.grading.selection import Selection, read_selection
from autograder.mistakes import Mistake, MistakeBank
from autograder.results import CheckResult
from autograder.student import RunningAttempt, Student, get_attempt
from autograder.submission import SubmissionError, read_submission


@dataclass(frozen=True)
class Explanation:
    """The result of one check and what it rests on.

    `beside`: the results of all checks of its functions, itself included. `attempts`: the runs of its body, first that
    on the student's functions alone. `reference`: the run on the grader's functions. `mistakes`: the known mistakes
    that give the same results. `file`: the question's file, None where there is none.
    """

    check: CheckResult
    beside: tuple[CheckResult, ...]
    attempts: tuple[AttemptRecord, ...]
    reference: AttemptRecord
    mistakes: tuple[Mistake, ...]
    file: str | None
    notes: tuple[str, ...]


def explain(root: Path, path: Path, word: str, *, layer_cache: Path | None = None) -> Explanation:
    """Judge one check of an assignment, and those that its verdict may depend on, in the sandbox.

    `path`: of the submission. `word`: the number or name of the check. `layer_cache`: see `GradeRequest`. Raises
    SubmissionError for a submission that cannot be read and for a name that is not that of one check, and the errors of
    `Grader` where nothing can be judged.
    """
    assignment = load_assignment(root)
    assignment.require_question_files()
    selection = read_selection([word], assignment)
    submission = read_submission(path, assignment, only=selection.stems)
    watch = _Watch(selection, word)
    with tempfile.TemporaryDirectory() as folder:
        self_check = SelfCheck(Path(folder), layer_cache)
        with Grader(
            assignment, only=selection.stems, choose=watch.choose, self_check=self_check, uses_scripts=False
        ) as grader:
            report = grader.grade(submission)
    test = watch.chosen.test
    check = next(each for each in report.checks if each.test_id == test.test_id)
    status = next(each for each in report.questions if each.stem == test.stem)
    return Explanation(
        check=check,
        beside=tuple(each for each in report.checks if not set(each.functions).isdisjoint(test.functions)),
        attempts=tuple(watch.records.values()),
        reference=watch.replay_reference(),
        mistakes=tuple(_find_mistakes(assignment, check)),
        file=status.file,
        notes=(*report.notes, *status.notes),
    )


class _Watch:
    """Records the attempts at the one chosen test, by the functions that were replaced in them."""

    chosen: RunnableTest

    def __init__(self, selection: Selection, word: str) -> None:
        self._selection, self._word = selection, word
        self._references = {stem: selection.assignment.import_reference(stem) for stem in selection.stems}
        self.records: dict[tuple[object, ...], AttemptRecord] = {}

    def choose(self, tests: Sequence[RunnableTest]) -> tuple[RunnableTest, ...]:
        """Return the tests that the chosen one needs, and in its place one whose attempts are recorded."""
        found = [each for each in tests if self._selection.is_chosen(each.test)]
        if len(found) != 1:
            numbers = ", ".join(each.test.number for each in found)
            raise SubmissionError(f"{self._word} names {len(found)} checks; name one of {numbers}")
        self.chosen = found[0]
        watched = self.chosen._replace(call=self._run_watched)
        needed = self._selection.find_needed(tests)
        return tuple(watched if each.test is self.chosen.test else each for each in needed)

    def replay_reference(self) -> AttemptRecord:
        """Run the test on the reference and return the record, which ends early where the test itself is at fault."""
        record = AttemptRecord()
        with preserve_global_state(), suppress(Exception):
            Replay(self._references).run(lambda student: self._run_recorded(get_attempt(student), record))
        return record

    def _run_recorded(self, attempt: RunningAttempt, record: AttemptRecord) -> float | None:
        return run_recorded(self.chosen.call, attempt, record, self._references)

    def _run_watched(self, student: Student) -> float | None:
        run = get_attempt(student)
        if not isinstance(run, AttemptRun):  # a known mistake is replayed
            return self.chosen.call(student)
        record = AttemptRecord(run)
        self.records[run.attempt.substituted, run.attempt.supplied_wins] = record  # the last of equal ones
        try:
            return self._run_recorded(run, record)
        finally:
            failed = record.ending if isinstance(record.ending, CheckFailed) else None
            record.reproducer = run.write_reproducer(failed, find_refused(record.comparisons))
            record.printed = run.printed


def _find_mistakes(assignment: Assignment, check: CheckResult) -> Iterator[Mistake]:
    if check.diagnosis:
        bank = MistakeBank(assignment).load(check.stem)
        known: dict[str, Mistake] = {each.id: each for each in (*bank, *describe_kinds())}
        yield from (known[name] for name in check.diagnosis)
