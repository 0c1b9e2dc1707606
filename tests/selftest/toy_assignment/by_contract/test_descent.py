"""Hidden tests of descent: steps against the gradient, and postprocessing after each."""

from typing import Any

from tests.hidden.draws import quartic

from autograder.authoring import Contract, make_toy
from reference import descent as reference


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
descend_postprocessing = Contract(
    reference.descend,
    f"{STEPS}, postprocessing: any -> x: float",
    draw={**DRAWN, "postprocessing": lambda known, rng, style: make_toy(longer)},
)
descend.rows(ordinary=("2.1", 1.25, "steps of a number"), everywhere=("2.4", 3.5, "other numbers of steps"))
descend_postprocessing.rows(ordinary=("2.3", 1.25, "postprocessing of a number"))
