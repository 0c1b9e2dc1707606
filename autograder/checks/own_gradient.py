"""Own gradient: compares a student's gradient with central differences of the student's own loss, in every entry.

A right derivative of a wrong loss passes. Two step sizes decide: the small one for float64, the large one for float32.
A loss whose derivative shows nothing is refused: one that does not depend on an argument, or is a polynomial of at most
the second degree in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.comparison_log import log_comparison
from autograder.checks.tolerances import OWN_GRADIENT
from autograder.checks.values import Array, format_index, show

Point = dict[str, Array]
"""The arrays that a loss depends on, each under the name of its gradient."""
EvaluateLosses = Callable[[Sequence[Point]], Sequence[object]]

_STEPS = (1e-4, 1e-2)
_LINE = (-4.0, -2.0, 0.0, 2.0, 4.0)  # places on a line through the point, where the loss must not be a parabola
_LINES = 3  # of random directions: a softmax that is almost sure is nearly linear along some
_THIRD, _FOURTH = (-1, 2, 0, -2, 1), (1, -4, 6, -4, 1)  # differences that vanish for polynomials of a lower degree
_CURVED = 2e-5  # relative to the loss: ten times the float32 rounding of these differences, less than a softmax has
_SEED = 16


def require_own_gradient(
    gradients: Mapping[str, object],
    at: Point,
    evaluate_losses: EvaluateLosses,
    *,
    factor: float = 1.0,
    of: str = "the loss that you return",
) -> None:
    """Fail unless the gradients at a point are `factor` times those of the student's own loss.

    `of`: that loss, where another function than the one of the gradients returns it.

    `at`: the arrays that the loss depends on, each under the name of its gradient and of the same shape.
    `evaluate_losses` calls the student's function at points that differ from `at` in one array each.
    """
    values = {name: checks.array(name, gradients[name], array.shape) for name, array in at.items()}
    losses = iter([checks.scalar("loss", loss) for loss in evaluate_losses(list_loss_points(at))])
    slopes = {}
    for name, array in at.items():
        _require_curve(name, np.array([next(losses) for _ in range(_LINES * len(_LINE))]))
        shifted = [next(losses) for _ in range(2 * len(_STEPS) * array.size)]
        found = np.array(shifted).reshape(len(_STEPS), *array.shape, 2)
        slopes[name] = [(each[..., 0] - each[..., 1]) / (2 * step) for step, each in zip(_STEPS, found, strict=True)]
    for name, value in values.items():
        require_slopes(name, value, [factor * each for each in slopes[name]], of=of)


def list_loss_points(at: Point) -> list[Point]:
    """List the points at which `require_own_gradient` asks for the loss; each differs from `at` in one array."""
    return [point for name in at for point in (*_list_lines(at, name), *_list_shifts(at, name))]


def require_slopes(name: str, value: Array, slopes: Sequence[Array], *, of: str) -> None:
    """Fail unless each entry is, within the tolerance, one of the slopes by the different step sizes."""
    errors = [np.abs(value.astype(np.float64) - each) / _compute_allowed(each) for each in slopes]
    error = np.min(errors, axis=0)
    with log_comparison(name, value, slopes):
        if np.isfinite(error).all() and error.max(initial=0.0) <= 1.0:
            return
        worst = tuple(int(each) for each in np.unravel_index(int(np.argmax(error)), value.shape))
        right = slopes[int(np.argmin([each[worst] for each in errors]))]
        raise CheckFailed(
            name,
            expected=f"the gradient of {of} (by central differences)",
            found="another array",
            values=(
                f"expected: {show(_round(right))}, the gradient of {of} (by central differences)",
                f"found:    {show(_round(value))}",
            ),
            hint=f"At index {format_index(worst)}, change the argument a little and look how much the result changes.",
        )


def _round(values: Array) -> Array:
    """Round to five digits: the last ones of a central difference depend on the machine."""
    return np.array([float(f"{value:.5g}") for value in values.astype(np.float64).flat]).reshape(values.shape)


def _compute_allowed(slopes: Array) -> Array:
    return OWN_GRADIENT.compute_allowed(slopes) + np.finfo(np.float64).tiny


def _list_shifts(at: Point, name: str) -> Iterator[Point]:
    """Yield the points a step ahead of and behind `at` in each entry of one array, for each step size."""
    for step in _STEPS:
        for index in np.ndindex(at[name].shape):
            for sign in (step, -step):
                shifted = at[name].copy()
                shifted[index] += sign
                yield {**at, name: shifted}


def _list_lines(at: Point, name: str) -> Iterator[Point]:
    rng = np.random.default_rng(_SEED)
    for direction in rng.normal(size=(_LINES, *at[name].shape)):
        for place in _LINE:
            yield {**at, name: at[name] + place * direction}


def _require_curve(name: str, losses: Array) -> None:
    """Fail where the loss along each line is constant, linear or a parabola."""
    size = max(1.0, float(np.abs(losses).max()))
    differences = losses.reshape(_LINES, len(_LINE)) @ np.array([_THIRD, _FOURTH]).T
    if np.abs(differences).max() <= _CURVED * size:
        is_constant = float(np.ptp(losses)) <= _CURVED * size
        raise CheckFailed(
            "loss",
            expected=f"a loss of which {name} is the gradient",
            found="a loss that stays the same when the argument of that gradient changes"
            if is_constant
            else "a loss that is a linear or quadratic function of the argument of that gradient",
        )
