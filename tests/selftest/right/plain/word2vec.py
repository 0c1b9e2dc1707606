import numpy as np


def sigmoid(x):
    ### YOUR CODE HERE
    s = np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x)))
    ### END YOUR CODE
    return s


def softmax(x):
    x = x - np.max(x)
    e = np.exp(x)
    return e / np.sum(e)


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    ### YOUR CODE HERE
    scores = np.dot(outsideVectors, centerWordVec)
    yhat = softmax(scores)

    # log sum exp trick, log(yhat) gives inf sometimes
    m = np.max(scores)
    loss = -(scores[outsideWordIdx] - m - np.log(np.sum(np.exp(scores - m))))

    y = np.zeros(outsideVectors.shape[0])
    y[outsideWordIdx] = 1
    diff = yhat - y

    gradCenterVec = np.dot(outsideVectors.T, diff)
    gradOutsideVecs = np.dot(diff.reshape(-1, 1), centerWordVec.reshape(1, -1))
    ### END YOUR CODE
    return loss, gradCenterVec, gradOutsideVecs


def getNegativeSamples(outsideWordIdx, dataset, K):
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    negSampleWordIndices = getNegativeSamples(outsideWordIdx, dataset, K)

    ### YOUR CODE HERE
    gradCenterVec = np.zeros(centerWordVec.shape)
    gradOutsideVecs = np.zeros(outsideVectors.shape)

    # the real word
    u_o = outsideVectors[outsideWordIdx]
    z = np.dot(u_o, centerWordVec)
    loss = np.log(1 + np.exp(-np.abs(z))) + np.maximum(-z, 0)
    gradCenterVec += (sigmoid(z) - 1) * u_o
    gradOutsideVecs[outsideWordIdx] += (sigmoid(z) - 1) * centerWordVec

    # the negative samples, one by one
    for k in negSampleWordIndices:
        u_k = outsideVectors[k]
        z = np.dot(u_k, centerWordVec)
        loss += np.log(1 + np.exp(-np.abs(z))) + np.maximum(z, 0)
        gradCenterVec += sigmoid(z) * u_k
        gradOutsideVecs[k] += sigmoid(z) * centerWordVec
    ### END YOUR CODE
    return loss, gradCenterVec, gradOutsideVecs


def skipgram(currentCenterWord, windowSize, outsideWords, word2Ind,
             centerWordVectors, outsideVectors, dataset,
             word2vecLossAndGradient=naiveSoftmaxLossAndGradient):
    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)
    gradOutsideVectors = np.zeros(outsideVectors.shape)

    ### YOUR CODE HERE
    centerInd = word2Ind[currentCenterWord]
    v_c = centerWordVectors[centerInd]
    for outsideWord in outsideWords:
        outsideInd = word2Ind[outsideWord]
        l, gc, go = word2vecLossAndGradient(v_c, outsideInd, outsideVectors, dataset)
        loss = loss + l
        gradCenterVecs[centerInd] = gradCenterVecs[centerInd] + gc
        gradOutsideVectors = gradOutsideVectors + go
    ### END YOUR CODE
    return loss, gradCenterVecs, gradOutsideVectors
