"""Values: describes, converts and compares values received from a worker.

No function here sends a request: an object that stayed in the worker is described by its class name only. Large values
are not copied before their size is known.
"""

from __future__ import annotations

import builtins
import reprlib
from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_NUMBERS = (bool, int, float)
NUMBERS_LIMIT = 2**21  # numbers in lists, of floats and arrays: 16 MiB of flags would become 128 MiB of floats
_COMMON = {"generator", "function", "method", "builtin_function_or_method", "module", "ufunc", "Generator", "deque"}
_COMMON |= {"dict_keys", "dict_values", "dict_items", "defaultdict", "OrderedDict", "Counter", "matrix"}
_COMMON |= {"coroutine", "async_generator", "Fraction", "Decimal", "partial"}
_SHOWN_CHARACTERS = 400
_SHOWN_ITEMS = 100
# Of a shape, or of the way to an item: no check has more axes, and code could choose each size by a hidden input. Where
# an array has entries, their number bounds the sizes.
_SHOWN_AXES = 6
_LONGEST_IF_EMPTY = 1_000


class NotNumbers(Exception):
    """The value holds no real numbers; the text describes it."""


def is_remote(value: object) -> bool:
    """Whether the value is a student's object that stayed in the worker."""
    return hasattr(type(value), "wire_handle")


def has_remote(value: object) -> bool:
    """Whether the value is, or holds, a student's object that stayed in the worker."""
    if isinstance(value, dict):
        return any(map(has_remote, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(has_remote, value))
    return is_remote(value)


def describe(value: Any) -> str:
    """Describe the kind and size of a value, without its numbers."""
    if value is None:
        return "None (is there a return statement?)"
    if is_remote(value):
        name = value.wire_handle.type_name  # a class may be named after the inputs of a test while the code runs
        is_common = hasattr(builtins, name) or name in _COMMON
        return f"an object of class {name}" if is_common else "an object of a class of your own"
    if isinstance(value, np.ndarray):
        return f"an array of {show_shape(value.shape)} and type {value.dtype}"
    if isinstance(value, (list, tuple, dict, str, bytes)):
        return f"a {type(value).__name__} of length {len(value)}"
    return f"a value of type {type(value).__name__}"


def show_shape(shape: Sequence[int]) -> str:
    """Write a shape; only the number of its axes where no check has such a one."""
    is_short = 0 not in shape or max(shape) <= _LONGEST_IF_EMPTY
    is_usual = is_short and len(shape) <= _SHOWN_AXES
    return f"shape {tuple(shape)}" if is_usual else f"{len(shape)} axes"


def convert_to_numbers(value: object) -> Array:
    """Convert the value to an array of real numbers; NotNumbers if that is impossible."""
    if not isinstance(value, (*_NUMBERS, list, tuple, np.ndarray)):
        raise NotNumbers(describe(value))
    if not _has_only_numbers(value):
        problem = f"{describe(value)} that does not hold real numbers"
        way, other = _find_other(value)
        if 0 < way.count("[") <= _SHOWN_AXES:
            what = "None" if other is None else describe(other)
            problem = f"{problem}: {way} is {what}"
        raise NotNumbers(problem)
    if _count_numbers(value) > NUMBERS_LIMIT and not isinstance(value, np.ndarray):
        raise NotNumbers(f"{describe(value)} that holds more than {NUMBERS_LIMIT} numbers")
    try:
        numbers = np.asarray(value)
    except ValueError:
        raise NotNumbers(f"{describe(value)} whose rows have different lengths") from None
    if numbers.dtype.kind == "O":
        raise NotNumbers(f"{describe(value)} that holds an integer of more than 64 bits")
    return numbers


def is_equal(first: Any, second: Any) -> bool:
    """Whether plain values are exactly equal; NaN equals NaN; lists, tuples and arrays are interchangeable."""
    if type(first) is str and type(second) is str:  # as most of the parser's are
        return first == second
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return first.shape == second.shape and _are_arrays_equal(first, second)
    if is_sequence(first) and is_sequence(second):
        return len(first) == len(second) and all(map(is_equal, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        if first.keys() != second.keys():
            return False
        return all(is_equal(first[key], second[key]) for key in first)
    first, second = _unwrap_number(first), _unwrap_number(second)
    for value in (first, second):
        if is_remote(value) or isinstance(value, np.ndarray):
            return False
    are_both_nan = first != first and second != second
    return bool(first == second or are_both_nan)


def _are_arrays_equal(first: Array, second: Array) -> bool:
    are_both_nan = (first != first) & (second != second)
    return bool(((first == second) | are_both_nan).all())


def is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether the value is a list, a tuple or an array with axes, which are interchangeable."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, (list, tuple))


def is_numeric(expected: Any) -> bool:
    """Return whether a right value is a number or an array of numbers."""
    return isinstance(expected, (int, float, np.ndarray, np.generic)) and not isinstance(expected, bool)


def is_listed(expected: Any) -> bool:
    """Return whether a right value is a list of texts, or of such lists: its items are compared together."""
    if not is_sequence(expected):
        return False
    items: list[Any] = []
    for one in expected:
        if isinstance(one, (list, tuple)):
            items += one
        else:
            items.append(one)
    return all(isinstance(each, str) for each in items)


def drop_unit_axes(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Drop the axes of length 1 from a shape: right solutions differ in them."""
    return tuple(length for length in shape if length != 1)


def show(value: object) -> str:
    """Return the value as text, cut to a few hundred characters."""
    text = _SHORT.repr(value)
    if len(text) > _SHOWN_CHARACTERS:
        text = f"{text[:_SHOWN_CHARACTERS]} ..."
    return text


def format_index(position: Sequence[Any]) -> str:
    """Return the index of an entry as text."""
    return str(list(map(int, position)))


def say_share(bad: NDArray[np.bool_]) -> str:
    """Say how many entries something holds for, up to the verb."""
    if bad.size == 1:
        return "its only entry is"
    count = int(bad.sum())
    verb = "is" if count == 1 else "are"
    return f"{count} of {bad.size} entries {verb}"


def _has_only_numbers(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "buif"
    if isinstance(value, (list, tuple)):
        return _is_row(value) or all(map(_has_only_numbers, value))
    return isinstance(value, _NUMBERS)


def _is_row(value: Sequence[object]) -> bool:
    """Whether a list holds numbers alone, and no lists of them: thousands of items are looked at at once."""
    return {*_NUMBERS}.issuperset(map(type, value))


def _find_other(value: object) -> tuple[str, object]:
    """Find the first item that is no real number, with the way to it, in a value that does not hold numbers alone."""
    if not isinstance(value, (list, tuple)):
        return "", value
    for number, each in enumerate(value):
        if not _has_only_numbers(each):
            way, other = _find_other(each)
            return f"[{number}]{way}", other
    raise AssertionError("the value holds numbers alone")


def _count_numbers(value: object) -> int:
    if isinstance(value, (list, tuple)):
        return len(value) if _is_row(value) else sum(map(_count_numbers, value))
    return int(value.size) if isinstance(value, np.ndarray) else 1


def _unwrap_number(value: Any) -> Any:
    is_array = isinstance(value, np.ndarray) and value.ndim == 0
    return value.item() if is_array or isinstance(value, np.generic) else value


class _Short(reprlib.Repr):
    """Spells out the first items of large values."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = _SHOWN_ITEMS
        self.maxstring = self.maxlong = self.maxother = _SHOWN_CHARACTERS

    def repr_ndarray(self, value: Array, level: int) -> str:
        """Return the list of the entries, or a description of a large array."""
        if value.size > _SHOWN_ITEMS:
            return f"<{describe(value)}>"
        return self.repr1(value.tolist(), level)

    def repr_Remote(self, value: object, _level: int) -> str:  # noqa: N802  (reprlib looks methods up by class name)
        """Return the description."""
        return f"<{describe(value)}>"

    repr_Handle = repr_Remote  # noqa: N815  (as above)


_SHORT = _Short()
