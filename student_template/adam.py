"""Momentum and Adam: one step of the parameters.

theta, grad, m and v are arrays of one shape, which may be any. Return new arrays: no argument may be changed.
"""

import numpy as np  # if it is missing: python -m pip install numpy


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    """One step with momentum.

    Arguments:
        theta: the parameters.
        grad: the gradient of the loss at theta.
        m: the rolling average of the gradients before this step.
        learning_rate: a float.
        beta1: a float, the weight of the old m.

    Returns:
        theta: the new parameters.
        m: the new rolling average.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("adam.momentum_step is not written yet")
    ### END YOUR CODE


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    """One step of Adam as in the handout: without bias correction and without epsilon.

    Where the new v is 0 the parameter stays as it is, and is no NaN.

    Arguments:
        theta: the parameters.
        grad: the gradient of the loss at theta.
        m: the rolling average of the gradients before this step.
        v: the rolling average of the squared gradients before this step.
        learning_rate: a float.
        beta1: a float, the weight of the old m.
        beta2: a float, the weight of the old v.

    Returns:
        theta: the new parameters.
        m: the new rolling average of the gradients.
        v: the new rolling average of the squared gradients.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("adam.adam_step is not written yet")
    ### END YOUR CODE


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    """One step of Adam as published (Kingma and Ba 2015, algorithm 1): with bias correction and epsilon.

    Arguments:
        theta: the parameters.
        grad: the gradient of the loss at theta.
        m: the rolling average of the gradients before this step, not corrected.
        v: the rolling average of the squared gradients before this step, not corrected.
        t: integer, the number of this step; the first step has t = 1.
        learning_rate: a float.
        beta1: a float, the weight of the old m.
        beta2: a float, the weight of the old v.
        eps: a float, the small number in the divisor.

    Returns:
        theta: the new parameters.
        m: the new rolling average of the gradients, not corrected.
        v: the new rolling average of the squared gradients, not corrected.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("adam.adam_step_corrected is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python adam.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("adam.py"))
