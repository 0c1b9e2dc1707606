"""Known wrong answers of output_layer."""

import numpy as np

from reference.output_layer import (
    _sigmoid,
    _softmax,
    backprop,
    grad_preactivation,
    grad_probabilities,
    softmax_jacobian,
)
from tests.mistakes import mistake, mistake_edit

grad_probabilities_positive = mistake_edit(
    "grad_probabilities",
    {"-1 / y_hat[label]": "1 / y_hat[label]"},
    story="Forgets the minus sign of the negative logarithm.",
    hint="Does the loss grow or shrink when the right class becomes more likely?",
)


grad_probabilities_every_class = mistake_edit(
    "grad_probabilities",
    {"grad[label] = -1 / y_hat[label]": "grad = -1 / y_hat"},
    story="Fills every class and not just the label's.",
    hint="Which of the probabilities does the loss depend on?",
)


grad_probabilities_of_scores = mistake_edit(
    "grad_probabilities",
    {"grad[label] = -1 / y_hat[label]": "grad = y_hat - np.eye(len(y_hat))[label]"},
    story="Returns the gradient with respect to the scores, y_hat - e(label), one step too far back.",
    hint="With respect to what is this gradient taken?",
)


grad_probabilities_fixed_label = mistake_edit(
    "grad_probabilities",
    {"grad[label] = -1 / y_hat[label]": "grad[1] = -1 / y_hat[1]"},
    story="Always takes the second class for the label.",
    hint="Try every label.",
)


softmax_jacobian_diagonal = mistake_edit(
    "softmax_jacobian",
    {"np.diag(y_hat) - np.outer(y_hat, y_hat)": "np.diag(y_hat * (1 - y_hat))"},
    story="Fills the diagonal only, as if every probability depended on its own score alone.",
    hint="What happens to the other probabilities when one score grows?",
)


softmax_jacobian_without_diagonal = mistake_edit(
    "softmax_jacobian",
    {"np.diag(y_hat) - np.outer": "-np.outer"},
    story="Leaves the diagonal term out.",
    hint="Add up a column of your matrix: by how much can the sum of all probabilities change?",
)


softmax_jacobian_of_probabilities = mistake_edit(
    "softmax_jacobian",
    {"_softmax(a)": "a"},
    story="Takes the scores for the probabilities.",
    hint="Is the argument the score or the probability?",
)


softmax_jacobian_overflows = mistake_edit(
    "softmax_jacobian",
    {"_softmax(a)": "np.exp(a) / np.exp(a).sum()"},
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000), and which number can be subtracted from all scores without changing the softmax?",
)


grad_preactivation_negative = mistake_edit(
    "grad_preactivation",
    {"return grad": "return -grad"},
    story="Has the opposite sign: e(label) - y_hat.",
    hint="Should a step against the gradient raise or lower the score of the right class?",
)


grad_preactivation_without_softmax = mistake_edit(
    "grad_preactivation",
    {"_softmax(a)": "a + 0.0"},
    story="Subtracts the label from the scores, without a softmax.",
    hint="Which quantity is compared with the one-hot vector?",
)


grad_preactivation_sigmoid_slope = mistake_edit(
    "grad_preactivation",
    {"return grad": "return grad * _softmax(a) * (1 - _softmax(a))"},
    story="Multiplies by y_hat (1 - y_hat), as for a sigmoid output with squared error.",
    hint="Write the chain rule out with the whole Jacobian of the softmax.",
)


@mistake(
    "grad_preactivation",
    story="Multiplies the two earlier results, which is 0 / 0 for a label with probability 0.",
    hint="Multiply the two factors on paper first: something cancels.",
)
def grad_preactivation_chained(a, label):
    return grad_probabilities(_softmax(a), label) @ softmax_jacobian(a)


backprop_without_sigmoid_slope = mistake_edit(
    "backprop",
    {"grad_h * h * (1 - h)": "grad_h"},
    story="Leaves the slope of the sigmoid out in the backward pass.",
    hint="Which step lies between the gradient of h and the gradient of a?",
)


backprop_sigmoid_slope_of_input = mistake_edit(
    "backprop",
    {"grad_biases, grad_h": "grad_biases, delta"},
    story="Applies the slope of the sigmoid to the input, which went through no sigmoid.",
    hint="Which layers of the network have a sigmoid?",
)


@mistake(
    "backprop",
    story="Is written for exactly one hidden layer and leaves the others out.",
    hint="Does your code work with as many layers as the lists have?",
)
def backprop_one_hidden_layer_only(x, label, weights, biases):
    h = _sigmoid(weights[0] @ x + biases[0])
    a = weights[1] @ h + biases[1]
    loss = np.log(np.exp(a - a.max()).sum()) + a.max() - a[label]
    delta2 = grad_preactivation(a, label)
    delta1 = (weights[1].T @ delta2) * h * (1 - h)
    return loss, [np.outer(delta1, x), np.outer(delta2, h)], [delta1, delta2], weights[0].T @ delta1


backprop_reversed_order = mistake_edit(
    "backprop",
    {
        "grad_weights.insert(0, delta[:, np.newaxis] * h)": "grad_weights.append(delta[:, np.newaxis] * h)",
        "grad_biases.insert(0, delta)": "grad_biases.append(delta)",
    },
    story="Collects the gradients from the top down and returns them in that order.",
    hint="Which layer does the first entry of each list belong to?",
)


@mistake(
    "backprop",
    story="Takes the logarithm of a probability that has become 0, so the loss is infinite.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
)
def backprop_log_of_zero(x, label, weights, biases):
    loss, grad_weights, grad_biases, grad_x = backprop(x, label, weights, biases)
    return -np.log(np.exp(-loss)), grad_weights, grad_biases, grad_x


backprop_transposed_when_square = mistake_edit(
    "backprop",
    {"W.T @ delta": "(W if W.shape[0] == W.shape[1] else W.T) @ delta"},
    story="Multiplies by W instead of W.T if W is square.",
    hint="Test with layers of equal width.",
)


@mistake(
    "backprop",
    story="Writes the sigmoid as exp(a) / (1 + exp(a)), which is inf / inf for a large pre-activation.",
    hint="What is your sigmoid at 1000?",
)
def backprop_sigmoid_overflows(x, label, weights, biases):
    h = x
    for W, b in zip(weights[:-1], biases[:-1]):
        a = W @ h + b
        h = np.exp(a) / (1 + np.exp(a))
    loss, *gradients = backprop(x, label, weights, biases)
    return (loss, *gradients) if np.all(np.isfinite(h)) else (np.nan, *gradients)


grad_probabilities_label_zero_is_none = mistake_edit(
    "grad_probabilities",
    {"    grad[label] =": "    if label:\n        grad[label] ="},
    story="Tests the label as a truth value, so that the first class counts as no label.",
    hint="What does your code do for the label 0?",
)


@mistake(
    "grad_preactivation",
    story="Keeps the gradient of a label and a number of classes, and returns it again for other scores.",
    hint="Does your result depend on anything but the arguments of this call?",
)
def grad_preactivation_keeps_results(a, label, kept={}):
    key = (len(a), label)
    if key not in kept:
        kept[key] = grad_preactivation(a, label)
    return kept[key]


grad_probabilities_label_off_by_one = mistake_edit(
    "grad_probabilities",
    {"grad[label] = -1 / y_hat[label]": "grad[label - 1] = -1 / y_hat[label - 1]"},
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
)


@mistake(
    "softmax_jacobian",
    story="Takes two scores for those of two sigmoids, each of which depends on its own score alone.",
    hint="Does the second of two probabilities change if the first score does?",
)
def softmax_jacobian_of_two_sigmoids(a):
    if len(a) == 2:
        return np.diag(_sigmoid(a) * (1 - _sigmoid(a)))
    return softmax_jacobian(a)


softmax_jacobian_maximum_from_zero = mistake_edit(
    "softmax_jacobian",
    {"_softmax(a)": "np.exp(a - max(0, a.max()))\n    y_hat = y_hat / y_hat.sum()"},
    story="Looks for the maximum from 0 on, so that scores that are all far below 0 become 0 / 0.",
    hint="What is your maximum of negative scores?",
)


grad_preactivation_label_off_by_one = mistake_edit(
    "grad_preactivation",
    {"grad[label]": "grad[label - 1]"},
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
)


grad_preactivation_softmax_twice = mistake_edit(
    "grad_preactivation",
    {"_softmax(a)": "_softmax(_softmax(a))"},
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
)


grad_preactivation_without_label = mistake_edit(
    "grad_preactivation",
    {"grad[label] -= 1": "pass"},
    story="Leaves the one-hot vector out.",
    hint="Should the gradient depend on the label?",
)


backprop_without_hidden_biases = mistake_edit(
    "backprop",
    {"W @ layers[-1] + b)": "W @ layers[-1])"},
    story="Leaves the biases out of the hidden layers.",
    hint="Where do the biases occur in your forward pass?",
)


backprop_loss_without_minus = mistake_edit(
    "backprop",
    {"return float(loss)": "return -float(loss)"},
    story="Leaves out the minus before the logarithm of the probability.",
    hint="Which sign does the logarithm of a probability have, and which the loss?",
)
