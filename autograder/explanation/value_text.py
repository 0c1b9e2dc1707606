"""Value text: turns values and outcomes into lines for staff, escaped and cut.

Values come from tests and from students. Large arrays show their corners, long texts and lists their beginning.
"""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

from autograder.checks.values import Array, NotNumbers, convert_to_numbers
from autograder.grading.explain import clean_student_text
from autograder.plain_text import clean_line
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle

_ENTRIES = 60  # of an array that is written in full
_EDGE = 3  # rows and columns at each end of a larger one, and places of an error
_WIDTH = 100
_ITEMS = 12
_CHARACTERS = 300
_BITS = 1_000  # of an integer that is written
_LINE_CHARACTERS = 500
_LINES = 30


def write_value(value: Any) -> list[str]:
    """Write a value, or how a call ended without one."""
    value = value.item() if isinstance(value, np.generic) else value
    lines = _list_ending(value) if isinstance(value, Outcome) else _SHORT.repr(value).splitlines()
    shown = [clean_line(clean_student_text(line, _LINE_CHARACTERS), _LINE_CHARACTERS) for line in lines[:_LINES]]
    return [*shown, f"and {len(lines) - _LINES} more lines"] if len(lines) > _LINES else shown


def _list_ending(outcome: Outcome) -> list[str]:
    """List how a call ended, with the student's message, and the places."""
    is_raised = outcome.kind is OutcomeKind.RAISED
    name = f"raised {outcome.error_type or 'an exception'}" if is_raised else outcome.kind.value.replace("_", " ")
    told = [name, *filter(None, [outcome.message, outcome.detail])]
    return [
        ": ".join(told),
        *(f"  at {each.file} line {each.line}, in {each.function}" for each in outcome.frames[-_EDGE:]),
    ]


def describe_difference(found: Any, right: Any) -> str:
    """Describe the largest error by its size and place; empty where there is none, or for other shapes."""
    try:
        values, others = (convert_to_numbers(each).astype(np.float64) for each in (found, right))
    except NotNumbers:
        return ""
    if values.shape != others.shape or np.array_equal(values, others, equal_nan=True):
        return ""
    with np.errstate(all="ignore"):
        error = np.abs(values - others)
    error = np.where(values == others, 0.0, np.where(np.isnan(error), np.inf, error))
    worst = np.unravel_index(int(np.argmax(error)), error.shape)
    place = f" at [{', '.join(map(str, worst))}]" if error.ndim else ""
    return f"{error[worst]:.3g}{place}: {values[worst]:.10g} where {others[worst]:.10g} is right"


class _Short(reprlib.Repr):
    """Writes the beginning of large values, and a description of what no literal makes."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = _ITEMS
        self.maxstring = self.maxlong = self.maxother = _CHARACTERS

    def repr_Handle(self, x: Handle, _level: int) -> str:  # noqa: N802  (`reprlib` finds it by the name of the class)
        """Name the class of an object."""
        return f"<object of class {x.type_name}>"

    def repr_int(self, x: int, level: int) -> str:
        """Return the digits; Python refuses to write very many."""
        return super().repr_int(x, level) if x.bit_length() < _BITS else f"<an integer of {x.bit_length()} bits>"

    def repr_ndarray(self, x: Array, _level: int) -> str:
        """Return the shape, and the entries or the corners of a large array."""
        text = np.array2string(
            x, max_line_width=_WIDTH, precision=8, threshold=_ENTRIES, edgeitems=_EDGE, separator=", "
        )
        dtype = "" if x.dtype == np.float64 else f" and type {x.dtype}"
        return f"array of shape {x.shape}{dtype}:" + ("\n" if "\n" in text else " ") + text


_SHORT = _Short()
