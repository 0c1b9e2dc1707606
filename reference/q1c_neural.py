"""Right solutions of q1c_neural: pass a batch through a sigmoid hidden layer and a softmax, and gradients back.

The parameters come as one flat vector: W1, b1, W2, b2, each in row order.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def sigmoid_grad(s: Array) -> Array:
    """The slope of the sigmoid where its value is s.

    Shapes: s any shape, entries in 0..1; returns the same shape.
    Formula: `sigmoid'(x) = s (1 - s)` with `s = sigmoid(x)`
    Derivation:
        `s = 1 / (1 + exp(-x))`, so `ds/dx = exp(-x) / (1 + exp(-x))^2`
        `exp(-x) / (1 + exp(-x)) = 1 - s`, so `ds/dx = s (1 - s)`
    Numerics: the argument is the value s, not x: the forward pass has it already, and no exponential is needed.
    Source: Bishop 2006, Pattern Recognition and Machine Learning, equation 4.88.
    """
    return s * (1 - s)


def forward(data: Array, label: int, params: Array, dimensions: Sequence[int]) -> float:
    """The probability that the network gives to one class.

    Shapes: data (1, Dx); label in 0..Dy-1; params flat; dimensions (Dx, H, Dy); returns a float.
    Formula: `y_hat = softmax(sigmoid(data W1 + b1) W2 + b2)`;  the result is `y_hat[0, label]`
    Derivation: the definition of the network; row 0 is the only row.
    Numerics: softmax and sigmoid are stable; see _log_softmax and _sigmoid.
    Source: Bishop 2006, section 5.1.
    """
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)  # (1, H)
    y_hat = np.exp(_log_softmax(h @ W2 + b2))  # (1, Dy)
    return float(y_hat[0, label])


def forward_backward_prop(data: Array, labels: Array, params: Array, dimensions: Sequence[int]) -> tuple[float, Array]:
    """The cross-entropy cost of a batch and its gradient with respect to all parameters.

    Shapes: data (N, Dx); labels (N, Dy) one-hot; params flat (P,); dimensions (Dx, H, Dy); returns cost, grad (P,).
    Formula: `cost = -sum_n sum_c labels_nc log y_hat_nc`;
        `delta2 = y_hat - labels`;  `dcost/dW2 = h.T delta2`;  `dcost/db2 = sum_n delta2_n`;
        `delta1 = delta2 W2.T * h * (1 - h)`;  `dcost/dW1 = data.T delta1`;  `dcost/db1 = sum_n delta1_n`
    Derivation:
        output: the cost of row `n` is `-a_label + log sum_c exp(a_c)`, so `delta2 = dcost/da2 = y_hat - labels`
        `W2`, `b2`: `a2 = h W2 + b2`, so `dcost/dW2 = h.T delta2` and `dcost/db2 = sum_n delta2_n`
        hidden: `dcost/dh = delta2 W2.T`; through the sigmoid `delta1 = dcost/dh * h * (1 - h)`
        `W1`, `b1`: `a1 = data W1 + b1`, so `dcost/dW1 = data.T delta1` and `dcost/db1 = sum_n delta1_n`
        the batch is summed, not averaged, in the cost and therefore in every gradient
    Numerics: the logarithm of the softmax is formed from the scores, never from a probability that may be 0.
    Source: Bishop 2006, section 5.3.
    """
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)  # (N, H)
    log_y_hat = _log_softmax(h @ W2 + b2)  # (N, Dy)
    cost = -np.sum(labels * log_y_hat)

    delta2 = np.exp(log_y_hat) - labels  # (N, Dy)
    grad_W2 = h.T @ delta2  # (H, Dy)
    grad_b2 = delta2.sum(axis=0)  # (Dy,)
    delta1 = delta2 @ W2.T * sigmoid_grad(h)  # (N, H)
    grad_W1 = data.T @ delta1  # (Dx, H)
    grad_b1 = delta1.sum(axis=0)  # (H,)
    grad = np.concatenate([grad_W1.ravel(), grad_b1, grad_W2.ravel(), grad_b2])  # (P,)
    return float(cost), grad


def grad_input(data: Array, labels: Array, params: Array, dimensions: Sequence[int]) -> Array:
    """The gradient of the summed cost with respect to the data.

    Shapes: data (N, Dx); labels (N, Dy) one-hot; params flat; dimensions (Dx, H, Dy); returns (N, Dx).
    Formula: `((y_hat - y) W2.T * h * (1 - h)) W1.T`
    Derivation:
        `delta2 = y_hat - y` and `delta1 = delta2 W2.T * h * (1 - h)`, as in forward_backward_prop
        `a1 = data W1 + b1`, so `dcost/ddata_nj = sum_i delta1_ni W1_ji = (delta1 W1.T)_nj`
        row `n` of the data is used for row `n` of the cost only, so nothing is summed over the batch
    Numerics: as in forward_backward_prop.
    Source: Bishop 2006, section 5.3.4, the Jacobian matrix.
    """
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)  # (N, H)
    y_hat = np.exp(_log_softmax(h @ W2 + b2))  # (N, Dy)
    delta1 = (y_hat - labels) @ W2.T * sigmoid_grad(h)  # (N, H)
    return delta1 @ W1.T  # (N, Dx)


def _unpack(params: Array, dimensions: Sequence[int]) -> tuple[Array, Array, Array, Array]:
    """Cut the flat parameters into W1 (Dx, H), b1 (1, H), W2 (H, Dy), b2 (1, Dy)."""
    Dx, H, Dy = (int(dimension) for dimension in dimensions)
    W1, b1, W2, b2 = np.split(params, np.cumsum([Dx * H, H, H * Dy]))
    return W1.reshape(Dx, H), b1.reshape(1, H), W2.reshape(H, Dy), b2.reshape(1, Dy)


def _log_softmax(a: Array) -> Array:
    """Logarithms of the row-wise softmax; the row's maximum is taken out, so that no exponential overflows."""
    shifted = a - a.max(axis=1, keepdims=True)  # (N, Dy)
    log_y_hat: Array = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))  # (N, Dy)
    return log_y_hat


def _sigmoid(a: Array) -> Array:
    """1 / (1 + exp(-a)) as exp(-log(1 + exp(-a))); logaddexp never forms the large exponential."""
    values: Array = np.exp(-np.logaddexp(0, -a))  # same shape as a
    return values
