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


@wording("sigmoid_softmax")
def divides_by_the_total(x):
    x = np.array(x, dtype=float)
    powers = np.e ** (x - x.max())
    total = 0.0
    for power in powers.ravel():
        total += power
    return powers / total


@wording("sigmoid_row_by_row")
def fills_a_table(x):
    result = []
    for row in x:
        line = []
        for value in row:
            line.append(1 / (1 + np.exp(-value)) if value > 0 else np.exp(value) / (1 + np.exp(value)))
        result.append(line)
    return np.asarray(result)


@wording("naive_softmax_center_without_label")
def average_vector(v, o, U, data):
    e = np.exp(U.dot(v) - np.max(U.dot(v)))
    p = e / np.sum(e)
    with np.errstate(divide="ignore"):
        cost = np.log(e.sum()) - (U.dot(v) - np.max(U.dot(v)))[o]
    d = np.array(p)
    d[o] = d[o] - 1
    return cost, p @ U, d.reshape(-1, 1) * v.reshape(1, -1)


@wording("naive_softmax_uphill")
def truth_minus_guess(v, o, U, data):
    scores = np.einsum("ij,j->i", U, v)
    scores -= np.amax(scores)
    p = np.exp(scores) / np.exp(scores).sum()
    y = np.zeros(p.shape)
    y[o] = 1
    cost = -scores[o] + np.log(np.sum(np.exp(scores)))
    return cost, np.einsum("i,ij->j", y - p, U), np.einsum("i,j->ij", y - p, v)


@wording("naive_softmax_outside_without_label")
def every_row_pushed_away(v, o, U, data):
    z = U @ v
    z = z - z.max()
    p = np.exp(z) / np.exp(z).sum()
    center = -U[o]
    outside = []
    for w in range(U.shape[0]):
        center = center + p[w] * U[w]
        outside.append(p[w] * v)
    return float(np.log(np.exp(z).sum()) - z[o]), center, np.array(outside)


@wording("naive_softmax_outside_true_row_only")
def one_row_of_zeros(v, o, U, data):
    z = U @ v
    z = z - z.max()
    p = np.exp(z) / np.exp(z).sum()
    center = U.T @ p - U[o]
    outside = np.zeros_like(U)
    outside[o] += (p[o] - 1) * v
    return float(np.log(np.exp(z).sum()) - z[o]), center, outside


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


@wording("neg_sampling_row_per_sample")
def stacked_rows(v, o, U, data, K=10):
    chosen = U[np.concatenate(([o], getNegativeSamples(o, data, K)))]
    target = np.r_[1.0, np.zeros(K)]
    s = sigmoid(chosen @ v)
    signed = np.where(target == 1, chosen @ v, -(chosen @ v))
    return np.logaddexp(0, -signed).sum(), (s - target) @ chosen, np.vstack([(a - t) * v for a, t in zip(s, target)])


@wording("neg_sampling_always_ten")
def ten_written_down(v, o, U, data, K=10):
    negatives = getNegativeSamples(o, data, 10)
    total, center, outside = np.logaddexp(0, -U[o] @ v), -sigmoid(-U[o] @ v) * U[o], np.zeros(U.shape)
    outside[o] = -sigmoid(-U[o] @ v) * v
    for n in negatives:
        total, center = total + np.logaddexp(0, U[n] @ v), center + sigmoid(U[n] @ v) * U[n]
        outside[n] += sigmoid(U[n] @ v) * v
    return total, center, outside


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


@wording("skipgram_averages")
def takes_means(word, C, context, tokens, V, U, data, f):
    answers = [f(V[tokens[word]], tokens[other], U, data) for other in context]
    cost = sum(answer[0] for answer in answers) / len(answers)
    inner = np.zeros(V.shape)
    inner[tokens[word]] = sum(answer[1] for answer in answers) / len(answers)
    return cost, inner, sum(answer[2] for answer in answers) / len(answers)


@wording("skipgram_full_windows_only")
def counts_the_window(word, C, context, tokens, V, U, data, f):
    cost, inner, outer = 0.0, np.zeros(V.shape), np.zeros(U.shape)
    todo = list(context)
    for _ in range(C + C):
        c, a, b = f(V[tokens[word]], tokens[todo.pop(0)], U, data)
        cost += c
        inner[tokens[word]] += a
        outer += b
    return cost, inner, outer


@wording("naive_softmax_loss_without_minus")
def log_likelihood(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    e = np.exp(np.dot(outsideVectors, centerWordVec))
    p = e / np.sum(e)
    y = np.zeros(len(p))
    y[outsideWordIdx] = 1
    return np.log(p[outsideWordIdx]), np.dot(p - y, outsideVectors), (p - y)[:, None] * centerWordVec


@wording("naive_softmax_without_label")
def expected_vectors(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    s = np.dot(outsideVectors, centerWordVec)
    p = np.exp(s - np.max(s))
    p = p / np.sum(p)
    grad_center = np.zeros(centerWordVec.shape)
    grad_outside = np.zeros(outsideVectors.shape)
    for w in range(len(p)):
        grad_center += p[w] * outsideVectors[w]
        grad_outside[w] += p[w] * centerWordVec
    return -np.log(p)[outsideWordIdx], grad_center, grad_outside


@wording("naive_softmax_twice")
def softmax_of_softmax(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    def normalise(s):
        e = np.exp(s - np.max(s))
        return e / np.sum(e)

    p = normalise(normalise(outsideVectors.dot(centerWordVec)))
    loss = -np.log(p[outsideWordIdx])
    p[outsideWordIdx] -= 1
    return loss, outsideVectors.T.dot(p), np.outer(p, centerWordVec)


@wording("neg_sampling_loss_without_minus")
def sum_of_logs(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    negatives = getNegativeSamples(outsideWordIdx, dataset, K)
    s_o = sigmoid(np.dot(outsideVectors[outsideWordIdx], centerWordVec))
    loss = np.log(s_o)
    grad_center = (s_o - 1) * outsideVectors[outsideWordIdx]
    grad_outside = np.zeros_like(outsideVectors)
    grad_outside[outsideWordIdx] += (s_o - 1) * centerWordVec
    for k in negatives:
        s_k = sigmoid(-np.dot(outsideVectors[k], centerWordVec))
        loss += np.log(s_k)
        grad_center += (1 - s_k) * outsideVectors[k]
        grad_outside[k] += (1 - s_k) * centerWordVec
    return loss, grad_center, grad_outside


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


@wording("neg_sampling_true_vector_in_negatives")
def wrong_row(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    negatives = getNegativeSamples(outsideWordIdx, dataset, K)
    u_o = outsideVectors[outsideWordIdx]
    s_o = sigmoid(u_o.dot(centerWordVec))
    loss = -np.log(s_o)
    grad_center = (s_o - 1) * u_o
    grad_outside = np.zeros_like(outsideVectors)
    grad_outside[outsideWordIdx] = (s_o - 1) * centerWordVec
    for k in negatives:
        s_k = sigmoid(-u_o.dot(centerWordVec))
        loss = loss - np.log(s_k)
        grad_center = grad_center + (1 - s_k) * u_o
        grad_outside[k] += (1 - s_k) * centerWordVec
    return loss, grad_center, grad_outside


@wording("skipgram_outside_row_only")
def row_by_row(word, windowSize, context, word2Ind, V_c, U, dataset, word2vecLossAndGradient):
    total, gV, gU = 0, np.zeros_like(V_c), np.zeros_like(U)
    c = word2Ind[word]
    for each in context:
        o = word2Ind[each]
        l, dv, dU = word2vecLossAndGradient(V_c[c, :], o, U, dataset)  # noqa: E741  (what students write)
        total = total + l
        gV[c, :] = gV[c, :] + dv
        gU[o, :] = gU[o, :] + dU[o, :]
    return total, gV, gU


@wording("skipgram_averages")
def takes_means_of_a_window_with_words(word, C, context, tokens, V, U, data, f):
    cost, inner, outer = 0.0, np.zeros(V.shape), np.zeros(U.shape)
    for other in context:
        c, a, b = f(V[tokens[word]], tokens[other], U, data)
        cost, outer = cost + c, outer + b
        inner[tokens[word]] += a
    return (cost / len(context), inner / len(context), outer / len(context)) if context else (cost, inner, outer)


@wording("naive_softmax_rows_by_axes")
def wrong_range(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    s = outsideVectors.dot(centerWordVec)
    p = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    loss = -np.log(p[outsideWordIdx])
    p[outsideWordIdx] -= 1
    grad_outside = np.zeros_like(outsideVectors)
    for i in range(outsideVectors.shape[1]):
        grad_outside[i, :] = p[i] * centerWordVec
    return loss, p.dot(outsideVectors), grad_outside


@wording("naive_softmax_outputs_swapped")
def matrix_first(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    s = outsideVectors.dot(centerWordVec)
    p = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    d = p.copy()
    d[outsideWordIdx] -= 1.0
    return -np.log(p[outsideWordIdx]), d[:, None] * centerWordVec[None, :], d.dot(outsideVectors)
