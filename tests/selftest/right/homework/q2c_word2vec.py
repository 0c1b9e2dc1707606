"""The formulas as the handout prints them: right, but infinite where a probability is 0 in floating point."""
import numpy as np
import random

from softmax import softmax
from gradcheck import gradcheck_naive
from sigmoid import sigmoid


def normalizeRows(x):
    for i, row in enumerate(x):
        x[i] = row / max(np.linalg.norm(row), 1e-30)
    return x


def softmaxCostAndGradient(predicted, target, outputVectors, dataset):
    scores = np.matmul(outputVectors, predicted)
    dscores = softmax(scores)
    cost = -np.log(dscores[target])
    dscores[target] -= 1
    gradPred = np.matmul(dscores, outputVectors)
    grad = dscores[:, np.newaxis] * predicted[np.newaxis, :]
    return cost, gradPred, grad


def getNegativeSamples(target, dataset, K):
    indices = [None] * K
    k = 0
    while k < K:
        candidate = dataset.sampleTokenIdx()
        if candidate == target:
            continue
        indices[k] = candidate
        k += 1
    return indices


def negSamplingCostAndGradient(predicted, target, outputVectors, dataset, K=10):
    indices = [target, *getNegativeSamples(target, dataset, K)]

    grad = np.zeros(outputVectors.shape)
    gradPred = np.zeros(predicted.shape)
    cost = 0
    for n, index in enumerate(indices):
        z = np.dot(outputVectors[index], predicted)
        if n == 0:
            cost -= np.log(sigmoid(z))
            dz = sigmoid(z) - 1
        else:
            cost -= np.log(sigmoid(-z))
            dz = sigmoid(z)
        gradPred += dz * outputVectors[index]
        grad[index] += dz * predicted
    return cost, gradPred, grad


def skipgram(currentWord, C, contextWords, tokens, inputVectors, outputVectors,
             dataset, word2vecCostAndGradient=softmaxCostAndGradient):
    cost = 0.0
    gradIn = np.zeros(inputVectors.shape)
    gradOut = np.zeros(outputVectors.shape)

    current = tokens[currentWord]
    for contextWord in reversed(contextWords):
        cc, gp, gg = word2vecCostAndGradient(inputVectors[current, :], tokens[contextWord], outputVectors, dataset)
        cost += cc
        gradIn[current, :] += gp
        gradOut += gg
    return cost, gradIn, gradOut


if __name__ == "__main__":
    print(normalizeRows(np.array([[5.0, 12.0], [-8, 6]])))
