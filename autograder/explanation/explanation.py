"""Explanation: judges one check as a submission is graded, and keeps each attempt at it."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder.assignment import load_assignment
from autograder.contracts import CheckBody
from autograder.contracts.check import CaseCheck
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.grader import Grader
from autograder.grading.attempt import Tried
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.selection import Selection, read_selection
from autograder.mistakes import Mistake, MistakeBank
from autograder.programs.lines import Spelling, write_lines
from autograder.programs.program import Name, Program, run_program
from autograder.results import CheckResult
from autograder.sandbox.calls.requests import seed_generators
from autograder.submission import SubmissionError, read_submission


class EndedAttempt(NamedTuple):
    """One attempt at the check, and how it ended; `replies`: of the student's code, each a list of values."""

    run: AttemptRun
    result: Tried
    replies: list[Any]


class Asked(NamedTuple):
    """What a check asks once, with the right reply: a program as lines of Python, and why it is there.

    Of a test that is written by hand there are no lines: each request has a reply of one value.
    """

    right: list[Any]
    lines: list[str]
    words: str = ""


@dataclass(frozen=True)
class Explanation:
    """The result of one check and what it rests on.

    `beside`: the results of all checks of its functions, itself included. `attempts`: first that on the student's
    functions alone. `asked`: what the check asks. `mistakes`: the known mistakes that give the same results. `file`:
    the question's file, None where there is none.
    """

    check: CheckResult
    beside: list[CheckResult]
    attempts: list[EndedAttempt]
    asked: list[Asked]
    mistakes: list[Mistake]
    file: str | None
    notes: list[str]


def explain(root: Path, path: Path, word: str, *, kept: Path | None = None) -> Explanation:
    """Judge one check of an assignment, and those that its verdict may depend on, in the sandbox.

    `path`: of the submission. `word`: the number or name of the check. `kept`: see `GradeRequest`. Raises
    SubmissionError for a submission that cannot be read and for a name that is not that of one check, and the errors of
    `Grader` where nothing can be judged.
    """
    assignment = load_assignment(root)
    assignment.require_question_files()
    selection = read_selection([word], assignment)
    submission = read_submission(path, assignment, only=selection.stems)
    watch = _Watch(selection, word)
    with Grader(
        assignment,
        only=selection.stems,
        choose=watch.choose,
        observe=watch.keep,
        kept=kept,
        shares_workers=False,
    ) as grader:
        report = grader.grade(submission)
    test = watch.chosen.test
    check = next(each for each in report.checks if each.test_id == test.test_id)
    status = next(each for each in report.questions if each.stem == test.stem)
    reference, bank = assignment.import_reference(test.stem), MistakeBank(assignment).load(test.stem)
    return Explanation(
        check,
        [each for each in report.checks if not set(each.functions).isdisjoint(test.functions)],
        list(watch.attempts.values()),
        list(_list_asked(watch.chosen, reference)),
        [each for each in bank if each.id in check.diagnosis],
        status.file,
        [*report.notes, *status.notes],
    )


class _Watch:
    """Chooses the one test, and keeps the attempts at it, by the functions that were replaced in them."""

    chosen: RunnableTest

    def __init__(self, selection: Selection, word: str) -> None:
        self._selection, self._word = selection, word
        self.attempts: dict[tuple[object, ...], EndedAttempt] = {}

    def choose(self, tests: Sequence[RunnableTest]) -> tuple[RunnableTest, ...]:
        """Return the tests that the chosen one needs."""
        found = [each for each in tests if self._selection.is_chosen(each.test)]
        if len(found) != 1:
            numbers = ", ".join(each.test.number for each in found)
            raise SubmissionError(f"{self._word} names {len(found)} checks; name one of {numbers}")
        self.chosen = found[0]
        return self._selection.find_needed(tests)

    def keep(self, run: AttemptRun, test: HiddenTest, result: Tried) -> None:
        """Keep an attempt at the chosen test, the last of equal ones."""
        if test is self.chosen.test:
            replies = run.transcript.replies
            if not isinstance(self.chosen.call, CheckBody):
                replies = [[each] for each in replies]
            key = (run.attempt.substituted, run.attempt.supplied_wins)
            self.attempts[key] = EndedAttempt(run, result, replies)


def _list_asked(chosen: RunnableTest, reference: ModuleType) -> Iterator[Asked]:
    """List what a check asks, with the replies of the right functions."""
    call = chosen.call
    with preserve_global_state():
        if not isinstance(call, CheckBody):
            replay = Replay(reference)
            with suppress(Exception):  # of the test itself, which is told where it is judged
                replay.run(call)
            yield from (Asked([reply], []) for reply in replay.functions.replies)
            return
        seed_generators()
        cases = call.derived.cases if isinstance(call.derived, CaseCheck) else ()
        for program, case in itertools.zip_longest(call.derived.programs, cases):
            right = run_program(program, partial(getattr, reference))
            words = " and ".join(case.kinds) if case is not None else ""
            yield Asked(right, _write_program(program, reference), words)


def _write_program(program: Program, reference: ModuleType) -> list[str]:
    """Write a program as lines, with the names of the right functions."""
    module = reference.__name__.rpartition(".")[2]
    spellings = {}
    for step in program.steps:
        if isinstance(step, Name):
            parameters = inspect.signature(getattr(reference, step.name)).parameters
            spellings[step.name] = Spelling(module, step.name, tuple(parameters))
    return write_lines(program, spellings).splitlines() or ["(too long to be written)"]
