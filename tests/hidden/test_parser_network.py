"""Hidden tests of parser_network: the ReLU hidden layer, softmax cross-entropy, and their gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.authoring import Contract, Given, Slopes
from reference import parser_network as reference

LAYER = "x: (N, Dx), W: (Dx, H), b1: (H,)"
OF_LAYER = {"grad_x": "x", "grad_W": "W", "grad_b1": "b1"}
PARAMS = "{W: (Dx, H), b1: (H,), U: (H, C), b2: (C,)}"
# x, W and b1 in whole numbers with the pre-activation [[0, 1, 0, -1], [7, -3, -5, 4]]: exactly 0 twice.
KINK = (
    np.array([[1.0, 2.0], [3.0, -1.0]]),
    np.array([[2.0, 1.0, -1.0, 1.0], [-1.0, 2.0, 1.0, -1.0]]),
    np.array([0.0, -4.0, -1.0, 0.0]),
)
MANY_ROWS = {"N": (5, 6, 7), "C": (2, 3, 4)}  # so that each class has a label in ordinary cases of all functions
WIDE = 50.0  # products and sums alone
LARGEST = 9.0  # of scores: a small number inside the logarithm, which caps the loss of unlikely labels, is robustness


def list_edges(build: Callable[..., Any]) -> list[Given]:
    """List cases at the edge of a unit's activity; `build` makes arguments from a generator, x, W and b1."""

    def make_tiny(rng: np.random.Generator) -> Any:
        return build(rng, rng.normal(size=(3, 2)) * 1e-3, rng.normal(size=(2, 4)), np.zeros(4))

    return [
        Given(lambda rng: build(rng, *KINK), "where a pre-activation is 0"),
        Given(make_tiny, "where pre-activations are tiny"),
    ]


def add_output(rng: np.random.Generator, x: np.ndarray, W: np.ndarray, b1: np.ndarray) -> list[Any]:
    """Return the arguments of loss_and_gradients with this layer, below scores of three classes."""
    params = {"W": W, "b1": b1, "U": rng.normal(size=(4, 3)), "b2": rng.normal(size=3)}
    return [params, x, np.arange(len(x))]


def make_wide(rng: np.random.Generator) -> list[Any]:
    """Make parameters with entries beyond 30, between which all is small, and as many rows as units without a class."""
    params, x, _ = add_output(rng, rng.normal(size=(4, 2)) * 0.01, rng.normal(size=(2, 4)), rng.uniform(0.5, 1, 4))
    params["W"][0, 2] = params["U"][1, 0] = 40.0
    params["b1"][:2] = -40.0, 0.05
    return [params, x, np.array([0, 1, 1, 0])]


def softmax_naively(logits: np.ndarray) -> np.ndarray:
    """Take the exponentials as they are, which is right for moderate scores."""
    return np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)  # type: ignore[no-any-return]


def cross_entropy_naively(logits: np.ndarray, labels: np.ndarray) -> object:
    """Take the logarithm of probabilities, and keep it from -inf."""
    return -np.log(softmax_naively(logits)[np.arange(len(labels)), labels] + 1e-12).mean()


def differentiate_naively(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Subtract one-hot labels from probabilities."""
    return (softmax_naively(logits) - np.eye(logits.shape[1])[labels]) / len(labels)


def loss_naively(*batch: Any) -> tuple[object, ...]:
    """Take the logarithm of a probability."""
    loss, grads = reference.loss_and_gradients(*batch)
    return -np.log(np.exp(-loss)), grads


def draw_layer(rng: np.random.Generator) -> list[Any]:
    """Draw a layer for a gradient check: three rows of x, W and b1; the first one has units that are on and off."""
    while True:
        x, W, b1 = rng.normal(size=(3, 2)), rng.normal(size=(2, 4)), rng.normal(size=4)
        is_active = x[0] @ W + b1 > 0
        if is_active.any() and not is_active.all():
            return [x, W, b1]


def draw_row(rng: np.random.Generator) -> list[Any]:
    """Draw one example, which is a vector, and a layer that is not square."""
    x, W, b1 = draw_layer(rng)
    return [x[0], W, b1]


def draw_layer_and_gradient(rng: np.random.Generator) -> list[Any]:
    """Draw the gradient by a layer's units, and the layer."""
    return [rng.normal(size=(3, 4)), *draw_layer(rng)]


def draw_logits(rng: np.random.Generator) -> list[Any]:
    """Draw logits and a label twice for a gradient check."""
    return [rng.normal(size=(4, 3)), np.array([0, 1, 2, 1])]


def draw_network(rng: np.random.Generator) -> list[Any]:
    """Draw a small network and four examples for a gradient check."""
    params = {"W": rng.normal(size=(2, 3)), "b1": rng.normal(size=3), "U": rng.normal(size=(3, 2))}
    return [{**params, "b2": rng.normal(size=2)}, rng.normal(size=(4, 2)), np.array([0, 1, 1, 0])]


def run_row(student: Any, x: Any, W: Any, b1: Any) -> Any:
    """Give one example to the layer as a batch of one row."""
    return student.hidden_forward(x[np.newaxis], W, b1)


def run_layer(student: Any, grad_h: Any, x: Any, W: Any, b1: Any) -> Any:
    """Run the layer forward."""
    return student.hidden_forward(x, W, b1)


def measure_loss(student: Any, logits: Any, labels: Any) -> Any:
    """Measure the loss of the student's own."""
    return student.cross_entropy(logits, labels)


relu = Contract(reference.relu, "z: (...) -> h: (...)", largest=1000.0)
hidden_forward = Contract(
    reference.hidden_forward, f"{LAYER} -> h: (N, H)", cases=list_edges(lambda rng, *layer: layer), largest=WIDE
)
hidden_jacobian = Contract(
    reference.hidden_jacobian,
    "x: (Dx,), W: (Dx, H), b1: (H,) -> jacobian: (H, Dx)",
    cases=list_edges(lambda rng, x, W, b1: (x[0], W, b1)),
    gradient=Slopes({"jacobian": "x"}, of=run_row, draw=draw_row),
    largest=WIDE,
)
hidden_backward = Contract(
    reference.hidden_backward,
    f"grad_h: (N, H), {LAYER} -> grad_x: (N, Dx), grad_W: (Dx, H), grad_b1: (H,)",
    cases=list_edges(lambda rng, x, W, b1: (rng.normal(size=(len(x), 4)), x, W, b1)),
    gradient=Slopes(OF_LAYER, of=run_layer, times=["grad_h"], draw=draw_layer_and_gradient),
    largest=WIDE,
)
softmax = Contract(
    reference.softmax,
    "logits: (N, C) -> y_hat: (N, C)",
    naive=[softmax_naively],
    keeps_arguments=True,
    integers=["logits"],
    stable=["logits"],
    largest=LARGEST,
)
cross_entropy = Contract(
    reference.cross_entropy,
    "logits: (N, C), labels: (N,) < C -> loss: float",
    naive=[cross_entropy_naively],
    stable=["logits"],
    usual=MANY_ROWS,
    largest=LARGEST,
)
cross_entropy_grad = Contract(
    reference.cross_entropy_grad,
    "logits: (N, C), labels: (N,) < C -> grad: (N, C)",
    naive=[differentiate_naively],
    gradient=Slopes({"grad": "logits"}, of=measure_loss, draw=draw_logits),
    stable=["logits"],
    usual=MANY_ROWS,
    largest=LARGEST,
)
loss_and_gradients = Contract(
    reference.loss_and_gradients,
    f"params: {PARAMS}, x: (N, Dx), labels: (N,) < C -> loss: float, grads: {PARAMS}",
    naive=[loss_naively],
    gradient=Slopes({"grads": "params"}, draw=draw_network),
    cases=[*list_edges(add_output), Given(make_wide, "where entries of params are very large")],
    stable=["b2", "x"],
    usual=MANY_ROWS,
    largest=LARGEST,
)
relu.rows(ordinary=("7.1", 0.4, "matrices"), everywhere=("7.2", 0.6, "other shapes and values, a second call"))
hidden_forward.rows(
    ordinary=("7.3", 0.75, "batches of a few rows"), everywhere=("7.4", 1.25, "other sizes and values, a second call")
)
hidden_jacobian.rows(
    ordinary=("7.5", 0.75, "layers of a few units"),
    gradient_check=("7.19", 0.5, "the Jacobian of your own hidden_forward"),
    everywhere=("7.6", 1.25, "other sizes and values, a pre-activation of 0, a second call"),
)
hidden_backward.rows(
    ordinary=("7.7", 0.75, "batches of a few rows"),
    gradient_check=("7.20", 0.5, "the gradients of your own hidden_forward"),
    everywhere=("7.8", 1.75, "other sizes and values, a pre-activation of 0, a second call"),
)
softmax.rows(
    ordinary=("7.9", 1, "a few rows"),
    everywhere=("7.10", 1.5, "other sizes and values, scores of 1000, its argument as it was, a second call"),
)
cross_entropy.rows(
    ordinary=("7.11", 1, "a few rows"),
    everywhere=("7.12", 1.5, "other sizes, values and labels, scores of 1000, a second call"),
)
cross_entropy_grad.rows(
    ordinary=("7.13", 0.5, "a few rows"),
    gradient_check=("7.14", 0.5, "the gradient of your own cross_entropy"),
    everywhere=("7.15", 1.5, "other sizes, values and labels, scores of 1000, a second call"),
)
loss_and_gradients.rows(
    ordinary=("7.16", 1.25, "the loss and the gradients, batches of a few rows"),
    gradient_check=("7.17", 0.75, "the gradients of your own loss"),
    everywhere=("7.18", 2, "other sizes, values and labels, a pre-activation of 0, scores of 1000, a second call"),
)
