"""Mistakes of word2vec as other people write them."""

import numpy as np

from reference.word2vec import getNegativeSamples, sigmoid
from tests.selftest.second_wordings import wording


@wording("sigmoid_mirrored")
def sign_lost(x):
    return 1.0 / (1.0 + np.exp(x))


@wording("sigmoid_derivative")
def slope_in_one_go(x):
    return np.exp(-x) / (1 + np.exp(-x)) ** 2


@wording("sigmoid_overflows")
def fraction_upside_down(x):
    e = np.exp(x)
    denominator = e + 1.0
    s = np.divide(e, denominator)
    return s


@wording("naive_softmax_uphill")
def truth_minus_guess(v, o, U, data):
    scores = np.einsum("ij,j->i", U, v)
    scores -= np.amax(scores)
    p = np.exp(scores) / np.exp(scores).sum()
    y = np.zeros(p.shape)
    y[o] = 1
    cost = -scores[o] + np.log(np.sum(np.exp(scores)))
    return cost, np.einsum("i,ij->j", y - p, U), np.einsum("i,j->ij", y - p, v)


@wording("naive_softmax_outside_transposed")
def columns_for_words(v, o, U, data):
    z = U @ v
    z = z - z.max()
    p = np.exp(z) / np.exp(z).sum()
    p_minus_y = p.copy()
    p_minus_y[o] -= 1.0
    return float(np.log(np.exp(z).sum()) - z[o]), p_minus_y @ U, v[:, None] @ p_minus_y[None, :]


@wording("naive_softmax_overflows")
def no_maximum(v, o, U, data):
    exps = [np.exp(u.dot(v)) for u in U]
    probs = np.array([e / sum(exps) for e in exps])
    y = np.array([1.0 if w == o else 0.0 for w in range(len(U))])
    return -np.log(probs[o]), (probs - y).dot(U), np.outer(probs - y, v)


@wording("neg_sampling_without_minus")
def all_words_attract(v, o, U, data, K=10):
    words = [o] + getNegativeSamples(o, data, K)
    cost, center, outside = 0.0, np.zeros_like(v), np.zeros_like(U)
    for w in words:
        score = float(np.dot(U[w], v))
        cost += np.logaddexp(0.0, -score)
        center += (sigmoid(score) - 1) * U[w]
        outside[w] += (sigmoid(score) - 1) * v
    return cost, center, outside


@wording("neg_sampling_repeats_lost")
def assigns_rows(v, o, U, data, K=10):
    negatives = getNegativeSamples(o, data, K)
    true_score, scores = U[o] @ v, U[negatives] @ v
    cost = np.logaddexp(0, -true_score) + np.sum(np.logaddexp(0, scores))
    center = -sigmoid(-true_score) * U[o] + sigmoid(scores) @ U[negatives]
    outside = np.zeros(U.shape)
    outside[o] = -sigmoid(-true_score) * v
    for k in negatives:
        outside[k] = sigmoid(U[k] @ v) * v
    return cost, center, outside


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


@wording("skipgram_skips_the_center")
def continues_at_the_center(word, C, context, tokens, V, U, data, f):
    cost, inner, outer = 0, V * 0.0, U * 0.0
    i = tokens[word]
    for other in context:
        if tokens[other] == i:
            continue
        c, a, b = f(V[i], tokens[other], U, data)
        cost, outer = cost + c, outer + b
        inner[i] = inner[i] + a
    return cost, inner, outer


@wording("skipgram_every_row")
def broadcasts(word, C, context, tokens, V, U, data, f):
    cost, inner, outer = 0.0, np.zeros(V.shape), np.zeros(U.shape)
    for other in context:
        c, a, b = f(V[tokens[word]], tokens[other], U, data)
        cost += c
        inner += a
        outer += b
    return cost, inner, outer


@wording("skipgram_last_word_only")
def overwrites(word, C, context, tokens, V, U, data, f):
    cost, inner, outer = 0.0, np.zeros(V.shape), np.zeros(U.shape)
    for other in context:
        c, inner[tokens[word]], outer = f(V[tokens[word]], tokens[other], U, data)
        cost += c
    return cost, inner, outer


@wording("naive_softmax_loss_without_minus")
def log_likelihood(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    e = np.exp(np.dot(outsideVectors, centerWordVec))
    p = e / np.sum(e)
    y = np.zeros(len(p))
    y[outsideWordIdx] = 1
    return np.log(p[outsideWordIdx]), np.dot(p - y, outsideVectors), (p - y)[:, None] * centerWordVec


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
