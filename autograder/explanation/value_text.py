"""Value text: turns arguments, return values and outcomes into lines for staff, escaped and cut.

Values come from tests and from students. Large arrays show their corners, long texts and lists their beginning.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any

import numpy as np

from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes, is_equal
from autograder.grading.explain import clean_student_text
from autograder.plain_text import clean_line
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.student import Callback, ServedObject

_ENTRIES = 60  # of an array that is written in full
_EDGE = 3  # rows and columns at each end of a larger one
_WIDTH = 100
_ITEMS = 12
_PARTS = 12  # of a list, tuple or dict with a line for each
_CHARACTERS = 300
_NAME_CHARACTERS = 60
_BITS = 1_000  # of an integer that is written
_MESSAGE_CHARACTERS = 500
_LINE_CHARACTERS = 240
_NONE = "none"
_ROUNDING = 1e-12  # of the largest right entry, or of 1: smaller errors differ from machine to machine


def write_value(value: Any) -> list[str]:
    """Write a value on one line, or on several if it holds arrays of more than one row."""
    if isinstance(value, np.ndarray):
        return _write_array(value)
    if isinstance(value, Outcome):
        return write_outcome(value)
    if isinstance(value, np.generic):
        value = value.item()
    line = write_line(value)
    is_long = len(line) > _WIDTH and not isinstance(value, str)
    if isinstance(value, (list, tuple)) and (is_long or _holds_array(value)):
        return _write_parts(value, [(f"[{position}]", item) for position, item in enumerate(value)])
    if isinstance(value, dict) and (is_long or _holds_array(value.values())):
        return _write_parts(value, [(f"{write_line(key)}:", item) for key, item in value.items()])
    return [line]


def _holds_array(values: Iterable[Any]) -> bool:
    return any(isinstance(item, np.ndarray) for item in values)


def _write_parts(value: Sized, parts: Sequence[tuple[str, Any]]) -> list[str]:
    lines = [f"a {type(value).__name__} of {len(value)}:"]
    for name, item in parts[:_PARTS]:
        lines += _hang(f"  {name} ", write_value(item))
    return lines + ([f"  and {len(parts) - _PARTS} more"] if len(parts) > _PARTS else [])


def write_line(value: Any) -> str:
    """Write a value on one line."""
    return _clean(_SHORT.repr(value))


def write_outcome(outcome: Outcome) -> list[str]:
    """Write how a call ended without a value, with the student's message and the place."""
    if outcome.kind is OutcomeKind.RAISED:
        message = clean_line(clean_student_text(outcome.message, _MESSAGE_CHARACTERS), _MESSAGE_CHARACTERS)
        name = clean_line(outcome.error_type, _NAME_CHARACTERS) or "an exception"
        first = f"raised {name}" + (f": {message}" if message else "")
    else:
        first = outcome.kind.value.replace("_", " ")
    detail = f" ({clean_line(outcome.detail, _MESSAGE_CHARACTERS)})" if outcome.detail else ""
    frames = [f"{frame.file} line {frame.line}, in {frame.function}" for frame in outcome.frames[-_EDGE:]]
    return [first + detail, *(f"  at {_clean(frame)}" for frame in frames)]


def describe_difference(found: Any, right: Any) -> list[str]:
    """Describe how a value differs from the right one: the size and place of the largest error, by part."""
    if isinstance(found, Outcome) or isinstance(right, Outcome):
        return ["one of them is no value"]
    if _has_parts(found) and _has_parts(right) and len(found) == len(right):
        parts = [describe_difference(*pair) for pair in zip(found, right, strict=True)]
        wrong = [(position, lines) for position, lines in enumerate(parts) if lines != [_NONE]]
        return [f"[{position}] {line}" for position, lines in wrong[:_PARTS] for line in lines] or [_NONE]
    try:
        return [_describe_error(convert_to_numbers(found), convert_to_numbers(right))]
    except NotNumbers:
        return [_describe_place(found, right)]


def _describe_error(found: Array, right: Array) -> str:
    if drop_unit_axes(found.shape) != drop_unit_axes(right.shape):
        return f"the shape is {found.shape}, and {right.shape} is right"
    found, right = found.reshape(right.shape).astype(np.float64), right.astype(np.float64)
    if not right.size:
        return _NONE
    with np.errstate(all="ignore"):
        error = np.where((found == right) | (np.isnan(found) & np.isnan(right)), 0.0, np.abs(found - right))
    error = np.where(np.isnan(error), np.inf, error)
    scale = float(np.abs(right[np.isfinite(right)]).max(initial=0.0))
    if error.max() <= _ROUNDING * max(scale, 1.0):
        return _NONE
    worst = np.unravel_index(int(np.argmax(error)), right.shape)
    place = f" at [{', '.join(map(str, worst))}]" if right.ndim else ""
    relative = f", {error[worst] / scale:.3g} times the largest right entry" if scale else ""
    count = f"; {int((error > _ROUNDING * max(scale, 1.0)).sum())} of {error.size} entries differ" if right.ndim else ""
    values = f": {found[worst]:.10g} where {right[worst]:.10g} is right"
    return f"the largest error is {error[worst]:.3g}{place}{values}{relative}{count}"


def _describe_place(found: Any, right: Any) -> str:
    if is_equal(found, right):
        return _NONE
    if not isinstance(found, (list, tuple, str)) or not isinstance(right, (list, tuple, str)):
        return "the values are not equal"
    pairs = enumerate(zip(found, right, strict=False))
    first = next((position for position, pair in pairs if not is_equal(*pair)), min(len(found), len(right)))
    lengths = f"; the length is {len(found)}, and {len(right)} is right" if len(found) != len(right) else ""
    return f"the first that differs is at index {first}{lengths}"


def _has_parts(value: Any) -> bool:
    """Whether the value is a list or tuple of values with sizes of their own, such as a loss and its gradients."""
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return any(isinstance(item, (np.ndarray, list, tuple)) for item in value)


def _write_array(values: Array) -> list[str]:
    head = f"array of shape {values.shape} and type {values.dtype}" if values.ndim else f"numpy {values.dtype}"
    head = f"{head.removesuffix(' and type float64')}:"
    text = np.array2string(
        values, max_line_width=_WIDTH, precision=8, threshold=_ENTRIES, edgeitems=_EDGE, separator=", "
    )
    lines = text.splitlines()
    return [f"{head} {lines[0]}"] if len(lines) == 1 else [head, *(f"  {line}" for line in lines)]


def _hang(start: str, lines: list[str]) -> Iterator[str]:
    yield start + lines[0]
    yield from (" " * len(start) + line for line in lines[1:])


def _clean(text: str) -> str:
    return clean_line(clean_student_text(text, _LINE_CHARACTERS), _LINE_CHARACTERS)


class _Short(reprlib.Repr):
    """Writes the beginning of large values, and a description of what no literal makes."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = _ITEMS
        self.maxstring = self.maxlong = self.maxother = _CHARACTERS

    def repr1(self, x: Any, level: int) -> str:
        """Return the text of a value below the top."""
        if isinstance(x, (Callback, ServedObject)):
            return "<the grader's>"
        handle = x if isinstance(x, Handle) else getattr(type(x), "wire_handle", None) and x.wire_handle
        if isinstance(handle, Handle):
            return f"<object of class {clean_line(handle.type_name, _NAME_CHARACTERS)}>"
        return super().repr1(x, level)

    def repr_int(self, x: int, level: int) -> str:
        """Return the digits; Python refuses to write very many."""
        return super().repr_int(x, level) if x.bit_length() < _BITS else f"<an integer of {x.bit_length()} bits>"

    def repr_ndarray(self, value: Array, _level: int) -> str:
        """Return the entries, or the corners of a large array, on one line."""
        return " ".join(np.array2string(value, threshold=_ITEMS, edgeitems=2, separator=", ").split())


_SHORT = _Short()
