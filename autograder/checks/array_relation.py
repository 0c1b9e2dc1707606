"""Array relation: turns a wrong array and the right one into a sentence that says how they differ, if that is clear.

A sentence holds for every entry within the tolerance of the check, and rests on several right numbers of different
size: a single number is a multiple of any other, and two that sum to 0 are the negative of each other. No sentence
contains a number of the right array, only small whole factors, fractions of 1, lengths and indices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from autograder.checks import array_positions
from autograder.checks.array_pair import (
    FEWEST_SIZES,
    NO_NAMES,
    ArrayPair,
    Names,
    count_sizes,
    explain_size,
    list_lengths,
    recognise_factor,
)
from autograder.checks.tolerances import DOUBLE, Tolerance
from autograder.checks.values import Array

_LARGEST_SIZE = 100_000  # numbers in an answer: larger ones would take too long
_FINITE_RIGHT = "the entries that are finite are right"
_EXACT = 1e-9  # relative: a single number agrees to this by chance once in 10^8


def list_relations(
    got: Array, right: Array, *, tolerance: Tolerance = DOUBLE, names: Names = NO_NAMES, is_confirmed: bool = False
) -> list[str]:
    """List the sentences that are true of `got` and `right`, which is finite, the clearest first.

    `is_confirmed`: see `ArrayPair`; `got` may then be right.
    """
    if 0 in (got.size, right.size) or got.size > _LARGEST_SIZE:
        return []
    pair = ArrayPair(got.astype(np.float64), right.astype(np.float64), tolerance, names, is_confirmed)
    with np.errstate(all="ignore"):  # a student's numbers may be so large that their products are infinite
        if not is_confirmed and not pair.is_clearly_wrong:
            return []
        return [sentence for find in _choose_finders(pair) for sentence in find(pair)]


def _choose_finders(pair: ArrayPair) -> tuple[_Finder, ...]:
    is_same_shape = pair.got.shape == pair.right.shape
    if not np.isfinite(pair.got).all():
        return (_find_not_finite,)
    if not pair.right.ndim:  # a single number is a multiple of any other
        return (_find_named,)
    if is_same_shape and not pair.wrong.any():
        return _OF_RIGHT
    return _SAME_SHAPE if is_same_shape else _OTHER_SHAPE


def _find_not_finite(pair: ArrayPair) -> Iterator[str]:
    """Find that all errors are NaN or infinite."""
    is_finite = np.isfinite(pair.got)
    if pair.got.shape == pair.right.shape and is_finite.any() and (pair.wrong == ~is_finite).all():
        yield _FINITE_RIGHT


def _find_none_infinite(_pair: ArrayPair) -> Iterator[str]:
    """Say of a right array what is said of one that is right apart from NaN."""
    yield _FINITE_RIGHT


def _find_constant(pair: ArrayPair) -> Iterator[str]:
    got, right = pair.got, pair.right
    if got.size > 1 and not got.any():
        yield "all its entries are 0"
    elif got.size > 1 and (got == got.flat[0]).all():
        yield "all its entries are the same number"
    elif got.ndim > 1 and (got == got[:1]).all() and (len(got) > 1 or pair.is_confirmed):
        if (right == right[:1]).all() and not pair.is_confirmed:
            return
        if got.shape == right.shape and pair.is_near(got[0], right.sum(axis=0)):
            yield "all its rows are the same, each the sum of the right rows"
        yield "all its rows are the same"


def _find_named(pair: ArrayPair) -> Iterator[str]:
    for name, other in pair.names.also.items():
        values = np.asarray(other, dtype=np.float64)
        if values.size == 1 and pair.got.size == 1:
            is_equal = bool(np.isclose(pair.got.item(), values.item(), rtol=_EXACT, atol=0))
        else:
            is_equal = count_sizes(values) > 1 and pair.matches(values)
        if is_equal:
            yield f"it equals {name}"


def _find_scaled(pair: ArrayPair) -> Iterator[str]:
    got, right = pair.got, pair.right
    largest = np.abs(right).max()
    size = (right / largest * right).sum()
    factor = float((got / largest * right).sum() / size)
    if not pair.is_generic or not np.isfinite(factor) or not pair.matches(factor * right):
        return
    text, number = recognise_factor(pair, factor)
    if text == "-1":
        yield "every entry has the wrong sign"
    elif text not in ("", "1"):
        called = explain_size(pair, number)
        reason = ": a sum differs from a mean by that" if called and pair.names.sizes else ""
        yield f"every entry is {text} times the right one{called}{reason}"
        yield f"every entry is {text} times the right one"
    yield from _find_named_factor(pair, factor)
    if text != "1":
        yield "every entry is the right one times the same factor"


def _find_named_factor(pair: ArrayPair, factor: float) -> Iterator[str]:
    """Find a factor that is a size, another number in other cases, or that turns one logarithm into another."""
    named = {f"ln {base}": math.log(base) for base in (2, 10)} | list_lengths(pair) | dict(pair.names.sizes)
    for name, number in named.items():
        if number > 0 and np.isclose(factor, number, rtol=pair.tolerance.relative):
            yield f"every entry is the right one times {name}"
        if number > 0 and np.isclose(factor, 1 / number, rtol=pair.tolerance.relative):
            yield f"every entry is the right one divided by {name}"


def _find_term(pair: ArrayPair) -> Iterator[str]:
    for name, term in pair.names.terms.items():
        for sign, word in ((1, "plus"), (-1, "minus")):
            if pair.is_generic and pair.has_sizes(term, 2) and pair.matches(pair.right + sign * term):
                yield f"it is the right array {word} {name}"


def _find_shifted(pair: ArrayPair) -> Iterator[str]:
    offset = float((pair.got - pair.right).mean())
    if pair.is_generic and pair.matches(pair.right + offset):
        text, _ = recognise_factor(pair, offset)
        amount = text.lstrip("-") or "one and the same number"
        yield f"every entry is too {_say_large_or_small(offset)} by {amount}"


def _say_large_or_small(offset: float) -> str:
    return "large" if offset > 0 else "small"


def _find_one_hot(pair: ArrayPair) -> Iterator[str]:
    """Find a single wrong entry in each row, off by the same amount in all."""
    wrong, right = pair.wrong, pair.right
    if right.size < FEWEST_SIZES and not pair.is_confirmed:
        return
    if right.shape[-1] < 2 or not (wrong.sum(axis=-1) == 1).all():
        return
    offsets = (pair.got - right)[wrong]
    text, number = recognise_factor(pair, float(offsets[0]))
    if not text or not pair.is_near(pair.got, right + wrong * offsets[0]):
        return
    amount = text.lstrip("-") + (explain_size(pair, number) if number > 1 else "")
    start = "in each row one entry" if right.ndim > 1 else "one entry"
    if number == 1 or right.ndim > 1:
        yield f"{start} is too {_say_large_or_small(float(offsets[0]))} by {amount}; the others are right"


def _find_elementwise(pair: ArrayPair) -> Iterator[str]:
    functions: dict[str, Callable[[Array], Array]] = {
        "the absolute value of the right one": np.abs,
        "1 over the right one": lambda right: 1 / right,
        "1 minus the right one": lambda right: 1 - right,
        "the square of the right one": np.square,
    }
    if pair.is_generic:
        for words, function in functions.items():
            if pair.matches(function(pair.right)):
                yield f"every entry is {words}"


def _find_zeros(pair: ArrayPair) -> Iterator[str]:
    found = {"the entries that should be 0 are not": pair.right, "some entries are 0 that should not be": pair.got}
    for words, values in found.items():
        is_zero = values == 0
        if is_zero.sum() > 1 and (pair.wrong == is_zero).all() and pair.has_sizes(values):
            yield f"{words}; the others are right"


def _find_scaled_rows(pair: ArrayPair) -> Iterator[str]:
    if pair.right.ndim != 2:
        return
    for got, right, word in ((pair.got, pair.right, "row"), (pair.got.T, pair.right.T, "column")):
        if len(right) < 2 or not all(map(pair.has_sizes, right)):
            continue
        factors = (got * right).sum(axis=1, keepdims=True) / (right**2).sum(axis=1, keepdims=True)
        if all(pair.is_near(*each) for each in zip(got, factors * right, strict=True)) and factors.any():
            yield f"each {word} is the right one times a factor of its own"


_Finder = Callable[[ArrayPair], Iterator[str]]
_SAME_SHAPE: tuple[_Finder, ...] = (
    _find_named,
    _find_constant,
    _find_scaled,
    array_positions.find_moved,
    _find_one_hot,
    _find_term,
    _find_shifted,
    _find_elementwise,
    array_positions.find_diagonal,
    _find_zeros,
    array_positions.find_wrong_rows,
    array_positions.find_wrong_columns,
    _find_scaled_rows,
)
# What a change may leave right: the transpose of a symmetric array is right, and so is N times a sum where N is 1.
_OF_RIGHT: tuple[_Finder, ...] = (
    _find_none_infinite,
    _find_named,
    _find_constant,
    _find_scaled,
    array_positions.find_moved,
    _find_term,
    _find_elementwise,
)
_OTHER_SHAPE: tuple[_Finder, ...] = (
    _find_named,
    _find_constant,
    array_positions.find_other_shape,
    array_positions.find_extra_or_missing_rows,
)
