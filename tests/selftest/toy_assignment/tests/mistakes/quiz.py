"""Known wrong written answers: each function returns a wrong expression, whose text is the student's answer."""

from tests.mistakes import mistake


@mistake(
    "fitting_gradient",
    story="Subtracts the probabilities from the labels: the sign is wrong.",
    hint="In which direction does the loss grow?",
)
def gradient_sign(x, y, y_hat):
    return x.T @ (y - y_hat)


@mistake(
    "fitting_minimum",
    story="Thinks of a loss that is not convex.",
    hint="What is the sign of the second derivative of the loss along a line?",
)
def saddle_point():
    return "a"


@mistake("noise_factor", story="Divides by p.", hint="What should the factor be when nothing is blanked?")
def factor_one_over_p(p):
    return 1 / p


@mistake("machine_steps", story="Joins each word, the first too.", hint="How many words are left at the end?")
def steps_two_each(n):
    return 2 * n


@mistake("machine_trace", story="Drops the lower word in the last row.", hint="Which word stays?")
def trace_keeps_the_upper():
    return "stack | queue | operation\n | a b |\na | b | push\na b | | push\nb | | join"
