"""Relation: turns a wrong array or list and the right one into a sentence on how they differ, if that is clear.

A sentence holds for every entry within the tolerance of the check, and rests on several right numbers of different
size: a single number is a multiple of any other, and two that sum to 0 are the negative of each other. No sentence
contains a number of the right array, only small whole factors, fractions of 1, lengths and indices.

Items of lists are compared as values; their order matters unless they are pairs whose parts are named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.checks import array_pair
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
from autograder.checks.values import Array, is_equal

_LARGEST_SIZE = 100_000  # numbers in an answer: larger ones would take too long
_FINITE_RIGHT = "the entries that are finite are right"
_LONGEST_LIST = 500  # items; the comparison takes time in the square of the length
_SHORTEST_LIST = 2  # items: a shorter list has no order
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
    factor = float((got / np.abs(right).max() * right).sum() / (right / np.abs(right).max() * right).sum())
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
        yield f"every entry is too {_say_large_or_small(offset)} by " + (
            text.lstrip("-") if text else "one and the same number"
        )


def _say_large_or_small(offset: float) -> str:
    return "large" if offset > 0 else "small"


def _find_one_hot(pair: ArrayPair) -> Iterator[str]:
    """Find a single wrong entry in each row, off by the same amount in all."""
    wrong, right = pair.wrong, pair.right
    if (
        (right.size < FEWEST_SIZES and not pair.is_confirmed)
        or not (wrong.sum(axis=-1) == 1).all()
        or right.shape[-1] < 2
    ):
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
    is_zero = pair.right == 0
    if is_zero.sum() > 1 and (pair.wrong == is_zero).all() and pair.has_sizes(pair.right):
        yield "the entries that should be 0 are not; the others are right"
    is_zero = pair.got == 0
    if is_zero.sum() > 1 and (pair.wrong == is_zero).all() and pair.has_sizes(pair.got):
        yield "some entries are 0 that should not be; the others are right"


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
    array_pair.find_moved,
    _find_one_hot,
    _find_term,
    _find_shifted,
    _find_elementwise,
    array_pair.find_diagonal,
    _find_zeros,
    array_pair.find_wrong_rows,
    array_pair.find_wrong_columns,
    _find_scaled_rows,
)
# What a change may leave right: the transpose of a symmetric array is right, and so is N times a sum where N is 1.
_OF_RIGHT: tuple[_Finder, ...] = (
    _find_none_infinite,
    _find_named,
    _find_constant,
    _find_scaled,
    array_pair.find_moved,
    _find_term,
    _find_elementwise,
)
_OTHER_SHAPE: tuple[_Finder, ...] = (
    _find_named,
    _find_constant,
    array_pair.find_other_shape,
    array_pair.find_extra_or_missing_rows,
)


def describe_list_relation(got: object, right: object, *, parts: tuple[str, str] | None = None) -> str:
    """Describe how the list `got`, which is wrong, differs from `right`; empty if that is not clear.

    `parts`: the items are pairs without an order, and these are the names of the first and the second part.
    """
    if not isinstance(got, (list, tuple)) or not isinstance(right, (list, tuple)) or not right:
        return ""
    if max(len(got), len(right)) > _LONGEST_LIST:
        return ""
    if not got:
        return "it is empty"
    return next(_find_in_pairs(got, right, parts) if parts else _find_in_order(got, right), "")


def _find_in_pairs(got: Sequence[Any], right: Sequence[Any], parts: tuple[str, str]) -> Iterator[str]:
    extra, missing = _subtract(got, right), _subtract(right, got)
    turned = [pair[::-1] if isinstance(pair, (list, tuple)) and len(pair) == 2 else pair for pair in extra]
    if extra and not _subtract(turned, missing) and not _subtract(missing, turned):
        yield f"{parts[0]} and {parts[1]} are swapped in {_say_share(len(extra), len(right))}"
    yield from _find_extra_or_missing(extra, missing)
    if len(missing) < len(right):
        yield f"{len(right) - len(missing)} of the {len(right)} right ones are there, and {len(extra)} others"


def _find_in_order(got: Sequence[Any], right: Sequence[Any]) -> Iterator[str]:
    if len(right) >= _SHORTEST_LIST and is_equal(list(got[::-1]), list(right)):
        yield "it is in reverse order"
    extra, missing = _subtract(got, right), _subtract(right, got)
    if len(right) >= _SHORTEST_LIST and not extra and not missing:
        yield "it holds the right items in another order"
    same = next((index for index, pair in enumerate(zip(got, right, strict=False)) if not is_equal(*pair)), None)
    if same is None and len(got) < len(right):
        yield f"its end is missing: {len(right) - len(got)} of {len(right)} items"
    if same is None and len(got) > len(right):
        yield f"the right items are followed by {len(got) - len(right)} too many"
    yield from _find_extra_or_missing(extra, missing)
    if same:
        yield f"the first difference is at index {same}, counted from 0"


def _find_extra_or_missing(extra: Sequence[Any], missing: Sequence[Any]) -> Iterator[str]:
    if not extra:
        yield f"{len(missing)} {'is' if len(missing) == 1 else 'are'} missing; the others are right"
    if not missing:
        yield f"{len(extra)} {'is' if len(extra) == 1 else 'are'} too many; the others are right"


def _say_share(part: int, whole: int) -> str:
    return "every pair" if part == whole else f"{part} of {whole} pairs"


def _subtract(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Return the items that are not among the others; each of the others cancels one equal item."""
    left = list(others)
    return [item for item in items if not _take(item, left)]


def _take(item: Any, left: list[Any]) -> bool:
    index = next((index for index, other in enumerate(left) if is_equal(item, other)), None)
    if index is not None:
        del left[index]
    return index is not None
