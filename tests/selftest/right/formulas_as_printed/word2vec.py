#!/usr/bin/env python
# The formulas as the handout prints them: right, but the logarithm of a probability that is 0 in floating point is
# minus infinity, and exp(-x) may overflow.
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    y_hat = softmax(outsideVectors @ centerWordVec)
    loss = -np.log(y_hat[outsideWordIdx])
    delta = y_hat.copy()
    delta[outsideWordIdx] -= 1
    return loss, outsideVectors.T @ delta, np.outer(delta, centerWordVec)


def getNegativeSamples(outsideWordIdx, dataset, K):
    indices = [None] * K
    for k in range(K):
        index = dataset.sampleTokenIdx()
        while index == outsideWordIdx:
            index = dataset.sampleTokenIdx()
        indices[k] = index
    return indices


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    negatives = getNegativeSamples(outsideWordIdx, dataset, K)
    u_o, u_k = outsideVectors[outsideWordIdx], outsideVectors[negatives]
    p_o, p_k = sigmoid(u_o @ centerWordVec), sigmoid(-u_k @ centerWordVec)
    loss = -np.log(p_o) - np.sum(np.log(p_k))
    gradCenterVec = (p_o - 1) * u_o - (p_k - 1) @ u_k
    gradOutsideVecs = np.zeros(outsideVectors.shape)
    gradOutsideVecs[outsideWordIdx] = (p_o - 1) * centerWordVec
    for k, p in zip(negatives, p_k):
        gradOutsideVecs[k] -= (p - 1) * centerWordVec
    return loss, gradCenterVec, gradOutsideVecs


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)
    gradOutsideVectors = np.zeros(outsideVectors.shape)
    center = word2Ind[currentCenterWord]
    for word in outsideWords:
        one, grad_v, grad_u = word2vecLossAndGradient(centerWordVectors[center], word2Ind[word], outsideVectors, dataset)
        loss += one
        gradCenterVecs[center] += grad_v
        gradOutsideVectors += grad_u
    return loss, gradCenterVecs, gradOutsideVectors
