"""Known wrong answers of noise."""

import numpy as np
from reference.noise import blank_gradient, blank_units, keep_factor

from tests.mistakes import mistake


@mistake(
    "keep_factor",
    story="Multiplies by the probability of keeping a unit.",
    hint="Should the units that are kept become larger or smaller?",
)
def keep_factor_down(p):
    return 1 - p


@mistake("keep_factor", story="Caps the factor at 5.", hint="What is the factor when 99 of 100 units are blanked?")
def keep_factor_capped(p):
    return min(keep_factor(p), 5.0)


@mistake(
    "blank_units", story="Blanks units and does not scale the others.", hint="Is the expectation of a unit what it was?"
)
def blank_units_not_scaled(h, p, training, rng):
    units, mask = blank_units(h, p, training, rng)
    return mask * h, mask


@mistake(
    "blank_units",
    story="Returns a mask into which the factor is already multiplied.",
    hint="Which two values may the mask have?",
)
def blank_units_scaled_mask(h, p, training, rng):
    units, mask = blank_units(h, p, training, rng)
    return units, mask * keep_factor(p) if training else mask


@mistake("blank_units", story="Blanks half of the units for every p.", hint="Where does p occur in your draw?")
def blank_units_always_half(h, p, training, rng):
    _, mask = blank_units(h, 0.5, training, rng)
    return (keep_factor(p) * mask * h if training else h), mask


@mistake("blank_units", story="Blanks units in evaluation too.", hint="Which units are blanked in evaluation?")
def blank_units_in_evaluation(h, p, training, rng):
    return blank_units(h, p, True, rng)


@mistake(
    "blank_gradient",
    story="Leaves the factor out of the gradient.",
    hint="What is the derivative of a unit that is kept?",
)
def blank_gradient_not_scaled(grad, mask, p):
    return mask * grad


@mistake(
    "blank_gradient", story="Transposes the result if the matrix is square.", hint="Test with as many rows as columns."
)
def blank_gradient_transposed(grad, mask, p):
    result = np.asarray(blank_gradient(grad, mask, p))
    return result.T if len(set(result.shape)) == 1 else result
