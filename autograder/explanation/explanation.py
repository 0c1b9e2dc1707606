"""Explanation: judges one check as a submission is graded, and keeps the transcript of each attempt at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from autograder.assignment import Assignment, load_assignment
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.explanation.named_calls import CallNames, NamedCall
from autograder.grader import Grader
from autograder.grading.attempt import AttemptResult
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.selection import Selection, read_selection
from autograder.mistakes import Mistake, MistakeBank
from autograder.results import CheckResult
from autograder.submission import SubmissionError, read_submission


class EndedAttempt(NamedTuple):
    """One attempt at the check, with its transcript, and how it ended; `calls`: what it asked of the student's code."""

    run: AttemptRun
    result: AttemptResult
    calls: Sequence[NamedCall]


@dataclass(frozen=True)
class Explanation:
    """The result of one check and what it rests on.

    `beside`: the results of all checks of its functions, itself included. `attempts`: first that on the student's
    functions alone. `right`: the calls of the same test on the grader's functions. `mistakes`: the known mistakes that
    give the same results. `file`: the question's file, None where there is none.
    """

    check: CheckResult
    beside: tuple[CheckResult, ...]
    attempts: tuple[EndedAttempt, ...]
    right: Sequence[NamedCall]
    mistakes: tuple[Mistake, ...]
    file: str | None
    notes: tuple[str, ...]


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
    return Explanation(
        check=check,
        beside=tuple(each for each in report.checks if not set(each.functions).isdisjoint(test.functions)),
        attempts=tuple(watch.attempts.values()),
        right=_list_right(watch.chosen, watch.references),
        mistakes=tuple(_find_mistakes(assignment, check)),
        file=status.file,
        notes=(*report.notes, *status.notes),
    )


class _Watch:
    """Chooses the one test, and keeps the attempts at it, by the functions that were replaced in them."""

    chosen: RunnableTest

    def __init__(self, selection: Selection, word: str) -> None:
        self._selection, self._word = selection, word
        self.references = {stem: selection.assignment.import_reference(stem) for stem in selection.stems}
        self.attempts: dict[tuple[object, ...], EndedAttempt] = {}

    def choose(self, tests: Sequence[RunnableTest]) -> tuple[RunnableTest, ...]:
        """Return the tests that the chosen one needs."""
        found = [each for each in tests if self._selection.is_chosen(each.test)]
        if len(found) != 1:
            numbers = ", ".join(each.test.number for each in found)
            raise SubmissionError(f"{self._word} names {len(found)} checks; name one of {numbers}")
        self.chosen = found[0]
        return self._selection.find_needed(tests)

    def keep(self, run: AttemptRun, test: HiddenTest, result: AttemptResult) -> None:
        """Keep an attempt at the chosen test, the last of equal ones, and none at the lines that students can run."""
        attempt = run.attempt
        if test is self.chosen.test and attempt.functions == test.functions:
            functions = {number: (each.function, each.parameters) for number, each in run.spellings.items()}
            calls = CallNames(functions, self.references[test.stem]).list_calls(run.transcript.asked)
            self.attempts[attempt.substituted, attempt.supplied_wins] = EndedAttempt(run, result, calls)


def _list_right(chosen: RunnableTest, references: dict[str, ModuleType]) -> Sequence[NamedCall]:
    """Run the test on the reference and list its calls, which end early where the test itself is at fault."""
    stem, replay = chosen.test.stem, Replay(references)
    with preserve_global_state(), suppress(Exception):
        replay.run(chosen.call)
    module = replay.module(stem)
    functions = {number: (name, ()) for number, name in module.names.items()}
    return CallNames(functions, references[stem]).list_calls(module.asked)


def _find_mistakes(assignment: Assignment, check: CheckResult) -> Iterator[Mistake]:
    if check.diagnosis:
        bank = MistakeBank(assignment).load(check.stem)
        known = {each.id: each for each in bank}
        yield from (known[name] for name in check.diagnosis)
