"""Known wrong answers of adam."""

import numpy as np

from reference.adam import adam_step, adam_step_corrected, momentum_step
from tests.mistakes import mistake, mistake_edit

momentum_step_whole_gradient = mistake_edit(
    "momentum_step",
    {"(1 - beta1) * grad": "grad"},
    story="Adds the whole gradient to the rolling average.",
    hint="Do the two weights of your average sum to 1?",
)


@mistake(
    "momentum_step",
    story="Swaps the weights of the old average and of the gradient.",
    hint="Which of the two should count more when beta1 is 0.9?",
)
def momentum_step_weights_swapped(theta, grad, m, learning_rate, beta1=0.9):
    return momentum_step(theta, grad, m, learning_rate, 1 - beta1)


momentum_step_along_the_gradient = mistake_edit(
    "momentum_step",
    {"learning_rate * m": "learning_rate * grad"},
    story="Steps along the gradient; the rolling average is computed and not used.",
    hint="What does your step depend on besides the gradient?",
)


@mistake(
    "momentum_step",
    story="Steps along the average from before this step.",
    hint="In which order are the two lines of the update computed?",
)
def momentum_step_old_average(theta, grad, m, learning_rate, beta1=0.9):
    return theta - learning_rate * m, momentum_step(theta, grad, m, learning_rate, beta1)[1]


@mistake(
    "momentum_step",
    story="Writes 0.9 into the formula instead of beta1.",
    hint="Where does beta1 occur in your code?",
)
def momentum_step_always_nine_tenths(theta, grad, m, learning_rate, beta1=0.9):
    return momentum_step(theta, grad, m, learning_rate, 0.9)


momentum_step_in_place = mistake_edit(
    "momentum_step",
    {
        "m = beta1 * m + (1 - beta1) * grad": "m[...] = beta1 * m + (1 - beta1) * grad",
        "theta = theta - learning_rate * m": "theta -= learning_rate * m",
    },
    story="Updates the arrays of the caller in place.",
    hint="Compare the arguments before and after the call.",
)


@mistake(
    "momentum_step",
    story="Loops over the first axis, and stops with an error on an array without axes.",
    hint="Does your function depend on the number of axes?",
)
def momentum_step_needs_an_axis(theta, grad, m, learning_rate, beta1=0.9):
    steps = [momentum_step(theta[n], grad[n], m[n], learning_rate, beta1) for n in range(len(theta))]
    return np.array([step[0] for step in steps]), np.array([step[1] for step in steps])


@mistake(
    "adam_step",
    story="Corrects the bias as in the first step, although this function has the form without correction.",
    hint="Which of the two forms of Adam does this function have?",
)
def adam_step_with_correction(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    return adam_step_corrected(theta, grad, m, v, 1, learning_rate, beta1, beta2)


adam_step_without_root = mistake_edit(
    "adam_step",
    {"np.sqrt(v)": "v"},
    story="Divides by v and not by its square root.",
    hint="If all gradients were ten times as large, how much larger should the step be?",
)


adam_step_gradient_not_squared = mistake_edit(
    "adam_step",
    {"grad**2": "grad", "np.where(v > 0, np.sqrt(v), np.inf)": "np.sqrt(v)"},
    story="Averages the gradient and not its square in v.",
    hint="Can your v be negative?",
)


adam_step_norm_of_the_gradient = mistake_edit(
    "adam_step",
    {"grad**2": "(grad**2).sum()"},
    story="Squares the norm of the whole gradient, so that every entry has the same v.",
    hint="Should the rate of one parameter depend on the gradients of the others?",
)


adam_step_old_squares = mistake_edit(
    "adam_step",
    {
        "v = beta2 * v + (1 - beta2) * grad**2": "old, v = v, beta2 * v + (1 - beta2) * grad**2",
        "np.where(v > 0, np.sqrt(v), np.inf)": "np.where(old > 0, np.sqrt(old), np.inf)",
    },
    story="Divides by the root of the v from before this step.",
    hint="In which order are the lines of the update computed?",
)


adam_step_one_beta = mistake_edit(
    "adam_step",
    {"beta2 * v + (1 - beta2)": "beta1 * v + (1 - beta1)"},
    story="Uses beta1 for v too.",
    hint="Where does beta2 occur in your code?",
)


@mistake(
    "adam_step",
    story="Writes 0.9 and 0.999 into the formulas instead of the arguments.",
    hint="Where do beta1 and beta2 occur in your code?",
)
def adam_step_constants_fixed(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    return adam_step(theta, grad, m, v, learning_rate, 0.9, 0.999)


adam_step_with_epsilon = mistake_edit(
    "adam_step",
    {"np.where(v > 0, np.sqrt(v), np.inf)": "np.sqrt(v) + 1e-8"},
    story="Adds 1e-8 to the divisor, which this form does not have: it shortens the steps if gradients are small.",
    hint="Compare your divisor with the handout's, term by term.",
)


adam_step_divides_by_zero = mistake_edit(
    "adam_step",
    {"np.where(v > 0, np.sqrt(v), np.inf)": "np.sqrt(v)"},
    story="Divides by 0 if v is 0.",
    hint="What should happen to a parameter whose gradients have all been 0?",
)


@mistake(
    "adam_step",
    story="Updates the averages of the caller in place.",
    hint="Compare the arguments before and after the call.",
)
def adam_step_in_place(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    theta_new, m_new, v_new = adam_step(theta, grad, m, v, learning_rate, beta1, beta2)
    m[...], v[...] = m_new, v_new
    return theta_new, m, v


adam_step_corrected_without_correction = mistake_edit(
    "adam_step_corrected",
    {"m / (1 - beta1**t)": "m", "v / (1 - beta2**t)": "v"},
    story="Leaves the bias correction out.",
    hint="Where does t occur in your code?",
)


adam_step_corrected_t_from_zero = mistake_edit(
    "adam_step_corrected",
    {"beta1**t": "beta1 ** (t + 1)", "beta2**t": "beta2 ** (t + 1)"},
    story="Counts t from 0, so that the correction is one step ahead.",
    hint="What is your divisor in the first step, when t is 1?",
)


adam_step_corrected_first_step_only = mistake_edit(
    "adam_step_corrected",
    {"beta1**t": "beta1", "beta2**t": "beta2"},
    story="Divides by 1 - beta in every step: without the power t, which is right in the first step only.",
    hint="What is your correction in the second step?",
)


adam_step_corrected_returns_corrected = mistake_edit(
    "adam_step_corrected",
    {"return theta, m, v": "return theta, m_hat, v_hat"},
    story="Returns the corrected averages, which the next step corrects once more.",
    hint="Which m and v does the next step start from?",
)


adam_step_corrected_epsilon_inside = mistake_edit(
    "adam_step_corrected",
    {"(np.sqrt(v_hat) + eps)": "np.sqrt(v_hat + eps)"},
    story="Adds eps inside the square root.",
    hint="Compare the position of eps with that in the algorithm.",
)


adam_step_corrected_without_epsilon = mistake_edit(
    "adam_step_corrected",
    {"(np.sqrt(v_hat) + eps)": "np.sqrt(v_hat)"},
    story="Leaves eps out.",
    hint="Where does eps occur in your code?",
)


@mistake(
    "adam_step_corrected",
    story="Writes 0.9 and 0.999 into the formulas instead of the arguments.",
    hint="Where do beta1 and beta2 occur in your code?",
)
def adam_step_corrected_constants_fixed(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    return adam_step_corrected(theta, grad, m, v, t, learning_rate, 0.9, 0.999, eps)


@mistake(
    "adam_step_corrected",
    story="Updates theta, m and v of the caller in place.",
    hint="Compare the arguments before and after the call.",
)
def adam_step_corrected_in_place(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    values = adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1, beta2, eps)
    theta[...], m[...], v[...] = values
    return theta, m, v


@mistake(
    "adam_step_corrected",
    story="Loops over the first axis, and stops with an error on an array without axes.",
    hint="Does your function depend on the number of axes?",
)
def adam_step_corrected_needs_an_axis(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    rows = zip(theta, grad, m, v)
    steps = [adam_step_corrected(*row, t, learning_rate, beta1, beta2, eps) for row in rows]
    return tuple(np.array([step[part] for step in steps]) for part in range(3))


@mistake(
    "adam_step_corrected",
    story="Clips the gradient to [-10, 10] first.",
    hint="Does the algorithm bound the gradient?",
)
def adam_step_corrected_clips_the_gradient(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    return adam_step_corrected(theta, np.clip(grad, -10, 10), m, v, t, learning_rate, beta1, beta2, eps)


@mistake(
    "adam_step",
    story="Sets the averages to 0 where the gradient is 0, as if the parameter had never moved.",
    hint="What becomes of m and v where the gradient of this step is 0?",
)
def adam_step_forgets_where_gradient_is_zero(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    return adam_step(theta, grad, np.where(grad == 0, 0, m), np.where(grad == 0, 0, v), learning_rate, beta1, beta2)


adam_step_corrected_stops_early = mistake_edit(
    "adam_step_corrected",
    {
        "m / (1 - beta1**t)": "m / (1 - beta1**t if t <= 10 else 1)",
        "v / (1 - beta2**t)": "v / (1 - beta2**t if t <= 10 else 1)",
    },
    story="Stops correcting after ten steps, as if beta2 were as small as beta1.",
    hint="How large is 1 - beta2^t after fifty steps?",
)


@mistake(
    "adam_step",
    story="Takes beta1 and beta2 as a pair, and ignores beta1 if it is given without beta2.",
    hint="Call your function with beta1 alone.",
)
def adam_step_betas_as_a_pair(theta, grad, m, v, learning_rate, *betas):
    beta1, beta2 = betas if len(betas) == 2 else (0.9, 0.999)
    return adam_step(theta, grad, m, v, learning_rate, beta1, beta2)


@mistake(
    "adam_step_corrected",
    story="Uses beta1, beta2 and eps if all three are given, and else ignores them.",
    hint="Call your function with beta1 alone.",
)
def adam_step_corrected_constants_together(theta, grad, m, v, t, learning_rate, *constants):
    beta1, beta2, eps = constants if len(constants) == 3 else (0.9, 0.999, 1e-8)
    return adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1, beta2, eps)


@mistake(
    "adam_step_corrected",
    story="Keeps m and v from call to call, and ignores those that are passed in.",
    hint="Does your result depend on anything but the arguments of this call?",
)
def adam_step_corrected_keeps_averages(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8, kept={}):
    m, v = kept.get(np.shape(theta), (m, v))
    theta, m, v = adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1, beta2, eps)
    kept[np.shape(theta)] = m, v
    return theta, m, v


momentum_step_outputs_swapped = mistake_edit(
    "momentum_step",
    {"return theta, m": "return m, theta"},
    story="Returns m before theta.",
    hint="In which order does the caller expect the two values?",
)


momentum_step_rate_in_the_average = mistake_edit(
    "momentum_step",
    {"(1 - beta1) * grad": "(1 - beta1) * learning_rate * grad", "theta - learning_rate * m": "theta - m"},
    story="Multiplies the gradient by the learning rate inside the average, which then depends on the rate.",
    hint="Does your m change if the learning rate does?",
)


adam_step_along_the_gradient = mistake_edit(
    "adam_step",
    {"learning_rate * m": "learning_rate * grad"},
    story="Steps along the gradient and not along its average, as RMSprop does.",
    hint="Where does m occur in your step?",
)


adam_step_rate_in_the_average = mistake_edit(
    "adam_step",
    {"(1 - beta1) * grad": "(1 - beta1) * learning_rate * grad", "learning_rate * m": "m"},
    story="Multiplies the gradient by the learning rate inside m, which then depends on the rate.",
    hint="Does your m change if the learning rate does?",
)


adam_step_outputs_swapped = mistake_edit(
    "adam_step",
    {"return theta, m, v": "return theta, v, m"},
    story="Returns v before m.",
    hint="In which order does the caller expect the three values?",
)


@mistake(
    "adam_step",
    story="Stops with an error unless the learning rate is below 1.",
    hint="Which learning rates are allowed?",
)
def adam_step_rate_below_one(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    if not 0 < learning_rate < 1:
        raise ValueError("the learning rate must be between 0 and 1")
    return adam_step(theta, grad, m, v, learning_rate, beta1, beta2)


adam_step_corrected_only_m = mistake_edit(
    "adam_step_corrected",
    {"v / (1 - beta2**t)": "v"},
    story="Corrects m and not v.",
    hint="Which of the two averages begin at 0?",
)


adam_step_corrected_only_v = mistake_edit(
    "adam_step_corrected",
    {"m / (1 - beta1**t)": "m"},
    story="Corrects v and not m.",
    hint="Which of the two averages begin at 0?",
)


adam_step_corrected_t_minus_one = mistake_edit(
    "adam_step_corrected",
    {"(1 - beta1**t)": "np.float64(1 - beta1 ** (t - 1))", "(1 - beta2**t)": "np.float64(1 - beta2 ** (t - 1))"},
    story="Takes the power t - 1, so that the first step divides by 0.",
    hint="What is your divisor in the first step, when t is 1?",
)


adam_step_corrected_along_the_gradient = mistake_edit(
    "adam_step_corrected",
    {"learning_rate * m_hat": "learning_rate * grad"},
    story="Steps along the gradient and not along its average, as RMSprop does.",
    hint="Where does m occur in your step?",
)


adam_step_corrected_rate_in_the_average = mistake_edit(
    "adam_step_corrected",
    {"(1 - beta1) * grad": "(1 - beta1) * learning_rate * grad", "learning_rate * m_hat": "m_hat"},
    story="Multiplies the gradient by the learning rate inside m, which then depends on the rate.",
    hint="Does your m change if the learning rate does?",
)


adam_step_corrected_outputs_swapped = mistake_edit(
    "adam_step_corrected",
    {"return theta, m, v": "return theta, v, m"},
    story="Returns v before m.",
    hint="In which order does the caller expect the three values?",
)
