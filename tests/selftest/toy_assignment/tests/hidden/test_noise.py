"""Hidden tests of noise: the factor, the units that are kept, whichever they are, and the gradient."""

from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Student, checks
from reference import noise as reference


def check_factors(student: Student, *probabilities: float) -> None:
    """Compare keep_factor(p)."""
    factors = [student.noise.keep_factor(p) for p in probabilities]
    for p, factor in zip(probabilities, factors, strict=True):
        checks.close("keep_factor(p)", factor, reference.keep_factor(p))


def draw(student: Student, h: np.ndarray, p: float, seed: int, *, training: bool = True) -> tuple[Any, Any]:
    """Call blank_units; return its units and mask by name, and those that are right for the units that it kept."""
    return take_units(student.noise.blank_units(h, p, training, student.generator(seed)), h, p, training=training)


def take_units(value: object, h: np.ndarray, p: float, *, training: bool = True) -> tuple[Any, Any]:
    """Return the units and the mask of a value by name, and those that are right for the units that it kept."""
    kept = take_kept(value, h.shape)
    right = {"units": (reference.keep_factor(p) if training else 1.0) * kept * h, "mask": 1.0 * kept}
    return checks.take_parts("blank_units", value, right), right


def take_kept(value: object, shape: tuple[int, ...]) -> np.ndarray:
    """Return which units, none of which was 0, are kept."""
    units, _ = checks.parts("blank_units", value, ("units", "mask"))
    return checks.array("units", units, shape) != 0


def require_share(kept: np.ndarray, p: float) -> None:
    """Require that the share of blanked units is near p: of 4000, off by 0.1 with probability below 1e-34."""
    share = 1 - kept.mean()
    checks.require(abs(share - p) < 0.1, "units", f"a share of zeros near p = {p}", f"a share of {share:.4f}")


@weight(0.5)
@number("5.1")
@visibility("visible")
@tags("keep_factor")
def test_keep_factor_values(student: Student) -> None:
    """keep_factor: two probabilities"""
    check_factors(student, 0.2, 0.75)


@weight(0.5)
@number("5.2")
@visibility("after_due_date")
@tags("keep_factor")
def test_keep_factor_range(student: Student) -> None:
    """keep_factor: from 0 to nearly 1"""
    check_factors(student, 0.0, 0.1, 0.99)


@weight(1)
@number("5.3")
@visibility("visible")
@tags("blank_units")
def test_blank_units_scale(student: Student) -> None:
    """blank_units: units in training, scaled where they are kept"""
    h, ones = np.random.default_rng(53).normal(size=(6, 9)), np.ones((40, 100))
    first = student.noise.blank_units(h, 0.2, True, student.generator(53))
    second = student.noise.blank_units(ones, 0.5, True, student.generator(530))
    got, right = take_units(first, h, 0.2)
    checks.close("units", got["units"], right["units"])
    require_share(take_kept((take_units(second, ones, 0.5)[0]["units"], 0), (40, 100)), 0.5)


@weight(0.5)
@number("5.4")
@visibility("visible")
@tags("blank_units")
def test_blank_units_mask(student: Student) -> None:
    """blank_units: the mask in training"""
    got, right = draw(student, np.random.default_rng(54).normal(size=(6, 9)), 0.7, 54)
    checks.close("mask", got["mask"], right["mask"])


@weight(1)
@number("5.5")
@visibility("after_due_date")
@tags("blank_units")
def test_blank_units_share(student: Student) -> None:
    """blank_units: the share of units that are blanked"""
    drawn = [(p, student.noise.blank_units(np.ones((40, 100)), p, True, student.generator(55))) for p in (0.2, 0.65)]
    for p, value in drawn:
        require_share(take_kept(value, (40, 100)), p)


@weight(1)
@number("5.6")
@visibility("after_due_date")
@tags("blank_units")
def test_blank_units_evaluation(student: Student) -> None:
    """blank_units: evaluation blanks nothing"""
    h = np.random.default_rng(56).normal(size=(4, 5))
    got, _ = draw(student, h, 0.6, 56, training=False)
    checks.close("units", got["units"], h)
    checks.close("mask", got["mask"], np.ones(h.shape))


@weight(0.5)
@number("5.7")
@visibility("visible")
@tags("blank_gradient")
def test_blank_gradient_values(student: Student) -> None:
    """blank_gradient: a matrix"""
    grad, mask = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]]), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    got = student.noise.blank_gradient(grad, mask, 0.2)
    checks.close("blank_gradient(grad, mask, p)", got, reference.blank_gradient(grad, mask, 0.2))


@weight(1)
@number("5.8")
@visibility("after_due_date")
@tags("blank_gradient")
def test_blank_gradient_sizes(student: Student) -> None:
    """blank_gradient: other shapes and probabilities"""
    rng = np.random.default_rng(58)
    inputs = [
        (rng.normal(size=shape), (rng.random(shape) >= p).astype(float), p)
        for shape, p in [((5,), 0.6), ((4, 4), 0.9), ((1, 3), 0.0)]
    ]
    found = [student.noise.blank_gradient(*each) for each in inputs]
    for got, each in zip(found, inputs, strict=True):
        checks.close("blank_gradient(grad, mask, p)", got, reference.blank_gradient(*each))
