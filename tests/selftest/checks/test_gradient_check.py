"""A gradient beside the student's own loss: right derivatives of any loss pass, and the words say which is wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.checks import CheckFailed, Point
from autograder.checks.gradient_check import compare_slopes, require_own_gradient, require_slopes
from autograder.checks.tolerances import OWN_GRADIENT

pytestmark = pytest.mark.once

Pair = Callable[[Point], tuple[Any, dict[str, Any]]]  # the loss, and the gradients by the names of the point's arrays
AT = {"gradW": np.random.default_rng(0).normal(size=(3, 4)), "gradb": np.random.default_rng(1).normal(size=4)}
X = np.random.default_rng(2).normal(size=3)
FITS = "so the loss is another function than the one asked for"


def compute_pair(point: Point) -> tuple[Any, dict[str, Any]]:
    """Return the loss log(1 + |x W + b|^2) and its gradients."""
    z = X @ point["gradW"] + point["gradb"]
    grad_z = 2 * z / (1 + z @ z)
    return np.log(1 + z @ z), {"gradW": np.outer(X, grad_z), "gradb": grad_z}


def of_loss(change: Callable[[Any], Any], factor: float = 1.0) -> Pair:
    """Return the right gradients, or a multiple, with another loss."""

    def pair(point: Point) -> tuple[Any, dict[str, Any]]:
        loss, gradients = compute_pair(point)
        return change(loss), {name: factor * each for name, each in gradients.items()}

    return pair


def with_gradient(change: Callable[[Any], Any], name: str = "gradW") -> Pair:
    """Return the right pair with another gradient of that name."""

    def pair(point: Point) -> tuple[Any, dict[str, Any]]:
        loss, gradients = compute_pair(point)
        return loss, {**gradients, name: change(gradients[name])}

    return pair


def round_to_single(pair: Pair) -> Pair:
    """Return the pair as a function that works in single precision: arguments, loss and gradients are rounded."""

    def rounded(point: Point) -> tuple[Any, dict[str, Any]]:
        coarse = {name: value.astype(np.float32).astype(np.float64) for name, value in point.items()}
        loss, gradients = pair(coarse)
        return float(np.float32(loss)), {name: gradient.astype(np.float32) for name, gradient in gradients.items()}

    return rounded


def explain(pair: Pair, at: Point = AT) -> str:
    """Return what is said of a pair."""
    return compare_slopes(at, lambda points: [pair(point) for point in points])


def check(pair: Pair, at: Point = AT, *, factor: float = 1.0) -> None:
    """Check a pair of loss and gradients in every entry."""
    require_own_gradient(pair(at)[1], at, lambda points: [pair(point)[0] for point in points], factor=factor)


def refuse(pair: Pair, at: Point = AT) -> CheckFailed:
    """Return the failure of a pair."""
    with pytest.raises(CheckFailed) as caught:
        check(pair, at)
    return caught.value


class TestAPair:
    @pytest.mark.parametrize("pair", [compute_pair, of_loss(lambda loss: 3 * loss + 7, 3)], ids=["right", "tripled"])
    def test_that_belongs_together_passes_and_is_of_another_loss(self, pair: Pair) -> None:
        check(pair)
        check(round_to_single(pair))
        assert FITS in explain(pair)

    def test_of_which_one_entry_is_wrong_fails_by_its_name(self) -> None:
        failed = refuse(with_gradient(lambda grad: grad + np.eye(3, 4) * 0.05))
        assert (failed.what, failed.found) == ("gradW", "another array")
        assert failed.expected == "the gradient of the loss that you return (by central differences)"
        assert len(failed.values) == 2

    @pytest.mark.parametrize("change", [np.negative, np.zeros_like, lambda grad: grad / 2, lambda grad: grad[::-1]])
    def test_with_one_wrong_gradient_names_it(self, change: Callable[[Any], Any]) -> None:
        assert refuse(with_gradient(change)).what == "gradW"
        assert explain(with_gradient(change)).startswith("gradW is not the gradient of the loss that you return")

    def test_with_a_loss_of_its_own_names_all_gradients(self) -> None:
        said = explain(of_loss(lambda loss: loss**2))
        assert said.startswith("gradW and gradb are not the gradients of the loss that you return")

    def test_that_is_n_times_the_mean_passes_with_that_factor(self) -> None:
        check(of_loss(lambda loss: loss / 4), factor=4.0)
        assert refuse(of_loss(lambda loss: loss / 4)).what == "gradW"

    @pytest.mark.parametrize("value", [np.nan, np.inf, "text", None])
    def test_without_a_number_fails_without_an_error(self, value: Any) -> None:
        assert refuse(of_loss(lambda _: value)).what == "loss"
        assert refuse(with_gradient(lambda grad: np.full_like(grad, np.nan))).what == "gradW"


@given(seed=st.integers(0, 10**6), size=st.sampled_from([1e-1, 1.0, 1e3]))
def test_a_random_gradient_never_fits(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    noise = {name: size * rng.normal(size=values.shape) for name, values in AT.items()}
    assert FITS not in explain(lambda point: (compute_pair(point)[0], noise))


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
        failed = refuse(lambda point: (loss(point["W"]), {"W": gradient(point["W"])}), {"W": AT["gradW"]})
        assert failed.what == "loss"
        assert failed.found.startswith("a loss that ")


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


def kinked(point: Point) -> tuple[Any, dict[str, Any]]:
    return float(np.abs(point["gradW"] - AT["gradW"]).sum()), {name: 0 * values for name, values in AT.items()}


def slow(point: Point) -> tuple[Any, dict[str, Any]]:
    end = time.monotonic() + 0.6
    while time.monotonic() < end:
        pass
    return compute_pair(point)


UNCLEAR = {
    "constants": lambda point: (0.0, {name: 0 * values for name, values in AT.items()}),
    "kink": kinked,
    "six decimals": of_loss(lambda loss: round(float(loss), 6)),
    "single precision": of_loss(lambda loss: float(np.float32(loss))),
    "slow function": slow,
    "slight error": of_loss(lambda loss: loss * 1.001),
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_nothing_is_said_of(case: str) -> None:
    assert explain(UNCLEAR[case]) == ""
