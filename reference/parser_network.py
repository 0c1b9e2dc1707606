"""Right solutions of parser_network: turn feature rows into transition scores, their loss and its gradients.

One ReLU hidden layer and a softmax, all in row vectors: an input is a row x, a layer is x W + b.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


def relu(z: Array) -> Array:
    """The positive part of every entry.

    Shapes: z any shape; returns the same shape.
    Formula: `relu(z) = max(z, 0)`
    Derivation: the definition; the slope is 1 right of 0 and 0 left of it. At 0 no slope exists, and 0 is taken here.
    Numerics: no rounding takes place.
    Source: Glorot, Bordes and Bengio 2011, Deep Sparse Rectifier Neural Networks, section 3.
    """
    return np.maximum(z, 0)


def hidden_forward(x: Array, W: Array, b1: Array) -> Array:
    """The hidden layer for a batch of feature rows.

    Shapes: x (N, Dx); W (Dx, H); b1 (H,); returns (N, H).
    Formula: `h = relu(x W + b1)`
    Derivation: row `n` of `x W` is `x_n W`, so each row of the batch is treated alone; `b1` is added to every row.
    Numerics: one matrix product for the whole batch.
    Source: Chen and Manning 2014, A Fast and Accurate Dependency Parser using Neural Networks, section 3.1.
    """
    z = x @ W + b1  # (N, H)
    return relu(z)  # (N, H)


def hidden_jacobian(x: Array, W: Array, b1: Array) -> Array:
    """All partial derivatives of the hidden layer of one example.

    Shapes: x (Dx,); W (Dx, H); b1 (H,); returns (H, Dx), entry (i, j) is dh_i / dx_j.
    Formula: `dh_i / dx_j = 1{z_i > 0} W_ji`
    Derivation:
        `z_i = sum_j x_j W_ji + b1_i`, so `dz_i / dx_j = W_ji`
        `h_i = relu(z_i)` depends on `z_i` only, so `dh_i / dz_i = 1{z_i > 0}`
        chain rule: `dh_i / dx_j = 1{z_i > 0} W_ji`, which is row `i` of `W.T`, kept or set to 0
    Numerics: exact; at z_i = 0 the row is 0.
    Source: Goodfellow, Bengio and Courville 2016, Deep Learning, sections 6.3.1 and 6.5.2.
    """
    z = x @ W + b1  # (H,)
    active = z > 0  # (H,)
    return active[:, np.newaxis] * W.T  # (H, Dx)


def hidden_backward(grad_h: Array, x: Array, W: Array, b1: Array) -> tuple[Array, Array, Array]:
    """Carry a gradient from the hidden layer to its input, weights and bias.

    Shapes: grad_h (N, H); x (N, Dx); W (Dx, H); b1 (H,); returns grad_x (N, Dx), grad_W (Dx, H), grad_b1 (H,).
    Formula: `delta = grad_h * 1{z > 0}`;  `grad_x = delta W.T`;  `grad_W = x.T delta`;  `grad_b1 = sum_n delta_n`
    Derivation:
        `h_ni = relu(z_ni)`, so `dJ/dz_ni = dJ/dh_ni 1{z_ni > 0} = delta_ni`
        `z_ni = sum_j x_nj W_ji + b1_i`
        `dJ/dx_nj = sum_i delta_ni W_ji = (delta W.T)_nj`
        `dJ/dW_ji = sum_n x_nj delta_ni = (x.T delta)_ji`, since every row uses the same `W`
        `dJ/db1_i = sum_n delta_ni`, since every row uses the same `b1`
    Numerics: delta is a new array, so that grad_h is not changed.
    Source: Goodfellow, Bengio and Courville 2016, section 6.5.7.
    """
    z = x @ W + b1  # (N, H)
    delta = grad_h * (z > 0)  # (N, H)
    grad_x = delta @ W.T  # (N, Dx)
    grad_W = x.T @ delta  # (Dx, H)
    grad_b1 = delta.sum(axis=0)  # (H,)
    return grad_x, grad_W, grad_b1


def softmax(logits: Array) -> Array:
    """Turn every row of scores into probabilities.

    Shapes: logits (N, C); returns (N, C), rows sum to 1.
    Formula: `y_hat_nc = exp(logits_nc) / sum_k exp(logits_nk)`
    Derivation: a constant `m_n` taken from row `n` multiplies numerator and denominator by `exp(-m_n)`, which cancels.
    Numerics: m_n is the row's maximum: every exponent is then at most 0, so nothing overflows, and one of them is 0,
        so the denominator is at least 1.
    Source: Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions, section 1.
    """
    shifted = logits - logits.max(axis=1, keepdims=True)  # (N, C)
    exponentials = np.exp(shifted)  # (N, C)
    y_hat: Array = exponentials / exponentials.sum(axis=1, keepdims=True)  # (N, C)
    return y_hat


def cross_entropy(logits: Array, labels: Labels) -> float:
    """The mean over the batch of the surprise at the right label.

    Shapes: logits (N, C); labels (N,) integers in 0..C-1; returns a float.
    Formula: `J = (1/N) sum_n -log y_hat[n, label_n]`
    Derivation:
        `log y_hat_nc = logits_nc - log sum_k exp(logits_nk)`, by the definition of softmax
        with logits shifted by their maximum `m_n`: `log y_hat_nc = shifted_nc - log sum_k exp(shifted_nk)`
    Numerics: the logarithm is taken of a sum that is at least 1, never of a probability that may have become 0.
    Source: Goodfellow, Bengio and Courville 2016, section 6.2.2.3.
    """
    shifted = logits - logits.max(axis=1, keepdims=True)  # (N, C)
    log_normalizer = np.log(np.exp(shifted).sum(axis=1))  # (N,)
    log_likelihood = shifted[np.arange(len(labels)), labels] - log_normalizer  # (N,)
    return float(-log_likelihood.mean())


def cross_entropy_grad(logits: Array, labels: Labels) -> Array:
    """The gradient of cross_entropy with respect to the logits.

    Shapes: logits (N, C); labels (N,) integers in 0..C-1; returns (N, C).
    Formula: `dJ/dlogits = (y_hat - y) / N`, `y` the one-hot rows of the labels
    Derivation:
        `J_n = -logits[n, label_n] + log sum_k exp(logits_nk)`
        `dJ_n/dlogits_nc = -1{c = label_n} + exp(logits_nc) / sum_k exp(logits_nk) = -y_nc + y_hat_nc`
        `J` is the mean of the `J_n`, and only `J_n` depends on row `n`, hence the factor `1/N`
    Numerics: softmax is stable; y is subtracted from a new array.
    Source: Goodfellow, Bengio and Courville 2016, section 6.2.2.3.
    """
    grad = softmax(logits)  # (N, C)
    grad[np.arange(len(labels)), labels] -= 1  # (N, C)
    return grad / len(labels)  # (N, C)


def loss_and_gradients(params: dict[str, Array], x: Array, labels: Labels) -> tuple[float, dict[str, Array]]:
    """The loss of the whole network and its gradient with respect to every parameter.

    Shapes: params W (Dx, H), b1 (H,), U (H, C), b2 (C,); x (N, Dx); labels (N,);
        returns the loss and a dict with the keys and shapes of params.
    Formula: `h = relu(x W + b1)`;  `logits = h U + b2`;  `J = cross_entropy(logits, labels)`;
        `delta = (y_hat - y) / N`;  `dJ/dU = h.T delta`;  `dJ/db2 = sum_n delta_n`;
        `dJ/dW = x.T (delta U.T * 1{z > 0})`;  `dJ/db1 = sum_n (delta U.T * 1{z > 0})_n`
    Derivation:
        `delta = dJ/dlogits = (y_hat - y) / N`
        `logits_nc = sum_i h_ni U_ic + b2_c`, so `dJ/dU = h.T delta`, `dJ/db2 = sum_n delta_n` and `dJ/dh = delta U.T`
        the rest is the backward pass of the hidden layer, from `dJ/dh` to `W` and `b1`
    Numerics: the mean over the batch is taken once, in delta.
    Source: Chen and Manning 2014, section 3.2; Rumelhart, Hinton and Williams 1986.
    """
    h = hidden_forward(x, params["W"], params["b1"])  # (N, H)
    logits = h @ params["U"] + params["b2"]  # (N, C)
    loss = cross_entropy(logits, labels)
    delta = cross_entropy_grad(logits, labels)  # (N, C)
    grad_U = h.T @ delta  # (H, C)
    grad_b2 = delta.sum(axis=0)  # (C,)
    grad_h = delta @ params["U"].T  # (N, H)
    _, grad_W, grad_b1 = hidden_backward(grad_h, x, params["W"], params["b1"])  # (Dx, H), (H,)
    return loss, {"W": grad_W, "b1": grad_b1, "U": grad_U, "b2": grad_b2}
