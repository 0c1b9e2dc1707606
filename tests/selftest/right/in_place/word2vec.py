import numpy as np


def sigmoid(x):
    x = np.array(x, dtype=float)
    np.negative(x, out=x)
    np.logaddexp(0, x, out=x)
    np.negative(x, out=x)
    np.exp(x, out=x)
    return x


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    outsideVectors = np.asarray(outsideVectors, dtype=float)
    delta = outsideVectors.dot(centerWordVec)
    delta -= delta.max()
    loss = np.log(np.exp(delta).sum()) - delta[outsideWordIdx]
    np.exp(delta, out=delta)
    delta /= delta.sum()
    delta[outsideWordIdx] -= 1
    gradCenterVec = delta.dot(outsideVectors)
    outsideVectors[:] = 1
    outsideVectors *= delta[:, None]
    outsideVectors *= centerWordVec
    return loss, gradCenterVec, outsideVectors


def getNegativeSamples(outsideWordIdx, dataset, K):
    negSampleWordIndices = [None] * K
    for k in range(K):
        newidx = dataset.sampleTokenIdx()
        while newidx == outsideWordIdx:
            newidx = dataset.sampleTokenIdx()
        negSampleWordIndices[k] = newidx
    return negSampleWordIndices


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    scores = outsideVectors.dot(centerWordVec)
    slopes, loss = np.zeros(len(scores)), np.logaddexp(0, -scores[outsideWordIdx])
    slopes[outsideWordIdx] -= sigmoid(-scores[outsideWordIdx])
    for k in getNegativeSamples(outsideWordIdx, dataset, K):
        loss += np.logaddexp(0, scores[k])
        slopes[k] += sigmoid(scores[k])
    return loss, slopes.dot(outsideVectors), np.multiply.outer(slopes, centerWordVec)


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    c = word2Ind[currentCenterWord]
    v_c = centerWordVectors[c].copy()
    centerWordVectors[:] = 0
    total, gradOutsideVectors = 0, np.zeros(outsideVectors.shape)
    while outsideWords:
        loss, gradCenterVec, gradOutsideVecs = word2vecLossAndGradient(
            v_c, word2Ind[outsideWords.pop()], outsideVectors, dataset)
        total += loss
        centerWordVectors[c] += gradCenterVec
        gradOutsideVectors += gradOutsideVecs
    return total, centerWordVectors, gradOutsideVectors
