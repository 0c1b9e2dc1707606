"""The same in another style: loops, arrays in place of lists, a Counter, a recursion."""

from collections import Counter
from functools import cache

import numpy as np


def squash(z):
    return np.where(z >= 0, 1 / (1 + np.exp(-np.abs(z))), np.exp(-np.abs(z)) / (1 + np.exp(-np.abs(z))))


def attention(Q, K, V, mask):
    N, M = mask.shape
    out, ws = [], []
    for i in range(N):
        s = np.array([Q[i].dot(K[j]) / Q.shape[1] ** 0.5 if mask[i, j] else -1e9 for j in range(M)])
        e = np.exp(s - s.max())
        w = e / e.sum()
        ws.append(w)
        out.append(w @ V)
    return np.array(out), np.array(ws)


def layer_norm(x, gamma, beta, eps=1e-5):
    x = x.copy()
    x -= x.mean(1)[:, None]
    x /= np.sqrt((x**2).mean(1)[:, None] + eps)
    return x * gamma[None] + beta[None]


def viterbi(start, transition, emission, observed):
    T, S = len(observed), len(start)
    d = np.zeros((T, S))
    p = np.zeros((T, S), int)
    d[0] = start + emission[:, observed[0]]
    for t in range(1, T):
        for j in range(S):
            c = d[t - 1] + transition[:, j]
            p[t, j] = np.argmax(c)
            d[t, j] = c.max() + emission[j, observed[t]]
    path = np.zeros(T, dtype=int)
    path[-1] = d[-1].argmax()
    for t in range(T - 2, -1, -1):
        path[t] = p[t + 1, path[t + 1]]
    return path


def forward_likelihood(start, transition, emission, observed):
    alpha = start + emission[:, observed[0]]
    for t in range(1, len(observed)):
        alpha = [np.logaddexp.reduce(alpha + transition[:, j]) + emission[j, observed[t]] for j in range(len(start))]
    return np.logaddexp.reduce(alpha)


def edit_distance(source, target):
    source, target = tuple(source), tuple(target)

    @cache
    def d(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (source[i - 1] != target[j - 1]))

    return d(len(source), len(target))


def confusion_matrix(labels, predictions, C):
    m = [[0] * C for _ in range(C)]
    for l, p in zip(labels, predictions, strict=True):
        m[l][p] += 1
    return m


def macro_f1(labels, predictions, C):
    fs = []
    for c in range(C):
        tp = sum(l == c and p == c for l, p in zip(labels, predictions, strict=True))
        fp = sum(l != c and p == c for l, p in zip(labels, predictions, strict=True))
        fn = sum(l == c and p != c for l, p in zip(labels, predictions, strict=True))
        fs.append(2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0)
    return sum(fs) / C


def gru_step(x, h, W, U, b):
    a = x @ W + b
    g = h @ U
    az, ar, an = np.split(a, 3, axis=1)
    gz, gr, gn = np.split(g, 3, axis=1)
    z = squash(az + gz)
    n = np.tanh(an + squash(ar + gr) * gn)
    return n - z * n + z * h


def count_ngrams(tokens, n):
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def pairwise_cosine(X, Y):
    X = X / np.sqrt((X**2).sum(1, keepdims=True) + 1e-24)
    Y = Y / np.sqrt((Y**2).sum(1, keepdims=True) + 1e-24)
    return X.dot(Y.T)
