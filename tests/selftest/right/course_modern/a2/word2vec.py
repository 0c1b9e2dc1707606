#!/usr/bin/env python

import argparse
import numpy as np
import random

from utils.gradcheck import gradcheck_naive, grad_tests_softmax, grad_tests_negsamp
from utils.utils import normalizeRows, softmax


def sigmoid(x):
    with np.errstate(over="ignore"):
        s = 1 / (1 + np.exp(-x))
    return s


def naiveSoftmaxLossAndGradient(
    centerWordVec,
    outsideWordIdx,
    outsideVectors,
    dataset
):
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
    negSamples = []
    while len(negSamples) != K:
        sample = dataset.sampleTokenIdx()
        if sample == outsideWordIdx:
            continue
        negSamples.append(sample)
    return negSamples


def negSamplingLossAndGradient(
    centerWordVec,
    outsideWordIdx,
    outsideVectors,
    dataset,
    K=10
):
    negSamples = getNegativeSamples(outsideWordIdx, dataset, K)

    u_o = outsideVectors[outsideWordIdx]
    u_neg = -outsideVectors[negSamples]
    z_o, z_neg = u_o @ centerWordVec, u_neg @ centerWordVec

    # log sigmoid, without log(0)
    loss = np.logaddexp(0, -z_o) + np.sum(np.logaddexp(0, -z_neg))
    gradCenterVec = (sigmoid(z_o) - 1) * u_o + np.sum((sigmoid(z_neg) - 1)[:, None] * u_neg, axis=0)
    gradOutsideVecs = np.zeros(outsideVectors.shape)
    gradOutsideVecs[outsideWordIdx] = (sigmoid(z_o) - 1) * centerWordVec
    for i, k in enumerate(negSamples):
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


# my own tests from here on (I deleted the ones that came with the file)

def test_rows():
    rows = normalizeRows(np.array([[7.0, 24.0], [0.0, -2.0]]))
    assert np.allclose(rows, [[0.28, 0.96], [0, -1]])


def toy():
    dataset = argparse.Namespace(sampleTokenIdx=lambda: random.choice(range(5)))
    return {w: i for i, w in enumerate("abcde")}, normalizeRows(np.random.randn(10, 3)), dataset


if __name__ == "__main__":
    test_rows()
    tokens, vectors, dataset = toy()
    grad_tests_softmax(skipgram, tokens, vectors, dataset)
