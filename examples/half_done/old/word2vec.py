import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    scores = np.dot(outsideVectors, centerWordVec)
    probs = np.exp(scores) / np.sum(np.exp(scores))
    loss = -np.log(probs[outsideWordIdx])
    # and the gradients??
    return loss
