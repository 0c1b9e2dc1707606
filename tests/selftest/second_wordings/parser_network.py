"""Mistakes of parser_network as other people write them."""

import numpy as np

from reference.parser_network import cross_entropy_grad, hidden_forward, softmax
from tests.selftest.second_wordings import wording


@wording("relu_leaky")
def small_slope(z):
    return np.maximum(z, z / 100)


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


@wording("hidden_jacobian_slope_one_at_zero")
def not_negative(x, W, b1):
    z = np.dot(x, W) + b1
    return np.array([W[:, i] if not z[i] < 0 else 0 * W[:, i] for i in range(len(z))])


@wording("hidden_backward_without_mask")
def linear_backward(grad_h, x, W, b1):
    return np.einsum("ni,ji->nj", grad_h, W), np.einsum("nj,ni->ji", x, grad_h), np.ones(len(x)) @ grad_h


@wording("hidden_backward_bias_not_summed")
def bias_per_row(grad_h, x, W, b1):
    gated = np.where(x.dot(W) + b1 > 0, grad_h, 0)
    return gated.dot(W.T), np.dot(x.T, gated), gated


@wording("softmax_over_columns")
def wrong_axis(logits):
    logits = np.exp(logits - np.max(logits, axis=0, keepdims=True))
    return np.array([column / sum(column) for column in logits.T]).T


@wording("softmax_without_keepdims")
def sums_in_a_row(logits):
    shifted = logits - np.max(logits, 1)[:, None]
    totals = np.sum(np.exp(shifted), 1)
    return np.exp(shifted) / totals


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


@wording("cross_entropy_mean_over_classes")
def mean_of_the_one_hot_product(logits, labels):
    one_hot = np.eye(logits.shape[1])[labels]
    top = logits.max(axis=1, keepdims=True)
    logs = logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True))
    return np.mean(-one_hot * logs)


@wording("cross_entropy_grad_not_averaged")
def minus_one_hot(logits, labels):
    return softmax(logits) - np.eye(logits.shape[1])[labels]


@wording("cross_entropy_grad_without_labels")
def only_probabilities(logits, labels):
    N = logits.shape[0]
    return np.array([softmax(logits[n : n + 1])[0] / N for n in range(N)])


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


@wording("loss_and_gradients_bias_mean")
def averages_biases(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    scores = h @ params["U"] + params["b2"]
    top = scores.max(axis=1)
    loss = np.mean(np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top - scores[np.arange(len(x)), labels])
    d = cross_entropy_grad(scores, labels)
    gated = d @ params["U"].T * (h > 0)
    return loss, {"W": x.T @ gated, "b1": np.mean(gated, axis=0), "U": h.T @ d, "b2": np.mean(d, axis=0)}


@wording("hidden_forward_without_bias")
def product_alone(x, W, b1):
    return np.array([[max(0.0, value) for value in row] for row in np.dot(x, W)])


@wording("cross_entropy_labels_off_by_one")
def classes_from_one(logits, labels):
    p = softmax(logits)
    return -sum(np.log(p[n][y - 1]) for n, y in enumerate(labels)) / len(labels)


@wording("cross_entropy_in_bits")
def base_two(logits, labels):
    p = softmax(logits)
    return np.mean([-np.log2(p[n, y]) for n, y in enumerate(labels)])


@wording("cross_entropy_softmax_twice")
def probabilities_as_scores(logits, labels):
    p = softmax(softmax(logits))
    return -np.log(p[range(len(labels)), labels]).mean()


@wording("cross_entropy_grad_softmax_twice")
def two_softmaxes(logits, labels):
    e = np.exp(softmax(logits))
    p = e / np.sum(e, 1)[:, None]
    y = np.zeros(p.shape)
    y[range(len(y)), labels] = 1
    return (p - y) / len(y)


@wording("loss_and_gradients_without_output_bias")
def one_bias_only(params, x, labels):
    W, b1, U = params["W"], params["b1"], params["U"]
    h = np.maximum(x.dot(W) + b1, 0)
    p = softmax(h.dot(U))
    loss = -np.log(p[range(len(x)), labels]).mean()
    p[range(len(x)), labels] -= 1
    p = p / len(x)
    dz = p.dot(U.T)
    dz[h <= 0] = 0
    return loss, {"W": x.T.dot(dz), "b1": dz.sum(0), "U": h.T.dot(p), "b2": p.sum(0)}


@wording("cross_entropy_counts_classes")
def wrong_count(logits, labels):
    e = np.exp(logits - np.max(logits, 1)[:, None])
    p = e / np.sum(e, 1)[:, None]
    terms = [np.log(p[i][labels[i]]) for i in range(len(logits[0]))]
    return -sum(terms) / len(logits)
