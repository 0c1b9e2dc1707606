"""Given checks that compare your gradients with finite differences; they print what they find.

An example: gradcheck_naive(lambda x: (np.sum(x**2), 2 * x), np.random.randn(4, 5), "square")
"""
# ruff: noqa: T201, NPY002  (printing is what these checks are for; the functions under test may draw global numbers)

import random

import numpy as np

STEP = 1e-4
TOLERANCE = 1e-5


def gradcheck_naive(f, x, gradientText=""):
    """Check the gradient that a function computes, entry by entry, and print the first entry that is wrong.

    The random state is the same in every call of f, so f may draw random numbers.

    Arguments:
        f: takes x, returns (loss, gradient); the gradient has the shape of x.
        x: an array of floats; it is changed during the check and restored.
        gradientText: a name of the gradient, for the message.

    Returns:
        whether the gradient is right.
    """
    state = (random.getstate(), np.random.get_state())
    _, gradient = _evaluated(f, x, state)
    gradient = np.array(gradient, dtype=float)
    if gradient.shape != np.shape(x):
        print(f"Gradient check failed for {gradientText}: the gradient's shape is {gradient.shape}, not {np.shape(x)}")
        return False
    for index in np.ndindex(x.shape):
        slope = _slope(f, x, index, state)
        if not abs(slope - gradient[index]) <= TOLERANCE * max(1, abs(slope), abs(gradient[index])):
            print(f"Gradient check failed for {gradientText} at index {index}")
            print(f"Your gradient: {gradient[index]:f} \t Finite difference: {slope:f}")
            return False
    print("Gradient check passed!", gradientText)
    return True


def grad_tests_softmax(skipgram, dummy_tokens, dummy_vectors, dataset):
    """Check skipgram with its own default loss on a small context.

    Arguments:
        skipgram: your function.
        dummy_tokens: dictionary from the words "a" to "e" to their indices.
        dummy_vectors: (10, D); centre vectors above, outside vectors below.
        dataset: anything with sampleTokenIdx().
    """
    _check_skipgram(skipgram, dummy_tokens, dummy_vectors, (dataset,), "skipgram with the naive softmax loss")


def grad_tests_negsamp(skipgram, dummy_tokens, dummy_vectors, dataset, negSamplingLossAndGradient):
    """Check skipgram with negative sampling on a small context; arguments as above."""
    loss = (dataset, negSamplingLossAndGradient)
    _check_skipgram(skipgram, dummy_tokens, dummy_vectors, loss, "skipgram with negative sampling")


def _check_skipgram(skipgram, tokens, vectors, loss, text):
    half = len(vectors) // 2

    def loss_and_gradient(both):
        context = ["a", "b", "e", "d", "b"]
        value, *gradients = skipgram("c", 3, context, tokens, both[:half], both[half:], *loss)
        return value, np.concatenate(gradients)

    gradcheck_naive(loss_and_gradient, np.array(vectors, dtype=float), text)


def _evaluated(f, x, state):
    random.setstate(state[0])
    np.random.set_state(state[1])
    return f(x)


def _slope(f, x, index, state):
    """The central difference at one entry."""
    value = x[index]
    losses = []
    for step in (STEP, -STEP):
        x[index] = value + step
        losses.append(np.asarray(_evaluated(f, x, state)[0], dtype=float).item())
        x[index] = value
    return (losses[0] - losses[1]) / (2 * STEP)
