"""Mistakes of parser_network as other people write them."""

import numpy as np

from reference.parser_network import cross_entropy_grad, softmax
from tests.selftest.second_wordings import wording


@wording("relu_slope")
def step_function(z):
    return np.heaviside(z, 0.0)


@wording("hidden_forward_linear")
def affine(x, W, b1):
    return np.stack([np.dot(row, W) + b1 for row in x])


@wording("hidden_forward_bias_outside")
def bias_last(x, W, b1):
    h = x.dot(W)
    h[h < 0] = 0
    h += b1
    return h


@wording("hidden_jacobian_transposed")
def inputs_down(x, W, b1):
    J = np.zeros(W.shape)
    for j in range(W.shape[0]):
        for i in range(W.shape[1]):
            J[j, i] = W[j, i] if (x @ W + b1)[i] > 0 else 0
    return J


@wording("hidden_backward_without_mask")
def linear_backward(grad_h, x, W, b1):
    return np.einsum("ni,ji->nj", grad_h, W), np.einsum("nj,ni->ji", x, grad_h), np.ones(len(x)) @ grad_h


@wording("softmax_over_columns")
def wrong_axis(logits):
    logits = np.exp(logits - np.max(logits, axis=0, keepdims=True))
    return np.array([column / sum(column) for column in logits.T]).T


@wording("softmax_overflows")
def exponentials_first(logits):
    rows = []
    for scores in logits:
        e = np.exp(scores)
        rows.append(e / e.sum())
    return np.array(rows)


@wording("cross_entropy_summed")
def total_surprise(logits, labels):
    total = 0.0
    for scores, label in zip(logits, labels):
        m = max(scores)
        total += m + np.log(sum(np.exp(scores - m))) - scores[label]
    return total


@wording("cross_entropy_grad_not_averaged")
def minus_one_hot(logits, labels):
    return softmax(logits) - np.eye(logits.shape[1])[labels]


@wording("loss_and_gradients_without_mask")
def relu_forgotten_backwards(params, x, labels):
    W, b1, U, b2 = (params[key] for key in ("W", "b1", "U", "b2"))
    h = np.clip(x @ W + b1, 0, None)
    scores = h @ U + b2
    top = scores.max(axis=1)
    loss = np.mean(np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top - scores[np.arange(len(x)), labels])
    d = cross_entropy_grad(scores, labels)
    back = np.dot(d, U.T)
    return loss, dict(W=np.dot(x.T, back), b1=np.sum(back, 0), U=np.dot(h.T, d), b2=np.sum(d, 0))
