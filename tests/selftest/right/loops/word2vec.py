import math

import numpy as np

from mathstuff import dot, log_probabilities, logistic, minus_log_logistic


def sigmoid(x):
    if isinstance(x, np.ndarray) and x.ndim > 0:
        result = np.empty(x.shape)
        for position in np.ndindex(*x.shape):
            result[position] = logistic(float(x[position]))
        return result
    return logistic(float(x))


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    V, D = outsideVectors.shape
    log_y_hat = log_probabilities([dot(outsideVectors[w], centerWordVec) for w in range(V)])
    loss = -log_y_hat[outsideWordIdx]

    gradCenterVec = np.zeros(D)
    gradOutsideVecs = np.zeros((V, D))
    for w in range(V):
        error = math.exp(log_y_hat[w])
        if w == outsideWordIdx:
            error -= 1
        for d in range(D):
            gradCenterVec[d] += error * outsideVectors[w, d]
            gradOutsideVecs[w, d] = error * centerWordVec[d]
    return loss, gradCenterVec, gradOutsideVecs


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    V, D = outsideVectors.shape
    loss = 0.0
    gradCenterVec = np.zeros(D)
    gradOutsideVecs = np.zeros((V, D))

    pairs = [(outsideWordIdx, 1)]
    for k in getNegativeSamples(outsideWordIdx, dataset, K):
        pairs.append((k, -1))

    for w, sign in pairs:
        z = sign * dot(outsideVectors[w], centerWordVec)
        loss += minus_log_logistic(z)
        slope = sign * (logistic(z) - 1)
        for d in range(D):
            gradCenterVec[d] += slope * outsideVectors[w, d]
            gradOutsideVecs[w, d] += slope * centerWordVec[d]
    return loss, gradCenterVec, gradOutsideVecs


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind,
             centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    V, D = centerWordVectors.shape
    loss = 0.0
    gradCenterVecs = np.zeros((V, D))
    gradOutsideVectors = np.zeros((V, D))
    c = word2Ind[currentCenterWord]

    for i in range(len(outsideWords)):
        o = word2Ind[outsideWords[i]]
        part, gc, gu = word2vecLossAndGradient(centerWordVectors[c], o, outsideVectors, dataset)
        loss += part
        for d in range(D):
            gradCenterVecs[c, d] += gc[d]
        for w in range(V):
            for d in range(D):
                gradOutsideVectors[w, d] += gu[w, d]
    return loss, gradCenterVecs, gradOutsideVectors
