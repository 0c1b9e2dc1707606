"""Known wrong answers of q1c_neural."""

import numpy as np

from reference.q1c_neural import (
    _log_softmax,
    _sigmoid,
    _unpack,
    sigmoid_grad,
)
from tests.mistakes import mistake, mistake_edit

sigmoid_grad_of_input = mistake_edit(
    "sigmoid_grad",
    {"return s * (1 - s)": "return _sigmoid(s) * (1 - _sigmoid(s))"},
    story="Treats its argument as x and applies the sigmoid once more.",
    hint="Is the argument x, or the value of the sigmoid at x?",
)


@mistake(
    "sigmoid_grad",
    story="Writes the older handout's sigma(x) sigma(1 - x).",
    hint="Check the formula at s = 0.9.",
)
def sigmoid_grad_of_one_minus_x(s):
    return s / (1 + np.exp(-(1 - np.log(s / (1 - s)))))


@mistake(
    "sigmoid_grad",
    story="Loops over rows and columns, and stops with an error on anything that is not a matrix.",
    hint="Try your function on a vector and on a number.",
)
def sigmoid_grad_matrices_only(s):
    rows, columns = s.shape
    return np.array([[s[n, i] * (1 - s[n, i]) for i in range(columns)] for n in range(rows)])


forward_cost = mistake_edit(
    "forward",
    {"float(y_hat[0, label])": "-np.log(y_hat[0, label])"},
    story="Returns the cost -log p and not the probability.",
    hint="Does your result grow when the class becomes more likely?",
)


forward_label_as_row = mistake_edit(
    "forward",
    {"float(y_hat[0, label])": "y_hat[label]"},
    story="Uses the label as the number of the row; there is only one row.",
    hint="Which axis of the probabilities is the axis of the classes?",
)


forward_all_classes = mistake_edit(
    "forward",
    {"float(y_hat[0, label])": "y_hat"},
    story="Returns all probabilities, as an array.",
    hint="How many numbers should the function return?",
)


forward_largest = mistake_edit(
    "forward",
    {"float(y_hat[0, label])": "y_hat.max()"},
    story="Returns the largest probability for every label.",
    hint="Try every label: the results should add up to 1.",
)


forward_transposed_when_square = mistake_edit(
    "forward",
    {"data @ W1": "data @ (W1.T if W1.shape[0] == W1.shape[1] else W1)"},
    story="Fills W1 column by column if it is square.",
    hint="In which order are the entries of a matrix in params?",
)


forward_overflows = mistake_edit(
    "forward",
    {
        "np.exp(_log_softmax(h @ W2 + b2))": "np.exp(h @ W2 + b2)",
        "float(y_hat[0, label])": "y_hat[0, label] / y_hat.sum()",
    },
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000)?",
)


forward_backward_prop_mean_cost = mistake_edit(
    "forward_backward_prop",
    {"return float(cost)": "return float(cost) / len(data)"},
    story="Averages the cost but sums the gradient; a batch of one row hides it.",
    hint="Compare the factors by which cost and gradient change if each row is in the batch twice.",
)


forward_backward_prop_cost_not_summed = mistake_edit(
    "forward_backward_prop",
    {"-np.sum(labels * log_y_hat)": "-np.sum(labels * log_y_hat, axis=1)", "float(cost)": "cost"},
    story="Returns the cost of each example and does not add them up; a batch of one row hides it.",
    hint="How many numbers is the cost of a batch?",
)


forward_backward_prop_mean_gradient = mistake_edit(
    "forward_backward_prop",
    {"float(cost), grad": "float(cost), grad / len(data)"},
    story="Averages the gradient but sums the cost; a batch of one row hides it.",
    hint="Compare the factors by which cost and gradient change if each row is in the batch twice.",
)


forward_backward_prop_bias_mean = mistake_edit(
    "forward_backward_prop",
    {"delta2.sum(axis=0)": "delta2.mean(axis=0)", "delta1.sum(axis=0)": "delta1.mean(axis=0)"},
    story="Averages the bias gradients over the batch; those of the weights are summed.",
    hint="Compare how the rows of the batch are combined in each of your four gradients.",
)


forward_backward_prop_bias_not_summed = mistake_edit(
    "forward_backward_prop",
    {"delta2.sum(axis=0)": "delta2.ravel()", "delta1.sum(axis=0)": "delta1.ravel()"},
    story="Does not add the bias gradients up over the batch; a batch of one row hides it.",
    hint="How long is your gradient, and how long is params?",
)


forward_backward_prop_slope_of_input = mistake_edit(
    "forward_backward_prop",
    {"sigmoid_grad(h)": "sigmoid_grad(data @ W1 + b1)"},
    story="Passes the pre-activation to sigmoid_grad, which takes the sigmoid's value.",
    hint="What does sigmoid_grad expect: the value of the sigmoid or its argument?",
)


forward_backward_prop_without_slope = mistake_edit(
    "forward_backward_prop",
    {" * sigmoid_grad(h)": ""},
    story="Computes the slope of the sigmoid and never uses it.",
    hint="Which step lies between the gradient of the hidden values and the gradient of their scores?",
)


@mistake(
    "forward_backward_prop",
    story="Concatenates the gradients as W1, W2, b1, b2.",
    hint="In which order are the four parts in params?",
)
def forward_backward_prop_other_order(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(h @ W2 + b2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, h.T @ delta2, delta1.sum(axis=0), delta2.sum(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


forward_backward_prop_transposed_when_square = mistake_edit(
    "forward_backward_prop",
    {"W2.T": "(W2 if W2.shape[0] == W2.shape[1] else W2.T)"},
    story="Multiplies by W2 instead of W2.T if W2 is square.",
    hint="Test with as many classes as hidden units.",
)


forward_backward_prop_log_of_zero = mistake_edit(
    "forward_backward_prop",
    {"labels * log_y_hat": "labels * np.log(np.exp(log_y_hat))"},
    story="Takes the logarithm of a probability that has become 0: the cost is infinite or NaN.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
)


grad_input_transposed_when_square = mistake_edit(
    "grad_input",
    {"delta1 @ W1.T": "delta1 @ (W1 if W1.shape[0] == W1.shape[1] else W1.T)"},
    story="Multiplies by W1 instead of W1.T if W1 is square.",
    hint="Test with as many features as hidden units.",
)


grad_input_without_slope = mistake_edit(
    "grad_input",
    {" * sigmoid_grad(h)": ""},
    story="Leaves the slope of the sigmoid out.",
    hint="Which step lies between the gradient of the hidden values and the gradient of their scores?",
)


grad_input_summed = mistake_edit(
    "grad_input",
    {"return delta1 @ W1.T": "return (delta1 @ W1.T).sum(axis=0)"},
    story="Adds the gradient up over the batch, one row for all examples.",
    hint="Does the cost of one example depend on the data of another?",
)


grad_input_overflows = mistake_edit(
    "grad_input",
    {
        "np.exp(_log_softmax(h @ W2 + b2))": "np.exp(h @ W2 + b2)",
        "(y_hat - labels)": "(y_hat / y_hat.sum(axis=1, keepdims=True) - labels)",
    },
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000)?",
)


@mistake(
    "forward_backward_prop",
    story="Takes the maximum of the whole batch out of the scores, so that rows with much smaller scores become 0.",
    hint="Whose maximum do you subtract?",
)
def forward_backward_prop_maximum_of_the_batch(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    scores = h @ W2 + b2
    exponentials = np.exp(scores - scores.max())
    y_hat = exponentials / np.maximum(exponentials.sum(axis=1, keepdims=True), 1e-300)
    delta2 = y_hat - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    cost = -np.log(np.maximum((y_hat * labels).sum(axis=1), 1e-300)).sum()
    return cost, np.concatenate([grad.ravel() for grad in grads])


forward_sigmoid_overflows = mistake_edit(
    "forward",
    {"_sigmoid(data @ W1 + b1)": "np.exp(data @ W1 + b1) / (1 + np.exp(data @ W1 + b1))"},
    story="Writes the sigmoid as exp(z) / (1 + exp(z)), which is inf / inf for a large pre-activation.",
    hint="What is your sigmoid at 1000?",
)


forward_backward_prop_sigmoid_overflows = mistake_edit(
    "forward_backward_prop",
    {"_sigmoid(data @ W1 + b1)": "np.exp(data @ W1 + b1) / (1 + np.exp(data @ W1 + b1))"},
    story="Writes the sigmoid as exp(z) / (1 + exp(z)), which is inf / inf for a large pre-activation.",
    hint="What is your sigmoid at 1000?",
)


@mistake(
    "forward",
    story="Takes the parameters apart once for each dimensions, and uses these parts for other parameters too.",
    hint="Does your result depend on anything but the arguments of this call?",
)
def forward_keeps_the_parameters(data, label, params, dimensions, kept={}):
    W1, b1, W2, b2 = kept.setdefault(tuple(dimensions), _unpack(params, dimensions))
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))[0, label]


forward_without_output_bias = mistake_edit(
    "forward",
    {"h @ W2 + b2": "h @ W2"},
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your code?",
)


forward_label_off_by_one = mistake_edit(
    "forward",
    {"float(y_hat[0, label])": "y_hat[0, label - 1]"},
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
)


forward_softmax_twice = mistake_edit(
    "forward",
    {"np.exp(_log_softmax(h @ W2 + b2))": "np.exp(_log_softmax(np.exp(_log_softmax(h @ W2 + b2))))"},
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
)


forward_maximum_from_zero = mistake_edit(
    "forward",
    {
        "np.exp(_log_softmax(h @ W2 + b2))": "np.exp(h @ W2 + b2 - max((h @ W2 + b2).max(), 0))",
        "float(y_hat[0, label])": "y_hat[0, label] / y_hat.sum()",
    },
    story="Looks for the maximum of the scores from 0 on, so that scores that are all far below 0 become 0 / 0.",
    hint="What is your maximum of negative scores?",
)


forward_backward_prop_cost_in_bits = mistake_edit(
    "forward_backward_prop",
    {"return float(cost)": "return float(cost) / np.log(2)"},
    story="Takes the logarithm to the base 2.",
    hint="To which base is your logarithm?",
)


forward_backward_prop_cost_without_minus = mistake_edit(
    "forward_backward_prop",
    {"-np.sum": "np.sum"},
    story="Leaves out the minus before the logarithms of the probabilities.",
    hint="Which sign does the logarithm of a probability have, and which the cost?",
)


forward_backward_prop_without_output_bias = mistake_edit(
    "forward_backward_prop",
    {"h @ W2 + b2": "h @ W2"},
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your forward pass?",
)


forward_backward_prop_without_labels = mistake_edit(
    "forward_backward_prop",
    {"np.exp(log_y_hat) - labels": "np.exp(log_y_hat)"},
    story="Leaves the labels out of the gradient: goes back from y_hat and not from y_hat - y.",
    hint="Does your gradient depend on the labels?",
)


forward_backward_prop_softmax_twice = mistake_edit(
    "forward_backward_prop",
    {"_log_softmax(h @ W2 + b2)": "_log_softmax(np.exp(_log_softmax(h @ W2 + b2)))"},
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
)


forward_backward_prop_outputs_swapped = mistake_edit(
    "forward_backward_prop",
    {"float(cost), grad": "grad, float(cost)"},
    story="Returns the gradient before the cost.",
    hint="In which order does the caller expect the cost and the gradient?",
)


grad_input_without_labels = mistake_edit(
    "grad_input",
    {"(y_hat - labels)": "y_hat"},
    story="Leaves the labels out: goes back from y_hat and not from y_hat - y.",
    hint="Does your gradient depend on the labels?",
)


grad_input_without_output_bias = mistake_edit(
    "grad_input",
    {"h @ W2 + b2": "h @ W2"},
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your forward pass?",
)


grad_input_squeezes = mistake_edit(
    "grad_input",
    {"(y_hat - labels) @ W2.T * sigmoid_grad(h)": "np.squeeze((y_hat - labels) @ W2.T * sigmoid_grad(h))"},
    story="Squeezes the gradient of the hidden scores, which stops with an error for one hidden unit.",
    hint="Try a network of one hidden unit.",
)
