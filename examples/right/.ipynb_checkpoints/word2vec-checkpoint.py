"""Word vectors: losses and gradients (question 1)."""

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    # first try, gradient still missing
    scores = outsideVectors.dot(centerWordVec)
    y_hat = np.exp(scores) / np.sum(np.exp(scores))
    return -np.log(y_hat[outsideWordIdx]), None, None
