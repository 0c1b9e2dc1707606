"""Right solutions of word2vec: turn a centre word and its context into losses and gradients.

In the notation of the handout v_c is the centre word's vector, row o of U the vector of the true outside word, y the
one-hot vector of o, y_hat the predicted distribution over the vocabulary.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LossAndGradient = Callable[[Array, int, Array, Any], tuple[float, Array, Array]]


class Dataset(Protocol):
    """The method of a dataset that this module uses."""

    def sampleTokenIdx(self) -> int:
        """The index of a word drawn from the distribution of negative samples."""


def sigmoid(x: float | Array) -> Array:
    """The logistic function, entry by entry.

    Shapes: x any shape, a number included; returns the same shape.
    Formula: `sigmoid(x) = 1 / (1 + exp(-x))`
    Derivation:
        `1 / (1 + exp(-x)) = exp(-log(1 + exp(-x)))`
        `log(1 + exp(-x)) = log(exp(0) + exp(-x))`, which is `logaddexp(0, -x)`
    Numerics: logaddexp takes the larger exponent out, so exp(1000) is never formed; the last exp gets no number > 0.
    Source: Goodfellow, Bengio and Courville 2016, Deep Learning, section 3.10.
    """
    softplus = np.logaddexp(0.0, np.negative(x))  # same shape as x
    values: Array = np.exp(-softplus)  # same shape as x
    return values


def naiveSoftmaxLossAndGradient(
    centerWordVec: Array, outsideWordIdx: int, outsideVectors: Array, dataset: object
) -> tuple[float, Array, Array]:
    """The naive softmax loss of one pair of centre and outside word, and its gradients.

    Shapes: centerWordVec v_c (D,); outsideWordIdx o in 0..V-1; outsideVectors U (V, D); dataset is not used;
        returns loss, gradCenterVec (D,), gradOutsideVecs (V, D).
    Formula: `y_hat = softmax(U v_c)`;  `J = -log y_hat[o]`;  `dJ/dv_c = U.T (y_hat - y)`;
        `dJ/dU = outer(y_hat - y, v_c)`
    Derivation:
        scores `s = U v_c`, so `J = -s_o + log sum_w exp(s_w)`
        `dJ/ds_w = -1{w = o} + exp(s_w) / sum_w' exp(s_w') = y_hat_w - y_w`
        `s_w = sum_d U_wd v_c,d`, so `ds_w/dv_c,d = U_wd` and
            `dJ/dv_c,d = sum_w (y_hat_w - y_w) U_wd = (U.T (y_hat - y))_d`
        only `s_w` depends on row `w` of `U`, with `ds_w/dU_wd = v_c,d`, so `dJ/dU_wd = (y_hat_w - y_w) v_c,d`
    Numerics: the largest score is taken out before exp, and the loss is read off the log-probabilities: the
        logarithm of a probability that has become 0 is never formed.
    Source: Mikolov, Sutskever, Chen, Corrado and Dean 2013, Distributed Representations of Words and Phrases and their
        Compositionality, section 2, equation 2.
    """
    v_c, o, U = centerWordVec, outsideWordIdx, outsideVectors
    scores = U @ v_c  # (V,)
    shifted = scores - scores.max()  # (V,)
    log_y_hat = shifted - np.log(np.exp(shifted).sum())  # (V,)
    delta = np.exp(log_y_hat)  # (V,), y_hat
    delta[o] -= 1  # (V,), y_hat - y
    gradCenterVec = U.T @ delta  # (D,)
    gradOutsideVecs = np.outer(delta, v_c)  # (V, D)
    return float(-log_y_hat[o]), gradCenterVec, gradOutsideVecs


def getNegativeSamples(outsideWordIdx: int, dataset: Dataset, K: int) -> list[int]:
    """K words drawn from the dataset, none of them the true outside word. Given to students.

    Shapes: outsideWordIdx o in 0..V-1; returns a list of K indices, which may repeat each other.
    Formula: the first `K` draws that are not `o`
    Derivation: a draw equal to `o` is drawn again, so a sample follows the dataset's distribution given that it is
        not `o`.
    Numerics: indices are integers; nothing is rounded.
    Source: Goldberg and Levy 2014, word2vec Explained: Deriving Mikolov et al.'s Negative-Sampling Word-Embedding
        Method, section 1.
    """
    samples: list[int] = []
    while len(samples) < K:
        drawn = dataset.sampleTokenIdx()
        if drawn != outsideWordIdx:
            samples.append(drawn)
    return samples


def negSamplingLossAndGradient(
    centerWordVec: Array, outsideWordIdx: int, outsideVectors: Array, dataset: Dataset, K: int = 10
) -> tuple[float, Array, Array]:
    """The negative sampling loss of one pair of centre and outside word, and its gradients.

    Shapes: centerWordVec v_c (D,); outsideWordIdx o in 0..V-1; outsideVectors U (V, D); dataset is the source
        of samples; K a number of samples; returns loss, gradCenterVec (D,), gradOutsideVecs (V, D).
    Formula: `J = -log sigmoid(u_o . v_c) - sum_k log sigmoid(-u_k . v_c)`, over all `K` draws, repeated ones too;
        `dJ/dv_c = -sigmoid(-u_o . v_c) u_o + sum_k sigmoid(u_k . v_c) u_k`;
        `dJ/du_o = -sigmoid(-u_o . v_c) v_c`, and each draw `k` adds `sigmoid(u_k . v_c) v_c` to the row of its word
    Derivation:
        with the sign `z = 1` for the true word and `z = -1` for each sample, `J = -sum_i log sigmoid(s_i)`
            with `s_i = z_i u_i . v_c`
        `d(-log sigmoid(s))/ds = -sigmoid(s) (1 - sigmoid(s)) / sigmoid(s) = -(1 - sigmoid(s)) = -sigmoid(-s)`
        `ds_i/dv_c = z_i u_i`, so `dJ/dv_c = sum_i -z_i sigmoid(-s_i) u_i`
        `ds_i/du_i = z_i v_c`, so each `i` adds `-z_i sigmoid(-s_i) v_c` to the row of `U` that it came from;
            a word drawn twice adds twice, and a row that was not drawn stays 0
    Numerics: -log sigmoid(s) = log(1 + exp(-s)) = logaddexp(0, -s); no sigmoid that has become 0 meets a logarithm.
    Source: Mikolov, Sutskever, Chen, Corrado and Dean 2013, section 2.2, equation 4.
    """
    v_c, U = centerWordVec, outsideVectors
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]  # K + 1 of them
    signs = np.array([1.0] + [-1.0] * K)  # (K + 1,)
    scores = signs * (U[indices] @ v_c)  # (K + 1,)
    loss = np.logaddexp(0.0, -scores).sum()
    slopes = -signs * sigmoid(-scores)  # (K + 1,), dJ / d(u_i . v_c)
    gradCenterVec = U[indices].T @ slopes  # (D,)
    gradOutsideVecs = np.zeros(U.shape)  # (V, D)
    np.add.at(gradOutsideVecs, indices, np.outer(slopes, v_c))  # unlike +=, adds a repeated row as often as it occurs
    return float(loss), gradCenterVec, gradOutsideVecs


def skipgram(
    currentCenterWord: str,
    windowSize: int,
    outsideWords: Sequence[str],
    word2Ind: Mapping[str, int],
    centerWordVectors: Array,
    outsideVectors: Array,
    dataset: Any,
    word2vecLossAndGradient: LossAndGradient = naiveSoftmaxLossAndGradient,
) -> tuple[float, Array, Array]:
    """The skip-gram loss of one centre word with its whole context, and its gradients.

    Shapes: windowSize is the largest distance between the centre and an outside word, which is not needed here;
        outsideWords holds 0 to 2 * windowSize words; word2Ind maps a word to its row; centerWordVectors (V, D);
        outsideVectors U (V, D); dataset and word2vecLossAndGradient as in negSamplingLossAndGradient;
        returns loss, gradCenterVecs (V, D), gradOutsideVectors (V, D).
    Formula: `J = sum_{o in outsideWords} J_o` with `J_o = J(v_c, o, U)`;  `dJ/dU = sum_o dJ_o/dU`;
        row `c` of the gradient of the centre vectors is `sum_o dJ_o/dv_c`, all others are 0
    Derivation:
        the derivative of a sum is the sum of the derivatives.
        every term depends on the whole of `U`, so `dJ/dU = sum_o dJ_o/dU`
        of the centre vectors only `v_c` occurs: row `c` of their gradient is `sum_o dJ_o/dv_c`, other rows are 0
        a word that occurs twice in the context gives two terms; so does the centre word itself if it occurs there
    Numerics: a plain sum of at most 2 * windowSize terms; an empty context gives zeros.
    Source: Mikolov, Sutskever, Chen, Corrado and Dean 2013, section 2, equation 1.
    """
    c = word2Ind[currentCenterWord]
    loss = 0.0
    gradCenterVecs = np.zeros(centerWordVectors.shape)  # (V, D)
    gradOutsideVectors = np.zeros(outsideVectors.shape)  # (V, D)
    for word in outsideWords:
        term, gradCenterVec, gradOutsideVecs = word2vecLossAndGradient(
            centerWordVectors[c], word2Ind[word], outsideVectors, dataset
        )
        loss += term
        gradCenterVecs[c] += gradCenterVec  # (D,)
        gradOutsideVectors += gradOutsideVecs  # (V, D)
    return loss, gradCenterVecs, gradOutsideVectors
