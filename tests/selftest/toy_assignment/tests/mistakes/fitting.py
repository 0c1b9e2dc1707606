"""Known wrong answers of fitting. In the body, the name of the function is that of the right one."""

import numpy as np
from reference.fitting import batch_loss, log_loss, squash

from tests.mistakes import mistake


@mistake(
    "squash", story="Leaves the minus sign in the exponent out.", hint="What should the value be for a large number?"
)
def squash_upside_down(x):
    return squash(-x)


@mistake(
    "squash", story="Takes exp of numbers of any size, which overflows.", hint="What is exp(800) in floating point?"
)
def squash_overflows(x):
    return np.exp(x) / (1 + np.exp(x))


@mistake(
    "log_loss",
    story="Subtracts the probabilities from the labels in the gradient.",
    hint="Does the loss grow or shrink when w moves along your gradient?",
)
def log_loss_wrong_sign(w, x, y):
    loss, gradient = log_loss(w, x, y)
    return loss, -gradient


@mistake(
    "log_loss",
    story="Leaves out the term of the examples with label 0 in the loss.",
    hint="How does an example with label 0 enter the loss?",
)
def log_loss_of_label_one_alone(w, x, y):
    return float(np.sum(y * np.logaddexp(0, -(x @ w)))), log_loss(w, x, y)[1]


@mistake(
    "log_loss",
    story="Takes the scores for probabilities in the gradient, as in linear regression.",
    hint="Which function turns a score into a probability, and what is its derivative?",
)
def log_loss_of_linear_regression(w, x, y):
    return log_loss(w, x, y)[0], x.T @ (x @ w - y)


@mistake("batch_loss", story="Returns the results of the last batch alone.", hint="Which batches count in the sum?")
def batch_loss_of_the_last(w, decay, batches, loss=log_loss):
    return loss(w, *batches[-1])


@mistake(
    "batch_loss", story="Takes the mean over the batches in the gradient.", hint="Is the gradient that of your loss?"
)
def batch_loss_mean_gradient(w, decay, batches, loss=log_loss):
    value, gradient = batch_loss(w, decay, batches, loss)
    return value, gradient / len(batches)
