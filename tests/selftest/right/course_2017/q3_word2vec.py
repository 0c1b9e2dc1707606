#!/usr/bin/env python

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


def test_normalize_rows():
    print("Testing normalizeRows...")
    x = normalizeRows(np.array([[3.0, 4.0], [1, 2]]))
    print(x)
    assert np.allclose(np.sum(x ** 2, axis=1), 1)
    print("")


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
    """ K indices that are not the target """
    indices = []
    for k in range(K):
        newidx = dataset.sampleTokenIdx()
        while newidx == target:
            newidx = dataset.sampleTokenIdx()
        indices += [newidx]
    return indices


def negSamplingCostAndGradient(predicted, target, outputVectors, dataset, K=10):
    # Sampling of indices is done for you. Do not modify this if you
    # wish to match the autograder and receive points!
    indices = [target]
    indices.extend(getNegativeSamples(target, dataset, K))

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
    cword_idx = tokens[currentWord]
    vhat = inputVectors[cword_idx]
    for j in contextWords:
        u_idx = tokens[j]
        c_cost, c_grad_in, c_grad_out = word2vecCostAndGradient(predicted=vhat, target=u_idx, outputVectors=outputVectors, dataset=dataset)
        cost += c_cost
        gradIn[cword_idx] += c_grad_in
        gradOut += c_grad_out
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


def test_word2vec():
    """ Interface to the dataset for negative sampling """
    dataset = type('dummy', (), {})()
    dataset.sampleTokenIdx = lambda: random.randint(0, 4)

    random.seed(31415)
    np.random.seed(9265)
    dummy_vectors = normalizeRows(np.random.randn(10, 3))
    dummy_tokens = dict([("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 4)])

    def both(vec):
        cost, gin, gout = skipgram("c", 3, ["a", "b", "e", "d", "b", "c"], dummy_tokens, vec[:5], vec[5:], dataset)
        return cost[0], np.concatenate((gin, gout))

    print("==== Gradient check for skip-gram ====")
    gradcheck_naive(both, dummy_vectors)


if __name__ == "__main__":
    test_normalize_rows()
    test_word2vec()
