"""Array pair: holds a wrong array, the right one and the test's names, and says where the right numbers went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks.relation import Relation
from autograder.checks.tolerances import Tolerance
from autograder.checks.values import Array
from autograder.plain_text import join_words

LARGEST_FACTOR = 10  # whole numbers up to this, and 1 over them, are factors that readers recognise
FEWEST_SIZES = 3  # of different right numbers for which a relation must hold
_SAME_SIZE = 1e-3  # relative: numbers nearer than this to each other count as the same
_CLEAR_ERROR = 1e-3  # of the largest right number: below it only the last digits differ
_ROWS_LISTED = 3
_FEWEST_RIGHT = 3  # numbers of different size in the right rows: fewer may be right by chance


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
        """Whether at least `fewest` numbers of different size are among the values that a relation rests on."""
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
    sizes = sizes[sizes > _SAME_SIZE * sizes[-1:]]  # none of none
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


def find_moved(pair: ArrayPair) -> Iterator[Relation]:
    """Find the right numbers, rows or columns in other positions."""
    got, right, items = pair.got, pair.right, pair.items
    if not pair.is_generic:
        return
    if pair.matches(right.T):
        yield Relation("transpose")
    if pair.matches(right[::-1]):
        yield Relation("reversed", (items,))
    if right.ndim > 1 and pair.matches(right[:, ::-1]):
        yield Relation("reversed", ("columns",))
    if len(right) > 2:
        if pair.is_near(got[1:], right[:-1]):
            yield Relation("moved", (items, "down"))
        if pair.is_near(got[:-1], right[1:]):
            yield Relation("moved", (items, "up"))
    if right.ndim == 2:
        if pair.is_near(_sort_rows(got), _sort_rows(right)):
            yield Relation("order", ("rows",))
        if pair.is_near(_sort_rows(got.T), _sort_rows(right.T)):
            yield Relation("order", ("columns",))
    if pair.is_near(np.sort(got, axis=None), np.sort(right, axis=None)):
        yield Relation("places")


def _sort_rows(values: Array) -> Array:
    columns = np.round(values, 6).T
    return np.asarray(values[np.lexsort(columns[::-1])])


def find_diagonal(pair: ArrayPair) -> Iterator[Relation]:
    """Find that all errors are on the diagonal, or all off it."""
    right = pair.right
    is_square = right.ndim == 2 and len(right) == len(right.T)
    if not is_square or len(right) < FEWEST_SIZES:
        return
    diagonal = np.eye(len(right), dtype=bool)
    if (pair.wrong == diagonal).all():
        yield Relation("diagonal", ("wrong",))
    if (pair.wrong == ~diagonal).all() and count_sizes(right[diagonal]) > 1:
        yield Relation("diagonal", ("right",))


def find_wrong_rows(pair: ArrayPair) -> Iterator[Relation]:
    """Find the wrong rows if the others are right, and not because they are 0."""
    rows_wrong = pair.wrong.reshape(len(pair.right), -1)
    wrong = np.asarray(rows_wrong.any(axis=1))
    if wrong.all() or not pair.has_sizes(pair.right[~wrong], _FEWEST_RIGHT):
        return
    called: list[str] = []
    covered: set[int] = set()
    for name, rows in pair.names.rows.items():
        if len(rows) and wrong[list(rows)].all():
            called.append(name)
            covered.update(rows)
    if called and covered == {*np.flatnonzero(wrong)}:
        yield Relation("named rows", (join_words(called),))
    if pair.right.ndim > 1:
        yield from _list_indices(wrong, "row")


def find_wrong_columns(pair: ArrayPair) -> Iterator[Relation]:
    """Find the wrong columns if the others are right, and not because they are 0."""
    if pair.right.ndim != 2 or len(pair.right) == 1:
        return
    wrong = np.asarray(pair.wrong.any(axis=0))
    if not wrong.all() and pair.has_sizes(pair.right[:, ~wrong], _FEWEST_RIGHT):
        yield from _list_indices(wrong, "column")


def _list_indices(is_wrong: Array, item: str) -> Iterator[Relation]:
    """List what may be said of the wrong and the right rows or columns; `item`: their name."""
    wrong, right = np.flatnonzero(is_wrong), np.flatnonzero(~is_wrong)
    last = len(is_wrong) - 1
    for indices, word in ((wrong, "wrong"), (right, "right")):
        if last < 2 or len(indices) != 1:
            continue
        index = int(indices[0])
        if index == 0:
            yield Relation("index", (f"the first {item}", word))
        elif index == last:
            yield Relation("index", (f"the last {item}", word))
    if len(wrong) == 1 <= len(right):
        yield Relation("index", (f"{item} {wrong[0]}", "wrong, counted from 0"))
    elif 1 < len(wrong) <= min(_ROWS_LISTED, len(right)):
        which = join_words(list(map(str, wrong)))
        yield Relation("indices", (f"{item}s {which}",))


def find_other_shape(pair: ArrayPair) -> Iterator[Relation]:
    """Find the right numbers in an array of another shape, or sums and means of one array that give the other."""
    got, right = pair.got, pair.right
    if not pair.has_sizes(right, 2):
        return
    if got.ndim == right.ndim == 2 and pair.matches(right.T):
        yield Relation("transpose")
    if pair.is_near(got.ravel(), right.ravel()):
        yield Relation("shape")
    for axis, word, value in _list_sums(got):
        if pair.is_near(value, right):
            yield Relation("not summed", (word, str(axis)))
    for axis, word, value in _list_sums(right):
        if pair.matches(value):
            yield Relation("summed", (word, str(axis)))


def _list_sums(values: Array) -> Iterator[tuple[int, str, Array]]:
    for axis in range(values.ndim):
        yield axis, "sum", values.sum(axis=axis)
        yield axis, "mean", values.mean(axis=axis)


def find_extra_or_missing_rows(pair: ArrayPair) -> Iterator[Relation]:
    """Find the right rows with some missing or too many."""
    got, right = pair.got, pair.right
    if got.ndim != right.ndim or got.shape[1:] != right.shape[1:]:
        return
    sizes = min(count_sizes(got), count_sizes(right))
    if sizes < FEWEST_SIZES:
        return
    if pair.is_near(got[: len(right)], right[: len(got)]):
        number = abs(len(got) - len(right))
        words = f"{pair.item} is"
        if number > 1:
            words = f"{number} {pair.items} are"
        which = "too many" if len(got) > len(right) else "missing"
        yield Relation("last rows", (words, which))
    elif all(_is_among(pair, row) for row in np.atleast_1d(got)):
        yield Relation("some rows", (pair.items,))


def _is_among(pair: ArrayPair, row: Array) -> bool:
    return any(pair.is_near(row, other) for other in pair.right)
