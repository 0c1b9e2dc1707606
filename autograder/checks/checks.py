"""Checks: assertions of hidden tests about a student's value; each returns it converted, or raises `CheckFailed`.

Values arrive over the wire as exact base types, so no student code runs here. The text of a failure contains no hidden
number; numbers go into `values`, which only a visible test shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograder.checks.array_pair import NO_NAMES, Names
from autograder.checks.cases import Case, amend_failure, find_relation, keep_case
from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.checks.tolerances import LOSS_RELATIVE, SINGLE, Tolerance, choose_tolerance
from autograder.checks.values import (
    Array,
    NotNumbers,
    convert_to_numbers,
    describe,
    drop_unit_axes,
    format_index,
    is_equal,
    is_listed,
    is_numeric,
    is_sequence,
    say_share,
    show,
    show_shape,
)

# Differences of numbers of about 1 that are both almost equal have an error of 1e-16, and large weights make it larger:
# right solutions compute an array whose largest entry is below this to few digits.
SMALLEST = 1e-9
_CLEAR = 1e-2  # of the largest right entry: a transpose that is further off is none
_FINITE_HINT = "Look for a division by 0, the logarithm of 0, the root of a negative number, and exp of a large one."


def require(condition: bool, what: str, expected: str, found: str, *, hint: str = "") -> None:
    """Fail unless `condition` holds; `found` may hold values of the student's, and only a visible test shows it."""
    if not condition:
        raise CheckFailed(what, expected=expected, found="something else", values=(f"found: {found}",), hint=hint)


def not_written(condition: bool, why: str) -> None:
    """End the test as "not written yet" if `condition` holds; `why` says how an untouched stub shows."""
    if condition:
        raise NotWritten(why)


def array(what: str, got: object, shape: tuple[int, ...], *, right: Array | None = None) -> Array:
    """Return `got` as an array of `shape`; fail unless it holds finite real numbers.

    Lists are converted, and axes of length 1 are added or dropped; nothing is transposed or broadcast. That the shape
    is the transposed one is not said where the transpose is known not to be `right`.
    """
    values = _convert_numbers(what, got, f"an array of shape {shape}")
    if values.shape != shape:
        values = _reshape(what, values, shape, right)
    _require_finite(what, values)
    return values


def scalar(what: str, got: object) -> float:
    """Return `got` as a float; fail unless it is a finite real number, or an array that holds just one."""
    values = _convert_numbers(what, got, "a number")
    if values.size != 1:
        raise CheckFailed(what, expected="a number", found=describe(got if isinstance(got, tuple) else values))
    _require_finite(what, values)
    return float(values.reshape(()))


def close(
    what: str,
    got: object,
    expected: Any,
    *,
    rtol: float | None = None,
    single: bool = False,
    names: Names = NO_NAMES,
) -> Array:
    """Fail unless `got` equals `expected` within a tolerance; return it as an array of the shape of `expected`.

    `expected`: a finite number, list or array; ValueError otherwise. `single`: the inputs were float32, so that the
    answer may be as coarse. `rtol` replaces the relative tolerance. `names`: quantities that the message may name.
    """
    right = np.asarray(expected, dtype=np.float64)
    case = Case(what, got, right, names=names, single=single)
    with keep_case(case):
        if choose_tolerance(right, single=single, rtol=rtol).holds_easily(got, right):
            return np.asarray(got)
        if not np.isfinite(right).all():  # every comparison with NaN is false, and would pass
            raise ValueError(f"the right values of {what} are not finite")
        try:
            return compare_numbers(what, got, right, rtol=rtol, single=single)
        except CheckFailed as failed:
            failed.relation = find_relation([case])
            raise
    return right  # the failure is put off


def compare_numbers(what: str, got: object, right: Array, *, rtol: float | None = None, single: bool = False) -> Array:
    """Compare as `close` does, without a word on how the value differs."""
    if right.ndim == 0:
        _compare_number(what, got, float(right), rtol=rtol, single=single)
        return right
    values = array(what, got, right.shape, right=right)
    tolerance = choose_tolerance(values, single=single, rtol=rtol)
    _compare_entries(what, values.astype(np.float64), right, tolerance=tolerance)
    return values


def equal(what: str, got: object, expected: object, *, parts: tuple[str, str] | None = None) -> None:
    """Fail unless `got` is exactly the plain value `expected`.

    Lists, tuples and arrays are interchangeable at any depth; numpy integers equal Python's, and NaN equals NaN.
    `parts`: for lists of pairs, the names of the two parts of a pair, which the message uses.
    """
    if not is_equal(got, expected):
        raise CheckFailed(
            what,
            expected="exactly the right value",
            found=f"another value ({describe(got)})",
            values=(f"expected: {show(expected)}", f"found:    {show(got)}"),
            relation=find_relation([Case(what, got, expected, parts=parts)]),
        )


def parts(what: str, got: Any, names: Sequence[str]) -> tuple[Any, ...]:
    """Return the parts of `got` as a tuple; fail unless it is a sequence with one part for each of `names`."""
    wanted = f"{len(names)} value{'s' if len(names) != 1 else ''} ({', '.join(names)})"
    if not is_sequence(got) or len(got) != len(names):
        raise CheckFailed(what, expected=wanted, found=describe(got))
    return tuple(got)


def mapping(what: str, got: object, keys: Sequence[str]) -> dict[str, Any]:
    """Return these `keys` of `got` with their values, in this order; fail unless it is a dict that has them all."""
    wanted = f"a dict with the keys {', '.join(keys)}"
    if not isinstance(got, dict):
        raise CheckFailed(what, expected=wanted, found=describe(got))
    if missing := [key for key in keys if key not in got]:
        raise CheckFailed(what, expected=wanted, found=f"a dict without {', '.join(missing)}")
    return {key: got[key] for key in keys}


def unchanged(what: str, before: object, after: object) -> None:
    """Fail unless an argument still has the value that it had before the call."""
    if not is_equal(before, after):
        raise CheckFailed(
            what,
            expected="an unchanged argument",
            found="it was changed by the call",
            hint="Work on a copy, or write the result to a new array or list.",
        )


@contextmanager
def advise(hint: str) -> Iterator[None]:
    """Give a check in the block that finds NaN or infinity this hint, in place of the general one."""

    def add_hint(failed: CheckFailed) -> None:
        if failed.hint == _FINITE_HINT:
            failed.hint = hint

    with amend_failure(add_hint):
        yield


def is_right(got: Any, expected: Any, *, is_single: bool = False) -> bool:
    """Return whether a value is right within the tolerance of `close`; `is_single`: the inputs were float32."""
    if type(got) is np.ndarray and isinstance(expected, np.ndarray):
        right = np.asarray(expected, dtype=np.float64)
        if choose_tolerance(right, single=is_single).holds_easily(got, right):
            return True
    try:
        compare_values("part", got, expected, is_single=is_single)
    except CheckFailed:
        return False
    return True


def compare_values(what: str, got: Any, expected: Any, *, is_single: bool = False) -> None:
    """Fail unless a value is right."""
    if isinstance(expected, dict):
        _require_keys(what, got, expected)
        for key, right in expected.items():
            compare_values(f"{what}[{key!r}]", got[key], right, is_single=is_single)
    elif isinstance(expected, (list, tuple)) and not is_listed(expected):
        names = [f"{what}[{k}]" for k in range(len(expected))]
        if isinstance(got, np.ndarray) and got.ndim == 1:
            got = got.tolist()
        values = parts(what, got, names)
        for name, value, right in zip(names, values, expected, strict=True):
            compare_values(name, value, right, is_single=is_single)
    elif not is_numeric(expected):
        equal(what, got, expected)
    else:
        right = np.asarray(expected, dtype=np.float64)
        is_zero = np.abs(right).max(initial=0.0) <= SMALLEST
        if is_zero:
            right = np.zeros_like(right)
        compare_numbers(what, got, right, single=is_single or is_zero)


def _convert_numbers(what: str, got: object, wanted: str) -> Array:
    try:
        return convert_to_numbers(got)
    except NotNumbers as problem:
        raise CheckFailed(what, expected=wanted, found=str(problem)) from None


def _reshape(what: str, values: Array, shape: tuple[int, ...], right: Array | None) -> Array:
    if values.ndim == len(shape) or drop_unit_axes(values.shape) != drop_unit_axes(shape):
        is_transposed = values.shape == shape[::-1]
        if is_transposed and right is not None:
            allowed = _CLEAR * np.abs(right).max(initial=0.0)
            is_transposed = np.allclose(values.T, right, rtol=0, atol=allowed)
        hint = "This is the transposed shape." if is_transposed else ""
        found = show_shape(values.shape) if values.ndim else "a number"
        raise CheckFailed(what, expected=f"shape {shape}", found=found, hint=hint)
    return values.reshape(shape)


def _require_finite(what: str, values: Array) -> None:
    bad = ~np.isfinite(values)
    if bad.any():
        where = f"{'the first ' if bad.sum() > 1 else ''}at index {format_index(np.argwhere(bad)[0])}"
        expected, found = "finite numbers", f"{say_share(bad)} NaN or infinite, {where}"
        if values.size == 1:
            expected, found = "a finite number", "NaN or infinity"
        raise CheckFailed(what, expected=expected, found=found, hint=_FINITE_HINT)


def _compare_number(what: str, got: object, right: float, *, rtol: float | None, single: bool) -> None:
    value = scalar(what, got)
    relative = LOSS_RELATIVE
    is_coarse = isinstance(got, np.ndarray) and got.dtype in (np.float32, np.float16)
    if single or is_coarse:
        relative = SINGLE.relative
    if rtol is not None:
        relative = rtol
    allowed = relative * max(1.0, abs(right))
    if abs(value - right) > allowed:
        of_size = " of its size" if abs(right) > 1 else ""
        raise CheckFailed(
            what,
            expected=f"the right number (within {relative:g}{of_size})",
            found="another number",
            values=(f"expected: {right + 0.0:.8g} (within {allowed:.2g})", f"found:    {value:.8g}"),
        )


def _compare_entries(what: str, values: Array, right: Array, *, tolerance: Tolerance) -> None:
    if right.size == 0:
        return
    scale = np.abs(right).max()
    allowed = tolerance.compute_allowed(right)
    with np.errstate(over="ignore"):  # an error beyond the range of floats is infinite, and too large
        error = np.abs(values - right)
        ratio = error / (scale or 1.0)
    wrong = error > allowed
    if not wrong.any():
        return
    excess = np.where(wrong, error, 0.0)
    worst = np.unravel_index(int(np.argmax(excess)), right.shape)
    place = format_index(worst)
    size = "where all should be 0"
    if scale > 0:
        most = tolerance.compute_allowed(np.array([scale]))[0] / scale  # what an entry may be off by tells its size
        size = f"error {ratio[worst]:.2g} relative to the largest right entry (tolerance {most:.1g})"
        if ratio[worst] <= most:
            told = "its tolerance is smaller, as the entry is"
            size = f"error {ratio[worst]:.2g} relative to the largest right entry ({told})"
    where = ""
    if right.size > 1:
        which = "the worst " if wrong.sum() > 1 else ""
        where = f", {which}at index {place}"
    raise CheckFailed(
        what,
        expected=f"the right values, shape {right.shape}",
        found=f"{say_share(wrong)} wrong{where}, {size}",
        values=(f"expected at {place}: {right[worst] + 0.0:.8g}", f"found at {place}:    {values[worst]:.8g}"),
    )


def _require_keys(what: str, got: Any, expected: Mapping[Any, Any]) -> None:
    """Fail unless a value is a dict with all keys, which may be words of a hidden input: visible rows name them."""
    is_dict = isinstance(got, dict)
    missing = [key for key in expected if not is_dict or key not in got]
    if missing or not is_dict:
        found = f"a dict without {len(missing)} of the {len(expected)} keys" if is_dict else describe(got)
        named = f"a dict without {_list_keys(missing)}" if is_dict else found
        shown = (f"expected: a dict with the keys {_list_keys(expected)}", f"found:    {named}")
        raise CheckFailed(what, expected="a dict with the right keys", found=found, values=shown)


def _list_keys(keys: Iterable[Any]) -> str:
    return ", ".join(map(str, keys))
