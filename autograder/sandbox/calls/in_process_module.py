"""In-process module: answers a test's requests about one question with functions of this process, as a worker would.

Run by the grader on its own functions, when it replays a known mistake, with the grader's rights. Trusts the functions
that it calls: it isolates nothing. Values are copied and converted by the code of the workers, so that both give the
same replies.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn, Protocol

from autograder.sandbox.calls.proxies import make_served
from autograder.sandbox.calls.question_classes import QuestionClasses
from autograder.sandbox.calls.requests import Requests
from autograder.sandbox.calls.values import Values
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox.protocol.wire import Export, Handle, decode, encode

_UNCHANGEABLE = (bool, int, float, type(None))  # a copy of such a value is the same value


class CallbackTable(Protocol):
    """The callbacks and objects that a test handed over, by number."""

    def convert(self, value: object) -> object:
        """Return the wire form of an argument that is no plain value."""

    def answer_callback(
        self, number: int, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any], *, size: int
    ) -> tuple[str, Any]:
        """Return the message that answers one callback: its value or a refusal."""


class InProcessModule(QuestionClasses):
    """One question; `classes`: by name of each class that it asks for, its methods."""

    def __init__(self, classes: Mapping[str, Collection[str]], callbacks: CallbackTable) -> None:
        super().__init__(classes)
        self._callbacks = callbacks
        self._values = Values(lambda export: make_served(export, self._ask))
        self._handlers: Mapping[str, Callable[..., object]] = Requests(self._values).handlers

    def drop_arguments(self, _name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return all arguments: variants of an assignment are known to the grader's workers alone."""
        return arguments

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Fail: the reply is not of the kind that was requested."""
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail=detail))

    def keep(self, name: str, found: Any) -> Handle:
        """Return the handle of a function, or of a function that makes an object of a class."""
        if not self.is_class(name):
            return self._values.keep(found)
        return self._values.keep(lambda *arguments: self._values.keep(found(*arguments)))

    def copy_arguments(self, value: object) -> Any:
        """Return a test's arguments as a function receives them: copies, with proxies of callbacks and objects."""
        if type(value) in _UNCHANGEABLE:
            return value
        return self._values.unpack(encode(value, convert=self._callbacks.convert))

    def _ask(self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        size = 0
        if arguments or keywords:
            payload = self._values.pack((arguments, keywords), snapshot=export.snapshot)
            arguments, keywords = decode(payload, allow_handles=True, allow_exports=True)
            size = len(payload)
        kind, value = self._callbacks.answer_callback(export.id, method, arguments, keywords, size=size)
        if kind == messages.REFUSE:
            raise ValueError(value)
        return self.copy_arguments(value)
