#!/usr/bin/env python
# -*- coding: utf-8 -*-

import numpy as np
import random

from q1_softmax import softmax
from q2_gradcheck import gradcheck_naive
from q2_sigmoid import sigmoid, sigmoid_grad


def normalizeRows(x):
    """ Row normalization function """
    ### YOUR CODE HERE
    x /= np.sqrt(np.sum(x ** 2, axis=1, keepdims=True)) + 1e-30
    ### END YOUR CODE
    return x


def log_softmax(z):
    z = z - np.max(z)
    return z - np.log(np.sum(np.exp(z)))


def softmaxCostAndGradient(predicted, target, outputVectors, dataset):
    ### YOUR CODE HERE
    logp = log_softmax(np.dot(outputVectors, predicted))
    cost = -logp[target]
    delta = softmax(np.dot(outputVectors, predicted).reshape(1, -1)).flatten()
    delta[target] -= 1
    gradPred = np.dot(outputVectors.T, delta)
    grad = delta[:, np.newaxis] * predicted[np.newaxis, :]
    ### END YOUR CODE
    return cost, gradPred, grad


def getNegativeSamples(target, dataset, K):
    """ K indexes which are not the target """
    indices = [None] * K
    for k in range(K):
        newidx = dataset.sampleTokenIdx()
        while newidx == target:
            newidx = dataset.sampleTokenIdx()
        indices[k] = newidx
    return indices


def negSamplingCostAndGradient(predicted, target, outputVectors, dataset, K=10):
    indices = [target]
    indices.extend(getNegativeSamples(target, dataset, K))

    ### YOUR CODE HERE
    labels = np.array([1] + [-1 for k in range(K)])
    vecs = outputVectors[indices, :]
    z = np.dot(vecs, predicted) * labels
    cost = np.sum(np.logaddexp(0, -z))
    delta = labels * (sigmoid(z) - 1)
    gradPred = np.dot(delta, vecs)
    gradtemp = delta.reshape((K + 1, 1)).dot(predicted.reshape((1, predicted.shape[0])))
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
    cword_idx = tokens[currentWord]
    vhat = inputVectors[cword_idx]
    for j in contextWords:
        u_idx = tokens[j]
        c_cost, c_grad_in, c_grad_out = word2vecCostAndGradient(
            predicted=vhat, target=u_idx, outputVectors=outputVectors, dataset=dataset)
        cost += c_cost
        gradIn[cword_idx] += c_grad_in
        gradOut += c_grad_out
    ### END YOUR CODE
    return cost, gradIn, gradOut


def cbow(currentWord, C, contextWords, tokens, inputVectors, outputVectors,
         dataset, word2vecCostAndGradient=softmaxCostAndGradient):
    raise NotImplementedError


if __name__ == "__main__":
    gradcheck_naive(lambda x: (np.sum(x ** 2), x * 2), np.random.randn(4))
