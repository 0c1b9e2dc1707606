"""The numerical check of a student's loss and gradients says which of them is wrong, or says nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.checks import Point
from autograder.checks.gradient_check import Evaluate, compare_slopes

AT = {"gradW": np.random.default_rng(0).normal(size=(3, 4)), "gradb": np.random.default_rng(1).normal(size=4)}
FITS = "so the loss is another function than the one asked for"
X = np.random.default_rng(2).normal(size=3)


def compute_pair(point: Point) -> tuple[Any, dict[str, Any]]:
    """Return the loss log(1 + |x W + b|^2) and its gradients."""
    z = X @ point["gradW"] + point["gradb"]
    grad_z = 2 * z / (1 + z @ z)
    return np.log(1 + z @ z), {"gradW": np.outer(X, grad_z), "gradb": grad_z}


def one_by_one(function: Callable[[Point], tuple[Any, dict[str, Any]]]) -> Evaluate:
    """Evaluate the function at each of the points."""
    return lambda points: [function(point) for point in points]


def changed(change: Callable[[Any, dict[str, Any]], tuple[Any, dict[str, Any]]]) -> str:
    """Return the finding about the right pair after a change."""
    return compare_slopes(AT, one_by_one(lambda point: change(*compute_pair(point))))


class TestPair:
    def test_that_fits_is_of_another_loss(self) -> None:
        assert FITS in changed(lambda loss, grads: (loss, grads))
        assert FITS in changed(lambda loss, grads: (3 * loss + 1, {name: 3 * grad for name, grad in grads.items()}))

    def test_with_one_wrong_gradient_names_it(self) -> None:
        said = changed(lambda loss, grads: (loss, grads | {"gradb": 2 * grads["gradb"]}))
        assert said.startswith("gradb is not the gradient of the loss that you return")

    def test_with_a_loss_of_its_own_names_all_gradients(self) -> None:
        said = changed(lambda loss, grads: (loss**2, grads))
        assert said.startswith("gradW and gradb are not the gradients of the loss that you return")


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.sampled_from([1e-1, 1.0, 1e3]))
def test_a_random_gradient_never_fits(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    noise = {name: size * rng.normal(size=values.shape) for name, values in AT.items()}
    assert FITS not in changed(lambda loss, grads: (loss, noise))


def kinked(point: Point) -> tuple[Any, dict[str, Any]]:
    return float(np.abs(point["gradW"] - AT["gradW"]).sum()), {name: 0 * values for name, values in AT.items()}


def of_loss(change: Callable[[float], float]) -> Callable[[Point], tuple[Any, dict[str, Any]]]:
    """Return the right gradients with another loss."""
    return lambda point: (change(float(compute_pair(point)[0])), compute_pair(point)[1])


def slow(point: Point) -> tuple[Any, dict[str, Any]]:
    end = time.monotonic() + 0.6
    while time.monotonic() < end:
        pass
    return compute_pair(point)


UNCLEAR = {
    "constants": lambda point: (0.0, {name: 0 * values for name, values in AT.items()}),
    "kink": kinked,
    "six decimals": of_loss(lambda loss: round(loss, 6)),
    "single precision": of_loss(lambda loss: float(np.float32(loss))),
    "slow function": slow,
    "slight error": of_loss(lambda loss: loss * 1.001),
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_nothing_is_said_of(case: str) -> None:
    assert compare_slopes(AT, one_by_one(UNCLEAR[case])) == ""


@pytest.mark.parametrize(("offset", "smallest"), [(0.0, 1e-6), (1000.0, 1e-3)], ids=["small loss", "large loss"])
def test_only_slopes_above_a_millionth_of_the_loss_say_something(offset: float, smallest: float) -> None:
    def find(slope: float) -> str:
        def evaluate(point: Point) -> tuple[Any, dict[str, Any]]:
            return offset + slope * point["w"][0], {"w": np.array([slope])}

        return compare_slopes({"w": np.array([0.1])}, one_by_one(evaluate))

    assert FITS in find(1.5 * smallest)
    assert find(0.9 * smallest) == ""
