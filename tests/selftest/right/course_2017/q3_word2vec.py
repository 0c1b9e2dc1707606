#!/usr/bin/env python
from __future__ import print_function, division

import numpy as np
import random

from q1_softmax import softmax
from q2_gradcheck import gradcheck_naive
from q2_sigmoid import sigmoid, sigmoid_grad

print("q3_word2vec, first random number:", np.random.rand())


def normalizeRows(x):
    ### YOUR CODE HERE
    norms = np.sqrt(np.sum(np.square(x), axis=1, keepdims=True))
    norms[norms == 0] = 1
    x = x / norms
    ### END YOUR CODE
    return x


def softmaxCostAndGradient(predicted, target, outputVectors, dataset):
    ### YOUR CODE HERE
    V, D = outputVectors.shape
    vhat = predicted.reshape(D, 1)
    z = outputVectors.dot(vhat).reshape(1, V)
    yhat = softmax(z)
    cost = np.log(np.sum(np.exp(z - np.max(z)), axis=1)) + np.max(z) - z[:, target]

    delta = yhat.copy()
    delta[0, target] -= 1
    gradPred = delta.dot(outputVectors)
    grad = delta.T.dot(vhat.T)
    ### END YOUR CODE
    return cost, gradPred, grad


def getNegativeSamples(target, dataset, K):
    indices = []
    while len(indices) < K:
        i = dataset.sampleTokenIdx()
        indices += [i] if i != target else []
    return indices


def negSamplingCostAndGradient(predicted, target, outputVectors, dataset, K=10):
    indices = [target] + getNegativeSamples(target, dataset, K)

    ### YOUR CODE HERE
    labels = np.array([1] + [-1 for k in range(K)]).reshape(-1, 1)
    vecs = outputVectors[indices, :]

    t = labels * vecs.dot(predicted.reshape(-1, 1))          # (K+1, 1)
    cost = np.sum(np.where(t > 0, np.log1p(np.exp(-np.abs(t))), np.log1p(np.exp(-np.abs(t))) - t))

    delta = labels * (sigmoid(t) - 1)
    gradPred = delta.reshape(1, K + 1).dot(vecs).flatten()
    gradtemp = delta.dot(predicted.reshape(1, -1))
    grad = np.zeros_like(outputVectors)
    for k in range(K + 1):
        grad[indices[k]] += gradtemp[k, :]
    ### END YOUR CODE
    return cost, gradPred, grad


def skipgram(currentWord, C, contextWords, tokens, inputVectors, outputVectors,
             dataset, word2vecCostAndGradient=softmaxCostAndGradient):
    cost = 0.0
    gradIn = np.zeros(inputVectors.shape)
    gradOut = np.zeros(outputVectors.shape)

    ### YOUR CODE HERE
    center = tokens[currentWord]
    vhat = inputVectors[center]
    for j in contextWords:
        context = tokens[j]
        part, g_in, g_out = word2vecCostAndGradient(predicted=vhat, target=context, outputVectors=outputVectors, dataset=dataset)
        cost += part
        gradIn[center] += g_in
        gradOut += g_out
    ### END YOUR CODE

    return cost, gradIn, gradOut


def cbow(currentWord, C, contextWords, tokens, inputVectors, outputVectors,
         dataset, word2vecCostAndGradient=softmaxCostAndGradient):
    cost = 0.0
    gradIn = np.zeros(inputVectors.shape)
    gradOut = np.zeros(outputVectors.shape)

    ### YOUR CODE HERE
    raise NotImplementedError
    ### END YOUR CODE

    return cost, gradIn, gradOut


class FakeDataset(object):
    def sampleTokenIdx(self):
        return random.randrange(5)


def check(costAndGradient, name):
    words = dict((w, i) for i, w in enumerate("vwxyz"))
    vectors = normalizeRows(np.random.randn(10, 4))
    print(name, "on", vectors[0])

    def f(both):
        cost, gin, gout = skipgram("x", 2, ["v", "w", "w", "x"], words, both[:5], both[5:], FakeDataset(),
                                   costAndGradient)
        return np.sum(cost), np.concatenate((gin, gout))

    gradcheck_naive(f, vectors)


if __name__ == "__main__":
    check(softmaxCostAndGradient, "softmax")
    check(negSamplingCostAndGradient, "negative sampling")
