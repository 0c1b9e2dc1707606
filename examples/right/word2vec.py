"""Word vectors: losses and gradients (question 1).

Everything is vectorised; the only loop left is the one over the context words.
"""

import numpy as np

from stable import log_sigmoid, log_softmax, logistic


def sigmoid(x):
    """The sigmoid (logistic) function, entry by entry."""
    return logistic(x)


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    """Naive softmax loss for one (center, outside) pair; shapes (D,), int, (V, D)."""
    log_probs = log_softmax(outsideVectors @ centerWordVec)  # (V,)
    loss = -log_probs[outsideWordIdx]

    delta = np.exp(log_probs)  # y_hat - y
    delta[outsideWordIdx] -= 1.0

    gradCenterVec = outsideVectors.T @ delta
    gradOutsideVecs = np.outer(delta, centerWordVec)
    return loss, gradCenterVec, gradOutsideVecs


def getNegativeSamples(outsideWordIdx, dataset, K):
    """K indices of words drawn from the dataset, none of them outsideWordIdx. A word may be among them more than once.

    This function is given; use it in negSamplingLossAndGradient.
    """
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    """Negative sampling loss for one pair.

    The true word gets sign +1 and each of the K samples sign -1; then every term is -log s(sign * u.v), and the
    derivative by the score u.v is sign * (s(sign * u.v) - 1).
    """
    negSampleWordIndices = getNegativeSamples(outsideWordIdx, dataset, K)
    indices = np.array([outsideWordIdx] + negSampleWordIndices)  # (K+1,)
    signs = np.concatenate(([1.0], -np.ones(K)))  # (K+1,)

    rows = outsideVectors[indices]  # (K+1, D)
    z = signs * (rows @ centerWordVec)
    loss = -np.sum(log_sigmoid(z))

    delta = signs * (sigmoid(z) - 1.0)
    gradCenterVec = rows.T @ delta
    gradOutsideVecs = np.zeros_like(outsideVectors, dtype=float)
    # add.at and not +=, because an index can be there more than once
    np.add.at(gradOutsideVecs, indices, np.outer(delta, centerWordVec))
    return loss, gradCenterVec, gradOutsideVecs


def skipgram(
    currentCenterWord,
    windowSize,
    outsideWords,
    word2Ind,
    centerWordVectors,
    outsideVectors,
    dataset,
    word2vecLossAndGradient=naiveSoftmaxLossAndGradient,
):
    """Sum of the losses over the context; only the row of the center word gets a center gradient."""
    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)
    gradOutsideVectors = np.zeros(outsideVectors.shape)

    center = word2Ind[currentCenterWord]
    for word in outsideWords:
        pair_loss, grad_center, grad_outside = word2vecLossAndGradient(
            centerWordVectors[center], word2Ind[word], outsideVectors, dataset
        )
        loss += pair_loss
        gradCenterVecs[center] += grad_center
        gradOutsideVectors += grad_outside
    return loss, gradCenterVecs, gradOutsideVectors
