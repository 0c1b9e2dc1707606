import numpy as np

F = np.float32


def sigmoid(x):
    return np.exp(-np.logaddexp(F(0), -np.asarray(x, dtype=F))).tolist()


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    v, U = centerWordVec.astype(F), outsideVectors.astype(F)
    scores = U @ v
    scores = scores - scores.max()
    log_y = scores - np.log(np.exp(scores).sum())
    delta = np.exp(log_y)
    delta[outsideWordIdx] -= 1
    return float(-log_y[outsideWordIdx]), (delta @ U).tolist(), np.outer(delta, v).tolist()


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    v, U = centerWordVec.astype(F), outsideVectors.astype(F)
    rows = [outsideWordIdx] + getNegativeSamples(outsideWordIdx, dataset, K)
    signs = np.array([1] + K * [-1], dtype=F)
    scores = signs * (U[rows] @ v)
    slopes = -signs * np.exp(-np.logaddexp(F(0), scores))
    outside = np.zeros(U.shape, dtype=F)
    for row, slope in zip(rows, slopes):
        outside[row] += slope * v
    return np.logaddexp(F(0), -scores).sum(), slopes @ U[rows], outside


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    C, U = centerWordVectors.astype(F), outsideVectors.astype(F)
    c = word2Ind[currentCenterWord]
    loss, center, outside = F(0), np.zeros(C.shape, dtype=F), np.zeros(U.shape, dtype=F)
    for word in outsideWords:
        values = word2vecLossAndGradient(C[c], word2Ind[word], U, dataset)
        loss += F(values[0])
        center[c] += np.asarray(values[1], dtype=F)
        outside += np.asarray(values[2], dtype=F)
    return loss, center.tolist(), outside.tolist()
