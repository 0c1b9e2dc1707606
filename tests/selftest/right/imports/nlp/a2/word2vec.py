"""Run from the folder above everything: python -m coursework.nlp.a2.word2vec"""
import math

import numpy as np
import tqdm

import nlp.shared.rows
from coursework.nlp.a2.utils.gradcheck import gradcheck_naive
from nlp.a2.utils import as_floats
from utils.utils import normalizeRows

from . import mathstuff
from .mathstuff import dot, minus_log_logistic


def sigmoid(x):
    return np.vectorize(mathstuff.logistic, otypes=[float])(x)


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    scores = [dot(row, centerWordVec) for row in outsideVectors]
    log_y_hat = mathstuff.log_probabilities(as_floats(scores))
    error = np.exp(log_y_hat)
    error[outsideWordIdx] -= 1
    return -log_y_hat[outsideWordIdx], error @ outsideVectors, np.outer(error, centerWordVec)


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    for _ in tqdm.trange(K):
        index = dataset.sampleTokenIdx()
        while index == outsideWordIdx:
            index = dataset.sampleTokenIdx()
        samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    loss = 0.0
    gradCenterVec = nlp.shared.rows.empty_like(centerWordVec)
    gradOutsideVecs = nlp.shared.rows.empty_like(outsideVectors)
    negatives = getNegativeSamples(outsideWordIdx, dataset, K)
    for w, sign in [(outsideWordIdx, 1)] + [(k, -1) for k in negatives]:
        z = sign * dot(outsideVectors[w], centerWordVec)
        loss += minus_log_logistic(z)
        slope = sign * (mathstuff.logistic(z) - 1)
        gradCenterVec += slope * outsideVectors[w]
        gradOutsideVecs[w] += slope * centerWordVec
    return loss, gradCenterVec, gradOutsideVecs


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind,
             centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    from .utils import as_floats as again

    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)
    gradOutsideVectors = np.zeros(outsideVectors.shape)
    c = word2Ind[currentCenterWord]
    for word in tqdm.tqdm(outsideWords, total=len(outsideWords), disable=math.isnan(sum(again([0])))):
        part, gc, gu = word2vecLossAndGradient(centerWordVectors[c], word2Ind[word], outsideVectors, dataset)
        loss += part
        gradCenterVecs[c] += gc
        gradOutsideVectors += gu
    return loss, gradCenterVecs, gradOutsideVectors


def check_gradients():
    gradcheck_naive(lambda x: (np.sum(x ** 2), 2 * x), normalizeRows(np.ones((2, 3))))


if __name__ == "__main__":
    check_gradients()
