"""Word vectors: the losses of skip-gram and their gradients.

V is the number of words in the vocabulary, D the size of a word vector. Word vectors are rows: row w belongs to word w.
"""

import numpy as np  # if it is missing: python -m pip install numpy


def sigmoid(x):
    """The sigmoid (logistic) function, entry by entry. It stays right, without an overflow, for 1000 and -1000.

    Arguments:
        x: a number or an array.

    Returns:
        s: sigmoid(x), same shape as x.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("word2vec.sigmoid is not written yet")
    ### END YOUR CODE


def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    """The naive softmax loss of one centre word and one outside word, and its gradients.

    The loss is the negative logarithm of the probability that the softmax gives to the outside word. It stays finite
    for large scores.

    Arguments:
        centerWordVec: (D,) the vector of the centre word.
        outsideWordIdx: integer, the index of the outside word.
        outsideVectors: (V, D) the outside vectors of all words.
        dataset: not used here.

    Returns:
        loss: a float.
        gradCenterVec: (D,) the gradient with respect to centerWordVec.
        gradOutsideVecs: (V, D) the gradient with respect to outsideVectors.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("word2vec.naiveSoftmaxLossAndGradient is not written yet")
    ### END YOUR CODE


def getNegativeSamples(outsideWordIdx, dataset, K):
    """K indices of words drawn from the dataset, none of them outsideWordIdx. A word may be among them more than once.

    This function is given; use it in negSamplingLossAndGradient.
    """
    samples = []
    while len(samples) < K:
        index = dataset.sampleTokenIdx()
        if index != outsideWordIdx:
            samples.append(index)
    return samples


def negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    """The negative sampling loss of one centre word and one outside word, and its gradients.

    Draw the K negative samples with getNegativeSamples. A word that is drawn more than once counts as often as it was
    drawn, in the loss and in the gradients. The loss stays finite for large scores.

    Arguments:
        centerWordVec: (D,) the vector of the centre word.
        outsideWordIdx: integer, the index of the outside word.
        outsideVectors: (V, D) the outside vectors of all words.
        dataset: the source of getNegativeSamples.
        K: the number of negative samples.

    Returns:
        loss: a float.
        gradCenterVec: (D,) the gradient with respect to centerWordVec.
        gradOutsideVecs: (V, D) the gradient with respect to outsideVectors.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("word2vec.negSamplingLossAndGradient is not written yet")
    ### END YOUR CODE


def skipgram(
    currentCenterWord,
    windowSize,
    outsideWords,
    word2Ind,
    centerWordVectors,
    outsideVectors,
    dataset,
    word2vecLossAndGradient=naiveSoftmaxLossAndGradient,
):
    """The skip-gram loss of one centre word with all its outside words, and its gradients.

    Arguments:
        currentCenterWord: string, the centre word.
        windowSize: integer, the largest distance of an outside word from the centre word.
        outsideWords: list of strings, at most 2 * windowSize of them. There are fewer at the edge of a sentence, and
            none in a sentence of one word; a word may occur more than once.
        word2Ind: dict from a word to its index.
        centerWordVectors: (V, D) the centre vectors of all words.
        outsideVectors: (V, D) the outside vectors of all words.
        dataset: pass it on to word2vecLossAndGradient.
        word2vecLossAndGradient: the loss of one pair of words; it is called as
            word2vecLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset) and returns the same
            values as naiveSoftmaxLossAndGradient.

    Returns:
        loss: a float.
        gradCenterVecs: (V, D) the gradient with respect to centerWordVectors.
        gradOutsideVectors: (V, D) the gradient with respect to outsideVectors.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("word2vec.skipgram is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python word2vec.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("word2vec.py"))
