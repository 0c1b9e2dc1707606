"""Hidden tests of q1c_neural: one sigmoid hidden layer and softmax, its probability, cost and gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import ROBUST, Contract, Given, InAllCases, Slopes, Student, checks
from reference import q1c_neural as reference

Make = Callable[[np.random.Generator], list[object]]
BATCH = """data: (N, Dx), labels: onehot (N, Dy), params: ((Dx+1)*H + (H+1)*Dy,), dimensions: = (Dx, H, Dy) -> {}
           where Dy >= 2"""
PIECES = {"W1": "Dx*H", "b1": "H", "W2": "H*Dy", "b2": "Dy"}
LARGEST = 9.0  # of entries: no sum of them is beyond what exp stands

# Output biases that make the scores large, small, and so far apart that a probability is 0 in floating point.
HUGE, SMALL, APART = [1000.0, 1001.0, 999.0], [-1000.0, -1002.0, -1001.0], [0.0, 1000.0, -1000.0]


def draw_batch(rng: np.random.Generator, N: int, Dx: int, H: int, Dy: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw data, one-hot labels and flat parameters."""
    params = rng.normal(size=(Dx + 1) * H + (H + 1) * Dy)
    return rng.normal(size=(N, Dx)), np.eye(Dy)[rng.integers(0, Dy, size=N)], params


def make_scores(biases: list[float]) -> Make:
    """Return a maker of batches of three classes with these output biases."""

    def make(rng: np.random.Generator) -> list[object]:
        data, labels, params = draw_batch(rng, 4, 1, 4, 3)
        return [data, labels, np.append(params[:-3], biases), (1, 4, 3)]

    return make


def make_saturated(rng: np.random.Generator) -> list[object]:
    """Make a batch whose hidden units have pre-activations of about 1000 and -1000."""
    data, labels, params = draw_batch(rng, 4, 1, 4, 3)
    params[:4] = np.sign(params[:4])
    return [np.sign(data) * 1000, labels, params, (1, 4, 3)]


def make_steep(rng: np.random.Generator) -> list[object]:
    """Make a batch with weights of the output layer of about 12."""
    data, labels, params = draw_batch(rng, 8, 2, 4, 3)
    return [data, labels, np.append(params[:12], 12 * params[12:]), (2, 4, 3)]


def make_unequal(rng: np.random.Generator) -> list[object]:
    """Make two rows whose hidden units are about 0 and 1, so that their scores are of different size."""
    params = np.concatenate([np.full(2, 8.0), np.zeros(2), [900.0, 901.0, 899.0, 1.0, -2.0, 3.0], np.zeros(3)])
    return [np.array([[1.0], [-1.0]]), np.eye(3)[[0, 2]], params, (1, 2, 3)]


def take_label(make: Make) -> Make:
    """Return a maker of one row and the second class in place of a batch."""

    def make_one(rng: np.random.Generator) -> list[object]:
        data, _, *rest = make(rng)
        return [np.asarray(data)[:1], 1, *rest]

    return make_one


def average(
    data: np.ndarray, labels: np.ndarray, params: np.ndarray, dimensions: tuple[int, ...]
) -> tuple[float, np.ndarray]:
    """Return cost and gradient as means over the batch."""
    cost, grad = reference.forward_backward_prop(data, labels, params, dimensions)
    return cost / len(data), grad / len(data)


def average_input(data: np.ndarray, labels: np.ndarray, params: np.ndarray, dimensions: tuple[int, ...]) -> np.ndarray:
    """Return the gradient of the mean cost."""
    return np.asarray(reference.grad_input(data, labels, params, dimensions)) / len(data)


def cost_of_probabilities(
    data: np.ndarray, labels: np.ndarray, params: np.ndarray, dimensions: tuple[int, ...]
) -> tuple[float, np.ndarray]:
    """Return the cost by a sigmoid and a softmax that overflow, as many right solutions do, and the gradient."""
    Dx, H, Dy = dimensions
    W1, b1, W2, b2 = np.split(params, np.cumsum([Dx * H, H, H * Dy]))
    h = 1 / (1 + np.exp(-(data @ W1.reshape(Dx, H) + b1)))
    weights = np.exp(h @ W2.reshape(H, Dy) + b2)
    y_hat = weights / weights.sum(axis=1, keepdims=True)
    delta2 = y_hat - labels
    delta1 = delta2 @ W2.reshape(H, Dy).T * h * (1 - h)
    grads = data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)
    return -np.sum(labels * np.log(y_hat)), np.concatenate([each.ravel() for each in grads])


def list_extreme(*unjudged: str) -> list[Given]:
    """List cases with scores that overflow; `unjudged`: parts that may be infinite where a probability is 0."""
    return [
        Given(make_scores(HUGE), "where scores are about 1000", ROBUST),
        Given(make_scores(SMALL), "where scores are about -1000", ROBUST),
        Given(make_scores(APART), "where scores are far apart", ROBUST, unjudged),
        Given(make_saturated, "where hidden units are saturated", ROBUST),
    ]


def draw_few(rng: np.random.Generator) -> list[object]:
    """Draw a small batch with a class twice for a gradient check."""
    data, _, params = draw_batch(rng, 3, 2, 3, 3)
    return [data, np.eye(3)[[2, 0, 2]], params, (2, 3, 3)]


def ask_slope(student: Any, x: Any) -> Any:
    """Ask for the slopes at x, from the values of the sigmoid."""
    return student.sigmoid_grad(1 / (1 + np.exp(-x)))


def add_sigmoids(x: np.ndarray) -> object:
    """Return the sum of sigmoids."""
    return (1 / (1 + np.exp(-x))).sum()


def measure_cost(student: Any, data: Any, labels: Any, params: Any, dimensions: Any) -> Any:
    """Measure the cost of the student's own."""
    return student.forward_backward_prop(data, labels, params, dimensions)


STEEP = Given(make_steep, "where W2 is large")
UNEQUAL = Given(make_unequal, "where the scores of one row are 1000 times smaller", ROBUST)

sigmoid_grad = Contract(
    reference.sigmoid_grad,
    "s: (...) [0, 1] -> slope: (...)",
    cases=[Given([s], f"for the number {s}") for s in (0.3, 0.0, 1.0, 0.1, 0.96)],
    gradient=Slopes({"slope": "x"}, right=add_sigmoids, at=ask_slope, draw=lambda rng: [rng.normal(size=(2, 3))]),
)
forward = Contract(
    reference.forward,
    """data: (1, Dx), label: int < Dy, params: ((Dx+1)*H + (H+1)*Dy,), dimensions: = (Dx, H, Dy) -> probability: float
       where Dy >= 2""",
    cases=[each._replace(arguments=take_label(each.arguments)) for each in (STEEP, *list_extreme())],
    largest=LARGEST,
)
forward_backward_prop = Contract(
    reference.forward_backward_prop,
    BATCH.format("cost: float, grad: ((Dx+1)*H + (H+1)*Dy,)"),
    right={"a mean over the batch in place of the sum": InAllCases(average)},
    naive=[cost_of_probabilities],
    gradient=Slopes({"grad": "params"}, draw=draw_few),
    segments={"grad": {f"the gradient of {name}": length for name, length in PIECES.items()}},
    cases=[STEEP, *list_extreme("cost"), UNEQUAL],
    shares={"cost": 0.2, "grad": 0.8},
    largest=LARGEST,
)
grad_input = Contract(
    reference.grad_input,
    BATCH.format("grad: (N, Dx)"),
    right={"a mean over the batch in place of the sum": InAllCases(average_input)},
    gradient=Slopes(
        {"grad": "data"},
        of=measure_cost,
        alone=["data", "labels"],
        mean={"forward_backward_prop": average},
        draw=draw_few,
    ),
    cases=[STEEP, *list_extreme(), UNEQUAL],
    largest=LARGEST,
)
sigmoid_grad.rows(
    ordinary=("9.1", 0.75, "from values of the sigmoid"),
    gradient_check=("9.12", 0.5, "the slopes of the sigmoid"),
    everywhere=("9.2", 1.25, "other shapes and values, single numbers, the ends 0 and 1"),
)
forward.rows(
    ordinary=("9.3", 1.5, "the probability of a class"),
    everywhere=("9.4", 2.5, "every class, other sizes and values, large scores"),
)
forward_backward_prop.rows(
    ordinary=("9.5", 3, "the cost and the gradient of batches"),
    gradient_check=("9.6", 1.75, "the gradient of your own cost"),
    everywhere=("9.7", 4.75, "one example, other sizes, labels and values, large scores"),
)
grad_input.rows(
    ordinary=("9.8", 1.25, "the gradient with respect to the data, for batches"),
    gradient_check=("9.9", 0.75, "the gradient of your own cost, row by row"),
    everywhere=("9.10", 2, "one example, other sizes, labels and values, large scores"),
)


@weight(0)
@number("9.11")
@visibility("visible")
@tags("forward_backward_prop", "advice")
def test_forward_backward_prop_finite_cost(student: Student) -> None:
    """forward_backward_prop: the cost where a probability is 0 in floating point"""
    data, _, params = draw_batch(np.random.default_rng(916), 2, 1, 3, 3)
    batch = (data, np.eye(3)[[0, 2]], np.append(params[:-3], [0.0, 900.0, -900.0]), (1, 3, 3))
    cost, _ = checks.parts("forward_backward_prop", student.q1c_neural.forward_backward_prop(*batch), ("cost", "grad"))
    right, _ = reference.forward_backward_prop(*batch)
    with checks.advise("log(softmax(x)) is minus infinity where the softmax is 0; x - log(sum(exp(x))) is not."):
        found = checks.scalar("cost", cost)
        if checks.is_right(found, right / 2):  # the mean of two rows in place of their sum
            right /= 2
        checks.close("cost", found, right)
