"""Algorithms and statistics."""

import numpy as np


def edit_distance(source, target):
    """Return the smallest number of insertions, deletions and substitutions that make target of source."""
    previous = list(range(len(target) + 1))
    for i, word in enumerate(source, 1):
        current = [i]
        for j, other in enumerate(target, 1):
            substituted = previous[j - 1] + (word != other)
            current.append(min(previous[j] + 1, current[j - 1] + 1, substituted))
        previous = current
    return previous[-1]


def common_subsequence(source, target):
    """Return a longest list of words that occur in this order in both."""
    best = [[[] for _ in range(len(target) + 1)] for _ in range(len(source) + 1)]
    for i, word in enumerate(source, 1):
        for j, other in enumerate(target, 1):
            if word == other:
                best[i][j] = best[i - 1][j - 1] + [word]
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1], key=len)
    return best[-1][-1]


def count_bigrams(words):
    """Return how often each pair of words that follow each other occurs: a dict by pair."""
    counts = {}
    for i in range(len(words) - 1):
        pair = (words[i], words[i + 1])
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def breadth_first(adjacency, start):
    """Return the number of edges from start to each vertex, -1 where there is no path.

    adjacency: (N, N), 1 where an edge leads from the row to the column.
    """
    distances = np.full(len(adjacency), -1)
    distances[start] = 0
    queue = [start]
    for vertex in queue:
        for other in np.flatnonzero(adjacency[vertex] == 1):
            if distances[other] < 0:
                distances[other] = distances[vertex] + 1
                queue.append(other)
    return distances


def shortest_paths(lengths):
    """Return the length of the shortest path between each pair of vertices; lengths: (N, N), of the edges."""
    distances = lengths.copy()
    np.fill_diagonal(distances, 0)
    for k in range(len(distances)):
        distances = np.minimum(distances, distances[:, k, None] + distances[k])
    return distances


def components(adjacency):
    """Return the number of the component of each vertex, in the order of their first vertices; edges go both ways."""
    joined = (adjacency + adjacency.T) > 0
    labels = np.full(len(adjacency), -1)
    count = 0
    for first in range(len(adjacency)):
        if labels[first] >= 0:
            continue
        stack = [first]
        while stack:
            vertex = stack.pop()
            if labels[vertex] < 0:
                labels[vertex] = count
                stack.extend(np.flatnonzero(joined[vertex]))
        count += 1
    return labels


def knapsack(weights, values, capacity):
    """Return the largest sum of values of items whose weights sum to at most capacity."""
    best = np.zeros(capacity + 1)
    for weight, value in zip(weights, values, strict=True):
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[-1]


def longest_increasing(x):
    """Return the length of the longest strictly increasing subsequence of x."""
    best = [1] * len(x)
    for i in range(len(x)):
        for j in range(i):
            if x[j] < x[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best)


def quantile(x, q):
    """Return the q-quantile of x, by linear interpolation between the sorted entries."""
    ordered = np.sort(x)
    place = q * (len(x) - 1)
    low = int(np.floor(place))
    high = min(low + 1, len(x) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def entropy(p):
    """Return the entropy of a distribution in bits; 0 log 0 is 0."""
    kept = p[p > 0]
    return -(kept * np.log2(kept)).sum()


def covariance(X):
    """Return the unbiased covariance matrix of the columns of X."""
    centred = X - X.mean(axis=0)
    return centred.T @ centred / (len(X) - 1)


def ridge(X, y, rate):
    """Return the weights w that make the sum of squares of X w - y, plus rate times that of w, smallest."""
    return np.linalg.solve(X.T @ X + rate * np.eye(X.shape[1]), X.T @ y)


def logistic_loss(w, X, y):
    """Return the mean logistic loss of labels y, 0 or 1, and its gradient by w."""
    z = X @ w
    loss = np.mean(np.logaddexp(0, z) - y * z)
    p = 1 / (1 + np.exp(-z))
    return loss, X.T @ (p - y) / len(y)


def auc(scores, labels):
    """Return the share of pairs of a 1 and a 0 in which the 1 has the higher score; ties count half.

    Where there is no pair it is 0.5.
    """
    ones, zeros = scores[labels == 1], scores[labels == 0]
    if len(ones) == 0 or len(zeros) == 0:
        return 0.5  # of no pairs
    above = ones[:, None] - zeros
    return np.mean((above > 0) + 0.5 * (above == 0))


def confusion(y_true, y_pred, C):
    """Return the (C, C) numbers of pairs: row by true class, column by predicted class."""
    counts = np.zeros((C, C), dtype=int)
    np.add.at(counts, (y_true, y_pred), 1)
    return counts


def main_axis(X):
    """Return the direction in which the columns of X vary most, of length 1."""
    _, _, rows = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return rows[0]


class RunningStats:
    """The mean and the variance of numbers that come one by one."""

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0

    def push(self, x):
        """Add a number."""
        self.count += 1
        delta = x - self.mean
        self.mean += delta / self.count
        self.squares += delta * (x - self.mean)

    def variance(self):
        """Return the variance with n - 1; 0 for one number."""
        return self.squares / (self.count - 1) if self.count > 1 else 0.0


class NearestMean:
    """A classifier by the nearest mean of a class."""

    def fit(self, X, y, C):
        """Keep the mean of each class."""
        self.means = np.array([X[y == c].mean(axis=0) for c in range(C)])

    def predict(self, points):
        """Return the class of the nearest mean of each point."""
        distances = ((points[:, None] - self.means) ** 2).sum(axis=2)
        return distances.argmin(axis=1)


class Linear:
    """A linear layer, whose weights start at random."""

    def __init__(self, D, M):
        self.W = np.random.default_rng().normal(size=(D, M))
        self.b = np.zeros(M)

    def forward(self, x):
        """Return x W + b."""
        self.x = x
        return x @ self.W + self.b

    def backward(self, dout):
        """Return the gradient of x; set dW and db."""
        self.dW = self.x.T @ dout
        self.db = dout.sum(axis=0)
        return dout @ self.W.T


class Momentum:
    """Gradient descent with momentum."""

    def __init__(self, rate, beta):
        self.rate = rate
        self.beta = beta
        self.velocity = 0.0

    def step(self, w, dw):
        """Return the next weights."""
        self.velocity = self.beta * self.velocity - self.rate * dw
        return w + self.velocity


class UnionFind:
    """Sets of numbers from 0 below n that are joined."""

    def __init__(self, n):
        self.parents = list(range(n))

    def find(self, i):
        """Return the representative of the set of i."""
        while self.parents[i] != i:
            i = self.parents[i]
        return i

    def union(self, i, j):
        """Join the sets of i and j."""
        self.parents[self.find(i)] = self.find(j)

    def connected(self, i, j):
        """Return whether i and j are in one set."""
        return self.find(i) == self.find(j)
