"""The second course with recursion, comprehensions and helpers."""

import itertools

import numpy as np


def edit_distance(source, target):
    rows = {-1: list(range(len(target) + 1))}
    for i, word in enumerate(source):
        row = [i + 1]
        for j, other in enumerate(target):
            row.append(min(rows[i - 1][j] + (word != other), rows[i - 1][j + 1] + 1, row[j] + 1))
        rows[i] = row
    return int(rows[len(source) - 1][-1])


def common_subsequence(source, target):
    known = {}

    def longest(i, j):
        if i == len(source) or j == len(target):
            return []
        if (i, j) not in known:
            if source[i] == target[j]:
                known[i, j] = [source[i], *longest(i + 1, j + 1)]
            else:
                known[i, j] = max(longest(i, j + 1), longest(i + 1, j), key=len)
        return known[i, j]

    for i in reversed(range(len(source))):
        for j in reversed(range(len(target))):
            longest(i, j)
    return longest(0, 0)


def count_bigrams(words):
    pairs = [tuple(words[i : i + 2]) for i in range(len(words) - 1)]
    return {pair: pairs.count(pair) for pair in set(pairs)}


def breadth_first(adjacency, start):
    N = len(adjacency)
    reached = np.arange(N) == start
    distances = np.where(reached, 0, -1)
    for step in range(1, N):
        following = (reached @ adjacency > 0) & (distances < 0)
        distances[following] = step
        reached = following
    return distances


def shortest_paths(lengths):
    N = len(lengths)
    best = np.array(lengths, dtype=float)
    best[range(N), range(N)] = 0
    for i, j, k in itertools.product(range(N), repeat=3):
        through = best[j, i] + best[i, k]
        if through < best[j, k]:
            best[j, k] = through
    return best


def components(adjacency):
    N = len(adjacency)
    labels = [None] * N
    neighbours = [[j for j in range(N) if adjacency[i, j] or adjacency[j, i]] for i in range(N)]
    count = 0
    for first in range(N):
        if labels[first] is None:
            layer = {first}
            while layer:
                for vertex in layer:
                    labels[vertex] = count
                layer = {j for i in layer for j in neighbours[i] if labels[j] is None}
            count += 1
    return labels


def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1)
    for weight, value in zip(weights, values, strict=True):
        more = np.full(capacity + 1, -np.inf)
        if weight <= capacity:
            more[weight:] = best[: capacity + 1 - weight] + value
        best = np.maximum(best, more)
    return best.max()


def longest_increasing(x):
    N = len(x)
    best = np.ones(N, dtype=int)
    for i in range(1, N):
        below = best[:i][np.asarray(x[:i]) < x[i]]
        best[i] = 1 + below.max(initial=0)
    return best.max()


def quantile(x, q):
    return np.interp(q * (len(x) - 1), np.arange(len(x)), np.sort(x))


def entropy(p):
    return sum(-each * np.log2(each) for each in p.tolist() if each)


def covariance(X):
    N = len(X)
    mean = X.sum(axis=0) / N
    return sum(np.outer(row - mean, row - mean) for row in X) / (N - 1)


def ridge(X, y, rate):
    N, D = X.shape
    if N < D:
        return X.T @ np.linalg.solve(X @ X.T + rate * np.identity(N), y)
    return np.linalg.solve(X.T.dot(X) + rate * np.identity(D), X.T.dot(y))


def _sigmoid(z):
    return np.where(z >= 0, 1 / (1 + np.exp(-np.abs(z))), np.exp(-np.abs(z)) / (1 + np.exp(-np.abs(z))))


def logistic_loss(w, X, y):
    z = X.dot(w)
    losses = np.maximum(z, 0) - y * z + np.log1p(np.exp(-np.abs(z)))
    return float(np.sum(losses) / len(y)), ((_sigmoid(z) - y)[:, None] * X).mean(axis=0)


def auc(scores, labels):
    pairs = [(one, zero) for one in scores[labels == 1] for zero in scores[labels == 0]]
    if not pairs:
        return 0.5
    return sum((one > zero) / 2 + (one >= zero) / 2 for one, zero in pairs) / len(pairs)


def confusion(y_true, y_pred, C):
    return np.array([[np.sum((y_true == i) & (y_pred == j)) for j in range(C)] for i in range(C)])


def main_axis(X):
    _, _, rows = np.linalg.svd(np.cov(X, rowvar=False).reshape(X.shape[1], X.shape[1]))
    return rows[0] / np.linalg.norm(rows[0])


class RunningStats:
    def __init__(self):
        self.count = self.mean = self._variance = 0

    def push(self, x):
        n = self.count
        mean = (n * self.mean + x) / (n + 1)
        self._variance = (n * self._variance + n * self.mean**2 + x**2) / (n + 1) - mean**2
        self.count, self.mean = n + 1, mean

    def variance(self):
        return self._variance * self.count / max(self.count - 1, 1)


class NearestMean:
    def fit(self, X, y, C):
        self.means = np.stack([np.mean(X[y == c], axis=0) for c in range(C)])

    def predict(self, points):
        products = points @ self.means.T
        return np.argmax(products - (self.means**2).sum(axis=1) / 2, axis=1)


class Linear:
    def __init__(self, D, M):
        self.W, self.b = np.ones((D, M)), np.zeros(M)

    def forward(self, x):
        self._x = x
        return np.dot(x, self.W) + self.b[None, :]

    def backward(self, dout):
        dx = np.dot(dout, self.W.T)
        self.dW = np.dot(self._x.T, dout)
        self.db = np.ones(len(dout)) @ dout
        return dx


class Momentum:
    def __init__(self, rate, beta):
        self.rate, self.beta = rate, beta
        self.velocity = 0.0

    def step(self, w, dw):
        before = self.velocity
        self.velocity = self.beta * before - self.rate * dw
        return w + self.beta * before - self.rate * dw


class UnionFind:
    def __init__(self, n):
        self.n = n
        self.joined = []

    def union(self, i, j):
        self.joined.append({i, j})

    def connected(self, i, j):
        reached = {i}
        for _ in range(self.n):
            for pair in self.joined:
                if pair & reached:
                    reached |= pair
        return j in reached
