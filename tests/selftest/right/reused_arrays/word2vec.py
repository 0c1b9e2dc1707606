import numpy as np


def sigmoid(x):
    x = np.asmatrix(x, dtype=np.float64) if np.ndim(x) == 2 else np.array(x, dtype=np.float64, ndmin=1, copy=True)
    shape = x.shape
    x = np.asarray(x)
    big = x > 30
    x[big] = 30                             # exp(-30) is nothing
    np.negative(x, out=x)
    np.logaddexp(x, 0, out=x)
    np.negative(x, out=x)
    return np.exp(x, out=x).reshape(shape)


def softmax_in_place(x):
    x = np.asarray(x, dtype=float)
    x -= x.max()
    np.exp(x, out=x)
    x /= x.sum()
    return x


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    U = np.asmatrix(outsideVectors)
    v = np.asmatrix(centerWordVec).T
    scores = U * v                                   # (V, 1)
    loss = np.log(np.exp(scores - scores.max()).sum(0)) + scores.max() - scores[outsideWordIdx]
    delta = softmax_in_place(scores)
    delta[outsideWordIdx] -= 1
    return loss, (U.T * delta).T, delta * v.T        # shapes (1, 1), (1, D), (V, D)


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    V = outsideVectors.shape[0]
    counts = np.bincount(getNegativeSamples(outsideWordIdx, dataset, K), minlength=V)
    z = outsideVectors @ centerWordVec
    # -log s(z) = log(1 + e^-z)
    loss = np.logaddexp(0, -z[[outsideWordIdx]]) + counts @ np.logaddexp(0, z)
    delta = counts / (1 + np.exp(np.minimum(-z, 500)))
    delta[outsideWordIdx] = -np.exp(-np.logaddexp(0, z[outsideWordIdx]))
    gradOutsideVecs = outsideVectors                # this array is reused
    gradCenterVec = delta.reshape(1, V) @ outsideVectors
    gradOutsideVecs[:] = delta[:, None] * centerWordVec
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
    loss = np.zeros(1)
    gradCenterVecs = np.zeros_like(centerWordVectors)
    gradOutsideVectors = np.zeros_like(outsideVectors)
    c = word2Ind[currentCenterWord]
    for index in map(word2Ind.__getitem__, outsideWords):
        part = word2vecLossAndGradient(centerWordVectors[[c]].ravel().copy(), index, outsideVectors.copy(), dataset)
        loss += part[0]
        np.add.at(gradCenterVecs, [c], np.reshape(part[1], (1, -1)))
        gradOutsideVectors += part[2]
    return [loss, gradCenterVecs.tolist(), gradOutsideVectors.tolist()]
