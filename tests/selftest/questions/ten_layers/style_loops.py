"""The layers with plain loops and lists; caches are dicts, and arguments are left alone."""

import math

import numpy as np


def batchnorm_forward(x, gamma, beta, bn_param):
    """Normalize one column after another."""
    eps, momentum = bn_param.get("eps", 1e-5), bn_param.get("momentum", 0.9)
    is_training = bn_param["mode"] == "train"
    means, variances = list(bn_param["running_mean"]), list(bn_param["running_var"])
    out = np.zeros(x.shape)
    for d in range(x.shape[1]):
        mean, variance = means[d], variances[d]
        if is_training:
            mean = sum(x[:, d]) / len(x)
            variance = sum((each - mean) ** 2 for each in x[:, d]) / len(x)
            means[d] = momentum * means[d] + (1 - momentum) * mean
            variances[d] = momentum * variances[d] + (1 - momentum) * variance
        for n in range(len(x)):
            out[n, d] = gamma[d] * (x[n, d] - mean) / math.sqrt(variance + eps) + beta[d]
    if is_training:
        bn_param["running_mean"], bn_param["running_var"] = np.array(means), np.array(variances)
    return out, {"x": x, "gamma": gamma}


def batchnorm_step(dout, x, gamma, eps=1e-5):
    """Walk back through the graph: scale, quotient, variance, mean."""
    N = x.shape[0]
    centred = x - x.mean(0)
    std = np.sqrt((centred**2).mean(0) + eps)
    dhat = dout * gamma
    dvar = (dhat * centred).sum(0) * -0.5 * std**-3
    dcentred = dhat / std + 2 * centred * dvar / N
    return dcentred - dcentred.mean(0), (dout * centred / std).sum(0), dout.sum(0)


def softmax_loss(scores, y):
    """Compute each row by itself."""
    N = len(scores)
    loss, gradient = 0.0, np.zeros(scores.shape)
    for n in range(N):
        top = max(scores[n])
        powers = [math.exp(each - top) for each in scores[n]]
        loss += (math.log(sum(powers)) + top - scores[n, y[n]]) / N
        for c, power in enumerate(powers):
            gradient[n, c] = (power / sum(powers) - (c == y[n])) / N
    return loss, gradient


def hinge_loss(W, X, y, reg):
    """Add up the margins that are violated, with their gradient."""
    N, C = len(X), W.shape[1]
    loss, dW = 0.0, np.zeros(W.shape)
    for n in range(N):
        scores = X[n].dot(W)
        for c in range(C):
            margin = scores[c] - scores[y[n]] + 1
            if c != y[n] and margin > 0:
                loss += margin
                dW[:, c] += X[n]
                dW[:, y[n]] -= X[n]
    return loss / N + reg * (W**2).sum(), dW / N + 2 * reg * W


def embedding_forward(words, E):
    """Copy the rows one by one."""
    out = np.array([[E[word] for word in sequence] for sequence in words]).reshape(*words.shape, E.shape[1])
    return out, {"words": words.tolist(), "like": E}


def embedding_backward(dout, cache):
    """Add the gradient of each word to its row."""
    dE = np.zeros(cache["like"].shape)
    for n, sequence in enumerate(cache["words"]):
        for t, word in enumerate(sequence):
            dE[word] = dE[word] + dout[n, t]
    return dE


def sgd_momentum(w, dw, config):
    """Return a new config."""
    velocity = config["momentum"] * config["velocity"] - config["learning_rate"] * dw
    return w + velocity, {**config, "velocity": velocity}


def adaptive_moments(w, dw, config):
    """Return a new config."""
    beta1, beta2 = config.get("beta1", 0.9), config.get("beta2", 0.999)
    t = config["t"] + 1
    m = config["m"] * beta1 + dw * (1 - beta1)
    v = config["v"] * beta2 + dw * dw * (1 - beta2)
    rate = config["learning_rate"] / (1 - beta1**t)
    root = (v / (1 - beta2**t)) ** 0.5
    return w - rate * m / (root + config.get("epsilon", 1e-8)), {**config, "t": t, "m": m, "v": v}


def temporal_softmax_loss(x, y, mask):
    """Leave out the steps that are masked."""
    N, T, _ = x.shape
    loss, dx = 0.0, np.zeros(x.shape)
    for n in range(N):
        for t in range(T):
            if mask[n][t]:
                powers = np.exp(x[n, t] - x[n, t].max())
                probs = powers / powers.sum()
                loss -= math.log(probs[y[n, t]])
                dx[n, t] = probs
                dx[n, t, y[n, t]] -= 1
    return loss / N, dx / N


class NearestNeighbors:
    """Sorts pairs of distance and label."""

    def __init__(self):
        self.pairs = []

    def train(self, X, y):
        """Keep the pairs."""
        self.pairs = list(zip(X, y, strict=True))

    def compute_distances(self, points):
        """Measure each pair."""
        return [[math.dist(point, known) for known, _ in self.pairs] for point in points]

    def predict(self, points, k=1):
        """Count the labels of the k nearest; of ties the smallest label wins."""
        labels = []
        for distances in self.compute_distances(points):
            nearest = sorted(range(len(distances)), key=distances.__getitem__)[:k]
            votes = [int(self.pairs[place][1]) for place in nearest]
            labels.append(min(votes, key=lambda label: (-votes.count(label), label)))
        return labels
