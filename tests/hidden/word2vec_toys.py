"""Word2vec toys: the dataset and the loss that student code is given, and how the arguments around them are drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.authoring import make_toy

# Names of the arguments of a loss in the courses of different years.
LOSS_KEYWORDS = (
    ("centerWordVec", "predicted", "center_word_vec"),
    ("outsideWordIdx", "target", "outside_word_idx"),
    ("outsideVectors", "outputVectors", "outside_vectors"),
    ("dataset",),
)


class Dataset:
    """Samples its draws in their order, over and over; whoever draws so often waits for a word that never comes."""

    def __init__(self, draws: list[int]) -> None:
        self.draws, self.count = draws, 0

    def sampleTokenIdx(self) -> int:
        """Return the next draw."""
        self.count += 1
        if self.count > 400:
            raise RuntimeError("sampleTokenIdx was called again and again: the sampling does not end")
        return self.draws[(self.count - 1) % len(self.draws)]

    sample_token_idx = sampleTokenIdx


# The sums are none of `@`, whose last digit depends on where an array lies in memory.
def toy_loss(v_c: Any, o: int, U: Any, dataset: Any) -> Any:
    """Return w (o + 1) (1 + |v_c|^2 / 2) + sin(u_o . v_c) + |U|^2 / 2, where w is drawn, and its gradients."""
    v_c, U = (np.asarray(each, dtype=np.float64, order="C") for each in (v_c, U))
    v_c, o = v_c.reshape(U.shape[1]), int(o)
    weight, score = dataset.sampleTokenIdx() * (o + 1), (U[o] * v_c).sum()
    loss = weight * (1 + (v_c**2).sum() / 2) + np.sin(score) + (U**2).sum() / 2
    grad_outside = U.copy()  # (V, D)
    grad_outside[o] += np.cos(score) * v_c
    return float(loss), weight * v_c + np.cos(score) * U[o], grad_outside


def draw_unused(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> Any:
    """Make a dataset that nothing is drawn from."""
    return make_toy(Dataset, [0])


def draw_samples(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> Any:
    """Draw a dataset that has each word once, but not the usual outside word unless only that is an answer."""
    words = [int(word) for word in rng.permutation(known["V"])]
    others = [word for word in words if word != known["V"] // 2]
    return make_toy(Dataset, words if others == [known["outsideWordIdx"]] else others)


def draw_weight(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> Any:
    """Draw a dataset that always samples the same, in whatever order words are visited."""
    return make_toy(Dataset, [int(rng.integers(1, 9))])


def draw_loss(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> Any:
    """Make the toy loss."""
    return make_toy(toy_loss, keywords=LOSS_KEYWORDS)


def name_word(n: int) -> str:
    """Name a word; every third has one letter."""
    return "abcdefghi"[n // 3] if n % 3 == 0 and n < 27 else f"word{n}"


def draw_center(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> str:
    """Draw a centre word."""
    return name_word(rng.integers(known["V"]))


def draw_context(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> list[str]:
    """Draw other words than the centre word, as many as the window and the vocabulary have."""
    words = map(name_word, rng.permutation(known["V"]))
    return [word for word in words if word != known["currentCenterWord"]][: 2 * known["windowSize"]]


def draw_index(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> dict[str, int]:
    """Draw the index of each word, in the order of the indices."""
    return {name_word(n): index for index, n in enumerate(rng.permutation(known["V"]))}


def make_pair(rng: np.random.Generator, o: int, draws: Sequence[int], *K: int, V: int = 12, D: int = 3) -> list[Any]:
    """Make the arguments of a loss of one pair of words."""
    return [rng.normal(size=D), o, rng.normal(size=(V, D)), make_toy(Dataset, list(draws)), *K]


def make_long_pair(rng: np.random.Generator) -> list[Any]:
    """Make the arguments of a loss of one pair of words: large numbers, and scores that are not."""
    return [rng.uniform(7, 9, size=4) * [1, -1, 1, -1], 2, rng.normal(size=(6, 4)) / 9, make_toy(Dataset, [0])]


def make_short_pair(rng: np.random.Generator, draws: Sequence[int], *K: int) -> list[Any]:
    """Make the arguments of a loss of one pair of words, for a gradient check: four words, and vectors of about 0.5."""
    return [rng.normal(size=2) / 2, 2, rng.normal(size=(4, 2)) / 2, make_toy(Dataset, list(draws)), *K]


def make_few_words(rng: np.random.Generator) -> list[Any]:
    """Make the arguments of skipgram for a gradient check: four words, one of them twice in the context."""
    words, index = [name_word(n) for n in (1, 2, 2, 0)], {name_word(n): n for n in (1, 2, 0, 3)}
    vectors = rng.normal(size=(2, 4, 2)) / 2
    return [name_word(3), 2, words, index, *vectors, make_toy(Dataset, [1]), draw_loss({}, rng, "")]


def make_words(rng: np.random.Generator, context: Sequence[int], *, center: int = 3, D: int = 3) -> list[Any]:
    """Make the arguments of skipgram from the numbers of context words; word2Ind is sorted by words."""
    known, window, words = {"V": 9}, max(4, len(context) // 2), [name_word(n) for n in context]
    index = dict(sorted(draw_index(known, rng, "").items()))
    given = [name_word(center), window, words, index, *rng.normal(size=(2, known["V"], D))]
    return [*given, draw_weight(known, rng, ""), draw_loss(known, rng, "")]


def make_silent(rng: np.random.Generator) -> list[Any]:
    """Make the arguments of skipgram by which the loss of each pair is 0, but not its gradients."""
    *words, vectors, others, _, loss = make_words(rng, [1, 2, 5, 4])
    return [*words, vectors, 0 * others, make_toy(Dataset, [0]), loss]


def list_draws(o: int, dataset: Any, K: int) -> list[int]:
    """List the words that are drawn until K of them are not o."""
    samples, drawn = dataset.source.make(), []
    while len(drawn) - drawn.count(o) < K:
        drawn.append(samples.sampleTokenIdx())
    return drawn
