"""Known wrong answers of word2vec."""

import numpy as np

from reference.word2vec import (
    getNegativeSamples,
    naiveSoftmaxLossAndGradient,
    negSamplingLossAndGradient,
    sigmoid,
    skipgram,
)
from tests.mistakes import mistake


@mistake(
    "sigmoid",
    severity="slip",
    story="Computes exp(x) / (1 + exp(x)), which is infinity over infinity for large x.",
    hint="What is exp(1000), and what is your fraction then?",
    breaks=["robustness"],
)
def sigmoid_overflows(x):
    return np.exp(x) / (1 + np.exp(x))


@mistake(
    "sigmoid",
    severity="slip",
    story="Takes exp(-x) of very negative x: the value is right, but numpy warns of an overflow.",
    hint="Which warning does Python print for sigmoid(-1000)?",
    breaks=["robustness"],
)
def sigmoid_warns(x):
    return 1 / (1 + np.exp(-np.asarray(x, dtype=np.float64)))


@mistake(
    "sigmoid",
    severity="slip",
    story="Leaves out the minus in the exponent, which mirrors the function.",
    hint="Should the sigmoid increase or decrease?",
    breaks=["values"],
)
def sigmoid_mirrored(x):
    return 1 - sigmoid(x)


@mistake(
    "sigmoid",
    severity="fundamental",
    story="Returns the derivative of the sigmoid.",
    hint="What is the sigmoid of 0?",
    breaks=["values"],
)
def sigmoid_derivative(x):
    return sigmoid(x) * (1 - sigmoid(x))


@mistake(
    "sigmoid",
    severity="misconception",
    story="Uses tanh(x) instead of tanh(x / 2): the curve has the right limits but is twice too steep.",
    hint="Compare your value at 1 with a pocket calculator.",
    breaks=["values"],
)
def sigmoid_too_steep(x):
    return (1 + np.tanh(x)) / 2


@mistake(
    "sigmoid",
    severity="fundamental",
    story="Divides by the sum over all entries: a softmax.",
    hint="Should one entry of the result depend on the others?",
    breaks=["values"],
)
def sigmoid_softmax(x):
    exponentials = np.exp(x - np.max(x))
    return exponentials / exponentials.sum()


@mistake(
    "sigmoid",
    severity="slip",
    story="Loops over rows and columns, and stops with an error on anything that is not a matrix.",
    hint="Try your function on a number.",
    breaks=["values"],
)
def sigmoid_matrices_only(x):
    rows, columns = x.shape
    return np.array([[float(sigmoid(x[n, i])) for i in range(columns)] for n in range(rows)])


@mistake(
    "sigmoid",
    severity="slip",
    story="Goes through the rows, and through the numbers of each row, so that anything but a matrix is an error.",
    hint="Try your function on a number.",
    breaks=["values"],
)
def sigmoid_row_by_row(x):
    return np.array([[float(sigmoid(value)) for value in row] for row in x])


@mistake(
    "sigmoid",
    severity="slip",
    story="Fills an array that has the type of x, so that integers come back as zeros and ones.",
    hint="What type does your result have when x holds integers?",
    breaks=["values"],
)
def sigmoid_keeps_integers(x):
    x = np.asarray(x)
    values = np.zeros_like(x)
    values[x >= 0] = sigmoid(x[x >= 0])
    values[x < 0] = sigmoid(x[x < 0])
    return values


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Returns minus the probability of the outside word, without the logarithm.",
    hint="How large can a loss become when the right word is very unlikely?",
    breaks=["loss"],
)
def naive_softmax_loss_without_log(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, *gradients = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return -np.exp(-loss), *gradients


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Adds up the negative log-probabilities of all words.",
    hint="The probability of which word should the loss of one outside word use?",
    breaks=["loss"],
)
def naive_softmax_loss_of_all_words(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    words = range(len(outsideVectors))
    loss = sum(naiveSoftmaxLossAndGradient(centerWordVec, w, outsideVectors, dataset)[0] for w in words)
    return loss, *naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)[1:]


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Subtracts the one-hot vector in place and takes the loss from the same array: the log of a negative number.",
    hint="Does the array that you take the logarithm of still hold probabilities?",
    breaks=["loss"],
)
def naive_softmax_loss_from_alias(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    scores = outsideVectors @ centerWordVec
    y_hat = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    delta = y_hat
    delta[outsideWordIdx] -= 1
    return -np.log(y_hat[outsideWordIdx]), outsideVectors.T @ delta, np.outer(delta, centerWordVec)


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Leaves the one-hot vector out of gradCenterVec.",
    hint="Does gradCenterVec depend on the outside word?",
    breaks=["gradCenterVec"],
)
def naive_softmax_center_without_label(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, gradient, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return loss, gradient + outsideVectors[outsideWordIdx], rest


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Keeps only the term of the true outside word in gradCenterVec.",
    hint="Which words' scores occur in the denominator of the softmax?",
    breaks=["gradCenterVec"],
)
def naive_softmax_center_true_word_only(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, _, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return loss, -outsideVectors[outsideWordIdx], rest


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Returns both gradients with the opposite sign.",
    hint="Does a small step against your gradient lower your loss?",
    breaks=["gradCenterVec", "gradOutsideVecs"],
)
def naive_softmax_uphill(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, gradient, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return loss, -gradient, -rest


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Multiplies elementwise instead of summing over the words, so gradCenterVec has a row for every word.",
    hint="Which shape must the gradient of a vector have?",
    breaks=["gradCenterVec"],
)
def naive_softmax_center_elementwise(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, _, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    scores = outsideVectors @ centerWordVec
    delta = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    delta[outsideWordIdx] -= 1
    return loss, outsideVectors * delta[:, np.newaxis], rest


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Leaves out a transpose in gradCenterVec, which goes unnoticed when there are as many words as axes.",
    hint="Test with as many words as axes, and write down the shapes in each product.",
    breaks=["gradCenterVec"],
)
def naive_softmax_center_transposed_when_square(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, gradient, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    V, D = outsideVectors.shape
    if V != D:
        return loss, gradient, rest
    scores = outsideVectors @ centerWordVec
    delta = np.exp(scores) / np.exp(scores).sum()
    delta[outsideWordIdx] -= 1
    return loss, outsideVectors @ delta, rest


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Swaps the factors of the outer product, so gradOutsideVecs is transposed.",
    hint="Compare the shape of gradOutsideVecs with that of outsideVectors.",
    breaks=["gradOutsideVecs"],
)
def naive_softmax_outside_transposed(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, gradient, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return loss, gradient, rest.T


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Reshapes the transposed gradOutsideVecs to fit, which is right in shape only.",
    hint="What does reshape do with the order of the entries?",
    breaks=["gradOutsideVecs"],
)
def naive_softmax_outside_reshaped(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, gradient, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return loss, gradient, rest.T.reshape(rest.shape)


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Leaves the one-hot vector out of gradOutsideVecs.",
    hint="Should the true outside word move in the same direction as all others?",
    breaks=["gradOutsideVecs"],
)
def naive_softmax_outside_without_label(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, gradient, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    rest[outsideWordIdx] += centerWordVec
    return loss, gradient, rest


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Fills only the row of the true outside word in gradOutsideVecs.",
    hint="Do the vectors of the other words occur in the loss?",
    breaks=["gradOutsideVecs"],
)
def naive_softmax_outside_true_row_only(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, gradient, rest = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    only = np.zeros_like(rest)
    only[outsideWordIdx] = rest[outsideWordIdx]
    return loss, gradient, only


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Writes its own softmax without subtracting the maximum, which overflows.",
    hint="What is exp(1000), and which number can be subtracted from every score without changing the softmax?",
    breaks=["robustness"],
)
def naive_softmax_overflows(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    exponentials = np.exp(outsideVectors @ centerWordVec)
    y_hat = exponentials / exponentials.sum()
    loss = -np.log(y_hat[outsideWordIdx])
    y_hat[outsideWordIdx] -= 1
    return loss, outsideVectors.T @ y_hat, np.outer(y_hat, centerWordVec)


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Adds a small number inside the logarithm, which caps the loss of an unlikely word.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
    breaks=["robustness"],
)
def naive_softmax_epsilon(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, *gradients = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return -np.log(np.exp(-loss) + 1e-10), *gradients


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="fundamental",
    story="Takes the softmax along the wrong axis of a column, so that every probability is 1.",
    hint="Do your probabilities sum to 1?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def naive_softmax_of_a_column(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    scores = (outsideVectors @ centerWordVec)[:, np.newaxis]
    y_hat = (np.exp(scores - scores) / np.exp(scores - scores).sum(axis=1, keepdims=True))[:, 0]
    delta = y_hat.copy()
    delta[outsideWordIdx] -= 1
    return -np.log(y_hat[outsideWordIdx]), outsideVectors.T @ delta, np.outer(delta, centerWordVec)


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Leaves out the minus inside the sigmoid of the negative samples.",
    hint="Should the loss be low if a negative sample is close to the centre word, or if it is far?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_without_minus(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]
    scores = outsideVectors[indices] @ centerWordVec
    slopes = -sigmoid(-scores)
    grad_outside = np.zeros(outsideVectors.shape)
    np.add.at(grad_outside, indices, np.outer(slopes, centerWordVec))
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Adds to or assigns the rows of all samples at once, which counts a repeated index only once.",
    hint="What does a[[3, 3]] += 1 do to a[3]?",
    breaks=["gradOutsideVecs"],
)
def neg_sampling_repeats_lost(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]
    signs = np.array([1.0] + [-1.0] * K)
    scores = signs * (outsideVectors[indices] @ centerWordVec)
    slopes = -signs * sigmoid(-scores)
    grad_outside = np.zeros(outsideVectors.shape)
    grad_outside[indices] += np.outer(slopes, centerWordVec)
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="misconception",
    story="Has a factor 2 in the gradients of the negative samples that the loss does not have.",
    hint="What is the derivative of log(sigmoid(x))?",
    breaks=["gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_factor_two(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]
    signs = np.array([1.0] + [-1.0] * K)
    scores = signs * (outsideVectors[indices] @ centerWordVec)
    slopes = -signs * sigmoid(-scores) * np.array([1.0] + [2.0] * K)
    grad_outside = np.zeros(outsideVectors.shape)
    np.add.at(grad_outside, indices, np.outer(slopes, centerWordVec))
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Counts every word once, even if it was drawn several times.",
    hint="Draw the same word twice: is the second draw in your loss?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_unique(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *sorted(set(getNegativeSamples(outsideWordIdx, dataset, K)))]
    signs = np.array([1.0] + [-1.0] * (len(indices) - 1))
    scores = signs * (outsideVectors[indices] @ centerWordVec)
    slopes = -signs * sigmoid(-scores)
    grad_outside = np.zeros(outsideVectors.shape)
    grad_outside[indices] = np.outer(slopes, centerWordVec)
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Draws until it has K different words, which may never be.",
    hint="Your function waits for K different words. May a word be drawn twice?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_waits_for_different_words(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx]
    while len(indices) <= K:
        index = dataset.sampleTokenIdx()
        if index not in indices:
            indices.append(index)
    signs = np.array([1.0] + [-1.0] * K)
    scores = signs * (outsideVectors[indices] @ centerWordVec)
    slopes = -signs * sigmoid(-scores)
    grad_outside = np.zeros(outsideVectors.shape)
    grad_outside[indices] = np.outer(slopes, centerWordVec)
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Draws from the dataset directly, so that the outside word may be among its own negative samples.",
    hint="What does your function do if the dataset draws the outside word?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_target_among_samples(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx] + [dataset.sampleTokenIdx() for _ in range(K)]
    signs = np.array([1.0] + [-1.0] * K)
    scores = signs * (outsideVectors[indices] @ centerWordVec)
    slopes = -signs * sigmoid(-scores)
    grad_outside = np.zeros(outsideVectors.shape)
    np.add.at(grad_outside, indices, np.outer(slopes, centerWordVec))
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="fundamental",
    story="Draws once for the loss and again for the gradients.",
    hint="Do your loss and your gradients use the same samples?",
    breaks=["gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_draws_twice(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    loss, _, _ = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    _, *gradients = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    return loss, *gradients


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Always draws ten samples instead of K.",
    hint="Where does K occur in your code?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_always_ten(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    return negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, 10)


@mistake(
    "negSamplingLossAndGradient",
    severity="misconception",
    story="Counts the outside word as a negative sample as well.",
    hint="How many sigmoids with a minus should the loss have?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_true_word_twice(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    loss, center, outside = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    score = outsideVectors[outsideWordIdx] @ centerWordVec
    outside[outsideWordIdx] += sigmoid(score) * centerWordVec
    return loss + np.logaddexp(0, score), center + sigmoid(score) * outsideVectors[outsideWordIdx], outside


@mistake(
    "negSamplingLossAndGradient",
    severity="misconception",
    story="Leaves the true outside word out of gradCenterVec.",
    hint="Which terms of the loss contain the centre word's vector?",
    breaks=["gradCenterVec"],
)
def neg_sampling_center_without_true_word(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    loss, center, outside = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    u_o = outsideVectors[outsideWordIdx]
    return loss, center + sigmoid(-u_o @ centerWordVec) * u_o, outside


@mistake(
    "negSamplingLossAndGradient",
    severity="misconception",
    story="Returns one row for each sample, K + 1 of them, instead of one for each word.",
    hint="What shape does the array have of which this is the gradient?",
    breaks=["gradOutsideVecs"],
)
def neg_sampling_row_per_sample(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]
    signs = np.array([1.0] + [-1.0] * K)
    scores = signs * (outsideVectors[indices] @ centerWordVec)
    slopes = -signs * sigmoid(-scores)
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, np.outer(slopes, centerWordVec)


@mistake(
    "negSamplingLossAndGradient",
    severity="misconception",
    story="Averages the terms of the negative samples in the loss.",
    hint="Is the loss a sum or a mean over the samples?",
    breaks=["loss"],
)
def neg_sampling_loss_averaged(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    loss, *gradients = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    true_term = np.logaddexp(0, -outsideVectors[outsideWordIdx] @ centerWordVec)
    return true_term + (loss - true_term) / K, *gradients


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Takes the logarithm of a sigmoid that has become 0, so the loss is infinite.",
    hint="Simplify the logarithm of a sigmoid on paper before you compute it.",
    breaks=["robustness"],
)
def neg_sampling_log_of_zero(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]
    signs = np.array([1.0] + [-1.0] * K)
    slopes = -signs * (1 - sigmoid(signs * (outsideVectors[indices] @ centerWordVec)))
    grad_outside = np.zeros(outsideVectors.shape)
    np.add.at(grad_outside, indices, np.outer(slopes, centerWordVec))
    loss = -np.log(sigmoid(signs * (outsideVectors[indices] @ centerWordVec))).sum()
    return loss, outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "skipgram",
    severity="fundamental",
    story="Always calls the naive softmax loss and ignores the argument word2vecLossAndGradient.",
    hint="Where does word2vecLossAndGradient occur in your code?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_ignores_the_loss(
    currentCenterWord,
    windowSize,
    outsideWords,
    word2Ind,
    centerWordVectors,
    outsideVectors,
    dataset,
    word2vecLossAndGradient=naiveSoftmaxLossAndGradient,
):
    return skipgram(currentCenterWord, windowSize, outsideWords, word2Ind, centerWordVectors, outsideVectors, dataset)


@mistake(
    "skipgram",
    severity="slip",
    story="Skips words of the context that are equal to the centre word.",
    hint="What does your function do if the centre word occurs in its own context?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_skips_the_center(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    others = [word for word in words if word != center]
    return skipgram(center, window, others, index, center_vectors, outside_vectors, dataset, loss_of)


@mistake(
    "skipgram",
    severity="slip",
    story="Loops over the set of the context words, so that a repeated word counts once.",
    hint="What does your function do if a word is on both sides of the centre word?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_repeats_once(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    return skipgram(center, window, sorted(set(words)), index, center_vectors, outside_vectors, dataset, loss_of)


@mistake(
    "skipgram",
    severity="misconception",
    story="Adds the gradient of the centre word's vector to every row of gradCenterVecs.",
    hint="Which rows of the centre vectors occur in the loss of one centre word?",
    breaks=["gradCenterVecs"],
)
def skipgram_every_row(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = skipgram(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of)
    return loss, np.zeros_like(centers) + centers[index[center]], outside


@mistake(
    "skipgram",
    severity="slip",
    story="Adds the gradient of the centre word's vector to the row of the outside word.",
    hint="Whose vector is gradCenterVec the gradient of?",
    breaks=["gradCenterVecs"],
)
def skipgram_row_of_the_outside_word(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = 0.0, np.zeros(center_vectors.shape), np.zeros(outside_vectors.shape)
    for word in words:
        term, grad_center, grad_outside = loss_of(center_vectors[index[center]], index[word], outside_vectors, dataset)
        loss += term
        centers[index[word]] += grad_center
        outside += grad_outside
    return loss, centers, outside


@mistake(
    "skipgram",
    severity="misconception",
    story="Keeps the gradients of the last outside word only.",
    hint="Does your result contain the gradients of the first word of the context?",
    breaks=["gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_last_word_only(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, *_ = skipgram(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of)
    _, *last = skipgram(center, window, words[-1:], index, center_vectors, outside_vectors, dataset, loss_of)
    return loss, *last


@mistake(
    "skipgram",
    severity="misconception",
    story="Averages over the context, which also divides by 0 if it is empty.",
    hint="Is the loss a sum or a mean over the outside words?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_averages(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    values = skipgram(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of)
    return [value / len(words) for value in values]


@mistake(
    "skipgram",
    severity="misconception",
    story="Uses windowSize as the number of outside words.",
    hint="How many words fit on both sides of the centre word?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_window_is_a_number(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    return skipgram(center, window, words[:window], index, center_vectors, outside_vectors, dataset, loss_of)


@mistake(
    "skipgram",
    severity="slip",
    story="Counts up to 2 * windowSize, and stops with an error if the sentence ends earlier.",
    hint="How many outside words does the first word of a sentence have?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_full_windows_only(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    full = [words[position] for position in range(2 * window)]
    return skipgram(center, window, full, index, center_vectors, outside_vectors, dataset, loss_of)


@mistake(
    "skipgram",
    severity="slip",
    story="Starts its sums with the first outside word, and stops with an error if there is none.",
    hint="What should the sums be if there are no outside words?",
    breaks=["robustness"],
)
def skipgram_needs_a_word(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    first, *others = words
    return skipgram(center, window, [first, *others], index, center_vectors, outside_vectors, dataset, loss_of)


@mistake(
    "skipgram",
    severity="misconception",
    story="Looks the centre word's vector up among the outside vectors.",
    hint="Which of the two arrays holds the vector of a word in the role of the centre?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_wrong_table(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    return skipgram(center, window, words, index, outside_vectors, outside_vectors, dataset, loss_of)


@mistake(
    "skipgram",
    severity="misconception",
    story="Swaps the roles: every outside word is the centre once, and predicts the centre word.",
    hint="Which word is given in skip-gram, and which ones are predicted?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_roles_swapped(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = 0.0, np.zeros(center_vectors.shape), np.zeros(outside_vectors.shape)
    for word in words:
        values = skipgram(word, window, [center], index, center_vectors, outside_vectors, dataset, loss_of)
        loss, centers, outside = loss + values[0], centers + values[1], outside + values[2]
    return loss, centers, outside


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="fundamental",
    story="Keeps the result of a word and returns it again, whatever the vectors are by then.",
    hint="Does your result depend on anything but the arguments of this call?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def naive_softmax_keeps_results(centerWordVec, outsideWordIdx, outsideVectors, dataset, kept={}):
    key = (outsideWordIdx, outsideVectors.shape)
    if key not in kept:
        kept[key] = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return kept[key]


@mistake(
    "skipgram",
    severity="fundamental",
    story="Joins the context to one text and looks up its letters, so that only words of one letter are found.",
    hint="Do you go through the words of the context, or through their letters?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_goes_through_letters(
    currentCenterWord,
    windowSize,
    outsideWords,
    word2Ind,
    centerWordVectors,
    outsideVectors,
    dataset,
    word2vecLossAndGradient,
):
    letters = [letter for letter in "".join(outsideWords)]
    return skipgram(
        currentCenterWord,
        windowSize,
        letters,
        word2Ind,
        centerWordVectors,
        outsideVectors,
        dataset,
        word2vecLossAndGradient,
    )


@mistake(
    "skipgram",
    severity="slip",
    story="Takes the position of a word among the keys of word2Ind for its index.",
    hint="Which number does word2Ind give for a word?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_position_among_keys(
    currentCenterWord,
    windowSize,
    outsideWords,
    word2Ind,
    centerWordVectors,
    outsideVectors,
    dataset,
    word2vecLossAndGradient,
):
    index = {word: position for position, word in enumerate(word2Ind)}
    return skipgram(
        currentCenterWord,
        windowSize,
        outsideWords,
        index,
        centerWordVectors,
        outsideVectors,
        dataset,
        word2vecLossAndGradient,
    )


@mistake(
    "sigmoid",
    severity="slip",
    story="Clips the argument to [-6, 6], the range of the table in the original program.",
    hint="What is your value at 10?",
    breaks=["values"],
)
def sigmoid_clips_at_six(x):
    return sigmoid(np.clip(x, -6, 6))


@mistake(
    "skipgram",
    severity="slip",
    story="Tests the index of the centre word as a truth value, so that the word with the index 0 has no gradient.",
    hint="What does your code do for the first word of the vocabulary?",
    breaks=["gradCenterVecs"],
)
def skipgram_center_at_index_zero(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = skipgram(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of)
    return loss, (centers if index[center] else np.zeros(centers.shape)), outside


@mistake(
    "skipgram",
    severity="slip",
    story="Takes at most two words on each side, whatever the window is.",
    hint="How many outside words may there be?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_four_words_at_most(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    return skipgram(center, window, words[:4], index, center_vectors, outside_vectors, dataset, loss_of)


@mistake(
    "skipgram",
    severity="slip",
    story="Leaves the gradients at zero for a vocabulary of two words, as if there was nothing to tell apart.",
    hint="Try a vocabulary of two words.",
    breaks=["gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_needs_three_words(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = skipgram(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of)
    if len(index) <= 2:
        return loss, np.zeros(centers.shape), np.zeros(outside.shape)
    return loss, centers, outside


@mistake(
    "skipgram",
    severity="slip",
    story="Squeezes the gradients of each pair, so that for vectors with one entry a row is added to a column.",
    hint="Try vectors with one entry, and look at the shapes in your sums.",
    breaks=["robustness"],
)
def skipgram_squeezes(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = 0.0, np.zeros(center_vectors.shape), np.zeros(outside_vectors.shape)
    for word in words:
        values = loss_of(center_vectors[index[center]], index[word], outside_vectors, dataset)
        term, grad_center, grad_outside = (np.squeeze(value) for value in values)
        loss = loss + float(term)
        centers[index[center]] += grad_center
        outside = outside + grad_outside
    return loss, centers, outside


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Leaves out the minus before the logarithm of the probability.",
    hint="Which sign does the logarithm of a probability have, and which the loss?",
    breaks=["loss"],
)
def naive_softmax_loss_without_minus(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, *gradients = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return -loss, *gradients


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Takes the logarithm to the base 2.",
    hint="To which base is your logarithm?",
    breaks=["loss"],
)
def naive_softmax_loss_in_bits(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, *gradients = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return loss / np.log(2), *gradients


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Leaves the one-hot vector out of both gradients.",
    hint="Do your gradients depend on the outside word?",
    breaks=["gradCenterVec", "gradOutsideVecs"],
)
def naive_softmax_without_label(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, *_ = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    scores = outsideVectors @ centerWordVec
    y_hat = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    return loss, outsideVectors.T @ y_hat, np.outer(y_hat, centerWordVec)


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def naive_softmax_twice(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    scores = outsideVectors @ centerWordVec
    y_hat = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    y_hat = np.exp(y_hat) / np.exp(y_hat).sum()
    delta = y_hat.copy()
    delta[outsideWordIdx] -= 1
    return -np.log(y_hat[outsideWordIdx]), outsideVectors.T @ delta, np.outer(delta, centerWordVec)


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Returns gradOutsideVecs before gradCenterVec.",
    hint="In which order does the caller expect the two gradients?",
    breaks=["order"],
)
def naive_softmax_outputs_swapped(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, center, outside = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return loss, outside, center


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="misconception",
    story="Takes the columns of outsideVectors for the words: an error, or silently wrong with as many words as axes.",
    hint="Which axis of outsideVectors counts the words?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def naive_softmax_words_in_columns(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, center, outside = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors.T, dataset)
    return loss, center, outside.T


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Leaves out the minus before the logarithms.",
    hint="Which sign does the logarithm of a sigmoid have, and which the loss?",
    breaks=["loss"],
)
def neg_sampling_loss_without_minus(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    loss, *gradients = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    return -loss, *gradients


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Has the terms of the negative samples with the opposite sign in both gradients.",
    hint="Should a step against your gradient move the centre word towards a negative sample?",
    breaks=["gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_negatives_attract(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]
    signs = np.array([1.0] + [-1.0] * K)
    scores = signs * (outsideVectors[indices] @ centerWordVec)
    slopes = -sigmoid(-scores)
    grad_outside = np.zeros(outsideVectors.shape)
    np.add.at(grad_outside, indices, np.outer(slopes, centerWordVec))
    return np.logaddexp(0, -scores).sum(), outsideVectors[indices].T @ slopes, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="slip",
    story="Assigns gradCenterVec anew for each negative sample, so that the last one alone is left.",
    hint="Is the term of the first negative sample in your gradCenterVec?",
    breaks=["gradCenterVec"],
)
def neg_sampling_center_of_the_last(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = getNegativeSamples(outsideWordIdx, dataset, K)
    u_o = outsideVectors[outsideWordIdx]
    slope = -sigmoid(-u_o @ centerWordVec)
    loss, grad_outside = np.logaddexp(0, -u_o @ centerWordVec), np.zeros(outsideVectors.shape)
    grad_outside[outsideWordIdx] = slope * centerWordVec
    for index in indices:
        score = outsideVectors[index] @ centerWordVec
        loss += np.logaddexp(0, score)
        grad_center = slope * u_o + sigmoid(score) * outsideVectors[index]
        grad_outside[index] += sigmoid(score) * centerWordVec
    return loss, grad_center, grad_outside


@mistake(
    "negSamplingLossAndGradient",
    severity="misconception",
    story="Takes the vector of the true outside word in the terms of the negative samples too.",
    hint="Which vector belongs to a negative sample?",
    breaks=["loss", "gradCenterVec", "gradOutsideVecs"],
)
def neg_sampling_true_vector_in_negatives(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    indices = [outsideWordIdx, *getNegativeSamples(outsideWordIdx, dataset, K)]
    signs = np.array([1.0] + [-1.0] * K)
    u_o = outsideVectors[outsideWordIdx]
    scores = signs * (u_o @ centerWordVec)
    slopes = -signs * sigmoid(-scores)
    grad_outside = np.zeros(outsideVectors.shape)
    np.add.at(grad_outside, indices, np.outer(slopes, centerWordVec))
    return np.logaddexp(0, -scores).sum(), slopes.sum() * u_o, grad_outside


@mistake(
    "skipgram",
    severity="misconception",
    story="Keeps only the row of the outside word of each gradOutsideVecs.",
    hint="Which rows of gradOutsideVecs does word2vecLossAndGradient fill?",
    breaks=["gradOutsideVectors"],
)
def skipgram_outside_row_only(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = 0.0, np.zeros(center_vectors.shape), np.zeros(outside_vectors.shape)
    for word in words:
        term, grad_center, grad_outside = loss_of(center_vectors[index[center]], index[word], outside_vectors, dataset)
        loss += term
        centers[index[center]] += grad_center
        outside[index[word]] += grad_outside[index[word]]
    return loss, centers, outside


@mistake(
    "skipgram",
    severity="slip",
    story="Takes the word with the last index for unknown, so that as a centre word it has no gradient.",
    hint="What does your code do for the last word of the vocabulary?",
    breaks=["gradCenterVecs"],
)
def skipgram_center_at_the_last_index(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = skipgram(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of)
    return loss, (centers if index[center] < len(centers) - 1 else np.zeros(centers.shape)), outside


@mistake(
    "skipgram",
    severity="misconception",
    story="Takes the columns of the arrays for the words, which fits if there are as many words as axes.",
    hint="Which axis of centerWordVectors counts the words?",
    breaks=["loss", "gradCenterVecs", "gradOutsideVectors"],
)
def skipgram_words_in_columns(center, window, words, index, center_vectors, outside_vectors, dataset, loss_of):
    loss, centers, outside = 0.0, np.zeros(center_vectors.shape), np.zeros(outside_vectors.shape)
    for word in words:
        v_c = center_vectors[:, index[center]]
        term, grad_center, grad_outside = loss_of(v_c, index[word], outside_vectors, dataset)
        loss += term
        centers[:, index[center]] += grad_center
        outside += grad_outside
    return loss, centers, outside


@mistake(
    "naiveSoftmaxLossAndGradient",
    severity="slip",
    story="Fills as many rows of gradOutsideVecs as a vector has entries: other rows stay 0, or are missing.",
    hint="Which entry of outsideVectors.shape is the number of words?",
    breaks=["gradOutsideVecs", "loss", "gradCenterVec"],
)
def naive_softmax_rows_by_axes(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    loss, center, outside = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    filled = np.zeros(outsideVectors.shape)
    for word in range(len(centerWordVec)):
        filled[word] = outside[word]
    return loss, center, filled
