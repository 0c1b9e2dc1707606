"""Known wrong written answers: each function returns a wrong formula, whose text is the student's answer."""

import numpy as np

from reference.written_answers import rows
from tests.mistakes import mistake

# Tests that fail together.
TABLE = ["test_transitions_rows", "test_transitions_arcs"]


@mistake(
    "word2vec_grad_center",
    severity="slip",
    story="Subtracts the probabilities from the one-hot vector: the sign is wrong.",
    hint="In which direction does v_c move when this gradient is subtracted from it?",
    caught_by=["test_grad_center"],
)
def grad_center_sign(U, y, y_hat, v_c, o, w):
    return U.T @ (y - y_hat)


@mistake(
    "word2vec_grad_center",
    severity="slip",
    story="Uses the formula for a U whose columns are words.",
    hint="Which axis of U is the axis of the words here, and over which axis do you sum?",
    caught_by=["test_grad_center"],
)
def grad_center_columns(U, y, y_hat, v_c, o, w):
    return U @ (y_hat - y)


@mistake(
    "word2vec_grad_center",
    severity="misconception",
    story="Does not subtract the one-hot vector.",
    hint="Which term of the loss contains the true word alone, and what is its gradient?",
    caught_by=["test_grad_center"],
)
def grad_center_without_one_hot(U, y, y_hat, v_c, o, w):
    return U.T @ y_hat


@mistake(
    "word2vec_grad_center",
    severity="misconception",
    story="Differentiates the score of the true word and forgets the normalising sum.",
    hint="Which other term of the loss depends on v_c?",
    caught_by=["test_grad_center"],
)
def grad_center_true_word_only(U, y, y_hat, v_c, o, w):
    return -U[o]


@mistake(
    "word2vec_grad_center",
    severity="slip",
    story="Adds the vector of the true word to the mean of all.",
    hint="Which sign does the score of the true word have in the loss?",
    caught_by=["test_grad_center"],
)
def grad_center_plus(U, y, y_hat, v_c, o, w):
    return U.T @ (y_hat + y)


@mistake(
    "word2vec_grad_outside_true",
    severity="misconception",
    story="Leaves the 1 of the one-hot vector out.",
    hint="What does the score of the true word itself contribute?",
    caught_by=["test_grad_outside_true"],
)
def grad_outside_true_without_one_hot(U, y, y_hat, v_c, o, w):
    return y_hat[o] * v_c


@mistake(
    "word2vec_grad_outside_true",
    severity="slip",
    story="Has the opposite sign.",
    hint="Does the loss grow or shrink when u_o moves towards v_c?",
    caught_by=["test_grad_outside_true"],
)
def grad_outside_true_sign(U, y, y_hat, v_c, o, w):
    return (1 - y_hat[o]) * v_c


@mistake(
    "word2vec_grad_outside_true",
    severity="misconception",
    story="Multiplies by u_o, the variable of the derivative.",
    hint="Which vector remains when u_o . v_c is differentiated with respect to u_o?",
    caught_by=["test_grad_outside_true"],
)
def grad_outside_true_wrong_vector(U, y, y_hat, v_c, o, w):
    return (y_hat[o] - 1) * U[o]


@mistake(
    "word2vec_grad_outside_other",
    severity="misconception",
    story="Subtracts 1, as for the true word.",
    hint="Does the score of the true word depend on u_w?",
    caught_by=["test_grad_outside_other"],
)
def grad_outside_other_as_true(U, y, y_hat, v_c, o, w):
    return (y_hat[w] - 1) * v_c


@mistake(
    "word2vec_grad_outside_other",
    severity="slip",
    story="Uses the probability of the true word.",
    hint="Which word's probability grows when u_w moves towards v_c?",
    caught_by=["test_grad_outside_other"],
)
def grad_outside_other_of_the_true_word(U, y, y_hat, v_c, o, w):
    return y_hat[o] * v_c


@mistake(
    "word2vec_grad_outside_other",
    severity="slip",
    story="Has the opposite sign.",
    hint="Does the loss grow or shrink when another word becomes more probable?",
    caught_by=["test_grad_outside_other"],
)
def grad_outside_other_sign(U, y, y_hat, v_c, o, w):
    return -y_hat[w] * v_c


@mistake(
    "word2vec_grad_outside_all",
    severity="slip",
    story="Has a column for each word, as in sources whose columns are words.",
    hint="Which shape should the answer have, and which row belongs to which word?",
    caught_by=["test_grad_outside_all"],
)
def grad_outside_all_columns(U, y, y_hat, v_c, o, w):
    return np.outer(v_c, y_hat - y)


@mistake(
    "word2vec_grad_outside_all",
    severity="misconception",
    story="Does not subtract the one-hot vector.",
    hint="Is the row of the true word equal to your answer for u_o?",
    caught_by=["test_grad_outside_all"],
)
def grad_outside_all_without_one_hot(U, y, y_hat, v_c, o, w):
    return np.outer(y_hat, v_c)


@mistake(
    "word2vec_grad_outside_all",
    severity="slip",
    story="Has the opposite sign.",
    hint="Compare one row with your answer for another word.",
    caught_by=["test_grad_outside_all"],
)
def grad_outside_all_sign(U, y, y_hat, v_c, o, w):
    return np.outer(y - y_hat, v_c)


@mistake(
    "word2vec_zero_gradient",
    severity="misconception",
    story="Says that the gradient is zero exactly when y_hat is y, which is sufficient and not necessary.",
    hint="Can a matrix with more columns than rows map a vector that is not zero to zero?",
    caught_by=["test_zero_gradient"],
)
def zero_gradient_only_if_equal():
    return "a"


@mistake(
    "word2vec_zero_gradient",
    severity="misconception",
    story="Says that the gradient with respect to v_c is zero when v_c is.",
    hint="Where does v_c occur in the gradient?",
    caught_by=["test_zero_gradient"],
)
def zero_gradient_at_zero():
    return "b"


@mistake(
    "word2vec_zero_gradient",
    severity="misconception",
    story="Says never, because a softmax is never one-hot.",
    hint="Is y_hat = y the only way for the product to be zero?",
    caught_by=["test_zero_gradient"],
)
def zero_gradient_never():
    return "d"


@mistake(
    "adam_larger_updates",
    severity="misconception",
    story="Says that large gradients get the larger updates, as if they were multiplied by sqrt(v).",
    hint="Does division by a large number make an update larger or smaller?",
    caught_by=["test_larger_updates"],
)
def larger_updates_large_gradients():
    return "a"


@mistake(
    "dropout_gamma",
    severity="misconception",
    story="Divides by the probability of dropping.",
    hint="With which probability is a unit kept?",
    caught_by=["test_gamma"],
)
def gamma_one_over_p(p_drop):
    return 1 / p_drop


@mistake(
    "dropout_gamma",
    severity="misconception",
    story="Scales down by the probability of keeping a unit, instead of up.",
    hint="Should the units that are kept become larger or smaller?",
    caught_by=["test_gamma"],
)
def gamma_down(p_drop):
    return 1 - p_drop


@mistake(
    "dropout_gamma",
    severity="misconception",
    story="Adds p_drop to 1, which is close to right for small p_drop.",
    hint="Compute the expectation of one unit with your factor.",
    caught_by=["test_gamma"],
)
def gamma_first_order(p_drop):
    return 1 + p_drop


@mistake(
    "parser_transitions",
    severity="slip",
    story="Writes every dependency as dependent->head.",
    hint="Which end of the arrow is the head?",
    caught_by=["test_transitions_rows"],
)
def transitions_arrows_turned():
    return rows("""
stack | buffer | new dependency | transition
ROOT I | presented my findings at the NLP conference |  | SHIFT
ROOT I presented | my findings at the NLP conference |  | SHIFT
ROOT presented | my findings at the NLP conference | I->presented | LEFT-ARC
ROOT presented my | findings at the NLP conference |  | SHIFT
ROOT presented my findings | at the NLP conference |  | SHIFT
ROOT presented findings | at the NLP conference | my->findings | LEFT-ARC
ROOT presented findings at | the NLP conference |  | SHIFT
ROOT presented findings at the | NLP conference |  | SHIFT
ROOT presented findings at the NLP | conference |  | SHIFT
ROOT presented findings at the NLP conference |  |  | SHIFT
ROOT presented findings at the conference |  | NLP->conference | LEFT-ARC
ROOT presented findings at conference |  | the->conference | LEFT-ARC
ROOT presented findings at |  | conference->at | RIGHT-ARC
ROOT presented findings |  | at->findings | RIGHT-ARC
ROOT presented |  | findings->presented | RIGHT-ARC
ROOT |  | presented->ROOT | RIGHT-ARC
""")


@mistake(
    "parser_transitions",
    severity="misconception",
    story="Ends when the buffer is empty, before the arcs on the stack are made.",
    hint="What is on the stack when a parse is finished?",
    caught_by=TABLE,
)
def transitions_unfinished():
    return rows("""
stack | buffer | new dependency | transition
ROOT I | presented my findings at the NLP conference | | SHIFT
ROOT I presented | my findings at the NLP conference | | SHIFT
ROOT presented | my findings at the NLP conference | presented->I | LEFT-ARC
ROOT presented my | findings at the NLP conference | | SHIFT
ROOT presented my findings | at the NLP conference | | SHIFT
ROOT presented findings | at the NLP conference | findings->my | LEFT-ARC
ROOT presented findings at | the NLP conference | | SHIFT
ROOT presented findings at the | NLP conference | | SHIFT
ROOT presented findings at the NLP | conference | | SHIFT
ROOT presented findings at the NLP conference | | | SHIFT
ROOT presented findings at the conference | | conference->NLP | LEFT-ARC
ROOT presented findings at conference | | conference->the | LEFT-ARC
""")


@mistake(
    "parser_transitions",
    severity="slip",
    story="Makes NLP the head of conference: legal in every row, and another tree.",
    hint="Which word of a compound says what kind of thing it is?",
    caught_by=["test_transitions_arcs"],
)
def transitions_compound_turned():
    return rows("""
stack | buffer | new dependency | transition
ROOT I | presented my findings at the NLP conference | | SHIFT
ROOT I presented | my findings at the NLP conference | | SHIFT
ROOT presented | my findings at the NLP conference | presented->I | LEFT-ARC
ROOT presented my | findings at the NLP conference | | SHIFT
ROOT presented my findings | at the NLP conference | | SHIFT
ROOT presented findings | at the NLP conference | findings->my | LEFT-ARC
ROOT presented findings at | the NLP conference | | SHIFT
ROOT presented findings at the | NLP conference | | SHIFT
ROOT presented findings at the NLP | conference | | SHIFT
ROOT presented findings at the NLP conference | | | SHIFT
ROOT presented findings at the NLP | | NLP->conference | RIGHT-ARC
ROOT presented findings at NLP | | NLP->the | LEFT-ARC
ROOT presented findings at | | at->NLP | RIGHT-ARC
ROOT presented findings | | findings->at | RIGHT-ARC
ROOT presented | | presented->findings | RIGHT-ARC
ROOT | | ROOT->presented | RIGHT-ARC
""")


@mistake(
    "parser_steps",
    severity="misconception",
    story="Counts one transition for each word.",
    hint="Which transition removes a word from the stack?",
    caught_by=["test_steps"],
)
def steps_one_a_word(n):
    return n


@mistake(
    "parser_steps",
    severity="slip",
    story="Leaves out the last arc, which makes a word a dependent of ROOT.",
    hint="Which arc has ROOT as its head?",
    caught_by=["test_steps"],
)
def steps_without_root(n):
    return 2 * n - 1


@mistake(
    "parser_steps",
    severity="slip",
    story="Counts ROOT as a word that is shifted.",
    hint="Where is ROOT at the start of the parse?",
    caught_by=["test_steps"],
)
def steps_with_root_shifted(n):
    return 2 * n + 1


@mistake(
    "parser_network_relu_derivative",
    severity="misconception",
    story="Forgets that the derivative is 0 if z_i is negative.",
    hint="What is h_i, and how does it change, if z_i is negative?",
    caught_by=["test_relu_derivative"],
)
def relu_derivative_without_step(z, W, i, j):
    return W[j, i]


@mistake(
    "parser_network_relu_derivative",
    severity="slip",
    story="Takes the weight as in sources whose columns are inputs.",
    hint="Which axis of W belongs to the inputs in z = x W + b1?",
    caught_by=["test_relu_derivative"],
)
def relu_derivative_columns(z, W, i, j):
    return (z[i] > 0) * W[i, j]


@mistake(
    "parser_network_relu_derivative",
    severity="misconception",
    story="Multiplies by z_i if it is positive, instead of by 1: that is ReLU and not its derivative.",
    hint="What is the slope of ReLU for positive numbers?",
    caught_by=["test_relu_derivative"],
)
def relu_derivative_value_for_slope(z, W, i, j):
    return (z[i] > 0) * z[i] * W[j, i]


@mistake(
    "parser_network_relu_derivative",
    severity="slip",
    story="Lets the gradient through if the unit is inactive.",
    hint="On which side of 0 is ReLU flat?",
    caught_by=["test_relu_derivative"],
)
def relu_derivative_other_side(z, W, i, j):
    return (z[i] < 0) * W[j, i]


@mistake(
    "parser_network_logit_gradient",
    severity="misconception",
    story="Does not subtract the one-hot vector.",
    hint="Which term of the loss contains the logit of the true class alone?",
    caught_by=["test_logit_gradient"],
)
def logit_gradient_without_one_hot(y, y_hat, i, label):
    return y_hat[i]


@mistake(
    "parser_network_logit_gradient",
    severity="misconception",
    story="Subtracts 1 for every class, not for the true one alone.",
    hint="For which i does the first term of the loss depend on l_i?",
    caught_by=["test_logit_gradient"],
)
def logit_gradient_always_minus_one(y, y_hat, i, label):
    return y_hat[i] - 1


@mistake(
    "parser_network_logit_gradient",
    severity="slip",
    story="Has the opposite sign.",
    hint="Does the loss grow or shrink with the logit of the true class?",
    caught_by=["test_logit_gradient"],
)
def logit_gradient_sign(y, y_hat, i, label):
    return y[i] - y_hat[i]


@mistake(
    "parser_network_logit_gradient",
    severity="misconception",
    story="Returns the whole vector instead of one entry.",
    hint="How many numbers is dJ/dl_i?",
    caught_by=["test_logit_gradient"],
)
def logit_gradient_whole_vector(y, y_hat, i, label):
    return y_hat - y


@mistake(
    "output_grad_probabilities",
    severity="slip",
    story="Leaves the minus sign of the loss out.",
    hint="Does the loss grow or shrink with the probability of the label?",
    caught_by=["test_grad_probabilities"],
)
def grad_probabilities_sign(y_hat, e, label):
    return e / y_hat[label]


@mistake(
    "output_grad_probabilities",
    severity="misconception",
    story="Leaves the one-hot vector out: every probability gets a derivative.",
    hint="Does the loss depend on the probabilities of other labels?",
    caught_by=["test_grad_probabilities"],
)
def grad_probabilities_without_one_hot(y_hat, e, label):
    return -1 / y_hat


@mistake(
    "output_grad_probabilities",
    severity="misconception",
    story="Multiplies by the probability of the label: the derivative of the logarithm is inverted.",
    hint="What is the derivative of log p?",
    caught_by=["test_grad_probabilities"],
)
def grad_probabilities_product(y_hat, e, label):
    return -e * y_hat[label]


@mistake(
    "output_grad_preactivation",
    severity="slip",
    story="Has the opposite sign.",
    hint="What is the gradient of -log p, and is yours that of log p?",
    caught_by=["test_grad_preactivation"],
)
def grad_preactivation_sign(y_hat, e, label):
    return e - y_hat


@mistake(
    "output_grad_preactivation",
    severity="misconception",
    story="Does not subtract the one-hot vector.",
    hint="What is the sum of the gradient's entries, if adding a number to all entries of a does not change the loss?",
    caught_by=["test_grad_preactivation"],
)
def grad_preactivation_without_one_hot(y_hat, e, label):
    return y_hat


@mistake(
    "output_grad_preactivation",
    severity="misconception",
    story="Multiplies entry by entry by y_hat (1 - y_hat), as if the softmax were a sigmoid of each entry.",
    hint="Does y_hat[label] depend on the other entries of a?",
    caught_by=["test_grad_preactivation"],
)
def grad_preactivation_as_sigmoid(y_hat, e, label):
    return -e / y_hat * y_hat * (1 - y_hat)


@mistake(
    "q1c_softmax_input_gradient",
    severity="slip",
    story="Has the opposite sign.",
    hint="Does the cost grow or shrink with the score of the right class?",
    caught_by=["test_softmax_input_gradient"],
)
def softmax_input_gradient_sign(y, y_hat):
    return y - y_hat


@mistake(
    "q1c_softmax_input_gradient",
    severity="misconception",
    story="Does not subtract the one-hot rows.",
    hint="What is the gradient if the prediction is perfect?",
    caught_by=["test_softmax_input_gradient"],
)
def softmax_input_gradient_without_one_hot(y, y_hat):
    return y_hat


@mistake(
    "q1c_softmax_input_gradient",
    severity="misconception",
    story="Divides by the number of rows, although the cost is their sum.",
    hint="Is the cost a sum or a mean over the rows?",
    caught_by=["test_softmax_input_gradient"],
)
def softmax_input_gradient_mean(y, y_hat):
    return (y_hat - y) / len(y)


@mistake(
    "q1c_input_gradient",
    severity="misconception",
    story="Uses sigma(z) sigma(1 - z) as the derivative of the sigmoid, like an older version of this assignment.",
    hint="Is 1 - sigma(z) equal to sigma(1 - z), for instance at z = 0?",
    caught_by=["test_input_gradient"],
)
def input_gradient_sigma_of_one_minus(y, y_hat, z, h, W1, W2):
    return ((y_hat - y) @ W2.T * h / (1 + np.exp(-(1 - z)))) @ W1.T


@mistake(
    "q1c_input_gradient",
    severity="misconception",
    story="Leaves out the derivative of the hidden layer.",
    hint="Which function turns z into h?",
    caught_by=["test_input_gradient"],
)
def input_gradient_without_sigmoid(y, y_hat, z, h, W1, W2):
    return (y_hat - y) @ W2.T @ W1.T


@mistake(
    "q1c_input_gradient",
    severity="misconception",
    story="Takes the derivative of the sigmoid at its value h instead of at z.",
    hint="Is h the argument of the sigmoid or its value?",
    caught_by=["test_input_gradient"],
)
def input_gradient_derivative_of_value(y, y_hat, z, h, W1, W2):
    return ((y_hat - y) @ W2.T * (1 / (1 + np.exp(-h))) * (1 - 1 / (1 + np.exp(-h)))) @ W1.T


@mistake(
    "q1c_input_gradient",
    severity="slip",
    story="Does not transpose the matrices, as if columns were examples.",
    hint="Write the shapes under each factor.",
    caught_by=["test_input_gradient"],
)
def input_gradient_columns(y, y_hat, z, h, W1, W2):
    return ((y_hat - y) @ W2 * h * (1 - h)) @ W1


@mistake(
    "q1c_input_gradient",
    severity="misconception",
    story="Does not subtract the one-hot rows.",
    hint="What is the gradient if the prediction is perfect?",
    caught_by=["test_input_gradient"],
)
def input_gradient_without_one_hot(y, y_hat, z, h, W1, W2):
    return (y_hat @ W2.T * h * (1 - h)) @ W1.T
