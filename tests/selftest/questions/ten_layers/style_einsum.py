"""The layers with windows and einsum; caches are objects of classes, and results are written in place."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


@dataclass
class Kept:
    """What a forward pass keeps."""

    x: Any
    w: Any = None
    param: Any = None


def conv_forward(x, w, b, conv_param):
    """Contract the windows of the padded image with the filters."""
    pad, stride = conv_param["pad"], conv_param["stride"]
    padded = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    windows = sliding_window_view(padded, w.shape[2:], axis=(2, 3))[:, :, ::stride, ::stride]
    out = np.einsum("nchwij,fcij->nfhw", windows, w)
    out += b.reshape(1, -1, 1, 1)
    return out, Kept(x, w, conv_param.copy())


def conv_backward(dout, cache):
    """Spread the gradient of each window by its slices."""
    x, w, pad, stride = cache.x, cache.w, cache.param["pad"], cache.param["stride"]
    (A, B), (OH, OW) = w.shape[2:], dout.shape[2:]
    padded = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    windows = sliding_window_view(padded, (A, B), axis=(2, 3))[:, :, ::stride, ::stride]
    dw = np.einsum("nchwij,nfhw->fcij", windows, dout)
    spread = np.einsum("nfhw,fcij->ncijhw", dout, w)
    dpadded = np.zeros_like(padded)
    for i in range(A):
        for j in range(B):
            dpadded[:, :, i : i + stride * OH : stride, j : j + stride * OW : stride] += spread[:, :, i, j]
    inside = slice(pad, -pad) if pad else slice(None)
    return dpadded[..., inside, inside], dw, np.einsum("nfhw->f", dout)


def max_pool_forward(x, pool_param):
    """Reduce the windows by their maximum."""
    size, stride = (pool_param["height"], pool_param["width"]), pool_param["stride"]
    windows = sliding_window_view(x, size, axis=(2, 3))[:, :, ::stride, ::stride]
    return np.amax(windows, (-2, -1)), Kept(x, windows, pool_param)


def max_pool_backward(dout, cache):
    """Find where the maxima are in the flat image, and add there."""
    windows, stride = cache.w, cache.param["stride"]
    N, C, OH, OW, height, width = windows.shape
    best = windows.reshape(N, C, OH, OW, height * width).argmax(-1)
    n, c, i, j = np.indices(dout.shape)
    dx = np.zeros(cache.x.shape)
    np.add.at(dx, (n, c, i * stride + best // width, j * stride + best % width), dout)
    return dx


def batchnorm_forward(x, gamma, beta, bn_param):
    """Use the statistics of the batch or the running ones by the same formula."""
    mean, var = bn_param["running_mean"], bn_param["running_var"]
    if bn_param["mode"] == "train":
        mean, var = np.mean(x, 0), np.var(x, 0)
        rate = 1 - bn_param.get("momentum", 0.9)
        bn_param["running_mean"] = bn_param["running_mean"] + rate * (mean - bn_param["running_mean"])
        bn_param["running_var"] = bn_param["running_var"] + rate * (var - bn_param["running_var"])
    normal = (x - mean) * (var + bn_param.get("eps", 1e-5)) ** -0.5
    return np.einsum("nd,d->nd", normal, gamma) + beta, Kept(x)


def batchnorm_step(dout, x, gamma, eps=1e-5):
    """Project the gradient off the constant and off the normalized values."""
    N = len(x)
    inverse = (np.var(x, axis=0) + eps) ** -0.5
    normal = (x - np.mean(x, axis=0)) * inverse
    dgamma = np.einsum("nd,nd->d", dout, normal)
    dbeta = np.einsum("nd->d", dout)
    dx = (N * dout - dbeta - normal * dgamma) * gamma * inverse / N
    return [dx, dgamma, dbeta]


def softmax_loss(scores, y):
    """Compare with one-hot labels."""
    labels = np.eye(scores.shape[1])[y]
    top = scores.max(1)
    total = np.exp(scores - top[:, None]).sum(1)
    loss = np.mean(np.log(total) + top - np.einsum("nc,nc->n", scores, labels))
    return loss, (np.exp(scores - top[:, None]) / total[:, None] - labels) / len(scores)


def hinge_loss(W, X, y, reg):
    """Use one-hot labels in place of indices."""
    labels = np.eye(W.shape[1])[y]
    scores = np.einsum("nd,dc->nc", X, W)
    violated = scores - (scores * labels).sum(1, keepdims=True) + 1 - labels
    active = np.where(violated > 0, 1.0, 0.0) * (1 - labels)
    loss = (violated * active).sum() / len(X) + reg * np.einsum("dc,dc->", W, W)
    active -= labels * active.sum(1, keepdims=True)
    return loss, np.einsum("nd,nc->dc", X, active) / len(X) + reg * (W + W)


def embedding_forward(words, E):
    """Multiply one-hot rows with E."""
    one_hot = np.eye(len(E))[words]
    return np.einsum("ntv,vd->ntd", one_hot, E), Kept(one_hot)


def embedding_backward(dout, cache):
    """Multiply with the transposed one-hot rows."""
    return np.einsum("ntv,ntd->vd", cache.x, dout)


def sgd_momentum(w, dw, config):
    """Update the velocity where it is."""
    config["velocity"] = np.array(config["velocity"])
    config["velocity"] *= config["momentum"]
    config["velocity"] -= config["learning_rate"] * dw
    return np.add(w, config["velocity"]), config


def adaptive_moments(w, dw, config):
    """Set the defaults in the config first."""
    for key, value in (("beta1", 0.9), ("beta2", 0.999), ("epsilon", 1e-8)):
        config.setdefault(key, value)
    config["t"] = config["t"] + 1
    config["m"] = config["m"] + (1 - config["beta1"]) * (dw - config["m"])
    config["v"] = config["v"] + (1 - config["beta2"]) * (np.square(dw) - config["v"])
    first = config["m"] / (1 - config["beta1"] ** config["t"])
    second = config["v"] / (1 - config["beta2"] ** config["t"])
    step = np.divide(first, np.sqrt(second) + config["epsilon"])
    return w - config["learning_rate"] * step, config


def temporal_softmax_loss(x, y, mask):
    """Take the logarithm of the sum, and weigh by the mask."""
    top = x.max(2, keepdims=True)
    log_probs = x - top - np.log(np.exp(x - top).sum(2, keepdims=True))
    labels = np.eye(x.shape[2])[y]
    weights = mask / x.shape[0]
    loss = -np.einsum("ntv,ntv,nt->", log_probs, labels, weights)
    return float(loss), np.einsum("ntv,nt->ntv", np.exp(log_probs) - labels, weights)


class NearestNeighbors:
    """Compares all pairs by broadcasting."""

    def train(self, X, y):
        """Remember the points and labels."""
        self.known, self.labels = X, y

    def compute_distances(self, points):
        """Compute the norms of all differences."""
        difference = points[:, None] - self.known[None]
        return np.sqrt(np.einsum("nmd,nmd->nm", difference, difference))

    def predict(self, points, k=1):
        """Vote with one-hot labels."""
        order = self.compute_distances(points).argsort(axis=-1, kind="stable")[:, :k]
        votes = np.eye(self.labels.max() + 1)[self.labels][order].sum(axis=1)
        return votes.argmax(axis=1).tolist()
