"""Mistakes of parser_network as other people write them."""

import numpy as np

from reference.parser_network import cross_entropy_grad
from tests.selftest.second_wordings import wording


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
