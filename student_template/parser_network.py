"""The neural parser's network in numpy: one ReLU hidden layer, softmax, cross-entropy, and all gradients.

Rows are examples: N of them in a batch, with Dx features, H hidden units and C classes.
"""

import numpy as np  # if it is missing: python -m pip install numpy


def relu(z):
    """ReLU of every entry.

    Arguments:
        z: array of any shape.

    Returns:
        array of the same shape.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.relu is not written yet")
    ### END YOUR CODE


def hidden_forward(x, W, b1):
    """The hidden layer of a batch, ReLU(x W + b1).

    Arguments:
        x: (N, Dx) feature rows.
        W: (Dx, H) weights.
        b1: (H,) biases.

    Returns:
        h: (N, H).
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.hidden_forward is not written yet")
    ### END YOUR CODE


def hidden_jacobian(x, W, b1):
    """The partial derivatives of the hidden layer of one example; the slope of ReLU at 0 counts as 0.

    Arguments:
        x: (Dx,) features of one example.
        W: (Dx, H) weights.
        b1: (H,) biases.

    Returns:
        jacobian: (H, Dx), entry (i, j) is the derivative of hidden unit i by feature j.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.hidden_jacobian is not written yet")
    ### END YOUR CODE


def hidden_backward(grad_h, x, W, b1):
    """Carry a gradient back through the hidden layer; the slope of ReLU at 0 counts as 0.

    Arguments:
        grad_h: (N, H) gradient of a loss with respect to the hidden layer's output.
        x, W, b1: as for hidden_forward.

    Returns:
        grad_x: (N, Dx), grad_W: (Dx, H), grad_b1: (H,), as a tuple.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.hidden_backward is not written yet")
    ### END YOUR CODE


def softmax(logits):
    """Softmax of every row. It must not overflow for large scores, and it must not change its argument.

    Arguments:
        logits: (N, C) scores.

    Returns:
        y_hat: (N, C) probabilities.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.softmax is not written yet")
    ### END YOUR CODE


def cross_entropy(logits, labels):
    """The cross-entropy loss of softmax(logits), averaged over the batch. It stays finite for large scores.

    Arguments:
        logits: (N, C) scores.
        labels: (N,) integers in 0..C-1.

    Returns:
        loss: a float.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.cross_entropy is not written yet")
    ### END YOUR CODE


def cross_entropy_grad(logits, labels):
    """The gradient of cross_entropy with respect to the logits.

    Arguments:
        logits: (N, C) scores.
        labels: (N,) integers in 0..C-1.

    Returns:
        grad: (N, C).
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.cross_entropy_grad is not written yet")
    ### END YOUR CODE


def loss_and_gradients(params, x, labels):
    """The loss of the whole network, with logits ReLU(x W + b1) U + b2, and the gradients of all its parameters.

    Arguments:
        params: dict with "W" (Dx, H), "b1" (H,), "U" (H, C) and "b2" (C,).
        x: (N, Dx) feature rows.
        labels: (N,) integers in 0..C-1.

    Returns:
        loss: a float, the mean over the batch.
        grads: dict with the keys and shapes of params.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_network.loss_and_gradients is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python parser_network.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("parser_network.py"))
