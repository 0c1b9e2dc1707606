"""Contract of normalization: rows with a norm of at least 0.01, or of zeros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.drawing import draw_array, draw_calls, draw_sizes


def scale_rows(rows: np.ndarray, lengths: Sequence[float]) -> np.ndarray:
    """Scale the rows; a row whose norm would be below 0.01 but not 0 becomes longer."""
    norms = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    unit = np.where(norms > 0, rows / np.where(norms > 0, norms, 1), 0)
    return np.asarray(unit * np.array(lengths)[:, np.newaxis])


def build_rows(N: int, D: int) -> Sequence[SearchStrategy[Any]]:
    """Rows of lengths between 0.01 and 1000; integer arrays are left out: working in place is allowed."""
    kinds = ("whole", "generic", "positive", "negative", "sparse", "equal")
    lengths = st.lists(
        st.one_of(st.sampled_from((1.0, 0.02, 0.1, 30.0, 1000.0)), st.floats(0.01, 9.0)), min_size=N, max_size=N
    )
    return [st.builds(scale_rows, draw_array((N, D), kinds), lengths)]


CONTRACTS: list[Contract] = [make_contract("normalizeRows", draw_calls(draw_sizes(smallest=(1, 1)), build_rows))]
