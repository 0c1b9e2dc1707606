import numpy as np


def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * np.asarray(x)))


def log_softmax(z):
    z = z - z.max()
    return z - np.log(np.einsum("v->", np.exp(z)))


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    logp = log_softmax(np.einsum("vd,d->v", outsideVectors, centerWordVec))
    e = np.exp(logp) - np.eye(len(logp))[outsideWordIdx]
    return (
        -logp[outsideWordIdx],
        np.einsum("v,vd->d", e, outsideVectors),
        np.einsum("v,d->vd", e, centerWordVec),
    )


def getNegativeSamples(outsideWordIdx, dataset, K):
    found = []
    for _ in range(K):
        i = dataset.sampleTokenIdx()
        while i == outsideWordIdx:
            i = dataset.sampleTokenIdx()
        found.append(i)
    return found


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    # counts of every word among the samples instead of the samples themselves
    V = outsideVectors.shape[0]
    counts = np.bincount(getNegativeSamples(outsideWordIdx, dataset, K), minlength=V)
    truth = np.bincount([outsideWordIdx], minlength=V)
    scores = np.einsum("vd,d->v", outsideVectors, centerWordVec)
    softplus = np.maximum(scores, 0) + np.log1p(np.exp(-np.abs(scores)))
    loss = np.einsum("v,v->", counts, softplus) + np.einsum("v,v->", truth, softplus - scores)
    error = (counts + truth) * sigmoid(scores) - truth
    return loss, np.einsum("v,vd->d", error, outsideVectors), np.einsum("v,d->vd", error, centerWordVec)


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    c = word2Ind[currentCenterWord]
    parts = [word2vecLossAndGradient(centerWordVectors[c], word2Ind[w], outsideVectors, dataset) for w in outsideWords]
    one_hot = np.eye(len(centerWordVectors))[c]
    if not parts:
        return 0.0, np.zeros_like(centerWordVectors), np.zeros_like(outsideVectors)
    losses, centers, outsides = zip(*parts)
    return sum(losses), np.einsum("v,nd->vd", one_hot, np.array(centers)), np.einsum("nvd->vd", np.array(outsides))
