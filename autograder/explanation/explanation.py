"""Explanation: judges one check with a grader that records what the check asked and compared."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from autograder.assignment import Assignment, load_assignment
from autograder.checks import CheckFailed
from autograder.diagnosis.general_kinds import describe_kinds
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.explanation.recorder import AttemptRecord, run_recorded
from autograder.grader import Grader, SelfCheck
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.reproducer import find_refused
from autograder.grading.selection import Selection, read_selection
from autograder.mistakes import Mistake, MistakeBank
from autograder.results import CheckResult
from autograder.student import Student, TestCall, get_attempt
from autograder.submission import SubmissionError, read_submission


@dataclass(frozen=True)
class ExplainRequest:
    """The assignment's root, the submission, and the number or name of a check; `layer_cache`: see `GradeRequest`."""

    root: Path
    submission: Path
    check: str
    layer_cache: Path | None = None


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


def explain(request: ExplainRequest) -> Explanation:
    """Judge one check, and those that its verdict may depend on, in the sandbox.

    Raises SubmissionError for a submission that cannot be read and for a name that is not that of one check, and the
    errors of `Grader` where nothing can be judged.
    """
    assignment = load_assignment(request.root)
    assignment.require_question_files()
    selection = read_selection([request.check], assignment)
    submission = read_submission(request.submission, assignment, only=selection.stems)
    watch = _Watch(selection, request.check)
    with tempfile.TemporaryDirectory() as folder:
        self_check = SelfCheck(Path(folder), request.layer_cache)
        with Grader(
            assignment,
            only=selection.stems,
            choose=watch.choose,
            self_check=self_check,
            uses_scripts=False,
        ) as grader:
            report = grader.grade(submission)
    test = watch.test
    check = next(each for each in report.checks if each.test_id == test.test_id)
    beside = (each for each in report.checks if not set(each.functions).isdisjoint(test.functions))
    status = next(each for each in report.questions if each.stem == test.stem)
    return Explanation(
        check=check,
        beside=tuple(beside),
        attempts=tuple(watch.records.values()),
        reference=watch.replay_reference(),
        mistakes=tuple(_find_mistakes(assignment, check)),
        file=status.file,
        notes=(*report.notes, *status.notes),
    )


@dataclass
class _Watch:
    """Records the attempts at the one chosen test, by the functions that were replaced in them."""

    selection: Selection
    word: str
    records: dict[tuple[object, ...], AttemptRecord] = field(default_factory=dict)
    _watched: list[RunnableTest] = field(default_factory=list)

    @property
    def test(self) -> HiddenTest:
        return self._watched[0].test

    @property
    def _references(self) -> Mapping[str, ModuleType]:
        selection = self.selection
        return {stem: selection.assignment.import_reference(stem) for stem in selection.stems}

    def choose(self, tests: Sequence[RunnableTest]) -> tuple[RunnableTest, ...]:
        """Return the tests that the chosen one needs, and in its place one whose attempts are recorded."""
        self._watched = [each for each in tests if self.selection.is_chosen(each.test)]
        if len(self._watched) != 1:
            numbers = ", ".join(each.test.number for each in self._watched)
            raise SubmissionError(f"{self.word} names {len(self._watched)} checks; name one of {numbers}")
        needed = self.selection.find_needed(tests)
        return tuple(each._replace(call=self._watch(each.call)) if self._is_it(each) else each for each in needed)

    def replay_reference(self) -> AttemptRecord:
        """Run the test on the reference and return the record, which ends early where the test itself is at fault."""
        record, call = AttemptRecord(None), self._watched[0].call
        with preserve_global_state(), suppress(Exception):
            Replay(self._references, lambda _: None).run(
                lambda student: run_recorded(call, get_attempt(student), record, self._references)
            )
        return record

    def _is_it(self, each: RunnableTest) -> bool:
        return each.test is self.test

    def _watch(self, call: TestCall) -> TestCall:
        references = self._references

        def watched(student: Student) -> float | None:
            run = get_attempt(student)
            if not isinstance(run, AttemptRun):  # a known mistake is replayed
                return call(student)
            record = AttemptRecord(run.attempt, limits=run.limits)
            self.records[run.attempt.substituted, run.attempt.supplied_wins] = record  # the last of equal ones
            try:
                return run_recorded(call, run, record, references)
            finally:
                failed = record.ending if isinstance(record.ending, CheckFailed) else None
                record.reproducer = run.write_reproducer(failed, find_refused(record.comparisons))
                record.printed = run.printed

        return watched


def _find_mistakes(assignment: Assignment, check: CheckResult) -> Iterator[Mistake]:
    known: dict[str, Mistake] = {}
    if check.diagnosis:
        bank: Sequence[Mistake] = MistakeBank(assignment).load(check.stem)
        known = {each.id: each for each in (*bank, *describe_kinds())}
    yield from (known[name] for name in check.diagnosis)
