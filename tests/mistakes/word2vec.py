"""Known wrong answers of word2vec."""

import numpy as np

from reference.word2vec import (
    getNegativeSamples,
    naiveSoftmaxLossAndGradient,
    negSamplingLossAndGradient,
    sigmoid,
)
from tests.mistakes import mistake, mistake_edit


@mistake(
    "sigmoid",
    story="Computes exp(x) / (1 + exp(x)), which is infinity over infinity for large x.",
    hint="What is exp(1000), and what is your fraction then?",
)
def sigmoid_overflows(x):
    return np.exp(x) / (1 + np.exp(x))


@mistake(
    "sigmoid",
    story="Takes exp(-x) of very negative x: the value is right, but numpy warns of an overflow.",
    hint="Which warning does Python print for sigmoid(-1000)?",
)
def sigmoid_warns(x):
    return 1 / (1 + np.exp(-np.asarray(x, dtype=np.float64)))


@mistake(
    "sigmoid",
    story="Leaves out the minus in the exponent, which mirrors the function.",
    hint="Should the sigmoid increase or decrease?",
)
def sigmoid_mirrored(x):
    return 1 - sigmoid(x)


@mistake(
    "sigmoid",
    story="Returns the derivative of the sigmoid.",
    hint="What is the sigmoid of 0?",
)
def sigmoid_derivative(x):
    return sigmoid(x) * (1 - sigmoid(x))


@mistake(
    "sigmoid",
    story="Uses tanh(x) instead of tanh(x / 2): the curve has the right limits but is twice too steep.",
    hint="Compare your value at 1 with a pocket calculator.",
)
def sigmoid_too_steep(x):
    return (1 + np.tanh(x)) / 2


@mistake(
    "sigmoid",
    story="Divides by the sum over all entries: a softmax.",
    hint="Should one entry of the result depend on the others?",
)
def sigmoid_softmax(x):
    exponentials = np.exp(x - np.max(x))
    return exponentials / exponentials.sum()


@mistake(
    "sigmoid",
    story="Loops over rows and columns, and stops with an error on anything that is not a matrix.",
    hint="Try your function on a number.",
)
def sigmoid_matrices_only(x):
    rows, columns = x.shape
    return np.array([[float(sigmoid(x[n, i])) for i in range(columns)] for n in range(rows)])


@mistake(
    "sigmoid",
    story="Goes through the rows, and through the numbers of each row, so that anything but a matrix is an error.",
    hint="Try your function on a number.",
)
def sigmoid_row_by_row(x):
    return np.array([[float(sigmoid(value)) for value in row] for row in x])


@mistake(
    "sigmoid",
    story="Fills an array that has the type of x, so that integers come back as zeros and ones.",
    hint="What type does your result have when x holds integers?",
)
def sigmoid_keeps_integers(x):
    x = np.asarray(x)
    values = np.zeros_like(x)
    values[x >= 0] = sigmoid(x[x >= 0])
    values[x < 0] = sigmoid(x[x < 0])
    return values


naive_softmax_loss_without_log = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "-np.exp(log_y_hat[o])"},
    story="Returns minus the probability of the outside word, without the logarithm.",
    hint="How large can a loss become when the right word is very unlikely?",
)


naive_softmax_loss_of_all_words = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "-log_y_hat.sum()"},
    story="Adds up the negative log-probabilities of all words.",
    hint="The probability of which word should the loss of one outside word use?",
)


naive_softmax_loss_from_alias = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "-np.log(delta[o])"},
    story="Subtracts the one-hot vector in place and takes the loss from the same array: the log of a negative number.",
    hint="Does the array that you take the logarithm of still hold probabilities?",
)


naive_softmax_center_without_label = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"U.T @ delta": "U.T @ np.exp(log_y_hat)"},
    story="Leaves the one-hot vector out of gradCenterVec.",
    hint="Does gradCenterVec depend on the outside word?",
)


naive_softmax_center_true_word_only = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"U.T @ delta": "-U[o]"},
    story="Keeps only the term of the true outside word in gradCenterVec.",
    hint="Which words' scores occur in the denominator of the softmax?",
)


naive_softmax_uphill = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"gradCenterVec, gradOutsideVecs": "-gradCenterVec, -gradOutsideVecs"},
    story="Returns both gradients with the opposite sign.",
    hint="Does a small step against your gradient lower your loss?",
)


naive_softmax_center_elementwise = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"U.T @ delta": "U * delta[:, np.newaxis]"},
    story="Multiplies elementwise instead of summing over the words, so gradCenterVec has a row for every word.",
    hint="Which shape must the gradient of a vector have?",
)


naive_softmax_center_transposed_when_square = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"U.T @ delta": "(U if U.shape[0] == U.shape[1] else U.T) @ delta"},
    story="Leaves out a transpose in gradCenterVec, which goes unnoticed when there are as many words as axes.",
    hint="Test with as many words as axes, and write down the shapes in each product.",
)


naive_softmax_outside_transposed = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"np.outer(delta, v_c)": "np.outer(v_c, delta)"},
    story="Swaps the factors of the outer product, so gradOutsideVecs is transposed.",
    hint="Compare the shape of gradOutsideVecs with that of outsideVectors.",
)


naive_softmax_outside_reshaped = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"np.outer(delta, v_c)": "np.outer(v_c, delta).reshape(U.shape)"},
    story="Reshapes the transposed gradOutsideVecs to fit, which is right in shape only.",
    hint="What does reshape do with the order of the entries?",
)


naive_softmax_outside_without_label = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"np.outer(delta, v_c)": "np.outer(np.exp(log_y_hat), v_c)"},
    story="Leaves the one-hot vector out of gradOutsideVecs.",
    hint="Should the true outside word move in the same direction as all others?",
)


naive_softmax_outside_true_row_only = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"np.outer(delta, v_c)": "np.outer(delta * (np.arange(len(U)) == o), v_c)"},
    story="Fills only the row of the true outside word in gradOutsideVecs.",
    hint="Do the vectors of the other words occur in the loss?",
)


naive_softmax_overflows = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {
        "scores - scores.max()": "scores",
        "shifted - np.log(np.exp(shifted).sum())": "np.log(np.exp(shifted) / np.exp(shifted).sum())",
    },
    story="Writes its own softmax without subtracting the maximum, which overflows.",
    hint="What is exp(1000), and which number can be subtracted from every score without changing the softmax?",
)


naive_softmax_epsilon = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "-np.log(np.exp(log_y_hat[o]) + 1e-10)"},
    story="Adds a small number inside the logarithm, which caps the loss of an unlikely word.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
)


naive_softmax_of_a_column = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"shifted - np.log(np.exp(shifted).sum())": "np.zeros(len(U))"},
    story="Takes the softmax along the wrong axis of a column, so that every probability is 1.",
    hint="Do your probabilities sum to 1?",
)


neg_sampling_without_minus = mistake_edit(
    "negSamplingLossAndGradient",
    {"[-1.0] * K)": "[1.0] * K)"},
    story="Leaves out the minus inside the sigmoid of the negative samples.",
    hint="Should the loss be low if a negative sample is close to the centre word, or if it is far?",
)


neg_sampling_repeats_lost = mistake_edit(
    "negSamplingLossAndGradient",
    {"np.add.at(gradOutsideVecs, indices, np.outer(slopes, v_c))": "gradOutsideVecs[indices] += np.outer(slopes, v_c)"},
    story="Assigns the rows of the samples, or adds to all at once, which counts a repeated index only once.",
    hint="Draw the same word twice: is its row changed twice? Beware of a[[3, 3]] += 1, which adds to a[3] once.",
)


neg_sampling_factor_two = mistake_edit(
    "negSamplingLossAndGradient",
    {"-signs * sigmoid(-scores)": "-signs * sigmoid(-scores) * np.array([1.0] + [2.0] * K)"},
    story="Has a factor 2 in the gradients of the negative samples that the loss does not have.",
    hint="What is the derivative of log(sigmoid(x))?",
)


neg_sampling_unique = mistake_edit(
    "negSamplingLossAndGradient",
    {
        "*getNegativeSamples(": "*sorted(set(getNegativeSamples(",
        "dataset, K)]": "dataset, K)))]",
        "[-1.0] * K)": "[-1.0] * (len(indices) - 1))",
    },
    story="Counts every word once, even if it was drawn several times.",
    hint="Draw the same word twice: is the second draw in your loss?",
)


@mistake(
    "negSamplingLossAndGradient",
    story="Draws until it has K different words, which may never be.",
    hint="Your function waits for K different words. May a word be drawn twice?",
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


neg_sampling_target_among_samples = mistake_edit(
    "negSamplingLossAndGradient",
    {"*getNegativeSamples(outsideWordIdx, dataset, K)": "*(dataset.sampleTokenIdx() for _ in range(K))"},
    story="Draws from the dataset directly, so that the outside word may be among its own negative samples.",
    hint="What does your function do if the dataset draws the outside word?",
)


@mistake(
    "negSamplingLossAndGradient",
    story="Draws once for the loss and again for the gradients.",
    hint="Do your loss and your gradients use the same samples?",
)
def neg_sampling_draws_twice(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    loss, _, _ = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    _, *gradients = negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, K)
    return loss, *gradients


@mistake(
    "negSamplingLossAndGradient",
    story="Always draws ten samples instead of K.",
    hint="Where does K occur in your code?",
)
def neg_sampling_always_ten(centerWordVec, outsideWordIdx, outsideVectors, dataset, K=10):
    return negSamplingLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset, 10)


neg_sampling_true_word_twice = mistake_edit(
    "negSamplingLossAndGradient",
    {"[outsideWordIdx, *": "[outsideWordIdx, outsideWordIdx, *", "[-1.0] * K)": "[-1.0] * (K + 1))"},
    story="Counts the outside word as a negative sample as well.",
    hint="How many sigmoids with a minus should the loss have?",
)


neg_sampling_center_without_true_word = mistake_edit(
    "negSamplingLossAndGradient",
    {"U[indices].T @ slopes": "U[indices[1:]].T @ slopes[1:]"},
    story="Leaves the true outside word out of gradCenterVec.",
    hint="Which terms of the loss contain the centre word's vector?",
)


neg_sampling_row_per_sample = mistake_edit(
    "negSamplingLossAndGradient",
    {"gradCenterVec, gradOutsideVecs": "gradCenterVec, np.outer(slopes, v_c)"},
    story="Returns one row for each sample, K + 1 of them, instead of one for each word.",
    hint="What shape does the array have of which this is the gradient?",
)


neg_sampling_loss_averaged = mistake_edit(
    "negSamplingLossAndGradient",
    {"np.logaddexp(0.0, -scores).sum()": "np.logaddexp(0.0, -scores[0]) + np.logaddexp(0.0, -scores[1:]).sum() / K"},
    story="Averages the terms of the negative samples in the loss.",
    hint="Is the loss a sum or a mean over the samples?",
)


neg_sampling_log_of_zero = mistake_edit(
    "negSamplingLossAndGradient",
    {"np.logaddexp(0.0, -scores).sum()": "-np.log(sigmoid(scores)).sum()", "sigmoid(-scores)": "(1 - sigmoid(scores))"},
    story="Takes the logarithm of a sigmoid that has become 0, so the loss is infinite.",
    hint="Simplify the logarithm of a sigmoid on paper before you compute it.",
)


skipgram_ignores_the_loss = mistake_edit(
    "skipgram",
    {"word2vecLossAndGradient(": "naiveSoftmaxLossAndGradient("},
    story="Always calls the naive softmax loss and ignores the argument word2vecLossAndGradient.",
    hint="Where does word2vecLossAndGradient occur in your code?",
)


skipgram_skips_the_center = mistake_edit(
    "skipgram",
    {"in outsideWords": "in [word for word in outsideWords if word != currentCenterWord]"},
    story="Skips words of the context that are equal to the centre word.",
    hint="What does your function do if the centre word occurs in its own context?",
)


skipgram_repeats_once = mistake_edit(
    "skipgram",
    {"in outsideWords": "in sorted(set(outsideWords))"},
    story="Loops over the set of the context words, so that a repeated word counts once.",
    hint="What does your function do if a word is on both sides of the centre word?",
)


skipgram_every_row = mistake_edit(
    "skipgram",
    {"gradCenterVecs[c] += gradCenterVec": "gradCenterVecs += gradCenterVec"},
    story="Adds the gradient of the centre word's vector to every row of gradCenterVecs.",
    hint="Which rows of the centre vectors occur in the loss of one centre word?",
)


skipgram_row_of_the_outside_word = mistake_edit(
    "skipgram",
    {"gradCenterVecs[c] += gradCenterVec": "gradCenterVecs[word2Ind[word]] += gradCenterVec"},
    story="Adds the gradient of the centre word's vector to the row of the outside word.",
    hint="Whose vector is gradCenterVec the gradient of?",
)


skipgram_last_word_only = mistake_edit(
    "skipgram",
    {
        "gradCenterVecs[c] += gradCenterVec": "gradCenterVecs[c] = gradCenterVec",
        "gradOutsideVectors += gradOutsideVecs": "gradOutsideVectors = gradOutsideVecs",
    },
    story="Keeps the gradients of the last outside word only.",
    hint="Does your result contain the gradients of the first word of the context?",
)


skipgram_averages = mistake_edit(
    "skipgram",
    {
        "return loss, gradCenterVecs, gradOutsideVectors": (
            "n = len(outsideWords)\n    return loss / n, gradCenterVecs / n, gradOutsideVectors / n"
        )
    },
    story="Averages over the context, which also divides by 0 if it is empty.",
    hint="Is the loss a sum or a mean over the outside words?",
)


skipgram_window_is_a_number = mistake_edit(
    "skipgram",
    {"in outsideWords": "in outsideWords[:windowSize]"},
    story="Uses windowSize as the number of outside words.",
    hint="How many words fit on both sides of the centre word?",
)


skipgram_full_windows_only = mistake_edit(
    "skipgram",
    {"in outsideWords": "in [outsideWords[position] for position in range(2 * windowSize)]"},
    story="Counts up to 2 * windowSize, and stops with an error if the sentence ends earlier.",
    hint="How many outside words does the first word of a sentence have?",
)


skipgram_needs_a_word = mistake_edit(
    "skipgram",
    {"    loss = 0.0": "    first, *_ = outsideWords\n    loss = 0.0"},
    story="Starts its sums with the first outside word, and stops with an error if there is none.",
    hint="What should the sums be if there are no outside words?",
)


skipgram_wrong_table = mistake_edit(
    "skipgram",
    {"centerWordVectors[c]": "outsideVectors[c]"},
    story="Looks the centre word's vector up among the outside vectors.",
    hint="Which of the two arrays holds the vector of a word in the role of the centre?",
)


skipgram_roles_swapped = mistake_edit(
    "skipgram",
    {
        "centerWordVectors[c], word2Ind[word]": "centerWordVectors[word2Ind[word]], c",
        "gradCenterVecs[c]": "gradCenterVecs[word2Ind[word]]",
    },
    story="Swaps the roles: every outside word is the centre once, and predicts the centre word.",
    hint="Which word is given in skip-gram, and which ones are predicted?",
)


@mistake(
    "naiveSoftmaxLossAndGradient",
    story="Keeps the result of a word and returns it again, whatever the vectors are by then.",
    hint="Does your result depend on anything but the arguments of this call?",
)
def naive_softmax_keeps_results(centerWordVec, outsideWordIdx, outsideVectors, dataset, kept={}):
    key = (outsideWordIdx, outsideVectors.shape)
    if key not in kept:
        kept[key] = naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset)
    return kept[key]


skipgram_goes_through_letters = mistake_edit(
    "skipgram",
    {"in outsideWords": 'in "".join(outsideWords)'},
    story="Joins the context to one text and looks up its letters, so that only words of one letter are found.",
    hint="Do you go through the words of the context, or through their letters?",
)


skipgram_position_among_keys = mistake_edit(
    "skipgram",
    {"    c = ": ("    word2Ind = {word: position for position, word in enumerate(word2Ind)}\n    c = ")},
    story="Takes the position of a word among the keys of word2Ind for its index.",
    hint="Which number does word2Ind give for a word?",
)


@mistake(
    "sigmoid",
    story="Clips the argument to [-6, 6], the range of the table in the original program.",
    hint="What is your value at 10?",
)
def sigmoid_clips_at_six(x):
    return sigmoid(np.clip(x, -6, 6))


skipgram_center_at_index_zero = mistake_edit(
    "skipgram",
    {"gradCenterVecs[c] += gradCenterVec": "gradCenterVecs[c] += gradCenterVec if c else 0"},
    story="Tests the index of the centre word as a truth value, so that the word with the index 0 has no gradient.",
    hint="What does your code do for the first word of the vocabulary?",
)


skipgram_four_words_at_most = mistake_edit(
    "skipgram",
    {"in outsideWords": "in outsideWords[:4]"},
    story="Takes at most two words on each side, whatever the window is.",
    hint="How many outside words may there be?",
)


skipgram_needs_three_words = mistake_edit(
    "skipgram",
    {
        "return loss, gradCenterVecs, gradOutsideVectors": (
            "enough = len(word2Ind) > 2\n    return loss, gradCenterVecs * enough, gradOutsideVectors * enough"
        )
    },
    story="Leaves the gradients at zero for a vocabulary of two words, as if there was nothing to tell apart.",
    hint="Try a vocabulary of two words.",
)


skipgram_squeezes = mistake_edit(
    "skipgram",
    {
        "gradCenterVecs[c] += gradCenterVec": "gradCenterVecs[c] += np.squeeze(gradCenterVec)",
        "+= gradOutsideVecs": "= gradOutsideVectors + np.squeeze(gradOutsideVecs)",
    },
    story="Squeezes the gradients of each pair, so that for vectors with one entry a row is added to a column.",
    hint="Try vectors with one entry, and look at the shapes in your sums.",
)


naive_softmax_loss_without_minus = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "float(log_y_hat[o])"},
    story="Leaves out the minus before the logarithm of the probability.",
    hint="Which sign does the logarithm of a probability have, and which the loss?",
)


naive_softmax_loss_in_bits = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "float(-log_y_hat[o]) / np.log(2)"},
    story="Takes the logarithm to the base 2.",
    hint="To which base is your logarithm?",
)


naive_softmax_without_label = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"    delta[o] -= 1  # (V,), y_hat - y\n": ""},
    story="Leaves the one-hot vector out of both gradients.",
    hint="Do your gradients depend on the outside word?",
)


@mistake(
    "naiveSoftmaxLossAndGradient",
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
)
def naive_softmax_twice(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    scores = outsideVectors @ centerWordVec
    y_hat = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    y_hat = np.exp(y_hat) / np.exp(y_hat).sum()
    delta = y_hat.copy()
    delta[outsideWordIdx] -= 1
    return -np.log(y_hat[outsideWordIdx]), outsideVectors.T @ delta, np.outer(delta, centerWordVec)


naive_softmax_outputs_swapped = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"gradCenterVec, gradOutsideVecs": "gradOutsideVecs, gradCenterVec"},
    story="Returns gradOutsideVecs before gradCenterVec.",
    hint="In which order does the caller expect the two gradients?",
)


naive_softmax_words_in_columns = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {
        "outsideWordIdx, outsideVectors\n": "outsideWordIdx, outsideVectors.T\n",
        "np.outer(delta, v_c)": "np.outer(v_c, delta)",
    },
    story="Takes the columns of outsideVectors for the words: an error, or silently wrong with as many words as axes.",
    hint="Which axis of outsideVectors counts the words?",
)


neg_sampling_loss_without_minus = mistake_edit(
    "negSamplingLossAndGradient",
    {"float(loss)": "-float(loss)"},
    story="Leaves out the minus before the logarithms.",
    hint="Which sign does the logarithm of a sigmoid have, and which the loss?",
)


neg_sampling_negatives_attract = mistake_edit(
    "negSamplingLossAndGradient",
    {"-signs * sigmoid": "-sigmoid"},
    story="Has the terms of the negative samples with the opposite sign in both gradients.",
    hint="Should a step against your gradient move the centre word towards a negative sample?",
)


@mistake(
    "negSamplingLossAndGradient",
    story="Assigns gradCenterVec anew for each negative sample, so that the last one alone is left.",
    hint="Is the term of the first negative sample in your gradCenterVec?",
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


neg_sampling_true_vector_in_negatives = mistake_edit(
    "negSamplingLossAndGradient",
    {"(U[indices] @ v_c)": "(U[outsideWordIdx] @ v_c)", "U[indices].T @ slopes": "U[outsideWordIdx] * slopes.sum()"},
    story="Takes the vector of the true outside word in the terms of the negative samples too.",
    hint="Which vector belongs to a negative sample?",
)


skipgram_outside_row_only = mistake_edit(
    "skipgram",
    {"gradOutsideVectors += gradOutsideVecs": "gradOutsideVectors[word2Ind[word]] += gradOutsideVecs[word2Ind[word]]"},
    story="Keeps only the row of the outside word of each gradOutsideVecs.",
    hint="Which rows of gradOutsideVecs does word2vecLossAndGradient fill?",
)


skipgram_center_at_the_last_index = mistake_edit(
    "skipgram",
    {"gradCenterVecs[c] += gradCenterVec": "gradCenterVecs[c] += gradCenterVec if c < len(word2Ind) - 1 else 0"},
    story="Takes the word with the last index for unknown, so that as a centre word it has no gradient.",
    hint="What does your code do for the last word of the vocabulary?",
)


skipgram_words_in_columns = mistake_edit(
    "skipgram",
    {"centerWordVectors[c]": "centerWordVectors[:, c]", "gradCenterVecs[c]": "gradCenterVecs[:, c]"},
    story="Takes the columns of the arrays for the words, which fits if there are as many words as axes.",
    hint="Which axis of centerWordVectors counts the words?",
)


naive_softmax_rows_by_axes = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {
        "np.outer(delta, v_c)": (
            "np.zeros(U.shape)\n    for word in range(len(v_c)):\n        gradOutsideVecs[word] = delta[word] * v_c"
        )
    },
    story="Fills as many rows of gradOutsideVecs as a vector has entries: other rows stay 0, or are missing.",
    hint="Which entry of outsideVectors.shape is the number of words?",
)
