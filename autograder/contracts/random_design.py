"""Random design: plans cases of which everything is drawn at once, to judge whether another function is right.

The rows of a contract try one kind of input at a time. A mutant of the right function is judged by cases of another
seed, in which sizes, styles and constants are combined, so that what the rows do not look at can be seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.contracts.case import VALUES
from autograder.contracts.case_design import SINGLE, CaseDesign, Way, list_constants, list_indices, list_second_calls
from autograder.contracts.drawing import list_styles
from autograder.contracts.signature import Argument, Signature
from autograder.contracts.sizes import LONG, SizeChooser

_LARGEST_SIZE = 8
_SPECIAL = 0.3  # the share of arrays in a style, of constants with another value than the ordinary one, of listed sizes
_LONG = 0.05  # the share of cases with a size up to LONG and a little more
_SINGLE = 0.05


def draw_designs(
    signature: Signature, chooser: SizeChooser, rng: np.random.Generator, count: int
) -> Iterator[CaseDesign]:
    """Draw the plans of cases."""
    leaves = [(way, leaf) for way, leaf in signature.list_leaves() if leaf.name not in chooser.names]
    optional = [each.name for each in signature.arguments if each.is_optional]
    wanted = list(chooser.list_wanted())
    for _ in range(count):
        yield CaseDesign(
            VALUES,
            sizes=_draw_sizes(chooser, wanted, rng),
            styles=dict(_draw_styles(leaves, rng)),
            constants=dict(_draw_constants(leaves, rng)),
            left_out=str(rng.choice(optional)) if optional and rng.random() < _SPECIAL else "",
            absent=_draw_absent(leaves, rng),
            all_arrays=SINGLE if rng.random() < _SINGLE else "",
        )


def draw_family(signature: Signature, chooser: SizeChooser, rng: np.random.Generator) -> Iterator[CaseDesign]:
    """Draw the plans of calls that differ from the first in one argument each, and of the first again."""
    leaves = list(signature.list_leaves())
    wanted = list(chooser.list_wanted())
    yield CaseDesign(VALUES, sizes=_draw_sizes(chooser, wanted, rng))
    yield CaseDesign(VALUES, like_first=True)
    yield from list_second_calls(signature, leaves)
    for way, leaf in leaves:
        yield from itertools.islice(list_indices(way, leaf, chooser), 2)
        for value, _ in list_constants(leaf)[1:2] if leaf.name not in chooser.names else ():
            yield CaseDesign(VALUES, constants={way: value}, like_first=True)
    yield CaseDesign(VALUES, sizes=_draw_sizes(chooser, wanted, rng))
    yield CaseDesign(VALUES, like_first=True)


def _draw_sizes(chooser: SizeChooser, wanted: Sequence[Mapping[str, Any]], rng: np.random.Generator) -> dict[str, Any]:
    if wanted and rng.random() < _SPECIAL:
        return dict(wanted[int(rng.integers(len(wanted)))])
    plain = [name for name in chooser.names if name not in chooser.indexed]
    sizes = {name: int(rng.integers(1, _LARGEST_SIZE + 1)) for name in plain}
    if plain and rng.random() < _LONG:
        sizes[str(rng.choice(plain))] = int(rng.integers(_LARGEST_SIZE + 1, LONG + _LARGEST_SIZE))
    return sizes


def _draw_styles(leaves: Sequence[tuple[Way, Argument]], rng: np.random.Generator) -> Iterator[tuple[Way, str]]:
    for way, leaf in leaves:
        styles = list(list_styles(leaf.kind))
        if styles and rng.random() < _SPECIAL:
            yield way, styles[int(rng.integers(len(styles)))]


def _draw_constants(leaves: Sequence[tuple[Way, Argument]], rng: np.random.Generator) -> Iterator[tuple[Way, Any]]:
    for way, leaf in leaves:
        values = list_constants(leaf)
        if values and rng.random() < _SPECIAL:
            yield way, values[int(rng.integers(len(values)))][0]


def _draw_absent(leaves: Sequence[tuple[Way, Argument]], rng: np.random.Generator) -> Way:
    ways = [way for way, leaf in leaves if leaf.may_be_absent or (len(way) > 1 and leaf.default is not None)]
    return ways[int(rng.integers(len(ways)))] if ways and rng.random() < _SPECIAL else ()
