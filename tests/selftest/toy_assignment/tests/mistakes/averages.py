"""Known wrong answers of averages."""

import numpy as np
from reference.averages import glide_step, scaled_step

from tests.mistakes import mistake


@mistake("glide_step", story="Adds the whole gradient to the average.", hint="Which weights does an average have?")
def glide_sum(theta, grad, m, rate, beta=0.9):
    m = beta * m + grad
    return theta - rate * m, m


@mistake("glide_step", story="Moves along the average of the last step.", hint="Which average is the new one?")
def glide_late(theta, grad, m, rate, beta=0.9):
    return theta - rate * m, glide_step(theta, grad, m, rate, beta)[1]


@mistake(
    "glide_step", story="Swaps the weights of the average and of the gradient.", hint="Which of the two counts more?"
)
def glide_weights_swapped(theta, grad, m, rate, beta=0.9):
    return glide_step(theta, grad, m, rate, 1 - beta)


@mistake("scaled_step", story="Leaves the root out.", hint="Which units does the divisor have?")
def scaled_without_root(theta, grad, m, v, rate, beta=0.9):
    _, m, v = scaled_step(theta, grad, m, v, rate, beta)
    return theta - rate * m / v, m, v


@mistake("scaled_step", story="Forgets to square the gradient.", hint="What is v an average of?")
def scaled_absolute(theta, grad, m, v, rate, beta=0.9):
    m, v = beta * m + (1 - beta) * grad, beta * v + (1 - beta) * np.abs(grad)
    return theta - rate * m / np.sqrt(v), m, v
