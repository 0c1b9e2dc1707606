import numpy as np


def sigmoid(x):
    m = np.asmatrix(np.asarray(x, dtype=float)) if np.ndim(x) == 2 else np.asarray(x, dtype=float)
    return np.exp(-np.logaddexp(0, -m))


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    v, U = np.matrix(centerWordVec).T, np.matrix(outsideVectors)
    scores = U * v
    scores = scores - scores.max()
    log_y = scores - np.log(np.exp(scores).sum())
    delta = np.exp(log_y)
    delta[outsideWordIdx, 0] -= 1
    return -log_y[outsideWordIdx, 0], delta.T * U, delta * v.T


def getNegativeSamples(outsideWordIdx, dataset, K):
    draws = iter(dataset.sampleTokenIdx, None)
    wanted = (draw for draw in draws if draw != outsideWordIdx)
    return [next(wanted) for _ in range(K)]


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    v, U = np.matrix(centerWordVec).T, np.matrix(outsideVectors)
    rows = [outsideWordIdx] + getNegativeSamples(outsideWordIdx, dataset, K)
    pick = np.matrix(np.eye(len(U))[rows])
    signs = np.matrix([1.0] + [-1.0] * K).T
    scores = np.multiply(signs, pick * U * v)
    slopes = np.multiply(-signs, sigmoid(-scores))
    return np.logaddexp(0, -scores).sum(), slopes.T * pick * U, pick.T * slopes * v.T


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    c = word2Ind[currentCenterWord]
    loss, center, outside = 0.0, np.matrix(np.zeros(centerWordVectors.shape)), np.matrix(np.zeros(outsideVectors.shape))
    for word in outsideWords:
        a, b, d = word2vecLossAndGradient(np.matrix(centerWordVectors)[c], word2Ind[word], outsideVectors, dataset)
        loss, outside = loss + a, outside + d
        center[c] += b
    return loss, center, outside
