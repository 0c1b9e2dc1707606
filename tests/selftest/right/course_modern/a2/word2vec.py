#!/usr/bin/env python

import argparse
import numpy as np
import random

from utils.gradcheck import gradcheck_naive, grad_tests_softmax, grad_tests_negsamp
from utils.utils import normalizeRows, softmax


def sigmoid(x):
    """
    Compute the sigmoid function for the input here.
    """
    with np.errstate(over="ignore"):
        s = 1 / (1 + np.exp(-x))
    return s


def naiveSoftmaxLossAndGradient(
    centerWordVec,
    outsideWordIdx,
    outsideVectors,
    dataset
):
    ### Please use the provided softmax function (imported earlier in this file)
    ### This numerically stable implementation helps you avoid issues pertaining
    ### to integer overflow.
    scores = outsideVectors @ centerWordVec
    y_hat = softmax(scores)
    if y_hat[outsideWordIdx] > 0:
        loss = -np.log(y_hat[outsideWordIdx])
    else:
        loss = scores.max() - scores[outsideWordIdx] + np.log(np.sum(np.exp(scores - scores.max())))
    d = y_hat.copy()
    d[outsideWordIdx] -= 1
    gradCenterVec = d @ outsideVectors
    gradOutsideVecs = np.outer(d, centerWordVec)
    return loss, gradCenterVec, gradOutsideVecs


def getNegativeSamples(outsideWordIdx, dataset, K):
    """ Samples K indexes which are not the outsideWordIdx """

    negSampleWordIndices = [None] * K
    for k in range(K):
        newidx = dataset.sampleTokenIdx()
        while newidx == outsideWordIdx:
            newidx = dataset.sampleTokenIdx()
        negSampleWordIndices[k] = newidx
    return negSampleWordIndices


def negSamplingLossAndGradient(
    centerWordVec,
    outsideWordIdx,
    outsideVectors,
    dataset,
    K=10
):
    # Negative sampling of words is done for you. Do not modify this if you
    # wish to match the autograder and receive points!
    negSampleWordIndices = getNegativeSamples(outsideWordIdx, dataset, K)
    indices = [outsideWordIdx] + negSampleWordIndices

    u_o = outsideVectors[outsideWordIdx]
    u_neg = -outsideVectors[negSampleWordIndices]
    z_o, z_neg = u_o @ centerWordVec, u_neg @ centerWordVec

    # log sigmoid, without log(0)
    loss = np.logaddexp(0, -z_o) + np.sum(np.logaddexp(0, -z_neg))
    gradCenterVec = (sigmoid(z_o) - 1) * u_o + np.sum((sigmoid(z_neg) - 1)[:, None] * u_neg, axis=0)
    gradOutsideVecs = np.zeros(outsideVectors.shape)
    gradOutsideVecs[outsideWordIdx] = (sigmoid(z_o) - 1) * centerWordVec
    for i, k in enumerate(negSampleWordIndices):
        gradOutsideVecs[k] += (1 - sigmoid(z_neg[i])) * centerWordVec
    return loss, gradCenterVec, gradOutsideVecs


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind,
             centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)
    gradOutsideVectors = np.zeros(outsideVectors.shape)

    centerIdx = word2Ind[currentCenterWord]
    outsideIdx = [word2Ind[w] for w in outsideWords]
    for o in outsideIdx:
        l, gc, go = word2vecLossAndGradient(centerWordVectors[centerIdx], o, outsideVectors, dataset)
        loss, gradCenterVecs[centerIdx], gradOutsideVectors = loss + l, gradCenterVecs[centerIdx] + gc, gradOutsideVectors + go
    return loss, gradCenterVecs, gradOutsideVectors


#############################################
# Testing functions below. DO NOT MODIFY!   #
#############################################

def test_sigmoid():
    """ Test sigmoid function (I modified this, sorry) """
    print("=== Sanity check for sigmoid ===")
    assert sigmoid(0) == 0.5
    assert np.allclose(sigmoid(np.array([0])), np.array([0.5]))


def getDummyObjects():
    def dummySampleTokenIdx():
        return random.randint(0, 4)

    dataset = type('dummy', (), {})()
    dataset.sampleTokenIdx = dummySampleTokenIdx
    random.seed(31415)
    np.random.seed(9265)
    dummy_vectors = normalizeRows(np.random.randn(10, 3))
    dummy_tokens = dict([("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 4)])
    return dataset, dummy_vectors, dummy_tokens


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description='Test your implementations.')
    parser.add_argument('function', nargs='?', type=str, default='all')
    args = parser.parse_args()
    test_sigmoid()
