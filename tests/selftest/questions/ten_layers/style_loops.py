"""The layers with plain loops and lists; caches are dicts, and arguments are left alone."""

import math

import numpy as np


def conv_forward(x, w, b, conv_param):
    """Convolve with a loop for each axis of the output; what lies outside of the image is skipped."""
    stride, pad = conv_param["stride"], conv_param["pad"]
    N, _, H, W = x.shape
    F, _, A, B = w.shape
    OH, OW = (H + 2 * pad - A) // stride + 1, (W + 2 * pad - B) // stride + 1
    out = np.empty((N, F, OH, OW))
    for n, f, i, j in np.ndindex(N, F, OH, OW):
        total = b[f]
        for r in range(A):
            for c in range(B):
                row, column = i * stride + r - pad, j * stride + c - pad
                if 0 <= row < H and 0 <= column < W:
                    total += np.dot(x[n, :, row, column], w[f, :, r, c])
        out[n, f, i, j] = total
    return out, {"image": x, "filters": w, "stride": stride, "pad": pad}


def conv_backward(dout, cache):
    """Give each product of the forward pass its share."""
    x, w, stride, pad = cache["image"], cache["filters"], cache["stride"], cache["pad"]
    H, W = x.shape[2:]
    A, B = w.shape[2:]
    dx, dw, db = 0 * x, 0 * w, np.zeros(len(w))
    for n, f, i, j in np.ndindex(*dout.shape):
        share = dout[n, f, i, j]
        db[f] += share
        for r in range(A):
            for c in range(B):
                row, column = i * stride + r - pad, j * stride + c - pad
                if 0 <= row < H and 0 <= column < W:
                    dx[n, :, row, column] += share * w[f, :, r, c]
                    dw[f, :, r, c] += share * x[n, :, row, column]
    return dx, dw, db


def max_pool_forward(x, pool_param):
    """Take the largest entry of each window with max()."""
    height, width, stride = (pool_param[key] for key in ("height", "width", "stride"))
    N, C, H, W = x.shape
    rows, columns = range(0, H - height + 1, stride), range(0, W - width + 1, stride)
    found = []
    for image in x.reshape(N * C, H, W):
        found.append([[max(image[i : i + height, j : j + width].flat) for j in columns] for i in rows])
    return np.array(found).reshape(N, C, len(rows), len(columns)), {"x": x, "param": dict(pool_param)}


def max_pool_backward(dout, cache):
    """Look for the first largest entry of each window again."""
    x, param = cache["x"], cache["param"]
    dx = np.zeros(x.shape)
    for n, c, i, j in np.ndindex(*dout.shape):
        best, place = -math.inf, None
        for r in range(param["height"]):
            for s in range(param["width"]):
                at = (n, c, i * param["stride"] + r, j * param["stride"] + s)
                if x[at] > best:
                    best, place = x[at], at
        dx[place] += dout[n, c, i, j]
    return dx


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
