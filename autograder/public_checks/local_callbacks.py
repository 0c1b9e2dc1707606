"""Local callbacks: answers the calls of a student's code to the functions and objects that a check handed over."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.host.callbacks import Callback, Refuse, ServedObject
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Export, Handle


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
