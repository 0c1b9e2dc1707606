"""Own loss: tells a gradient that is not that of the student's own loss from a loss that is another function.

Looked at only where a check has failed: the student's function is called again near the arguments of the check, and
the slopes of its loss along random directions are compared with its gradients. What is said is true of the arguments
of the check; where the loss has a kink there, or answers differ from call to call, nothing is said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks import checks
from autograder.checks.checks import CheckFailed, NotWritten
from autograder.student import CallFailed, Student

Array = NDArray[Any]
Point = dict[str, Array]  # what the loss depends on, under the names of the gradients
Evaluate = Callable[[Sequence[Point]], Sequence[tuple[object, Mapping[str, object]]]]  # losses, and gradients by name

_DIRECTIONS = 2  # for each gradient; a wrong one has the right slope along a random direction once in 10^5
_SEED = 4
# Between truncation, about the square of the step, and rounding, about 1e-16 / step: both are below 1e-7 here. Single
# precision has an error of 1e-3, which shows in the comparison of two steps.
_STEP = 1e-4
_STEPS = (_STEP, -_STEP, 2 * _STEP, -2 * _STEP)
_AGREES = 1e-5  # relative: slopes that agree
_DIFFERS = 1e-2  # relative: slopes that differ by more than any error of a slope
_SMALLEST_SLOPE = 1e-6  # of the loss, below which its last digits blur the slope
_SLOWEST_CALL_S = 0.5  # a function slower than this is not called again and again; a busy machine alone is not so slow


@contextmanager
def explain_gradient(student: Student, at: Point, evaluate: Evaluate) -> Iterator[None]:
    """Have a failed check within say whether the student's gradients at `at` are those of the student's loss.

    `evaluate` calls the student's function at each of the points, which differ from `at` in one array.
    """
    try:
        yield
    except CheckFailed as failed:
        with suppress(CallFailed, CheckFailed, NotWritten):  # the failure that is there already says enough
            failed.gradient_note = compare_slopes(at, evaluate) if student.begin_probing() else ""
        raise


def compare_slopes(at: Point, evaluate: Evaluate) -> str:
    """What the slopes of the loss say of the gradients; empty where that is not clear."""
    started = time.monotonic()
    (first,) = _require_values([at], evaluate)
    if time.monotonic() - started > _SLOWEST_CALL_S:
        return ""
    rng = np.random.default_rng(_SEED)
    lines = [(name, _draw_direction(rng, at[name])) for name in at for _ in range(_DIRECTIONS)]
    points = [{**at, name: at[name] + step * line} for name, line in lines for step in _STEPS]
    (loss, gradients), *others = _require_values([at, *points], evaluate)
    if loss != first[0]:
        return ""
    slopes: dict[str, list[_Slopes]] = {name: [] for name in at}
    for index, (name, line) in enumerate(lines):
        losses = [each for each, _ in others[index * len(_STEPS) : (index + 1) * len(_STEPS)]]
        slopes[name].append(_measure_slopes(float((gradients[name] * line).sum()), loss, losses))
    return _describe_slopes(slopes)


@dataclass(frozen=True)
class _Slopes:
    """Along one direction: the slope that the gradient has, and those of the loss over one step and over two."""

    of_gradient: float
    of_loss: float
    over_two: float
    bend: float  # how much the slope changes from one side to the other
    loss: float

    @property
    def size(self) -> float:
        return max(abs(self.of_gradient), abs(self.of_loss))

    @property
    def is_clear(self) -> bool:
        """Whether the loss is smooth here, and not so flat that rounding decides."""
        is_smooth = abs(self.of_loss - self.over_two) <= _AGREES * self.size and self.bend <= _DIFFERS * self.size
        return is_smooth and self.size > _SMALLEST_SLOPE * max(1.0, abs(self.loss))

    @property
    def agree(self) -> bool:
        return self.is_clear and abs(self.of_loss - self.of_gradient) <= _AGREES * self.size

    @property
    def differ(self) -> bool:
        return self.is_clear and abs(self.of_loss - self.of_gradient) > _DIFFERS * self.size


def _draw_direction(rng: np.random.Generator, values: Array) -> Array:
    direction = rng.normal(size=values.shape)
    return np.asarray(direction / np.linalg.norm(direction))


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
    if all(each.agree for found in slopes.values() for each in found):
        return (
            "your gradient is that of the loss that you return (checked numerically), so the loss is another function "
            "than the one asked for"
        )
    wrong = [name for name, found in slopes.items() if any(each.differ for each in found)]
    if not wrong:
        return ""
    names = " and ".join(filter(None, [", ".join(wrong[:-1]), wrong[-1]]))
    is_or_are = "is not the gradient" if len(wrong) == 1 else "are not the gradients"
    return f"{names} {is_or_are} of the loss that you return (checked numerically): they do not belong together"


def _require_values(points: Sequence[Point], evaluate: Evaluate) -> list[tuple[float, dict[str, Array]]]:
    """The losses and gradients; CheckFailed where one is of another shape or not finite."""
    return [
        (
            checks.scalar("loss", loss),
            {name: checks.array(name, gradients[name], values.shape) for name, values in point.items()},
        )
        for point, (loss, gradients) in zip(points, evaluate(points), strict=True)
    ]
