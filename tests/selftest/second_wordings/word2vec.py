"""Mistakes of word2vec as other people write them."""

import numpy as np

from reference.word2vec import sigmoid
from tests.selftest.second_wordings import wording


@wording("neg_sampling_target_among_samples")
def own_sampler(v, o, U, data, K=10):
    cost = np.logaddexp(0, -(U[o] @ v))
    center = (sigmoid(U[o] @ v) - 1) * U[o]
    outside = U * 0
    outside[o] = (sigmoid(U[o] @ v) - 1) * v
    k = 0
    while k < K:
        i = data.sampleTokenIdx()
        cost += np.logaddexp(0, U[i] @ v)
        center = center + sigmoid(U[i] @ v) * U[i]
        outside[i] = outside[i] + sigmoid(U[i] @ v) * v
        k += 1
    return cost, center, outside


@wording("skipgram_every_row")
def broadcasts(word, C, context, tokens, V, U, data, f):
    cost, inner, outer = 0.0, np.zeros(V.shape), np.zeros(U.shape)
    for other in context:
        c, a, b = f(V[tokens[word]], tokens[other], U, data)
        cost += c
        inner += a
        outer += b
    return cost, inner, outer
