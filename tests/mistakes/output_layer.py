"""Known wrong answers of output_layer."""

import numpy as np

from reference.output_layer import _sigmoid, grad_preactivation
from tests.mistakes import mistake, mistake_edit

grad_probabilities_positive = mistake_edit(
    "grad_probabilities",
    {"-1 / y_hat[label]": "1 / y_hat[label]"},
    story="Forgets the minus sign of the negative logarithm.",
    hint="Does the loss grow or shrink when the right class becomes more likely?",
)


grad_probabilities_of_scores = mistake_edit(
    "grad_probabilities",
    {"grad[label] = -1 / y_hat[label]": "grad = y_hat - np.eye(len(y_hat))[label]"},
    story="Returns the gradient with respect to the scores, y_hat - e(label), one step too far back.",
    hint="With respect to what is this gradient taken?",
)


softmax_jacobian_diagonal = mistake_edit(
    "softmax_jacobian",
    {"np.diag(y_hat) - np.outer(y_hat, y_hat)": "np.diag(y_hat * (1 - y_hat))"},
    story="Fills the diagonal only, as if every probability depended on its own score alone.",
    hint="What happens to the other probabilities when one score grows?",
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


grad_preactivation_sigmoid_slope = mistake_edit(
    "grad_preactivation",
    {"return grad": "return grad * _softmax(a) * (1 - _softmax(a))"},
    story="Multiplies by y_hat (1 - y_hat), as for a sigmoid output with squared error.",
    hint="Write the chain rule out with the whole Jacobian of the softmax.",
)


backprop_without_sigmoid_slope = mistake_edit(
    "backprop",
    {"grad_h * h * (1 - h)": "grad_h"},
    story="Leaves the slope of the sigmoid out in the backward pass.",
    hint="Which step lies between the gradient of h and the gradient of a?",
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


backprop_transposed_when_square = mistake_edit(
    "backprop",
    {"W.T @ delta": "(W if W.shape[0] == W.shape[1] else W.T) @ delta"},
    story="Multiplies by W instead of W.T if W is square.",
    hint="Test with layers of equal width.",
)


grad_preactivation_label_off_by_one = mistake_edit(
    "grad_preactivation",
    {"grad[label]": "grad[label - 1]"},
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
)


backprop_loss_without_minus = mistake_edit(
    "backprop",
    {"return float(loss)": "return -float(loss)"},
    story="Leaves out the minus before the logarithm of the probability.",
    hint="Which sign does the logarithm of a probability have, and which the loss?",
)


backprop_slope_of_preactivation = mistake_edit(
    "backprop",
    {"grad_h * h * (1 - h)": "grad_h * np.log(h / (1 - h)) * (1 - np.log(h / (1 - h)))"},
    story="Writes a (1 - a) with the pre-activation a, and not with the value of the sigmoid.",
    hint="What is the slope of the sigmoid, written with its value?",
)
