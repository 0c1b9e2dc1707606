"""Known wrong answers of q1c_neural."""

import numpy as np

from reference.q1c_neural import (
    _log_softmax,
    _sigmoid,
    _unpack,
    forward,
    forward_backward_prop,
    grad_input,
    sigmoid_grad,
)
from tests.mistakes import mistake


@mistake(
    "sigmoid_grad",
    severity="misconception",
    story="Treats its argument as x and applies the sigmoid once more.",
    hint="Is the argument x, or the value of the sigmoid at x?",
    caught_by=["test_sigmoid_grad", "test_sigmoid_grad_everywhere"],
)
def sigmoid_grad_of_input(s):
    value = 1 / (1 + np.exp(-s))
    return value * (1 - value)


@mistake(
    "sigmoid_grad",
    severity="misconception",
    story="Writes the older handout's sigma(x) sigma(1 - x).",
    hint="Check the formula at s = 0.9.",
    caught_by=["test_sigmoid_grad", "test_sigmoid_grad_everywhere"],
)
def sigmoid_grad_of_one_minus_x(s):
    return s / (1 + np.exp(-(1 - np.log(s / (1 - s)))))


@mistake(
    "sigmoid_grad",
    severity="slip",
    story="Loops over rows and columns, and stops with an error on anything that is not a matrix.",
    hint="Try your function on a vector and on a number.",
    caught_by=["test_sigmoid_grad_everywhere"],
)
def sigmoid_grad_matrices_only(s):
    rows, columns = s.shape
    return np.array([[s[n, i] * (1 - s[n, i]) for i in range(columns)] for n in range(rows)])


@mistake(
    "forward",
    severity="misconception",
    story="Returns the cost -log p and not the probability.",
    hint="Does your result grow when the class becomes more likely?",
    caught_by=["test_forward", "test_forward_everywhere"],
)
def forward_cost(data, label, params, dimensions):
    return -np.log(forward(data, label, params, dimensions))


@mistake(
    "forward",
    severity="misconception",
    story="Uses the label as the number of the row; there is only one row.",
    hint="Which axis of the probabilities is the axis of the classes?",
    caught_by=["test_forward", "test_forward_everywhere"],
)
def forward_label_as_row(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))[label]


@mistake(
    "forward",
    severity="misconception",
    story="Returns all probabilities, as an array.",
    hint="How many numbers should the function return?",
    caught_by=["test_forward", "test_forward_everywhere"],
)
def forward_all_classes(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))


@mistake(
    "forward",
    severity="fundamental",
    story="Returns the largest probability for every label.",
    hint="Try every label: the results should add up to 1.",
    caught_by=["test_forward", "test_forward_everywhere"],
)
def forward_largest(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2)).max()


@mistake(
    "forward",
    severity="slip",
    story="Fills W1 column by column if it is square.",
    hint="In which order are the entries of a matrix in params?",
    caught_by=["test_forward_everywhere"],
)
def forward_transposed_when_square(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    W1 = W1.T if W1.shape[0] == W1.shape[1] else W1
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))[0, label]


@mistake(
    "forward",
    severity="slip",
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000)?",
    caught_by=["test_forward_everywhere"],
)
def forward_overflows(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    exponentials = np.exp(_sigmoid(data @ W1 + b1) @ W2 + b2)
    return exponentials[0, label] / exponentials.sum()


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Averages the cost but sums the gradient; a batch of one row hides it.",
    hint="Compare the factors by which cost and gradient change if each row is in the batch twice.",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_mean_cost(data, labels, params, dimensions):
    cost, grad = forward_backward_prop(data, labels, params, dimensions)
    return cost / len(data), grad


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Returns the cost of each example and does not add them up; a batch of one row hides it.",
    hint="How many numbers is the cost of a batch?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop_finite_cost",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_cost_not_summed(data, labels, params, dimensions):
    rows = zip(data, labels)
    costs = [forward_backward_prop(x[None], y[None], params, dimensions)[0] for x, y in rows]
    return np.array(costs), forward_backward_prop(data, labels, params, dimensions)[1]


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Averages the gradient but sums the cost; a batch of one row hides it.",
    hint="Compare the factors by which cost and gradient change if each row is in the batch twice.",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_mean_gradient(data, labels, params, dimensions):
    cost, grad = forward_backward_prop(data, labels, params, dimensions)
    return cost, grad / len(data)


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Averages the bias gradients over the batch; those of the weights are summed.",
    hint="Compare how the rows of the batch are combined in each of your four gradients.",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_bias_mean(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(h @ W2 + b2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, delta1.mean(axis=0), h.T @ delta2, delta2.mean(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Does not add the bias gradients up over the batch; a batch of one row hides it.",
    hint="How long is your gradient, and how long is params?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_bias_not_summed(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(h @ W2 + b2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, delta1, h.T @ delta2, delta2]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Passes the pre-activation to sigmoid_grad, which takes the sigmoid's value.",
    hint="What does sigmoid_grad expect: the value of the sigmoid or its argument?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_slope_of_input(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    z = data @ W1 + b1
    h = _sigmoid(z)
    log_y_hat = _log_softmax(h @ W2 + b2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(z)
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Computes the slope of the sigmoid and never uses it.",
    hint="Which step lies between the gradient of the hidden values and the gradient of their scores?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_without_slope(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(h @ W2 + b2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Concatenates the gradients as W1, W2, b1, b2.",
    hint="In which order are the four parts in params?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_other_order(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(h @ W2 + b2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, h.T @ delta2, delta1.sum(axis=0), delta2.sum(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Multiplies by W2 instead of W2.T if W2 is square.",
    hint="Test with as many classes as hidden units.",
    caught_by=["test_forward_backward_prop_everywhere"],
)
def forward_backward_prop_transposed_when_square(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(h @ W2 + b2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ (W2 if W2.shape[0] == W2.shape[1] else W2.T) * sigmoid_grad(h)
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Takes the logarithm of a probability that has become 0: the cost is infinite or NaN.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
    caught_by=["test_forward_backward_prop_finite_cost"],
)
def forward_backward_prop_log_of_zero(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    y_hat = np.exp(_log_softmax(h @ W2 + b2))
    delta2 = y_hat - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    return -np.sum(labels * np.log(y_hat)), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "grad_input",
    severity="slip",
    story="Multiplies by W1 instead of W1.T if W1 is square.",
    hint="Test with as many features as hidden units.",
    caught_by=["test_grad_input_everywhere"],
)
def grad_input_transposed_when_square(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    y_hat = np.exp(_log_softmax(h @ W2 + b2))
    delta1 = (y_hat - labels) @ W2.T * h * (1 - h)
    return delta1 @ (W1 if W1.shape[0] == W1.shape[1] else W1.T)


@mistake(
    "grad_input",
    severity="misconception",
    story="Leaves the slope of the sigmoid out.",
    hint="Which step lies between the gradient of the hidden values and the gradient of their scores?",
    caught_by=["test_grad_input_own_gradient", "test_grad_input", "test_grad_input_everywhere"],
)
def grad_input_without_slope(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    y_hat = np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))
    return (y_hat - labels) @ W2.T @ W1.T


@mistake(
    "grad_input",
    severity="misconception",
    story="Adds the gradient up over the batch, one row for all examples.",
    hint="Does the cost of one example depend on the data of another?",
    caught_by=["test_grad_input_own_gradient", "test_grad_input", "test_grad_input_everywhere"],
)
def grad_input_summed(data, labels, params, dimensions):
    return grad_input(data, labels, params, dimensions).sum(axis=0)


@mistake(
    "grad_input",
    severity="slip",
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000)?",
    caught_by=["test_grad_input_everywhere"],
)
def grad_input_overflows(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    exponentials = np.exp(h @ W2 + b2)
    y_hat = exponentials / exponentials.sum(axis=1, keepdims=True)
    return ((y_hat - labels) @ W2.T * h * (1 - h)) @ W1.T


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Takes the maximum of the whole batch out of the scores, so that rows with much smaller scores become 0.",
    hint="Whose maximum do you subtract?",
    caught_by=["test_forward_backward_prop_finite_cost", "test_forward_backward_prop_everywhere"],
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


@mistake(
    "forward",
    severity="slip",
    story="Writes the sigmoid as exp(z) / (1 + exp(z)), which is inf / inf for a large pre-activation.",
    hint="What is your sigmoid at 1000?",
    caught_by=["test_forward_everywhere"],
)
def forward_sigmoid_overflows(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    z = data @ W1 + b1
    h = np.exp(z) / (1 + np.exp(z))
    return np.exp(_log_softmax(h @ W2 + b2))[0, label]


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Writes the sigmoid as exp(z) / (1 + exp(z)), which is inf / inf for a large pre-activation.",
    hint="What is your sigmoid at 1000?",
    caught_by=["test_forward_backward_prop_everywhere"],
)
def forward_backward_prop_sigmoid_overflows(data, labels, params, dimensions):
    W1, b1, _, _ = _unpack(params, dimensions)
    z = data @ W1 + b1
    cost, grad = forward_backward_prop(data, labels, params, dimensions)
    return (cost, grad) if np.isfinite(np.exp(z)).all() else (np.nan, grad * np.nan)


@mistake(
    "forward",
    severity="fundamental",
    story="Takes the parameters apart once for each dimensions, and uses these parts for other parameters too.",
    hint="Does your result depend on anything but the arguments of this call?",
    caught_by=["test_forward_everywhere"],
)
def forward_keeps_the_parameters(data, label, params, dimensions, kept={}):
    W1, b1, W2, b2 = kept.setdefault(tuple(dimensions), _unpack(params, dimensions))
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))[0, label]


@mistake(
    "forward",
    severity="misconception",
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your code?",
    caught_by=["test_forward", "test_forward_everywhere"],
)
def forward_without_output_bias(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2))[0, label]


@mistake(
    "forward",
    severity="slip",
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
    caught_by=["test_forward", "test_forward_everywhere"],
)
def forward_label_off_by_one(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    return np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))[0, label - 1]


@mistake(
    "forward",
    severity="misconception",
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
    caught_by=["test_forward", "test_forward_everywhere"],
)
def forward_softmax_twice(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    y_hat = np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2))
    return np.exp(_log_softmax(y_hat))[0, label]


@mistake(
    "forward",
    severity="slip",
    story="Looks for the maximum of the scores from 0 on, so that scores that are all far below 0 become 0 / 0.",
    hint="What is your maximum of negative scores?",
    caught_by=["test_forward_everywhere"],
)
def forward_maximum_from_zero(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    scores = _sigmoid(data @ W1 + b1) @ W2 + b2
    exponentials = np.exp(scores - np.maximum(scores.max(), 0))
    return exponentials[0, label] / exponentials.sum()


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Takes the logarithm to the base 2.",
    hint="To which base is your logarithm?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop_finite_cost",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_cost_in_bits(data, labels, params, dimensions):
    cost, grad = forward_backward_prop(data, labels, params, dimensions)
    return cost / np.log(2), grad


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Leaves out the minus before the logarithms of the probabilities.",
    hint="Which sign does the logarithm of a probability have, and which the cost?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop_finite_cost",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_cost_without_minus(data, labels, params, dimensions):
    cost, grad = forward_backward_prop(data, labels, params, dimensions)
    return -cost, grad


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your forward pass?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop_finite_cost",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_without_output_bias(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(h @ W2)
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Leaves the labels out of the gradient: goes back from y_hat and not from y_hat - y.",
    hint="Does your gradient depend on the labels?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_without_labels(data, labels, params, dimensions):
    cost, _ = forward_backward_prop(data, labels, params, dimensions)
    return cost, forward_backward_prop(data, 0 * labels, params, dimensions)[1]


@mistake(
    "forward_backward_prop",
    severity="misconception",
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
    caught_by=[
        "test_forward_backward_prop_own_gradient",
        "test_forward_backward_prop_finite_cost",
        "test_forward_backward_prop",
        "test_forward_backward_prop_everywhere",
    ],
)
def forward_backward_prop_softmax_twice(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    log_y_hat = _log_softmax(np.exp(_log_softmax(h @ W2 + b2)))
    delta2 = np.exp(log_y_hat) - labels
    delta1 = delta2 @ W2.T * sigmoid_grad(h)
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    return -np.sum(labels * log_y_hat), np.concatenate([grad.ravel() for grad in grads])


@mistake(
    "forward_backward_prop",
    severity="slip",
    story="Returns the gradient before the cost.",
    hint="In which order does the caller expect the cost and the gradient?",
    caught_by=["test_forward_backward_prop_finite_cost", "test_forward_backward_prop"],
)
def forward_backward_prop_outputs_swapped(data, labels, params, dimensions):
    cost, grad = forward_backward_prop(data, labels, params, dimensions)
    return grad, cost


@mistake(
    "grad_input",
    severity="misconception",
    story="Leaves the labels out: goes back from y_hat and not from y_hat - y.",
    hint="Does your gradient depend on the labels?",
    caught_by=["test_grad_input_own_gradient", "test_grad_input", "test_grad_input_everywhere"],
)
def grad_input_without_labels(data, labels, params, dimensions):
    return grad_input(data, 0 * labels, params, dimensions)


@mistake(
    "grad_input",
    severity="misconception",
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your forward pass?",
    caught_by=["test_grad_input_own_gradient", "test_grad_input", "test_grad_input_everywhere"],
)
def grad_input_without_output_bias(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    y_hat = np.exp(_log_softmax(h @ W2))
    return ((y_hat - labels) @ W2.T * h * (1 - h)) @ W1.T


@mistake(
    "grad_input",
    severity="slip",
    story="Squeezes the gradient of the hidden scores, which stops with an error for one hidden unit.",
    hint="Try a network of one hidden unit.",
    caught_by=["test_grad_input_everywhere"],
)
def grad_input_squeezes(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    y_hat = np.exp(_log_softmax(h @ W2 + b2))
    delta1 = np.squeeze((y_hat - labels) @ W2.T * h * (1 - h))
    return delta1 @ W1.T
