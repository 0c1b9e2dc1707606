"""Question averages."""

import numpy as np  # noqa: F401  (for your code)


def glide_step(theta, grad, m, rate, beta=0.9):
    """Take one step along the rolling average of the gradients; return theta and the average."""
    ### YOUR CODE HERE
    raise NotImplementedError("averages.glide_step is not written yet")
    ### END YOUR CODE


def scaled_step(theta, grad, m, v, rate, beta=0.9):
    """Take a step along the average over the root of the average square, v > 0; return theta and both averages."""
    ### YOUR CODE HERE
    raise NotImplementedError("averages.scaled_step is not written yet")
    ### END YOUR CODE
