import numpy as np


def row(v):
    return np.asarray(v, dtype=float).reshape(1, -1)


def sigmoid(x):
    x = np.atleast_1d(np.asarray(x, dtype=float))
    return np.exp(-np.logaddexp(0, -x))


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    v = row(centerWordVec)
    scores = v.dot(outsideVectors.T)
    scores = scores - scores.max(axis=1, keepdims=True)
    log_y = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    y = np.zeros_like(scores)
    y[0, outsideWordIdx] = 1
    return [-log_y[:, outsideWordIdx], (np.exp(log_y) - y).dot(outsideVectors), (np.exp(log_y) - y).T.dot(v)]


def getNegativeSamples(outsideWordIdx, dataset, K):
    while K > 0:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            K -= 1
            yield index


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    v = row(centerWordVec)
    loss, center, outside = np.zeros(1), np.zeros(v.shape), np.zeros(outsideVectors.shape)
    for index, sign in [(outsideWordIdx, 1.0)] + [(k, -1.0) for k in getNegativeSamples(outsideWordIdx, dataset, K)]:
        u = row(outsideVectors[index])
        score = sign * v.dot(u.T)
        loss = loss + np.logaddexp(0, -score)[0]
        slope = -sign * sigmoid(-score)
        center = center + slope * u
        outside[index] += (slope * v)[0]
    return loss, center, outside


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    loss = np.zeros((1, 1))
    centers, outsides = np.zeros_like(centerWordVectors), np.zeros_like(outsideVectors)
    c = word2Ind[currentCenterWord]
    for word in outsideWords:
        # a row of length D, as a slice keeps it
        part = word2vecLossAndGradient(centerWordVectors[c:c + 1], np.array(word2Ind[word]), outsideVectors, dataset)
        loss += part[0]
        centers[c:c + 1] += part[1]
        outsides += part[2]
    return loss, centers, outsides
