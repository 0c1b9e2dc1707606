"""Gradient checks of this course: a pair passes exactly if it belongs together, right ones in all draws, with words."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.checks import Point
from autograder.contracts import CheckBody
from autograder.contracts.call_values import move_arguments, take_gradients
from autograder.contracts.live_argument import make_live
from autograder.diagnosis.replay import Replay, copy_function
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.mistakes import Mistake
from autograder.results import Verdict
from reference import output_layer, parser_network, q1c_neural, word2vec
from tests.selftest.checks.test_gradient_check import FITS, Pair, check, round_to_single
from tests.selftest.support.grading import ASSIGNMENT, checks_of, load, reference_text
from tests.selftest.support.numerical_gradient import numerical_gradient
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.replayed_submission import REFERENCES

pytestmark = [pytest.mark.content, pytest.mark.once]

TESTS = [
    each
    for each in collect_hidden_tests(ASSIGNMENT, stems=ASSIGNMENT.stems)
    if each.test.name.endswith("_own_gradient")
]


def test_each_loss_with_its_gradient_has_one() -> None:
    assert {function for each in TESTS for function in each.test.functions} == {
        "naiveSoftmaxLossAndGradient",
        "negSamplingLossAndGradient",
        "skipgram",
        "cross_entropy_grad",
        "loss_and_gradients",
        "backprop",
        "forward_backward_prop",
        "grad_input",
    }
    assert {each.test.visibility.value for each in TESTS} == {"visible"}


@pytest.mark.parametrize("each", TESTS, ids=lambda each: each.test.name)
def test_it_has_a_tenth_to_a_seventh_of_the_points(each: RunnableTest) -> None:
    every = collect_hidden_tests(ASSIGNMENT, stems=[each.test.stem])
    points = sum(other.test.points for other in every if other.test.functions == each.test.functions)
    assert 0.095 <= each.test.points / points <= 0.15


def pair_up(each: RunnableTest, wrong: Any) -> tuple[Point, Pair]:
    """Return the point of the gradient check of a contract, and the pair as a function of it."""
    assert isinstance(each.call, CheckBody)
    check: Any = each.call.derived
    arguments = check.loss.arguments

    def pair(at: Point) -> tuple[Any, Point]:
        value = wrong(*make_live(copy.deepcopy(move_arguments(check.gradients, arguments, at))))
        named = dict(zip(check.parts, value, strict=True))
        return value[check.loss.place], take_gradients(check.gradients, arguments, named)

    return check.point, pair


# Of the checks whose function returns the loss, too.
WITH_LOSS = [each for each in TESTS if isinstance(each.call, CheckBody)]
WITH_LOSS = [each for each in WITH_LOSS if each.call.derived.loss.function in each.test.functions]
MISTAKES = [
    (each, mistake) for each in WITH_LOSS for mistake in load(each.test.stem) if mistake.function in each.test.functions
]
OF_THE_ORDER = "_outputs_swapped"  # ends the ids of mistakes in the order alone, which has a check of its own


def belongs_together(at: Point, pair: Pair) -> bool:
    """Tell by another method than the check's whether the gradients are those of the loss."""
    try:
        _, gradients = pair({name: values.copy() for name, values in at.items()})
        for name, values in at.items():
            slopes = numerical_gradient(
                lambda value, name=name: float(np.squeeze(pair({**at, name: value})[0])),  # type: ignore[misc]
                values,
            )
            if np.shape(gradients[name]) != values.shape or not np.allclose(gradients[name], slopes, 1e-3, 1e-5):
                return False
    except Exception:  # noqa: BLE001  (a mistake that raises has no gradient)
        return False
    return True


def find_wrong_verdict(each: RunnableTest, mistake: Mistake) -> str:
    """Tell how a gradient check is wrong about the loss and the gradient of a mistake, or nothing."""
    replay = Replay(REFERENCES, lambda _: None).replace(each.test.stem, mistake.function, mistake.wrong)  # type: ignore[arg-type]
    is_together = belongs_together(*pair_up(each, copy_function(mistake.wrong)))
    has_passed = replay.run(each.call)
    is_right = has_passed == (is_together or mistake.id.endswith(OF_THE_ORDER))
    return "" if is_right else f"{mistake.id} passes {each.test.name}: {has_passed}; belongs together: {is_together}"


@pytest.mark.ci
def test_a_pair_of_the_bank_passes_exactly_if_it_belongs_together() -> None:
    assert_none(filter(None, (find_wrong_verdict(each, mistake) for each, mistake in MISTAKES)))


def test_the_bank_has_pairs_of_both_kinds() -> None:
    together = [belongs_together(*pair_up(each, copy_function(mistake.wrong))) for each, mistake in MISTAKES]
    assert together.count(True) >= 10
    assert together.count(False) >= 20


def naive_softmax(seed: int) -> tuple[Pair, Point]:
    """Return the loss of a pair of words, and a point."""
    rng = np.random.default_rng(seed)
    pair = lambda p: _name(word2vec.naiveSoftmaxLossAndGradient(p["c"], 1, p["o"], None), "c", "o")  # type: ignore[arg-type]  # noqa: E731
    return pair, {"c": rng.normal(size=2), "o": rng.normal(size=(3, 2))}


def cross_entropy(seed: int) -> tuple[Pair, Point]:
    """Return the cross-entropy of a batch, and a point."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, size=3)
    entropy, gradient = parser_network.cross_entropy, parser_network.cross_entropy_grad
    return lambda p: (entropy(p["z"], labels), {"z": gradient(p["z"], labels)}), {"z": rng.normal(size=(3, 4))}


def sigmoid_network(seed: int) -> tuple[Pair, Point]:
    """Return the cost of a network with one hidden layer, and a point."""
    rng = np.random.default_rng(seed)
    data, labels = rng.normal(size=(3, 2)), np.eye(2)[rng.integers(0, 2, size=3)]
    pair = lambda p: _name(q1c_neural.forward_backward_prop(data, labels, p["w"], (2, 3, 2)), "w")  # noqa: E731
    return pair, {"w": rng.normal(size=17)}


def output_units(seed: int) -> tuple[Pair, Point]:
    """Return the loss of a network without a hidden layer, and a point."""
    rng = np.random.default_rng(seed)

    def pair(point: Point) -> tuple[Any, dict[str, Any]]:
        loss, weights, biases, x = output_layer.backprop(point["x"], 1, [point["w"]], [point["b"]])
        return loss, {"w": weights[0], "b": biases[0], "x": x}

    return pair, {"w": rng.normal(size=(3, 2)), "b": rng.normal(size=3), "x": rng.normal(size=2)}


def _name(value: Any, *names: str) -> tuple[Any, dict[str, Any]]:
    loss, *gradients = value
    return loss, dict(zip(names, gradients, strict=True))


@pytest.mark.ci
@pytest.mark.parametrize("make", [naive_softmax, cross_entropy, sigmoid_network, output_units])
def test_no_right_function_fails_in_a_thousand_draws(make: Callable[[int], tuple[Pair, Point]]) -> None:
    for seed in range(1000):
        pair, at = make(seed)
        check(pair, at)
        if seed % 10 == 0:
            check(round_to_single(pair), at)


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
        assert {each.verdict for each in failed} <= {Verdict.FAILED, Verdict.PARTIAL}
        return "\n".join(each.output for each in failed)

    @pytest.mark.ci
    def test_that_fails_when_called_again_is_judged_as_before(self) -> None:
        change = """
right, calls = backprop, []
def backprop(*arguments):
    calls.append(arguments)
    if len(calls) > 3:
        raise SystemExit("three are enough")
    loss, *others = right(*arguments)
    return loss + 1, *others
"""
        said = self.outputs("output_layer", change)
        assert said.count("FAIL loss is wrong;") == 1  # of the visible test, which makes three calls
        assert "gradient: " not in said
        assert "enough" not in said

    @pytest.mark.ci
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
