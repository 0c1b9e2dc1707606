"""Known wrong written answers: the text of the wrong formula is the student's answer."""

from tests.mistakes import mistake_edit

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
    {"U.T @": "U @"},
    story='Multiplies as if words were the columns of U, and does not say so by convention = "columns".',
    hint="Is a word a row of U in your formula, or a column? Which of them does your key `convention` say?",
)


grad_outside_true_sign = mistake_edit(
    "word2vec_grad_outside_true",
    {"y_hat[o] - 1": "1 - y_hat[o]"},
    story="Has the opposite sign.",
    hint="Does the loss grow or shrink when u_o moves towards v_c?",
)


grad_outside_other_as_true = mistake_edit(
    "word2vec_grad_outside_other",
    {"y_hat[w]": "(y_hat[w] - 1)"},
    story="Subtracts 1, as for the true word.",
    hint="Does the score of the true word depend on u_w?",
)


grad_outside_all_columns = mistake_edit(
    "word2vec_grad_outside_all",
    {"y_hat - y, v_c": "v_c, y_hat - y"},
    story="Has a column for each word, as in sources whose columns are words.",
    hint="Which shape should the answer have, and which row belongs to which word? If your words are "
    "columns, does your key `convention` say so?",
)


zero_gradient_only_if_equal = mistake_edit(
    "word2vec_zero_gradient",
    {'"c"': '"a"'},
    story="Says that the gradient is zero exactly when y_hat is y, which is sufficient and not necessary.",
    hint="Can a matrix with more columns than rows map a vector that is not zero to zero?",
)


larger_updates_large_gradients = mistake_edit(
    "adam_larger_updates",
    {'"b"': '"a"'},
    story="Says that large gradients get the larger updates, as if they were multiplied by sqrt(v).",
    hint="Does division by a large number make an update larger or smaller?",
)


gamma_down = mistake_edit(
    "dropout_gamma",
    {"1 / (1 - p_drop)": "1 - p_drop"},
    story="Scales down by the probability of keeping a unit, instead of up.",
    hint="Should the units that are kept become larger or smaller?",
)


transitions_unfinished = mistake_edit(
    "parser_transitions",
    {ARCS_AT_THE_END: ""},
    story="Ends when the buffer is empty, before the arcs on the stack are made.",
    hint="What is on the stack when a parse is finished?",
)


steps_one_a_word = mistake_edit(
    "parser_steps",
    {"2 * n": "n"},
    story="Counts one transition for each word.",
    hint="Which transition removes a word from the stack?",
)


relu_derivative_without_step = mistake_edit(
    "parser_network_relu_derivative",
    {"(z[i] > 0) * ": ""},
    story="Forgets that the derivative is 0 if z_i is negative.",
    hint="What is h_i, and how does it change, if z_i is negative?",
)


logit_gradient_without_one_hot = mistake_edit(
    "parser_network_logit_gradient",
    {" - y[i]": ""},
    story="Does not subtract the one-hot vector.",
    hint="Which term of the loss contains the logit of the true class alone?",
)


grad_probabilities_sign = mistake_edit(
    "output_grad_probabilities",
    {"-e /": "e /"},
    story="Leaves the minus sign of the loss out.",
    hint="Does the loss grow or shrink with the probability of the label?",
)


grad_preactivation_as_sigmoid = mistake_edit(
    "output_grad_preactivation",
    {"-(e - y_hat)": "-e / y_hat * y_hat * (1 - y_hat)"},
    story="Multiplies entry by entry by y_hat (1 - y_hat), as if the softmax were a sigmoid of each entry.",
    hint="Does y_hat[label] depend on the other entries of a?",
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


input_gradient_derivative_of_value = mistake_edit(
    "q1c_input_gradient",
    {"h * (1 - h)": "(1 / (1 + np.exp(-h))) * (1 - 1 / (1 + np.exp(-h)))"},
    story="Takes the derivative of the sigmoid at its value h instead of at z.",
    hint="Is h the argument of the sigmoid or its value?",
)
