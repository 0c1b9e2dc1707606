"""Known wrong written answers: the text of the wrong formula is the student's answer."""

from reference.written_answers import rows
from tests.mistakes import mistake, mistake_edit

ARCS_AT_THE_END = """\
ROOT presented findings at        |                                                | at->conference       | RIGHT-ARC
ROOT presented findings           |                                                | findings->at         | RIGHT-ARC
ROOT presented                    |                                                | presented->findings  | RIGHT-ARC
ROOT                              |                                                | ROOT->presented      | RIGHT-ARC
"""

grad_center_sign = mistake_edit(
    "word2vec_grad_center",
    {"(y_hat - y)": "(y - y_hat)"},
    story="Subtracts the probabilities from the one-hot vector: the sign is wrong.",
    hint="In which direction does v_c move when this gradient is subtracted from it?",
)


grad_center_columns = mistake_edit(
    "word2vec_grad_center",
    {"U.T": "U"},
    story="Uses the formula for a U whose columns are words.",
    hint="Which axis of U is the axis of the words here, and over which axis do you sum?",
)


grad_center_without_one_hot = mistake_edit(
    "word2vec_grad_center",
    {"(y_hat - y)": "y_hat"},
    story="Does not subtract the one-hot vector.",
    hint="Which term of the loss contains the true word alone, and what is its gradient?",
)


grad_center_true_word_only = mistake_edit(
    "word2vec_grad_center",
    {"U.T @ (y_hat - y)": "-U[o]"},
    story="Differentiates the score of the true word and forgets the normalising sum.",
    hint="Which other term of the loss depends on v_c?",
)


grad_center_plus = mistake_edit(
    "word2vec_grad_center",
    {"y_hat - y": "y_hat + y"},
    story="Adds the vector of the true word to the mean of all.",
    hint="Which sign does the score of the true word have in the loss?",
)


grad_outside_true_without_one_hot = mistake_edit(
    "word2vec_grad_outside_true",
    {"(y_hat[o] - 1)": "y_hat[o]"},
    story="Leaves the 1 of the one-hot vector out.",
    hint="What does the score of the true word itself contribute?",
)


grad_outside_true_sign = mistake_edit(
    "word2vec_grad_outside_true",
    {"y_hat[o] - 1": "1 - y_hat[o]"},
    story="Has the opposite sign.",
    hint="Does the loss grow or shrink when u_o moves towards v_c?",
)


grad_outside_true_wrong_vector = mistake_edit(
    "word2vec_grad_outside_true",
    {"* v_c": "* U[o]"},
    story="Multiplies by u_o, the variable of the derivative.",
    hint="Which vector remains when u_o . v_c is differentiated with respect to u_o?",
)


grad_outside_other_as_true = mistake_edit(
    "word2vec_grad_outside_other",
    {"y_hat[w]": "(y_hat[w] - 1)"},
    story="Subtracts 1, as for the true word.",
    hint="Does the score of the true word depend on u_w?",
)


grad_outside_other_of_the_true_word = mistake_edit(
    "word2vec_grad_outside_other",
    {"y_hat[w]": "y_hat[o]"},
    story="Uses the probability of the true word.",
    hint="Which word's probability grows when u_w moves towards v_c?",
)


grad_outside_other_sign = mistake_edit(
    "word2vec_grad_outside_other",
    {"y_hat[w]": "-y_hat[w]"},
    story="Has the opposite sign.",
    hint="Does the loss grow or shrink when another word becomes more probable?",
)


grad_outside_all_columns = mistake_edit(
    "word2vec_grad_outside_all",
    {"y_hat - y, v_c": "v_c, y_hat - y"},
    story="Has a column for each word, as in sources whose columns are words.",
    hint="Which shape should the answer have, and which row belongs to which word?",
)


grad_outside_all_without_one_hot = mistake_edit(
    "word2vec_grad_outside_all",
    {"y_hat - y": "y_hat"},
    story="Does not subtract the one-hot vector.",
    hint="Is the row of the true word equal to your answer for u_o?",
)


grad_outside_all_sign = mistake_edit(
    "word2vec_grad_outside_all",
    {"y_hat - y": "y - y_hat"},
    story="Has the opposite sign.",
    hint="Compare one row with your answer for another word.",
)


zero_gradient_only_if_equal = mistake_edit(
    "word2vec_zero_gradient",
    {'"c"': '"a"'},
    story="Says that the gradient is zero exactly when y_hat is y, which is sufficient and not necessary.",
    hint="Can a matrix with more columns than rows map a vector that is not zero to zero?",
)


zero_gradient_at_zero = mistake_edit(
    "word2vec_zero_gradient",
    {'"c"': '"b"'},
    story="Says that the gradient with respect to v_c is zero when v_c is.",
    hint="Where does v_c occur in the gradient?",
)


zero_gradient_never = mistake_edit(
    "word2vec_zero_gradient",
    {'"c"': '"d"'},
    story="Says never, because a softmax is never one-hot.",
    hint="Is y_hat = y the only way for the product to be zero?",
)


larger_updates_large_gradients = mistake_edit(
    "adam_larger_updates",
    {'"b"': '"a"'},
    story="Says that large gradients get the larger updates, as if they were multiplied by sqrt(v).",
    hint="Does division by a large number make an update larger or smaller?",
)


gamma_one_over_p = mistake_edit(
    "dropout_gamma",
    {"(1 - p_drop)": "p_drop"},
    story="Divides by the probability of dropping.",
    hint="With which probability is a unit kept?",
)


gamma_down = mistake_edit(
    "dropout_gamma",
    {"1 / (1 - p_drop)": "1 - p_drop"},
    story="Scales down by the probability of keeping a unit, instead of up.",
    hint="Should the units that are kept become larger or smaller?",
)


gamma_first_order = mistake_edit(
    "dropout_gamma",
    {"1 / (1 - p_drop)": "1 + p_drop"},
    story="Adds p_drop to 1, which is close to right for small p_drop.",
    hint="Compute the expectation of one unit with your factor.",
)


@mistake(
    "parser_transitions",
    story="Writes every dependency as dependent->head.",
    hint="Which end of the arrow is the head?",
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


transitions_unfinished = mistake_edit(
    "parser_transitions",
    {ARCS_AT_THE_END: ""},
    story="Ends when the buffer is empty, before the arcs on the stack are made.",
    hint="What is on the stack when a parse is finished?",
)


transitions_compound_turned = mistake_edit(
    "parser_transitions",
    {
        "the conference |": "the NLP |",
        "conference->NLP      | LEFT-ARC": "NLP->conference | RIGHT-ARC",
        "at conference |": "at NLP |",
        "conference->the": "NLP->the",
        "at->conference": "at->NLP",
    },
    story="Makes NLP the head of conference: legal in every row, and another tree.",
    hint="Which word of a compound says what kind of thing it is?",
)


steps_one_a_word = mistake_edit(
    "parser_steps",
    {"2 * n": "n"},
    story="Counts one transition for each word.",
    hint="Which transition removes a word from the stack?",
)


steps_without_root = mistake_edit(
    "parser_steps",
    {"2 * n": "2 * n - 1"},
    story="Leaves out the last arc, which makes a word a dependent of ROOT.",
    hint="Which arc has ROOT as its head?",
)


steps_with_root_shifted = mistake_edit(
    "parser_steps",
    {"2 * n": "2 * n + 1"},
    story="Counts ROOT as a word that is shifted.",
    hint="Where is ROOT at the start of the parse?",
)


relu_derivative_without_step = mistake_edit(
    "parser_network_relu_derivative",
    {"(z[i] > 0) * ": ""},
    story="Forgets that the derivative is 0 if z_i is negative.",
    hint="What is h_i, and how does it change, if z_i is negative?",
)


relu_derivative_columns = mistake_edit(
    "parser_network_relu_derivative",
    {"W[j, i]": "W[i, j]"},
    story="Takes the weight as in sources whose columns are inputs.",
    hint="Which axis of W belongs to the inputs in z = x W + b1?",
)


relu_derivative_value_for_slope = mistake_edit(
    "parser_network_relu_derivative",
    {"(z[i] > 0)": "(z[i] > 0) * z[i]"},
    story="Multiplies by z_i if it is positive, instead of by 1: that is ReLU and not its derivative.",
    hint="What is the slope of ReLU for positive numbers?",
)


relu_derivative_other_side = mistake_edit(
    "parser_network_relu_derivative",
    {"z[i] > 0": "z[i] < 0"},
    story="Lets the gradient through if the unit is inactive.",
    hint="On which side of 0 is ReLU flat?",
)


logit_gradient_without_one_hot = mistake_edit(
    "parser_network_logit_gradient",
    {" - y[i]": ""},
    story="Does not subtract the one-hot vector.",
    hint="Which term of the loss contains the logit of the true class alone?",
)


logit_gradient_always_minus_one = mistake_edit(
    "parser_network_logit_gradient",
    {"- y[i]": "- 1"},
    story="Subtracts 1 for every class, not for the true one alone.",
    hint="For which i does the first term of the loss depend on l_i?",
)


logit_gradient_sign = mistake_edit(
    "parser_network_logit_gradient",
    {"y_hat[i] - y[i]": "y[i] - y_hat[i]"},
    story="Has the opposite sign.",
    hint="Does the loss grow or shrink with the logit of the true class?",
)


logit_gradient_whole_vector = mistake_edit(
    "parser_network_logit_gradient",
    {"y_hat[i] - y[i]": "y_hat - y"},
    story="Returns the whole vector instead of one entry.",
    hint="How many numbers is dJ/dl_i?",
)


grad_probabilities_sign = mistake_edit(
    "output_grad_probabilities",
    {"-e /": "e /"},
    story="Leaves the minus sign of the loss out.",
    hint="Does the loss grow or shrink with the probability of the label?",
)


grad_probabilities_without_one_hot = mistake_edit(
    "output_grad_probabilities",
    {"-e / y_hat[label]": "-1 / y_hat"},
    story="Leaves the one-hot vector out: every probability gets a derivative.",
    hint="Does the loss depend on the probabilities of other labels?",
)


grad_probabilities_product = mistake_edit(
    "output_grad_probabilities",
    {"-e / y": "-e * y"},
    story="Multiplies by the probability of the label: the derivative of the logarithm is inverted.",
    hint="What is the derivative of log p?",
)


grad_preactivation_sign = mistake_edit(
    "output_grad_preactivation",
    {"-(e - y_hat)": "e - y_hat"},
    story="Has the opposite sign.",
    hint="What is the gradient of -log p, and is yours that of log p?",
)


grad_preactivation_without_one_hot = mistake_edit(
    "output_grad_preactivation",
    {"-(e - y_hat)": "y_hat"},
    story="Does not subtract the one-hot vector.",
    hint="What is the sum of the gradient's entries, if adding a number to all entries of a does not change the loss?",
)


grad_preactivation_as_sigmoid = mistake_edit(
    "output_grad_preactivation",
    {"-(e - y_hat)": "-e / y_hat * y_hat * (1 - y_hat)"},
    story="Multiplies entry by entry by y_hat (1 - y_hat), as if the softmax were a sigmoid of each entry.",
    hint="Does y_hat[label] depend on the other entries of a?",
)


softmax_input_gradient_sign = mistake_edit(
    "q1c_softmax_input_gradient",
    {"y_hat - y": "y - y_hat"},
    story="Has the opposite sign.",
    hint="Does the cost grow or shrink with the score of the right class?",
)


softmax_input_gradient_without_one_hot = mistake_edit(
    "q1c_softmax_input_gradient",
    {"y_hat - y": "y_hat"},
    story="Does not subtract the one-hot rows.",
    hint="What is the gradient if the prediction is perfect?",
)


softmax_input_gradient_mean = mistake_edit(
    "q1c_softmax_input_gradient",
    {"y_hat - y": "(y_hat - y) / len(y)"},
    story="Divides by the number of rows, although the cost is their sum.",
    hint="Is the cost a sum or a mean over the rows?",
)


input_gradient_sigma_of_one_minus = mistake_edit(
    "q1c_input_gradient",
    {"h * (1 - h)": "h / (1 + np.exp(-(1 - z)))"},
    story="Uses sigma(z) sigma(1 - z) as the derivative of the sigmoid, like an older version of this assignment.",
    hint="Is 1 - sigma(z) equal to sigma(1 - z), for instance at z = 0?",
)


input_gradient_without_sigmoid = mistake_edit(
    "q1c_input_gradient",
    {" * h * (1 - h)": ""},
    story="Leaves out the derivative of the hidden layer.",
    hint="Which function turns z into h?",
)


input_gradient_derivative_of_value = mistake_edit(
    "q1c_input_gradient",
    {"h * (1 - h)": "(1 / (1 + np.exp(-h))) * (1 - 1 / (1 + np.exp(-h)))"},
    story="Takes the derivative of the sigmoid at its value h instead of at z.",
    hint="Is h the argument of the sigmoid or its value?",
)


input_gradient_columns = mistake_edit(
    "q1c_input_gradient",
    {"@ W2.T": "@ W2", "@ W1.T": "@ W1"},
    story="Does not transpose the matrices, as if columns were examples.",
    hint="Write the shapes under each factor.",
)


input_gradient_without_one_hot = mistake_edit(
    "q1c_input_gradient",
    {"(y_hat - y)": "y_hat"},
    story="Does not subtract the one-hot rows.",
    hint="What is the gradient if the prediction is perfect?",
)
