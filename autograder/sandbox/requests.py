"""Requests: answers a hidden test's requests about functions and objects: return values, attributes and warnings.

Run in the worker on student code, with the worker's rights; and by the grader on its own functions, when it replays a
test to learn the return values of a known mistake. Trusts no value of student code, and no exception: the student
controls it and its class, so its text may be endless, or no text at all. How values are converted is for convenience,
not for safety, since the grader decodes every message with the same care: a numpy scalar becomes Python's number or an
array without axes, an ndarray subclass its base array, a deque or a namedtuple a list or tuple, a tensor an array; any
other object, and a dict with other keys than texts and whole numbers, stays here and crosses as a handle.
"""

from __future__ import annotations

import random
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

from autograder.programs.plain_values import NAME_LIMIT, SEQUENCES, Handle, type_name
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import messages, tensors
from autograder.sandbox.protocol.decoder import Makers, decode
from autograder.sandbox.protocol.trusted_form import unpack_records
from autograder.sandbox.protocol.wire import Export, Tensor, WireError, encode

# Sends a call to the grader: the export, the method or "", the arguments and the keywords; returns the message that
# answers it: its value or a refusal.
Exchange = Callable[[Export, str, tuple[Any, ...], dict[str, Any]], tuple[str, Any]]
_NOT_SHOWN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)  # as by Python's default
_SHORTER = {"g": "d", "G": "D"}  # doubles for long doubles, by numpy's letters


class Values:
    """The objects of one worker that the grader knows by number, and the conversion of all other values."""

    def __init__(self, exchange: Exchange) -> None:
        self._objects: dict[int, object] = {}
        self._numbers: dict[int, int] = {}
        self._exchange = exchange
        self._served: dict[int, Any] = {}
        self._makers: Makers = {
            Handle: lambda handle: self._objects[handle.id],
            Export: self._make_proxy,
            Tensor: tensors.make_tensor,
        }
        self._given: dict[int, tuple[Export, object]] = {}  # what stands for the grader's objects here, by its id

    def pack(self, message: object, *, snapshot: tuple[str, ...] = ()) -> bytes:
        """Encode a message; the handles of objects that stay here carry the `snapshot` attributes."""
        return encode(message, convert=lambda value: self._convert(value, snapshot))

    def unpack(self, payload: bytes) -> Any:
        """Decode a message of the grader, with handles replaced by their objects and exports by proxies."""
        return decode(payload, self._makers)

    def forget(self) -> None:
        """Forget all objects."""
        for each in (self._objects, self._numbers, self._served, self._given):
            each.clear()

    def add_toy(self, made: object, number: int) -> None:
        """Remember a toy that was made here, which crosses as one of the grader's objects."""
        self._given[id(made)] = Export(number, "toy", callable(made)), made

    def _make_proxy(self, export: Export) -> Any:
        """Return what represents a function of the grader, always the same one."""
        if export.id not in self._served:
            served = _make_call(export, self._exchange)
            self._served[export.id] = served
            self._given[id(served)] = export, served
        return self._served[export.id]

    def _convert(self, value: Any, snapshot: tuple[str, ...]) -> object:
        if id(value) in self._given:
            export, _ = self._given[id(value)]
            return export
        if type(value) is np.float64 or type(value) is np.int64:
            return value.item()  # a list may hold thousands
        if isinstance(value, (np.ndarray, np.generic)):
            return self._convert_array(np.asarray(value))
        if isinstance(value, tuple):
            return tuple(value)
        if isinstance(value, list) or type(value) in SEQUENCES:
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
        if dtype.char in _SHORTER:
            with np.errstate(over="ignore"):  # a warning would stand among what the student's code printed
                return base.astype(_SHORTER[dtype.char])
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
        attributes = {name: getattr(value, name) for name in snapshot if hasattr(value, name)}
        return Handle(number, type_name(value), callable(value), attributes)

    def wrap_class(self, found: Callable[..., object]) -> Callable[..., Handle]:
        """Return a function that makes an object and returns a handle of it, even if it is a plain value."""
        return lambda *arguments: self.keep(found(*arguments))


def _make_call(export: Export, exchange: Exchange) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        kind, value = exchange(export, "", arguments, keywords)
        if kind == messages.REFUSE:
            raise ValueError(value)
        return value

    call.__name__ = export.name
    return call


class Requests:
    """The requests about functions and objects of this process, each with the function that answers it."""

    def __init__(self, values: Values, start_call: Callable[[], object] = lambda: None) -> None:
        """Answer requests; `start_call` is called before each of the calls that one request is about."""
        self._values = values
        self._start_call = start_call
        self.handlers: dict[str, Callable[..., object]] = {
            messages.CALL: lambda function, arguments: function(*arguments),
            messages.CALL_KEEPING_VALUE: self._call_keeping_value,
            messages.CALL_METHOD: lambda owner, name, arguments: getattr(owner, name)(*arguments),
            messages.CALL_RECORDING_WARNINGS: self._call_recording_warnings,
            messages.CALL_WITH_GRADIENTS: self._call_with_gradients,
            messages.EACH: self._call_each,
            messages.GET: self._get,
            messages.SET: setattr,
            messages.MAKE: self._make,
        }

    def _call_keeping_value(self, function: Any, arguments: tuple[Any, ...], part: int | None = None) -> object:
        return self._values.keep(_take_part(function(*arguments), part))

    def _call_recording_warnings(self, function: Any, arguments: tuple[Any, ...]) -> object:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for category in _NOT_SHOWN:
                warnings.simplefilter("ignore", category)
            value = function(*arguments)
        names = [warning.category.__name__ for warning in caught]
        return (value, names)

    def _call_with_gradients(
        self, owner: Any, name: str, arguments: tuple[Any, ...], output_gradient: Any, of: list[str | int]
    ) -> object:
        """Call a function, or a method by its name, and compute gradients by attributes and arguments."""
        function = getattr(owner, name) if name else owner
        value = function(*arguments)
        sources = []
        for each in of:
            source = getattr(owner, each) if isinstance(each, str) else arguments[each]
            sources.append(source)
        return (value, tensors.compute_gradients(value, output_gradient, sources))

    def _make(self, packed: bytes) -> object:
        return self._values.keep(unpack_records(packed).build())

    def _call_each(self, function: Any, calls: list[tuple[Any, ...]], part: int | None = None) -> list[object]:
        values: list[object] = []
        for arguments in calls:
            self._start_call()
            values.append(_take_part(function(*arguments), part))
        return values

    def _get(self, owner: Any, name: str) -> object:
        value = getattr(owner, name)
        return self._values.keep(value) if callable(value) else value


def _take_part(value: Any, part: int | None) -> Any:
    """Return an item of a value, or the value itself where none is wanted or it has no such item."""
    if part is None:
        return value
    is_array = isinstance(value, np.ndarray) and value.ndim > 0
    has_part = (is_array or isinstance(value, (list, tuple))) and part < len(value)
    return value[part] if has_part else value


def seed_generators() -> None:
    """Seed `numpy.random`, `random`, and torch where it is loaded, with the seed of every worker and every replay."""
    np.random.seed(limit.WORKER_SEED)  # noqa: NPY002  (the one that student code uses)
    random.seed(limit.WORKER_SEED)
    tensors.seed(limit.WORKER_SEED)


def describe_exception(error: BaseException, paths: Collection[str]) -> tuple[object, ...]:
    """Return its type, its built-in base types, its text, the undefined name, and its traceback lines in `paths`."""
    name = type(error).__name__[:NAME_LIMIT]
    kinds = tuple(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
    frames = list(_list_frames(error, paths))
    last = frames[-limit.FRAMES_KEPT :]
    return (name, kinds, _read_text(error), _find_missing_name(error), last)


def _list_frames(error: BaseException, paths: Collection[str]) -> Iterator[tuple[str, int, str]]:
    """List the traceback's lines in the student's own files, innermost last."""
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if code.co_filename in paths:
            yield (code.co_filename, line, code.co_name)
    if isinstance(error, SyntaxError) and error.filename in paths:
        yield (str(error.filename), error.lineno or 0, "")


def _read_text(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # noqa: BLE001  (an exception whose __str__ raises: its type is reported anyway)
        text = ""
    return str(text)[: limit.MESSAGE_CHARACTERS]


def _find_missing_name(error: BaseException) -> str:
    if isinstance(error, UnboundLocalError):  # the only NameError without the attribute `name`
        _, _, rest = _read_text(error).partition("'")
        name, _, _ = rest.partition("'")
        return name[:NAME_LIMIT]
    if not isinstance(error, (NameError, AttributeError, ImportError)):
        return ""
    missing = getattr(error, "name", None)
    return missing[:NAME_LIMIT] if isinstance(missing, str) else ""
