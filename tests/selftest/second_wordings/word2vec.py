"""Mistakes of word2vec as other people write them."""

import numpy as np

from reference.word2vec import getNegativeSamples, sigmoid
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


@wording("neg_sampling_negatives_attract")
def minus_for_all(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    negatives = getNegativeSamples(outsideWordIdx, dataset, K)
    s_o = sigmoid(np.dot(outsideVectors[outsideWordIdx], centerWordVec))
    loss = -np.log(s_o)
    grad_center = -(1 - s_o) * outsideVectors[outsideWordIdx]
    grad_outside = np.zeros_like(outsideVectors)
    grad_outside[outsideWordIdx] -= (1 - s_o) * centerWordVec
    for k in negatives:
        s_k = sigmoid(-np.dot(outsideVectors[k], centerWordVec))
        loss -= np.log(s_k)
        grad_center -= (1 - s_k) * outsideVectors[k]
        grad_outside[k] -= (1 - s_k) * centerWordVec
    return loss, grad_center, grad_outside
