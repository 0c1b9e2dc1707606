"""Word2vec checks: compare the values of one call, part by part, with the right ones."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.authoring import (
    Callback,
    CallbackSource,
    CheckFailed,
    Names,
    Point,
    Refuse,
    ServedObject,
    Student,
    checks,
    gradient_check,
    read_callback_source,
)
from reference import word2vec as reference

Pair = tuple[object, dict[str, object]]

LOSS, CENTER, OUTSIDE = PAIR = ("loss", "gradCenterVec", "gradOutsideVecs")
SUMMED_LOSS, CENTERS, OUTSIDES = SUMMED = ("loss", "gradCenterVecs", "gradOutsideVectors")

INDEX = {"d": 0, "a": 1, "f": 2, "c": 3, "b": 4, "e": 5}

# The tests need at most 126 draws from one dataset. Beyond this number sampling does not end, for example because it
# waits for K words that are all different, and the student should read that instead of waiting for a timeout.
LARGEST_NUMBER_OF_DRAWS = 1500

# Names of the arguments of a loss in the courses of different years.
LOSS_KEYWORDS = (
    ("centerWordVec", "predicted", "center_word_vec"),
    ("outsideWordIdx", "target", "outside_word_idx"),
    ("outsideVectors", "outputVectors", "outside_vectors"),
    ("dataset",),
)


def make_vectors(seed: int, V: int, D: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the vector of a centre word, and the outside vectors of V words."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=D), rng.normal(size=(V, D))


def make_dataset(draws: Sequence[int]) -> ServedObject:
    """Make a dataset that samples the draws in their order, over and over."""
    endless = itertools.cycle(draws)
    numbers = itertools.count(1)

    def draw_word() -> int:
        if next(numbers) > LARGEST_NUMBER_OF_DRAWS:
            raise Refuse("sampleTokenIdx was called again and again: the sampling does not end")
        return next(endless)

    draw = Callback(draw_word)
    definition = f"""class Dataset:
    draws = {list(draws)}
    def sampleTokenIdx(self):
        self.draws = self.draws[1:] + self.draws[:1]
        return self.draws[-1]
    sample_token_idx = sampleTokenIdx"""
    source = CallbackSource(definition, "Dataset()", is_watched=False)
    return ServedObject("dataset", source=source, sampleTokenIdx=draw, sample_token_idx=draw)


class UsedDataset:
    """A dataset of which some draws were taken; of another class, so that public checks tell it from a new one."""

    def __init__(self, dataset: ServedObject) -> None:
        self.sampleTokenIdx = dataset.sampleTokenIdx


def check_named(
    got: object, expected: Sequence[object], all_names: Sequence[str], names: Sequence[str], known: Sequence[Names]
) -> None:
    """Find the parts of the value of a function, whatever their order, and compare those in `names`.

    `known` has related quantities of each part.
    """
    right = dict(zip(all_names, expected, strict=True))
    values = checks.take_parts("the value of the function", got, right)
    for name, near in zip(all_names, known, strict=True):
        if name in names:
            checks.close(name, values[name], right[name], names=near)


def check_order(got: object, expected: Sequence[object], all_names: Sequence[str]) -> None:
    """Check the order of the loss and the gradients."""
    checks.require_order("the value of the function", got, dict(zip(all_names, expected, strict=True)))


def take_pair(value: object, all_names: Sequence[str]) -> Pair:
    """Split the value of a function into its loss and its gradients by name."""
    loss, *gradients = checks.parts("the value of the function", value, all_names)
    return loss, dict(zip(all_names[1:], gradients, strict=True))


def call_softmax(student: Student, v_c: np.ndarray, o: int, U: np.ndarray) -> object:
    """Return the value of naiveSoftmaxLossAndGradient."""
    return student.word2vec.naiveSoftmaxLossAndGradient(v_c, o, U, make_dataset([0]))


def check_softmax(student: Student, v_c: np.ndarray, o: int, U: np.ndarray, *, names: Sequence[str] = PAIR) -> None:
    """Compare the loss and gradients of naiveSoftmaxLossAndGradient with the right ones."""
    function = student.word2vec.naiveSoftmaxLossAndGradient
    got = call_softmax(student, v_c, o, U)
    known = (Names(), Names(terms={"u_o": U[o]}), Names(rows={"the row of the outside word": [o]}))

    def evaluate(points: Sequence[Point]) -> list[Pair]:
        calls = [(point[CENTER], o, point[OUTSIDE], make_dataset([0])) for point in points]
        return [take_pair(value, PAIR) for value in function.each(calls)]

    with gradient_check.explain_gradient(student, {CENTER: v_c, OUTSIDE: U}, evaluate):
        check_named(got, reference.naiveSoftmaxLossAndGradient(v_c, o, U, None), PAIR, names, known)


def check_sampling(
    student: Student,
    v_c: np.ndarray,
    o: int,
    U: np.ndarray,
    draws: Sequence[int],
    *K: int,
    names: Sequence[str] = PAIR,
) -> None:
    """Compare the loss and gradients of negSamplingLossAndGradient on these draws, by default without a K."""
    function = student.word2vec.negSamplingLossAndGradient
    got = function(v_c, o, U, make_dataset(draws), *K)
    drawn = reference.getNegativeSamples(o, make_dataset(draws), *(K or (10,)))
    rows = {
        "the row of the outside word": [o],
        "the rows of words that are drawn more than once": sorted({w for w in drawn if drawn.count(w) > 1}),
    }
    known = (Names(), Names(terms={"u_o": U[o]}), Names(rows=rows))
    right, later = sample_twice(v_c, o, U, draws, *K)

    def evaluate(points: Sequence[Point]) -> list[Pair]:
        calls = [(point[CENTER], o, point[OUTSIDE], make_dataset(draws), *K) for point in points]
        return [take_pair(value, PAIR) for value in function.each(calls)]

    with gradient_check.explain_gradient(student, {CENTER: v_c, OUTSIDE: U}, evaluate):
        check_named(got, right, PAIR, names, known)
    require_same_samples(got, right, later)


def sample_twice(v_c: np.ndarray, o: int, U: np.ndarray, draws: Sequence[int], *K: int) -> list[tuple[Any, ...]]:
    """Return the right loss and gradients for these draws, and those for the samples that are drawn next."""
    dataset = make_dataset(draws)
    return [reference.negSamplingLossAndGradient(v_c, o, U, each, *K) for each in (dataset, UsedDataset(dataset))]


@checks.reads_replies
def require_same_samples(got: object, first: Sequence[Any], later: Sequence[Any]) -> None:
    """Require that no part of the value is for samples that are drawn after those of another part.

    `first`: the right values; `later`: those for the samples that are drawn next.
    """
    right, other = (dict(zip(PAIR, values, strict=True)) for values in (first, later))
    values = checks.take_parts("the value of the function", got, right)
    is_first = {name: is_close(values[name], right[name]) for name in PAIR}
    redrawn = [name for name in PAIR if not is_first[name] and is_close(values[name], other[name])]
    checks.require(
        not redrawn or not any(is_first.values()),
        " and ".join(redrawn),
        "the same negative samples as in the rest of the value",
        "those of samples that are drawn later",
        hint="Draw the negative samples of a call once.",
    )


def is_close(value: object, right: Any) -> bool:
    """Say whether a part of a value is a number or an array with these entries."""
    try:
        values = checks.array("the value", value, np.shape(right))
    except CheckFailed:
        return False
    return np.allclose(values, right, rtol=1e-4, atol=1e-5)


def check_loss(got: object, right: Sequence[object]) -> None:
    """Compare the loss of a pair of words alone."""
    check_named(got, right, PAIR, [LOSS], [Names()] * len(PAIR))


def check_own_gradient(
    student: Student, name: str, v_c: np.ndarray, U: np.ndarray, o: int, draws: Sequence[int] = (0,), *K: int
) -> None:
    """Compare the gradients of one pair of words with central differences of the student's own loss."""
    function = getattr(student.word2vec, name)
    got = function(v_c, o, U, make_dataset(draws), *K)
    right = dict(zip(PAIR, getattr(reference, name)(v_c, o, U, make_dataset(draws), *K), strict=True))
    place = checks.find_places("the value of the function", got, right)[LOSS]

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [(point[CENTER], o, point[OUTSIDE], make_dataset(draws), *K) for point in points]
        return function.each(calls, part=place)

    gradients = checks.take_parts("the value of the function", got, right)
    gradient_check.require_own_gradient(gradients, {CENTER: v_c, OUTSIDE: U}, evaluate)


# The two losses use sums and not @, whose last digit depends on where an array lies in memory: the grader repeats the
# calls that a worker makes, and compares what they return bit by bit.
def wave_loss(v_c: np.ndarray, o: int, U: np.ndarray, dataset: object) -> tuple[float, np.ndarray, np.ndarray]:
    """Return sin(u_o . v_c), which is no polynomial, and its gradients."""
    v_c, o, U = np.asarray(v_c, dtype=np.float64).reshape(np.shape(U)[1]), int(o), np.asarray(U, dtype=np.float64)
    grad_outside = np.zeros(U.shape)  # (V, D)
    score = (U[o] * v_c).sum()
    grad_outside[o] = np.cos(score) * v_c
    return float(np.sin(score)), np.cos(score) * U[o], grad_outside


WAVE_SOURCE = CallbackSource(
    f"""{read_callback_source(wave_loss).definition}
def loss(*arguments, **keywords):
    return wave_loss(*arguments, *keywords.values())""",
    "loss",
    is_watched=False,
)


def check_own_skipgram_gradient(student: Student) -> None:
    """Compare the gradients of a context of two words with central differences of the student's own loss."""
    index = {"b": 0, "a": 1, "c": 2}
    rng, function = np.random.default_rng(130), student.word2vec.skipgram
    centers, U = rng.normal(size=(len(index), 2)), rng.normal(size=(len(index), 2))
    wave = Callback(wave_loss, keywords=LOSS_KEYWORDS, source=WAVE_SOURCE)
    first, last = ("a", 2, ["b", "c"], index), (make_dataset([0]), wave)
    got = function(*first, centers, U, *last)
    right = dict(zip(SUMMED, reference.skipgram(*first, centers, U, None, wave_loss), strict=True))
    place = checks.find_places("the value of the function", got, right)[SUMMED_LOSS]

    def evaluate(points: Sequence[Point]) -> list[object]:
        calls = [(*first, point[CENTERS], point[OUTSIDES], *last) for point in points]
        return function.each(calls, part=place)

    gradients = checks.take_parts("the value of the function", got, right)
    gradient_check.require_own_gradient(gradients, {CENTERS: centers, OUTSIDES: U}, evaluate)
    toy = Callback(toy_loss, keywords=LOSS_KEYWORDS, source=write_toy_source(1.0))
    require_loss_given(function.each([(*first, centers, U, last[0], loss) for loss in (wave, toy)], part=place))


@checks.reads_replies
def require_loss_given(losses: Sequence[object]) -> None:
    """Require that the sum of one loss differs from that of another."""
    one, other = (checks.scalar(SUMMED_LOSS, loss) for loss in losses)
    wanted = "another value with another word2vecLossAndGradient"
    checks.require(not np.isclose(one, other), SUMMED_LOSS, wanted, "the same value")


def toy_loss(v_c: np.ndarray, o: int, U: np.ndarray, dataset: object) -> tuple[float, np.ndarray, np.ndarray]:
    """Return (o + 1) (1 + |v_c|^2 / 2) + u_o . v_c + |U|^2 / 2, and its gradients."""
    v_c, U = (np.asarray(each, dtype=np.float64, order="C") for each in (v_c, U))
    v_c, o = v_c.reshape(U.shape[1]), int(o)
    loss = (o + 1) * (1 + (v_c**2).sum() / 2) + (U[o] * v_c).sum() + (U**2).sum() / 2
    grad_outside = U.copy()  # (V, D)
    grad_outside[o] += v_c
    return float(loss), (o + 1) * v_c + U[o], grad_outside


def write_toy_source(scale: float) -> CallbackSource:
    """Write the toy loss for students, and for the worker."""
    value = "toy_loss(*arguments, *keywords.values())"
    scaled = value if scale == 1 else f"tuple([{scale} * part for part in {value}])"
    return CallbackSource(
        f"""{read_callback_source(toy_loss).definition}
def loss(*arguments, **keywords):
    return {scaled}""",
        "loss",
    )


@dataclass
class ToyLoss:
    """A loss of one pair of words unlike both real losses; no row of its gradient is zero. `scale`: multiplies it."""

    dataset: ServedObject = field(default_factory=lambda: make_dataset([0]))
    was_called: bool = False
    scale: float = 1.0

    def __call__(self, v_c: np.ndarray, o: int, U: np.ndarray, dataset: object) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the toy loss and its gradients."""
        self.was_called = True
        if dataset is not self.dataset:
            raise Refuse("the dataset passed to word2vecLossAndGradient is not the dataset of skipgram")
        loss, grad_center, grad_outside = toy_loss(v_c, o, U, dataset)
        return self.scale * loss, self.scale * grad_center, self.scale * grad_outside


def check_skipgram(
    student: Student, context: str, *, window: int = 2, seed: int = 120, D: int = 3, names: Sequence[str] = SUMMED
) -> None:
    """Compare the loss and gradients of skipgram for the centre word c and a context of one-letter words."""
    check_skipgram_of(student, ("c", window, list(context), INDEX, *make_words(seed, len(INDEX), D)), names=names)


def check_skipgram_order(student: Student, context: str) -> None:
    """Check the order of the values of skipgram."""
    toy = ToyLoss()
    work = ("c", 2, list(context), INDEX, *make_words(120, len(INDEX), 3), toy.dataset)
    got = student.word2vec.skipgram(*work, Callback(toy, keywords=LOSS_KEYWORDS, source=write_toy_source(toy.scale)))
    check_order(got, reference.skipgram(*work, toy), SUMMED)


def make_words(seed: int, V: int, D: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the centre vectors and the outside vectors of V words."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(V, D)), rng.normal(size=(V, D))


def check_skipgram_of(
    student: Student, work: tuple[Any, ...], *, names: Sequence[str] = SUMMED, scale: float = 1.0
) -> None:
    """Compare the loss and gradients of skipgram; `work`: its arguments up to the outside vectors."""
    toy = ToyLoss(scale=scale)
    center, _, context, index, centers, U = work
    arguments = (*work, toy.dataset)
    toy_callback = Callback(toy, keywords=LOSS_KEYWORDS, source=write_toy_source(scale))
    got = student.word2vec.skipgram(*arguments, toy_callback)
    is_stub = bool(context) and not toy.was_called and _is_zero(got)
    checks.not_written(is_stub, "it returns zeros and never calls word2vecLossAndGradient")
    sizes = {"the number of words in the context": len(context)}
    known = (Names(), Names(rows={"the row of the centre word": [index[center]]}, sizes=sizes), Names(sizes=sizes))

    def evaluate(points: Sequence[Point]) -> list[Pair]:
        calls = [(*arguments[:4], point[CENTERS], point[OUTSIDES], *arguments[6:], toy_callback) for point in points]
        return [take_pair(value, SUMMED) for value in student.word2vec.skipgram.each(calls)]

    with gradient_check.explain_gradient(student, {CENTERS: centers, OUTSIDES: U}, evaluate):
        check_named(got, reference.skipgram(*arguments, toy), SUMMED, names, known)


def _is_zero(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_zero(item) for item in value)
    return isinstance(value, (int, float, np.ndarray)) and not np.any(value)
