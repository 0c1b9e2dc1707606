"""Replay: runs the body of a hidden test on the grader's own functions, in this process, and records their replies.

The functions are called through the same proxy as a worker, and arguments and replies are encoded in the same way, so
that a trusted function's reply can be compared with a student's. No student code runs here.
"""

from __future__ import annotations

import copy
import random
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np

from autograder.checks import CheckFailed, NotWritten
from autograder.grading.material import find_classes, find_place, find_refusal, get_code_name
from autograder.mistakes.mistake import replace_code
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import Program, run_program
from autograder.programs.source import SOURCE_FILE
from autograder.sandbox import limits as limit
from autograder.sandbox.calls.requests import Requests, seed_generators
from autograder.sandbox.calls.values import Values
from autograder.sandbox.host.bounded_exports import BoundedExports
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.trusted_form import pack_trusted
from autograder.sandbox.protocol.wire import Export, WireError
from autograder.student import QuestionModule, RunningAttempt, Student, TestCall

# Ends a mistake that calls back without end. Tests refuse earlier, after at most 1,000 calls, in words by which the
# mistake is recognised; right functions make fewer than 200 calls in a test.
_CALLBACKS = 2_000


class RecordedReply(NamedTuple):
    """A reply, a value or an Outcome, and the arguments of the call; an attribute that is read has no arguments.

    `kind`: of the request. `name`: of the function, method or attribute, empty where there is none. `calls`: the
    arguments of each call of a request about many.
    """

    arguments: tuple[Any, ...]
    reply: object
    kind: str = ""
    name: str = ""
    calls: tuple[tuple[Any, ...], ...] = ()


@contextmanager
def preserve_global_state() -> Iterator[None]:
    """Undo what mistakes do to warnings and to the global random number generators while they are replayed."""
    kept, kept_of_numpy = random.getstate(), np.random.get_state()  # noqa: NPY002  (a mistake may use it)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        random.setstate(kept)
        np.random.set_state(kept_of_numpy)  # noqa: NPY002  (as above)


class Replay(RunningAttempt):
    """One run of a test on the reference's functions, some of them replaced; a `Student` takes it for an attempt.

    `record` gets each reply. `tested`: the functions under test.
    """

    keeps_cases = False
    """Whether the reply to a request about many calls has an Outcome for each that fails, or is that of the first."""

    def __init__(
        self,
        references: Mapping[str, ModuleType],
        record: Callable[[RecordedReply], object] | None = None,
        *,
        tested: Collection[str] = (),
    ) -> None:
        super().__init__()
        self.references = references
        self._record = record
        self._replaced: dict[tuple[str, str], object] = {}
        self._tested = tested
        self._places: dict[str, str] = {}
        self.modules: dict[str, ReplayedModule] = {}

    def replace(self, stem: str, function: str, code: FunctionType) -> Replay:
        """Replace a function, a method or, for the name of a class, its constructor by `code`."""
        reference = self.references[stem]
        if function not in self._tested:
            self._places[code.__code__.co_name] = get_code_name(function, find_classes(reference))
        name, made = replace_code(reference, function, copy_function(code))
        self._replaced[stem, name] = made
        return self

    def find(self, stem: str, name: str) -> Any:
        """Return a function or class of a question, or what replaces it."""
        right = getattr(self.references[stem], name)
        return self._replaced.get((stem, name), right)

    def list_places(self, stem: str) -> Mapping[str, str]:
        """List the names of functions that are not tested, by the names of their code."""
        return _list_places(self.references[stem], self._tested) | self._places

    def run(self, call: TestCall) -> bool:
        """Run the test and return whether it passed; errors of the test itself and of `record` are not caught."""
        seed_generators()
        try:
            score = call(Student(self))
        except (CheckFailed, NotWritten, CallFailed):
            return False
        return score is None

    def module(self, stem: str) -> ReplayedModule:
        """Return the functions of a question."""
        if stem not in self.modules:
            self.modules[stem] = ReplayedModule(self, stem)
        return self.modules[stem]

    def answer(self, find: Callable[[], RecordedReply]) -> object:
        """Return the reply that the test gets; `find`: calls the function."""
        found = find()
        if self._record is not None:
            self._record(found)
        return found.reply


class ReplayedModule(QuestionModule):
    """The functions of one question in a replay, which isolates nothing. `replies`: those so far.

    Values are copied and converted by the code of the workers, so that both give the same replies.
    """

    def __init__(self, replay: Replay, stem: str) -> None:
        super().__init__(find_classes(replay.references[stem]))
        self._exports = BoundedExports()
        self._exports.limit_callbacks(limit.CallbackLimit(_CALLBACKS))
        self._values = Values(self._ask)
        self._handlers: Mapping[str, Callable[..., object]] = Requests(self._values).handlers
        self._replay, self._stem = replay, stem
        self.names: dict[int, str] = {}  # of functions, by the numbers of their handles
        self.replies: list[object] = []

    def function(self, name: str) -> Handle:
        """Return the handle of a function, or of a function that makes an object of a class."""
        found = self._replay.find(self._stem, name)
        handle = self._values.keep(self._values.wrap_class(found) if self.is_class(name) else found)
        self.names[handle.id] = name
        return handle

    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; `CallFailed` where there is none."""
        reply = self._replay.answer(partial(self._record, kind, arguments))
        self.replies.append(reply)
        if isinstance(reply, Outcome):
            raise CallFailed(reply)
        return reply

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Fail: the reply is not of the kind that was requested."""
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail=detail))

    def run(self, programs: Sequence[Program], _groups: Sequence[str] = ()) -> list[list[Any]]:
        """Return the reply to each program."""
        find = partial(self._replay.find, self._stem)
        describe = partial(describe_error, self._replay.list_places(self._stem))
        replies = [run_program(each, find, describe=describe) for each in programs]
        self.replies += replies
        return replies

    def _record(self, kind: str, arguments: tuple[Any, ...]) -> RecordedReply:
        given: Any = arguments[-1] if kind in messages.ALL_CALLS else ()
        calls = tuple(cast("Sequence[Any]", arguments[1])) if kind == messages.EACH else ()
        found, name = self._find_reply(kind, arguments), self._name(kind, arguments)
        return RecordedReply(given, found, kind, name, calls)

    def _find_reply(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        if kind == messages.EACH and self._replay.keeps_cases and len(arguments[1]) > 1:
            cases = [self._find_reply(kind, (arguments[0], [call], *arguments[2:])) for call in arguments[1]]
            return [each if isinstance(each, Outcome) else each[0] for each in cases]
        try:
            return self._call(kind, arguments)
        except Exception as error:  # noqa: BLE001  (an exception of a mistake is its reply)
            refusal = find_refusal(type(error).__name__, str(error), self._exports.refusals)
            return build_outcome(error, self._replay.list_places(self._stem), refusal)

    def _call(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        value = self._handlers[kind](*self._copy(arguments))
        return decode(self._values.pack(value), allow_handles=True, allow_exports=False)

    def _copy(self, value: object) -> Any:
        """Return a test's arguments as a function receives them: copies, with proxies of callbacks and objects."""
        return self._values.unpack(pack_trusted(value, convert=self._exports.convert))

    def _ask(
        self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[str, Any]:
        payload = self._values.pack((arguments, keywords), snapshot=export.snapshot)
        arguments, keywords = decode(payload, allow_handles=True, allow_exports=True)
        kind, value = self._exports.answer_callback(export.id, method, arguments, keywords, size=len(payload))
        return kind, self._copy(value)

    def _name(self, kind: str, arguments: tuple[Any, ...]) -> str:
        if kind in messages.OF_OBJECTS:
            return str(arguments[1])
        return self.names.get(arguments[0].id, "") if isinstance(arguments[0], Handle) else ""


def build_outcome(error: BaseException, places: Mapping[str, str], refusal: str) -> Outcome:
    """Return the outcome that the same exception of student code would have; code of the grader's toys is no place."""
    if isinstance(error, NotImplementedError):
        return Outcome(OutcomeKind.NOT_WRITTEN)
    if isinstance(error, MemoryError):
        return Outcome(OutcomeKind.OUT_OF_MEMORY)
    if isinstance(error, WireError):
        return Outcome(OutcomeKind.RAISED)
    called = [frame.name for frame in traceback.extract_tb(error.__traceback__) if frame.filename != SOURCE_FILE]
    place = find_place(called, places)
    return Outcome(OutcomeKind.RAISED, error_type=type(error).__name__, refusal=refusal, place=place)


def describe_error(places: Mapping[str, str], error: BaseException) -> Outcome:
    """Return the outcome of a step of a program; where a toy refuses it, with the toy's words."""
    frames = traceback.extract_tb(error.__traceback__)
    is_refused = isinstance(error, RuntimeError) and frames and frames[-1].filename == SOURCE_FILE
    return build_outcome(error, places, str(error) if is_refused else "")


def _list_places(reference: ModuleType, tested: Collection[str]) -> dict[str, str]:
    """List the public functions, methods and constructors that are not `tested`, by the names of their code."""
    classes = find_classes(reference)
    functions = [name for name, value in vars(reference).items() if isinstance(value, FunctionType)]
    methods = [f"{owner}.{name}" for owner in classes for name in classes[owner]]
    public = [name for name in (*classes, *methods, *functions) if not name.rpartition(".")[2].startswith("_")]
    return {code: code for code in (get_code_name(name, classes) for name in public if name not in tested)}


def copy_function(function: FunctionType) -> FunctionType:
    """Copy a function with its default arguments, which calls may change, so that none remembers another run's."""
    defaults = tuple(copy.copy(each) for each in function.__defaults__ or ())
    made = FunctionType(function.__code__, function.__globals__, function.__name__, defaults, function.__closure__)
    made.__kwdefaults__ = copy.copy(function.__kwdefaults__)
    return made
