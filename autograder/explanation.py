"""Explanation: turns one check and one submission into an account of its verdict, for staff.

The check is judged in the sandbox as `grade` does it, and the replies and comparisons of each attempt are written out:
nothing of a student's steers a terminal. It holds hidden inputs and right values, so it is never part of a result.
"""

from __future__ import annotations

import inspect
import itertools
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograder.assignment import load_assignment
from autograder.checks.values import Array, NotNumbers, convert_to_numbers
from autograder.contracts import CheckBody
from autograder.contracts.check import CaseCheck
from autograder.diagnosis.diagnosis import is_lost
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.diagnosis.replies import is_same_reply
from autograder.grader import Grader
from autograder.grading.attempt import Attempt, Tried
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.ending import NoValue, Ours, find_failure
from autograder.grading.explain import clean_student_text, explain_check, explain_outcome, explain_printed
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.selection import Selection, read_selection
from autograder.mistakes import Mistake, MistakeBank
from autograder.plain_text import clean, clean_line, count
from autograder.programs.lines import Spelling, write_lines
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import Name, Program, run_program
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.requests import seed_generators
from autograder.submission import SubmissionError, read_submission

_SHOWN = 3  # of what a check asks
_LINE_CHARACTERS = 1_000
_ENTRIES = 60  # of an array that is written in full
_EDGE = 3  # rows and columns at each end of a larger one, and places of an error
_WIDTH = 100
_ITEMS = 12
_CHARACTERS = 300
_BITS = 1_000  # of an integer that is written
_VALUE_CHARACTERS = 500
_LINES = 30


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

    `related`: the results of all checks of its functions, itself included. `attempts`: first that on the student's
    functions alone. `asked`: what the check asks. `mistakes`: the known mistakes that give the same results. `file`:
    the question's file, None where there is none.
    """

    check: CheckResult
    related: list[CheckResult]
    attempts: list[EndedAttempt]
    asked: list[Asked]
    mistakes: list[Mistake]
    file: str | None
    notes: list[str]


def explain(root: Path, path: Path, word: str, *, kept: Path | None = None) -> Explanation:
    """Judge one check of an assignment, and those that its verdict may depend on, in the sandbox.

    `path`: of the submission. `word`: the number or name of the check. `kept`: see `GradeRequest`. Raises
    SubmissionError for a submission that cannot be read and for a name that is no check's, and the errors of
    `Grader` where nothing can be judged.
    """
    assignment = load_assignment(root)
    assignment.require_question_files()
    selection = read_selection([word], assignment)
    submission = read_submission(path, assignment, only=selection.question_ids)
    watch = _Watch(selection, word)
    with Grader(
        assignment,
        only=selection.question_ids,
        choose=watch.choose,
        observe=watch.keep,
        kept=kept,
        shares_workers=False,
    ) as grader:
        report = grader.grade(submission)
    test = watch.chosen.test
    check = next(each for each in report.checks if each.test_id == test.test_id)
    status = next(each for each in report.questions if each.question_id == test.question_id)
    reference, bank = assignment.import_reference(test.question_id), MistakeBank(assignment).load(test.question_id)
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


def write_explanation(explanation: Explanation) -> str:
    """Write the account of a verdict, with hidden inputs and right values."""
    written = [*_write_head(explanation), "", *_write_attempts(explanation)]
    diagnosis = list(_write_diagnosis(explanation))
    if diagnosis:
        written += ["", *diagnosis]
    lines = "\n".join(written).splitlines()
    return "".join(f"{clean(line, _LINE_CHARACTERS).rstrip()}\n" for line in lines)


def _write_head(explanation: Explanation) -> Iterator[str]:
    check = explanation.check
    worth = count(check.points, "point")
    points = "no score" if check.score is None else f"{check.score:g} of {worth}"
    yield f"{check.number} {check.title}"
    yield f"  check:      {check.test_id}, of {', '.join(check.functions)}"
    yield f"  visibility: {check.visibility.value.replace('_', ' ')}"
    yield f"  file:       {explanation.file or 'none'}"
    yield f"  verdict:    {check.verdict.value.replace('_', ' ')}, {'advice' if check.is_advice else points}"
    if check.attempts:
        yield f"  attempts:   {', '.join(each.replace('_', '-') for each in check.attempts)}"
    if check.replaced:
        yield f"  replaced:   it passes with the grader's {' and '.join(check.replaced)}"
    yield from (f"  note:       {note}" for note in (*explanation.notes, *_list_own_notes(check)))
    yield from (f"  fault:      {line}" for line in check.fault.splitlines())


def _list_own_notes(check: CheckResult) -> list[str]:
    """List the notes on a pass; a replacement has a line of its own."""
    if check.verdict not in (Verdict.PASSED, Verdict.PARTIAL) or check.output.startswith("FAIL "):
        return []
    lines = check.output.splitlines()[1:]
    return [line for line in lines if line.strip() and not line.startswith("Full credit: ")]


def _write_attempts(explanation: Explanation) -> Iterator[str]:
    written: list[list[str]] = []
    for attempt in explanation.attempts:
        run, result, _ = attempt
        if written:
            yield ""
        yield f"{_name_attempt(run.attempt)}: {_name_ending(result)}"
        lines = list(_write_replies(attempt, explanation.asked))
        lines += _write_ending(run, result)
        lines += explain_printed(run.printed).splitlines()
        yield from _indent(["everything is as above"] if lines in written else lines)
        written.append(lines)


def _name_attempt(attempt: Attempt) -> str:
    if not attempt.is_repeat:
        return "On the student's functions alone"
    names = list(attempt.substituted)
    if attempt.supplied_wins:
        names.append("copies of supplied modules")
    return f"Repeated with the grader's {' and '.join(names)} in place of the student's"


def _name_ending(result: Tried) -> str:
    if find_failure(result.ending) is not None:
        return "failed"
    ending = result.ending
    if isinstance(ending, (NoValue, Ours)) and ending.outcome_name != OutcomeKind.RETURNED.value:
        return ending.outcome_name.replace("_", " ")
    return "ran to its end"


def _write_replies(attempt: EndedAttempt, asked: Sequence[Asked]) -> Iterator[str]:
    """Write what was answered wrongly, or the first that was asked, each with both replies."""
    replies, ending = attempt.replies, attempt.result.ending
    if len(replies) < len(asked) and asked[0].lines and isinstance(ending, NoValue):  # the next one ended the worker
        replies = [*replies, [ending.outcome]]
    pairs, wrong = [], []
    for number, (each, reply) in enumerate(zip(asked, replies, strict=False), 1):
        pairs.append((number, each, reply))
        if not is_same_reply(reply, each.right):
            wrong.append((number, each, reply))
    shown = (wrong or pairs)[:_SHOWN]
    for number, each, reply in shown:
        words = f", {each.words}" if each.words else ""
        yield f"{'program' if each.lines else 'request'} {number}{words}:"
        yield from _indent(each.lines)
        for found, right in zip(reply, each.right, strict=False):
            yield from _write_pair("ended" if isinstance(found, Outcome) else "returned", found, right)
    if len(shown) < len(pairs):
        yield f"{len(shown)} of {len(pairs)} are shown; {len(wrong)} have a wrong reply"


def _write_pair(name: str, found: Any, right: Any) -> Iterator[str]:
    """Write a value, and the right one where that is another."""
    yield from _label(name, write_value(found))
    if not is_same_reply(found, right):
        yield from _label("right", write_value(right))
        yield from _label("error", filter(None, [describe_difference(found, right)]))


def _write_ending(run: AttemptRun, result: Tried) -> Iterator[str]:
    failed = find_failure(result.ending)
    if failed is not None:
        yield from explain_check(failed, shows_values=True).splitlines()
    elif isinstance(result.ending, NoValue):
        told = explain_outcome(result.ending.outcome, shows_values=True, limits=run.limits)
        yield from told.splitlines()


def _write_diagnosis(explanation: Explanation) -> Iterator[str]:
    check = explanation.check
    if not is_lost(check):
        return
    alike = [each for each in explanation.related if is_lost(each) and _is_evidence(each, check)]
    if not explanation.mistakes:
        yield f"Known mistake: none gives the same replies in {_list_numbers(alike)}"
    for mistake in explanation.mistakes:
        same = [each for each in alike if mistake.id in each.diagnosis]
        others = [each for each in alike if each not in same]
        yield f"Known mistake: {mistake.id}"
        yield f"  story:    {mistake.story}"
        yield f"  hint:     {mistake.hint}"
        yield f"  rests on: the mistake gives the same replies in {_list_numbers(same)}"
        if others:
            yield f"            {_list_numbers(others)} failed with other replies"
    yield from _label("why", check.grounds)


def _is_evidence(each: CheckResult, check: CheckResult) -> bool:
    """Whether a check counts for the diagnosis of another: hidden ones say nothing of visible ones."""
    return check.visibility is not Visibility.VISIBLE or each.visibility is Visibility.VISIBLE


def _list_numbers(checks: Iterable[CheckResult]) -> str:
    return ", ".join(each.number for each in checks)


def _label(name: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"  {'' if number else f'{name}:':<11} {line}"


def _indent(lines: Iterable[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines)


def write_value(value: Any) -> list[str]:
    """Write a value, or how a call ended without one."""
    value = value.item() if isinstance(value, np.generic) else value
    lines = _list_ending(value) if isinstance(value, Outcome) else _SHORT.repr(value).splitlines()
    shown = []
    for line in lines[:_LINES]:
        escaped = clean_student_text(line, _VALUE_CHARACTERS)
        shown.append(clean_line(escaped, _VALUE_CHARACTERS))
    if len(lines) > _LINES:
        shown.append(f"and {len(lines) - _LINES} more lines")
    return shown


def _list_ending(outcome: Outcome) -> list[str]:
    """List how a call ended, with the student's message, and the places."""
    is_raised = outcome.kind is OutcomeKind.RAISED
    name = f"raised {outcome.error_type or 'an exception'}" if is_raised else outcome.kind.value.replace("_", " ")
    told = filter(None, [name, outcome.message, outcome.detail])
    frames = [f"  at {each.file} line {each.line}, in {each.function}" for each in outcome.frames[-_EDGE:]]
    return [": ".join(told), *frames]


def describe_difference(found: Any, right: Any) -> str:
    """Describe the largest error by its size and place; empty where there is none, or for other shapes."""
    try:
        values = convert_to_numbers(found).astype(np.float64)
        others = convert_to_numbers(right).astype(np.float64)
    except NotNumbers:
        return ""
    if values.shape != others.shape or np.array_equal(values, others, equal_nan=True):
        return ""
    with np.errstate(all="ignore"):
        error = np.array(np.abs(values - others))
    error[np.isnan(error)] = np.inf
    error[values == others] = 0.0
    worst = np.unravel_index(int(np.argmax(error)), error.shape)
    place = f" at [{', '.join(map(str, worst))}]" if error.ndim else ""
    return f"{error[worst]:.3g}{place}: {values[worst]:.10g} where {others[worst]:.10g} is right"


class _Short(reprlib.Repr):
    """Writes the beginning of large values, and a description of what no literal makes."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = _ITEMS
        self.maxstring = self.maxother = _CHARACTERS

    def repr_Handle(self, x: Handle, _level: int) -> str:  # noqa: N802  (`reprlib` finds it by the name of the class)
        """Name the class of an object."""
        return f"<object of class {x.type_name}>"

    def repr_int(self, x: int, level: int) -> str:
        """Return the digits; Python refuses to write very many."""
        bits = x.bit_length()
        return super().repr_int(x, level) if bits < _BITS else f"<an integer of {bits} bits>"

    def repr_ndarray(self, x: Array, _level: int) -> str:
        """Return the shape, and the entries or the corners of a large array."""
        with np.printoptions(linewidth=_WIDTH, precision=8, threshold=_ENTRIES, edgeitems=_EDGE):
            text = np.array2string(x, separator=", ")
        dtype = "" if x.dtype == np.float64 else f" and type {x.dtype}"
        space = "\n" if "\n" in text else " "
        return f"array of shape {x.shape}{dtype}:{space}{text}"


_SHORT = _Short()
