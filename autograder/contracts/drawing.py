"""Drawing: makes an array in a style, such as an array of negative numbers; each style has its words for a result."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from autograder.contracts.interval import ALL, Interval

Rng = np.random.Generator
Array = NDArray[Any]
Shape = tuple[int, ...]
Sizes = Mapping[str, Any]  # by name, as sizes.py chooses them
Styles = Mapping[str, str]  # with the words for each
GENERIC = "generic"
SPARSE = "sparse"
REPEATED = "repeated items"  # the style of lists whose items are all the same
INTEGERS = "integers"  # the style of functions that must take integers
_HUGE = 1000.0
_TINY = 1e-5
_T = TypeVar("_T")

STYLES: Styles = {
    "zeros": "where {} is all zeros",
    "ones": "where every entry of {} is 1",
    "positive": "where {} is positive",
    "negative": "where {} is negative",
    "low": "where every entry of {} is far below 0",
    "high": "where every entry of {} is far above 0",
    "large": "where entries of {} are large",
    "tiny": "where entries of {} are tiny",
    SPARSE: "where some entries of {} are 0",
    "equal": "where all entries of {} are equal",
    "whole": "where {} holds whole numbers",
}
"""The styles of arrays of reals, each with the words for it."""
HUGE_STYLES: Styles = {
    **dict.fromkeys(("huge", "turned"), "where entries of {} are about 1000"),
    "far": "where every entry of {} is far from 0",
}
"""The styles of robustness. A row has 1000 at one of its ends and -1000 at the other, or is near one of the two."""
LABEL_STYLES: Styles = {
    "first": "where every entry of {} is the first one",
    "second": "where every entry of {} is the second one",
    "last": "where every entry of {} is the last one",
    "repeated": "where an entry of {} occurs twice",
    "absent": "where {} lacks a class",
}
INTEGER_STYLES: Styles = {
    "first": "where every entry of {} is the smallest",
    "last": "where every entry of {} is the largest",
    "repeated": "where an entry of {} occurs twice",
}
MASK_STYLES: Styles = {"all": "where {} is true everywhere", "none": "where {} is false everywhere"}
SURE_STYLES: Styles = {"uniform": "where {} is uniform", "sure": "where {} is almost sure"}


class Drawing(NamedTuple):
    """What a value is drawn from. `sizes`: by name; `largest`: of large entries; `shape`, `interval`: of reals."""

    style: str
    sizes: Sizes
    rng: Rng
    largest: float = 20.0
    shape: Shape = ()
    interval: Interval = ALL

    def draw(self) -> Any:
        """Draw ordinary reals."""
        return self.interval.draw(self.shape, self.rng)

    def draw_normal(self) -> Any:
        """Draw reals of a normal distribution."""
        return np.asarray(self.rng.normal(size=self.shape))


def make_generator(*words: str) -> Rng:
    """Make the generator that these words seed."""
    text = "\n".join(words)
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def pick(values: Sequence[_T], rng: Rng) -> _T:
    """Pick one of some values, each as often."""
    return values[int(rng.integers(len(values)))]


def draw_mask(shape: Shape, drawing: Drawing) -> Any:
    """Draw an array of truth values."""
    if drawing.style == "all":
        return np.ones(shape, bool)
    if drawing.style == "none":
        return np.zeros(shape, bool)
    return drawing.rng.random(shape) < 0.5


def draw_distribution(shape: Shape, drawing: Drawing) -> Array:
    """Draw an array whose entries along the last axis sum to 1."""
    rng = drawing.rng
    weights = np.ones(shape)
    if drawing.style != "uniform":
        weights = rng.uniform(0.2, 2.0, size=shape)
    if drawing.style == "sure":
        weights[..., int(rng.integers(shape[-1]))] *= 100.0
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def draw_distinct(shape: Shape, classes: int, drawing: Drawing) -> Array | None:
    """Draw integers from 0 below `classes` that all differ; None for a style, and for too few of them."""
    count = math.prod(shape)
    if drawing.style != GENERIC or count > classes:
        return None
    return drawing.rng.permutation(classes)[:count].reshape(shape)


def draw_labels(shape: Shape, classes: int, drawing: Drawing) -> Array | None:
    """Draw integers from 0 below `classes`; None where there are too few for the style."""
    style = drawing.style
    rng = drawing.rng
    count = math.prod(shape)
    if style in ("repeated", "absent") and min(count, classes) < 2:
        return None
    if style == "second" and classes < 3:
        return None
    more = rng.integers(0, classes, size=max(count - classes, 0))  # drawn apart: two arrays of labels go not in step
    labels: Array
    same = {"first": 0, "second": 1, "last": classes - 1}
    if style in same:
        labels = np.full(count, same[style])
    elif style == "repeated":
        labels = rng.integers(0, classes, size=count - 1)
        labels = np.append(labels, labels[0])
    elif style == "absent":
        labels = rng.integers(0, classes - 1, size=count)
    else:
        labels = np.append(rng.permutation(classes)[:count], more)
    return np.asarray(labels, dtype=np.int64).reshape(shape)


def draw_reals(shape: Shape, interval: Interval, drawing: Drawing) -> Array | None:
    """Draw an array of numbers of an interval; None where it has none in this style."""
    draw = _DRAWS.get(drawing.style)
    if draw is None or (drawing.style in _FREE_STYLES and not interval.is_all):
        return None
    wanted = drawing._replace(shape=shape, interval=interval)
    drawn = np.asarray(draw(wanted))
    if drawn.size and not interval.contains(float(drawn.min()), float(drawn.max())):
        return None
    return drawn


def _draw_large(wanted: Drawing) -> Any:
    largest = wanted.largest
    if not wanted.interval.is_all:
        return wanted.draw() * largest
    drawn = np.asarray(wanted.draw_normal() * (largest / 5))
    if drawn.size:
        drawn.flat[0] = -largest
        drawn.flat[-1] = largest
    return drawn


def _draw_sparse(wanted: Drawing) -> Any:
    count = math.prod(wanted.shape)
    mask = np.arange(count) % 2 == int(wanted.rng.integers(2))
    drawn = wanted.draw()
    return drawn * wanted.rng.permutation(mask).reshape(wanted.shape)


def _draw_whole(wanted: Drawing) -> Any:
    low = -3 if wanted.interval.is_all else 0
    return wanted.rng.integers(low, 4, size=wanted.shape).astype(np.float64)


def _draw_huge(wanted: Drawing) -> Any:
    """Draw rows in which one entry outweighs all others, or rows near -1000 and 1000 by turns."""
    shape = wanted.shape
    drawn = wanted.draw_normal()
    if not shape:
        return drawn + (_HUGE if wanted.style == "huge" else -_HUGE)
    if wanted.style == "far":
        signs = np.resize([-1.0, 1.0], shape[:-1])
        return drawn + _HUGE * signs[..., np.newaxis]
    low = 0 if wanted.style == "huge" else -1
    drawn[..., low] = -_HUGE
    drawn[..., -1 - low] = _HUGE
    return drawn


_DRAWS: Mapping[str, Callable[[Drawing], Any]] = {
    GENERIC: Drawing.draw,
    INTEGERS: lambda wanted: wanted.rng.integers(1, 5, size=wanted.shape),
    "zeros": lambda wanted: np.zeros(wanted.shape),
    "ones": lambda wanted: np.ones(wanted.shape),
    "positive": lambda wanted: np.abs(wanted.draw()) + 0.1,
    "negative": lambda wanted: -np.abs(wanted.draw()) - 0.1,
    "low": lambda wanted: wanted.draw() - wanted.largest,
    "high": lambda wanted: wanted.draw() + wanted.largest,
    "large": _draw_large,
    "tiny": lambda wanted: wanted.draw() * _TINY,
    SPARSE: _draw_sparse,
    "equal": lambda wanted: np.full(wanted.shape, wanted.interval.draw((), wanted.rng)),
    "whole": _draw_whole,
    **dict.fromkeys(HUGE_STYLES, _draw_huge),
}
_FREE_STYLES = ("positive", "negative", "low", "high", *HUGE_STYLES)  # of reals without bounds alone
