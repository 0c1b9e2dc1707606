"""Layers with their backward passes, losses, optimisers and a classifier, as a course would hand them in."""

import numpy as np


def batchnorm_forward(x, gamma, beta, bn_param):
    """Normalize each column of x; training moves the running averages in bn_param, a test uses them."""
    eps, momentum = bn_param.get("eps", 1e-5), bn_param.get("momentum", 0.9)
    if bn_param["mode"] == "test":
        x_hat = (x - bn_param["running_mean"]) / np.sqrt(bn_param["running_var"] + eps)
        return gamma * x_hat + beta, None
    mean, var = x.mean(axis=0), x.var(axis=0)
    x_hat = (x - mean) / np.sqrt(var + eps)
    bn_param["running_mean"] = momentum * bn_param["running_mean"] + (1 - momentum) * mean
    bn_param["running_var"] = momentum * bn_param["running_var"] + (1 - momentum) * var
    return gamma * x_hat + beta, (x_hat, gamma, var, eps)


def batchnorm_step(dout, x, gamma, eps=1e-5):
    """Return the gradients of x, gamma and beta in training."""
    N = len(x)
    x_hat = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + eps)
    dgamma = (dout * x_hat).sum(axis=0)
    dbeta = dout.sum(axis=0)
    dx = gamma / np.sqrt(x.var(axis=0) + eps) * (dout - dbeta / N - x_hat * dgamma / N)
    return dx, dgamma, dbeta


def softmax_loss(scores, y):
    """Return the mean cross entropy of the scores and the classes y, and its gradient by the scores."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    N = len(scores)
    loss = -log_probs[np.arange(N), y].mean()
    dscores = np.exp(log_probs)
    dscores[np.arange(N), y] -= 1
    return loss, dscores / N


def hinge_loss(W, X, y, reg):
    """Return the multiclass hinge loss of the scores X W, with reg times the squares of W, and its gradient by W."""
    N = X.shape[0]
    scores = X @ W
    correct = scores[np.arange(N), y]
    margins = np.maximum(0, scores - correct[:, None] + 1)
    margins[np.arange(N), y] = 0
    loss = margins.sum() / N + reg * np.sum(W * W)
    mask = (margins > 0).astype(float)
    mask[np.arange(N), y] = -mask.sum(axis=1)
    dW = X.T @ mask / N + 2 * reg * W
    return loss, dW


def embedding_forward(words, E):
    """Return the row of E for each word of each sequence, and a cache."""
    return E[words], (words, E.shape)


def embedding_backward(dout, cache):
    """Return the gradient of E: a word that occurs several times adds up."""
    words, shape = cache
    dE = np.zeros(shape)
    np.add.at(dE, words, dout)
    return dE


def sgd_momentum(w, dw, config):
    """Return the next weights and the config, in which the velocity is kept."""
    velocity = config["momentum"] * config["velocity"] - config["learning_rate"] * dw
    config["velocity"] = velocity
    return w + velocity, config


def adaptive_moments(w, dw, config):
    """Return the next weights and the config, in which both averages and the number of steps are kept."""
    beta1, beta2 = config.get("beta1", 0.9), config.get("beta2", 0.999)
    eps = config.get("epsilon", 1e-8)
    config["t"] += 1
    config["m"] = beta1 * config["m"] + (1 - beta1) * dw
    config["v"] = beta2 * config["v"] + (1 - beta2) * dw**2
    m_hat = config["m"] / (1 - beta1 ** config["t"])
    v_hat = config["v"] / (1 - beta2 ** config["t"])
    return w - config["learning_rate"] * m_hat / (np.sqrt(v_hat) + eps), config


def temporal_softmax_loss(x, y, mask):
    """Return the loss of all time steps where the mask is true, per sequence, and its gradient by x."""
    N, T, V = x.shape
    flat, labels, weights = x.reshape(N * T, V), y.reshape(N * T), mask.reshape(N * T)
    probs = np.exp(flat - flat.max(axis=1, keepdims=True))
    probs /= probs.sum(axis=1, keepdims=True)
    loss = -np.sum(weights * np.log(probs[np.arange(N * T), labels])) / N
    dflat = probs.copy()
    dflat[np.arange(N * T), labels] -= 1
    dflat *= weights[:, None] / N
    return loss, dflat.reshape(N, T, V)


class NearestNeighbors:
    """A classifier that asks the k nearest points of the training set."""

    def __init__(self):
        self.X, self.y = np.zeros((0, 1)), np.zeros(0, int)

    def train(self, X, y):
        """Remember the points and their labels."""
        self.X, self.y = X, y

    def compute_distances(self, points):
        """Return the distance of each point from each point of the training set."""
        squares = (points**2).sum(axis=1)[:, None] + (self.X**2).sum(axis=1) - 2 * points @ self.X.T
        return np.sqrt(np.maximum(squares, 0))

    def predict(self, points, k=1):
        """Return the most common label among the k nearest; of equally common ones the smallest."""
        nearest = np.argsort(self.compute_distances(points), axis=1)[:, :k]
        return np.array([np.bincount(self.y[row]).argmax() for row in nearest])
