import numpy as np

from settings import debug

print("loading word2vec ...")


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    scores = outsideVectors.dot(centerWordVec)
    y_hat = softmax(scores)
    loss = -np.log(y_hat[outsideWordIdx])
    y = np.zeros(len(outsideVectors))
    y[outsideWordIdx] = 1
    debug("loss", round(float(loss), 4))

    gradCenterVec = outsideVectors.T.dot(y_hat)
    gradOutsideVecs = np.outer(y_hat, centerWordVec)
    return loss, gradCenterVec, gradOutsideVecs


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    negSamples = getNegativeSamples(outsideWordIdx, dataset, K)
    u_o = outsideVectors[outsideWordIdx]
    u_neg = outsideVectors[negSamples]

    pos = sigmoid(u_o.dot(centerWordVec))
    neg = sigmoid(-u_neg.dot(centerWordVec))
    loss = -np.log(pos) - np.sum(np.log(neg))

    gradCenterVec = (pos - 1) * u_o + (1 - neg).dot(u_neg)
    gradOutsideVecs = np.zeros(outsideVectors.shape)
    gradOutsideVecs[outsideWordIdx] = (pos - 1) * centerWordVec
    gradOutsideVecs[negSamples] += np.outer(1 - neg, centerWordVec)
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
    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)
    gradOutsideVectors = np.zeros(outsideVectors.shape)

    c = word2Ind[currentCenterWord]
    for word in outsideWords:
        o = word2Ind[word]
        l, gc, go = word2vecLossAndGradient(centerWordVectors[c], o, outsideVectors, dataset)
        loss += l
        gradCenterVecs += gc
        gradOutsideVectors += go
    return loss, gradCenterVecs, gradOutsideVectors
