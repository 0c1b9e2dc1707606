"""Gradient check: compares gradients with slopes, which are differences of values around a point, entry by entry.

The differences are of the fourth order: each needs values one and two steps to both sides. The step is a power of two
and points lie on a grid, so that a step in single precision is the one that was meant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.tolerances import SLOPES
from autograder.checks.values import Array, format_index, say_share

__all__ = ["are_linear", "compute_slopes", "list_moved", "require_slopes", "round_to_grid"]

STEP = 2.0**-4
PLACES = (1, -1, 2, -2)  # of the values around a point, in steps
_WEIGHTS = np.array([8, -8, -1, 1]) / 12
_GRID = 2.0**-20  # so fine that checks share no values by chance; in single precision it holds up to 16
_LINEAR = 1e-9  # of the largest slope: rounding alone
_WORST = 5  # entries in the table
_NO_DIGITS = 1e-9  # of the largest slope: below it a slope is rounding, which differs between processors


def round_to_grid(values: Array) -> Array:
    """Round the arguments of a gradient check."""
    return np.asarray(np.round(values / _GRID) * _GRID)


def list_moved(array: Array, step: float = STEP) -> list[Array]:
    """List copies in which one entry is moved to each of the places, entry by entry."""
    moved = []
    for index in np.ndindex(array.shape):
        for place in PLACES:
            other = array.astype(np.float64)
            other[index] += place * step
            moved.append(other)
    return moved


def compute_slopes(values: Sequence[object], step: float = STEP) -> Array:
    """Compute the slopes of values at the points of `list_moved`: by entry, then of the shape of a value."""
    return np.tensordot(_by_entry(values), _WEIGHTS / step, axes=(1, 0))


def are_linear(values: Sequence[object]) -> bool:
    """Return whether values at the points of `list_moved` are linear in each entry."""
    by_entry = _by_entry(values)
    near = (by_entry[:, 0] - by_entry[:, 1]) / 2
    far = (by_entry[:, 2] - by_entry[:, 3]) / 4
    error = np.abs(near - far).max()
    return bool(error <= _LINEAR * np.abs(near).max())


def _by_entry(values: Sequence[object]) -> Array:
    numbers = np.asarray(values, dtype=np.float64)
    return numbers.reshape(-1, len(PLACES), *numbers.shape[1:])


def measure_error(gradient: Array, slopes: Array) -> float:
    """Measure the largest error of a gradient, as a share of the largest slope.

    It is infinite where all slopes are 0, and where a number is not finite.
    """
    largest = np.abs(slopes).max()
    error = np.abs(gradient - slopes).max()
    return float(error / largest) if largest > 0 and np.isfinite(error) else np.inf


def require_slopes(name: str, got: object, slopes: Array, *, of: str, allowed: float = SLOPES, hint: str = "") -> None:
    """Fail unless each entry of a gradient is the slope, within a share `allowed` of the largest slope.

    `of`: the function that has the slopes, in words, such as "the loss that you return".
    """
    gradient = checks.array(name, got, slopes.shape, right=slopes).astype(np.float64)
    if measure_error(gradient, slopes) <= allowed:
        return
    largest = np.abs(slopes).max()
    if not largest:
        found = "slopes that are all 0: it stays the same when the argument changes"
        raise CheckFailed(name, expected=f"the slopes of {of}", found=found, hint=f"Look at {of} first.")
    errors = np.abs(gradient - slopes)
    order = np.argsort(-errors, axis=None, kind="stable")
    wrong = errors > allowed * largest
    lines = [f"{'entry':12} {'analytic':>12} {'numeric':>12} {'off by':>12}"]
    for place in order[: min(_WORST, int(wrong.sum()))]:
        index = np.unravel_index(int(place), slopes.shape)
        analytic, numeric = (_write(each[index], largest) for each in (gradient, slopes))
        lines.append(f"{format_index(index):12} {analytic:>12} {numeric:>12} {errors[index]:12.2g}")
    worst = np.unravel_index(int(order[0]), slopes.shape)
    where = f"at {format_index(worst)}"
    numeric, analytic = _write(slopes[worst], largest), _write(gradient[worst], largest)
    shown = (f"expected: {numeric} {where}, the slope of {of} (numeric)", f"found:    {analytic} {where} (analytic)")
    found = f"{say_share(wrong)} wrong, the worst {where}"
    values = (*shown, *lines)
    raise CheckFailed(name, expected=f"the slopes of {of}", found=found, values=values, hint=hint)


def _write(number: float, largest: float) -> str:
    return "0" if abs(number) <= _NO_DIGITS * largest else f"{number:.6g}"
