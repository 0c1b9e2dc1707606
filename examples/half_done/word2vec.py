import math

import numpy as np


def sigmoid(x):
    ### YOUR CODE HERE
    s = 1.0 / (1.0 + np.exp(-x))
    ### END YOUR CODE
    return s


def dotProduct(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    ### YOUR CODE HERE
    nWords, nDims = outsideVectors.shape

    # probability of every word
    expScores = []
    for w in range(nWords):
        expScores.append(math.exp(dotProduct(outsideVectors[w], centerWordVec)))
    bottom = sum(expScores)
    probs = [e / bottom for e in expScores]

    loss = -math.log(probs[outsideWordIdx])

    # gradients
    gradCenterVec = np.zeros(nDims)
    gradOutsideVecs = np.zeros((nWords, nDims))
    for w in range(nWords):
        if w == outsideWordIdx:
            err = probs[w] - 1
        else:
            err = probs[w]
        for d in range(nDims):
            gradCenterVec[d] += err * outsideVectors[w][d]
            gradOutsideVecs[w][d] = err * centerWordVec[d]
    ### END YOUR CODE
    return loss, gradCenterVec, gradOutsideVecs


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    ### YOUR CODE HERE
    raise NotImplementedError("word2vec.negSamplingLossAndGradient is not written yet")
    ### END YOUR CODE


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
    ### YOUR CODE HERE
    ### END YOUR CODE
    return loss, gradCenterVecs, gradOutsideVectors
