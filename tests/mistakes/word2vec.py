"""Known wrong answers of word2vec."""

import numpy as np

from reference.word2vec import negSamplingLossAndGradient, sigmoid
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
    story="Leaves out the minus in the exponent, which mirrors the function.",
    hint="Should the sigmoid increase or decrease?",
)
def sigmoid_mirrored(x):
    return 1 - sigmoid(x)


@mistake("sigmoid", story="Returns the derivative of the sigmoid.", hint="What is the sigmoid of 0?")
def sigmoid_derivative(x):
    return sigmoid(x) * (1 - sigmoid(x))


naive_softmax_loss_from_alias = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "-np.log(delta[o])"},
    story="Subtracts the one-hot vector in place and takes the loss from the same array: the log of a negative number.",
    hint="Does the array that you take the logarithm of still hold probabilities?",
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
    story="Counts a sample that is drawn again only once: assigns its row, adds to all at once, or makes a set.",
    hint="Draw the same word twice: does it count twice, in the loss and in its row? a[[3, 3]] += 1 adds to a[3] once.",
)


neg_sampling_factor_two = mistake_edit(
    "negSamplingLossAndGradient",
    {"-signs * sigmoid(-scores)": "-signs * sigmoid(-scores) * np.array([1.0] + [2.0] * K)"},
    story="Has a factor 2 in the gradients of the negative samples that the loss does not have.",
    hint="What is the derivative of log(sigmoid(x))?",
)


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


neg_sampling_row_per_sample = mistake_edit(
    "negSamplingLossAndGradient",
    {"gradCenterVec, gradOutsideVecs": "gradCenterVec, np.outer(slopes, v_c)"},
    story="Returns one row for each sample, K + 1 of them, instead of one for each word.",
    hint="What shape does the array have of which this is the gradient?",
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


skipgram_roles_swapped = mistake_edit(
    "skipgram",
    {
        "centerWordVectors[c], word2Ind[word]": "centerWordVectors[word2Ind[word]], c",
        "gradCenterVecs[c]": "gradCenterVecs[word2Ind[word]]",
    },
    story="Swaps the roles: every outside word is the centre once, and predicts the centre word.",
    hint="Which word is given in skip-gram, and which ones are predicted?",
)


naive_softmax_loss_without_minus = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "float(log_y_hat[o])"},
    story="Leaves out the minus before the logarithm of the probability.",
    hint="Which sign does the logarithm of a probability have, and which the loss?",
)


naive_softmax_without_label = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"    delta[o] -= 1  # (V,), y_hat - y\n": ""},
    story="Leaves the one-hot vector out of both gradients.",
    hint="Do your gradients depend on the outside word?",
)


naive_softmax_center_without_label = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"U.T @ delta": "U.T @ np.exp(log_y_hat)"},
    story="Leaves -u_o out of gradCenterVec, and only there.",
    hint="Does your gradCenterVec change when another word is the outside word?",
)


naive_softmax_outputs_swapped = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"gradCenterVec, gradOutsideVecs": "gradOutsideVecs, gradCenterVec"},
    story="Returns gradOutsideVecs before gradCenterVec.",
    hint="In which order does the caller expect the two gradients?",
)


neg_sampling_negatives_attract = mistake_edit(
    "negSamplingLossAndGradient",
    {"-signs * sigmoid": "-sigmoid"},
    story="Has the terms of the negative samples with the opposite sign in both gradients.",
    hint="Should a step against your gradient move the centre word towards a negative sample?",
)


naive_softmax_mean_over_words = mistake_edit(
    "naiveSoftmaxLossAndGradient",
    {"float(-log_y_hat[o])": "float(-log_y_hat[o]) / len(U)"},
    story="Takes the mean of the cross-entropy over the words of the vocabulary, and not the sum.",
    hint="How many terms of the cross-entropy with a one-hot vector are not 0?",
)


neg_sampling_mean = mistake_edit(
    "negSamplingLossAndGradient",
    {"logaddexp(0.0, -scores).sum()": "logaddexp(0.0, -scores).mean()", "-signs * sig": "-signs / (K + 1) * sig"},
    story="Takes the mean over the K + 1 words, in the loss and in the gradients.",
    hint="Is the loss a sum over the samples, or their mean?",
)


neg_sampling_own_sampler = mistake_edit(
    "negSamplingLossAndGradient",
    {"*getNegativeSamples(outsideWordIdx, dataset, K)": "*np.random.default_rng(0).integers(len(U), size=K)"},
    story="Draws the negative samples with numpy, and never asks the dataset.",
    hint="Which distribution should the negative samples come from, and what knows it?",
)
