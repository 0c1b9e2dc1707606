"""Local student: runs the student's files in this process, for checks on the student's own computer.

Takes the role of the grader's worker: the same code copies and converts values, and errors have the same words. Nothing
is isolated, because everything here is the student's own. No time is limited here: the process that started this one
does, and is told of each stage.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from autograder.grading.reproducer import RecordedRequest, Spelling
from autograder.grading.statement_load import StatementLoad, may_load_more
from autograder.public_checks.local_callbacks import LocalCallbacks
from autograder.sandbox import limits as limit
from autograder.sandbox.calls.exceptions import describe_exception
from autograder.sandbox.calls.generators import seed_generators
from autograder.sandbox.calls.in_process_module import InProcessModule
from autograder.sandbox.host.replies import read_value
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox.protocol.wire import Handle, WireError, decode, encode
from autograder.sandbox.worker.importer import StudentModules
from autograder.sandbox.worker.module_code import Source

__all__ = ["LocalAttempt", "LocalModule", "LocalQuestion", "Place", "Source", "Stage"]

Place = tuple[str, int, int]  # a statement: the path of its file, its number there and its line
_NOWHERE = ("", 0, 0)


class Stage(str, Enum):
    """The stages of a check, each with a time limit of its own; the last is a run of the lines that it shows."""

    START = "start"
    LOAD = "load of the file"
    STATEMENT = "load of a statement"
    RUN = "run"
    LINES = "lines"


def _tell_nobody(stage: Stage, place: Place) -> None:
    """Ignore a stage: the staff's own code needs no time limit."""


@dataclass(frozen=True)
class LocalQuestion:
    """A question: its file's module or None, the accepted file names, its classes and their methods.

    `parameters`: by function or class, the names of the arguments, for the lines that a student pastes.
    """

    stem: str
    files: tuple[str, ...]
    module: str | None
    classes: Mapping[str, tuple[str, ...]]
    placeholders: frozenset[str]
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass
class LocalAttempt:
    """One attempt at one test, with freshly loaded student files. Close it to remove the imported modules.

    `load`: what is left out of a file that is known to fail as a whole, and is loaded statement by statement at once;
    None for any other file. `watch`: is told the stages.
    """

    questions: Mapping[str, LocalQuestion]
    own: Mapping[str, Source]
    support: Mapping[str, Source]
    notes: list[str] = field(default_factory=list)
    observations: list[object] = field(default_factory=list)  # for the diagnosis, which the handout lacks
    leaderboard: list[float | str] = field(default_factory=list)  # not shown here
    output: io.StringIO = field(default_factory=io.StringIO)
    load: StatementLoad | None = None
    watch: Callable[[Stage, Place], None] = _tell_nobody
    _printed_characters: int | None = None
    _modules: dict[str, LocalModule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._finders = list(sys.meta_path)
        self._loaded = set(sys.modules)
        seed_generators()

    @property
    def printed(self) -> bytes:
        """The output of the student's code until the test failed."""
        text = self.output.getvalue()[: self._printed_characters]
        return text.encode("utf-8", "backslashreplace")[: limit.OUTPUT_KEPT_BYTES]

    def begin_probing(self) -> bool:
        """Exclude output of further calls from the test's output; True, since the student sees the findings."""
        if self._printed_characters is None:
            self._printed_characters = len(self.output.getvalue())
        return True

    @property
    def is_probing(self) -> bool:
        """Whether the calls are no longer the test's own."""
        return self._printed_characters is not None

    @property
    def modules(self) -> list[LocalModule]:
        """The modules that the test asked for."""
        return list(self._modules.values())

    def module(self, stem: str) -> LocalModule:
        """Return the student's module of a question."""
        if stem not in self._modules:
            self._modules[stem] = LocalModule(self, self.questions[stem])
        return self._modules[stem]

    def start_again(self) -> None:
        """Forget all that a file did which failed as a whole, as a new worker would."""
        self.close()
        self.output.seek(0)
        self.output.truncate()
        seed_generators()

    def close(self) -> None:
        """Remove the student's modules from sys.modules; library modules stay."""
        sys.meta_path[:] = self._finders
        names = {name.partition(".")[0] for name in (*self.own, *self.support)}
        for name in set(sys.modules) - self._loaded:
            if name.partition(".")[0] in names:
                del sys.modules[name]


class LocalModule(InProcessModule):
    """One question of the student's; after its file failed to load, every request fails with the same outcome.

    `asked`: the requests of the test, until it failed. `spellings`: by the numbers of their handles, the functions that
    it looked up.
    """

    def __init__(self, attempt: LocalAttempt, question: LocalQuestion) -> None:
        super().__init__(question.classes, LocalCallbacks())
        self._attempt = attempt
        self._question = question
        self._modules = self._make_modules()
        self._statement_lines: list[int] = []
        self._module: Any = None
        self._failure: Outcome | None = None
        self._functions: dict[str, Handle] = {}
        self.asked: list[RecordedRequest] = []
        self.spellings: dict[int, Spelling] = {}

    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; CallFailed if it fails."""
        self._load()
        try:
            reply = self._call(self._handlers[kind], arguments)
        except CallFailed as error:
            self._record(RecordedRequest(kind, arguments, error.outcome))
            raise
        self._record(RecordedRequest(kind, arguments, reply))
        return reply

    def _record(self, asked: RecordedRequest) -> None:
        if not self._attempt.is_probing:
            self.asked.append(asked)

    def function(self, name: str) -> Handle:
        """Return the handle of a function or class; CallFailed if it is not written."""
        self._load()
        if not self._defines(name):
            load = self._attempt.load
            detail = f"the file does not define {name}{load.describe_gap() if load else ''}"
            raise CallFailed(Outcome(OutcomeKind.NOT_WRITTEN, detail=detail))
        if name not in self._functions:
            self._functions[name] = handle = self.keep(name, getattr(self._module, name))
            parameters = self._question.parameters.get(name, ())
            self.spellings[handle.id] = Spelling(str(self._question.module), name, parameters, name)
        return self._functions[name]

    def _defines(self, name: str) -> bool:
        value = getattr(self._module, name, None)
        return callable(value) and not self._modules.is_support(str(getattr(value, "__module__", "")))

    def _load(self) -> None:
        if self._failure is not None:
            raise CallFailed(self._failure)
        if self._module is not None:
            return
        if self._question.module is None:
            looked_for = ", ".join(self._question.files)
            detail = f"no file of this question was found ({looked_for})"
            self._failure = Outcome(OutcomeKind.NOT_WRITTEN, detail=detail)
            raise CallFailed(self._failure)
        try:
            self._load_file(self._question.module)
        except CallFailed as error:
            self._failure = replace(error.outcome, is_at_load=True)
            raise CallFailed(self._failure) from None
        self._attempt.watch(Stage.RUN, _NOWHERE)

    def _load_file(self, name: str) -> None:
        """Load the file as a whole, and where that fails, statement by statement, as the grader does."""
        self._attempt.watch(Stage.LOAD, _NOWHERE)
        if self._attempt.load is None:
            try:
                self._modules.install()
                self._call(self._import, (name,))
            except CallFailed as error:
                if not may_load_more(error.outcome, by_statements=False):
                    raise
                self._attempt.load = StatementLoad()
                self._attempt.start_again()
                self._modules = self._make_modules()
            else:
                return
        self._modules.install()
        self._attempt.load.run(self._exchange, name, self._attempt.own[name].path)
        self._call(self._import, (name,))

    def _make_modules(self) -> StudentModules:
        return StudentModules(self._attempt.own, self._attempt.support, support_wins=False)

    def _exchange(self, request: tuple[object, ...]) -> Any:
        """Answer a request to load, as a worker does."""
        kind, (argument,) = request[0], request[1:]
        if kind == messages.BEGIN_STATEMENTS:
            self._statement_lines = self._call(self._modules.begin_statements, (argument,))
            return self._statement_lines
        line = self._statement_lines[int(str(argument))]
        self._attempt.watch(Stage.STATEMENT, (self._main_path, int(str(argument)), line))
        return self._call(self._modules.run_statement, (argument,))

    @property
    def _main_path(self) -> str:
        return self._attempt.own[str(self._question.module)].path

    def _import(self, name: str) -> None:
        self._module = self._modules.import_module(name)

    def _call(self, handler: Any, arguments: tuple[object, ...]) -> Any:
        given = self.copy_arguments(arguments)
        output = self._attempt.output
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), _answer_nothing():
            payload = self._reply(handler, given)
        reply = decode(payload, allow_handles=True, allow_exports=True)
        return read_value(
            reply, placeholders=self._question.placeholders, files=dict.fromkeys(self._modules.paths, 10**6)
        )

    def _reply(self, handler: Any, given: tuple[Any, ...]) -> bytes:
        try:
            return self._values.pack((messages.RETURNED, handler(*given)))
        except WireError as error:
            return encode((messages.UNSENDABLE, str(error)[: limit.MESSAGE_CHARACTERS]))
        except BaseException as error:  # noqa: BLE001  (student code may raise anything, SystemExit included)
            return encode((messages.RAISED, *describe_exception(error, self._modules.paths)))


@contextlib.contextmanager
def _answer_nothing() -> Iterator[None]:
    """Have `input` fail, as in the grader, where nobody answers; `exit` closes what it finds here."""
    kept, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = kept
