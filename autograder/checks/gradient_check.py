"""Gradient check: tells a gradient that does not belong to the student's loss from a loss that is another function.

It runs only after a check has failed: it calls the student's function again near the arguments of the check, and
compares the slopes of its loss along random directions with its gradients. The result is true at the arguments of the
check; it is empty if the loss has a kink there, or if return values differ from call to call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np

from autograder.checks import checks
from autograder.checks.cases import amend_failure, keep_cases
from autograder.checks.check_failed import CheckFailed, NotWritten
from autograder.checks.own_gradient import Point, require_own_gradient, require_slopes
from autograder.checks.values import Array
from autograder.plain_text import join_words
from autograder.student import CallFailed, Student

__all__ = ["explain_gradient", "require_own_gradient", "require_slopes"]

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


@contextmanager
def explain_gradient(student: Student, at: Point, evaluate: Evaluate) -> Iterator[None]:
    """Add to a check that fails in the block whether the gradients at `at` are those of the student's own loss.

    `evaluate` gets points that differ from `at` in one array each; it calls the student's function and returns, for
    each point, the loss and the gradients by name, of the shapes of the arrays in `at`.
    """

    def add_note(failed: CheckFailed) -> None:
        with suppress(CallFailed, CheckFailed, NotWritten), keep_cases(lambda: False):  # the failure is reported anyway
            failed.gradient_note = compare_slopes(at, evaluate) if student.begin_probing() else ""

    with amend_failure(add_note):
        yield


def compare_slopes(at: Point, evaluate: Evaluate) -> str:
    """Compare the gradients with the slopes of the loss and describe the result; empty if it is not clear."""
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
    names = join_words(wrong)
    is_or_are = "is not the gradient" if len(wrong) == 1 else "are not the gradients"
    return f"{names} {is_or_are} of the loss that you return (checked numerically): they do not belong together"


def _require_values(points: Sequence[Point], evaluate: Evaluate) -> list[tuple[float, dict[str, Array]]]:
    """Evaluate the losses and gradients; CheckFailed if one has another shape or is not finite."""
    return [
        (
            checks.scalar("loss", loss),
            {name: checks.array(name, gradients[name], values.shape) for name, values in point.items()},
        )
        for point, (loss, gradients) in zip(points, evaluate(points), strict=True)
    ]
