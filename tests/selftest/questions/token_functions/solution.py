"""Functions of sequences: attention, hidden Markov models, distances, counts and scores of tokens."""

import numpy as np


def attention(Q, K, V, mask):
    """Scaled dot-product attention; mask is True where a key may be seen. Returns the output (N, D) and the weights."""
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, scores, -1e9)
    scores = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights


def layer_norm(x, gamma, beta, eps=1e-5):
    """Normalise each row of x."""
    mean = x.mean(axis=1, keepdims=True)
    var = x.var(axis=1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def viterbi(start, transition, emission, observed):
    """The most likely states of a hidden Markov model, from log probabilities."""
    best = start + emission[:, observed[0]]
    back = []
    for o in observed[1:]:
        scores = best[:, None] + transition
        back.append(scores.argmax(axis=0))
        best = scores.max(axis=0) + emission[:, o]
    path = [int(best.argmax())]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return path[::-1]


def forward_likelihood(start, transition, emission, observed):
    """The log likelihood of observations."""
    alpha = start + emission[:, observed[0]]
    for o in observed[1:]:
        scores = alpha[:, None] + transition
        top = scores.max(axis=0)
        alpha = top + np.log(np.exp(scores - top).sum(axis=0)) + emission[:, o]
    top = alpha.max()
    return float(top + np.log(np.exp(alpha - top).sum()))


def edit_distance(source, target):
    """Levenshtein distance of two lists of tokens."""
    previous = list(range(len(target) + 1))
    for i, s in enumerate(source, 1):
        current = [i]
        for j, t in enumerate(target, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (s != t)))
        previous = current
    return previous[-1]


def confusion_matrix(labels, predictions, C):
    """Counts of labels (rows) and predictions (columns)."""
    counts = np.zeros((C, C), dtype=int)
    np.add.at(counts, (labels, predictions), 1)
    return counts


def macro_f1(labels, predictions, C):
    """The mean F1 over classes; 0 where a class has neither labels nor predictions."""
    counts = confusion_matrix(labels, predictions, C)
    scores = []
    for c in range(C):
        denominator = counts[c].sum() + counts[:, c].sum()
        scores.append(2 * counts[c, c] / denominator if denominator else 0.0)
    return float(np.mean(scores))


def gru_step(x, h, W, U, b):
    """One step of a gated recurrent unit; gates z, r, candidate n side by side."""
    H = h.shape[1]
    a, g = x @ W + b, h @ U
    z = 1 / (1 + np.exp(-(a[:, :H] + g[:, :H])))
    r = 1 / (1 + np.exp(-(a[:, H : 2 * H] + g[:, H : 2 * H])))
    n = np.tanh(a[:, 2 * H :] + r * g[:, 2 * H :])
    return (1 - z) * n + z * h


def count_ngrams(tokens, n):
    """A dict from n-grams, joined by a space, to their counts."""
    counts = {}
    for i in range(len(tokens) - n + 1):
        key = " ".join(tokens[i : i + n])
        counts[key] = counts.get(key, 0) + 1
    return counts


def pairwise_cosine(X, Y):
    """Cosine similarities of the rows of X and Y."""
    norm = np.linalg.norm
    return (X @ Y.T) / (norm(X, axis=1)[:, None] * norm(Y, axis=1)[None, :] + 1e-12)
