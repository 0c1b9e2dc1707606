"""Values: turns values of student code into values that may cross the wire, and back.

Run in the worker, with its rights. Trusts nothing; the conversions are for convenience, not for safety, since the
grader decodes every message with the same care. A numpy scalar or an ndarray subclass becomes its base array, a deque
or a namedtuple a list or tuple, a tensor an array; any other object, and a dict with other keys than texts and whole
numbers, stays here and crosses as a handle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.programs.plain_values import Handle, type_name
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import messages, tensors
from autograder.sandbox.protocol.decoder import Makers, decode
from autograder.sandbox.protocol.wire import Export, Tensor, WireError, encode

# Sends a call to the grader: the export, the method or "", the arguments and the keywords; returns the message that
# answers it: its value or a refusal.
Exchange = Callable[[Export, str, tuple[Any, ...], dict[str, Any]], tuple[str, Any]]
_SEQUENCES: tuple[type, ...] = (deque, range, type({}.keys()), type({}.values()))


class Values:
    """The objects of one worker that the grader knows by number, and the conversion of all other values."""

    def __init__(self, exchange: Exchange) -> None:
        self._objects: dict[int, object] = {}
        self._numbers: dict[int, int] = {}
        self._exchange = exchange
        self._served: dict[int, Any] = {}
        self._exports: dict[int, Export] = {}
        self._makers: Makers = {
            Handle: lambda handle: self._objects[handle.id],
            Export: self._make_proxy,
            Tensor: tensors.make_tensor,
        }
        self._toys: dict[int, tuple[int, object]] = {}  # by their ids, the numbers under which the grader knows them

    def pack(self, message: object, *, snapshot: tuple[str, ...] = ()) -> bytes:
        """Encode a message; the handles of objects that stay here carry the `snapshot` attributes."""
        return encode(message, convert=lambda value: self._convert(value, snapshot))

    def unpack(self, payload: bytes) -> Any:
        """Decode a message of the grader, with handles replaced by their objects and exports by proxies."""
        return decode(payload, self._makers)

    def forget(self) -> None:
        """Forget all objects."""
        for each in (self._objects, self._numbers, self._served, self._exports, self._toys):
            each.clear()

    def add_toy(self, made: object, number: int) -> None:
        """Remember a toy that was made here, which crosses as one of the grader's objects."""
        self._toys[id(made)] = number, made

    def _make_proxy(self, export: Export) -> Any:
        """Return the proxy of an object of the grader, always the same one."""
        if export.id not in self._served:
            served: Any = ObjectProxy(export, self._exchange)
            if export.is_callable:
                served = _make_call(export, "", self._exchange)
            self._served[export.id] = served
            self._exports[id(served)] = export
        return self._served[export.id]

    def _convert(self, value: Any, snapshot: tuple[str, ...]) -> object:
        identity = id(value)
        if identity in self._exports:
            return self._exports[identity]
        if identity in self._toys:
            number, _ = self._toys[identity]
            return Export(number, "toy", callable(value))
        if isinstance(value, (np.ndarray, np.generic)):
            return self._convert_array(np.asarray(value))
        if isinstance(value, tuple):
            return tuple(value)
        if isinstance(value, list) or type(value) in _SEQUENCES:
            return list(value)
        if isinstance(value, dict) and type(value) is not dict:
            return dict(value)
        array = tensors.find_array(value)
        if array is not None:
            return self._convert_array(array)
        return self.keep(value, snapshot)

    def _convert_array(self, value: np.ndarray[Any, Any]) -> object:
        base = value.view(np.ndarray)
        dtype = base.dtype
        if dtype.kind in "US" and base.ndim == 0:
            return base.item()
        if dtype == np.longdouble:
            return base.astype(np.float64)
        if dtype == np.clongdouble:
            return base.astype(np.complex128)
        if dtype.kind == "O":
            return base.tolist()  # an array of objects: each element is converted, or stays here
        if dtype.kind in "biufc":
            return base
        raise WireError(f"an array of dtype {str(dtype)[:40]} is not a plain value")

    def keep(self, value: object, snapshot: tuple[str, ...] = ()) -> Handle:
        """Return a handle of an object that stays here, with the `snapshot` attributes."""
        number = self._numbers.get(id(value))
        if number is None:
            if len(self._objects) >= limit.HANDLES:
                raise WireError("more objects than may cross")
            number = self._numbers[id(value)] = len(self._objects) + 1
            self._objects[number] = value  # keeps the object alive, so that its id stays unique
        attributes = {}
        for name in snapshot:
            if hasattr(value, name):
                attributes[name] = getattr(value, name)
        return Handle(number, type_name(value), callable(value), attributes)

    def wrap_class(self, found: Callable[..., object]) -> Callable[..., Handle]:
        """Return a function that makes an object and returns a handle of it, even if it is a plain value."""
        return lambda *arguments: self.keep(found(*arguments))


class ObjectProxy:
    """Stands for an object of the grader; its methods run in the grader."""

    def __init__(self, export: Export, exchange: Exchange) -> None:
        self._name = export.name
        for method in export.methods:
            call = _make_call(export, method, exchange)
            setattr(self, method, call)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        methods = [each for each in vars(self) if not each.startswith("_")]
        text = f"the {self._name} of the grader has no {name!r}; it has: {', '.join(sorted(methods))}"
        raise AttributeError(text, name=name, obj=self)

    def __repr__(self) -> str:
        return f"<{self._name} of the grader>"


def _make_call(export: Export, name: str, exchange: Exchange) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        kind, value = exchange(export, name, arguments, keywords)
        if kind == messages.REFUSE:
            raise ValueError(value)
        return value

    call.__name__ = name or export.name
    return call
