"""docs/solutions/errata.md: each row has a numeric counterexample here, whose numbers the page shows.

A counterexample is the true value, found without the statement (by differences, or by counting), the value that the
statement gives, and the value of the correction.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.selftest.support.grading import PROJECT
from tests.selftest.support.numerical_gradient import numerical_gradient

pytestmark = pytest.mark.content

PAGE = (PROJECT / "docs" / "solutions" / "errata.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (\d+) \| (.*) \|$", PAGE, re.MULTILINE))
CLOSE = {"rtol": 1e-6, "atol": 1e-8}  # of central differences
DEFINITELY = 0.01  # a statement that is less wrong than this would be a rounding error


class Counterexample(NamedTuple):
    true: Any
    stated: Any
    right: Any


def softmax(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


def sigma(x):
    return 1 / (1 + np.exp(-x))


def unit(vector):
    return vector / np.sqrt((vector**2).sum())


# Two words and two dimensions, for which products in the wrong order have a value too.
U, V_C, O, Y = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([0.5, -1.0]), 0, np.array([1.0, 0.0])
GOOD = np.array([3.0, 4.0])


def rows_or_columns():
    """The words are the columns of U."""
    rest = softmax(U.T @ V_C) - Y
    true = numerical_gradient(lambda v_c: -np.log(softmax(U.T @ v_c)[O]), V_C)
    return Counterexample(true, U.T @ rest, U @ rest)


def zero_gradient():
    """Whether the gradient is 0, at two centre vectors."""
    outside, y = np.array([[0.0, 0.0], [1.0, 1.0], [-1.0, -1.0]]), np.array([1.0, 0.0, 0.0])
    centres = [np.array([1.0, -1.0]), np.array([0.5, 2.0])]
    slopes = [numerical_gradient(lambda v_c: -np.log(softmax(outside @ v_c)[0]), v_c) for v_c in centres]
    true = [np.allclose(slope, 0, atol=1e-8) for slope in slopes]
    probabilities = [softmax(outside @ v_c) for v_c in centres]
    stated = [np.allclose(y_hat, y) for y_hat in probabilities]
    return Counterexample(true, stated, [np.allclose(outside.T @ (y_hat - y), 0) for y_hat in probabilities])


def repeated_words():
    """The sum of three equal words."""
    phrase = np.array([GOOD, GOOD, GOOD])
    true = (phrase / np.linalg.norm(phrase, axis=1, keepdims=True)).sum(axis=0)
    return Counterexample(true, unit(GOOD), 3 * unit(GOOD))


def longer_phrases():
    """The length of the sum of four words of one direction, where one word has length 1."""
    phrase = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [0.5, 1.0]])
    true = np.linalg.norm((phrase / np.linalg.norm(phrase, axis=1, keepdims=True)).sum(axis=0))
    return Counterexample(true, 1.0, float(len(phrase)))


def dependent_vectors():
    """Whether two words become equal, in three vocabularies."""
    vocabularies = [
        np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        np.array([[1.0, 2.0], [2.0, 4.0], [0.0, 1.0]]),
        np.array([[1.0, 2.0], [-2.0, -4.0]]),
    ]
    true, stated, right = [], [], []
    for words in vocabularies:
        units = words / np.linalg.norm(words, axis=1, keepdims=True)
        pairs = [(i, j) for j in range(len(words)) for i in range(j)]
        true.append(any(np.allclose(units[i], units[j]) for i, j in pairs))
        stated.append(np.linalg.matrix_rank(words) < len(words))
        right.append(any(is_positive_multiple(words[i], words[j]) for i, j in pairs))
    return Counterexample(true, stated, right)


def is_positive_multiple(first, second):
    return first[0] * second[1] == first[1] * second[0] and first @ second > 0


def direction_of_a_sum():
    """The first coordinate of the sum of (2, 1) and (-1, 0.2) after normalisation; before it, it is 1."""
    words = np.array([[2.0, 1.0], [-1.0, 0.2]])
    total = (words / np.linalg.norm(words, axis=1, keepdims=True)).sum(axis=0)
    same_direction = unit(words.sum(axis=0)) * np.linalg.norm(total)
    return Counterexample(total[0], same_direction[0], 2 / np.sqrt(5) - 1 / np.sqrt(1.04))


def outside_vectors():
    """The words are the rows of U."""
    rest = softmax(U @ V_C) - Y
    true = numerical_gradient(lambda outside: -np.log(softmax(outside @ V_C)[O]), U)
    return Counterexample(true, np.outer(V_C, rest), np.outer(rest, V_C))


# A network with one hidden layer in which all sizes are 2, so that every product has a value.
X, W1, W2 = (
    np.array([[1.0, -0.5], [0.3, 2.0]]),
    np.array([[0.8, -1.1], [0.4, 0.6]]),
    np.array([[1.2, -0.7], [0.5, 0.9]]),
)
LABELS = np.array([[0.0, 1.0], [1.0, 0.0]])
HIDDEN = sigma(X @ W1)
Y_HAT = softmax(HIDDEN @ W2)
SLOPES = HIDDEN * (1 - HIDDEN)


def cost_of_hidden(hidden, second=W2):
    return -(LABELS * np.log(softmax(hidden @ second))).sum()


def derivative_of_sigma():
    """At 0."""
    true = numerical_gradient(lambda x: float(sigma(x).sum()), np.zeros(1))
    return Counterexample(true, sigma(0) * sigma(1 - 0), sigma(0) * (1 - sigma(0)))


def product_of_slopes():
    """The gradient by x."""
    true = numerical_gradient(lambda x: cost_of_hidden(sigma(x @ W1)), X)
    rest = (Y_HAT - LABELS) @ W2.T
    return Counterexample(true, rest @ SLOPES @ W1.T, (rest * SLOPES) @ W1.T)


def labels_come_first():
    """The cost of both examples."""
    true = -np.log(Y_HAT[0, 1]) - np.log(Y_HAT[1, 0])
    return Counterexample(true, -(Y_HAT * np.log(Y_HAT)).sum(), -(LABELS * np.log(Y_HAT)).sum())


def sums_over_examples():
    """The cost of three examples, with two hidden units."""
    chosen = np.array([0.5, 0.25, 0.2])
    return Counterexample(-np.log(0.5 * 0.25 * 0.2), -np.log(chosen[:2]).sum(), -np.log(chosen).sum())


def entries_of_second_weights():
    """The gradient by W2."""
    true = numerical_gradient(lambda second: cost_of_hidden(HIDDEN, second), W2)
    rest = Y_HAT - LABELS
    return Counterexample(true, np.einsum("if,iz->fz", rest, HIDDEN), np.einsum("if,iz->fz", HIDDEN, rest))


def brackets():
    """The gradient by f, the input of the hidden layer's sigmoid."""
    true = numerical_gradient(lambda f: cost_of_hidden(sigma(f)), X @ W1)
    return Counterexample(true, Y_HAT - LABELS @ W2.T * SLOPES, (Y_HAT - LABELS) @ W2.T * SLOPES)


def loss_by_first_weights():
    """The gradient by W1."""
    true = numerical_gradient(lambda first: cost_of_hidden(sigma(X @ first)), W1)
    return Counterexample(true, X.T @ Y_HAT - LABELS @ W2.T * SLOPES, X.T @ ((Y_HAT - LABELS) @ W2.T * SLOPES))


A, LABEL = np.log([1.0, 2.0, 5.0]), 1


def normaliser():
    """The probability of a class whose exponential is 2 of 1 + 2 + 5."""
    powers = np.exp(A)
    return Counterexample(0.25, powers[LABEL] / sum(powers[LABEL] for _ in A), powers[LABEL] / powers.sum())


def quotient_rule():
    """The derivative of that probability by its own score."""
    true = numerical_gradient(lambda a: softmax(a)[LABEL], A)[LABEL]
    powers = np.exp(A)
    numerator = powers[LABEL] * powers.sum() - powers[LABEL] ** 2
    return Counterexample(true, numerator / (powers**2).sum(), numerator / powers.sum() ** 2)


IN_ORDER: list[Callable[[], Counterexample]] = [
    rows_or_columns,
    zero_gradient,
    repeated_words,
    longer_phrases,
    dependent_vectors,
    direction_of_a_sum,
    outside_vectors,
    derivative_of_sigma,
    product_of_slopes,
    labels_come_first,
    sums_over_examples,
    entries_of_second_weights,
    brackets,
    loss_by_first_weights,
    normaliser,
    quotient_rule,
]


def show(value: Any) -> str:
    """Show numbers as the page does."""
    return " ".join(f"{round(float(number), 2) + 0:g}" for number in np.ravel(value))


def test_every_row_of_the_page_has_a_counterexample() -> None:
    assert list(ROWS) == [str(number) for number in range(1, len(IN_ORDER) + 1)]


@pytest.mark.parametrize(
    ("number", "make"), list(enumerate(IN_ORDER, 1)), ids=lambda each: getattr(each, "__name__", "")
)
def test_the_statement_is_wrong_and_its_correction_right(number: int, make: Callable[[], Counterexample]) -> None:
    found = Counterexample(*(np.asarray(value, dtype=float) for value in make()))
    np.testing.assert_allclose(np.ravel(found.right), np.ravel(found.true), **CLOSE)
    assert np.abs(np.ravel(found.stated) - np.ravel(found.true)).max() > DEFINITELY
    assert ROWS[str(number)].endswith(f"| `{show(found.true)}`, not `{show(found.stated)}`")
