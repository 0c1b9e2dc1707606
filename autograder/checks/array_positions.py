"""Array positions: says where the right numbers are in a wrong array, and which of its rows are wrong."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autograder.checks.array_pair import FEWEST_SIZES, ArrayPair, count_sizes
from autograder.checks.relation import Relation
from autograder.checks.values import Array
from autograder.plain_text import join_words

_ROWS_LISTED = 3
_FEWEST_RIGHT = 3  # numbers of different size in the right rows: fewer may be right by chance


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
    """Find that all errors are on the diagonal, or all beside it."""
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
