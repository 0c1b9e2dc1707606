"""Hidden tests of word2vec: the sigmoid, two losses of one pair of words with their gradients, and their sum."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import ROBUST, Contract, Given, Slopes, Student, Where, checks
from reference import word2vec as reference
from tests.hidden import word2vec_toys as toys

LARGEST = 8.0  # most scores stay below 30, where 1 - sigmoid(score) still has digits
STABLE = {"centerWordVec": ["gradCenterVec", "gradOutsideVecs"]}  # an infinite loss is advice
PAIR = ("loss", "gradCenterVec", "gradOutsideVecs")
OF_PAIR = {"gradCenterVec": "centerWordVec", "gradOutsideVecs": "outsideVectors"}


def divide(x: Any) -> Any:
    """The sigmoid with one exponential."""
    return 1 / (1 + np.exp(-x))


def divide_exponentials(x: Any) -> Any:
    """The sigmoid with two."""
    return np.exp(x) / (1 + np.exp(x))


def take_log_of_softmax(v_c: Any, o: int, U: Any, dataset: Any) -> tuple[Any, ...]:
    """The naive softmax in single precision, by plain exponentials."""
    v_c, U = np.float32(v_c), np.float32(U)
    y_hat = np.exp(U @ v_c) / np.exp(U @ v_c).sum()
    delta = y_hat - np.eye(len(U), dtype=np.float32)[o]
    return -np.log(y_hat[o]), np.float64(U.T @ delta), np.float64(np.outer(delta, v_c))


def compute_in_single(v_c: Any, o: int, U: Any, dataset: Any) -> tuple[Any, ...]:
    """The stable softmax in single precision."""
    v_c, U = np.float32(v_c), np.float32(U)
    scores = U @ v_c - (U @ v_c).max()
    log_y = scores - np.log(np.exp(scores).sum())
    delta = np.exp(log_y) - np.eye(len(U), dtype=np.float32)[o]
    return -log_y[o], np.float64(delta @ U), np.float64(np.outer(delta, v_c))


def take_log_of_sigmoid(negate: Callable[[Any], Any], v_c: Any, o: int, U: Any, dataset: Any, K: int) -> Any:
    """Negative sampling by probabilities; `negate`: sigmoid(-score) of a score."""
    words = [o, *reference.getNegativeSamples(o, dataset, K)]
    p = np.array([divide(U[o] @ v_c), *(negate(U[word] @ v_c) for word in words[1:])])
    slopes = (1 - p) * np.array([-1, *[1] * K])
    grad_outside = np.zeros(U.shape)
    np.add.at(grad_outside, words, np.outer(slopes, v_c))
    return -np.log(p).sum(), slopes @ U[words], grad_outside


def take_log_of_negative(v_c: Any, o: int, U: Any, dataset: Any, K: int = 10) -> Any:
    """Negative sampling with log(sigmoid(-score))."""
    return take_log_of_sigmoid(lambda score: divide_exponentials(-score), v_c, o, U, dataset, K)


def take_log_of_rest(v_c: Any, o: int, U: Any, dataset: Any, K: int = 10) -> Any:
    """Negative sampling with log(1 - sigmoid(score)), which is infinite from 37 on."""
    return take_log_of_sigmoid(lambda score: 1 - divide(score), v_c, o, U, dataset, K)


DRAWN_TWICE = "where a word is drawn more than once"
OUTSIDE_DRAWN = "where the outside word is drawn"
TWICE = "where a word occurs twice in the context"
CENTRE = "where the centre word is in its context"
ONE = "where the context is one word"


def draws_twice(v_c: Any, o: int, U: Any, dataset: Any, K: int = 10) -> bool:
    """Tell whether a negative sample occurs twice."""
    return len(set(toys.list_draws(o, dataset, K)) - {o}) < K


def draws_outside(v_c: Any, o: int, U: Any, dataset: Any, K: int = 10) -> bool:
    """Tell whether the outside word is drawn, and has to be drawn again."""
    return o in toys.list_draws(o, dataset, K)


def has_first_index(c: str, window: int, words: list[str], index: dict[str, int], *_: Any) -> bool:
    """Tell whether the centre word is the first of the vocabulary."""
    return bool(words) and index[c] == 0


def has_last_index(c: str, window: int, words: list[str], index: dict[str, int], *_: Any) -> bool:
    """Tell whether the centre word is the last of the vocabulary."""
    return bool(words) and index[c] == len(index) - 1


def is_unordered(c: str, window: int, words: list[str], index: dict[str, int], *_: Any) -> bool:
    """Tell whether the dict lists words in another order than that of their indices."""
    return bool(words) and list(index.values()) != sorted(index.values())


sigmoid = Contract(
    reference.sigmoid,
    "x: (...) -> values: (...)",
    cases=[
        Given([2.0], "for a number"),
        Given([0.0], "for the number 0"),
        Given([1.0], "for the number 1"),
        Given([113.0], "for a large number"),
        Given([-7], "for a whole number"),
    ],
    integers=["x"],
    stable=["x"],
    naive=[divide, divide_exponentials],
)
naive_softmax = Contract(
    reference.naiveSoftmaxLossAndGradient,
    """centerWordVec: (D,), outsideWordIdx: int < V, outsideVectors: (V, D), dataset: any
       -> loss: float, gradCenterVec: (D,), gradOutsideVecs: (V, D) where D >= 2""",
    draw={"dataset": toys.draw_unused},
    cases=[
        Given(toys.make_long_pair, "where centerWordVec is long and outside vectors are short"),
        Given(lambda rng: toys.make_pair(rng, 2, [0], V=4, D=1), "where D = 1", ROBUST),
    ],
    stable=STABLE,
    gradient=Slopes(OF_PAIR, draw=lambda rng: toys.make_short_pair(rng, [0])),
    naive=[take_log_of_softmax, compute_in_single],
    shares={"loss": 0.3, "gradCenterVec": 0.35, "gradOutsideVecs": 0.35},
    largest=LARGEST,
)
neg_sampling = Contract(
    reference.negSamplingLossAndGradient,
    """centerWordVec: (D,), outsideWordIdx: int < V, outsideVectors: (V, D), dataset: any, K: int >= 1 = 10
       -> loss: float, gradCenterVec: (D,), gradOutsideVecs: (V, D) where V >= 2 and D >= 2""",
    draw={"dataset": toys.draw_samples},
    usual={"V": (12, 13)},  # so that ten different words are drawn, and then others
    cases=[
        Given(lambda rng: toys.make_pair(rng, 2, [3, 0, 3, 3, 1, 0, 4, 4], 6), DRAWN_TWICE),
        Given(lambda rng: toys.make_pair(rng, 1, [2], 6), "where every draw is the same word"),
        Given(lambda rng: toys.make_pair(rng, 6, [1, 6, 4, 6, 6, 2, 7, 5, 6, 3], 5), OUTSIDE_DRAWN),
        Given(lambda rng: toys.make_pair(rng, 134, rng.permutation(134).tolist(), 130, V=135), "where K is very large"),
        Given(lambda rng: toys.make_pair(rng, 1, [0, 3, 2, 2], 3, V=4, D=1), "where D = 1", ROBUST),
        Where(draws_twice, DRAWN_TWICE),
        Where(draws_outside, OUTSIDE_DRAWN),
    ],
    stable=STABLE,
    gradient=Slopes(OF_PAIR, draw=lambda rng: toys.make_short_pair(rng, [0, 1, 3, 2, 1, 0], 5)),
    naive=[take_log_of_negative, take_log_of_rest],
    shares={"loss": 0.2, "gradCenterVec": 0.3, "gradOutsideVecs": 0.5},
    largest=LARGEST,
)
skipgram = Contract(
    reference.skipgram,
    """currentCenterWord: any, windowSize: 2 | 1 | 3 | 4 | 5 | 6 | 7 | 8, outsideWords: any, word2Ind: any,
       centerWordVectors: (V, D), outsideVectors: (V, D), dataset: any, word2vecLossAndGradient: any
       -> loss: float, gradCenterVecs: (V, D), gradOutsideVectors: (V, D) where V >= 2 and D >= 2""",
    draw={
        "currentCenterWord": toys.draw_center,
        "outsideWords": toys.draw_context,
        "word2Ind": toys.draw_index,
        "dataset": toys.draw_weight,
        "word2vecLossAndGradient": toys.draw_loss,
    },
    usual={"V": (7, 8)},  # so that the window is full
    cases=[
        Given(lambda rng: toys.make_words(rng, [1, 2, 2, 5, 1]), TWICE),
        Given(lambda rng: toys.make_words(rng, [5] * 7), "where every word of the context is the same"),
        Given(lambda rng: toys.make_words(rng, [1, 3, 2, 0, 6, 4, 7, 8]), CENTRE),
        Given(lambda rng: toys.make_words(rng, rng.integers(9, size=130)), "where the context has 130 words"),
        Given(lambda rng: toys.make_words(rng, [6]), ONE),
        Given(toys.make_silent, "where the loss of each pair is 0"),
        Given(lambda rng: toys.make_words(rng, []), "for a sentence of one word", ROBUST),
        Given(lambda rng: toys.make_words(rng, [1, 2, 5, 4], D=1), "where D = 1", ROBUST),
        Where(lambda c, window, words, *_: len(set(words)) < len(words), TWICE),
        Where(lambda c, window, words, *_: c in words, CENTRE),
        Where(lambda c, window, words, *_: len(words) == 1, ONE),
        Where(lambda c, window, words, *_: len(words) < 2 * window, "where the context is shorter than the window"),
        Where(has_first_index, "where the index of the centre word is 0"),
        Where(is_unordered, "where word2Ind is not in the order of its indices"),
        Where(has_last_index, "where that of the centre word is the last index"),
    ],
    gradient=Slopes(
        {"gradCenterVecs": "centerWordVectors", "gradOutsideVectors": "outsideVectors"}, draw=toys.make_few_words
    ),
    shares={"loss": 0.2, "gradCenterVecs": 0.35, "gradOutsideVectors": 0.45},
    largest=LARGEST,
    untouched="it returns zeros and never calls word2vecLossAndGradient",
)
sigmoid.rows(
    ordinary=("1.1", 1, "matrices"), everywhere=("1.2", 2, "numbers, other shapes and values, integers, a second call")
)
naive_softmax.rows(
    ordinary=("1.3", 2.5, "the loss and the gradients"),
    gradient_check=("1.4", 1.5, "the gradients of your own loss"),
    everywhere=("1.5", 4, "other sizes, words and values, a second call"),
)
neg_sampling.rows(
    ordinary=("1.6", 2.75, "the loss and the gradients, different samples"),
    gradient_check=("1.7", 1.75, "the gradients of your own loss, repeated samples"),
    everywhere=("1.8", 4.5, "other sizes, values and numbers of samples, repeated samples, a second call"),
)
skipgram.rows(
    ordinary=("1.9", 3.25, "the loss and the gradients, different words around the centre word"),
    gradient_check=("1.10", 2, "the gradients of your own loss, a repeated word"),
    everywhere=("1.11", 4.75, "other sizes, values and windows, repeated words, the ends of a sentence, a second call"),
)


@weight(0)
@number("1.12")
@visibility("visible")
@tags("sigmoid", "advice")
def test_sigmoid_warns_of_nothing(student: Student) -> None:
    """sigmoid: no warning at large numbers"""
    x = np.array([[-900.0, 1200.0, 0.5], [-2000.0, 0.0, 750.0]])
    value, warned = student.word2vec.sigmoid.with_warnings(x)
    checks.close("sigmoid(x)", value, reference.sigmoid(x))
    hint = "exp(-x) overflows where x is very negative; another form of the sigmoid never takes a large exp."
    checks.require(not warned, "sigmoid(x)", "no warning of an overflow", f"a {' and a '.join(warned)}", hint=hint)


def check_loss(got: object, right: tuple[Any, ...], hint: str) -> None:
    """Compare the loss of a pair of words alone."""
    expected = dict(zip(PAIR, right, strict=True))
    with checks.advise(hint):
        checks.close("loss", checks.take_parts("the value of the function", got, expected)["loss"], expected["loss"])


@weight(0)
@number("1.13")
@visibility("visible")
@tags("naiveSoftmaxLossAndGradient", "advice")
def test_naive_softmax_finite_loss(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: the loss where a probability is 0 in floating point"""
    v_c, U = np.array([800.0, 1.0]), np.array([[2.0, -0.5], [1.0, 1.5], [-1.0, 0.5]])
    got = student.word2vec.naiveSoftmaxLossAndGradient(v_c, 2, U, toys.make_toy(toys.Dataset, [0]))
    hint = "log(softmax(x)) is minus infinity where the softmax is 0; x - log(sum(exp(x))) is not."
    check_loss(got, reference.naiveSoftmaxLossAndGradient(v_c, 2, U, None), hint)


@weight(0)
@number("1.14")
@visibility("visible")
@tags("negSamplingLossAndGradient", "advice")
def test_neg_sampling_finite_loss(student: Student) -> None:
    """negSamplingLossAndGradient: the loss where a sigmoid is 0 in floating point"""
    v_c, U, dataset = np.array([800.0]), np.array([[1.5], [-1.0], [2.0]]), toys.make_toy(toys.Dataset, [0, 2])
    got = student.word2vec.negSamplingLossAndGradient(v_c, 1, U, dataset, 2)
    hint = "log(sigmoid(x)) is minus infinity where the sigmoid is 0; -np.logaddexp(0, -x) is the same and finite."
    check_loss(got, reference.negSamplingLossAndGradient(v_c, 1, U, dataset.source.make(), 2), hint)
