"""A gradient beside the student's own loss: no right function of this course fails by chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.checks import Point
from reference import output_layer, parser_network, q1c_neural, word2vec
from tests.selftest.checks.test_gradient_check import Pair, check, round_to_single


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


@pytest.mark.exhaustive
@pytest.mark.sampled(second=0, ci=2)
@pytest.mark.parametrize("make", [naive_softmax, cross_entropy, sigmoid_network, output_units])
def test_no_right_function_fails_in_a_thousand_draws(make: Callable[[int], tuple[Pair, Point]]) -> None:
    for seed in range(1000):
        pair, at = make(seed)
        check(pair, at)
        if seed % 10 == 0:
            check(round_to_single(pair), at)
