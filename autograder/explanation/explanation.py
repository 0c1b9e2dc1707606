"""Explanation: judges one check with a grader that records what the check asked and compared.

What records stands between a test and the attempt that is under way, on workers or in a replay of the reference, and
changes nothing of what passes.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from autograder.assignment import Assignment, load_assignment
from autograder.checks import CheckFailed, NotWritten
from autograder.checks.cases import Comparison, complete_failure, keep_comparisons
from autograder.checks.values import is_remote
from autograder.diagnosis.general_kinds import describe_kinds
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.explanation.value_text import write_line, write_value
from autograder.grader import Grader, SelfCheck
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.reproducer import NO_LINES, Lines, find_refused
from autograder.grading.selection import Selection, read_selection
from autograder.mistakes import Mistake, MistakeBank
from autograder.results import CheckResult
from autograder.sandbox.calls.question_module import QuestionModule
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome
from autograder.sandbox.protocol.wire import Handle
from autograder.student import RunningAttempt, Student, get_attempt
from autograder.submission import SubmissionError, read_submission

Arguments = tuple[tuple[str, tuple[str, ...]], ...]  # by name, the lines of the value

_ASKED = {
    messages.CALL: "",
    messages.CALL_KEEPING_ARGUMENTS: ", with its arguments afterwards",
    messages.CALL_RECORDING_WARNINGS: ", with its warnings",
    messages.CALL_KEEPING_VALUE: ", which stays in the worker",
}
_KEPT_CALLS = 2_000  # more are counted, not kept


class RecordedCall(NamedTuple):
    """One call, read or assignment: its text, its arguments by name as lines, and the reply, a value or an Outcome."""

    text: str
    arguments: Arguments
    reply: object


@dataclass
class AttemptRecord:
    """One run of a test's body until it has failed; `run` is None for the reference.

    `ending`: the error that ended the test, None where it ran to its end. `left_out`: the calls that were not kept.
    `reproducer`: lines that show the failure. `printed`: the output of the student's code.
    """

    run: AttemptRun | None = None
    calls: list[RecordedCall] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    ending: CheckFailed | NotWritten | Outcome | None = None
    left_out: int = 0
    reproducer: Lines = NO_LINES
    printed: bytes = b""

    def add(self, call: RecordedCall) -> None:
        """Keep a call, or count it; nothing of those that only explain a failure."""
        if self.run is not None and self.run.transcript.is_probing:
            return
        if len(self.calls) < _KEPT_CALLS:
            self.calls.append(call)
        else:
            self.left_out += 1


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
        """Run the body of the test in an attempt and fill the record; errors pass."""

        @cache
        def find_module(stem: str) -> RecordedModule:
            return RecordedModule(attempt.module(stem), self._references.get(stem), record.add)

        with keep_comparisons() as record.comparisons:
            try:
                return self.chosen.call(Student(attempt, find_module))
            except (CheckFailed, NotWritten, CallFailed) as error:
                record.ending = error.outcome if isinstance(error, CallFailed) else error
                raise
            finally:
                record.ending = complete_failure() or record.ending

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


class RecordedModule(QuestionModule):
    """One question, whose requests are recorded with the names of functions and of their parameters."""

    def __init__(
        self, module: QuestionModule, reference: ModuleType | None, add: Callable[[RecordedCall], None]
    ) -> None:
        super().__init__(module.classes)
        self._module, self._reference, self._add = module, reference, add
        self._names: dict[int, str] = {}  # of functions and objects, by the numbers of their handles

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that the function takes."""
        return self._module.drop_arguments(name, arguments)

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Have this and every later request fail."""
        self._module.end_as_garbled(detail)

    def function(self, name: str) -> Handle:
        """Return what stands for a function in requests."""
        try:
            handle = self._module.function(name)
        except CallFailed as error:
            self._add(RecordedCall(name, (), error.outcome))
            raise
        self._names[handle.id] = name
        return handle

    def request(self, kind: str, *arguments: Any) -> Any:
        """Return the value of a request, and record both."""
        try:
            reply = self._module.request(kind, *arguments)
        except CallFailed as error:
            self._record(kind, arguments, error.outcome)
            raise
        self._record(kind, arguments, reply)
        return reply

    def _record(self, kind: str, arguments: tuple[Any, ...], reply: Any) -> None:
        if kind == messages.EACH:
            self._record_each(arguments[0], arguments[1], reply)
        elif kind in (messages.GENERATOR, messages.CONSTANT):
            self._name(reply, f"<{kind} made of {write_line(arguments[0])}>")
        elif kind in _ASKED:
            name = self._find_name(arguments[0])
            self._add(RecordedCall(name + _ASKED[kind], self._write_arguments(name, arguments[1]), reply))
            self._name(reply, f"<value of {name}>" if kind == messages.CALL_KEEPING_VALUE else name)
        elif kind == messages.CALL_METHOD:
            name = f"{self._find_name(arguments[0])}.{arguments[1]}"
            self._add(RecordedCall(name, self._write_arguments(name, arguments[2]), reply))
        else:  # an attribute that is read or set
            values = tuple(("value", tuple(write_value(value))) for value in arguments[2:])
            name = f"{self._find_name(arguments[0])}.{arguments[1]}"
            self._add(RecordedCall(f"{name}, {'set' if values else 'read'}", values, reply))

    def _record_each(self, function: Handle, calls: Sequence[tuple[Any, ...]], reply: Any) -> None:
        name = self._find_name(function)
        is_answered = isinstance(reply, (list, tuple)) and len(reply) == len(calls)
        replies = reply if is_answered else [reply] * len(calls)
        for case, (given, value) in enumerate(zip(calls, replies, strict=True), start=1):
            self._add(RecordedCall(f"{name}, case {case} of {len(calls)}", self._write_arguments(name, given), value))

    def _write_arguments(self, name: str, given: Sequence[Any]) -> Arguments:
        names = [*self._list_parameters(name), *(f"argument {n + 1}" for n in range(len(given)))]
        if len(names) < 2 * len(given):
            names = names[-len(given) :]
        return tuple((name, tuple(self._write_argument(value))) for name, value in zip(names, given, strict=False))

    def _write_argument(self, value: Any) -> list[str]:
        handle = value.wire_handle if is_remote(value) else value
        is_named = isinstance(handle, Handle) and handle.id in self._names
        return [self._names[handle.id]] if is_named else write_value(value)

    def _list_parameters(self, name: str) -> tuple[str, ...]:
        """List the reference's parameters; none where it has no such function."""
        owner, _, method = name.partition(".")
        found = getattr(self._reference, owner, None)
        found = getattr(found, method, None) if method else found
        if not callable(found):
            return ()
        parameters = tuple(inspect.signature(found).parameters)
        return parameters[1:] if method else self.drop_arguments(name, parameters)

    def _find_name(self, handle: object) -> str:
        return self._names.get(handle.id, "an object") if isinstance(handle, Handle) else "an object"

    def _name(self, reply: object, name: str) -> None:
        if isinstance(reply, Handle):
            self._names.setdefault(reply.id, name)
