"""Gradients at the output units of a classifier, and from there back to the input.

One example at a time: a layer is a = W h + b with W of shape (out, in).
The loss is the negative logarithm of the probability of the label.
"""

import numpy as np  # if it is missing: python -m pip install numpy


def grad_probabilities(y_hat, label):
    """The gradient of the loss with respect to the output probabilities.

    Arguments:
        y_hat: (k,) probabilities.
        label: integer in 0..k-1.

    Returns:
        grad: (k,).
    """
    ### YOUR CODE HERE
    raise NotImplementedError("output_layer.grad_probabilities is not written yet")
    ### END YOUR CODE


def softmax_jacobian(a):
    """The partial derivatives of softmax(a). It stays finite for large scores.

    Arguments:
        a: (k,) scores.

    Returns:
        jacobian: (k, k), entry (i, j) is the derivative of probability i by score j.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("output_layer.softmax_jacobian is not written yet")
    ### END YOUR CODE


def grad_preactivation(a, label):
    """The gradient of the loss of softmax(a) with respect to the scores a. It stays finite for large scores.

    Arguments:
        a: (k,) scores.
        label: integer in 0..k-1.

    Returns:
        grad: (k,).
    """
    ### YOUR CODE HERE
    raise NotImplementedError("output_layer.grad_preactivation is not written yet")
    ### END YOUR CODE


def backprop(x, label, weights, biases):
    """The loss of a network with sigmoid hidden layers and softmax output, and the gradients of everything in it.

    Arguments:
        x: (Dx,) one example.
        label: integer in 0..k-1.
        weights: list of arrays (out, in), one a layer, the output layer last; with one array there is no hidden layer.
        biases: list of arrays (out,), in the same order.

    Returns:
        loss: a float.
        grad_weights: list of arrays with the shapes of weights.
        grad_biases: list of arrays with the shapes of biases.
        grad_x: (Dx,).
    """
    ### YOUR CODE HERE
    raise NotImplementedError("output_layer.backprop is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python output_layer.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("output_layer.py"))
