"""Hidden tests of sgd: steps along the gradient, postprocessing after each, and a step that halves."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.authoring import Constant, Contract, Given, make_toy
from reference import sgd as reference


class Bounded:
    """The sum of -sqrt(1 + (x - centre)^2) over the entries, and minus its gradient: the cost of a batch may rise."""

    def __init__(self, centre: float) -> None:
        self.centre = centre

    def __call__(self, x: Any) -> tuple[float, Any]:
        """Return both."""
        root = np.sqrt(1 + (x - self.centre) ** 2)
        gradient = (x - self.centre) / root
        return -float(root.sum()), gradient if np.ndim(x) else float(gradient)


def quartic(x: Any) -> tuple[float, Any]:
    """Return the sum of x^4 / 4 + x over the entries, and its gradient."""
    x = np.asarray(x, dtype=np.float64)
    gradient = x**3 + 1
    return float((x**4 / 4 + x).sum()), gradient if x.ndim else float(gradient)


def coupled(x: Any) -> tuple[float, Any]:
    """Return a quadratic function that couples all entries, and its gradient."""
    weights = np.arange(1.0, np.size(x) + 1).reshape(np.shape(x)) / np.size(x)
    total = float((weights * x).sum())
    gradient = total * weights + 0.5
    return total**2 / 2 + 0.5 * float(np.sum(x)), gradient if np.ndim(x) else float(gradient)


def halve(x: Any) -> Any:
    """Halve and add 1, in a new value."""
    return x / 2 + 1


def scale(x: Any) -> Any:
    """Scale to length 1, in a new value."""
    return x / np.sqrt(np.sum(x**2))


def erase(x: Any) -> Any:
    """Return 0, or zeros in a new array."""
    return 0 * x


FUNCTIONS = {
    "": lambda known, rng, style: make_toy(Bounded, round(rng.uniform(1, 3), 2)),
    "where f couples all entries of x": lambda known, rng, style: make_toy(coupled),
    "where f is a polynomial": lambda known, rng, style: make_toy(quartic),
}


def draw_start(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> Any:
    """Draw x0 of a style: a number where it has no axes."""
    drawn = np.asarray(rng.normal(size=known["..."]))
    styles = {
        "zeros": drawn * 0,
        "ones": drawn * 0 + 1,
        "positive": abs(drawn) + 0.1,
        "negative": -abs(drawn) - 0.1,
        "large": drawn * 9,
        "whole": np.round(3 * drawn),
    }
    made = styles.get(style, drawn if style == "generic" else None)
    return made if made is None or made.ndim else float(made)


STARTS = {
    "": draw_start,
    "where x0 is the number 1": lambda known, rng, style: 1.0,
    "where x0 is the number 2": lambda known, rng, style: 2.0,
    "where x0 is nearly 1": lambda known, rng, style: 0.97,
    "where x0 is a large number": lambda known, rng, style: 14.5,
    "where x0 is a large negative number": lambda known, rng, style: -9.5,
}


def accept_both_halvings(value: Any, case: Any) -> Any:
    """Accept an x after the halving of an iteration earlier or later: each moves it by half a step of a slope of 1."""
    step, iterations = case.arguments["step"], case.arguments["iterations"]
    is_near = np.size(value) == 1 and np.all(np.abs(value - case.right) < 1.1 * step)
    return value if iterations >= 20000 and is_near else case.right


def walk(iterations: int) -> list[object]:
    """Make a run along a slope of 1, so that x shows the sum of the steps; no halving moves it by 5 and more."""
    return [Constant((0.0, 1.0)), 0.0, 1.0, iterations]


def halve_number(rng: np.random.Generator) -> list[object]:
    """Make a run of a number that is halved after each step; the cost is 0 at first."""
    return [make_toy(quartic), 0.0, 0.1, 5, make_toy(halve)]


def start_flat(rng: np.random.Generator) -> list[object]:
    """Make a run that starts where the gradient is 0, from where postprocessing leads away."""
    return [make_toy(Bounded, 3.0), 3.0, 0.1, 5, make_toy(halve)]


def scale_array(rng: np.random.Generator) -> list[object]:
    """Make a run of an array that is scaled after each step."""
    return [make_toy(coupled), rng.normal(size=(2, 3)), 0.1, 5, make_toy(scale)]


def erase_number(rng: np.random.Generator) -> list[object]:
    """Make a run whose postprocessing returns 0."""
    return [make_toy(quartic), 1.5, 0.1, 2, make_toy(erase)]


STEPS = "step: float >= 0, iterations: 3 | 1 | 2 | 4 | 5 | 6 | 7 | 8 | 11 | 25 | 60 | 150 | 0"
sgd_number = Contract(
    reference.sgd,
    f"f: any, x0: float, {STEPS} -> x: float",
    draw={"f": FUNCTIONS, "x0": lambda known, rng, style: rng.normal()},
)
sgd_postprocessing = Contract(
    reference.sgd,
    f"f: any, x0: (...), {STEPS}, postprocessing: any -> x: (...)",
    draw={"f": FUNCTIONS, "x0": draw_start, "postprocessing": lambda known, rng, style: make_toy(halve)},
)
sgd = Contract(
    reference.sgd,
    f"f: any, x0: (...), {STEPS} -> x: (...)",
    draw={"f": FUNCTIONS, "x0": STARTS},
    cases=[
        Given(walk(20010), "after 20000 iterations"),
        Given(walk(20000), "where the last iteration is the 20000th"),
        Given(walk(60000), "where the last iteration is the 60000th"),
        Given(halve_number, "where a number is postprocessed"),
        Given(scale_array, "where an array is postprocessed"),
        Given(start_flat, "where the gradient is 0 at first"),
        Given(erase_number, "where postprocessing returns 0"),
    ],
    right={"x": accept_both_halvings},
)
sgd_number.rows(ordinary=("2.1", 1.25, "steps of a number"))
sgd_postprocessing.rows(ordinary=("2.2", 1.25, "steps of an array, with postprocessing that returns a new one"))
sgd.rows(
    everywhere=(
        "2.3",
        3.5,
        "numbers and arrays, other functions, steps and postprocessing, a step that halves every 20000 iterations",
    )
)
