"""Array pair: holds a wrong array, the right one and the test's names, for the modules that say how they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks.tolerances import Tolerance
from autograder.checks.values import Array

LARGEST_FACTOR = 10  # whole numbers up to this, and 1 over them, are factors that readers recognise
FEWEST_SIZES = 3  # a relation must hold for so many right numbers of different size
_SAME_SIZE = 1e-3  # relative: numbers nearer than this to each other count as the same
_CLEAR_ERROR = 1e-3  # of the largest right number: below it only the last digits differ


@dataclass(frozen=True)
class Names:
    """Quantities that the text of a failure may name, each under the words in which students read it.

    `also`: arrays, or numbers, of neighbouring quantities. `terms`: arrays of the right shape that an answer may have
    left out or added. `rows`: indices of rows that belong together (of entries, where there is one axis). `sizes`: how
    many things are summed or averaged over.
    """

    also: Mapping[str, Any] = field(default_factory=dict)
    terms: Mapping[str, Array] = field(default_factory=dict)
    rows: Mapping[str, Sequence[int]] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)


NO_NAMES = Names()


@dataclass(frozen=True)
class ArrayPair:
    """Two arrays, neither empty; the right one is finite.

    `is_confirmed`: a relation is known from other arrays, and may rest on few numbers here.
    """

    got: Array
    right: Array
    tolerance: Tolerance
    names: Names
    is_confirmed: bool = False

    def is_near(self, value: Array, other: Array) -> bool:
        """Whether the arrays agree within the tolerance of the check."""
        if value.shape != other.shape or not np.isfinite(other).all():  # every number is within a tolerance of infinity
            return False
        allowed = self.tolerance.compute_allowed(other)
        return bool((np.abs(value - other) <= allowed).all())

    def matches(self, other: Array) -> bool:
        """Whether the student's array agrees with this one."""
        return self.is_near(self.got, other)

    @cached_property
    def wrong(self) -> NDArray[np.bool_]:
        """Mask of the wrong entries; the shapes are equal."""
        allowed = self.tolerance.compute_allowed(self.right)
        is_right = np.abs(self.got - self.right) <= allowed  # False for NaN
        return np.asarray(~is_right)

    @property
    def is_clearly_wrong(self) -> bool:
        """Whether some number differs in more than its last digits."""
        if self.got.shape != self.right.shape:
            return True
        allowed = _CLEAR_ERROR * np.abs(self.right).max()
        is_close = np.abs(self.got - self.right) <= allowed
        return not is_close.all()

    @property
    def is_generic(self) -> bool:
        """Whether the right numbers differ so much that a relation which holds for all is no coincidence."""
        return self.is_confirmed or is_generic(self.right)

    def has_sizes(self, values: Array, fewest: int = FEWEST_SIZES) -> bool:
        """Whether so many numbers of different size are among the values that a relation rests on."""
        return self.is_confirmed or count_sizes(values) >= fewest

    @property
    def item(self) -> str:
        """Name of an item of the first axis."""
        return "row" if self.right.ndim > 1 else "entry"

    @property
    def items(self) -> str:
        """Name of several items of the first axis."""
        return "rows" if self.right.ndim > 1 else "entries"


def count_sizes(values: Array) -> int:
    """Count the different sizes of the numbers, without those that are nearly 0."""
    sizes = np.sort(np.abs(values).ravel())
    sizes = sizes[sizes > _SAME_SIZE * sizes[-1]]
    steps = np.diff(sizes) > _SAME_SIZE * sizes[1:]
    return int(steps.sum()) + bool(sizes.size)


def is_generic(values: Array) -> bool:
    """Whether there are several numbers of different size that are not all whole."""
    is_whole = values == np.round(values)
    return count_sizes(values) >= FEWEST_SIZES and not is_whole.all()


def recognise_factor(pair: ArrayPair, factor: float) -> tuple[str, int]:
    """Return a factor as text, and the whole number in it; empty if it is no factor that readers recognise."""
    sign = "-" if factor < 0 else ""
    sizes = (*range(1, LARGEST_FACTOR + 1), *pair.right.shape, *pair.names.sizes.values())
    for number in sizes:
        if _is_size(pair, factor, number):
            return f"{sign}{number}", number
        if number and _is_size(pair, factor, 1 / number):
            return f"{sign}1/{number}", number
    return "", 0


def _is_size(pair: ArrayPair, factor: float, size: float) -> bool:
    return abs(abs(factor) - size) <= pair.tolerance.relative * size


def name_size(pair: ArrayPair, number: int) -> str:
    """Name the length that equals a factor, if there is just one; 2 is too common to tell."""
    sizes = pair.names.sizes or list_lengths(pair)
    called = [name for name, size in sizes.items() if size == number]
    return called[0] if number > 2 and len(called) == 1 else ""


def list_lengths(pair: ArrayPair) -> dict[str, int]:
    """List the lengths of the right array, by the words of a sentence."""
    shape = pair.right.shape
    if len(shape) == 2:
        return {"the number of rows": shape[0], "the number of columns": shape[1]}
    return {"the number of entries": shape[0]} if shape else {}
