"""word2vec with index notation everywhere. w: words, d: dimensions, k: samples."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np


def logsumexp(s: np.ndarray) -> np.ndarray:
    return np.logaddexp.reduce(s)


def sigmoid(x):
    return 0.5 * (1.0 + np.tanh(0.5 * np.asarray(x, dtype=np.float64)))


def naiveSoftmaxLossAndGradient(centerWordVec: np.ndarray, outsideWordIdx: int, outsideVectors: np.ndarray, dataset: Any = None):
    s = np.einsum("wd,d->w", outsideVectors, centerWordVec)
    log_p = s - logsumexp(s)
    delta = np.exp(log_p) - (np.arange(s.size) == outsideWordIdx)
    return (
        -log_p[outsideWordIdx],
        np.einsum("w,wd->d", delta, outsideVectors),
        np.einsum("w,d->wd", delta, centerWordVec),
    )


def getNegativeSamples(outsideWordIdx: int, dataset: Any, K: int) -> list[int]:
    draws = iter(dataset.sampleTokenIdx, outsideWordIdx)
    samples: list[int] = []
    while len(samples) < K:
        # iter() with a sentinel stops at the outside word: go on with a new one then
        index = next(draws, None)
        if index is None:
            draws = iter(dataset.sampleTokenIdx, outsideWordIdx)
            continue
        samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    idx = np.asarray([outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)])
    sign = np.where(np.arange(K + 1) == 0, 1.0, -1.0)
    pick = np.equal.outer(idx, np.arange(len(outsideVectors))).astype(float)  # (k, w): a one-hot row a sample
    z = sign * np.einsum("kw,wd,d->k", pick, outsideVectors, centerWordVec)
    delta = -sign * sigmoid(-z)
    return (
        np.logaddexp(0, -z).sum(),
        np.einsum("k,kw,wd->d", delta, pick, outsideVectors),
        np.einsum("k,kw,d->wd", delta, pick, centerWordVec),
    )


def skipgram(
    currentCenterWord: str,
    windowSize: int,
    outsideWords: list[str],
    word2Ind: dict[str, int],
    centerWordVectors: np.ndarray,
    outsideVectors: np.ndarray,
    dataset: Any,
    word2vecLossAndGradient: Callable = naiveSoftmaxLossAndGradient,
):
    c = word2Ind[currentCenterWord]
    results = [
        word2vecLossAndGradient(
            centerWordVec=centerWordVectors[c],
            outsideWordIdx=word2Ind[w],
            outsideVectors=outsideVectors,
            dataset=dataset,
        )
        for w in outsideWords
    ]
    e_c = np.arange(len(centerWordVectors)) == c
    center = sum((r[1] for r in results), np.zeros(centerWordVectors.shape[1]))
    outside = sum((r[2] for r in results), np.zeros_like(outsideVectors))
    return sum(r[0] for r in results), np.einsum("w,d->wd", e_c, center), outside
