"""Contract of sgd: numbers and arrays, with and without postprocessing, and steps that halve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.agreement import agree, holds_single
from tests.contracts.drawing import draw_array, draw_calls

Function = Callable[[Any], Any]
SHAPES = (
    (),
    (3,),
    (1,),
    (2, 3),
    (4, 2),
    (2, 2),
    (2, 1, 2),
    (5,),
    (6, 7),
    (7, 4),
    (8,),
    (3, 6),
    (40, 2),
    (2, 70),
    (130,),
)
ITERATIONS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 25, 60, 150)
ANNEAL = (20_000, 20_001, 20_400, 40_000, 40_400, 60_400)


def slope_of_cosine(x: Any) -> tuple[float, Any]:
    """Return the sum of cos(x) + x^2 / 4, and its gradient."""
    return float(np.sum(np.cos(x) + np.square(x) / 4)), x / 2 - np.sin(x)


def slope_of_centre(x: Any) -> tuple[float, Any]:
    """Return a quadratic function with a minimum that is not 0, and its gradient."""
    return float(np.sum(np.square(x - 1.5)) / 2), x - 1.5


def slope_of_one(x: float) -> tuple[float, float]:
    """Return a number, and its gradient."""
    return x, 1.0


def halve(x: Any) -> Any:
    """Halve and add 1."""
    return x / 2 + 1


def clip(x: Any) -> Any:
    """Clip to [-1, 0.5]."""
    return np.clip(x, -1.0, 0.5) if np.ndim(x) else float(np.clip(x, -1.0, 0.5))


def draw_start(shape: tuple[int, ...]) -> SearchStrategy[Any]:
    """Draw x0, a float for the empty shape; integer arrays are left out: working in place is allowed."""
    drawn = draw_array(shape, ("whole", "generic", "wide", "zeros"))
    return drawn if shape else drawn.map(float)


def build_run(shape: tuple[int, ...]) -> Sequence[SearchStrategy[Any]]:
    """f, x0, step, iterations, postprocessing."""
    return [
        st.sampled_from((slope_of_centre, slope_of_cosine)),
        draw_start(shape),
        st.sampled_from((0.1, 0.5, 1.0, 0.01)),
        st.sampled_from(ITERATIONS),
        st.sampled_from((None, halve, clip)),
    ]


def agree_on_runs(calls: Any, right: Any, got: Any) -> bool:
    """Tell whether each x agrees; in a long run it may be off by the half step of an iteration."""
    if calls[0][3] < ANNEAL[0]:
        return agree(right, got, is_single=holds_single(calls))
    (((x, _),), ((found, _),)) = right, got if isinstance(got[0], tuple) else [(np.nan, [])]
    try:
        return bool(np.all(np.abs(np.asarray(found, dtype=np.float64) - x) <= 0.75 * calls[0][2]))
    except (TypeError, ValueError):
        return False


SHORT = draw_calls(st.tuples(st.sampled_from(SHAPES)), build_run)
LONG = st.tuples(
    st.just(slope_of_one), st.just(0.0), st.sampled_from((1.0, 0.5)), st.sampled_from(ANNEAL), st.none()
).map(lambda call: [call])
CONTRACTS: list[Contract] = [make_contract("sgd", st.one_of(*[SHORT] * 19, LONG), agrees=agree_on_runs)]
