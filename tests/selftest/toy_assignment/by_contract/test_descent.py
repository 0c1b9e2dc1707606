"""Hidden tests of descent: steps against the gradient, and postprocessing after each."""

from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, visibility, weight

from autograder.authoring import Check, Contract, make_toy
from reference import descent as reference


def quartic(x: Any) -> tuple[float, Any]:
    """Return the sum of x^4 / 4 + x over the entries, and its gradient."""
    x = np.asarray(x, dtype=np.float64)
    gradient = x**3 + 1
    return float((x**4 / 4 + x).sum()), gradient if x.ndim else float(gradient)


def longer(x: Any) -> Any:
    """Add 1 and halve, in a new value."""
    return (x + 1) / 2


DRAWN = {
    "f": lambda known, rng, style: make_toy(quartic),
    "x0": lambda known, rng, style: rng.normal(),
    "step": lambda known, rng, style: 0.05,
}
STEPS = "f: any, x0: float, step: float > 0, iterations: 3 | 1 | 5"
descend = Contract(reference.descend, f"{STEPS} -> x: float", draw=DRAWN)
descend_and_longer = Contract(
    reference.descend,
    f"{STEPS}, postprocessing: any -> x: float",
    draw={**DRAWN, "postprocessing": lambda known, rng, style: make_toy(longer)},
)


@weight(1.25)
@number("2.1")
@visibility("visible")
def test_descend() -> Check:
    """descend: steps of a number"""
    return descend.ordinary()


@weight(1.25)
@number("2.3")
@visibility("visible")
def test_descend_postprocessing() -> Check:
    """descend: postprocessing of a number"""
    return descend_and_longer.ordinary()


@weight(3.5)
@number("2.4")
@visibility("after_due_date")
def test_descend_everywhere() -> Check:
    """descend: other numbers of steps"""
    return descend.everywhere()
