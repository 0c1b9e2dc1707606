"""Checks: compare a student's return values with the right ones and say how they differ.

Hidden tests call these through `autograder.authoring`; no message holds an input of a hidden test.
"""

from autograder.checks.array_pair import Names
from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.checks.checks import (
    advise,
    array,
    close,
    equal,
    is_right,
    mapping,
    not_written,
    parts,
    require,
    scalar,
    unchanged,
)
from autograder.checks.output_order import find_places, require_order, take_parts
from autograder.checks.tolerances import DOUBLE, SINGLE
from autograder.checks.values import describe

__all__ = [
    "DOUBLE",
    "SINGLE",
    "CheckFailed",
    "Names",
    "NotWritten",
    "advise",
    "array",
    "close",
    "describe",
    "equal",
    "find_places",
    "is_right",
    "mapping",
    "not_written",
    "parts",
    "require",
    "require_order",
    "scalar",
    "take_parts",
    "unchanged",
]
