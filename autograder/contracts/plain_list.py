"""Plain list: draws lists of texts, numbers and chosen values, as they stand for tokens and tags.

Lists of one call have the same words, some of them often, so that items occur twice and in two lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.contracts.signature import ChoiceKind, Kind, ListKind, ScalarKind

SAME, TWICE, DIFFERENT = "same", "twice", "different"
LIST_STYLES: Mapping[str, str] = {
    SAME: "where all items of {} are the same",
    TWICE: "where an item of {} occurs twice",
    DIFFERENT: "where all items of {} differ",
}
"""The styles of plain lists, each with the words for it."""


def is_plain_list(kind: Kind) -> bool:
    """Tell whether a kind is a list of texts, numbers or chosen values."""
    return isinstance(kind, ListKind) and isinstance(kind.item, (ScalarKind, ChoiceKind))


def draw_list(values: Sequence[Any], style: str, count: int, rng: np.random.Generator) -> list[Any] | None:
    """Draw so many of the values, the first ones more often; None where the list has no such style."""
    if style == DIFFERENT:
        return [values[place] for place in rng.permutation(len(values))[:count]] if count <= len(values) else None
    drawn = [values[int(len(values) * each**3)] for each in rng.random(size=count)]
    if style == SAME:
        return drawn[:1] * count
    if style == TWICE:
        return [*drawn[:-1], drawn[0]] if count > 1 else None
    return drawn
