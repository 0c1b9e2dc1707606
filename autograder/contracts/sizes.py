"""Sizes: chooses numbers for the sizes of a signature, so that its conditions hold, and says how they compare.

Sizes are a dict by name. An indexed size, as `D` in `[(D[k+1], D[k])]`, is a tuple, one number longer than the list.
It is wanted as a length of the list, or as the tuple.
The shape of arrays `(...)` has the key "...".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.contracts.case import NOTHING
from autograder.contracts.drawing import Rng, Sizes, pick
from autograder.contracts.kinds import ANY_SHAPE, MOST_LABELS
from autograder.contracts.signature import Signature
from autograder.contracts.signature_parser import SignatureError
from autograder.contracts.size_expression import Expression
from autograder.plain_text import count

SizeValues = dict[str, Any]
SizeCases = Iterator[SizeValues]
LONG = 128  # a length above it shows code that works in blocks

# The sizes that are worth a case: errors that people make show at some size, and nobody can say which one a student's
# code has written in as a number, so each small one occurs.
_EACH = (1, 1, 2, 3, 4, 5, 6, 7, 8, LONG + 2)  # 1: an axis that is lost or broadcast, drawn twice; 130: work in blocks
_EACH_OF_MANY = (1, 1, 8, LONG + 2)  # of three sizes and more, whose other small sizes occur together
_ALL_EQUAL = (1, 3, 4)  # square arrays, where a transposed product is right by chance
_PAIRS = ((3, 5), (5, 3))  # either is the smaller one: an axis taken for the other, or cut to it
_PAIR_EQUAL = 4  # two of several: axes that broadcast against each other

_TRIES = 400
_ORDINARY: Sequence[int] = (2, 3, 4, 5, 6, 7)
_ORDINARY_SHAPES = ((2, 3), (3, 2), (4, 3), (3, 4))
_SMALL = (1, 2, 3)  # sizes of which an axis is made
_MOST_COMPOUND = 8
_ORDINARY_ITEMS = 2
_ITEMS = (1, 2, 4, 6)
_FEW = 8  # entries
_AXES = ("an array without axes", "arrays of one axis", "arrays of two axes", "arrays of three axes")
_CHAINS = ((3, 3), (3, 3, 3), (4, 4, 4, 4), (1, 5, 3), (4, 1, 3), (4, 3, 1), (4, 1, 1, 3))
_SHAPES = (
    *((), (1,), (3,), (12,), (130,), (2, 2), (3, 3), (1, 12), (12, 1), (3, 4), (2, 1, 4), (2, 3, 4)),
    *((4, 7), (5, 6), (6, 5), (7, 8), (8, 2)),  # with those above, each axis has each length from 1 to 8
)


class SizeChooser:
    """Chooses sizes of one signature. `names`: of its sizes, in their order; `constants`: of its scalars.

    `indexed`, `plain`: the sizes with an index, and the others. `usual`: by the name of a size, the numbers
    that it is one of where nothing else is wanted.
    """

    def __init__(self, signature: Signature, usual: Mapping[str, Sequence[int]] = NOTHING) -> None:
        self._condition = signature.condition
        self._usual = usual
        self._kinds = []
        scalars = {}
        for _, leaf in signature.list_leaves():
            kind = leaf.kind
            self._kinds.append(kind)
            if kind.item is None and not kind.is_array:
                scalars[leaf.name] = kind
        named: list[str] = []
        for kind in self._kinds:
            named += kind.list_sizes()
        for part in signature.parts:
            named += filter(scalars.__contains__, part.kind.list_sizes())
        names = dict.fromkeys(named)
        self.names = tuple(name for name in names if name not in scalars or scalars[name].is_size)
        self.constants = scalars.keys() - set(self.names)
        unknown = self._condition.names - set(self.names) - self.constants
        if unknown:
            what = f"`where` names {min(unknown)}, which is neither a size nor a number among the arguments"
            raise SignatureError(f"{signature.name}: {what}")
        self._find_lengths()
        self._pinned = self._find_pinned()

    def _find_lengths(self) -> None:
        """Find the lengths of axes, and which sizes have an index."""
        self.has_any_shape = False
        self._lengths: list[Expression] = []  # which are at least 1
        indexed: set[str] = set()
        for kind in self._kinds:
            for expression in kind.list_expressions():
                indexed |= expression.indexed
                if kind.is_array and not expression.indexed:
                    self._lengths.append(expression)
            if kind.is_array and kind.axes is None:
                self.has_any_shape = True
        self.indexed = tuple(filter(indexed.__contains__, self.names))
        self.plain = tuple(name for name in self.names if name not in indexed)

    def _find_pinned(self) -> dict[str, int]:
        """Find the size to which the condition leaves one value, as in `K == 2`."""
        names = self._condition.names
        if len(names) != 1 or not names <= set(self.plain):
            return {}
        (name,) = names
        fitting = []
        for size in range(1, LONG + 3):
            if self._condition.evaluate({name: size}):
                fitting.append(size)
        if len(fitting) != 1:
            return {}
        return {name: fitting[0]}

    def choose(self, rng: Rng, wanted: Sizes, *, is_small: bool = False) -> SizeValues | None:
        """Choose sizes with those that are `wanted`, all others different; None where that cannot be.

        `wanted`: sizes, and values of scalars, which stand in conditions.
        `is_small`: the smallest sizes from 2 on that are all different, but for those with usual numbers.
        """
        ordinary = _ORDINARY
        if is_small:
            ordinary = ordinary[: max(2, len(self.plain))]
        for _ in range(_TRIES):
            values = self._draw(rng, wanted, ordinary)
            if self.holds(values):
                return values
        return None

    def _draw(self, rng: Rng, wanted: Sizes, ordinary: Sequence[int]) -> SizeValues:
        values = {**self._pinned, **wanted}
        taken = [wanted[name] for name in self.plain if name in wanted]
        for name in self.names:
            if name in self.indexed:
                chain = wanted.get(name, _ORDINARY_ITEMS)
                values[name] = _draw_chain(rng, chain, ordinary)
            elif name not in values:
                usual = list(self._usual.get(name) or ordinary)
                free = [size for size in usual if size not in taken]
                size = int(rng.choice(free or usual))
                values[name] = size
                taken.append(size)
        if self.has_any_shape and ANY_SHAPE not in values:
            values[ANY_SHAPE] = pick(_ORDINARY_SHAPES, rng)
        return values

    def holds(self, values: Sizes) -> bool:
        """Return whether sizes and scalars are as the signature says."""
        known = values.keys()
        for length in self._lengths:
            if length.names <= known and length.evaluate(values) < 1:
                return False
        condition = self._condition
        return not condition.names <= known or bool(condition.evaluate(values))

    def list_wanted(self) -> SizeCases:
        """List the sizes that are worth a case: those at the head of this module, and all labels."""
        free = [name for name in self.plain if name not in self._pinned]
        each_size = _EACH_OF_MANY if len(free) > 2 else _EACH
        if self.has_any_shape:
            for shape in _SHAPES:
                yield {ANY_SHAPE: shape}
        for name in self.indexed:
            for wanted in (*_ITEMS, *_CHAINS, *_list_chains()):
                yield {name: wanted}
        for name in free:
            for size in each_size:
                yield {name: size}
        yield from self._list_compound(free)
        if len(free) > 2:
            yield from _list_diagonals(free)
        yield from _list_pairs(free)
        yield from self._list_labels()

    def _list_labels(self) -> SizeCases:
        """List sizes by which a vector has all labels."""
        for kind in self._kinds:
            labels = kind.labels
            if labels and set(labels) <= set(self.plain):
                yield dict.fromkeys(labels, MOST_LABELS)

    def _list_compound(self, names: Sequence[str]) -> SizeCases:
        """List small sizes in which an axis that is an expression has each length up to 8."""
        compound = []
        for axis in self._lengths:
            if axis.text not in names and axis.names <= set(names):
                compound.append(axis)
        if not compound:
            return
        found: dict[tuple[str, int], SizeValues] = {}
        for sizes in itertools.product(_SMALL, repeat=len(names)):
            values = dict(zip(names, sizes, strict=True))
            if not self.holds(values):
                continue
            for axis in compound:
                length = int(axis.evaluate(values))
                if length <= _MOST_COMPOUND:
                    found.setdefault((axis.text, length), values)
        yield from found.values()


def _draw_chain(rng: Rng, wanted: int | tuple[int, ...], usual: Sequence[int]) -> tuple[int, ...]:
    """Draw the sizes between the items of a list of this length, if possible all different; or take those given."""
    if isinstance(wanted, tuple):
        return wanted
    drawn: list[int] = []
    while len(drawn) <= wanted:
        drawn += rng.permutation(usual).tolist()
    return tuple(drawn[: wanted + 1])


def _list_chains() -> Iterator[tuple[int, ...]]:
    """List sizes between two items of which each has each value from 2 to 8, and is long."""
    for first in range(7):
        yield tuple(2 + (first + 2 * place) % 7 for place in range(3))
    yield LONG + 2, 3, 2
    yield 3, LONG + 2, 2
    yield 2, 3, LONG + 2


def _list_diagonals(names: Sequence[str]) -> SizeCases:
    """List cases in which each size has each value from 2 to 7, all sizes at once."""
    for first in range(6):
        yield {name: 2 + (first + 2 * place) % 6 for place, name in enumerate(names)}


def _list_pairs(names: Sequence[str]) -> SizeCases:
    """List cases in which all sizes are equal, or two of them are like each other."""
    if len(names) > 1:
        for size in _ALL_EQUAL:
            yield dict.fromkeys(names, size)
    for name, other in itertools.combinations(names, 2):
        for size, its in _PAIRS:
            yield {name: size, other: its}
        if len(names) > 2:
            yield {name: _PAIR_EQUAL, other: _PAIR_EQUAL}


def describe_sizes(values: Sizes, names: Sequence[str]) -> Iterator[str]:
    """Say what is special about sizes, the most specific words first; `names`: of the sizes to describe."""
    plain = {}
    chains = {}
    for name in names:
        size = values.get(name)
        if isinstance(size, tuple):
            chains[name] = size
        elif size is not None:
            plain[name] = size
    yield from _list_between(1, 1, plain)
    yield from _compare_sizes(plain)
    yield from _list_between(LONG + 1, math.inf, plain)
    yield from _list_between(2, LONG, plain)
    for name, chain in chains.items():
        yield from _describe_chain(name, chain)
    if ANY_SHAPE in values:
        yield from _describe_shape(values[ANY_SHAPE])


def _list_between(least: int, most: float, sizes: Mapping[str, int]) -> Iterator[str]:
    """List the sizes that are neither smaller nor larger."""
    for name, size in sizes.items():
        if least <= size <= most:
            yield f"where {name} = {size}"


def _compare_sizes(sizes: Mapping[str, int]) -> Iterator[str]:
    for (name, size), (other, its) in itertools.combinations(sizes.items(), 2):
        if size < its:
            yield f"where {name} < {other}"
        elif size > its:
            yield f"where {name} > {other}"
        else:
            yield f"where {name} = {other}"
            if size > 1:
                yield f"where {name} = {other} > 1"
    if len(sizes) > 2 and len(set(sizes.values())) == 1:
        yield "where all sizes are equal"


def _describe_chain(name: str, sizes: tuple[int, ...]) -> Iterator[str]:
    if len(set(sizes)) == 1:
        yield f"where all sizes {name} are equal"
    for size in (1, LONG + 2):
        for place, its in enumerate(sizes):
            if its == size:
                yield f"where {name}[{place}] is {size}"
    yield f"for lists of {count(len(sizes) - 1, 'item')}"


def _describe_shape(shape: tuple[int, ...]) -> Iterator[str]:
    axes = len(shape)
    entries = math.prod(shape)
    if axes < len(_AXES):
        yield f"for {_AXES[axes]}"
    if 1 in shape:
        yield "where an axis has length 1"
    if axes > 0 and entries == 1:
        yield "for arrays of one entry"
    if axes == 2 and shape[0] == shape[-1]:
        yield "for square arrays"
    if entries > LONG:
        yield f"for {entries} entries"
    elif entries > _FEW:
        yield f"for more than {_FEW} entries"
    if axes > 1:
        yield f"where the first axis has length {shape[0]}"
        yield f"where the last axis has length {shape[-1]}"
