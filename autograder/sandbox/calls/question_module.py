"""Question module: answers a test's requests about one question, wherever the question's functions run.

Run by the grader, with its rights. Trusts nothing of what answers, except for `InProcessModule`: it runs the grader's
own functions, when a known mistake is replayed, and isolates nothing. Its values are copied and converted by the code
of the workers, so that both give the same replies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import Program
from autograder.sandbox.calls.requests import Requests
from autograder.sandbox.calls.values import Values
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.trusted_form import pack_trusted
from autograder.sandbox.protocol.wire import Export

_UNCHANGEABLE = (bool, int, float, type(None))  # a copy of such a value is the same value


class QuestionModule(ABC):
    """One question: a student's module in a worker, functions of this process, or recorded replies.

    `classes`: by name of each class that the question asks for, its methods. `methods`: the names of all of these.
    """

    def __init__(self, classes: Mapping[str, Collection[str]]) -> None:
        self.classes = classes
        self.methods = frozenset(name for methods in classes.values() for name in methods)

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""
        return name in self.classes

    def choose_find_request(self, name: str) -> str:
        """Return the request by which a worker finds the function, or the class, of that name."""
        return messages.FIND_CLASS if self.is_class(name) else messages.FIND

    def drop_arguments(self, _name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that a function takes: all, where no variant of an assignment is known."""
        return arguments

    @abstractmethod
    def function(self, name: str) -> Handle:
        """Return what stands for a function in requests; `CallFailed` where it is not written."""

    @abstractmethod
    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; `CallFailed` where there is none."""

    @abstractmethod
    def run(self, programs: Sequence[Program]) -> list[list[Any]]:
        """Return the reply to each program; `CallFailed` where one ended the worker."""

    @abstractmethod
    def end_as_garbled(self, detail: str) -> NoReturn:
        """Have this and every later request fail."""


class InProcessModule(QuestionModule):
    """Answers with functions of this process, as a worker would. `replies`: those so far."""

    def __init__(
        self,
        classes: Mapping[str, Collection[str]],
        convert: Callable[[object], object],
        answer_callback: Callable[..., tuple[str, Any]],
    ) -> None:
        """Answer requests; `convert` and `answer_callback` are those of the check's `Exports`."""
        super().__init__(classes)
        self._convert, self._answer_callback = convert, answer_callback
        self._values = Values(self._ask)
        self._handlers: Mapping[str, Callable[..., object]] = Requests(self._values).handlers
        self.replies: list[object] = []

    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; `CallFailed` where there is none."""
        reply = self._answer(kind, arguments)
        self.replies.append(reply)
        if isinstance(reply, Outcome):
            raise CallFailed(reply)
        return reply

    @abstractmethod
    def _answer(self, kind: str, arguments: tuple[Any, ...]) -> object:
        """Return the reply to a request, a value or an Outcome."""

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Fail: the reply is not of the kind that was requested."""
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail=detail))

    def keep(self, name: str, found: Any) -> Handle:
        """Return the handle of a function, or of a function that makes an object of a class."""
        return self._values.keep(self._values.wrap_class(found) if self.is_class(name) else found)

    def copy_arguments(self, value: object) -> Any:
        """Return a test's arguments as a function receives them: copies, with proxies of callbacks and objects."""
        if type(value) in _UNCHANGEABLE:
            return value
        return self._values.unpack(pack_trusted(value, convert=self._convert))

    def _ask(
        self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[str, Any]:
        size = 0
        if arguments or keywords:
            payload = self._values.pack((arguments, keywords), snapshot=export.snapshot)
            arguments, keywords = decode(payload, allow_handles=True, allow_exports=True)
            size = len(payload)
        kind, value = self._answer_callback(export.id, method, arguments, keywords, size=size)
        return kind, self.copy_arguments(value)
