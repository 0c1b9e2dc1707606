"""Hidden tests of word2vec: the sigmoid, two losses of one pair of words with their gradients, and their sum."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Student, checks
from reference import word2vec as reference
from tests.hidden import special_inputs as special
from tests.hidden import word2vec_checks as pairs

# V, D and the outside word.
SIZES = [(4, 4, 3), (3, 6, 0), (9, 2, 5), (2, 3, 1), (12, 11, 7), (3, 1, 2)]
# Draws without a repetition, the outside word 4 not among them; outside words and draws with repetitions.
DISTINCT_DRAWS = [7, 0, 11, 2, 9, 1, 5, 10, 3, 8, 6]
REPEATED_DRAWS = [(2, [3, 0, 3, 3, 1, 0, 4, 4]), (1, [2] * 6 + [0, 3]), (2, [0, 1, 3, 0, 4, 0, 0])]


def vary_pair(seed: int) -> list[tuple[Any, ...]]:
    """Return a centre vector, an outside word and outside vectors, and others that differ from them in one of these."""
    v_c, U = pairs.make_vectors(seed, V=4, D=3)
    values = {
        position: special.make_special(np.shape((v_c, 1, U)[position]), seed, integers=False) for position in (0, 2)
    }
    return special.vary((v_c, 1, U), {**values, 1: range(4)})


def vary_words(seed: int) -> list[tuple[Any, ...]]:
    """Return the arguments of skipgram up to the outside vectors, and others that differ from them in one of these."""
    centers, U = pairs.make_words(seed, len(pairs.INDEX), 2)
    turned = [{word: (position + by) % 6 for word, position in pairs.INDEX.items()} for by in (2, 3)]
    values: dict[int, Sequence[Any]] = {
        0: ["f"],
        1: (4, 9),
        2: [list("bdfa"), list("dfabe"), ["e"]],
        3: [*turned, dict(sorted(pairs.INDEX.items()))],
        4: special.make_special(centers.shape, seed + 1, integers=False),
        5: special.make_special(U.shape, seed + 2, integers=False),
    }
    return special.vary(("c", 2, list("adeb"), pairs.INDEX, centers, U), values)


def check_sampling_sizes(student: Student, only: str) -> None:
    """Check one part of negSamplingLossAndGradient for other numbers of samples and of words."""
    for K, D in [(1, 3), (3, 12), (5, 2)]:
        v_c, U = pairs.make_vectors(1150 + K, 12, D)
        pairs.check_sampling(student, v_c, 4, U, DISTINCT_DRAWS, K, names=[only])
    for v_c, o, U in vary_pair(1160):
        pairs.check_sampling(student, v_c, o, U, [(o + 1) % 4, (o + 3) % 4, (o + 2) % 4], 3, names=[only])
    v_c, U = pairs.make_vectors(1161, 14, 3)
    others = list(range(2, 14))
    for draws, K in ((others, 3), (others[::-1], 3), (others, 2), (others, 12)):
        pairs.check_sampling(student, v_c, 1, U, draws, K, names=[only])
    for V, D in ((2, 5), (12, 11), (11, 1)):
        v_c, U = pairs.make_vectors(1162 + V, V, D)
        pairs.check_sampling(student, v_c, V - 1, U, [*range(min(V - 1, 4))], min(V - 1, 4), names=[only])


def check_drawing_again(student: Student, only: str) -> None:
    """Check one part of negSamplingLossAndGradient where the outside word is drawn."""
    v_c, U = pairs.make_vectors(116, V=8, D=3)
    for o in (6, 0):
        draws = [1, o, 4, o, o, 2, 7, 5, o, 3]
        pairs.check_sampling(student, v_c, o, U, draws, 5, names=[only])


def check_repeated_draws(student: Student, only: str) -> None:
    """Check one part of negSamplingLossAndGradient where a word is drawn more than once."""
    v_c, U = pairs.make_vectors(117, V=5, D=3)
    for o, draws in REPEATED_DRAWS:
        pairs.check_sampling(student, v_c, o, U, draws, 6, names=[only])


def check_skipgram_sizes(student: Student, only: str) -> None:
    """Check one part of skipgram for other windows, words and sizes."""
    for window, context, D in [(1, "fb", 6), (2, "bdea", 2), (2, "eafd", 5)]:
        pairs.check_skipgram(student, context, window=window, seed=1230 + D, D=D, names=[only])
    for V, D in ((12, 1), (11, 12)):
        index = {f"word{position}": position for position in range(V)}
        words = ["word2", "word5", "word1", "word3"]
        for center in ("word0", f"word{V - 1}"):
            work = (center, 2, words, index, *pairs.make_words(1233 + V, V, D))
            pairs.check_skipgram_of(student, work, names=[only])


def check_sentence_edge(student: Student, only: str) -> None:
    """Check one part of skipgram for fewer words than the window has room for, and for changes of one argument."""
    for window, context in [(2, "ab"), (2, "fed"), (5, "e"), (4, "bdfa")]:
        pairs.check_skipgram(student, context, window=window, seed=126, names=[only])
    index = {f"word{position}": 11 - position for position in range(12)}
    several = [("the", 1, ["a"], {"a": 0, "the": 1}, *pairs.make_words(1260, 2, 3))]
    several += [("word11", 6, list(index)[:length], index, *pairs.make_words(1261, 12, 2)) for length in (5, 7, 11)]
    varied = vary_words(1262)
    for work in [*several, *varied]:
        pairs.check_skipgram_of(student, work, names=[only])
    pairs.check_skipgram_of(student, varied[0], names=[only], scale=0.5)


@weight(1.25)
@number("1.1")
@visibility("visible")
@tags("sigmoid")
def test_sigmoid_matrix(student: Student) -> None:
    """sigmoid: values on a matrix"""
    x = np.array([[1.0, -2.0, 0.0], [0.5, 8.0, -0.25]])
    checks.close("sigmoid(x)", student.word2vec.sigmoid(x), reference.sigmoid(x))


@weight(0.25)
@number("1.2")
@visibility("visible")
@tags("sigmoid")
def test_sigmoid_vector(student: Student) -> None:
    """sigmoid: values on a vector, and of a number"""
    for x in (np.array([0.75, -1.0]), -1.25):
        checks.close("sigmoid(x)", student.word2vec.sigmoid(x), reference.sigmoid(x))


@weight(1)
@number("1.3")
@visibility("after_due_date")
@tags("sigmoid")
def test_sigmoid_shapes(student: Student) -> None:
    """sigmoid: numbers, vectors, arrays of three axes"""
    rng = np.random.default_rng(12)
    shapes = [(5,), (1, 4), (4, 1), (4, 4), (2, 3, 2), (12, 2), (2, 12), ()]
    drawn = [np.asarray(rng.normal(size=shape, scale=3)) for shape in shapes]
    inputs = [0.0, -1.5, 2.25, 2.0, 8.5, -9.5, *drawn, *special.make_special((2, 3), 121, integers=False)]
    for x, value in zip(inputs, student.word2vec.sigmoid.each([(x,) for x in inputs]), strict=True):
        checks.close("sigmoid(x)", value, reference.sigmoid(x))


@weight(0.25)
@number("1.4")
@visibility("after_due_date")
@tags("sigmoid")
def test_sigmoid_integers(student: Student) -> None:
    """sigmoid: integers"""
    for x in (1, 2, 0, -3, np.array([[0, 1, -2], [3, -1, 2]])):
        checks.close("sigmoid(x)", student.word2vec.sigmoid(x), reference.sigmoid(x))


@weight(0.25)
@number("1.5")
@visibility("after_due_date")
@tags("sigmoid", "robustness")
def test_sigmoid_large(student: Student) -> None:
    """sigmoid: entries of 1000 and -1000"""
    for x in (1000.0, -1000.0, np.array([[-1000.0, 1000.0, 1.0], [-800.0, -1.0, 0.0]])):
        checks.close("sigmoid(x)", student.word2vec.sigmoid(x), reference.sigmoid(x))


@weight(1)
@number("1.6")
@visibility("visible")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_loss(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: the loss"""
    v_c, U = pairs.make_vectors(15, V=5, D=3)
    pairs.call_softmax(student, -v_c, 2, U[::-1])  # decides nothing of the next call
    pairs.check_softmax(student, v_c, 2, U, names=[pairs.LOSS])


@weight(0.75)
@number("1.7")
@visibility("visible")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_center(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: gradCenterVec"""
    v_c, U = pairs.make_vectors(15, V=5, D=3)
    pairs.call_softmax(student, -v_c, 2, U[::-1])  # decides nothing of the next call
    pairs.check_softmax(student, v_c, 2, U, names=[pairs.CENTER])


@weight(0.75)
@number("1.8")
@visibility("visible")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_outside(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: gradOutsideVecs"""
    v_c, U = pairs.make_vectors(15, V=5, D=3)
    pairs.call_softmax(student, -v_c, 2, U[::-1])  # decides nothing of the next call
    pairs.check_softmax(student, v_c, 2, U, names=[pairs.OUTSIDE])


@weight(0.25)
@number("1.9")
@visibility("visible")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_order(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: the order of the loss and the gradients"""
    v_c, U = pairs.make_vectors(15, V=5, D=3)
    right = reference.naiveSoftmaxLossAndGradient(v_c, 2, U, None)
    pairs.check_order(pairs.call_softmax(student, v_c, 2, U), right, pairs.PAIR)


@weight(0.75)
@number("1.10")
@visibility("after_due_date")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_loss_sizes(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: the loss at other sizes and words"""
    for V, D, o in SIZES:
        v_c, U = pairs.make_vectors(180 + V, V, D)
        pairs.check_softmax(student, v_c, o, U, names=[pairs.LOSS])
    for v_c, o, U in vary_pair(230):
        pairs.check_softmax(student, v_c, o, U, names=[pairs.LOSS])


@weight(1.5)
@number("1.11")
@visibility("after_due_date")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_center_sizes(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: gradCenterVec at other sizes and words, as many words as axes too"""
    for V, D, o in SIZES:
        v_c, U = pairs.make_vectors(190 + V, V, D)
        pairs.check_softmax(student, v_c, o, U, names=[pairs.CENTER])
    for v_c, o, U in vary_pair(240):
        pairs.check_softmax(student, v_c, o, U, names=[pairs.CENTER])


@weight(1.25)
@number("1.12")
@visibility("after_due_date")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_outside_sizes(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: gradOutsideVecs at other sizes and words, as many words as axes too"""
    for V, D, o in SIZES:
        v_c, U = pairs.make_vectors(1100 + V, V, D)
        pairs.check_softmax(student, v_c, o, U, names=[pairs.OUTSIDE])
    for v_c, o, U in vary_pair(1150):
        pairs.check_softmax(student, v_c, o, U, names=[pairs.OUTSIDE])


@weight(0.75)
@number("1.13")
@visibility("after_due_date")
@tags("naiveSoftmaxLossAndGradient", "robustness")
def test_naive_softmax_edges(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: gradients at scores of 1024 and -1024, vectors with one entry, integers"""
    U = np.array([[1.0, 0.5], [1 - 1 / 512, -1.5], [-0.5, 2.0]])  # the scores are exact in single precision too
    for v_c in (np.array([1024.0, 0.0]), np.array([-1024.0, 1.0])):
        for o in range(3):
            pairs.check_softmax(student, v_c, o, U, names=[pairs.CENTER, pairs.OUTSIDE])
    v_c, U = pairs.make_vectors(1110, V=4, D=1)
    pairs.check_softmax(student, v_c, 2, U)
    whole_v_c, whole_U = np.array([1, -2, 3]), np.array([[1, 0, -1], [2, 1, 1], [-1, 2, 0], [0, -2, 1]])
    for v_c, U in ((whole_v_c, whole_U), (whole_v_c, whole_U / 2), (whole_v_c / 2, whole_U)):
        pairs.check_softmax(student, v_c, 1, U)


@weight(1)
@number("1.14")
@visibility("visible")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_loss(student: Student) -> None:
    """negSamplingLossAndGradient: the loss, ten different negative samples"""
    v_c, U = pairs.make_vectors(112, V=12, D=3)
    pairs.check_sampling(student, v_c, 4, U, DISTINCT_DRAWS, names=[pairs.LOSS])


@weight(0.75)
@number("1.15")
@visibility("visible")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_center(student: Student) -> None:
    """negSamplingLossAndGradient: gradCenterVec, ten different negative samples"""
    v_c, U = pairs.make_vectors(112, V=12, D=3)
    pairs.check_sampling(student, v_c, 4, U, DISTINCT_DRAWS, names=[pairs.CENTER])


@weight(1)
@number("1.16")
@visibility("visible")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_outside(student: Student) -> None:
    """negSamplingLossAndGradient: gradOutsideVecs, ten different negative samples"""
    v_c, U = pairs.make_vectors(112, V=12, D=3)
    pairs.check_sampling(student, v_c, 4, U, DISTINCT_DRAWS, names=[pairs.OUTSIDE])


@weight(0.25)
@number("1.17")
@visibility("visible")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_order(student: Student) -> None:
    """negSamplingLossAndGradient: the order of the loss and the gradients"""
    v_c, U = pairs.make_vectors(112, V=12, D=3)
    got = student.word2vec.negSamplingLossAndGradient(v_c, 4, U, pairs.make_dataset(DISTINCT_DRAWS))
    right, later = pairs.sample_twice(v_c, 4, U, DISTINCT_DRAWS)
    pairs.check_order(got, right, pairs.PAIR)
    pairs.require_same_samples(got, right, later)


@weight(0.25)
@number("1.18")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_sizes_loss(student: Student) -> None:
    """negSamplingLossAndGradient: the loss, other numbers of samples, as many words as axes too"""
    check_sampling_sizes(student, pairs.LOSS)


@weight(0.25)
@number("1.19")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_sizes_center(student: Student) -> None:
    """negSamplingLossAndGradient: gradCenterVec, other numbers of samples, as many words as axes too"""
    check_sampling_sizes(student, pairs.CENTER)


@weight(0.5)
@number("1.20")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_sizes_outside(student: Student) -> None:
    """negSamplingLossAndGradient: gradOutsideVecs, other numbers of samples, as many words as axes too"""
    check_sampling_sizes(student, pairs.OUTSIDE)


@weight(0.25)
@number("1.21")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_draws_again_loss(student: Student) -> None:
    """negSamplingLossAndGradient: the loss, the outside word is drawn and must be drawn again"""
    check_drawing_again(student, pairs.LOSS)


@weight(0.25)
@number("1.22")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_draws_again_center(student: Student) -> None:
    """negSamplingLossAndGradient: gradCenterVec, the outside word is drawn and must be drawn again"""
    check_drawing_again(student, pairs.CENTER)


@weight(0.5)
@number("1.23")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_draws_again_outside(student: Student) -> None:
    """negSamplingLossAndGradient: gradOutsideVecs, the outside word is drawn and must be drawn again"""
    check_drawing_again(student, pairs.OUTSIDE)


@weight(0.5)
@number("1.24")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_repeated_loss(student: Student) -> None:
    """negSamplingLossAndGradient: the loss, a word is drawn more than once"""
    check_repeated_draws(student, pairs.LOSS)


@weight(0.5)
@number("1.25")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_repeated_center(student: Student) -> None:
    """negSamplingLossAndGradient: gradCenterVec, a word is drawn more than once"""
    check_repeated_draws(student, pairs.CENTER)


@weight(1.5)
@number("1.26")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_repeated_outside(student: Student) -> None:
    """negSamplingLossAndGradient: gradOutsideVecs, a word is drawn more than once"""
    check_repeated_draws(student, pairs.OUTSIDE)


@weight(0.5)
@number("1.27")
@visibility("after_due_date")
@tags("negSamplingLossAndGradient", "robustness")
def test_neg_sampling_edges(student: Student) -> None:
    """negSamplingLossAndGradient: gradients at scores of 1000 and -1000, vectors with one entry"""
    U, draws = np.array([[1.0], [-1.0], [2.0], [-0.5]]), [0, 3, 2, 2, 0]
    for v_c in (np.array([1000.0]), np.array([-1000.0])):
        pairs.check_sampling(student, v_c, 1, U, draws, 3, names=[pairs.CENTER, pairs.OUTSIDE])
    pairs.check_sampling(student, np.array([0.5]), 1, U, draws, 3)


@weight(0.75)
@number("1.28")
@visibility("visible")
@tags("skipgram")
def test_skipgram_loss(student: Student) -> None:
    """skipgram: the loss, four different words around the centre word"""
    pairs.check_skipgram(student, "adeb", names=[pairs.SUMMED_LOSS])


@weight(1.25)
@number("1.29")
@visibility("visible")
@tags("skipgram")
def test_skipgram_centers(student: Student) -> None:
    """skipgram: gradCenterVecs, four different words around the centre word"""
    pairs.check_skipgram(student, "adeb", names=[pairs.CENTERS])


@weight(1.25)
@number("1.30")
@visibility("visible")
@tags("skipgram")
def test_skipgram_outside(student: Student) -> None:
    """skipgram: gradOutsideVectors, four different words around the centre word"""
    pairs.check_skipgram(student, "adeb", names=[pairs.OUTSIDES])


@weight(0.25)
@number("1.31")
@visibility("visible")
@tags("skipgram")
def test_skipgram_order(student: Student) -> None:
    """skipgram: the order of the loss and the gradients"""
    pairs.check_skipgram_order(student, "adeb")


@weight(0.25)
@number("1.32")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_sizes_loss(student: Student) -> None:
    """skipgram: the loss, other windows, words and sizes"""
    check_skipgram_sizes(student, pairs.SUMMED_LOSS)


@weight(0.5)
@number("1.33")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_sizes_centers(student: Student) -> None:
    """skipgram: gradCenterVecs, other windows, words and sizes"""
    check_skipgram_sizes(student, pairs.CENTERS)


@weight(0.5)
@number("1.34")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_sizes_outside(student: Student) -> None:
    """skipgram: gradOutsideVectors, other windows, words and sizes"""
    check_skipgram_sizes(student, pairs.OUTSIDES)


@weight(0.25)
@number("1.35")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_repeated_loss(student: Student) -> None:
    """skipgram: the loss, words that occur more than once in the context"""
    for context in ("aeea", "bbbb", "faba"):
        pairs.check_skipgram(student, context, seed=124, names=[pairs.SUMMED_LOSS])


@weight(0.25)
@number("1.36")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_repeated_centers(student: Student) -> None:
    """skipgram: gradCenterVecs, words that occur more than once in the context"""
    for context in ("aeea", "bbbb", "faba"):
        pairs.check_skipgram(student, context, seed=124, names=[pairs.CENTERS])


@weight(0.5)
@number("1.37")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_repeated_outside(student: Student) -> None:
    """skipgram: gradOutsideVectors, words that occur more than once in the context"""
    for context in ("aeea", "bbbb", "faba"):
        pairs.check_skipgram(student, context, seed=124, names=[pairs.OUTSIDES])


@weight(0.25)
@number("1.38")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_center_in_context_loss(student: Student) -> None:
    """skipgram: the loss, the centre word occurs again in its own context"""
    for context in ("acfd", "cbec"):
        pairs.check_skipgram(student, context, seed=125, names=[pairs.SUMMED_LOSS])


@weight(0.25)
@number("1.39")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_center_in_context_centers(student: Student) -> None:
    """skipgram: gradCenterVecs, the centre word occurs again in its own context"""
    for context in ("acfd", "cbec"):
        pairs.check_skipgram(student, context, seed=125, names=[pairs.CENTERS])


@weight(0.5)
@number("1.40")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_center_in_context_outside(student: Student) -> None:
    """skipgram: gradOutsideVectors, the centre word occurs again in its own context"""
    for context in ("acfd", "cbec"):
        pairs.check_skipgram(student, context, seed=125, names=[pairs.OUTSIDES])


@weight(0.25)
@number("1.41")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_sentence_edge_loss(student: Student) -> None:
    """skipgram: the loss, fewer words than the window has room for, one argument changed at a time"""
    check_sentence_edge(student, pairs.SUMMED_LOSS)


@weight(0.5)
@number("1.42")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_sentence_edge_centers(student: Student) -> None:
    """skipgram: gradCenterVecs, fewer words than the window has room for, one argument changed at a time"""
    check_sentence_edge(student, pairs.CENTERS)


@weight(0.75)
@number("1.43")
@visibility("after_due_date")
@tags("skipgram")
def test_skipgram_sentence_edge_outside(student: Student) -> None:
    """skipgram: gradOutsideVectors, fewer words than the window has room for, one argument changed at a time"""
    check_sentence_edge(student, pairs.OUTSIDES)


@weight(0.5)
@number("1.44")
@visibility("after_due_date")
@tags("skipgram", "robustness")
def test_skipgram_empty_context(student: Student) -> None:
    """skipgram: a sentence of one word"""
    pairs.check_skipgram(student, "a", seed=127, names=())  # unchanged starter code ends here
    pairs.check_skipgram(student, "", seed=127)


@weight(1)
@number("1.45")
@visibility("visible")
@tags("naiveSoftmaxLossAndGradient")
def test_naive_softmax_own_gradient(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: gradient check, the gradients beside your own loss"""
    v_c, U = pairs.make_vectors(128, V=3, D=2)
    pairs.check_own_gradient(student, "naiveSoftmaxLossAndGradient", v_c, U, 1)


@weight(1)
@number("1.46")
@visibility("visible")
@tags("negSamplingLossAndGradient")
def test_neg_sampling_own_gradient(student: Student) -> None:
    """negSamplingLossAndGradient: gradient check, the gradients beside your own loss"""
    v_c, U = pairs.make_vectors(129, V=3, D=2)
    pairs.check_own_gradient(student, "negSamplingLossAndGradient", v_c, U, 1, [0, 2, 2, 2], 2)


@weight(1.25)
@number("1.47")
@visibility("visible")
@tags("skipgram")
def test_skipgram_own_gradient(student: Student) -> None:
    """skipgram: gradient check, the gradients beside your own loss"""
    pairs.check_own_skipgram_gradient(student)


@weight(0)
@number("1.48")
@visibility("visible")
@tags("sigmoid", "advice")
def test_sigmoid_warns_of_nothing(student: Student) -> None:
    """sigmoid: no warning at large numbers"""
    x = np.array([[-900.0, 1200.0, 0.5], [-2000.0, 0.0, 750.0]])
    value, warned = student.word2vec.sigmoid.with_warnings(x)
    checks.close("sigmoid(x)", value, reference.sigmoid(x))
    hint = "exp(-x) overflows where x is very negative; another form of the sigmoid never takes a large exp."
    checks.require(not warned, "sigmoid(x)", "no warning of an overflow", f"a {' and a '.join(warned)}", hint=hint)


@weight(0)
@number("1.49")
@visibility("visible")
@tags("naiveSoftmaxLossAndGradient", "advice")
def test_naive_softmax_finite_loss(student: Student) -> None:
    """naiveSoftmaxLossAndGradient: the loss where a probability is 0 in floating point"""
    U = np.array([[2.0, -0.5], [1.0, 1.5], [-1.0, 0.5]])
    hint = "log(softmax(x)) is minus infinity where the softmax is 0; x - log(sum(exp(x))) is not."
    got = student.word2vec.naiveSoftmaxLossAndGradient(np.array([800.0, 1.0]), 2, U, pairs.make_dataset([0]))
    with checks.advise(hint):
        pairs.check_loss(got, reference.naiveSoftmaxLossAndGradient(np.array([800.0, 1.0]), 2, U, None))


@weight(0)
@number("1.50")
@visibility("visible")
@tags("negSamplingLossAndGradient", "advice")
def test_neg_sampling_finite_loss(student: Student) -> None:
    """negSamplingLossAndGradient: the loss where a sigmoid is 0 in floating point"""
    U, v_c = np.array([[1.5], [-1.0], [2.0]]), np.array([800.0])
    hint = "log(sigmoid(x)) is minus infinity where the sigmoid is 0; -np.logaddexp(0, -x) is the same and finite."
    got = student.word2vec.negSamplingLossAndGradient(v_c, 1, U, pairs.make_dataset([0, 2]), 2)
    right = reference.negSamplingLossAndGradient(v_c, 1, U, pairs.make_dataset([0, 2]), 2)
    with checks.advise(hint):
        pairs.check_loss(got, right)
