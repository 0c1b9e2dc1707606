"""Known wrong answers of lstm."""

import numpy as np
from reference.lstm import lstm_backward, lstm_forward, lstm_step_backward, lstm_step_forward, sigmoid

from tests.mistakes import mistake


@mistake(
    "lstm_step_forward",
    severity="slip",
    story="Takes the gates in the order i, f, g, o, which other libraries use.",
    hint="In which order does the assignment put the four gates side by side?",
    breaks=["lstm_step_forward"],
)
def lstm_step_forward_other_order_of_gates(x, prev_h, prev_c, Wx, Wh, b):
    a_i, a_f, a_g, a_o = np.split(x @ Wx + prev_h @ Wh + b, 4, axis=1)
    i, f, o, g = sigmoid(a_i), sigmoid(a_f), sigmoid(a_o), np.tanh(a_g)
    next_c = f * prev_c + i * g
    return o * np.tanh(next_c), next_c, (x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c)


@mistake(
    "lstm_step_forward",
    severity="misconception",
    story="Adds the old cell state whole, without the forget gate.",
    hint="Which gate decides how much of the old cell state stays?",
    breaks=["lstm_step_forward"],
)
def lstm_step_forward_never_forgets(x, prev_h, prev_c, Wx, Wh, b):
    a_i, _, a_o, a_g = np.split(x @ Wx + prev_h @ Wh + b, 4, axis=1)
    i, o, g = sigmoid(a_i), sigmoid(a_o), np.tanh(a_g)
    next_c = prev_c + i * g
    return o * np.tanh(next_c), next_c, (x, prev_h, prev_c, Wx, Wh, i, np.ones(i.shape), o, g, next_c)


@mistake(
    "lstm_step_forward",
    severity="slip",
    story="Lets the cell state out without tanh.",
    hint="Can an entry of your next_h be larger than 1?",
    breaks=["lstm_step_forward"],
)
def lstm_step_forward_cell_without_tanh(x, prev_h, prev_c, Wx, Wh, b):
    _, next_c, cache = lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b)
    return cache[7] * next_c, next_c, cache


@mistake(
    "lstm_step_forward",
    severity="misconception",
    story="Takes the sigmoid of all four parts, the candidate included.",
    hint="Which values can the candidate g have?",
    breaks=["lstm_step_forward"],
)
def lstm_step_forward_sigmoid_candidate(x, prev_h, prev_c, Wx, Wh, b):
    i, f, o, g = np.split(sigmoid(x @ Wx + prev_h @ Wh + b), 4, axis=1)
    next_c = f * prev_c + i * g
    return o * np.tanh(next_c), next_c, (x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c)


@mistake(
    "lstm_step_forward",
    severity="slip",
    story="Computes the sigmoid as exp(z) / (1 + exp(z)), which is infinity divided by infinity for a large z.",
    hint="What is exp(1000), and what does your sigmoid divide there?",
    breaks=["robustness"],
)
def lstm_step_forward_overflows(x, prev_h, prev_c, Wx, Wh, b):
    a = x @ Wx + prev_h @ Wh + b
    i, f, o, _ = np.split(np.exp(a) / (1 + np.exp(a)), 4, axis=1)
    g = np.tanh(np.split(a, 4, axis=1)[3])
    next_c = f * prev_c + i * g
    return o * np.tanh(next_c), next_c, (x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c)


@mistake(
    "lstm_step_forward",
    severity="slip",
    story="Returns the cell state before the hidden state.",
    hint="In which order does the caller expect the two states?",
    breaks=["lstm_step_forward"],
)
def lstm_step_forward_states_swapped(x, prev_h, prev_c, Wx, Wh, b):
    next_h, next_c, cache = lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b)
    return next_c, next_h, cache


@mistake(
    "lstm_step_backward",
    severity="misconception",
    story="Leaves out the gradient of the forget gate.",
    hint="Through which gates does the new cell state depend on the input?",
    breaks=["lstm_step_backward"],
)
def lstm_step_backward_without_forget_gate(dnext_h, dnext_c, cache):
    x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c = cache
    constant = (x, prev_h, 0 * prev_c, Wx, Wh, i, f, o, g, next_c)
    return lstm_step_backward(dnext_h, dnext_c, constant)


@mistake(
    "lstm_step_backward",
    severity="misconception",
    story="Ignores dnext_c: the cell state counts only through the hidden state.",
    hint="In which two ways does the loss depend on the new cell state?",
    breaks=["lstm_step_backward"],
)
def lstm_step_backward_ignores_dnext_c(dnext_h, dnext_c, cache):
    return lstm_step_backward(dnext_h, 0 * dnext_c, cache)


@mistake(
    "lstm_step_backward",
    severity="misconception",
    story="Forgets the slope of the tanh between the cell state and the hidden state.",
    hint="What is the derivative of next_h with respect to next_c?",
    breaks=["lstm_step_backward"],
)
def lstm_step_backward_without_slope_of_tanh(dnext_h, dnext_c, cache):
    o, next_c = cache[7], cache[9]
    return lstm_step_backward(dnext_h, dnext_c + dnext_h * o * np.tanh(next_c) ** 2, cache)


@mistake(
    "lstm_step_backward",
    severity="slip",
    story="Averages the gradient of the bias over the batch.",
    hint="Compare how the rows of the batch are combined in each of your gradients.",
    breaks=["lstm_step_backward"],
)
def lstm_step_backward_averages_the_bias(dnext_h, dnext_c, cache):
    *others, db = lstm_step_backward(dnext_h, dnext_c, cache)
    return *others, db / len(dnext_h)


@mistake(
    "lstm_step_backward",
    severity="slip",
    story="Returns dWh before dWx.",
    hint="Compare the shapes of your gradients with those of Wx and Wh.",
    breaks=["lstm_step_backward"],
)
def lstm_step_backward_weights_swapped(dnext_h, dnext_c, cache):
    dx, dprev_h, dprev_c, dWx, dWh, db = lstm_step_backward(dnext_h, dnext_c, cache)
    return dx, dprev_h, dprev_c, dWh, dWx, db


@mistake(
    "lstm_forward",
    severity="fundamental",
    story="Starts every step from h0.",
    hint="Which hidden state does the second step start from?",
    breaks=["lstm_forward"],
)
def lstm_forward_always_from_h0(x, h0, Wx, Wh, b):
    c_t, states, caches = np.zeros(h0.shape), [], []
    for t in range(x.shape[1]):
        h_t, c_t, cache = lstm_step_forward(x[:, t], h0, c_t, Wx, Wh, b)
        states.append(h_t)
        caches.append(cache)
    return np.stack(states, axis=1), caches


@mistake(
    "lstm_forward",
    severity="misconception",
    story="Sets the cell state to zeros before each step.",
    hint="What does the cell state carry from one step to the next?",
    breaks=["lstm_forward"],
)
def lstm_forward_loses_the_cell(x, h0, Wx, Wh, b):
    h_t, states, caches = h0, [], []
    for t in range(x.shape[1]):
        h_t, _, cache = lstm_step_forward(x[:, t], h_t, np.zeros(h0.shape), Wx, Wh, b)
        states.append(h_t)
        caches.append(cache)
    return np.stack(states, axis=1), caches


@mistake(
    "lstm_forward",
    severity="slip",
    story="Starts from a hidden state of zeros and does not use h0.",
    hint="Change h0 alone: which of your hidden states change?",
    breaks=["lstm_forward"],
)
def lstm_forward_ignores_h0(x, h0, Wx, Wh, b):
    return lstm_forward(x, 0 * h0, Wx, Wh, b)


@mistake(
    "lstm_forward",
    severity="slip",
    story="Puts the steps on the first axis, so that the result has the shape (T, N, H).",
    hint="Compare the axes of your h with those of x.",
    breaks=["lstm_forward"],
)
def lstm_forward_time_first(x, h0, Wx, Wh, b):
    h, cache = lstm_forward(x, h0, Wx, Wh, b)
    return h.swapaxes(0, 1), cache


@mistake(
    "lstm_backward",
    severity="misconception",
    story="Passes only the gradient from the next step on, without that of the step's own hidden state.",
    hint="In which two ways does the loss depend on the hidden state of a step in the middle?",
    breaks=["lstm_backward"],
)
def lstm_backward_last_state_only(dh, cache):
    last = np.zeros(dh.shape)
    last[:, -1] = dh[:, -1]
    return lstm_backward(last, cache)


@mistake(
    "lstm_backward",
    severity="misconception",
    story="Does not add the gradient that comes back from the next step: each step is on its own.",
    hint="In which two ways does the loss depend on the hidden state of a step in the middle?",
    breaks=["lstm_backward"],
)
def lstm_backward_not_through_time(dh, cache):
    nothing = np.zeros(dh[:, 0].shape)
    steps = [lstm_step_backward(dh[:, t], nothing, cache[t]) for t in range(dh.shape[1])]
    dx, dh_t, _, dWx, dWh, db = zip(*steps)
    return np.stack(dx, axis=1), dh_t[0], sum(dWx), sum(dWh), sum(db)


@mistake(
    "lstm_backward",
    severity="misconception",
    story="Starts each step with zeros for the gradient of the cell state.",
    hint="What carries the gradient of the cell state from one step to the step before it?",
    breaks=["lstm_backward"],
)
def lstm_backward_loses_the_cell(dh, cache):
    dnext_h, nothing, steps = 0 * dh[:, 0], np.zeros(dh[:, 0].shape), []
    for t in reversed(range(dh.shape[1])):
        steps.insert(0, lstm_step_backward(dh[:, t] + dnext_h, nothing, cache[t]))
        dnext_h = steps[0][1]
    dx, _, _, dWx, dWh, db = zip(*steps)
    return np.stack(dx, axis=1), dnext_h, sum(dWx), sum(dWh), sum(db)


@mistake(
    "lstm_backward",
    severity="misconception",
    story="Overwrites the gradients of the weights in each step, so that those of the first step are returned.",
    hint="In how many steps are the weights used?",
    breaks=["lstm_backward"],
)
def lstm_backward_weights_of_one_step(dh, cache):
    dx, dh0, _, _, _ = lstm_backward(dh, cache)
    dnext_h = dnext_c = np.zeros(dh[:, 0].shape)
    for t in reversed(range(dh.shape[1])):
        _, dnext_h, dnext_c, dWx, dWh, db = lstm_step_backward(dh[:, t] + dnext_h, dnext_c, cache[t])
    return dx, dh0, dWx, dWh, db


@mistake(
    "lstm_backward",
    severity="slip",
    story="Collects dx from the last step to the first and does not turn the list around.",
    hint="Which step does the first entry of your list belong to?",
    breaks=["lstm_backward"],
)
def lstm_backward_dx_backwards(dh, cache):
    dx, *others = lstm_backward(dh, cache)
    return dx[:, ::-1], *others
