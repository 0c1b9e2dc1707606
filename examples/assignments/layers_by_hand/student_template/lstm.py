"""An LSTM in numpy: one step, and a sequence of steps, forward and backward.

With N sequences in a batch, T steps, D features and H hidden units, a step computes

    a = x Wx + prev_h Wh + b                  (N, 4H)
    i, f, o = sigmoid of the first, the second and the third H columns of a
    g       = tanh of the last H columns of a
    next_c  = f * prev_c + i * g              (N, H)
    next_h  = o * tanh(next_c)                (N, H)

The order of the gates is i, f, o, g: input, forget, output, candidate. A cache is whatever you want to hand from a
forward pass to its backward pass, in any form; nobody else reads it.
"""

import numpy as np  # noqa: F401  (for your code)


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    """One step.

    Arguments:
        x: (N, D) input of this step.
        prev_h, prev_c: (N, H) hidden state and cell state before it.
        Wx: (D, 4H), Wh: (H, 4H), b: (4H,) weights and biases of the four gates.

    Returns:
        next_h: (N, H), next_c: (N, H).
        cache: anything; your lstm_step_backward gets it.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("lstm.lstm_step_forward is not written yet")
    ### END YOUR CODE


def lstm_step_backward(dnext_h, dnext_c, cache):
    """The gradients of one step.

    Arguments:
        dnext_h, dnext_c: (N, H) gradients of a loss with respect to next_h and next_c. The second is that of the ways
            from next_c to the loss that do not go through next_h.
        cache: what your lstm_step_forward returned.

    Returns:
        dx: (N, D), dprev_h: (N, H), dprev_c: (N, H), dWx: (D, 4H), dWh: (H, 4H), db: (4H,), as a tuple: the last three
            are sums over the batch, not means.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("lstm.lstm_step_backward is not written yet")
    ### END YOUR CODE


def lstm_forward(x, h0, Wx, Wh, b):
    """A sequence of steps with the same weights. The first cell state is all zeros.

    Arguments:
        x: (N, T, D) inputs.
        h0: (N, H) the first hidden state.
        Wx, Wh, b: as for one step.

    Returns:
        h: (N, T, H) the hidden state after each step.
        cache: anything; your lstm_backward gets it.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("lstm.lstm_forward is not written yet")
    ### END YOUR CODE


def lstm_backward(dh, cache):
    """The gradients of the whole sequence.

    Arguments:
        dh: (N, T, H) gradient of a loss with respect to each hidden state, as far as the loss uses it directly.
        cache: what your lstm_forward returned.

    Returns:
        dx: (N, T, D), dh0: (N, H), dWx: (D, 4H), dWh: (H, 4H), db: (4H,), as a tuple.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("lstm.lstm_backward is not written yet")
    ### END YOUR CODE
