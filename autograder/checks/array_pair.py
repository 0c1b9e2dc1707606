"""Array pair: holds a wrong array, the right one and the test's names, and finds the right numbers in other places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks.tolerances import Tolerance
from autograder.checks.values import Array
from autograder.plain_text import join_words

LARGEST_FACTOR = 10  # whole numbers up to this, and 1 over them, are factors that readers recognise
FEWEST_SIZES = 3  # a relation must hold for so many right numbers of different size
_SAME_SIZE = 1e-3  # relative: numbers nearer than this to each other count as the same
_ROWS_LISTED = 3
_FEWEST_RIGHT = 3  # numbers of different size in the right rows: fewer may be right by chance
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


def find_moved(pair: ArrayPair) -> Iterator[str]:
    """Find the right numbers, rows or columns in other positions."""
    got, right, items = pair.got, pair.right, pair.items
    if not pair.is_generic:
        return
    if pair.matches(right.T):
        yield "it is the transpose of the right array"
    if pair.matches(right[::-1]):
        yield f"the {items} are in reverse order"
    if right.ndim > 1 and pair.matches(right[:, ::-1]):
        yield "the columns are in reverse order"
    for step, where in ((1, "down"), (-1, "up")):
        stays = slice(step, None) if step > 0 else slice(None, step)
        if len(right) > 2 and pair.is_near(got[stays], np.roll(right, step, axis=0)[stays]):
            yield f"the {items} are moved {where} by one"
    if right.ndim == 2 and pair.is_near(_sort_rows(got), _sort_rows(right)):
        yield "the rows are in another order"
    if right.ndim == 2 and pair.is_near(_sort_rows(got.T), _sort_rows(right.T)):
        yield "the columns are in another order"
    if pair.is_near(np.sort(got, axis=None), np.sort(right, axis=None)):
        yield "it holds the right numbers in other places"


def _sort_rows(values: Array) -> Array:
    return np.asarray(values[np.lexsort(np.round(values, 6).T[::-1])])


def find_diagonal(pair: ArrayPair) -> Iterator[str]:
    """Find that all errors are on the diagonal, or all beside it."""
    if pair.right.ndim == 2 and len(pair.right) == len(pair.right.T) >= FEWEST_SIZES:
        diagonal = np.eye(len(pair.right), dtype=bool)
        if (pair.wrong == diagonal).all():
            yield "only the diagonal is wrong"
        if (pair.wrong == ~diagonal).all() and count_sizes(pair.right[diagonal]) > 1:
            yield "only the diagonal is right"


def find_wrong_rows(pair: ArrayPair) -> Iterator[str]:
    """Find the wrong rows if the others are right, and not because they are 0."""
    wrong = np.asarray(pair.wrong.reshape(len(pair.right), -1).any(axis=1))
    if wrong.all() or not pair.has_sizes(pair.right[~wrong], _FEWEST_RIGHT):
        return
    called = [name for name, rows in pair.names.rows.items() if wrong[list(rows)].all() and len(rows)]
    if called and set(np.flatnonzero(wrong)) == {row for name in called for row in pair.names.rows[name]}:
        yield f"all is right but {join_words(called)}"
    if pair.right.ndim > 1:
        yield from _list_indices(np.flatnonzero(wrong), np.flatnonzero(~wrong), ("row", "rows"))


def find_wrong_columns(pair: ArrayPair) -> Iterator[str]:
    """Find the wrong columns if the others are right, and not because they are 0."""
    if pair.right.ndim == 2 and len(pair.right) > 1:
        wrong = pair.wrong.any(axis=0)
        if not wrong.all() and pair.has_sizes(pair.right[:, ~wrong], _FEWEST_RIGHT):
            yield from _list_indices(np.flatnonzero(wrong), np.flatnonzero(~wrong), ("column", "columns"))


def _list_indices(wrong: Array, right: Array, words: tuple[str, str]) -> Iterator[str]:
    last = len(wrong) + len(right) - 1
    for indices, word in ((wrong, "wrong"), (right, "right")):
        if len(indices) == 1 and last > 1 and indices[0] in (0, last):
            yield f"only the {'last' if indices[0] else 'first'} {words[0]} is {word}"
    if 0 < len(wrong) <= min(_ROWS_LISTED, len(right)):
        which = join_words([str(index) for index in wrong])
        yield f"only {words[len(wrong) > 1]} {which} {'are' if len(wrong) > 1 else 'is'} wrong, counted from 0"


def find_other_shape(pair: ArrayPair) -> Iterator[str]:
    """Find the right numbers in an array of another shape, or sums and means of one array that give the other."""
    got, right = pair.got, pair.right
    if not pair.has_sizes(right, 2):
        return
    if got.ndim == right.ndim == 2 and pair.matches(right.T):
        yield "it is the transpose of the right array"
    if pair.is_near(got.ravel(), right.ravel()):
        yield "it holds the right numbers in the right order, in another shape"
    for axis in range(got.ndim):
        for word, function in (("sum", np.sum), ("mean", np.mean)):
            if pair.is_near(function(got, axis=axis), right):
                yield f"its {word} over axis {axis} is the right array"
    for axis in range(right.ndim):
        for word, function in (("sum", np.sum), ("mean", np.mean)):
            if pair.matches(function(right, axis=axis)):
                yield f"it is the {word} of the right array over axis {axis}"


def find_extra_or_missing_rows(pair: ArrayPair) -> Iterator[str]:
    """Find the right rows with some missing or too many."""
    got, right = pair.got, pair.right
    if got.ndim != right.ndim or got.shape[1:] != right.shape[1:] or min(count_sizes(got), count_sizes(right)) < 3:
        return
    found = [[pair.is_near(row, other) for other in right] for row in np.atleast_1d(got)]
    if pair.is_near(got[: len(right)], right[: len(got)]):
        number = abs(len(got) - len(right))
        words = f"{number} {pair.items} are" if number > 1 else f"{pair.item} is"
        yield f"the last {words} {'too many' if len(got) > len(right) else 'missing'}; the others are right"
    elif all(map(any, found)):
        yield f"each of its {pair.items} is one of the right array"
