"""Hidden tests of adam: single steps of momentum and of Adam in both forms."""

import numpy as np

from autograder.authoring import Contract, Given
from reference import adam as reference

LARGEST = 1000.0  # sums, squares and roots alone: nothing overflows
STEP = 0.8  # of a row, for theta: the averages are on the way to it


def make_small(rng: np.random.Generator, *constants: float) -> list[object]:
    """Make a step at gradients so small that a constant beside the root of v would shorten it."""
    theta, grad, m = (rng.normal(size=(3, 2)) * scale for scale in (0.1, 1e-7, 1e-7))
    return [theta, grad, m, rng.uniform(0.2, 2, size=(3, 2)) * 1e-14, *constants]


def make_idle(rng: np.random.Generator) -> list[object]:
    """Make a step in which some parameters have v = 0 and a gradient of 0."""
    theta, m = rng.normal(size=(2, 1, 3))
    return [theta, np.array([[0.0, 0.5, 0.0]]), m, np.zeros((1, 3)), 0.1]


def make_first(rng: np.random.Generator) -> list[object]:
    """Make the first step, from averages of 0."""
    return [*rng.normal(size=(2, 2, 3)), np.zeros((2, 3)), np.zeros((2, 3)), 1, 0.1]


def make_late(rng: np.random.Generator, t: int) -> list[object]:
    """Make a step after many others. The correction of v counts in the 3000th, and a little in the 6000th."""
    return [*rng.normal(size=(3, 4, 2)), rng.uniform(0.2, 2, size=(4, 2)), t, 0.1]


momentum_step = Contract(
    reference.momentum_step,
    """theta: (...), grad: (...), m: (...), learning_rate: float >= 0, beta1: float [0, 1) = 0.9
       -> theta: (...), m: (...)""",
    shares={"theta": STEP, "m": 1 - STEP},
    keeps_arguments=True,
    largest=LARGEST,
)
adam_step = Contract(
    reference.adam_step,
    """theta: (...), grad: (...), m: (...), v: (...) >= 0,
       learning_rate: float >= 0, beta1: float [0, 1) = 0.9, beta2: float [0, 1) = 0.999
       -> theta: (...), m: (...), v: (...)""",
    cases=[Given(lambda rng: make_small(rng, 0.1), "where gradients are small"), Given(make_idle, "where v is 0")],
    shares={"theta": STEP, "m": (1 - STEP) / 2, "v": (1 - STEP) / 2},
    keeps_arguments=True,
    largest=LARGEST,
)
adam_step_corrected = Contract(
    reference.adam_step_corrected,
    """theta: (...), grad: (...), m: (...), v: (...) >= 0, t: int >= 1,
       learning_rate: float >= 0, beta1: float [0, 1) = 0.9, beta2: float [0, 1) = 0.999, eps: float > 0 = 1e-8
       -> theta: (...), m: (...), v: (...)""",
    cases=[
        Given(lambda rng: make_small(rng, 2, 0.1), "where gradients are small"),
        Given(make_first, "in the first step"),
        Given(lambda rng: make_late(rng, 12), "after ten steps"),
        Given(lambda rng: make_late(rng, 3000), "after thousands of steps"),
        Given(lambda rng: make_late(rng, 6000), "after many steps"),
    ],
    shares={"theta": STEP, "m": (1 - STEP) / 2, "v": (1 - STEP) / 2},
    keeps_arguments=True,
    largest=LARGEST,
)
momentum_step.rows(
    ordinary=("4.1", 1, "theta and m"), everywhere=("4.2", 2, "other shapes, values and constants, a second call")
)
adam_step.rows(
    ordinary=("4.3", 1.5, "theta, m and v"),
    everywhere=("4.4", 2.5, "other shapes, values and constants, a second call"),
)
adam_step_corrected.rows(
    ordinary=("4.5", 1.75, "theta, m and v"),
    everywhere=("4.6", 3.25, "other shapes, values, steps and constants, a second call"),
)
