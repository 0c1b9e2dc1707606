"""Right solutions of output_layer: carry the loss of one example back from the output units to the input.

The lecture's convention: an example is a vector, a layer is a = W h + b with W (out, in), e(label) is one-hot.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def grad_probabilities(y_hat: Array, label: int) -> Array:
    """The gradient of the loss with respect to the output probabilities.

    Shapes: y_hat (k,), all entries above 0; label in 0..k-1; returns (k,).
    Formula: `grad = -e(label) / y_hat[label]`
    Derivation: `J = -log y_hat[label]`, so `dJ/dy_hat_c = -1{c = label} / y_hat[label]`: the loss looks at one
        entry only.
    Numerics: the other entries are 0, never 0 / 0, because only y_hat[label] is divided by.
    Source: Goodfellow, Bengio and Courville 2016, Deep Learning, section 6.2.2.
    """
    grad = np.zeros(len(y_hat))  # (k,)
    grad[label] = -1 / y_hat[label]
    return grad


def softmax_jacobian(a: Array) -> Array:
    """All partial derivatives of the softmax.

    Shapes: a (k,); returns (k, k), entry (i, j) is dy_hat_i / da_j.
    Formula: `diag(y_hat) - outer(y_hat, y_hat)`
    Derivation:
        `y_hat_i = exp(a_i) / S` with `S = sum_c exp(a_c)`, so `dS/da_j = exp(a_j)`
        quotient rule: `dy_hat_i/da_j = 1{i = j} exp(a_i) / S - exp(a_i) exp(a_j) / S^2 = y_hat_i (1{i = j} - y_hat_j)`
    Numerics: the softmax is taken of a - max(a); see _softmax.
    Source: Goodfellow, Bengio and Courville 2016, section 6.2.2.3.
    """
    y_hat = _softmax(a)  # (k,)
    return np.diag(y_hat) - np.outer(y_hat, y_hat)  # (k, k)


def grad_preactivation(a: Array, label: int) -> Array:
    """The gradient of the loss with respect to the output pre-activation.

    Shapes: a (k,); label in 0..k-1; returns (k,).
    Formula: `grad = -(e(label) - y_hat)`
    Derivation:
        chain rule: `dJ/da_j = sum_i dJ/dy_hat_i dy_hat_i/da_j = -(1 / y_hat_label) dy_hat_label/da_j`
        with the Jacobian of the softmax:
            `dJ/da_j = -(1 / y_hat_label) y_hat_label (e(label)_j - y_hat_j) = y_hat_j - e(label)_j`
    Numerics: the division by y_hat[label] cancels on paper; in floating point it would be 0 / 0 for an unlikely label.
    Source: Goodfellow, Bengio and Courville 2016, section 6.2.2.3.
    """
    grad = _softmax(a)  # (k,)
    grad[label] -= 1
    return grad


def backprop(
    x: Array, label: int, weights: Sequence[Array], biases: Sequence[Array]
) -> tuple[float, list[Array], list[Array], Array]:
    """The loss of a network of sigmoid layers with softmax output, and all its gradients.

    Shapes: x (Dx,); weights[k] (out_k, in_k); biases[k] (out_k,), one pair a layer, the last one the output layer;
        returns loss, grad_weights and grad_biases (lists with the shapes of weights and biases), grad_x (Dx,).
    Formula: `h_0 = x`;  `a_k = W_k h_{k-1} + b_k`;  `h_k = sigmoid(a_k)`;  `y_hat = softmax(a_L)`;
        `J = -log y_hat[label]`;  `dJ/da_L = y_hat - e(label)`;  `dJ/da_k = W_{k+1}.T dJ/da_{k+1} * h_k * (1 - h_k)`;
        `dJ/dW_k = outer(dJ/da_k, h_{k-1})`;  `dJ/db_k = dJ/da_k`;  `dJ/dx = W_1.T dJ/da_1`
    Derivation:
        output: `dJ/da_L = y_hat - e(label)`, see grad_preactivation
        weights: `a_k,i = sum_j W_k,ij h_{k-1},j + b_k,i`, so `dJ/dW_k = outer(dJ/da_k, h_{k-1})` and
            `dJ/db_k = dJ/da_k`
        below: `dJ/dh_{k-1} = W_k.T dJ/da_k`
        through the sigmoid: `dh/da = h (1 - h)`, so `dJ/da_{k-1} = dJ/dh_{k-1} * h_{k-1} * (1 - h_{k-1})`
        repeat down to `h_0 = x`, which has no sigmoid: `dJ/dx = W_1.T dJ/da_1`
    Numerics: the loss is log sum exp(a_L) - a_L[label] with the maximum taken out, never the log of a probability.
    Source: Rumelhart, Hinton and Williams 1986, Learning representations by back-propagating errors;
        Goodfellow, Bengio and Courville 2016, algorithms 6.3 and 6.4.
    """
    layers = [np.asarray(x)]  # h_0, h_1, ..., h_{L-1}
    for W, b in zip(weights[:-1], biases[:-1], strict=True):
        layers.append(_sigmoid(W @ layers[-1] + b))  # (out_k,)
    a = weights[-1] @ layers[-1] + biases[-1]  # (k,)
    loss = np.log(np.exp(a - a.max()).sum()) + a.max() - a[label]
    delta = grad_preactivation(a, label)  # (k,)
    grad_weights, grad_biases = list[Array](), list[Array]()
    for W, h in zip(reversed(weights), reversed(layers), strict=True):
        grad_weights.insert(0, delta[:, np.newaxis] * h)  # (out_k, in_k)
        grad_biases.insert(0, delta)  # (out_k,)
        grad_h = W.T @ delta  # (in_k,)
        delta = grad_h * h * (1 - h)  # (in_k,), unused at h_0 = x
    return float(loss), grad_weights, grad_biases, grad_h


def _softmax(a: Array) -> Array:
    """Probabilities of one vector of scores; the maximum is taken out, so that no exponential overflows."""
    exponentials = np.exp(a - a.max())  # (k,)
    y_hat: Array = exponentials / exponentials.sum()  # (k,)
    return y_hat


def _sigmoid(a: Array) -> Array:
    """1 / (1 + exp(-a)) as exp(-log(1 + exp(-a))); logaddexp never forms the large exponential."""
    values: Array = np.exp(-np.logaddexp(0, -a))  # same shape as a
    return values
