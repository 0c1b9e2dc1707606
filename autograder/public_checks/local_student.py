"""Local student: runs the student's files in this process, for checks on the student's own computer.

Takes the role of the grader's worker: the same code copies and converts values, and errors have the same words. Nothing
is isolated, because everything here is the student's own.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.grading.statement_load import StatementLoad, may_load_more
from autograder.public_checks.time_limit import TimeUp, limit_time
from autograder.sandbox import limits as limit
from autograder.sandbox.calls.exceptions import describe_exception
from autograder.sandbox.calls.in_process_module import InProcessModule
from autograder.sandbox.host.callbacks import Callback, Refuse, ServedObject
from autograder.sandbox.host.replies import read_value
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox.protocol.wire import Export, Handle, WireError, decode, encode
from autograder.sandbox.worker.importer import StudentModules
from autograder.sandbox.worker.module_code import Source

__all__ = ["LocalAttempt", "LocalModule", "LocalQuestion", "Source"]


@dataclass(frozen=True)
class LocalQuestion:
    """A question: its file's module or None, the accepted file names, its classes and their methods."""

    stem: str
    files: tuple[str, ...]
    module: str | None
    classes: Mapping[str, tuple[str, ...]]
    placeholders: frozenset[str]


@dataclass
class LocalAttempt:
    """One attempt at one test, with freshly loaded student files. Close it to remove the imported modules.

    `by_statements`: the file is known to fail as a whole, and is loaded statement by statement at once.
    """

    questions: Mapping[str, LocalQuestion]
    own: Mapping[str, Source]
    support: Mapping[str, Source]
    notes: list[str] = field(default_factory=list)
    observations: list[object] = field(default_factory=list)  # for the diagnosis, which the handout lacks
    leaderboard: list[float | str] = field(default_factory=list)  # not shown here
    output: io.StringIO = field(default_factory=io.StringIO)
    limit_s: float = limit.CPU_S
    by_statements: bool = False
    _printed_characters: int | None = None
    _modules: dict[str, LocalModule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._finders = list(sys.meta_path)
        self._loaded = set(sys.modules)
        self._deadline = time.monotonic() + self.limit_s
        _seed()

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
    def left_s(self) -> float:
        """The seconds left for the student's code."""
        return self._deadline - time.monotonic()

    def module(self, stem: str) -> LocalModule:
        """Return the student's module of a question."""
        if stem not in self._modules:
            self._modules[stem] = LocalModule(self, self.questions[stem])
        return self._modules[stem]

    @property
    def load_notes(self) -> list[str]:
        """The lines on statements that were left out because they failed, in Gradescope's words."""
        return [note for module in self._modules.values() for note in module.load.write_notes()]

    def start_again(self) -> None:
        """Forget all that a file did which failed as a whole, as a new worker would."""
        self.close()
        self.output.seek(0)
        self.output.truncate()
        _seed()

    def close(self) -> None:
        """Remove the student's modules from sys.modules; library modules stay."""
        sys.meta_path[:] = self._finders
        names = {name.partition(".")[0] for name in (*self.own, *self.support)}
        for name in set(sys.modules) - self._loaded:
            if name.partition(".")[0] in names:
                del sys.modules[name]


def _seed() -> None:
    np.random.seed(limit.WORKER_SEED)
    random.seed(limit.WORKER_SEED)


class LocalModule(InProcessModule):
    """One question of the student's; after its file failed to load, every request fails with the same outcome.

    `load`: what was left out of a file that failed as a whole.
    """

    def __init__(self, attempt: LocalAttempt, question: LocalQuestion) -> None:
        super().__init__(question.classes, LocalCallbacks())
        self._attempt = attempt
        self._question = question
        self._modules = self._make_modules()
        self.load = StatementLoad()
        self._module: Any = None
        self._failure: Outcome | None = None
        self._functions: dict[str, Handle] = {}

    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; CallFailed if it fails."""
        self._load()
        return self._call(self._handlers[kind], arguments)

    def function(self, name: str) -> Handle:
        """Return the handle of a function or class; CallFailed if it is not written."""
        self._load()
        if not self._defines(name):
            detail = f"the file does not define {name}{self.load.describe_gap()}"
            raise CallFailed(Outcome(OutcomeKind.NOT_WRITTEN, detail=detail))
        if name not in self._functions:
            self._functions[name] = self.keep(name, getattr(self._module, name))
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
            known = vars(error.outcome) | {"is_at_load": True}
            self._failure = Outcome(**known)
            raise CallFailed(self._failure) from None

    def _load_file(self, name: str) -> None:
        """Load the file as a whole, and where that fails, statement by statement, as the grader does."""
        if not self._attempt.by_statements:
            try:
                self._modules.install()
                self._call(self._import, (name,))
            except CallFailed as error:
                is_late = error.outcome.kind is OutcomeKind.TIMED_OUT
                if is_late or not may_load_more(error.outcome, by_statements=False):
                    raise
                self._attempt.start_again()
                self._modules = self._make_modules()
            else:
                return
        self._modules.install()
        self.load.run(self._exchange, name, self._attempt.own[name].path)
        self._call(self._import, (name,))

    def _make_modules(self) -> StudentModules:
        return StudentModules(self._attempt.own, self._attempt.support, support_wins=False)

    def _exchange(self, request: tuple[object, ...]) -> Any:
        """Answer a request to load, as a worker does."""
        kind, *arguments = request
        answer = {
            messages.BEGIN_STATEMENTS: self._modules.begin_statements,
            messages.RUN_STATEMENT: self._modules.run_statement,
        }
        return self._call(answer[str(kind)], tuple(arguments))

    def _import(self, name: str) -> None:
        self._module = self._modules.import_module(name)

    def _call(self, handler: Any, arguments: tuple[object, ...]) -> Any:
        given = self.copy_arguments(arguments)
        output = self._attempt.output
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), _answer_nothing():
                payload = self._reply(handler, given)
        except TimeUp:
            self._failure = Outcome(OutcomeKind.TIMED_OUT)
            raise CallFailed(self._failure) from None
        reply = decode(payload, allow_handles=True, allow_exports=True)
        return read_value(
            reply, placeholders=self._question.placeholders, files=dict.fromkeys(self._modules.paths, 10**6)
        )

    def _reply(self, handler: Any, given: tuple[Any, ...]) -> bytes:
        try:
            with limit_time(self._attempt.left_s):
                return self._values.pack((messages.RETURNED, handler(*given)))
        except (KeyboardInterrupt, TimeUp):
            raise
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


class LocalCallbacks:
    """The callbacks and objects that a test handed to student code, by number; nothing bounds their calls here."""

    def __init__(self) -> None:
        self._held: list[Any] = []

    def convert(self, value: object) -> object:
        """Return the wire form of an argument that is no plain value."""
        if isinstance(value, (Callback, ServedObject)):
            return self._export(value)
        return value.item() if isinstance(value, np.generic) else value.wire_handle  # type: ignore[attr-defined]

    def _export(self, value: Callback | ServedObject) -> Export:
        if not any(each is value for each in self._held):
            self._held.append(value)
        number = next(index for index, each in enumerate(self._held) if each is value)
        if isinstance(value, Callback):
            return Export(number, "callback", True, (), tuple(sorted(value.snapshot)))
        wanted = {name for callback in value.methods.values() for name in callback.snapshot}
        return Export(number, value.name, False, tuple(value.methods), tuple(sorted(wanted)))

    def answer_callback(
        self, number: int, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any], *, size: int
    ) -> tuple[str, Any]:
        """Return the value of a callback or a refusal, as the grader does; the `size` of the arguments is no limit."""
        owner = self._held[number]
        callback = owner.methods[method] if method else owner
        try:
            with np.errstate(all="ignore"):
                return (messages.ANSWER, callback.run(self._resolve(arguments), self._resolve(keywords)))
        except Refuse as refusal:
            return (messages.REFUSE, str(refusal))
        except Exception as error:  # noqa: BLE001  (anything that odd arguments cause)
            problem = f"{type(error).__name__}: {error}"[: limit.MESSAGE_CHARACTERS]
            return (messages.REFUSE, f"the grader's function could not use these arguments ({problem})")

    def _resolve(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)([self._resolve(item) for item in value])
        if isinstance(value, dict):
            return {key: self._resolve(item) for key, item in value.items()}
        if isinstance(value, Handle):
            return Handle(value.id, value.type_name, value.is_callable, self._resolve(value.attributes))
        return self._held[value.id] if isinstance(value, Export) else value
