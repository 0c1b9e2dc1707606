"""Known wrong answers of parser_network."""

import numpy as np

from tests.mistakes import mistake, mistake_edit

# The backward pass of the hidden layer in loss_and_gradients, and what stands there without the slope of the ReLU.
BACKWARD = '_, grad_W, grad_b1 = hidden_backward(grad_h, x, params["W"], params["b1"])'
WITHOUT_RELU = "grad_W, grad_b1 = x.T @ grad_h, grad_h.sum(axis=0)"


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


hidden_jacobian_transposed = mistake_edit(
    "hidden_jacobian",
    {"active[:, np.newaxis] * W.T": "W * active"},
    story="Returns the weights without transposing them: row and column are exchanged.",
    hint="Which index of the Jacobian counts the outputs?",
)


hidden_jacobian_without_mask = mistake_edit(
    "hidden_jacobian",
    {"active[:, np.newaxis] * W.T": "W.T"},
    story="Forgets the slope of the ReLU: inactive units pass their weights on.",
    hint="How much does an inactive unit change when its input changes a little?",
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


hidden_backward_bias_not_summed = mistake_edit(
    "hidden_backward",
    {"delta.sum(axis=0)": "delta"},
    story="Returns one bias gradient for each row, without adding them up; a batch of one row hides it.",
    hint="Compare the shape of the bias with the shape of its gradient.",
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


softmax_overflows = mistake_edit(
    "softmax",
    {"logits - logits.max(axis=1, keepdims=True)": "logits"},
    story="Takes the exponential of the scores without a shift, which overflows.",
    hint="What is exp(1000), and which number can be subtracted from a whole row without changing its softmax?",
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


loss_and_gradients_linear = mistake_edit(
    "loss_and_gradients",
    {'hidden_forward(x, params["W"], params["b1"])': 'x @ params["W"] + params["b1"]', BACKWARD: WITHOUT_RELU},
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


loss_and_gradients_transposed_when_square = mistake_edit(
    "loss_and_gradients",
    {'params["U"].T': '(params["U"] if len(params["U"]) == len(params["b2"]) else params["U"].T)'},
    story="Multiplies by U instead of U.T if U is square.",
    hint="Test with as many classes as hidden units.",
)


hidden_forward_without_bias = mistake_edit(
    "hidden_forward", {"x @ W + b1": "x @ W"}, story="Leaves out the bias.", hint="Where does b1 occur in your code?"
)


cross_entropy_labels_off_by_one = mistake_edit(
    "cross_entropy",
    {"labels] -": "labels - 1] -"},
    story="Counts the classes from 1, so that the label before is taken.",
    hint="Which class has the label 0?",
)


cross_entropy_softmax_twice = mistake_edit(
    "cross_entropy",
    {"    shifted =": "    logits = softmax(logits)\n    shifted ="},
    story="Applies the softmax twice, to the scores and to the probabilities.",
    hint="How many exponentials lie between the scores and the probabilities?",
)


loss_and_gradients_without_output_bias = mistake_edit(
    "loss_and_gradients",
    {' + params["b2"]': ""},
    story="Leaves b2 out of the scores.",
    hint="Where does b2 occur in your code?",
)


relu_max_of_an_axis = mistake_edit(
    "relu",
    {"np.maximum(z, 0)": "np.max(z, 0)"},
    story="Calls np.max, whose second argument is an axis, in place of np.maximum.",
    hint="What does np.max(z, 0) return for a matrix, and what np.maximum(z, 0)?",
)


loss_and_gradients_tuple = mistake_edit(
    "loss_and_gradients",
    {'{"W": grad_W, "b1": grad_b1, "U": grad_U, "b2": grad_b2}': "(grad_W, grad_b1, grad_U, grad_b2)"},
    story="Returns the gradients as a tuple, and not as a dict.",
    hint="By which keys does a caller look the gradients up?",
)


cross_entropy_grad_classes_of_labels = mistake_edit(
    "cross_entropy_grad",
    {"grad[np.arange(len(labels)), labels] -= 1": "grad -= np.eye(labels.max() + 1)[labels]"},
    story="Makes one-hot rows as long as the largest label says, which fails in a batch without the last class.",
    hint="How many classes are there if no row of a batch has the last one?",
)
