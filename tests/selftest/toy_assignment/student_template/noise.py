"""Question noise."""

import numpy as np  # noqa: F401  (for your code)


def keep_factor(p):
    """Compute the factor that keeps the expectation of a unit that is blanked with probability p < 1."""
    ### YOUR CODE HERE
    raise NotImplementedError("noise.keep_factor is not written yet")
    ### END YOUR CODE


def blank_units(h, p, training, rng):
    """Blank each unit with probability p in training; return the units and the mask of those that are kept."""
    ### YOUR CODE HERE
    raise NotImplementedError("noise.blank_units is not written yet")
    ### END YOUR CODE


def blank_gradient(grad, mask, p):
    """Carry the gradient for the result of blank_units back to h, in training."""
    ### YOUR CODE HERE
    raise NotImplementedError("noise.blank_gradient is not written yet")
    ### END YOUR CODE
