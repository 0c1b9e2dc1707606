"""Hidden tests of dropout: its scale, its masks as statistics, and its gradient."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.authoring import Contract, Generator, Given, Law, Slopes
from reference import dropout as reference


def draw_mask(sizes: Mapping[str, Any], rng: np.random.Generator, style: str) -> np.ndarray | None:
    """Draw a mask of zeros and ones as floats; none for an array without axes."""
    shape = sizes["..."]
    masks = {"generic": 1.0 * (rng.random(shape) < 0.6), "zeros": np.zeros(shape), "ones": np.ones(shape)}
    return masks.get(style) if shape else None


def draw_typed(rng: np.random.Generator, kind: type) -> list[Any]:
    """Draw the arguments of dropout_backward with a mask of a type."""
    return [rng.normal(size=(3, 4)), (rng.random((3, 4)) < 0.6).astype(kind), 0.4]


def draw_layer(rng: np.random.Generator) -> list[Any]:
    """Draw the arguments of a gradient check: gradients and units, and the seed of the generator of the mask."""
    return [*rng.normal(size=(2, 3, 4)), 0.4, True, int(rng.integers(99))]


def drop_and_return(student: Any, grad_h_drop: Any, h: Any, p_drop: Any, training: Any, seed: Any) -> Any:
    """Carry the gradient back through the mask that the student's own dropout_forward draws."""
    _h_drop, mask = student.dropout_forward(h, p_drop, training, Generator(seed))
    return student.dropout_backward(grad_h_drop, mask, p_drop)


def drop(student: Any, grad_h_drop: Any, h: Any, p_drop: Any, training: Any, seed: Any) -> Any:
    """Draw the same mask again."""
    h_drop, _mask = student.dropout_forward(h, p_drop, training, Generator(seed))
    return h_drop


def find_h_drop(value: Any, case: Any) -> Any:
    """Return h_drop for the mask that was drawn: a unit of h_drop that is not 0 was kept."""
    h, p_drop = np.asarray(case.arguments["h"], dtype=np.float64), case.arguments["p_drop"]
    if not case.arguments["training"] or p_drop == 0:
        return h
    return (np.asarray(value).reshape(h.shape) != 0) * h / (1 - p_drop)


dropout_scale = Contract(
    reference.dropout_scale,
    "p_drop: float [0, 1) -> gamma: float",
    cases=[Given([0], "where p_drop is the integer 0"), Given([0.9], "where p_drop is 0.9")],
)
dropout_backward = Contract(
    reference.dropout_backward,
    "grad_h_drop: (...), mask: (...), p_drop: float [0, 1) -> grad: (...)",
    largest=60.0,
    draw={"mask": draw_mask},
    gradient=Slopes(
        {"grad": "h"}, of=drop, times=["grad_h_drop"], at=drop_and_return, draw=draw_layer, nearest=find_h_drop
    ),
    cases=[
        Given(lambda rng: draw_typed(rng, int), "where mask holds integers"),
        Given(lambda rng: draw_typed(rng, bool), "where mask holds truth values"),
        Given(lambda rng: [rng.normal(size=(1, 4)), np.array([[1.0, 0, 1, 0]]), 0], "where p_drop is the integer 0"),
    ],
)


def draw_input(known: Mapping[str, Any], rng: np.random.Generator, style: str) -> np.ndarray | None:
    """Draw h of a style; none for an array without axes."""
    drawn = np.asarray(rng.normal(size=known["..."]))
    styles = {
        "generic": drawn,
        "zeros": drawn * 0,
        "ones": drawn * 0 + 1,
        "positive": abs(drawn) + 0.1,
        "negative": -abs(drawn) - 0.1,
        "large": np.linspace(-60, 50, drawn.size).reshape(drawn.shape),
        "tiny": drawn * 1e-5,
        "sparse": drawn * (rng.random(drawn.shape) < 0.5),
        "whole": np.round(3 * drawn),
    }
    return styles.get(style) if drawn.ndim else None


def draw_units(rng: np.random.Generator) -> np.ndarray:
    """Draw units none of which is 0, so that those that are kept show."""
    return np.round(rng.uniform(0.5, 2, size=(6, 8)), 2)


def make_kept(rng: np.random.Generator) -> list[Any]:
    """Make an input with zeros of which every unit is kept."""
    h = np.array([[rng.normal(), 0, 1, 0]])
    return [h, 0, True, Generator(int(rng.integers(99)))]


def find_mask(value: Any, case: Any) -> Any:
    """Return the mask that was drawn: that of a right h_drop where h is not 0, and any zeros and ones elsewhere."""
    h, p_drop = case.arguments["h"], case.arguments["p_drop"]
    if not case.arguments["training"] or p_drop == 0:
        return np.ones(h.shape)
    h_drop = np.asarray(case.parts["h_drop"]).reshape(h.shape)
    kept = h_drop != 0
    is_told = (h != 0) & np.isclose(h_drop, kept * h / (1 - p_drop), rtol=1e-3).all()
    return 1.0 * np.where(is_told, kept, np.asarray(value).reshape(h.shape) != 0)


def claim_shares(values: Any, arguments: Any) -> dict[str, tuple[Any, float]]:
    """Claim the share of units that are kept, and that units are kept together as if each was drawn alone."""
    keep = 1 - arguments[1] if arguments[2] else 1.0
    kept = np.array([np.asarray(each[0]).reshape(arguments[0].shape) != 0 for each in values])
    half = kept.shape[1] // 2
    pairs = {
        "units kept together in a row": kept[:, :, 0:-1:2] & kept[:, :, 1::2],
        "units kept together in a column": kept[:, 0:-1:2] & kept[:, 1::2],
        "units kept together in two halves": kept[:, :half] & kept[:, half : 2 * half],
        "units kept together at both ends": kept[:, :half] & kept[:, ::-1, ::-1][:, :half],
    }
    flat = kept.reshape(len(kept), -1)
    for distance in range(2, flat.shape[1]):
        first = np.arange(flat.shape[1] - distance)
        first = first[first % (2 * distance) < distance]  # no unit is in two pairs
        pairs[f"units kept together {distance} units apart"] = flat[:, first] & flat[:, first + distance]
    if len(kept) > 1:
        pairs["units kept together in two calls"] = kept[0:-1:2] & kept[1::2]
    return {"the share of units that are kept": (kept, keep)} | {
        words: (both, keep**2) for words, both in pairs.items()
    }


def claim_counts(values: Any, arguments: Any) -> dict[str, tuple[Any, float]]:
    """Claim that half of the units are kept as often as tosses of a coin are half heads, and no more often."""
    kept = [np.count_nonzero(each[0]) for each in values]
    half = arguments[0].size // 2
    chance = np.prod([(half + k) / (4 * k) for k in range(1, half + 1)])
    return {"the share of calls that keep exactly half of the units": ([each == half for each in kept], float(chance))}


dropout_forward = Contract(
    reference.dropout_forward,
    """h: (...), p_drop: 0.3 | 0.5 | 0 | 0.8 | 0.99, training: bool, rng: generator -> h_drop: (...), mask: (...)""",
    draw={"h": draw_input},
    cases=[Given(make_kept, "where some entries of h are 0 and p_drop is 0")],
    shares={"h_drop": 0.9, "mask": 0.1},
    right={"h_drop": find_h_drop, "mask": find_mask},
    law=[
        Law(lambda rng: [draw_units(rng), 0.5, True], 100, claim_shares, is_basic=True),
        Law(lambda rng: [draw_units(rng), 0.5, True], 100, claim_counts, is_basic=True),
        Law(lambda rng: [draw_units(rng), 0.5, False], 10, claim_shares, is_basic=True),
        Law(lambda rng: [draw_units(rng), 0.2, True], 400, claim_shares),
        Law(lambda rng: [draw_units(rng), 0.65, True], 400, claim_shares),
    ],
)
dropout_scale.rows(
    ordinary=("5.1", 0.75, "three probabilities"), everywhere=("5.2", 1.25, "from 0 to nearly 1, a second call")
)
dropout_forward.rows(
    ordinary=("5.3", 1.75, "h_drop and the mask; each unit is dropped independently"),
    everywhere=("5.4", 3.25, "other shapes and values, p_drop = 0 and near 1, evaluation, many draws"),
)
dropout_backward.rows(
    ordinary=("5.5", 0.75, "matrices"),
    gradient_check=("5.7", 0.5, "the gradient of your own dropout_forward, with the same mask"),
    everywhere=("5.6", 1.75, "other shapes, probabilities, values, masks of integers and truth values, a second call"),
)
