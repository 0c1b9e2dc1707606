#!/usr/bin/env python
# 作业二：词向量
import time
import numpy as np
import matplotlib.pyplot as plt
from tqdm import tqdm, trange
import torch
import torch.nn as nn
from turtle import pd
from sklearn.decomposition import PCA as pca
try:
    import cupy as xp
    ON_GPU = True
except ImportError:
    xp = np
    ON_GPU = False

print("导入 word2vec, GPU:", ON_GPU)


def timed(function):
    """打印每次调用的时间"""
    def inner(*args, **kwargs):
        start = time.time()
        value = function(*args, **kwargs)
        print("[%s] %.6f s" % (function.__name__, time.time() - start))
        return value
    return inner


@timed
def sigmoid(x):
    # 数值稳定：分正负两种情况
    x = xp.asarray(x, dtype=np.float)
    正 = 1 / (1 + xp.exp(-xp.abs(x)))
    return xp.where(x >= 0, 正, 1 - 正)


@timed
def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    分数 = outsideVectors.dot(centerWordVec)
    print("scores:", 分数.shape, 分数)
    分数 = 分数 - 分数.max()
    y_hat = xp.exp(分数) / xp.exp(分数).sum()
    loss = xp.log(xp.exp(分数).sum()) - 分数[outsideWordIdx]
    y = xp.zeros_like(y_hat)
    y[outsideWordIdx] = 1            # one-hot 向量
    return loss, outsideVectors.T.dot(y_hat - y), xp.outer(y_hat - y, centerWordVec)


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
        else:
            print("采到了中心词，重新采样")
    return samples


@timed
def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    负样本 = getNegativeSamples(outsideWordIdx, dataset, K)
    print("negatives:", 负样本)
    loss, gradCenterVec = 0., xp.zeros(len(centerWordVec))
    gradOutsideVecs = xp.zeros(outsideVectors.shape)
    for i, w in enumerate([outsideWordIdx] + 负样本):
        符号 = 1 if i == 0 else -1
        z = 符号 * outsideVectors[w].dot(centerWordVec)
        loss += xp.logaddexp(0, -z)
        d = 符号 * (sigmoid(z) - 1)
        gradCenterVec += d * outsideVectors[w]
        gradOutsideVecs[w] += d * centerWordVec
    return loss, gradCenterVec, gradOutsideVecs


@timed
def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    loss = 0.0
    gradCenterVecs = xp.zeros(centerWordVectors.shape)
    gradOutsideVectors = xp.zeros(outsideVectors.shape)
    c = word2Ind[currentCenterWord]
    print(currentCenterWord, "->", outsideWords)
    for 词 in outsideWords:
        l, gc, go = word2vecLossAndGradient(centerWordVectors[c], word2Ind[词], outsideVectors, dataset)
        loss += l
        gradCenterVecs[c] += gc
        gradOutsideVectors += go
    return loss, gradCenterVecs, gradOutsideVectors


def 画图(vectors, words):
    xy = pca(n_components=2).fit_transform(vectors)
    plt.scatter(xy[:, 0], xy[:, 1])
    for (x, y), word in zip(xy, words):
        plt.text(x, y, word)
    plt.show()


# 自测（我改过了）
def test_all():
    for _ in trange(3):
        print(sigmoid(np.array([0.0, 5.0])))
    raise SystemExit("改完了再跑")


if __name__ == "__main__":
    test_all()
