"""Requests: answers a hidden test's requests about functions and objects: return values, attributes and warnings.

Run in the worker on student code, with the worker's rights; and by the grader on its own functions, when it replays a
test to learn the return values of a known mistake. Trusts no value of student code, and no exception: the student
controls it and its class, so its text may be endless, or no text at all.
"""

from __future__ import annotations

import random
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.calls.values import Values
from autograder.sandbox.protocol import messages, tensors
from autograder.sandbox.protocol.trusted_form import unpack_records

_NAME_CHARACTERS = 200
_NOT_SHOWN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)  # as by Python's default


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
        value = function(*arguments)
        return self._values.keep(_take_part(value, part))

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
        recipe = unpack_records(packed)
        return self._values.keep(recipe.build())

    def _call_each(self, function: Any, calls: list[tuple[Any, ...]], part: int | None = None) -> list[object]:
        values: list[object] = []
        for arguments in calls:
            self._start_call()
            value = function(*arguments)
            values.append(_take_part(value, part))
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
    name = type(error).__name__[:_NAME_CHARACTERS]
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
        return name[:_NAME_CHARACTERS]
    if not isinstance(error, (NameError, AttributeError, ImportError)):
        return ""
    missing = getattr(error, "name", None)
    return missing[:_NAME_CHARACTERS] if isinstance(missing, str) else ""
