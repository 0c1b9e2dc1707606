"""Dropout: hidden units that are set to 0 at random while training."""

import numpy as np  # if it is missing: python -m pip install numpy


def dropout_scale(p_drop):
    """The factor gamma by which the units that are kept are multiplied, so that the expectation of h_drop is h.

    Arguments:
        p_drop: the probability that a unit is dropped, 0 <= p_drop < 1.

    Returns:
        gamma: a float.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("dropout.dropout_scale is not written yet")
    ### END YOUR CODE


def dropout_forward(h, p_drop, training, rng):
    """Hidden units after dropout.

    In training each entry of the mask is 0 with probability p_drop, otherwise 1, independently of the others, and
    h_drop is gamma * mask * h. In evaluation nothing is dropped and nothing is scaled.

    Arguments:
        h: an array of any shape, the hidden units.
        p_drop: the probability that a unit is dropped, 0 <= p_drop < 1.
        training: True in training, False in evaluation.
        rng: a numpy.random.Generator, the only source of random numbers; do not seed it or make another.

    Returns:
        h_drop: shape of h.
        mask: shape of h, of zeros and ones; all ones in evaluation.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("dropout.dropout_forward is not written yet")
    ### END YOUR CODE


def dropout_backward(grad_h_drop, mask, p_drop):
    """The gradient with respect to h.

    Arguments:
        grad_h_drop: the gradient with respect to h_drop, an array of any shape.
        mask: the mask that dropout_forward returned in training, same shape.
        p_drop: the probability that a unit was dropped.

    Returns:
        grad_h: same shape.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("dropout.dropout_backward is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python dropout.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("dropout.py"))
