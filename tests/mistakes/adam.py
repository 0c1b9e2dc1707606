"""Known wrong answers of adam."""

from reference.adam import adam_step_corrected, momentum_step
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


@mistake(
    "momentum_step",
    story="Steps along the average from before this step.",
    hint="In which order are the two lines of the update computed?",
)
def momentum_step_old_average(theta, grad, m, learning_rate, beta1=0.9):
    return theta - learning_rate * m, momentum_step(theta, grad, m, learning_rate, beta1)[1]


@mistake(
    "momentum_step", story="Writes 0.9 into the formula instead of beta1.", hint="Where does beta1 occur in your code?"
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


adam_step_one_beta = mistake_edit(
    "adam_step",
    {"beta2 * v + (1 - beta2)": "beta1 * v + (1 - beta1)"},
    story="Uses beta1 for v too.",
    hint="Where does beta2 occur in your code?",
)


adam_step_divides_by_zero = mistake_edit(
    "adam_step",
    {"np.where(v > 0, np.sqrt(v), np.inf)": "np.sqrt(v)"},
    story="Divides by 0 if v is 0.",
    hint="What should happen to a parameter whose gradients have all been 0?",
)


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


adam_step_along_the_gradient = mistake_edit(
    "adam_step",
    {"learning_rate * m": "learning_rate * grad"},
    story="Steps along the gradient and not along its average, as RMSprop does.",
    hint="Where does m occur in your step?",
)


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


adam_step_corrected_multiplied = mistake_edit(
    "adam_step_corrected",
    {"m / (1 - beta1**t)": "m * (1 - beta1**t)", "v / (1 - beta2**t)": "v * (1 - beta2**t)"},
    story="Multiplies by 1 - beta to the power t in the correction, and does not divide.",
    hint="Are the averages too large or too small in the first steps?",
)


adam_step_corrected_one_beta = mistake_edit(
    "adam_step_corrected",
    {"beta2 * v + (1 - beta2)": "beta1 * v + (1 - beta1)", "1 - beta2**t": "1 - beta1**t"},
    story="Uses beta1 for v and its correction, too.",
    hint="Where does beta2 occur in your code?",
)


adam_step_corrected_weight_decay = mistake_edit(
    "adam_step_corrected",
    {"theta = theta - learning_rate": "theta = theta - learning_rate * 0.01 * theta - learning_rate"},
    story="Shrinks theta in each step, too, as AdamW does.",
    hint="What should a step do where the gradient and both averages are 0?",
)
