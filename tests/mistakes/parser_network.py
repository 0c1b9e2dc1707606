"""Known wrong answers of parser_network."""

import numpy as np

from reference.parser_network import (
    cross_entropy,
    cross_entropy_grad,
    hidden_backward,
    hidden_forward,
)
from tests.mistakes import mistake, mistake_edit

# The backward pass of the hidden layer in loss_and_gradients, and what stands there without the slope of the ReLU.
BACKWARD = '_, grad_W, grad_b1 = hidden_backward(grad_h, x, params["W"], params["b1"])'
WITHOUT_RELU = "grad_W, grad_b1 = x.T @ grad_h, grad_h.sum(axis=0)"

relu_absolute = mistake_edit(
    "relu",
    {"np.maximum(z, 0)": "np.abs(z)"},
    story="Takes the absolute value, so negative entries come out positive.",
    hint="What should a negative entry become?",
)


relu_leaky = mistake_edit(
    "relu",
    {"np.maximum(z, 0)": "np.maximum(z, 0.01 * z)"},
    story="Lets a hundredth of every negative entry through (a leaky ReLU).",
    hint="Compare your values for negative numbers with the graph of ReLU.",
)


relu_slope = mistake_edit(
    "relu",
    {"np.maximum(z, 0)": "(z > 0).astype(float)"},
    story="Returns the slope (0 or 1) and not the value.",
    hint="Is this the function, or its derivative?",
)


@mistake(
    "relu",
    story="Loops over rows and columns, and stops with an error on anything that is not a matrix.",
    hint="Try your function on a vector.",
)
def relu_matrices_only(z):
    rows, columns = z.shape
    return np.array([[max(z[n, i], 0) for i in range(columns)] for n in range(rows)])


hidden_forward_linear = mistake_edit(
    "hidden_forward",
    {"relu(z)": "z"},
    story="Leaves out the ReLU: the layer is linear.",
    hint="Can your hidden units be negative?",
)


hidden_forward_bias_outside = mistake_edit(
    "hidden_forward",
    {"x @ W + b1": "x @ W", "relu(z)": "relu(z) + b1"},
    story="Adds the bias after the ReLU.",
    hint="Which quantity goes into the ReLU?",
)


hidden_forward_transposed_when_square = mistake_edit(
    "hidden_forward",
    {"x @ W": "x @ (W.T if W.shape[1] == x.shape[1] else W)"},
    story="Transposes the weights if the shapes allow it, so that square layers come out wrong.",
    hint="Test with a weight matrix that is square and not symmetric.",
)


hidden_jacobian_transposed = mistake_edit(
    "hidden_jacobian",
    {"active[:, np.newaxis] * W.T": "W * active"},
    story="Returns the weights without transposing them: row and column are exchanged.",
    hint="Which index of the Jacobian counts the outputs?",
)


hidden_jacobian_reshaped = mistake_edit(
    "hidden_jacobian",
    {"active[:, np.newaxis] * W.T": "(W * active).reshape(W.shape[1], W.shape[0])"},
    story="Reshapes the weights instead of transposing them, which does not exchange rows and columns.",
    hint="A reshape keeps the order of the entries in memory; what does a transpose do?",
)


hidden_jacobian_without_mask = mistake_edit(
    "hidden_jacobian",
    {"active[:, np.newaxis] * W.T": "W.T"},
    story="Forgets the slope of the ReLU: inactive units pass their weights on.",
    hint="How much does an inactive unit change when its input changes a little?",
)


hidden_jacobian_mask_without_bias = mistake_edit(
    "hidden_jacobian",
    {"x @ W + b1": "x @ W"},
    story="Leaves the bias out of the pre-activation, so the wrong units count as active.",
    hint="Which quantity decides whether a unit is active?",
)


hidden_jacobian_slope_one_at_zero = mistake_edit(
    "hidden_jacobian",
    {"z > 0": "z >= 0"},
    story="Lets a unit pass its weights on if the pre-activation is exactly 0.",
    hint="Read in the assignment which slope ReLU has at 0.",
)


hidden_backward_without_mask = mistake_edit(
    "hidden_backward",
    {" * (z > 0)": ""},
    story="Forgets the slope of the ReLU: the gradient passes through inactive units.",
    hint="What is the derivative of h with respect to z if z is negative?",
)


hidden_backward_mask_of_gradient = mistake_edit(
    "hidden_backward",
    {"(z > 0)": "(grad_h > 0)"},
    story="Takes the mask from the sign of the gradient, not from the pre-activation.",
    hint="Which layer's values decide where the ReLU has slope 1?",
)


hidden_backward_bias_mean = mistake_edit(
    "hidden_backward",
    {"delta.sum(axis=0)": "delta.mean(axis=0)"},
    story="Averages the bias gradient over the batch; the weights' gradient is summed.",
    hint="Compare how the rows of the batch are combined in each of your three gradients.",
)


hidden_backward_averaged = mistake_edit(
    "hidden_backward",
    {"grad_h * (z > 0)": "grad_h * (z > 0) / len(x)"},
    story="Divides by the number of rows, although grad_h is already the gradient of the whole loss; one row hides it.",
    hint="Which function takes the mean over the batch, and does grad_h contain it already?",
)


hidden_backward_bias_not_summed = mistake_edit(
    "hidden_backward",
    {"delta.sum(axis=0)": "delta"},
    story="Returns one bias gradient for each row, without adding them up; a batch of one row hides it.",
    hint="Compare the shape of the bias with the shape of its gradient.",
)


hidden_backward_transposed_when_square = mistake_edit(
    "hidden_backward",
    {"delta @ W.T": "delta @ (W if W.shape[0] == W.shape[1] else W.T)"},
    story="Multiplies by W instead of W.T if W is square.",
    hint="Test with a weight matrix that is square and not symmetric.",
)


hidden_backward_slope_one_at_zero = mistake_edit(
    "hidden_backward",
    {"z > 0": "z >= 0"},
    story="Lets the gradient through if the pre-activation is exactly 0.",
    hint="Read in the assignment which slope ReLU has at 0.",
)


softmax_over_columns = mistake_edit(
    "softmax",
    {
        "logits - logits.max(axis=1, keepdims=True)": "logits - logits.max(axis=0)",
        "exponentials.sum(axis=1, keepdims=True)": "exponentials.sum(axis=0)",
    },
    story="Normalises every column instead of every row.",
    hint="Add up a row of your result.",
)


softmax_without_keepdims = mistake_edit(
    "softmax",
    {"exponentials.sum(axis=1, keepdims=True)": "exponentials.sum(axis=1)"},
    story="Divides by the row sums without keeping their axis: an error, or silently wrong if N equals C.",
    hint="What shape do the sums of the rows have, and how does numpy broadcast it with the matrix?",
)


softmax_over_everything = mistake_edit(
    "softmax",
    {
        "logits - logits.max(axis=1, keepdims=True)": "logits - logits.max()",
        "exponentials.sum(axis=1, keepdims=True)": "exponentials.sum()",
    },
    story="Divides by the sum over the entire matrix, so that all rows together sum to 1.",
    hint="Add up a row of your result.",
)


softmax_overflows = mistake_edit(
    "softmax",
    {"logits - logits.max(axis=1, keepdims=True)": "logits"},
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000), and which number can be subtracted from a whole row without changing its softmax?",
)


softmax_one_maximum = mistake_edit(
    "softmax",
    {"logits - logits.max(axis=1, keepdims=True)": "logits - logits.max()"},
    story="Subtracts the maximum of the whole matrix from every row, so that a row of small scores becomes 0 / 0.",
    hint="What happens to a row whose scores are all far below the largest of the matrix?",
)


@mistake(
    "softmax",
    story="Works in place and so overwrites the caller's logits.",
    hint="Compare the argument before and after the call.",
)
def softmax_in_place(logits):
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits


cross_entropy_summed = mistake_edit(
    "cross_entropy",
    {"log_likelihood.mean()": "log_likelihood.sum()"},
    story="Returns the sum of the losses of the rows instead of their mean; a batch of one row hides it.",
    hint="Should the loss change if the same row is in the batch twice?",
)


cross_entropy_mean_over_classes = mistake_edit(
    "cross_entropy",
    {"log_likelihood.mean()": "log_likelihood.mean() / logits.shape[1]"},
    story="Averages over all entries of the one-hot matrix, so the loss is too small by the number of classes.",
    hint="How many numbers do you add, and by what do you divide?",
)


cross_entropy_picks_rows = mistake_edit(
    "cross_entropy",
    {"return float(-log_likelihood.mean())": "return -np.log(softmax(logits))[labels].sum(axis=1).mean()"},
    story="Picks whole rows by the labels instead of one entry in each row.",
    hint="Print the shape of the array that you index with the labels.",
)


cross_entropy_without_log = mistake_edit(
    "cross_entropy",
    {"return float(-log_likelihood.mean())": "return -np.exp(log_likelihood).mean()"},
    story="Returns minus the mean probability of the labels, without the logarithm.",
    hint="Does your loss grow when the right class becomes unlikely?",
)


cross_entropy_log_of_zero = mistake_edit(
    "cross_entropy",
    {"return float(-log_likelihood.mean())": "return -np.log(np.exp(log_likelihood)).mean()"},
    story="Takes the logarithm of a probability that has become 0, so the loss is infinite.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
)


cross_entropy_epsilon = mistake_edit(
    "cross_entropy",
    {"return float(-log_likelihood.mean())": "return -np.log(np.exp(log_likelihood) + 1e-12).mean()"},
    story="Adds a small number inside the logarithm, which caps the loss of an unlikely label.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
)


cross_entropy_grad_not_averaged = mistake_edit(
    "cross_entropy_grad",
    {"grad / len(labels)": "grad"},
    story="Leaves out the division by the number of rows; a batch of one row hides it.",
    hint="Is the loss a sum or a mean over the rows?",
)


cross_entropy_grad_without_labels = mistake_edit(
    "cross_entropy_grad",
    {"    grad[np.arange(len(labels)), labels] -= 1  # (N, C)\n": ""},
    story="Returns the probabilities and never subtracts the labels.",
    hint="Should the gradient depend on the labels?",
)


cross_entropy_grad_negative = mistake_edit(
    "cross_entropy_grad",
    {"grad / len(labels)": "-grad / len(labels)"},
    story="Returns the opposite sign: labels minus probabilities.",
    hint="Should a step against the gradient raise or lower the score of the right class?",
)


cross_entropy_grad_whole_columns = mistake_edit(
    "cross_entropy_grad",
    {"np.arange(len(labels)), labels": ":, labels"},
    story="Subtracts 1 from whole columns: every label is applied to every row.",
    hint="How many entries of the gradient should a single label change?",
)


cross_entropy_grad_overflows = mistake_edit(
    "cross_entropy_grad",
    {"softmax(logits)": "np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)"},
    story="Computes its own softmax without subtracting the maximum, which overflows.",
    hint="What is exp(1000)?",
)


loss_and_gradients_linear = mistake_edit(
    "loss_and_gradients",
    {
        'hidden_forward(x, params["W"], params["b1"])': 'x @ params["W"] + params["b1"]',
        BACKWARD: WITHOUT_RELU,
    },
    story="Leaves the ReLU out in the forward and the backward pass.",
    hint="Compare your hidden layer with hidden_forward.",
)


loss_and_gradients_without_mask = mistake_edit(
    "loss_and_gradients",
    {BACKWARD: WITHOUT_RELU},
    story="Leaves the slope of the ReLU out in the backward pass.",
    hint="Which step lies between the gradient of h and the gradient of z?",
)


loss_and_gradients_mask_of_input_when_square = mistake_edit(
    "loss_and_gradients",
    {BACKWARD: "grad_h *= (x if x.shape == h.shape else h) > 0\n    " + WITHOUT_RELU},
    story="Takes the slope of the ReLU from the input x if it has the shape of h.",
    hint="Which array do you compare with 0, and is it the one that goes into the ReLU?",
)


loss_and_gradients_bias_mean = mistake_edit(
    "loss_and_gradients",
    {'"b1": grad_b1,': '"b1": grad_b1 / len(x),', '"b2": grad_b2}': '"b2": grad_b2 / len(x)}'},
    story="Takes the mean over the batch a second time in the bias gradients.",
    hint="Where does the factor 1/N enter, and how often?",
)


loss_and_gradients_transposed_when_square = mistake_edit(
    "loss_and_gradients",
    {'params["U"].T': '(params["U"] if len(params["U"]) == len(params["b2"]) else params["U"].T)'},
    story="Multiplies by U instead of U.T if U is square.",
    hint="Test with as many classes as hidden units.",
)


loss_and_gradients_slope_one_at_zero = mistake_edit(
    "loss_and_gradients",
    {BACKWARD: 'grad_h *= x @ params["W"] + params["b1"] >= 0\n    ' + WITHOUT_RELU},
    story="Lets the gradient through if the pre-activation is exactly 0.",
    hint="Read in the assignment which slope ReLU has at 0.",
)


@mistake(
    "loss_and_gradients",
    story="Writes its own softmax and logarithm, which overflow for large scores.",
    hint="Use the functions that you have already made stable.",
)
def loss_and_gradients_overflows(params, x, labels):
    rows = np.arange(len(labels))
    h = hidden_forward(x, params["W"], params["b1"])
    exponentials = np.exp(h @ params["U"] + params["b2"])
    y_hat = exponentials / exponentials.sum(axis=1, keepdims=True)
    loss = -np.log(y_hat[rows, labels]).mean()
    y_hat[rows, labels] -= 1
    delta = y_hat / len(labels)
    grad_x, grad_W, grad_b1 = hidden_backward(delta @ params["U"].T, x, params["W"], params["b1"])
    return loss, {"W": grad_W, "b1": grad_b1, "U": h.T @ delta, "b2": delta.sum(axis=0)}


relu_stops_at_six = mistake_edit(
    "relu",
    {"np.maximum(z, 0)": "np.minimum(np.maximum(z, 0), 6)"},
    story="Cuts values off at 6, as some libraries' ReLU6 does.",
    hint="What is your result for a large argument?",
)


@mistake(
    "cross_entropy",
    story="Takes the maximum of the whole batch out, so that rows with much smaller scores become 0.",
    hint="Whose maximum do you subtract?",
)
def cross_entropy_maximum_of_the_batch(logits, labels):
    shifted = logits - logits.max()
    likelihood = np.exp(shifted) / np.maximum(np.exp(shifted).sum(axis=1, keepdims=True), 1e-300)
    return float(-np.log(np.maximum(likelihood[np.arange(len(labels)), labels], 1e-300)).mean())


loss_and_gradients_params_in_order = mistake_edit(
    "loss_and_gradients",
    {"    h = ": '    params = dict(zip(("W", "b1", "U", "b2"), params.values()))\n    h = '},
    story="Unpacks the values of params in the order W, b1, U, b2, which a dict need not have.",
    hint="Do you look the parameters up by their names?",
)


hidden_backward_one_row_as_one_unit = mistake_edit(
    "hidden_backward",
    {"(z > 0)": "(z > 0 if len(x) > 1 else np.any(z > 0))"},
    story="Lets the gradient of a batch of one row through if any unit of the row is active.",
    hint="Try a batch of one row in which some units are active and some are not.",
)


softmax_needs_floats = mistake_edit(
    "softmax",
    {"np.exp(shifted)": "np.exp(shifted, out=shifted)"},
    story="Takes the exponential in place in an array of the scores' type, which fails if they are integers.",
    hint="What type do your shifted scores have when the logits are integers?",
)


cross_entropy_grad_maximum_of_the_batch = mistake_edit(
    "cross_entropy_grad",
    {"softmax(logits)": "np.exp(logits - logits.max())\n    grad = grad / grad.sum(axis=1, keepdims=True)"},
    story="Subtracts the maximum of the whole batch from every row, so that a row of small scores becomes 0 / 0.",
    hint="Whose maximum do you subtract?",
)


cross_entropy_counts_classes_of_labels = mistake_edit(
    "cross_entropy",
    {"float(-log_likelihood.mean())": "-log_likelihood.mean() + 0 * (np.eye(labels.max() + 1)[labels] * logits).sum()"},
    story="Counts the classes of the labels, and stops with an error where the last class is not among them.",
    hint="Where does your number of classes come from: from the labels or from the logits?",
)


@mistake(
    "loss_and_gradients",
    story="Has lines of its own for a batch of one row, and forgets the slope of the ReLU there.",
    hint="Compare your gradients of a batch of one row with those of the same row twice.",
)
def loss_and_gradients_one_row_apart(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h @ params["U"] + params["b2"]
    delta = cross_entropy_grad(logits, labels)
    grad_h = delta @ params["U"].T
    if len(x) == 1:
        grad_W, grad_b1 = np.outer(x[0], grad_h[0]), grad_h[0]
    else:
        grad_x, grad_W, grad_b1 = hidden_backward(grad_h, x, params["W"], params["b1"])
    return cross_entropy(logits, labels), {"W": grad_W, "b1": grad_b1, "U": h.T @ delta, "b2": delta.sum(axis=0)}


@mistake(
    "cross_entropy",
    story="Makes the one-hot matrix once for a number of rows and classes, and uses it again for other labels.",
    hint="Does your result depend on anything but the arguments of this call?",
)
def cross_entropy_keeps_the_labels(logits, labels, kept={}):
    if logits.shape not in kept:
        kept[logits.shape] = np.eye(logits.shape[1])[labels]
    return cross_entropy(logits, kept[logits.shape].argmax(axis=1))


hidden_forward_without_bias = mistake_edit(
    "hidden_forward",
    {"x @ W + b1": "x @ W"},
    story="Leaves out the bias.",
    hint="Where does b1 occur in your code?",
)


hidden_backward_mask_without_bias = mistake_edit(
    "hidden_backward",
    {"x @ W + b1": "x @ W"},
    story="Leaves the bias out of the pre-activation, so the wrong units count as active.",
    hint="Which quantity decides whether a unit is active?",
)


hidden_backward_outputs_swapped = mistake_edit(
    "hidden_backward",
    {"grad_x, grad_W, grad_b1": "grad_W, grad_x, grad_b1"},
    story="Returns the gradient of W before that of x.",
    hint="In which order does the caller expect the three gradients?",
)


hidden_backward_squeezes = mistake_edit(
    "hidden_backward",
    {"grad_h * (z > 0)": "np.squeeze(grad_h * (z > 0))"},
    story="Squeezes the gradient of the hidden units, which stops with an error for one row or one unit.",
    hint="Try a batch of one row, and a layer of one unit.",
)


softmax_maximum_from_zero = mistake_edit(
    "softmax",
    {"logits.max(axis=1, keepdims=True)": "np.maximum(logits.max(axis=1, keepdims=True), 0)"},
    story="Looks for the maximum of a row from 0 on, so that scores that are all far below 0 become 0 / 0.",
    hint="What is your maximum of a row of negative scores?",
)


cross_entropy_labels_off_by_one = mistake_edit(
    "cross_entropy",
    {"labels] -": "labels - 1] -"},
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
)


cross_entropy_in_bits = mistake_edit(
    "cross_entropy",
    {"return float(-log_likelihood.mean())": "return float(-log_likelihood.mean()) / np.log(2)"},
    story="Takes the logarithm to the base 2.",
    hint="To which base is your logarithm?",
)


cross_entropy_without_minus = mistake_edit(
    "cross_entropy",
    {"-log_likelihood": "log_likelihood"},
    story="Leaves out the minus before the logarithm of the probability.",
    hint="Which sign does the logarithm of a probability have, and which the loss?",
)


cross_entropy_softmax_twice = mistake_edit(
    "cross_entropy",
    {"    shifted =": "    logits = softmax(logits)\n    shifted ="},
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
)


cross_entropy_zero_times_infinity = mistake_edit(
    "cross_entropy",
    {"float(-log_likelihood.mean())": "-(np.eye(len(logits[0]))[labels] * np.log(softmax(logits))).sum(axis=1).mean()"},
    story="Multiplies the logarithms of all probabilities by the one-hot labels: NaN where a probability is 0.",
    hint="What is 0 times the logarithm of 0?",
)


cross_entropy_grad_labels_off_by_one = mistake_edit(
    "cross_entropy_grad",
    {"labels] -= 1": "labels - 1] -= 1"},
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
)


cross_entropy_grad_softmax_twice = mistake_edit(
    "cross_entropy_grad",
    {"softmax(logits)": "softmax(softmax(logits))"},
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
)


cross_entropy_grad_columns_of_the_labels = mistake_edit(
    "cross_entropy_grad",
    {"grad[np.arange(len(labels)), labels] -= 1": "grad = grad - (labels[:, np.newaxis] == np.unique(labels))"},
    story="Makes a one-hot column for each label that occurs, so that a batch of equal labels has one column.",
    hint="Try a batch in which all labels are equal.",
)


loss_and_gradients_without_output_bias = mistake_edit(
    "loss_and_gradients",
    {' + params["b2"]': ""},
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your code?",
)


loss_and_gradients_softmax_twice = mistake_edit(
    "loss_and_gradients",
    {'h @ params["U"] + params["b2"]': 'softmax(h @ params["U"] + params["b2"])'},
    story="Hands probabilities to cross_entropy, which takes scores and applies the softmax itself.",
    hint="What does cross_entropy expect: scores or probabilities?",
)


loss_and_gradients_outputs_swapped = mistake_edit(
    "loss_and_gradients",
    {'return loss, {"W"': 'return {"W"', '"b2": grad_b2}': '"b2": grad_b2}, loss'},
    story="Returns the gradients before the loss.",
    hint="In which order does the caller expect the loss and the gradients?",
)


cross_entropy_counts_classes = mistake_edit(
    "cross_entropy",
    {"-log_likelihood": "(sum(-np.log(softmax(logits)[n, labels[n]]) for n in range(len(logits.T))) / len(labels))"},
    story="Loops over as many rows as there are classes: later rows are left out, or missing ones are an error.",
    hint="Which entry of logits.shape is the number of rows?",
)
