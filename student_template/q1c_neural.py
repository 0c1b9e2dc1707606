"""A network with one sigmoid hidden layer and softmax output: probability, cost and gradients.

params is one flat vector: W1 (Dx, H), b1 (1, H), W2 (H, Dy) and b2 (1, Dy), in this order, each row after row.
dimensions is (Dx, H, Dy).
"""

import numpy as np  # if it is missing: python -m pip install numpy


def sigmoid_grad(s):
    """The derivative of the sigmoid, from its value.

    Arguments:
        s: a number or an array: sigmoid(x), not x.

    Returns:
        the derivative at that x, same shape as s.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("q1c_neural.sigmoid_grad is not written yet")
    ### END YOUR CODE


def forward(data, label, params, dimensions):
    """The probability that the network gives to one class.

    Arguments:
        data: (1, Dx) one example.
        label: integer, the class.
        params, dimensions: as at the top of this file.

    Returns:
        a float between 0 and 1.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("q1c_neural.forward is not written yet")
    ### END YOUR CODE


def forward_backward_prop(data, labels, params, dimensions):
    """The cross-entropy cost of a batch and its gradient with respect to params.

    Arguments:
        data: (N, Dx) examples in rows.
        labels: (N, Dy) one-hot rows.
        params, dimensions: as at the top of this file.

    Returns:
        cost: a float, summed over the batch.
        grad: a flat vector in the layout of params.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("q1c_neural.forward_backward_prop is not written yet")
    ### END YOUR CODE


def grad_input(data, labels, params, dimensions):
    """The gradient of the summed cost with respect to the data.

    Arguments:
        as for forward_backward_prop.

    Returns:
        grad: (N, Dx).
    """
    ### YOUR CODE HERE
    raise NotImplementedError("q1c_neural.grad_input is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python q1c_neural.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("q1c_neural.py"))
