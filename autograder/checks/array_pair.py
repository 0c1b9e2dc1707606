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
        return bool((np.abs(value - other) <= self.tolerance.compute_allowed(other)).all())

    def matches(self, other: Array) -> bool:
        """Whether the student's array agrees with this one."""
        return self.is_near(self.got, other)

    @cached_property
    def wrong(self) -> NDArray[np.bool_]:
        """Mask of the wrong entries; the shapes are equal."""
        return np.asarray(~(np.abs(self.got - self.right) <= self.tolerance.compute_allowed(self.right)))

    @property
    def is_clearly_wrong(self) -> bool:
        """Whether some number differs in more than its last digits."""
        if self.got.shape != self.right.shape:
            return True
        return not bool((np.abs(self.got - self.right) <= _CLEAR_ERROR * np.abs(self.right).max()).all())

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
    return int((np.diff(sizes) > _SAME_SIZE * sizes[1:]).sum()) + bool(sizes.size)


def is_generic(values: Array) -> bool:
    """Whether there are several numbers of different size that are not all whole."""
    return count_sizes(values) >= FEWEST_SIZES and bool((values != np.round(values)).any())


def recognise_factor(pair: ArrayPair, factor: float) -> tuple[str, int]:
    """Return a factor as text, and the whole number in it; empty if it is no factor that readers recognise."""
    sign, size = "-" if factor < 0 else "", abs(factor)
    sizes = (*range(1, LARGEST_FACTOR + 1), *pair.right.shape, *pair.names.sizes.values())
    for number in sizes:
        for text, value in ((f"{number}", number), (f"1/{number}", 1 / number if number else 0)):
            if abs(size - value) <= pair.tolerance.relative * value:
                return sign + text, number
    return "", 0


def explain_size(pair: ArrayPair, number: int) -> str:
    """Name the length that equals a factor, if there is just one; 2 is too common to tell."""
    sizes = pair.names.sizes or list_lengths(pair)
    called = [name for name, size in sizes.items() if size == number]
    if number <= 2 or len(called) != 1:
        return ""
    return f", and {number} is {called[0]}"


def list_lengths(pair: ArrayPair) -> dict[str, int]:
    """List the lengths of the right array, by the words of a sentence."""
    axes = ("rows", "columns") if pair.right.ndim == 2 else ("entries",)
    return {f"the number of {what}": length for what, length in zip(axes, pair.right.shape, strict=False)}
