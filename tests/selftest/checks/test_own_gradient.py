"""A gradient beside the student's own loss: right derivatives of any loss pass, single precision included."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed, Point
from autograder.checks.gradient_check import require_own_gradient, require_slopes
from autograder.checks.tolerances import OWN_GRADIENT

Pair = Callable[[Point], tuple[Any, dict[str, Any]]]


def softplus(point: Point) -> tuple[Any, dict[str, Any]]:
    """Return the sum of log(1 + exp(W)) times a weight, and its gradient."""
    W = point["gradW"]
    weights = np.arange(1.0, W.size + 1).reshape(W.shape).astype(W.dtype)
    return (weights * np.log1p(np.exp(W))).sum(), {"gradW": weights / (1 + np.exp(-W))}


AT = {"gradW": np.random.default_rng(3).normal(size=(2, 3))}


def check(pair: Pair, at: Point = AT, *, factor: float = 1.0) -> None:
    """Check a pair of loss and gradients."""
    require_own_gradient(pair(at)[1], at, lambda points: [pair(point)[0] for point in points], factor=factor)


def refuse(pair: Pair, at: Point = AT) -> CheckFailed:
    """Return the failure of a pair."""
    with pytest.raises(CheckFailed) as caught:
        check(pair, at)
    return caught.value


def changed(**gradients: Callable[[Any], Any]) -> Pair:
    """Return the softplus with another gradient."""

    def pair(point: Point) -> tuple[Any, dict[str, Any]]:
        loss, right = softplus(point)
        return loss, {name: change(right[name]) for name, change in gradients.items()}

    return pair


class TestAPair:
    def test_that_belongs_together_passes(self) -> None:
        check(softplus)
        check(lambda point: (3 * softplus(point)[0] + 7, {"gradW": 3 * softplus(point)[1]["gradW"]}))

    def test_in_single_precision_passes(self) -> None:
        check(_round_to_single(softplus))

    def test_of_which_one_entry_is_wrong_fails_by_its_name(self) -> None:
        def spoil(grad: Any) -> Any:
            return grad + np.eye(2, 3) * 0.05

        failed = refuse(changed(gradW=spoil))
        assert (failed.what, failed.found) == ("gradW", "another array")
        assert failed.expected == "the gradient of the loss that you return (by central differences)"
        assert len(failed.values) == 2

    @pytest.mark.parametrize("change", [np.negative, np.zeros_like, lambda grad: grad / 2, lambda grad: grad[::-1]])
    def test_that_does_not_belong_together_fails(self, change: Callable[[Any], Any]) -> None:
        assert refuse(changed(gradW=change)).what == "gradW"

    def test_that_is_n_times_the_mean_passes_with_that_factor(self) -> None:
        mean: Pair = lambda point: (softplus(point)[0] / 4, softplus(point)[1])  # noqa: E731
        check(mean, factor=4.0)
        assert refuse(mean).what == "gradW"

    @pytest.mark.parametrize("value", [np.nan, np.inf, "text", None])
    def test_without_a_number_fails_without_an_error(self, value: Any) -> None:
        assert refuse(lambda point: (value, softplus(point)[1])).what == "loss"
        assert refuse(changed(gradW=lambda grad: np.full_like(grad, np.nan))).what == "gradW"


class TestALossThatShowsNothing:
    @pytest.mark.parametrize(
        ("loss", "gradient"),
        [
            (lambda W: 7.0, np.zeros_like),
            (lambda W: W.sum(), np.ones_like),
            (lambda W: (W**2).sum(), lambda W: 2 * W),
            (lambda W: (W**2).sum() - 3 * W.sum() + 1, lambda W: 2 * W - 3),
            (lambda W: float(np.float32((W**2).sum())), lambda W: 2 * W),
        ],
        ids=["constant", "linear", "quadratic", "parabola", "quadratic in single precision"],
    )
    def test_earns_nothing_with_its_right_gradient(self, loss: Any, gradient: Any) -> None:
        failed = refuse(lambda point: (loss(point["gradW"]), {"gradW": gradient(point["gradW"])}))
        assert failed.what == "loss"
        assert failed.found.startswith("a loss that ")

    def test_in_one_of_two_arguments_earns_nothing(self) -> None:
        at = {**AT, "gradb": np.ones(3)}
        failed = refuse(lambda point: (softplus(point)[0], {**softplus(point)[1], "gradb": np.zeros(3)}), at)
        assert failed.expected == "a loss of which gradb is the gradient"


class TestTheTolerance:
    SLOPES = np.array([[2.0, -0.5], [0.0, 1.0]])

    @pytest.mark.parametrize(("share", "passes"), [(0.9, True), (1.1, False)])
    @pytest.mark.parametrize("index", [(0, 0), (0, 1), (1, 0)])
    def test_tells_an_error_just_above_it_from_one_just_below(
        self, share: float, passes: bool, index: tuple[int, int]
    ) -> None:
        value = self.SLOPES.copy()
        value[index] += share * OWN_GRADIENT.compute_allowed(self.SLOPES)[index]
        with nullcontext() if passes else pytest.raises(CheckFailed):
            require_slopes("g", value, [self.SLOPES], of="f")

    def test_one_of_the_step_sizes_is_enough(self) -> None:
        require_slopes("g", self.SLOPES, [self.SLOPES + 1, self.SLOPES], of="f")


def _round_to_single(pair: Pair) -> Pair:
    """Return the pair as a function that works in single precision: arguments, loss and gradients are rounded."""

    def rounded(point: Point) -> tuple[Any, dict[str, Any]]:
        coarse = {name: value.astype(np.float32).astype(np.float64) for name, value in point.items()}
        loss, gradients = pair(coarse)
        return float(np.float32(loss)), {name: gradient.astype(np.float32) for name, gradient in gradients.items()}

    return rounded
