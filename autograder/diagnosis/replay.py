"""Replay: runs the body of a hidden test on functions of this process, and records what was asked and replied.

The functions are called through the same proxy as a worker, and arguments and replies are encoded in the same way, so
that a trusted function's reply can be compared with a student's. No student code runs here.

What the right solution needs of a check, by which the limits of student code are set, is measured in a replay, too:
when an assignment is packaged, or first graded on a machine, and never while a student is graded.
"""

from __future__ import annotations

import copy
import random
import time
import traceback
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from autograder.assignment import Assignment
from autograder.checks import CheckFailed, NotWritten
from autograder.contracts import CheckBody
from autograder.contracts.body import is_all_right
from autograder.grading.attempt import Body, count_bytes
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.material import find_classes, find_place, find_refusal, get_code_name
from autograder.mistakes import replace_code
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import Program, run_program
from autograder.programs.source import SOURCE_FILE
from autograder.sandbox import limits as limit
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.limits import Need
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import HANDLES, decode
from autograder.sandbox.protocol.wire import Export, WireError, encode
from autograder.sandbox.requests import Requests, Values, seed_generators
from autograder.student import QuestionModule, RunningAttempt, Student, TestCall

# Ends a mistake that calls back without end. Tests refuse earlier, after at most 1,000 calls, in words by which the
# mistake is recognised; right functions make fewer than 200 calls in a test.
_CALLBACKS = 2_000


class Asked(NamedTuple):
    """A request of a test by hand: its kind, and the name of the function, method or attribute, if it has one."""

    kind: str
    name: str


@contextmanager
def preserve_global_state() -> Iterator[None]:
    """Undo what the block does to warnings and to the global random number generators."""
    kept, kept_of_numpy = random.getstate(), np.random.get_state()  # noqa: NPY002  (the code may use it)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        random.setstate(kept)
        np.random.set_state(kept_of_numpy)  # noqa: NPY002  (as above)


class Replay(RunningAttempt):
    """One run of a test on the functions of a reference, some of them replaced; a `Student` takes it for an attempt.

    `tested`: the functions under test. `functions`: those of the question, as the test calls them.
    """

    def __init__(self, reference: ModuleType, *, tested: Collection[str] = ()) -> None:
        super().__init__()
        self.reference = reference
        self.places = _list_places(reference, tested)
        self._tested = tested
        self._replaced: dict[str, object] = {}
        self.functions = ReplayedModule(self)

    def replace(self, function: str, code: FunctionType) -> Replay:
        """Replace a function, a method or, for the name of a class, its constructor by `code`."""
        if function not in self._tested:
            classes = find_classes(self.reference)
            written = code.__code__.co_name
            self.places[written] = get_code_name(function, classes)
        copied = copy_function(code)
        name, made = replace_code(self.reference, function, copied)
        self._replaced[name] = made
        return self

    def find(self, name: str) -> Any:
        """Return a function or class of the question, or what replaces it."""
        right = getattr(self.reference, name)
        return self._replaced.get(name, right)

    def run_programs(self, programs: Iterable[Program]) -> list[list[Any]]:
        """Return the reply to each program."""
        return [run_program(each, self.find, describe=self._describe_error) for each in programs]

    def _describe_error(self, error: BaseException) -> Outcome:
        """Return the outcome of a step of a program; where a toy refuses it, with the toy's words."""
        frames = traceback.extract_tb(error.__traceback__)
        files = [each.filename for each in frames]
        is_of_toy = files[-1:] == [SOURCE_FILE]
        is_refused = is_of_toy and isinstance(error, RuntimeError)
        refusal = str(error) if is_refused else ""
        return self.build_outcome(error, refusal)

    def build_outcome(self, error: BaseException, refusal: str) -> Outcome:
        """Return the outcome that the same exception of student code would have; code of toys is no place."""
        if isinstance(error, NotImplementedError):
            return Outcome(OutcomeKind.NOT_WRITTEN)
        if isinstance(error, MemoryError):
            return Outcome(OutcomeKind.OUT_OF_MEMORY)
        if isinstance(error, WireError):
            return Outcome(OutcomeKind.RAISED)
        frames = traceback.extract_tb(error.__traceback__)
        called = [frame.name for frame in frames if frame.filename != SOURCE_FILE]
        return Outcome(
            OutcomeKind.RAISED,
            error_type=type(error).__name__,
            refusal=refusal,
            place=find_place(called, self.places),
        )

    def passes(self, body: Body) -> bool:
        """Whether a test passes; errors of the test itself are not caught."""
        if not isinstance(body, CheckBody):
            return self.run(body)
        seed_generators()
        return is_all_right(body.derived, self.run_programs(body.derived.programs))

    def run(self, call: TestCall) -> bool:
        """Run the body of a test by hand and return whether it passed; errors of the test itself are not caught."""
        seed_generators()
        try:
            score = call(Student(self))
        except (CheckFailed, NotWritten, CallFailed):
            return False
        return score is None

    def module(self, _question_id: str) -> ReplayedModule:
        """Return the functions of the question."""
        return self.functions


class ReplayedModule(QuestionModule):
    """The functions of a question in a replay, which isolates nothing.

    `asked`: the requests so far; `replies`: those to them, and to programs. Values are copied and converted by the code
    of the workers, so that both give the same replies.
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__(find_classes(replay.reference))
        self._exports = Exports()
        most = limit.CallbackLimit(_CALLBACKS)
        self._exports.limit_callbacks(most)
        self._values = Values(self._ask)
        self._handlers = Requests(self._values).handlers
        self._replay = replay
        self._names: dict[int, str] = {}  # of functions, by the numbers of their handles
        self.asked: list[Asked] = []
        self.replies: list[object] = []

    def function(self, name: str) -> Handle:
        """Return the handle of a function, or of a function that makes an object of a class."""
        found = self._replay.find(name)
        if self.is_class(name):
            found = self._values.wrap_class(found)
        handle = self._values.keep(found)
        self._names[handle.id] = name
        return handle

    def request(self, kind: str, *arguments: Any) -> Any:
        """Return the value of a request; `CallFailed` where there is none."""
        self.asked.append(self._describe(kind, arguments))
        reply = self._find_reply(kind, arguments)
        self.replies.append(reply)
        if isinstance(reply, Outcome):
            raise CallFailed(reply)
        return reply

    def _describe(self, kind: str, arguments: tuple[Any, ...]) -> Asked:
        first = arguments[0]
        name = ""
        if kind in messages.OF_OBJECTS:
            name = str(arguments[1])
        elif isinstance(first, Handle):
            name = self._names.get(first.id, "")
        return Asked(kind, name)

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Fail: the reply is not of the kind that was requested."""
        outcome = Outcome(OutcomeKind.GARBLED, detail=detail)
        raise CallFailed(outcome)

    def _find_reply(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        try:
            return self._call(kind, arguments)
        except Exception as error:  # noqa: BLE001  (an exception of a mistake is its reply)
            name = type(error).__name__
            refusal = find_refusal(name, str(error), self._exports.refusals)
            return self._replay.build_outcome(error, refusal)

    def _call(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        handle = self._handlers[kind]
        value = handle(*self._copy(arguments))
        payload = self._values.pack(value)
        return decode(payload, HANDLES)

    def _copy(self, value: object) -> Any:
        """Return a test's arguments as a function receives them: copies, with proxies of callbacks and objects."""
        payload = encode(value, convert=self._exports.convert)
        return self._values.unpack(payload)

    def _ask(
        self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[str, Any]:
        payload = self._values.pack((arguments, keywords), snapshot=export.snapshot)
        kind, value = self._exports.answer_callback(export.id, method, payload)
        return kind, self._copy(value)


def _list_places(reference: ModuleType, tested: Collection[str]) -> dict[str, str]:
    """List the public functions, methods and constructors that are not `tested`, by the names of their code."""
    classes = find_classes(reference)
    names = list(classes)
    for owner, methods in classes.items():
        names += [f"{owner}.{method}" for method in methods]
    for name, value in vars(reference).items():
        if isinstance(value, FunctionType):
            names.append(name)
    places = {}
    for name in names:
        _, _, last = name.rpartition(".")
        if name not in tested and not last.startswith("_"):
            code = get_code_name(name, classes)
            places[code] = code
    return places


def copy_function(function: FunctionType) -> FunctionType:
    """Copy a function with its default arguments, which calls may change, so that none remembers another run's."""
    given = function.__defaults__ or ()
    defaults = tuple(map(copy.copy, given))
    made = FunctionType(function.__code__, function.__globals__, function.__name__, defaults, function.__closure__)
    made.__kwdefaults__ = copy.copy(function.__kwdefaults__)
    return made


def measure_need(test: RunnableTest, assignment: Assignment) -> Need | None:
    """Measure a test on the right solution in this process; None where that does not pass.

    Of two runs the faster one counts, so that a busy machine finds the same; what has the lowest limit runs once.
    A library that an assignment declares may take long at its first call, so that no call has a limit of its own.
    """
    found = _measure_once(test, assignment)
    if found is None:
        return None
    longest_s = found.longest_s
    if limit.choose_cpu_s(longest_s) > limit.FEWEST_CPU_S and not assignment.libraries:
        again = _measure_once(test, assignment)
        longest_s = min(longest_s, again.longest_s) if again is not None else longest_s
    cpu_s = 0 if assignment.libraries else limit.choose_cpu_s(longest_s)
    return Need(found.callbacks, cpu_s, found.replies_bytes)


def _measure_once(test: RunnableTest, assignment: Assignment) -> _MeasuredModule | None:
    """Measure all calls of a run; None where it does not pass."""
    question_id = test.test.question_id
    replay = Replay(assignment.import_reference(question_id))
    replay.functions = measured = _MeasuredModule(replay)
    try:
        with preserve_global_state():
            if isinstance(test.call, CheckBody):
                check = test.call.derived
                is_right = is_all_right(check, measured.run(check.programs))
            else:
                is_right = replay.run(test.call)
    except Exception:  # noqa: BLE001  (a bug of the test, which is told where it is run)
        return None
    return measured if is_right else None


class _MeasuredModule(ReplayedModule):
    """`longest_s`: the computing time of the longest program, or call without that of the test's functions."""

    longest_s = 0.0
    _others_s = 0.0

    @property
    def replies_bytes(self) -> int:
        """The bytes of all replies."""
        return count_bytes(self.replies)

    @property
    def callbacks(self) -> int:
        """The number of calls of the test's own functions so far."""
        return self._exports.calls

    def run(self, programs: Sequence[Program]) -> list[Any]:
        """Return the reply to each program, and measure it."""
        seed_generators()
        for program in programs:
            started = time.thread_time()
            self.replies += self._replay.run_programs([program])
            self.longest_s = max(self.longest_s, time.thread_time() - started)
        return self.replies

    def _call(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        if kind == messages.EACH and len(arguments[1]) > 1:
            function, calls, *part = arguments
            return [self._call(kind, (function, [call], *part))[0] for call in calls]
        started, others = time.thread_time(), self._others_s
        try:
            return super()._call(kind, arguments)
        finally:
            taken = time.thread_time() - started - (self._others_s - others)
            self.longest_s = max(self.longest_s, taken)

    def _ask(self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        started = time.thread_time()
        try:
            return super()._ask(export, method, arguments, keywords)
        finally:
            self._others_s += time.thread_time() - started
