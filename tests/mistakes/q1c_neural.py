"""Known wrong answers of q1c_neural."""

import numpy as np

from reference.q1c_neural import _log_softmax, _sigmoid, _unpack, sigmoid_grad
from tests.mistakes import mistake, mistake_edit

sigmoid_grad_of_input = mistake_edit(
    "sigmoid_grad",
    {"return s * (1 - s)": "return _sigmoid(s) * (1 - _sigmoid(s))"},
    story="Treats its argument as x and applies the sigmoid once more.",
    hint="Is the argument x, or the value of the sigmoid at x?",
)


@mistake(
    "sigmoid_grad", story="Writes the older handout's sigma(x) sigma(1 - x).", hint="Check the formula at s = 0.9."
)
def sigmoid_grad_of_one_minus_x(s):
    return s / (1 + np.exp(-(1 - np.log(s / (1 - s)))))


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


forward_backward_prop_without_labels = mistake_edit(
    "forward_backward_prop",
    {"np.exp(log_y_hat) - labels": "np.exp(log_y_hat)"},
    story="Leaves the labels out of the gradient: goes back from y_hat and not from y_hat - y.",
    hint="Does your gradient depend on the labels?",
)


sigmoid_grad_of_tanh = mistake_edit(
    "sigmoid_grad",
    {"return s * (1 - s)": "return 1 - s**2"},
    story="Returns the derivative of tanh from its value.",
    hint="What is the slope of the sigmoid at x = 0, where its value is 0.5?",
)


forward_backward_prop_squeezes = mistake_edit(
    "forward_backward_prop",
    {"delta2 @ W2.T * sigmoid_grad(h)": "np.squeeze(delta2 @ W2.T * sigmoid_grad(h))"},
    story="Drops axes of length 1 from an array of the hidden layer, so that a batch of one row has none left.",
    hint="Which shape has each of your arrays if the batch has one row?",
)
