"""Gradient check: compares a student's gradients with the slopes of the student's own loss.

`require_own_gradient` does so in every entry, by central differences; a right derivative of a wrong loss passes. Two
step sizes decide: the small one in float64, the large one in float32. A loss whose derivative shows nothing is
refused: one that does not depend on an argument, or is a polynomial of at most the second degree in it.

`explain_gradient` tells a gradient that does not belong to the student's loss from a loss that is another function. It
runs only after a check has failed: it calls the student's function again near the arguments of the check, and compares
the slopes of its loss along random directions with its gradients. The result is true at the arguments of the check; it
is empty if the loss has a kink there, or if return values differ from call to call.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np

from autograder.checks import checks
from autograder.checks.cases import amend_failure, keep_cases
from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.checks.tolerances import OWN_GRADIENT
from autograder.checks.values import Array, format_index, show
from autograder.plain_text import join_words
from autograder.student import CallFailed, Student

__all__ = ["explain_gradient", "require_own_gradient", "require_slopes"]

Point = dict[str, Array]
"""The arrays that a loss depends on, each under the name of its gradient."""
EvaluateLosses = Callable[[Sequence[Point]], Sequence[object]]

_SIZES = (1e-4, 1e-2)
_LINE = (-4.0, -2.0, 0.0, 2.0, 4.0)  # places on a line through the point, where the loss must not be a parabola
_LINES = 3  # of random directions: a softmax that is almost sure is nearly linear along some
_THIRD, _FOURTH = (-1, 2, 0, -2, 1), (1, -4, 6, -4, 1)  # differences that vanish for polynomials of a lower degree
_CURVED = 2e-5  # relative to the loss: ten times the float32 rounding of these differences, less than a softmax has
_SEED_OF_LINES = 16

Evaluate = Callable[[Sequence[Point]], Sequence[tuple[object, Mapping[str, object]]]]  # losses, and gradients by name

_DIRECTIONS = 2  # for each gradient; a wrong gradient has the right slope along a random direction once in 10^5
_SEED = 4
# Truncation errors are about the square of the step, rounding errors about 1e-16 / step: both are below 1e-7 here. In
# single precision the error is 1e-3, which the comparison of two steps detects.
_STEP = 1e-4
_STEPS = (_STEP, -_STEP, 2 * _STEP, -2 * _STEP)
_AGREES = 1e-5  # relative: slopes nearer than this agree
_DIFFERS = 1e-2  # relative: more than any error of a slope
_SMALLEST_SLOPE = 1e-6  # of the loss; rounding decides over smaller ones
_SLOWEST_CALL_S = 0.5  # a slower function is not called again; a busy machine alone is faster than this


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
    losses = np.array([checks.scalar("loss", loss) for loss in evaluate_losses(list_loss_points(at))])
    slopes = {}
    for name, array in at.items():
        count = _LINES * len(_LINE)
        _require_curve(name, losses[:count])
        losses = losses[count:]
        count = 2 * len(_SIZES) * array.size
        shifted = losses[:count].reshape(len(_SIZES), *array.shape, 2)
        slopes[name] = _compute_slopes(shifted)
        losses = losses[count:]
    for name, value in values.items():
        require_slopes(name, value, [factor * each for each in slopes[name]], of=of)


def _compute_slopes(shifted: Array) -> list[Array]:
    """Compute the slopes for each step size, from the losses ahead of and behind the point."""
    differences = shifted[..., 0] - shifted[..., 1]
    return [difference / (2 * step) for step, difference in zip(_SIZES, differences, strict=True)]


def list_loss_points(at: Point) -> list[Point]:
    """List the points at which `require_own_gradient` asks for the loss; each differs from `at` in one array."""
    points = []
    for name in at:
        points += [*_list_lines(at, name), *_list_shifts(at, name)]
    return points


def require_slopes(name: str, value: Array, slopes: Sequence[Array], *, of: str) -> None:
    """Fail unless each entry is, within the tolerance, one of the slopes by the different step sizes."""
    numbers = value.astype(np.float64)
    errors = [np.abs(numbers - each) / _compute_allowed(each) for each in slopes]
    error = np.min(errors, axis=0)
    if np.isfinite(error).all() and error.max(initial=0.0) <= 1.0:
        return
    worst = np.unravel_index(int(np.argmax(error)), value.shape)
    nearest = int(np.argmin([each[worst] for each in errors]))
    expected = f"the gradient of {of} (by central differences)"
    right, found = show(_round(slopes[nearest])), show(_round(value))
    shown = (f"expected: {right}, {expected}", f"found:    {found}")
    where = f"At index {format_index(worst)}"
    hint = f"{where}, change the argument a little and look how much the result changes."
    raise CheckFailed(name, expected=expected, found="another array", values=shown, hint=hint)


def _round(values: Array) -> Array:
    """Round to five digits: the last ones of a central difference depend on the machine."""
    numbers = values.astype(np.float64)
    rounded = [float(f"{number:.5g}") for number in numbers.flat]
    return np.array(rounded).reshape(values.shape)


def _compute_allowed(slopes: Array) -> Array:
    return OWN_GRADIENT.compute_allowed(slopes) + np.finfo(np.float64).tiny


def _list_shifts(at: Point, name: str) -> Iterator[Point]:
    """Yield the points a step ahead of and behind `at` in each entry of one array, for each step size."""
    for step in _SIZES:
        for index in np.ndindex(at[name].shape):
            for change in (step, -step):
                shifted = at[name].copy()
                shifted[index] += change
                yield {**at, name: shifted}


def _list_lines(at: Point, name: str) -> Iterator[Point]:
    rng = np.random.default_rng(_SEED_OF_LINES)
    for direction in rng.normal(size=(_LINES, *at[name].shape)):
        for place in _LINE:
            yield {**at, name: at[name] + place * direction}


def _require_curve(name: str, losses: Array) -> None:
    """Fail where the loss along each line is constant, linear or a parabola."""
    size = max(1.0, float(np.abs(losses).max()))
    lines = losses.reshape(_LINES, len(_LINE))
    differences = lines @ np.array([_THIRD, _FOURTH]).T
    if np.abs(differences).max() > _CURVED * size:
        return
    found = "a loss that is a linear or quadratic function of the argument of that gradient"
    if float(np.ptp(losses)) <= _CURVED * size:
        found = "a loss that stays the same when the argument of that gradient changes"
    raise CheckFailed("loss", expected=f"a loss of which {name} is the gradient", found=found)


@contextmanager
def explain_gradient(student: Student, at: Point, evaluate: Evaluate) -> Iterator[None]:
    """Add to a check that fails in the block whether the gradients at `at` are those of the student's own loss.

    `evaluate` gets points that differ from `at` in one array each; it calls the student's function and returns, for
    each point, the loss and the gradients by name, of the shapes of the arrays in `at`.
    """

    def add_note(failed: CheckFailed) -> None:
        with suppress(CallFailed, CheckFailed, NotWritten), keep_cases(lambda: False):  # the failure is reported anyway
            if student.begin_probing():
                failed.gradient_note = compare_slopes(at, evaluate)

    with amend_failure(add_note):
        yield


def compare_slopes(at: Point, evaluate: Evaluate) -> str:
    """Compare the gradients with the slopes of the loss and describe the result; empty if it is not clear."""
    started = time.monotonic()
    (first,) = _require_values([at], evaluate)
    if time.monotonic() - started > _SLOWEST_CALL_S:
        return ""
    rng = np.random.default_rng(_SEED)
    lines = []
    for name, values in at.items():
        lines += [(name, _draw_direction(rng, values)) for _ in range(_DIRECTIONS)]
    points = [at]
    for name, line in lines:
        points += [{**at, name: at[name] + step * line} for step in _STEPS]
    (loss, gradients), *others = _require_values(points, evaluate)
    if loss != first[0]:
        return ""
    slopes: dict[str, list[_Slopes]] = {name: [] for name in at}
    for name, line in lines:
        around, others = others[: len(_STEPS)], others[len(_STEPS) :]
        of_gradient = float((gradients[name] * line).sum())
        slopes[name].append(_measure_slopes(of_gradient, loss, [each for each, _ in around]))
    return _describe_slopes(slopes)


@dataclass(frozen=True)
class _Slopes:
    """Slopes along one direction: that of the gradient, and those of the loss over one step and over two."""

    of_gradient: float
    of_loss: float
    over_two: float
    bend: float  # change of the slope from one side to the other
    loss: float

    @property
    def size(self) -> float:
        return max(abs(self.of_gradient), abs(self.of_loss))

    @property
    def is_clear(self) -> bool:
        """Whether the loss is smooth here, and steep enough for its digits."""
        is_same = abs(self.of_loss - self.over_two) <= _AGREES * self.size
        is_smooth = is_same and self.bend <= _DIFFERS * self.size
        return is_smooth and self.size > _SMALLEST_SLOPE * max(1.0, abs(self.loss))

    @property
    def agree(self) -> bool:
        return self.is_clear and self.error <= _AGREES * self.size

    @property
    def differ(self) -> bool:
        return self.is_clear and self.error > _DIFFERS * self.size

    @property
    def error(self) -> float:
        return abs(self.of_loss - self.of_gradient)


def _draw_direction(rng: np.random.Generator, values: Array) -> Array:
    direction = rng.normal(size=values.shape)
    length = np.linalg.norm(direction)
    return np.asarray(direction / length)


def _measure_slopes(of_gradient: float, loss: float, losses: Sequence[float]) -> _Slopes:
    ahead, behind, far_ahead, far_behind = losses
    return _Slopes(
        of_gradient,
        of_loss=(ahead - behind) / (2 * _STEP),
        over_two=(far_ahead - far_behind) / (4 * _STEP),
        bend=abs(ahead - 2 * loss + behind) / _STEP,
        loss=loss,
    )


def _describe_slopes(slopes: Mapping[str, Sequence[_Slopes]]) -> str:
    if all(each.agree for each in itertools.chain(*slopes.values())):
        return (
            "your gradient is that of the loss that you return (checked numerically), so the loss is another function "
            "than the one asked for"
        )
    wrong = []
    for name, found in slopes.items():
        differ = [each.differ for each in found]
        if any(differ):
            wrong.append(name)
    if not wrong:
        return ""
    are_not = "is not the gradient" if len(wrong) == 1 else "are not the gradients"
    text = f"{join_words(wrong)} {are_not} of the loss that you return (checked numerically)"
    return f"{text}: they do not belong together"


def _require_values(points: Sequence[Point], evaluate: Evaluate) -> list[tuple[float, dict[str, Array]]]:
    """Evaluate the losses and gradients; CheckFailed if one has another shape or is not finite."""
    found = []
    for point, (loss, gradients) in zip(points, evaluate(points), strict=True):
        arrays = {}
        for name, values in point.items():
            arrays[name] = checks.array(name, gradients[name], values.shape)
        found.append((checks.scalar("loss", loss), arrays))
    return found
