"""Known wrong answers of lstm."""

from tests.mistakes import mistake_edit

lstm_step_forward_other_order_of_gates = mistake_edit(
    "lstm_step_forward",
    {"a_o, a_g = np": "a_g, a_o = np"},
    story="Takes the gates in the order i, f, g, o, which other libraries use.",
    hint="In which order does the assignment put the four gates side by side?",
)

lstm_step_forward_never_forgets = mistake_edit(
    "lstm_step_forward",
    {"sigmoid(a_f)": "np.ones_like(a_f)"},
    story="Adds the old cell state whole, without the forget gate.",
    hint="Which gate decides how much of the old cell state stays?",
)

lstm_step_forward_cell_without_tanh = mistake_edit(
    "lstm_step_forward",
    {"o * np.tanh(next_c)": "o * next_c"},
    story="Lets the cell state out without tanh.",
    hint="Can an entry of your next_h be larger than 1?",
)

lstm_step_forward_sigmoid_candidate = mistake_edit(
    "lstm_step_forward",
    {"np.tanh(a_g)": "sigmoid(a_g)"},
    story="Takes the sigmoid of all four parts, the candidate included.",
    hint="Which values can the candidate g have?",
)

lstm_step_forward_overflows = mistake_edit(
    "lstm_step_forward",
    {"sigmoid(a_i), sigmoid(a_f), sigmoid(a_o), ": "*(np.exp(z) / (1 + np.exp(z)) for z in (a_i, a_f, a_o)), "},
    story="Computes the sigmoid as exp(z) / (1 + exp(z)), which is infinity divided by infinity for a large z.",
    hint="What is exp(1000), and what does your sigmoid divide there?",
)

lstm_step_forward_states_swapped = mistake_edit(
    "lstm_step_forward",
    {"return next_h, next_c,": "return next_c, next_h,"},
    story="Returns the cell state before the hidden state.",
    hint="In which order does the caller expect the two states?",
)

lstm_step_backward_without_forget_gate = mistake_edit(
    "lstm_step_backward",
    {"dc * prev_c * f * (1 - f)": "0 * f"},
    story="Leaves out the gradient of the forget gate.",
    hint="Through which gates does the new cell state depend on the input?",
)

lstm_step_backward_ignores_dnext_c = mistake_edit(
    "lstm_step_backward",
    {"dnext_c + dnext_h": "dnext_h"},
    story="Ignores dnext_c: the cell state counts only through the hidden state.",
    hint="In which two ways does the loss depend on the new cell state?",
)

lstm_step_backward_without_slope_of_tanh = mistake_edit(
    "lstm_step_backward",
    {" * (1 - tanh_c**2)": ""},
    story="Forgets the slope of the tanh between the cell state and the hidden state.",
    hint="What is the derivative of next_h with respect to next_c?",
)

lstm_step_backward_averages_the_bias = mistake_edit(
    "lstm_step_backward",
    {"da.sum(": "da.mean("},
    story="Averages the gradient of the bias over the batch.",
    hint="Compare how the rows of the batch are combined in each of your gradients.",
)

lstm_step_backward_weights_swapped = mistake_edit(
    "lstm_step_backward",
    {"x.T @ da, prev_h.T @ da": "prev_h.T @ da, x.T @ da"},
    story="Returns dWh before dWx.",
    hint="Compare the shapes of your gradients with those of Wx and Wh.",
)

lstm_forward_always_from_h0 = mistake_edit(
    "lstm_forward",
    {"x[:, t], h_t,": "x[:, t], h0,"},
    story="Starts every step from h0.",
    hint="Which hidden state does the second step start from?",
)

lstm_forward_loses_the_cell = mistake_edit(
    "lstm_forward",
    {"h_t, c_t, Wx": "h_t, 0 * c_t, Wx"},
    story="Sets the cell state to zeros before each step.",
    hint="What does the cell state carry from one step to the next?",
)

lstm_forward_ignores_h0 = mistake_edit(
    "lstm_forward",
    {"= h0,": "= 0 * h0,"},
    story="Starts from a hidden state of zeros and does not use h0.",
    hint="Change h0 alone: which of your hidden states change?",
)

lstm_forward_time_first = mistake_edit(
    "lstm_forward",
    {"axis=1": "axis=0"},
    story="Puts the steps on the first axis, so that the result has the shape (T, N, H).",
    hint="Compare the axes of your h with those of x.",
)

lstm_backward_last_state_only = mistake_edit(
    "lstm_backward",
    {"dh[:, t] + dnext_h": "(dh[:, t] if t == T - 1 else dnext_h)"},
    story="Passes only the gradient from the next step on, without that of the step's own hidden state.",
    hint="In which two ways does the loss depend on the hidden state of a step in the middle?",
)

lstm_backward_not_through_time = mistake_edit(
    "lstm_backward",
    {"dh[:, t] + dnext_h, dnext_c": "dh[:, t], 0 * dnext_c"},
    story="Does not add the gradient that comes back from the next step: each step is on its own.",
    hint="In which two ways does the loss depend on the hidden state of a step in the middle?",
)

lstm_backward_loses_the_cell = mistake_edit(
    "lstm_backward",
    {"+ dnext_h, dnext_c": "+ dnext_h, 0 * dnext_c"},
    story="Starts each step with zeros for the gradient of the cell state.",
    hint="What carries the gradient of the cell state from one step to the step before it?",
)

lstm_backward_weights_of_one_step = mistake_edit(
    "lstm_backward",
    {"np.sum(each, axis=0)": "each[0]"},
    story="Overwrites the gradients of the weights in each step, so that those of the first step are returned.",
    hint="In how many steps are the weights used?",
)

lstm_backward_dx_backwards = mistake_edit(
    "lstm_backward",
    {"np.stack(dx, axis=1)": "np.stack(dx[::-1], axis=1)"},
    story="Collects dx from the last step to the first and does not turn the list around.",
    hint="Which step does the first entry of your list belong to?",
)
