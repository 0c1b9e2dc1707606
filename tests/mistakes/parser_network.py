"""Known wrong answers of parser_network."""

import numpy as np

from reference.parser_network import (
    cross_entropy,
    cross_entropy_grad,
    hidden_backward,
    hidden_forward,
    loss_and_gradients,
    relu,
    softmax,
)
from tests.mistakes import mistake


@mistake(
    "relu",
    severity="misconception",
    story="Takes the absolute value, so negative entries come out positive.",
    hint="What should a negative entry become?",
    breaks=["h"],
)
def relu_absolute(z):
    return np.abs(z)


@mistake(
    "relu",
    severity="misconception",
    story="Lets a hundredth of every negative entry through (a leaky ReLU).",
    hint="Compare your values for negative numbers with the graph of ReLU.",
    breaks=["h"],
)
def relu_leaky(z):
    return np.where(z > 0, z, 0.01 * z)


@mistake(
    "relu",
    severity="fundamental",
    story="Returns the slope (0 or 1) and not the value.",
    hint="Is this the function, or its derivative?",
    breaks=["h"],
)
def relu_slope(z):
    return (z > 0).astype(float)


@mistake(
    "relu",
    severity="slip",
    story="Loops over rows and columns, and stops with an error on anything that is not a matrix.",
    hint="Try your function on a vector.",
    breaks=["h"],
)
def relu_matrices_only(z):
    rows, columns = z.shape
    return np.array([[max(z[n, i], 0) for i in range(columns)] for n in range(rows)])


@mistake(
    "hidden_forward",
    severity="fundamental",
    story="Leaves out the ReLU: the layer is linear.",
    hint="Can your hidden units be negative?",
    breaks=["h"],
)
def hidden_forward_linear(x, W, b1):
    return x @ W + b1


@mistake(
    "hidden_forward",
    severity="misconception",
    story="Adds the bias after the ReLU.",
    hint="Which quantity goes into the ReLU?",
    breaks=["h"],
)
def hidden_forward_bias_outside(x, W, b1):
    return relu(x @ W) + b1


@mistake(
    "hidden_forward",
    severity="slip",
    story="Transposes the weights if the shapes allow it, so that square layers come out wrong.",
    hint="Test with a weight matrix that is square and not symmetric.",
    breaks=["h"],
)
def hidden_forward_transposed_when_square(x, W, b1):
    return relu((x @ W.T if W.shape[1] == x.shape[1] else x @ W) + b1)


@mistake(
    "hidden_jacobian",
    severity="slip",
    story="Returns the weights without transposing them: row and column are exchanged.",
    hint="Which index of the Jacobian counts the outputs?",
    breaks=["jacobian"],
)
def hidden_jacobian_transposed(x, W, b1):
    return W * (x @ W + b1 > 0)


@mistake(
    "hidden_jacobian",
    severity="misconception",
    story="Reshapes the weights instead of transposing them, which does not exchange rows and columns.",
    hint="A reshape keeps the order of the entries in memory; what does a transpose do?",
    breaks=["jacobian"],
)
def hidden_jacobian_reshaped(x, W, b1):
    return (W * (x @ W + b1 > 0)).reshape(W.shape[1], W.shape[0])


@mistake(
    "hidden_jacobian",
    severity="misconception",
    story="Forgets the slope of the ReLU: inactive units pass their weights on.",
    hint="How much does an inactive unit change when its input changes a little?",
    breaks=["jacobian"],
)
def hidden_jacobian_without_mask(x, W, b1):
    return W.T


@mistake(
    "hidden_jacobian",
    severity="slip",
    story="Leaves the bias out of the pre-activation, so the wrong units count as active.",
    hint="Which quantity decides whether a unit is active?",
    breaks=["jacobian"],
)
def hidden_jacobian_mask_without_bias(x, W, b1):
    return (x @ W > 0)[:, np.newaxis] * W.T


@mistake(
    "hidden_jacobian",
    severity="slip",
    story="Lets a unit pass its weights on if the pre-activation is exactly 0.",
    hint="Read in the assignment which slope ReLU has at 0.",
    breaks=["jacobian"],
)
def hidden_jacobian_slope_one_at_zero(x, W, b1):
    return (x @ W + b1 >= 0)[:, np.newaxis] * W.T


@mistake(
    "hidden_backward",
    severity="misconception",
    story="Forgets the slope of the ReLU: the gradient passes through inactive units.",
    hint="What is the derivative of h with respect to z if z is negative?",
    breaks=["grad_x", "grad_W", "grad_b1"],
)
def hidden_backward_without_mask(grad_h, x, W, b1):
    return grad_h @ W.T, x.T @ grad_h, grad_h.sum(axis=0)


@mistake(
    "hidden_backward",
    severity="misconception",
    story="Takes the mask from the sign of the gradient, not from the pre-activation.",
    hint="Which layer's values decide where the ReLU has slope 1?",
    breaks=["grad_x", "grad_W", "grad_b1"],
)
def hidden_backward_mask_of_gradient(grad_h, x, W, b1):
    delta = grad_h * (grad_h > 0)
    return delta @ W.T, x.T @ delta, delta.sum(axis=0)


@mistake(
    "hidden_backward",
    severity="misconception",
    story="Averages the bias gradient over the batch; the weights' gradient is summed.",
    hint="Compare how the rows of the batch are combined in each of your three gradients.",
    breaks=["grad_b1"],
)
def hidden_backward_bias_mean(grad_h, x, W, b1):
    delta = grad_h * (x @ W + b1 > 0)
    return delta @ W.T, x.T @ delta, delta.mean(axis=0)


@mistake(
    "hidden_backward",
    severity="slip",
    story="Returns one bias gradient for each row, without adding them up; a batch of one row hides it.",
    hint="Compare the shape of the bias with the shape of its gradient.",
    breaks=["grad_b1"],
)
def hidden_backward_bias_not_summed(grad_h, x, W, b1):
    delta = grad_h * (x @ W + b1 > 0)
    return delta @ W.T, x.T @ delta, delta


@mistake(
    "hidden_backward",
    severity="slip",
    story="Multiplies by W instead of W.T if W is square.",
    hint="Test with a weight matrix that is square and not symmetric.",
    breaks=["grad_x"],
)
def hidden_backward_transposed_when_square(grad_h, x, W, b1):
    delta = grad_h * (x @ W + b1 > 0)
    return delta @ (W if W.shape[0] == W.shape[1] else W.T), x.T @ delta, delta.sum(axis=0)


@mistake(
    "hidden_backward",
    severity="slip",
    story="Lets the gradient through if the pre-activation is exactly 0.",
    hint="Read in the assignment which slope ReLU has at 0.",
    breaks=["grad_x", "grad_W", "grad_b1"],
)
def hidden_backward_slope_one_at_zero(grad_h, x, W, b1):
    delta = grad_h * (x @ W + b1 >= 0)
    return delta @ W.T, x.T @ delta, delta.sum(axis=0)


@mistake(
    "softmax",
    severity="misconception",
    story="Normalises every column instead of every row.",
    hint="Add up a row of your result.",
    breaks=["y_hat"],
)
def softmax_over_columns(logits):
    exponentials = np.exp(logits - logits.max(axis=0))
    return exponentials / exponentials.sum(axis=0)


@mistake(
    "softmax",
    severity="misconception",
    story="Divides by the row sums without keeping their axis: an error, or silently wrong if N equals C.",
    hint="What shape do the sums of the rows have, and how does numpy broadcast it with the matrix?",
    breaks=["y_hat"],
)
def softmax_without_keepdims(logits):
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1)


@mistake(
    "softmax",
    severity="misconception",
    story="Divides by the sum over the entire matrix, so that all rows together sum to 1.",
    hint="Add up a row of your result.",
    breaks=["y_hat"],
)
def softmax_over_everything(logits):
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum()


@mistake(
    "softmax",
    severity="slip",
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000), and which number can be subtracted from a whole row without changing its softmax?",
    breaks=["robustness"],
)
def softmax_overflows(logits):
    exponentials = np.exp(logits)
    return exponentials / exponentials.sum(axis=1, keepdims=True)


@mistake(
    "softmax",
    severity="slip",
    story="Subtracts the maximum of the whole matrix from every row, so that a row of small scores becomes 0 / 0.",
    hint="What happens to a row whose scores are all far below the largest of the matrix?",
    breaks=["robustness"],
)
def softmax_one_maximum(logits):
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum(axis=1, keepdims=True)


@mistake(
    "softmax",
    severity="slip",
    story="Works in place and so overwrites the caller's logits.",
    hint="Compare the argument before and after the call.",
    breaks=["y_hat", "arguments"],
)
def softmax_in_place(logits):
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits


@mistake(
    "cross_entropy",
    severity="misconception",
    story="Returns the sum of the losses of the rows instead of their mean; a batch of one row hides it.",
    hint="Should the loss change if the same row is in the batch twice?",
    breaks=["loss"],
)
def cross_entropy_summed(logits, labels):
    return cross_entropy(logits, labels) * len(labels)


@mistake(
    "cross_entropy",
    severity="misconception",
    story="Averages over all entries of the one-hot matrix, so the loss is too small by the number of classes.",
    hint="How many numbers do you add, and by what do you divide?",
    breaks=["loss"],
)
def cross_entropy_mean_over_classes(logits, labels):
    return cross_entropy(logits, labels) / logits.shape[1]


@mistake(
    "cross_entropy",
    severity="misconception",
    story="Picks whole rows by the labels instead of one entry in each row.",
    hint="Print the shape of the array that you index with the labels.",
    breaks=["loss"],
)
def cross_entropy_picks_rows(logits, labels):
    return -np.log(softmax(logits))[labels].sum(axis=1).mean()


@mistake(
    "cross_entropy",
    severity="misconception",
    story="Returns minus the mean probability of the labels, without the logarithm.",
    hint="Does your loss grow when the right class becomes unlikely?",
    breaks=["loss"],
)
def cross_entropy_without_log(logits, labels):
    return -softmax(logits)[np.arange(len(labels)), labels].mean()


@mistake(
    "cross_entropy",
    severity="slip",
    story="Takes the logarithm of a probability that has become 0, so the loss is infinite.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
    breaks=["robustness"],
)
def cross_entropy_log_of_zero(logits, labels):
    return -np.log(softmax(logits)[np.arange(len(labels)), labels]).mean()


@mistake(
    "cross_entropy",
    severity="slip",
    story="Adds a small number inside the logarithm, which caps the loss of an unlikely label.",
    hint="Simplify the logarithm of a softmax on paper before you compute it.",
    breaks=["robustness"],
)
def cross_entropy_epsilon(logits, labels):
    return -np.log(softmax(logits)[np.arange(len(labels)), labels] + 1e-12).mean()


@mistake(
    "cross_entropy_grad",
    severity="misconception",
    story="Leaves out the division by the number of rows; a batch of one row hides it.",
    hint="Is the loss a sum or a mean over the rows?",
    breaks=["grad"],
)
def cross_entropy_grad_not_averaged(logits, labels):
    return cross_entropy_grad(logits, labels) * len(labels)


@mistake(
    "cross_entropy_grad",
    severity="misconception",
    story="Returns the probabilities and never subtracts the labels.",
    hint="Should the gradient depend on the labels?",
    breaks=["grad"],
)
def cross_entropy_grad_without_labels(logits, labels):
    return softmax(logits) / len(labels)


@mistake(
    "cross_entropy_grad",
    severity="slip",
    story="Returns the opposite sign: labels minus probabilities.",
    hint="Should a step against the gradient raise or lower the score of the right class?",
    breaks=["grad"],
)
def cross_entropy_grad_negative(logits, labels):
    return -cross_entropy_grad(logits, labels)


@mistake(
    "cross_entropy_grad",
    severity="misconception",
    story="Subtracts 1 from whole columns: every label is applied to every row.",
    hint="How many entries of the gradient should a single label change?",
    breaks=["grad"],
)
def cross_entropy_grad_whole_columns(logits, labels):
    grad = softmax(logits)
    grad[:, labels] -= 1
    return grad / len(labels)


@mistake(
    "cross_entropy_grad",
    severity="slip",
    story="Computes its own softmax without subtracting the maximum, which overflows.",
    hint="What is exp(1000)?",
    breaks=["robustness"],
)
def cross_entropy_grad_overflows(logits, labels):
    grad = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    grad[np.arange(len(labels)), labels] -= 1
    return grad / len(labels)


@mistake(
    "loss_and_gradients",
    severity="fundamental",
    story="Leaves the ReLU out in the forward and the backward pass.",
    hint="Compare your hidden layer with hidden_forward.",
    breaks=["loss", 'grads["W"]', 'grads["b1"]', 'grads["U"]', 'grads["b2"]'],
)
def loss_and_gradients_linear(params, x, labels):
    h = x @ params["W"] + params["b1"]
    logits = h @ params["U"] + params["b2"]
    delta = cross_entropy_grad(logits, labels)
    grad_h = delta @ params["U"].T
    grads = {"W": x.T @ grad_h, "b1": grad_h.sum(axis=0), "U": h.T @ delta, "b2": delta.sum(axis=0)}
    return cross_entropy(logits, labels), grads


@mistake(
    "loss_and_gradients",
    severity="misconception",
    story="Leaves the slope of the ReLU out in the backward pass.",
    hint="Which step lies between the gradient of h and the gradient of z?",
    breaks=['grads["W"]', 'grads["b1"]'],
)
def loss_and_gradients_without_mask(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h @ params["U"] + params["b2"]
    delta = cross_entropy_grad(logits, labels)
    grad_h = delta @ params["U"].T
    grads = {"W": x.T @ grad_h, "b1": grad_h.sum(axis=0), "U": h.T @ delta, "b2": delta.sum(axis=0)}
    return cross_entropy(logits, labels), grads


@mistake(
    "loss_and_gradients",
    severity="slip",
    story="Takes the slope of the ReLU from the input x if it has the shape of h.",
    hint="Which array do you compare with 0, and is it the one that goes into the ReLU?",
    breaks=['grads["W"]', 'grads["b1"]'],
)
def loss_and_gradients_mask_of_input_when_square(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h @ params["U"] + params["b2"]
    delta = cross_entropy_grad(logits, labels)
    grad_z = delta @ params["U"].T * ((x if x.shape == h.shape else h) > 0)
    grads = {"W": x.T @ grad_z, "b1": grad_z.sum(axis=0), "U": h.T @ delta, "b2": delta.sum(axis=0)}
    return cross_entropy(logits, labels), grads


@mistake(
    "loss_and_gradients",
    severity="misconception",
    story="Takes the mean over the batch a second time in the bias gradients.",
    hint="Where does the factor 1/N enter, and how often?",
    breaks=['grads["b1"]', 'grads["b2"]'],
)
def loss_and_gradients_bias_mean(params, x, labels):
    loss, grads = loss_and_gradients(params, x, labels)
    return loss, grads | {"b1": grads["b1"] / len(x), "b2": grads["b2"] / len(x)}


@mistake(
    "loss_and_gradients",
    severity="slip",
    story="Multiplies by U instead of U.T if U is square.",
    hint="Test with as many classes as hidden units.",
    breaks=['grads["W"]', 'grads["b1"]'],
)
def loss_and_gradients_transposed_when_square(params, x, labels):
    U = params["U"]
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h @ U + params["b2"]
    delta = cross_entropy_grad(logits, labels)
    grad_h = delta @ (U if U.shape[0] == U.shape[1] else U.T)
    grad_x, grad_W, grad_b1 = hidden_backward(grad_h, x, params["W"], params["b1"])
    return cross_entropy(logits, labels), {"W": grad_W, "b1": grad_b1, "U": h.T @ delta, "b2": delta.sum(axis=0)}


@mistake(
    "loss_and_gradients",
    severity="slip",
    story="Lets the gradient through if the pre-activation is exactly 0.",
    hint="Read in the assignment which slope ReLU has at 0.",
    breaks=['grads["W"]', 'grads["b1"]'],
)
def loss_and_gradients_slope_one_at_zero(params, x, labels):
    z = x @ params["W"] + params["b1"]
    h = relu(z)
    logits = h @ params["U"] + params["b2"]
    delta = cross_entropy_grad(logits, labels)
    delta1 = delta @ params["U"].T * (z >= 0)
    grads = {"W": x.T @ delta1, "b1": delta1.sum(axis=0), "U": h.T @ delta, "b2": delta.sum(axis=0)}
    return cross_entropy(logits, labels), grads


@mistake(
    "loss_and_gradients",
    severity="slip",
    story="Writes its own softmax and logarithm, which overflow for large scores.",
    hint="Use the functions that you have already made stable.",
    breaks=["robustness"],
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


@mistake(
    "relu",
    severity="misconception",
    story="Cuts values off at 6, as some libraries' ReLU6 does.",
    hint="What is your result for a large argument?",
    breaks=["h"],
)
def relu_stops_at_six(z):
    return np.minimum(np.maximum(z, 0), 6)


@mistake(
    "cross_entropy",
    severity="slip",
    story="Takes the maximum of the whole batch out, so that rows with much smaller scores become 0.",
    hint="Whose maximum do you subtract?",
    breaks=["robustness"],
)
def cross_entropy_maximum_of_the_batch(logits, labels):
    shifted = logits - logits.max()
    likelihood = np.exp(shifted) / np.maximum(np.exp(shifted).sum(axis=1, keepdims=True), 1e-300)
    return float(-np.log(np.maximum(likelihood[np.arange(len(labels)), labels], 1e-300)).mean())


@mistake(
    "loss_and_gradients",
    severity="slip",
    story="Unpacks the values of params in the order W, b1, U, b2, which a dict need not have.",
    hint="Do you look the parameters up by their names?",
    breaks=["loss", 'grads["W"]', 'grads["b1"]', 'grads["U"]', 'grads["b2"]'],
)
def loss_and_gradients_params_in_order(params, x, labels):
    W, b1, U, b2 = params.values()
    return loss_and_gradients({"W": W, "b1": b1, "U": U, "b2": b2}, x, labels)


@mistake(
    "hidden_backward",
    severity="slip",
    story="Lets the gradient of a batch of one row through if any unit of the row is active.",
    hint="Try a batch of one row in which some units are active and some are not.",
    breaks=["grad_x", "grad_W", "grad_b1"],
)
def hidden_backward_one_row_as_one_unit(grad_h, x, W, b1):
    z = x @ W + b1
    active = np.any(z > 0, axis=0) if len(x) > 1 else np.any(z > 0)
    delta = grad_h * (z > 0) if len(x) > 1 else grad_h * active
    return delta @ W.T, x.T @ delta, delta.sum(axis=0)


@mistake(
    "softmax",
    severity="slip",
    story="Takes the exponential in place in an array of the scores' type, which fails if they are integers.",
    hint="What type do your shifted scores have when the logits are integers?",
    breaks=["y_hat"],
)
def softmax_needs_floats(logits):
    shifted = logits - logits.max(axis=1, keepdims=True)
    np.exp(shifted, out=shifted)
    return shifted / shifted.sum(axis=1, keepdims=True)


@mistake(
    "cross_entropy_grad",
    severity="slip",
    story="Subtracts the maximum of the whole batch from every row, so that a row of small scores becomes 0 / 0.",
    hint="Whose maximum do you subtract?",
    breaks=["robustness"],
)
def cross_entropy_grad_maximum_of_the_batch(logits, labels):
    exponentials = np.exp(logits - logits.max())
    grad = exponentials / exponentials.sum(axis=1, keepdims=True)
    grad[np.arange(len(labels)), labels] -= 1
    return grad / len(labels)


@mistake(
    "cross_entropy",
    severity="slip",
    story="Counts the classes of the labels, and stops with an error where the last class is not among them.",
    hint="Where does your number of classes come from: from the labels or from the logits?",
    breaks=["loss"],
)
def cross_entropy_counts_classes_of_labels(logits, labels):
    one_hot = np.eye(labels.max() + 1)[labels]
    return cross_entropy(logits, labels) + 0 * (one_hot * logits).sum()


@mistake(
    "loss_and_gradients",
    severity="slip",
    story="Has lines of its own for a batch of one row, and forgets the slope of the ReLU there.",
    hint="Compare your gradients of a batch of one row with those of the same row twice.",
    breaks=['grads["W"]', 'grads["b1"]'],
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
    severity="fundamental",
    story="Makes the one-hot matrix once for a number of rows and classes, and uses it again for other labels.",
    hint="Does your result depend on anything but the arguments of this call?",
    breaks=["loss"],
)
def cross_entropy_keeps_the_labels(logits, labels, kept={}):
    if logits.shape not in kept:
        kept[logits.shape] = np.eye(logits.shape[1])[labels]
    return cross_entropy(logits, kept[logits.shape].argmax(axis=1))


@mistake(
    "hidden_forward",
    severity="misconception",
    story="Leaves out the bias.",
    hint="Where does b1 occur in your code?",
    breaks=["h"],
)
def hidden_forward_without_bias(x, W, b1):
    return relu(x @ W)


@mistake(
    "hidden_backward",
    severity="misconception",
    story="Leaves the bias out of the pre-activation, so the wrong units count as active.",
    hint="Which quantity decides whether a unit is active?",
    breaks=["grad_x", "grad_W", "grad_b1"],
)
def hidden_backward_mask_without_bias(grad_h, x, W, b1):
    delta = grad_h * (x @ W > 0)
    return delta @ W.T, x.T @ delta, delta.sum(axis=0)


@mistake(
    "hidden_backward",
    severity="slip",
    story="Returns the gradient of W before that of x.",
    hint="In which order does the caller expect the three gradients?",
    breaks=["order"],
)
def hidden_backward_outputs_swapped(grad_h, x, W, b1):
    grad_x, grad_W, grad_b1 = hidden_backward(grad_h, x, W, b1)
    return grad_W, grad_x, grad_b1


@mistake(
    "hidden_backward",
    severity="slip",
    story="Squeezes the gradient of the hidden units, which stops with an error for one row or one unit.",
    hint="Try a batch of one row, and a layer of one unit.",
    breaks=["grad_x", "grad_W", "grad_b1"],
)
def hidden_backward_squeezes(grad_h, x, W, b1):
    delta = np.squeeze(grad_h * (x @ W + b1 > 0))
    return delta @ W.T, x.T @ delta, delta.sum(axis=0)


@mistake(
    "softmax",
    severity="slip",
    story="Looks for the maximum of a row from 0 on, so that scores that are all far below 0 become 0 / 0.",
    hint="What is your maximum of a row of negative scores?",
    breaks=["robustness"],
)
def softmax_maximum_from_zero(logits):
    exponentials = np.exp(logits - np.maximum(logits.max(axis=1, keepdims=True), 0))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


@mistake(
    "cross_entropy",
    severity="slip",
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
    breaks=["loss"],
)
def cross_entropy_labels_off_by_one(logits, labels):
    return cross_entropy(logits, (labels - 1) % logits.shape[1])


@mistake(
    "cross_entropy",
    severity="slip",
    story="Takes the logarithm to the base 2.",
    hint="To which base is your logarithm?",
    breaks=["loss"],
)
def cross_entropy_in_bits(logits, labels):
    return cross_entropy(logits, labels) / np.log(2)


@mistake(
    "cross_entropy",
    severity="slip",
    story="Leaves out the minus before the logarithm of the probability.",
    hint="Which sign does the logarithm of a probability have, and which the loss?",
    breaks=["loss"],
)
def cross_entropy_without_minus(logits, labels):
    return -cross_entropy(logits, labels)


@mistake(
    "cross_entropy",
    severity="misconception",
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
    breaks=["loss"],
)
def cross_entropy_softmax_twice(logits, labels):
    return cross_entropy(softmax(logits), labels)


@mistake(
    "cross_entropy",
    severity="slip",
    story="Multiplies the logarithms of all probabilities by the one-hot labels: NaN where a probability is 0.",
    hint="What is 0 times the logarithm of 0?",
    breaks=["robustness"],
)
def cross_entropy_zero_times_infinity(logits, labels):
    one_hot = np.eye(logits.shape[1])[labels]
    return -(one_hot * np.log(softmax(logits))).sum() / len(labels)


@mistake(
    "cross_entropy_grad",
    severity="slip",
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
    breaks=["grad"],
)
def cross_entropy_grad_labels_off_by_one(logits, labels):
    return cross_entropy_grad(logits, (labels - 1) % logits.shape[1])


@mistake(
    "cross_entropy_grad",
    severity="misconception",
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
    breaks=["grad"],
)
def cross_entropy_grad_softmax_twice(logits, labels):
    return cross_entropy_grad(softmax(logits), labels)


@mistake(
    "cross_entropy_grad",
    severity="slip",
    story="Makes a one-hot column for each label that occurs, so that a batch of equal labels has one column.",
    hint="Try a batch in which all labels are equal.",
    breaks=["grad"],
)
def cross_entropy_grad_columns_of_the_labels(logits, labels):
    one_hot = labels[:, np.newaxis] == np.unique(labels)
    return (softmax(logits) - one_hot) / len(labels)


@mistake(
    "loss_and_gradients",
    severity="misconception",
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your code?",
    breaks=["loss", 'grads["W"]', 'grads["b1"]', 'grads["U"]', 'grads["b2"]'],
)
def loss_and_gradients_without_output_bias(params, x, labels):
    return loss_and_gradients({**params, "b2": np.zeros(params["b2"].shape)}, x, labels)


@mistake(
    "loss_and_gradients",
    severity="misconception",
    story="Hands probabilities to cross_entropy, which takes scores and applies the softmax itself.",
    hint="What does cross_entropy expect: scores or probabilities?",
    breaks=["loss", 'grads["W"]', 'grads["b1"]', 'grads["U"]', 'grads["b2"]'],
)
def loss_and_gradients_softmax_twice(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    y_hat = softmax(h @ params["U"] + params["b2"])
    delta = cross_entropy_grad(y_hat, labels)
    grad_x, grad_W, grad_b1 = hidden_backward(delta @ params["U"].T, x, params["W"], params["b1"])
    return cross_entropy(y_hat, labels), {"W": grad_W, "b1": grad_b1, "U": h.T @ delta, "b2": delta.sum(axis=0)}


@mistake(
    "loss_and_gradients",
    severity="slip",
    story="Returns the gradients before the loss.",
    hint="In which order does the caller expect the loss and the gradients?",
    breaks=["order"],
)
def loss_and_gradients_outputs_swapped(params, x, labels):
    loss, grads = loss_and_gradients(params, x, labels)
    return grads, loss


@mistake(
    "cross_entropy",
    severity="slip",
    story="Loops over as many rows as there are classes: later rows are left out, or missing ones are an error.",
    hint="Which entry of logits.shape is the number of rows?",
    breaks=["loss"],
)
def cross_entropy_counts_classes(logits, labels):
    y_hat = softmax(logits)
    loss = 0.0
    for n in range(logits.shape[1]):
        loss -= np.log(y_hat[n, labels[n]])
    return loss / len(labels)
