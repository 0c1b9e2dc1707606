"""Hidden tests of output_layer: gradients at the output units, and carried from there to the input."""

from typing import Any

import numpy as np

from autograder.authoring import Contract, Given, Slopes
from reference import output_layer as reference

LARGEST = 8.0  # of weights: products of a few keep sigmoids from 0 and 1, where h (1 - h) has no digits
LOSS = 0.5  # of a row, in shares of a gradient: most of the work is behind it


def softmax(a: np.ndarray) -> np.ndarray:
    """Take the exponentials as they are, which is right for moderate scores."""
    return np.exp(a) / np.exp(a).sum()  # type: ignore[no-any-return]


def differentiate_naively(a: np.ndarray) -> np.ndarray:
    """Write the Jacobian of the softmax as a product."""
    return softmax(a)[:, np.newaxis] * (np.eye(len(a)) - softmax(a))


def chain_naively(a: np.ndarray, label: int) -> np.ndarray:
    """Multiply the two earlier gradients, the chain rule as it is printed."""
    return reference.grad_probabilities(softmax(a), label) @ differentiate_naively(a)


def backprop_naively(*network: Any) -> tuple[object, ...]:
    """Take the logarithm of a probability."""
    loss, *gradients = reference.backprop(*network)
    return -np.log(np.exp(-loss)), *gradients


def take_log(y_hat: np.ndarray, label: int) -> object:
    """Return the loss by probabilities."""
    return -np.log(y_hat[label])


def take_log_of_softmax(a: np.ndarray, label: int) -> object:
    """Return the loss by scores."""
    return take_log(softmax(a), label)


def draw_network(rng: np.random.Generator) -> list[object]:
    """Draw a network with one hidden layer for a gradient check; smaller weights have slopes too small to tell."""
    weights = [rng.normal(size=(3, 2)) * 1.2, rng.normal(size=(2, 3)) * 1.2]
    return [rng.normal(size=2), 1, weights, [rng.normal(size=3), rng.normal(size=2)]]


def make_unlikely(rng: np.random.Generator) -> list[object]:
    """Make probabilities of which the label's is tiny."""
    weights = rng.uniform(1, 2, size=5)
    weights[3] = 2e-6
    return [weights / weights.sum(), 3]


grad_probabilities = Contract(
    reference.grad_probabilities,
    "y_hat: distribution (k,), label: int < k -> grad: (k,)",
    cases=[Given(make_unlikely, "where the label is unlikely")],
    gradient=Slopes({"grad": "y_hat"}, right=take_log, draw=lambda rng: [rng.dirichlet(np.ones(4)), 2]),
)
softmax_jacobian = Contract(
    reference.softmax_jacobian,
    "a: (k,) -> jacobian: (k, k)",
    naive=[differentiate_naively],
    gradient=Slopes({"jacobian": "a"}, right=softmax, draw=lambda rng: [rng.normal(size=4)]),
    stable=["a"],
)
grad_preactivation = Contract(
    reference.grad_preactivation,
    "a: (k,), label: int < k -> grad: (k,)",
    naive=[chain_naively],
    gradient=Slopes({"grad": "a"}, right=take_log_of_softmax, draw=lambda rng: [rng.normal(size=4), 2]),
    stable=["a"],
)


def make_wide(rng: np.random.Generator) -> list[object]:
    """Make weights with entries beyond 30, below which all is small, so that no sigmoid is 0 or 1."""
    weights = [rng.normal(size=(4, 3)) * 9, rng.normal(size=(3, 4)) * 9]
    weights[0][0, 0] = weights[1][2, 3] = 40.0
    return [rng.normal(size=3) * 0.01, 1, weights, [rng.normal(size=4), rng.normal(size=3)]]


backprop = Contract(
    reference.backprop,
    """x: (D[0],), label: int < D[-1], weights: [(D[k+1], D[k])], biases: [(D[k+1],)]
       -> loss: float, grad_weights: [(D[k+1], D[k])], grad_biases: [(D[k+1],)], grad_x: (D[0],)""",
    naive=[backprop_naively],
    cases=[Given(make_wide, "where entries of weights are very large")],
    gradient=Slopes({"grad_weights": "weights", "grad_biases": "biases", "grad_x": "x"}, draw=draw_network),
    stable=["biases"],
    shares={"loss": LOSS},
    largest=LARGEST,
)
grad_probabilities.rows(
    ordinary=("8.1", 0.5, "a few classes"),
    gradient_check=("8.10", 0.25, "the gradient of -log(y_hat[label])"),
    everywhere=("8.2", 0.75, "other numbers of classes, labels and probabilities, a second call"),
)
softmax_jacobian.rows(
    ordinary=("8.3", 0.75, "a few scores"),
    gradient_check=("8.11", 0.5, "the Jacobian of the softmax"),
    everywhere=("8.4", 1.25, "other numbers of scores and other values, scores of 1000, a second call"),
)
grad_preactivation.rows(
    ordinary=("8.5", 0.75, "a few scores"),
    gradient_check=("8.12", 0.5, "the gradient of the loss with respect to the scores"),
    everywhere=("8.6", 1.25, "other numbers of scores, labels and values, scores of 1000, a second call"),
)
backprop.rows(
    ordinary=("8.7", 1, "the loss and the gradients, one hidden layer"),
    gradient_check=("8.8", 0.75, "the gradients of your own loss"),
    everywhere=("8.9", 1.75, "none to five hidden layers, other sizes, labels, values, scores of 1000, a second call"),
)
