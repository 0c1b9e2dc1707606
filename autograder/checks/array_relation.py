"""Array relation: turns a wrong array and the right one into the relations between them, if there are clear ones.

A relation holds for every entry within the tolerance of the check, and rests on several right numbers of different
size: a single number is a multiple of any other, and two that sum to 0 are the negative of each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from autograder.checks.array_pair import (
    FEWEST_SIZES,
    NO_NAMES,
    ArrayPair,
    Names,
    count_sizes,
    find_diagonal,
    find_extra_or_missing_rows,
    find_moved,
    find_other_shape,
    find_wrong_columns,
    find_wrong_rows,
    list_lengths,
    name_size,
    recognise_factor,
)
from autograder.checks.relation import Relation
from autograder.checks.tolerances import DOUBLE, Tolerance
from autograder.checks.values import Array

_LARGEST_SIZE = 100_000  # numbers in an answer: larger ones would take too long
_EXACT = 1e-9  # relative: a single number agrees to this by chance once in 10^8


def list_relations(
    got: Array, right: Array, *, tolerance: Tolerance = DOUBLE, names: Names = NO_NAMES, is_confirmed: bool = False
) -> list[Relation]:
    """List the relations that hold between `got` and `right`, which is finite, the clearest first.

    `is_confirmed`: see `ArrayPair`; `got` may then be right.
    """
    if 0 in (got.size, right.size) or got.size > _LARGEST_SIZE:
        return []
    got, right = got.astype(np.float64), right.astype(np.float64)
    pair = ArrayPair(got, right, tolerance, names, is_confirmed)
    with np.errstate(all="ignore"):  # a student's numbers may be so large that their products are infinite
        if not is_confirmed and not pair.is_clearly_wrong:
            return []
        found: list[Relation] = []
        for find in _choose_finders(pair):
            found += find(pair)
        return found


def _choose_finders(pair: ArrayPair) -> tuple[_Finder, ...]:
    is_same_shape = pair.got.shape == pair.right.shape
    if not np.isfinite(pair.got).all():
        return (_find_not_finite,)
    if not pair.right.ndim:  # a single number is a multiple of any other
        return _OF_NUMBER if pair.is_confirmed and is_same_shape else (_find_named,)
    if is_same_shape and not pair.wrong.any():
        return _OF_RIGHT
    return _SAME_SHAPE if is_same_shape else _OTHER_SHAPE


def _find_not_finite(pair: ArrayPair) -> Iterator[Relation]:
    """Find that all errors are NaN or infinite."""
    is_finite = np.isfinite(pair.got)
    if pair.got.shape != pair.right.shape or not is_finite.any():
        return
    if (pair.wrong == ~is_finite).all():
        yield Relation("finite")


def _find_none_infinite(_pair: ArrayPair) -> Iterator[Relation]:
    """Say of a right array what is said of one that is right apart from NaN."""
    yield Relation("finite")


def _find_constant(pair: ArrayPair) -> Iterator[Relation]:
    got, right = pair.got, pair.right
    if (got.size > 1 or pair.is_confirmed) and not got.any():
        yield Relation("zero")
    elif got.size > 1 and (got == got.flat[0]).all():
        yield Relation("constant")
    elif got.ndim > 1 and (got == got[:1]).all():
        if len(got) == 1 and not pair.is_confirmed:
            return
        if (right == right[:1]).all() and not pair.is_confirmed:
            return
        if got.shape == right.shape and pair.is_near(got[0], right.sum(axis=0)):
            yield Relation("rows summed")
        yield Relation("rows alike")


def _find_named(pair: ArrayPair) -> Iterator[Relation]:
    for name, other in pair.names.also.items():
        values = np.asarray(other, dtype=np.float64)
        if values.size == 1 and pair.got.size == 1:
            number = values.item()
            is_telling = pair.is_confirmed or number != round(number)  # many numbers are 0, 1 or 2
            is_near = np.isclose(pair.got.item(), number, rtol=_EXACT, atol=0)
            is_equal = is_telling and bool(is_near)
        else:
            is_equal = count_sizes(values) > 1 and pair.matches(values)
        if is_equal:
            yield Relation("equal", (name,))


def _find_scaled(pair: ArrayPair) -> Iterator[Relation]:
    got, right = pair.got, pair.right
    largest = np.abs(right).max()
    size = (right / largest * right).sum()
    factor = float((got / largest * right).sum() / size)
    if not pair.is_generic or not np.isfinite(factor) or not pair.matches(factor * right):
        return
    if not got.any():
        yield Relation("zero")
        return
    text, number = recognise_factor(pair, factor)
    if text == "-1":
        yield Relation("sign")
    elif text not in ("", "1"):
        called = name_size(pair, number)
        reason = ": a sum differs from a mean by that" if pair.names.sizes else ""
        if called:
            yield Relation("size factor", (text, str(number), called, reason))
        yield Relation("factor", (text,))
    yield from _find_named_factor(pair, factor)
    if text != "1":
        yield Relation("one factor")


def _find_named_factor(pair: ArrayPair, factor: float) -> Iterator[Relation]:
    """Find a factor that is a size, another number in other cases, or that turns one logarithm into another."""
    named: dict[str, float] = {"ln 2": math.log(2), "ln 10": math.log(10)}
    named |= list_lengths(pair)
    named |= pair.names.sizes
    for name, number in named.items():
        if number <= 0:
            continue
        if np.isclose(factor, number, rtol=pair.tolerance.relative):
            yield Relation("times", (name,))
        if np.isclose(factor, 1 / number, rtol=pair.tolerance.relative):
            yield Relation("divided", (name,))


def _find_term(pair: ArrayPair) -> Iterator[Relation]:
    for name, term in pair.names.terms.items():
        if not pair.is_generic or not pair.has_sizes(term, 2):
            continue
        if pair.matches(pair.right + term):
            yield Relation("term", ("plus", name))
        if pair.matches(pair.right - term):
            yield Relation("term", ("minus", name))


def _find_shifted(pair: ArrayPair) -> Iterator[Relation]:
    offset = float((pair.got - pair.right).mean())
    if pair.is_generic and pair.matches(pair.right + offset):
        text, _ = recognise_factor(pair, offset)
        amount = text.lstrip("-") or "one and the same number"
        yield Relation("shifted", (_say_large_or_small(offset), amount))


def _say_large_or_small(offset: float) -> str:
    return "large" if offset > 0 else "small"


def _find_one_hot(pair: ArrayPair) -> Iterator[Relation]:
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
    start = "in each row one entry" if right.ndim > 1 else "one entry"
    if number == 1 or right.ndim > 1:
        size = _say_large_or_small(float(offsets[0]))
        yield Relation("one entry", (start, size, text.lstrip("-")))


def _find_elementwise(pair: ArrayPair) -> Iterator[Relation]:
    functions: dict[str, Callable[[Array], Array]] = {
        "the absolute value of the right one": np.abs,
        "1 over the right one": lambda right: 1 / right,
        "1 minus the right one": lambda right: 1 - right,
        "the square of the right one": np.square,
        "the square root of the right one": np.sqrt,
        "the logarithm of the right one": np.log,
    }
    if pair.is_generic:
        for words, function in functions.items():
            if pair.matches(function(pair.right)):
                yield Relation("function", (words,))


def _find_zeros(pair: ArrayPair) -> Iterator[Relation]:
    got, right = pair.got, pair.right
    fewest = 1 if pair.is_confirmed else 2
    for name, zeros, values in (("not zero", right, got), ("some zero", got, right)):
        is_zero = zeros == 0
        are_wrong = is_zero.sum() >= fewest and (pair.wrong == is_zero).all()
        if are_wrong and pair.has_sizes(values):
            yield Relation(name)


def _find_scaled_rows(pair: ArrayPair) -> Iterator[Relation]:
    if pair.right.ndim != 2:
        return
    if _has_own_factors(pair, pair.got, pair.right):
        yield Relation("own factors", ("row",))
    if _has_own_factors(pair, pair.got.T, pair.right.T):
        yield Relation("own factors", ("column",))


def _has_own_factors(pair: ArrayPair, got: Array, right: Array) -> bool:
    """Whether each row is a multiple of the right one, none is right, and not all are 0."""
    if len(right) < 2 or not all(map(pair.has_sizes, right)):
        return False
    if any(map(pair.is_near, got, right)):
        return False
    squares = (right**2).sum(axis=1, keepdims=True)
    factors = (got * right).sum(axis=1, keepdims=True) / squares
    return bool(factors.any()) and all(map(pair.is_near, got, factors * right))


_Finder = Callable[[ArrayPair], Iterator[Relation]]
_SAME_SHAPE: tuple[_Finder, ...] = (
    _find_named,
    _find_constant,
    _find_scaled,
    find_moved,
    _find_one_hot,
    _find_term,
    _find_shifted,
    _find_elementwise,
    find_diagonal,
    _find_zeros,
    find_wrong_rows,
    find_wrong_columns,
    _find_scaled_rows,
)
_OF_NUMBER: tuple[_Finder, ...] = (
    _find_named,
    _find_constant,
    _find_scaled,
    _find_term,
    _find_shifted,
    _find_elementwise,
)
# What a change may leave right: the transpose of a symmetric array is right, and so is N times a sum where N is 1.
_OF_RIGHT: tuple[_Finder, ...] = (
    _find_none_infinite,
    _find_named,
    _find_constant,
    _find_scaled,
    find_moved,
    _find_term,
    _find_elementwise,
)
_OTHER_SHAPE: tuple[_Finder, ...] = (
    _find_named,
    _find_constant,
    find_other_shape,
    find_extra_or_missing_rows,
)
