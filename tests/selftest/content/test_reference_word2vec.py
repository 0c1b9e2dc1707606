"""Tests the right losses against sums over words, and their gradients against differences of those sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from reference import word2vec
from tests.selftest.support.numerical_gradient import assert_gradients

pytestmark = pytest.mark.content

SIZES = [(5, 3), (4, 4), (7, 2), (2, 1), (1, 3)]  # V, D


class FixedDraws:
    """A dataset whose draws are known."""

    def __init__(self, draws: Iterable[int]) -> None:
        self._draws = iter(draws)

    def sampleTokenIdx(self) -> int:
        """Return the next draw."""
        return next(self._draws)


def vectors(V: int, D: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw centre and outside vectors of a vocabulary."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(V, D)), rng.normal(size=(V, D))


def plain_softmax_loss(v_c: np.ndarray, o: int, U: np.ndarray) -> float:
    """Compute -log of the probability of o from exponentials summed one by one."""
    exponentials = [math.exp(sum(u * v for u, v in zip(row, v_c, strict=True))) for row in U.tolist()]
    return -math.log(exponentials[o] / sum(exponentials))


def plain_sampling_loss(v_c: np.ndarray, o: int, U: np.ndarray, samples: Iterable[int]) -> float:
    """Compute the negative sampling loss with a logarithm for each word."""
    loss = math.log(1 + math.exp(-float(U[o] @ v_c)))
    for k in samples:
        loss += math.log(1 + math.exp(float(U[k] @ v_c)))
    return loss


def assert_loss_and_gradients(result: tuple[Any, ...], loss: Callable[..., float], *arguments: np.ndarray) -> None:
    """Compare a loss with the plain one, and its gradients with the plain one's differences."""
    assert result[0] == pytest.approx(loss(*arguments), rel=1e-12, abs=1e-14)
    assert_gradients(result[1:], loss, *arguments, atol=1e-9)


def test_sigmoid_of_large_numbers_raises_no_warning() -> None:
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert word2vec.sigmoid(np.array([-1000.0, -700.0, 1000.0])).tolist() == [
            0.0,
            pytest.approx(math.exp(-700)),
            1.0,
        ]


@pytest.mark.parametrize(("V", "D"), SIZES)
def test_naive_softmax_equals_the_plain_loss_and_its_differences(V: int, D: int) -> None:
    centers, U = vectors(V, D, seed=2)
    for o, v_c in enumerate(centers):
        result = word2vec.naiveSoftmaxLossAndGradient(v_c, o, U, None)
        assert_loss_and_gradients(result, lambda v_c, U, o=o: plain_softmax_loss(v_c, o, U), v_c, U)


@pytest.mark.parametrize("draws", [[0, 4, 3], [4, 4, 4, 0, 4], [1, 0, 0, 2, 1, 2]], ids=["distinct", "one", "pairs"])
@pytest.mark.parametrize("D", [1, 3, 5])
def test_negative_sampling_equals_the_plain_loss_and_its_differences(draws: list[int], D: int) -> None:
    centers, U = vectors(5, D, seed=3)
    v_c, o, samples = centers[0], 2, [k for k in draws if k != 2]
    result = word2vec.negSamplingLossAndGradient(v_c, o, U, FixedDraws(draws), len(samples))
    assert_loss_and_gradients(result, lambda v_c, U: plain_sampling_loss(v_c, o, U, samples), v_c, U)


def test_negative_sampling_of_large_scores_is_right() -> None:
    U = np.array([[1.0], [-1.0], [1.0]])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        result = word2vec.negSamplingLossAndGradient(np.array([1000.0]), 1, U, FixedDraws([0, 2, 0]), 3)
    loss, grad_center, grad_outside = result
    assert loss == 4000.0
    assert grad_center.tolist() == [4.0]
    assert grad_outside.tolist() == [[2000.0], [-1000.0], [1000.0]]


def test_skipgram_sums_the_loss_that_it_is_given() -> None:
    centers, U = vectors(3, 2, seed=7)
    asked = []

    def loss_of(v_c: np.ndarray, o: int, given: np.ndarray, dataset: object) -> tuple[float, np.ndarray, np.ndarray]:
        asked.append((o, dataset))
        return 10.0 + o, v_c * 2, given + o

    result = word2vec.skipgram("x", 1, ["z", "y"], {"x": 0, "y": 1, "z": 2}, centers, U, "the dataset", loss_of)
    loss, grad_centers, grad_outside = result
    assert asked == [(2, "the dataset"), (1, "the dataset")]
    assert loss == 23.0
    np.testing.assert_allclose(grad_centers, [centers[0] * 4, [0, 0], [0, 0]])
    np.testing.assert_allclose(grad_outside, 2 * U + 3)
