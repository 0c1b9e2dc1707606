"""Drawing: makes a value of a kind in a style, such as an array of negative numbers, from sizes and a generator."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from autograder.contracts.signature import ArrayKind, ChoiceKind, Interval, Kind, ListKind, ScalarKind, ValueKind
from autograder.contracts.sizes import ANY_SHAPE, ITEM, list_indexed

Array = NDArray[Any]
GENERIC, SPARSE = "generic", "sparse"
STYLES: Mapping[str, str] = {
    "zeros": "where {} is all zeros",
    "ones": "where every entry of {} is 1",
    "positive": "where {} is positive",
    "negative": "where {} is negative",
    "large": "where entries of {} are large",
    "tiny": "where entries of {} are tiny",
    SPARSE: "where some entries of {} are 0",
    "equal": "where all entries of {} are equal",
    "whole": "where {} holds whole numbers",
}
"""The styles of arrays of reals, each with the words for it."""
LABEL_STYLES: Mapping[str, str] = {
    "first": "where every entry of {} is the first one",
    "second": "where every entry of {} is the second one",
    "last": "where every entry of {} is the last one",
    "repeated": "where an entry of {} occurs twice",
    "absent": "where {} lacks a class",
}
MASK_STYLES: Mapping[str, str] = {"all": "where {} is true everywhere", "none": "where {} is false everywhere"}
SURE_STYLES: Mapping[str, str] = {"uniform": "where {} is uniform", "sure": "where {} is almost sure"}
HUGE_STYLES: Mapping[str, str] = {
    **dict.fromkeys(("huge", "turned"), "where entries of {} are about 1000"),
    "far": "where every entry of {} is far from 0",
}
"""The styles of robustness. A row has 1000 at one of its ends and -1000 at the other, or is near one of the two."""
SAME, TWICE, DIFFERENT = "same", "twice", "different"
LIST_STYLES: Mapping[str, str] = {
    SAME: "where all items of {} are the same",
    TWICE: "where an item of {} occurs twice",
    DIFFERENT: "where all items of {} differ",
}
REPEATED = "repeated items"  # the style of lists whose items are all the same
INTEGERS = "integers"  # the style of functions that must take integers
_HUGE = 1000.0
_TINY = 1e-5
_MANY = 100
_MODERATE = 16  # a sum of so many products of two drawn numbers needs no care in an exponential
_WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
_MOST_ITEMS = 4  # in a list within a list
_T = TypeVar("_T")
_Draw = Callable[[tuple[int, ...], np.random.Generator], Array]


def make_generator(*words: str) -> np.random.Generator:
    """Make the generator that these words seed."""
    text = "\n".join(words)
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big"))


def pick(values: Sequence[_T], rng: np.random.Generator) -> _T:
    """Pick one of some values, each as often."""
    return values[int(rng.integers(len(values)))]


def draw_value(
    kind: Kind, style: str, sizes: Mapping[str, Any], rng: np.random.Generator, *, largest: float = 20.0
) -> Any:
    """Draw a value; None where the kind has none in this style. `largest`: the size of large entries.

    KeyError for a size without a number; TypeError for a kind that only the author can draw.
    """
    if isinstance(kind, ArrayKind):
        return _draw_array(kind, style, sizes, rng, largest)
    if isinstance(kind, ListKind):
        return _draw_items(kind, style, sizes, rng, largest)
    if isinstance(kind, ValueKind):
        return kind.expression.evaluate(sizes)
    raise TypeError(f"the contract does not say how to draw {kind}")


def _draw_items(kind: ListKind, style: str, sizes: Mapping[str, Any], rng: np.random.Generator, largest: float) -> Any:
    counts = [len(sizes[name]) - 1 for name in list_indexed(kind.item)]
    counts += [int(kind.length.evaluate(sizes))] if kind.length is not None else []
    count = counts[0] if counts else int(sizes.get("items", 3))
    if is_plain_list(kind):
        return _draw_list(kind, style, count, sizes, rng)
    if isinstance(kind.item, ListKind):
        inner = ({**sizes, "items": int(rng.integers(1, _MOST_ITEMS + 1))} for _ in range(count))
        return [draw_value(kind.item, style, each, rng, largest=largest) for each in inner]
    each_style = GENERIC if style == REPEATED else style
    items = [draw_value(kind.item, each_style, {**sizes, ITEM: k}, rng, largest=largest) for k in range(count)]
    if any(each is None for each in items):
        return None
    return [np.array(items[0]) for _ in items] if style == REPEATED else items


def is_plain_list(kind: Kind) -> bool:
    """Tell whether a kind is a list of texts, numbers or chosen values."""
    return isinstance(kind, ListKind) and isinstance(kind.item, (ScalarKind, ChoiceKind))


def _draw_list(kind: Any, style: str, count: int, sizes: Mapping[str, Any], rng: np.random.Generator) -> Any:
    """Draw a list of texts, numbers or chosen values, the first ones more often; None where it has no such style.

    So lists of one call have items in common, and items that occur twice.
    """
    values: Sequence[Any]
    if isinstance(kind.item, ChoiceKind):
        values = kind.item.values
    elif kind.item.below is not None:
        values = range(int(kind.item.below.evaluate(sizes)))
    else:
        values = [value for value, _ in list_scalars(kind.item, None, sizes)]
    if style == DIFFERENT:
        return [values[place] for place in rng.permutation(len(values))[:count]] if count <= len(values) else None
    drawn = [values[int(len(values) * each**3)] for each in rng.random(size=count)]
    if style == SAME:
        return drawn[:1] * count
    if style == TWICE:
        return [*drawn[:-1], drawn[0]] if count > 1 else None
    return drawn


def list_scalars(kind: ScalarKind, default: Any, sizes: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """List values of a scalar with words for each, the ordinary one first."""
    if kind.type == "bool":
        return [(True, "is True"), (False, "is False")]
    if kind.type == "str":
        return [(word, "is another text") for word in _WORDS]
    if kind.below is not None:
        end = int(kind.below.evaluate(sizes))
        middle = end // 2 if end <= _MANY else end - 2  # beyond 100, too, where there are as many
        named = [(middle, "is between the first and the last"), (0, "is the first"), (end - 1, "is the last")]
        return [pair for place, pair in enumerate(named) if pair[0] not in [each for each, _ in named[:place]]]
    values = _list_numbers(kind, default)
    return [(value, _describe_number(value)) for value in values]


def _describe_number(value: float) -> str:
    if value in (0, 1):
        return f"is {value:g}"
    if value >= 10:
        return "is very large" if value >= 20 else "is large"
    if value > 1 and not isinstance(value, int):
        return "is above 1"
    if abs(value) < 0.05:
        return "is small"
    return "is near 1" if 0.98 < value < 1 else "is another number"


def _list_numbers(kind: ScalarKind, default: Any) -> list[Any]:
    interval = kind.interval
    if kind.type == "int":
        low = 0 if interval.low is None else int(np.floor(interval.low)) + interval.is_low_open
        values: list[Any] = [low + each for each in (2, 0, 1, 3, 4, 5, 6, 7, 9, 129)]
        values = values if interval.low is not None else [2, 1, 3, 0, -1]
    else:
        values = _list_floats(interval, default)
    found = [each for each in values if interval.contains(each, each) and each != default]
    return found if default is None else [default, *found]


def _list_floats(interval: Interval, default: Any) -> list[float]:
    is_share = interval.is_all and default is not None and 0 < default < 1
    low, high = (0.0, 1.0) if is_share else (interval.low, interval.high)
    if low is not None and high is not None:
        return [low + share * (high - low) for share in (0.6, 0.25, 0.5, 0.0, 1.0, 0.99)][: 2 if is_share else 6]
    if low is not None or (default is not None and default > 0):
        return [(low or 0.0) + each for each in (0.1, 0.5, 0.01, 1.0, 2.5, 0.0)]
    if high is not None:
        return [high - each for each in (0.5, 3.0, 1.2, 0.0)]
    return [0.7, -1.3, 1.9, 0.0, 1.0, 12.5]


def list_styles(kind: Kind) -> Mapping[str, str]:
    """List the styles of a kind beside the generic one, with their words."""
    inner = kind.item if isinstance(kind, ListKind) else kind
    if not isinstance(inner, ArrayKind):
        return LIST_STYLES if is_plain_list(kind) else {}
    if inner.below is not None or inner.entries == "onehot":
        return LABEL_STYLES
    return {"bool": MASK_STYLES, "distribution": SURE_STYLES}.get(inner.entries, STYLES)


def _draw_array(
    kind: ArrayKind, style: str, sizes: Mapping[str, Any], rng: np.random.Generator, largest: float
) -> Array | None:
    shape = sizes[ANY_SHAPE] if kind.axes is None else tuple(int(each.evaluate(sizes)) for each in kind.axes)
    if kind.below is not None:
        return _draw_labels(shape, int(kind.below.evaluate(sizes)), style, rng, is_distinct=kind.is_distinct)
    if kind.entries == "onehot":
        labels = _draw_labels(shape[:-1], shape[-1], style, rng)
        return None if labels is None else np.eye(shape[-1])[labels]
    if kind.entries == "bool":
        return {"all": np.ones(shape, bool), "none": np.zeros(shape, bool)}.get(style, rng.random(shape) < 0.5)
    if kind.entries == "distribution":
        return _draw_distribution(shape, style, rng)
    return _draw_reals(kind, shape, style, rng, largest)


def _draw_labels(
    shape: tuple[int, ...], classes: int, style: str, rng: np.random.Generator, *, is_distinct: bool = False
) -> Array | None:
    count = int(np.prod(shape))
    if is_distinct:
        return rng.permutation(classes)[:count].reshape(shape) if style == GENERIC and count <= classes else None
    if (style in ("repeated", "absent") and (count < 2 or classes < 2)) or (style == "second" and classes < 3):
        return None
    made: dict[str, Callable[[], Array]] = {
        "first": lambda: np.zeros(count, int),
        "second": lambda: np.ones(count, int),
        "last": lambda: np.full(count, classes - 1),
        "repeated": lambda: np.append(drawn := rng.integers(0, classes, size=count - 1), drawn[0]),
        "absent": lambda: rng.integers(0, classes - 1, size=count),
    }
    more = rng.integers(0, classes, size=max(count - classes, 0))  # drawn apart: two arrays of labels go not in step
    drawn = made[style]() if style in made else np.append(rng.permutation(classes)[:count], more)
    return np.asarray(drawn, dtype=np.int64).reshape(shape)


def _draw_distribution(shape: tuple[int, ...], style: str, rng: np.random.Generator) -> Array:
    weights = np.ones(shape) if style == "uniform" else rng.uniform(0.2, 2.0, size=shape)
    if style == "sure":
        weights[..., int(rng.integers(shape[-1]))] *= 100.0
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _draw_reals(
    kind: ArrayKind, shape: tuple[int, ...], style: str, rng: np.random.Generator, largest: float
) -> Array | None:
    is_free, draw = kind.interval.is_all, _choose_draw(kind.interval)
    made: dict[str, Callable[[], Any]] = {
        INTEGERS: lambda: rng.integers(1, 5, size=shape),
        GENERIC: lambda: draw(shape, rng),
        "zeros": lambda: np.zeros(shape),
        "ones": lambda: np.ones(shape),
        "large": lambda: _draw_large(shape, rng, largest) if is_free else draw(shape, rng) * largest,
        "tiny": lambda: draw(shape, rng) * _TINY,
        SPARSE: lambda: _draw_sparse(shape, rng, draw),
        "equal": lambda: np.full(shape, draw((), rng)),
        "whole": lambda: rng.integers(-3 if is_free else 0, 4, size=shape).astype(np.float64),
    }
    if is_free:
        made["positive"] = lambda: np.abs(draw(shape, rng)) + 0.1
        made["negative"] = lambda: -np.abs(draw(shape, rng)) - 0.1
        made |= dict.fromkeys(HUGE_STYLES, lambda: _draw_huge(shape, rng, style))
    drawn = np.asarray(made[style]()) if style in made else None
    if drawn is None or (kind.is_distinct and np.unique(drawn).size < drawn.size):
        return None
    is_in = not drawn.size or kind.interval.contains(float(drawn.min()), float(drawn.max()))
    return drawn if is_in else None


def _draw_large(shape: tuple[int, ...], rng: np.random.Generator, largest: float) -> Array:
    drawn = np.asarray(rng.normal(size=shape) * (largest / 5))
    if drawn.size:
        drawn.flat[0], drawn.flat[-1] = -largest, largest
    return drawn


def _draw_huge(shape: tuple[int, ...], rng: np.random.Generator, style: str) -> Array:
    """Draw rows in which one entry outweighs all others, or rows near -1000 and 1000 by turns."""
    drawn = np.asarray(rng.normal(size=shape))
    if not shape:
        return np.asarray(drawn + (_HUGE if style == "huge" else -_HUGE))
    if style == "far":
        return np.asarray(drawn + _HUGE * np.resize([-1.0, 1.0], shape[:-1])[..., np.newaxis])
    low, high = (0, -1) if style == "huge" else (-1, 0)
    drawn[..., low], drawn[..., high] = -_HUGE, _HUGE
    return drawn


def _draw_normal(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Draw numbers that are the smaller the longer the array is, so that sums along it stay as moderate as others."""
    scale = np.sqrt(min(1.0, _MODERATE / max(shape, default=1)))
    return np.asarray(rng.normal(size=shape) * scale)


def _draw_sparse(shape: tuple[int, ...], rng: np.random.Generator, draw: _Draw) -> Array:
    mask = np.arange(int(np.prod(shape))) % 2 == int(rng.integers(2))
    return np.asarray(draw(shape, rng) * rng.permutation(mask).reshape(shape))


def _choose_draw(interval: Interval) -> _Draw:
    """Choose how ordinary numbers of an interval are drawn."""
    low, high = interval.low, interval.high
    if low is None and high is None:
        return _draw_normal
    if low is not None and high is not None:
        low, high = low + 0.05 * (high - low), high - 0.05 * (high - low)
    else:
        low, high = (low + 0.2, low + 2.0) if low is not None else (float(high or 0) - 2.0, float(high or 0) - 0.2)
    return lambda shape, rng: np.asarray(rng.uniform(low, high, size=shape))
