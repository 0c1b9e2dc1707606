"""Contracts of parser_network: batches with active and inactive units, kinks, large scores, dicts in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.drawing import FLOATS, PLAIN, draw_array, draw_calls, draw_labels, draw_shapes, draw_sizes

Strategies = Sequence[SearchStrategy[Any]]
SCORES = (*FLOATS, "large", "tiny")
SHAPES = st.tuples(draw_shapes())


def build_relu(shape: tuple[int, ...]) -> Strategies:
    """Any array."""
    return [draw_array(shape, SCORES)]


def build_layer(N: int, Dx: int, H: int) -> Strategies:
    """x, W, b1."""
    return [draw_array((N, Dx)), draw_array((Dx, H)), draw_array((H,))]


def build_jacobian(Dx: int, H: int) -> Strategies:
    """One row x, W, b1."""
    return [draw_array((Dx,)), draw_array((Dx, H)), draw_array((H,))]


def build_backward(N: int, Dx: int, H: int) -> Strategies:
    """grad_h, x, W, b1."""
    return [draw_array((N, H)), *build_layer(N, Dx, H)]


def build_scores(N: int, C: int) -> Strategies:
    """Logits."""
    return [st.one_of(draw_array((N, C), SCORES), draw_rows(N, C))]


def draw_rows(N: int, C: int) -> SearchStrategy[np.ndarray]:
    """Draw logits whose rows are of very different size."""
    scales = st.lists(st.sampled_from((1.0, 0.01, 30.0, 700.0)), min_size=N, max_size=N)
    return st.builds(lambda rows, factors: rows * np.array(factors)[:, np.newaxis], draw_array((N, C), FLOATS), scales)


def build_whole_scores(N: int, C: int) -> Strategies:
    """Logits, perhaps of integers."""
    return [st.one_of(*build_scores(N, C), draw_array((N, C), PLAIN))]


def build_labelled(N: int, C: int) -> Strategies:
    """Logits and labels."""
    return [*build_scores(N, C), draw_labels(N, C)]


def build_network(N: int, Dx: int, H: int, C: int) -> Strategies:
    """Parameters in any order, x, labels."""
    shapes = {"W": (Dx, H), "b1": (H,), "U": (H, C), "b2": (C,)}
    drawn = st.fixed_dictionaries({name: draw_array(shape) for name, shape in shapes.items()})
    ordered = st.builds(
        lambda params, names: {name: params[name] for name in names}, drawn, st.permutations(list(shapes))
    )
    large = st.builds(lambda params, b2: params | {"b2": b2}, ordered, draw_array((C,), ("large",)))
    unshifted = ordered.map(lambda params: params | {"b1": np.zeros(H)})  # where a tiny x makes tiny pre-activations
    data = st.one_of(*[draw_array((N, Dx), (*FLOATS, "tiny", "tiny"))] * 3, draw_rows(N, Dx))
    return [st.one_of(ordered, large, unshifted), data, draw_labels(N, C)]


LAYER = draw_sizes(smallest=(1, 1, 1))
TABLE = draw_sizes(smallest=(1, 2))
CONTRACTS: list[Contract] = [
    make_contract("relu", draw_calls(SHAPES, build_relu)),
    make_contract("hidden_forward", draw_calls(LAYER, build_layer)),
    make_contract("hidden_jacobian", draw_calls(draw_sizes(smallest=(1, 1)), build_jacobian)),
    make_contract("hidden_backward", draw_calls(LAYER, build_backward)),
    make_contract("softmax", draw_calls(TABLE, build_whole_scores), keeps_arguments=True),
    make_contract("cross_entropy", draw_calls(TABLE, build_labelled)),
    make_contract("cross_entropy_grad", draw_calls(TABLE, build_labelled)),
    make_contract("loss_and_gradients", draw_calls(draw_sizes(smallest=(1, 1, 1, 2)), build_network)),
]
