"""The second course with loops and lists."""

import math

import numpy as np


def edit_distance(source, target):
    N, M = len(source), len(target)
    table = np.zeros((N + 1, M + 1), dtype=int)
    for i in range(N + 1):
        for j in range(M + 1):
            if i == 0 or j == 0:
                table[i, j] = i + j
            elif source[i - 1] == target[j - 1]:
                table[i, j] = table[i - 1, j - 1]
            else:
                table[i, j] = 1 + min(table[i - 1, j - 1], table[i - 1, j], table[i, j - 1])
    return table[N, M]


def common_subsequence(source, target):
    N, M = len(source), len(target)
    length = [[0] * (M + 1) for _ in range(N + 1)]
    for i in range(N - 1, -1, -1):
        for j in range(M - 1, -1, -1):
            if source[i] == target[j]:
                length[i][j] = length[i + 1][j + 1] + 1
            else:
                length[i][j] = max(length[i + 1][j], length[i][j + 1])
    found, i, j = [], 0, 0
    while i < N and j < M:
        if source[i] == target[j]:
            found.append(source[i])
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def count_bigrams(words):
    counts = {}
    for i in range(len(words) - 1):
        pair = (words[i], words[i + 1])
        if pair not in counts:
            counts[pair] = 0
        counts[pair] += 1
    return counts


def breadth_first(adjacency, start):
    N = len(adjacency)
    distances = [-1] * N
    distances[start] = 0
    layer = [start]
    steps = 0
    while layer:
        steps += 1
        following = []
        for vertex in layer:
            for other in range(N):
                if adjacency[vertex][other] and distances[other] == -1:
                    distances[other] = steps
                    following.append(other)
        layer = following
    return distances


def shortest_paths(lengths):
    N = len(lengths)
    result = []
    for start in range(N):
        best = [math.inf] * N
        best[start] = 0.0
        left = set(range(N))
        while left:
            vertex = min(left, key=lambda each: best[each])
            left.remove(vertex)
            for other in range(N):
                best[other] = min(best[other], best[vertex] + float(lengths[vertex][other]))
        result.append(best)
    return result


def components(adjacency):
    N = len(adjacency)
    names = list(range(N))
    for _ in range(N):
        for i in range(N):
            for j in range(N):
                if adjacency[i][j]:
                    names[i] = names[j] = min(names[i], names[j])
    firsts = sorted(set(names))
    return [firsts.index(name) for name in names]


def knapsack(weights, values, capacity):
    def best(place, room):
        if place == len(weights):
            return 0.0
        without = table[place + 1][room]
        if weights[place] > room:
            return without
        return max(without, values[place] + table[place + 1][room - weights[place]])

    table = [[0.0] * (capacity + 1) for _ in range(len(weights) + 1)]
    for place in range(len(weights) - 1, -1, -1):
        for room in range(capacity + 1):
            table[place][room] = best(place, room)
    return table[0][capacity]


def longest_increasing(x):
    ends = []
    for value in x:
        place = 0
        while place < len(ends) and ends[place] < value:
            place += 1
        ends[place : place + 1] = [value]
    return len(ends)


def quantile(x, q):
    ordered = sorted(float(each) for each in x)
    place = q * (len(ordered) - 1)
    low = math.floor(place)
    high = math.ceil(place)
    return (1 - (place - low)) * ordered[low] + (place - low) * ordered[high]


def entropy(p):
    total = 0.0
    for each in p:
        if each > 0:
            total -= each * math.log(each) / math.log(2)
    return total


def covariance(X):
    N, D = X.shape
    S = np.zeros((D, D))
    means = [sum(X[i, k] for i in range(N)) / N for k in range(D)]
    for k in range(D):
        for m in range(D):
            S[k, m] = sum((X[i, k] - means[k]) * (X[i, m] - means[m]) for i in range(N)) / (N - 1)
    return S


def ridge(X, y, rate):
    D = X.shape[1]
    A = np.zeros((D, D))
    b = np.zeros(D)
    for row, right in zip(X, y, strict=True):
        A += np.outer(row, row)
        b += row * right
    return np.linalg.inv(A + np.diag([rate] * D)) @ b


def logistic_loss(w, X, y):
    loss, grad = 0.0, np.zeros(len(w))
    for row, label in zip(X, y, strict=True):
        z = float(row @ w)
        loss += max(z, 0) - label * z + math.log1p(math.exp(-abs(z)))
        p = 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))
        grad += (p - label) * row
    return loss / len(y), grad / len(y)


def auc(scores, labels):
    won, pairs = 0.0, 0
    for score, label in zip(scores, labels, strict=True):
        for other, its in zip(scores, labels, strict=True):
            if label == 1 and its == 0:
                pairs += 1
                won += 1.0 if score > other else 0.5 if score == other else 0.0
    return won / pairs if pairs else 0.5


def confusion(y_true, y_pred, C):
    counts = [[0] * C for _ in range(C)]
    for right, guess in zip(y_true, y_pred, strict=True):
        counts[right][guess] += 1
    return counts


def main_axis(X):
    centred = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    return -vectors[:, np.argmax(values)]


class RunningStats:
    def __init__(self):
        self.numbers = []

    def push(self, x):
        self.numbers.append(x)
        self.count = len(self.numbers)
        self.mean = sum(self.numbers) / self.count

    def variance(self):
        if len(self.numbers) < 2:
            return 0.0
        return sum((x - self.mean) ** 2 for x in self.numbers) / (len(self.numbers) - 1)


class NearestMean:
    def fit(self, X, y, C):
        self.means = np.zeros((C, X.shape[1]))
        for c in range(C):
            rows = [row for row, label in zip(X, y, strict=True) if label == c]
            self.means[c] = sum(rows) / len(rows) if rows else np.nan

    def predict(self, points):
        labels = []
        for point in points:
            distances = [np.linalg.norm(point - mean) for mean in self.means]
            labels.append(int(np.argmin(distances)))
        return labels


class Linear:
    def __init__(self, D, M):
        self.W = np.zeros((D, M))
        self.b = np.zeros(M)

    def forward(self, x):
        self.inputs = x
        return np.array([[row @ self.W[:, m] + self.b[m] for m in range(len(self.b))] for row in x])

    def backward(self, dout):
        self.dW = np.zeros_like(self.W)
        self.db = np.zeros_like(self.b)
        for row, out in zip(self.inputs, dout, strict=True):
            self.dW += np.outer(row, out)
            self.db += out
        return np.array([self.W @ out for out in dout])


class Momentum:
    def __init__(self, rate, beta):
        self.rate, self.beta, self.velocity = rate, beta, None

    def step(self, w, dw):
        if self.velocity is None:
            self.velocity = np.zeros_like(w)
        self.velocity = self.velocity * self.beta
        self.velocity = self.velocity - self.rate * dw
        return w + self.velocity


class UnionFind:
    def __init__(self, n):
        self.sets = [{i} for i in range(n)]
        self.roots = list(range(n))

    def find(self, i):
        return self.roots[i]

    def union(self, i, j):
        old, new = self.roots[i], self.roots[j]
        self.roots = [new if root == old else root for root in self.roots]

    def connected(self, i, j):
        return self.roots[i] == self.roots[j]
