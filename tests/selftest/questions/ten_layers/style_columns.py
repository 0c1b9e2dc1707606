"""The layers with columns of windows and matrix products; caches are tuples of other things, or functions."""

from collections import Counter

import numpy as np


def _index(C, A, B, OH, OW, stride):
    channel = np.repeat(np.arange(C), A * B)[:, None]
    row = np.tile(np.repeat(np.arange(A), B), C)[:, None] + stride * np.repeat(np.arange(OH), OW)[None]
    column = np.tile(np.arange(B), A * C)[:, None] + stride * np.tile(np.arange(OW), OH)[None]
    return channel, row, column


def _pad(x, pad):
    N, C, H, W = x.shape
    padded = np.zeros((N, C, H + 2 * pad, W + 2 * pad))
    padded[:, :, pad : pad + H, pad : pad + W] = x
    return padded


def conv_forward(x, w, b, conv_param):
    """Multiply the matrix of the filters with the columns of the image."""
    stride, pad = conv_param["stride"], conv_param["pad"]
    N, C = x.shape[:2]
    F, _, A, B = w.shape
    padded = _pad(x, pad)
    OH, OW = (padded.shape[2] - A) // stride + 1, (padded.shape[3] - B) // stride + 1
    where = _index(C, A, B, OH, OW, stride)
    columns = padded[(slice(None), *where)]
    out = w.reshape(F, -1) @ columns + b[:, None]

    def go_back(dout):
        flat = dout.reshape(N, F, -1)
        dcolumns = w.reshape(F, -1).T @ flat
        dpadded = np.zeros(padded.shape)
        np.add.at(dpadded, (slice(None), *where), dcolumns)
        dx = dpadded[:, :, pad : pad + x.shape[2], pad : pad + x.shape[3]]
        dw = (flat @ columns.transpose(0, 2, 1)).sum(0).reshape(w.shape)
        return dx, dw, flat.sum((0, 2))

    return out.reshape(N, F, OH, OW), go_back


def conv_backward(dout, cache):
    """Call what the forward pass left."""
    return cache(dout)


def max_pool_forward(x, pool_param):
    """Take the maximum of each column of windows, each channel as an image of its own."""
    height, width, stride = pool_param["height"], pool_param["width"], pool_param["stride"]
    N, C, H, W = x.shape
    OH, OW = (H - height) // stride + 1, (W - width) // stride + 1
    where = _index(1, height, width, OH, OW, stride)
    columns = x.reshape(N * C, 1, H, W)[(slice(None), *where)]
    best = columns.argmax(1)
    return columns.max(1).reshape(N, C, OH, OW), (best, where, x.shape)


def max_pool_backward(dout, cache):
    """Write the gradient to the winners, and add the columns up."""
    best, where, (N, C, H, W) = cache
    flat = dout.reshape(N * C, -1)
    columns = np.zeros((N * C, len(where[1]), flat.shape[1]))
    np.put_along_axis(columns, best[:, None], flat[:, None], axis=1)
    dx = np.zeros((N * C, 1, H, W))
    np.add.at(dx, (slice(None), *where), columns)
    return dx.reshape(N, C, H, W)


def batchnorm_forward(x, gamma, beta, bn_param):
    """Treat the two modes apart."""
    settings = {"eps": 1e-5, "momentum": 0.9, **bn_param}
    if settings["mode"] != "train":
        scale = gamma / np.sqrt(settings["running_var"] + settings["eps"])
        return x * scale + (beta - scale * settings["running_mean"]), ()
    statistics = {"running_mean": x.mean(0), "running_var": ((x - x.mean(0)) ** 2).mean(0)}
    scale = gamma / np.sqrt(statistics["running_var"] + settings["eps"])
    for name, now in statistics.items():
        bn_param[name] = settings["momentum"] * bn_param[name] + (1 - settings["momentum"]) * now
    return (x - statistics["running_mean"]) * scale + beta, (statistics, scale)


def batchnorm_step(dout, x, gamma, eps=1e-5):
    """Multiply with the Jacobian of each normalized column."""
    N, D = x.shape
    dx = np.empty((N, D))
    hat = (x - x.mean(0)) / np.sqrt(x.var(0) + eps)
    for d in range(D):
        jacobian = np.eye(N) - 1 / N - np.outer(hat[:, d], hat[:, d]) / N
        dx[:, d] = gamma[d] / np.sqrt(x[:, d].var() + eps) * (jacobian @ dout[:, d])
    return dx, np.diag(hat.T @ dout), np.ones(N) @ dout


def softmax_loss(scores, y):
    """Use logaddexp."""
    normal = np.logaddexp.reduce(scores, axis=1)
    rows = range(len(y))
    gradient = np.exp(scores - normal[:, None])
    gradient[rows, y] -= 1.0
    return (normal - scores[rows, y]).sum() / len(y), gradient / len(y)


def hinge_loss(W, X, y, reg):
    """Move the label to the front of each row."""
    N, C = len(y), W.shape[1]
    scores = np.dot(X, W)
    margins = scores.T - scores[np.arange(N), y] + 1
    is_other = np.arange(C)[:, None] != y
    counted = is_other & (margins > 0)
    pull = counted.astype(int) - np.where(is_other, 0, counted.sum(0))
    loss = margins[counted].sum() / N + np.linalg.norm(W) ** 2 * reg
    return loss, (pull @ X).T / N + 2 * W * reg


def embedding_forward(words, E):
    """Use take."""
    return np.take(E, words, axis=0), [words.ravel(), len(E)]


def embedding_backward(dout, cache):
    """Count with bincount, one column after another."""
    words, size = cache
    columns = dout.reshape(-1, dout.shape[-1]).T
    return np.stack([np.bincount(words, column, size) for column in columns], axis=1)


def sgd_momentum(w, dw, config):
    """Pop, and set again."""
    old = config.pop("velocity")
    config["velocity"] = old * config["momentum"] + dw * -config["learning_rate"]
    return config["velocity"] + w, config


def adaptive_moments(w, dw, config):
    """Correct the bias in the step size."""
    one, two = config.get("beta1", 0.9), config.get("beta2", 0.999)
    config.update(t=config["t"] + 1, m=one * config["m"] + (1 - one) * dw, v=two * config["v"] + (1 - two) * dw * dw)
    root = np.sqrt(1 - two ** config["t"])
    rate = config["learning_rate"] * root / (1 - one ** config["t"])
    return w - rate * config["m"] / (np.sqrt(config["v"]) + config.get("epsilon", 1e-8) * root), config


def temporal_softmax_loss(x, y, mask):
    """Select the steps that count before anything else."""
    N = x.shape[0]
    chosen, labels = x[mask], y[mask]
    dx = np.zeros(x.shape)
    if not len(chosen):
        return 0.0, dx
    probs = np.exp(chosen - chosen.max(axis=1, keepdims=True))
    probs /= probs.sum(axis=1, keepdims=True)
    loss = -np.log(probs[np.arange(len(labels)), labels]).sum() / N
    probs[np.arange(len(labels)), labels] -= 1
    dx[mask] = probs / N
    return loss, dx


class NearestNeighbors:
    """Asks for one point after another."""

    X = y = None

    def train(self, X, y):
        """Remember copies."""
        self.X, self.y = X.copy(), [int(each) for each in y]

    def compute_distances(self, points):
        """Compute one row after another."""
        return np.array([np.linalg.norm(self.X - point, axis=1) for point in points]).reshape(len(points), len(self.X))

    def predict(self, points, k=1):
        """Count votes with a Counter of labels in order."""
        found = []
        for row in self.compute_distances(points):
            votes = Counter(sorted(self.y[place] for place in np.argsort(row)[:k]))
            found.append(votes.most_common(1)[0][0])
        return np.array(found)
