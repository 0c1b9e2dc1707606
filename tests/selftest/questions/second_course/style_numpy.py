"""The second course with numpy and the standard library."""

import heapq
from bisect import bisect_left
from collections import Counter, deque
from functools import cache
from itertools import pairwise

import numpy as np


def edit_distance(source, target):
    @cache
    def distance(i, j):
        if not i or not j:
            return i + j
        same = source[i - 1] == target[j - 1]
        return min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + (0 if same else 1))

    for i in range(len(source)):
        for j in range(len(target)):
            distance(i, j)
    return distance(len(source), len(target))


def common_subsequence(source, target):
    rows = [[()] * (len(target) + 1)]
    for word in source:
        row = [()]
        for j, other in enumerate(target):
            longest = row[-1] if len(row[-1]) > len(rows[-1][j + 1]) else rows[-1][j + 1]
            row.append((*rows[-1][j], word) if word == other else longest)
        rows.append(row)
    return list(rows[-1][-1])


def count_bigrams(words):
    return Counter(pairwise(words))


def breadth_first(adjacency, start):
    distances = {start: 0}
    queue = deque([start])
    while queue:
        vertex = queue.popleft()
        for other in np.nonzero(adjacency[vertex])[0]:
            if int(other) not in distances:
                distances[int(other)] = distances[vertex] + 1
                queue.append(int(other))
    return np.array([distances.get(vertex, -1) for vertex in range(len(adjacency))])


def shortest_paths(lengths):
    result = np.full(lengths.shape, np.inf)
    for start in range(len(lengths)):
        best = result[start]
        best[start] = 0.0
        heap = [(0.0, start)]
        while heap:
            length, vertex = heapq.heappop(heap)
            if length > best[vertex]:
                continue
            for other in np.flatnonzero(length + lengths[vertex] < best):
                best[other] = length + lengths[vertex, other]
                heapq.heappush(heap, (best[other], other))
    return result


def components(adjacency):
    reached = np.eye(len(adjacency)) + adjacency + adjacency.T > 0
    for _ in range(len(adjacency).bit_length()):
        reached = reached.astype(float) @ reached > 0
    firsts = reached.argmax(axis=1)
    return np.unique(firsts, return_inverse=True)[1]


def knapsack(weights, values, capacity):
    best = {0: 0.0}
    for weight, value in zip(weights.tolist(), values.tolist(), strict=True):
        for used, sum_of_values in list(best.items()):
            if used + weight <= capacity:
                best[used + weight] = max(best.get(used + weight, 0.0), sum_of_values + value)
        if weight == 0:
            best = {used: max(total, 0.0) for used, total in best.items()}
    return max(best.values())


def longest_increasing(x):
    ends = []
    for value in x.tolist():
        place = bisect_left(ends, value)
        if place == len(ends):
            ends.append(value)
        ends[place] = value
    return len(ends)


def quantile(x, q):
    return float(np.quantile(x, q))


def entropy(p):
    return float(-np.sum(np.where(p > 0, p * np.log2(np.where(p > 0, p, 1.0)), 0.0)))


def covariance(X):
    return np.atleast_2d(np.cov(X, rowvar=False))


def ridge(X, y, rate):
    rows = np.vstack([X, np.sqrt(rate) * np.eye(X.shape[1])])
    return np.linalg.lstsq(rows, np.concatenate([y, np.zeros(X.shape[1])]), rcond=None)[0]


def logistic_loss(w, X, y):
    signs = 2 * y - 1
    margins = signs * (X @ w)
    loss = np.logaddexp(0, -margins).mean()
    slopes = -signs * np.exp(-np.logaddexp(0, margins))
    return loss, slopes @ X / len(X)


def auc(scores, labels):
    ones, zeros = scores[labels > 0], scores[labels < 1]
    if not ones.size * zeros.size:
        return 0.5
    ordered = np.sort(zeros)
    below = np.searchsorted(ordered, ones, side="left")
    up_to = np.searchsorted(ordered, ones, side="right")
    return float((below + up_to).sum() / 2 / ones.size / zeros.size)


def confusion(y_true, y_pred, C):
    return np.bincount(y_true * C + y_pred, minlength=C * C).reshape(C, C)


def main_axis(X):
    centred = X - np.mean(X, axis=0)
    values, vectors = np.linalg.eig(centred.T @ centred)
    return np.real(vectors[:, np.argmax(np.real(values))])


class RunningStats:
    def __init__(self):
        self.count, self.total, self.of_squares = 0, 0.0, 0.0

    def push(self, x):
        self.count += 1
        self.total += x
        self.of_squares += x * x

    @property
    def mean(self):
        return self.total / self.count

    def variance(self):
        return (self.of_squares - self.count * self.mean**2) / (self.count - 1) if self.count > 1 else 0.0


class NearestMean:
    def fit(self, X, y, C):
        members = np.eye(C)[y]
        self.means = members.T @ X / members.sum(axis=0)[:, None]

    def predict(self, points):
        return np.argmin(np.linalg.norm(points[:, None] - self.means[None], axis=-1), axis=-1)


class Linear:
    def __init__(self, D, M):
        self.W = np.random.default_rng(0).normal(size=(D, M)) / np.sqrt(D)
        self.b = np.zeros((M,))

    def forward(self, x):
        self._cache = x.copy()
        return np.einsum("nd,dm->nm", x, self.W) + self.b

    def backward(self, dout):
        self.dW, self.db = np.einsum("nd,nm->dm", self._cache, dout), np.sum(dout, axis=0)
        return np.einsum("nm,dm->nd", dout, self.W)


class Momentum:
    def __init__(self, rate, beta):
        self.settings = rate, beta
        self.velocity = 0

    def step(self, w, dw):
        rate, beta = self.settings
        self.velocity = beta * self.velocity - rate * dw
        return np.add(w, self.velocity)


class UnionFind:
    def __init__(self, n):
        self.parents = np.arange(n)

    def find(self, i):
        while self.parents[i] != i:
            self.parents[i] = self.parents[self.parents[i]]
            i = self.parents[i]
        return i

    def union(self, i, j):
        self.parents[self.find(i)] = self.find(j)

    def connected(self, i, j):
        return bool(self.find(i) == self.find(j))
