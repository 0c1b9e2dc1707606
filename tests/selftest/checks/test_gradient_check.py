"""The numerical check of a student's loss and gradients says which of them is wrong, or says nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.checks import Point
from autograder.checks.gradient_check import Evaluate, compare_slopes
from autograder.results import Verdict
from tests.selftest.support.grading import checks_of, reference_text

AT = {"gradW": np.random.default_rng(0).normal(size=(3, 4)), "gradb": np.random.default_rng(1).normal(size=4)}
FITS = "so the loss is another function than the one asked for"
X = np.random.default_rng(2).normal(size=3)


def loss_and_gradients(point: Point) -> tuple[Any, dict[str, Any]]:
    """Return the loss log(1 + |x W + b|^2) and its gradients."""
    z = X @ point["gradW"] + point["gradb"]
    grad_z = 2 * z / (1 + z @ z)
    return np.log(1 + z @ z), {"gradW": np.outer(X, grad_z), "gradb": grad_z}


def one_by_one(function: Callable[[Point], tuple[Any, dict[str, Any]]]) -> Evaluate:
    """Evaluate the function at each of the points."""
    return lambda points: [function(point) for point in points]


def changed(change: Callable[[Any, dict[str, Any]], tuple[Any, dict[str, Any]]]) -> str:
    """Return the finding about the right pair after a change."""
    return compare_slopes(AT, one_by_one(lambda point: change(*loss_and_gradients(point))))


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


def rounded(point: Point) -> tuple[Any, dict[str, Any]]:
    loss, grads = loss_and_gradients(point)
    return round(float(loss), 6), grads


def single(point: Point) -> tuple[Any, dict[str, Any]]:
    loss, grads = loss_and_gradients(point)
    return float(np.float32(loss)), grads


def slow(point: Point) -> tuple[Any, dict[str, Any]]:
    end = time.monotonic() + 0.6
    while time.monotonic() < end:
        pass
    return loss_and_gradients(point)


UNCLEAR = {
    "constants": lambda point: (0.0, {name: 0 * values for name, values in AT.items()}),
    "kink": kinked,
    "six decimals": rounded,
    "single precision": single,
    "slow function": slow,
    "slight error": lambda point: (loss_and_gradients(point)[0] * 1.001, loss_and_gradients(point)[1]),
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_nothing_is_said_of(case: str) -> None:
    assert compare_slopes(AT, one_by_one(UNCLEAR[case])) == ""


def test_nothing_is_said_of_answers_that_change_from_call_to_call() -> None:
    rng = np.random.default_rng(5)

    def evaluate(points: Sequence[Point]) -> list[tuple[Any, dict[str, Any]]]:
        offset = rng.normal()
        return [(loss + offset, grads) for loss, grads in map(loss_and_gradients, points)]

    assert compare_slopes(AT, evaluate) == ""


@pytest.mark.slow
class TestSubmission:
    """The hidden tests run on student code in a worker."""

    @staticmethod
    def outputs(stem: str, change: str) -> str:
        """Return the outputs of the tests of values that fail."""
        failed = [
            each
            for name, each in checks_of(stem, reference_text(stem) + change).items()
            if each.verdict is not Verdict.PASSED and not name.endswith("_own_gradient")
        ]
        assert {each.verdict for each in failed} == {Verdict.FAILED}
        return "\n".join(each.output for each in failed)

    def test_whose_gradient_is_not_that_of_its_loss_is_told(self) -> None:
        change = """
right = naiveSoftmaxLossAndGradient
def naiveSoftmaxLossAndGradient(*arguments):
    print("called")
    loss, center, outside = right(*arguments)
    return loss, center * center, outside
"""
        said = self.outputs("word2vec", change)
        assert "gradient: gradCenterVec is not the gradient of the loss that you return" in said
        assert FITS not in said
        assert said.count("| called") == 2  # of the test that is visible, and not of the calls made to explain it

    def test_whose_pair_belongs_together_is_told(self) -> None:
        change = """
right = loss_and_gradients
def loss_and_gradients(params, x, labels):
    loss, grads = right(params, x, labels)
    decay = sum((value ** 2).sum() for value in params.values())
    return loss + decay, {name: grads[name] + 2 * params[name] for name in grads}
"""
        assert FITS in self.outputs("parser_network", change)

    def test_that_fails_when_called_again_is_judged_as_before(self) -> None:
        change = """
right, calls = backprop, []
def backprop(*arguments):
    calls.append(arguments)
    if len(calls) > 1:
        raise SystemExit("once is enough")
    loss, *others = right(*arguments)
    return loss + 1, *others
"""
        said = self.outputs("output_layer", change)
        assert said.count("FAIL loss") == 2
        assert "gradient: " not in said
        assert "once" not in said

    def test_whose_pair_belongs_together_with_a_sibling_that_is_wrong_alone_is_told(self) -> None:
        change = """
def sigmoid_grad(z):
    return _sigmoid(z) * (1 - _sigmoid(z))
def forward_backward_prop(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    z = data @ W1 + b1
    h = _sigmoid(z)
    log_p = _log_softmax(h @ W2 + b2)
    d2 = np.exp(log_p) - labels
    d1 = d2 @ W2.T * sigmoid_grad(z)
    grads = [(data.T @ d1).ravel(), d1.sum(axis=0), (h.T @ d2).ravel(), d2.sum(axis=0)]
    cost = -(labels * log_p).sum() + (params**2).sum() / 2
    return cost, np.concatenate(grads) + params
"""
        said = self.outputs("q1c_neural", change)
        assert FITS in said
        assert "is not the gradient" not in said
