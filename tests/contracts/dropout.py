"""Contracts of dropout: masks by their properties, because they may be drawn in any way."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.agreement import agree
from tests.contracts.drawing import FLOATS, draw_array, draw_calls, draw_shapes, make_single

Strategies = Sequence[SearchStrategy[Any]]
SHAPES = st.tuples(draw_shapes().filter(bool))
RATES = st.sampled_from((0.5, 0.2, 0, 0.1, 0.3, 0.65, 0.8, 0.9, 0.95, 0.99))
SIGMAS = 7.0  # of a share: a right mask is beyond with probability 3e-12
LARGE = ((60, 50), (3000,), (50, 60), (20, 15, 10), (2, 1500), (1500, 2))


def build_scale() -> Strategies:
    """p_drop."""
    return [RATES]


def build_backward(shape: tuple[int, ...]) -> Strategies:
    """grad_h_drop, a mask of any dtype, p_drop."""
    masks = draw_array(shape, ("whole", "generic")).map(lambda array: array > 0)
    kinds = st.sampled_from((np.float64, np.bool_, np.int64))
    typed = st.builds(lambda mask, kind: mask.astype(kind), masks, kinds)
    return [draw_array(shape, FLOATS), st.one_of(typed, typed, st.just(np.ones(shape))), RATES]


def draw_forward() -> SearchStrategy[dict[str, Any]]:
    """Draw the arguments of one call of dropout_forward, the generator as a seed, and whether another came before."""

    def build(shape: tuple[int, ...]) -> SearchStrategy[dict[str, Any]]:
        kinds = (*FLOATS, "positive") if shape not in LARGE else ("generic", "positive")
        h = draw_array(shape, kinds)
        return st.fixed_dictionaries(
            {
                "h": st.one_of(*[h] * 6, h.map(make_single)),
                "p_drop": RATES,
                "training": st.booleans(),
                "seed": st.integers(0, 99),
                "before": st.booleans(),
            }
        )

    small = draw_shapes().filter(bool).flatmap(build)
    return st.one_of(small, small, st.sampled_from(LARGE).flatmap(build))


def observe_forward(module: ModuleType, case: dict[str, Any]) -> object:
    """Run dropout_forward and return what all right masks have in common."""
    h, p_drop, training = case["h"], case["p_drop"], case["training"]
    rng = np.random.default_rng(case["seed"])
    try:
        if case["before"]:
            module.dropout_forward(np.ones((2, 5)), 0.35, not training, np.random.default_rng(1))
        (h_drop, mask), (second_h_drop, second) = (
            module.dropout_forward(h.copy(), p_drop, training, rng) for _ in range(2)
        )
        _, again = module.dropout_forward(h.copy(), p_drop, training, np.random.default_rng(case["seed"]))
        masks = [np.asarray(each, dtype=np.float64) for each in (mask, second, again)]
        return [_agree_on_h(case, second_h_drop, masks[1]), *_describe(case, h_drop, *masks)]
    except Exception as error:  # noqa: BLE001  (a mutant may raise anything)
        return error


def _agree_on_h(case: dict[str, Any], h_drop: Any, mask: Any) -> bool:
    return agree(mask * case["h"] / (1 - case["p_drop"]) if case["training"] else case["h"], h_drop)


def _describe(case: dict[str, Any], h_drop: Any, mask: Any, second: Any, again: Any) -> Any:
    h, p_drop = case["h"], case["p_drop"]
    yield _agree_on_h(case, h_drop, mask)
    yield mask.shape == h.shape and bool(np.isin(mask, (0, 1)).all())
    yield np.array_equal(mask, again)
    if not case["training"] or p_drop == 0:
        yield bool(mask.all() and second.all())
    elif mask.size >= 1000:
        for each in (mask, second):
            yield from _describe_statistics(each, p_drop)
        yield _is_share(mask * second, (1 - p_drop) ** 2)


def _describe_statistics(mask: Any, p_drop: float) -> Any:
    """The share of ones, and that of pairs of ones among neighbours, in halves and along each axis."""
    keep = 1 - p_drop
    flat = mask.ravel()
    yield _is_share(flat, keep)
    half = flat.size // 2
    for first, other in ((flat[:-1], flat[1:]), (flat[:half], flat[half : 2 * half]), (flat[:half], flat[::-1][:half])):
        yield _is_share(first * other, keep**2)
    for axis in range(mask.ndim):
        first, other = np.split(mask, [mask.shape[axis] // 2], axis=axis)
        length = min(first.shape[axis], other.shape[axis])
        pairs = first.take(range(length), axis) * other.take(range(length), axis)
        yield _is_share(pairs, keep**2)
        yield _is_share(
            mask.take(range(mask.shape[axis] - 1), axis) * mask.take(range(1, mask.shape[axis]), axis), keep**2
        )


def _is_share(values: Any, wanted: float) -> bool:
    """Tell whether the mean of independent zeros and ones may be as `wanted`; neighbours depend a little."""
    return bool(
        abs(values.mean() - wanted) <= SIGMAS * np.sqrt(2 * wanted * (1 - wanted) / values.size) + 5 / values.size
    )


def agree_on_properties(_case: object, right: Any, got: Any) -> bool:
    """Tell whether the mask has all properties of a right one; `right` differs only in the draws."""
    return not isinstance(got, BaseException) and all(got) and len(got) == len(right)


CONTRACTS: list[Contract] = [
    make_contract("dropout_scale", draw_calls(st.just(()), build_scale)),
    Contract("dropout_forward", draw_forward(), observe_forward, agree_on_properties),
    make_contract("dropout_backward", draw_calls(SHAPES, build_backward)),
]
