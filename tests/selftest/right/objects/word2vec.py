"""The same formulas as everybody, in callable objects, partials and decorated functions."""
import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


def counts_calls(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return function(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


class Result(NamedTuple):
    loss: float
    gradCenterVec: np.ndarray
    gradOutsideVecs: np.ndarray


log_sigmoid = lambda x: -np.logaddexp(0, np.negative(x))
sigmoid = lambda x: np.exp(log_sigmoid(x))


class NaiveSoftmax:
    def __call__(self, centerWordVec, outsideWordIdx, outsideVectors, dataset):
        self.log_y_hat = self.log_softmax(outsideVectors @ centerWordVec)
        error = np.exp(self.log_y_hat)
        error[outsideWordIdx] -= 1
        return Result(-self.log_y_hat[outsideWordIdx], error @ outsideVectors, np.multiply.outer(error, centerWordVec))

    @staticmethod
    def log_softmax(scores):
        return scores - np.logaddexp.reduce(scores)


naiveSoftmaxLossAndGradient = NaiveSoftmax()


@counts_calls
def getNegativeSamples(outsideWordIdx, dataset, K):
    def endless():
        while True:
            yield dataset.sampleTokenIdx()

    good = filter(lambda index: index != outsideWordIdx, endless())
    return [next(good) for _ in range(K)]


@dataclass
class NegativeSampling:
    sampler: object = None

    def __call__(self, v, o, U, dataset, K=10):
        idx = [o] + self.sampler(o, dataset, K)
        y = np.eye(K + 1)[0]
        scores = U[idx] @ v
        loss = -log_sigmoid(scores[:1]).sum() - log_sigmoid(-scores[1:]).sum()
        error = sigmoid(scores) - y
        outside = np.zeros(U.shape)
        for i, e in zip(idx, error):
            outside[i] += e * v
        return Result(loss, error @ U[idx], outside)


negSamplingLossAndGradient = NegativeSampling(sampler=getNegativeSamples)


def _skipgram(default, currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors,
              dataset, word2vecLossAndGradient=None):
    pair = word2vecLossAndGradient or default
    c = word2Ind[currentCenterWord]
    start = (0.0, np.zeros(centerWordVectors.shape), np.zeros(outsideVectors.shape))

    def add(total, word):
        loss, center, outside = pair(centerWordVectors[c], word2Ind[word], outsideVectors, dataset)
        gradCenter = total[1].copy()
        gradCenter[c] += center
        return total[0] + loss, gradCenter, total[2] + outside

    return functools.reduce(add, outsideWords, start)


skipgram = functools.partial(_skipgram, naiveSoftmaxLossAndGradient)
