"""Promised: records what the cases of a contract are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from autograder.contracts.expression import Expression
from autograder.contracts.signature import Argument, CacheKind, Signature
from autograder.contracts.sizes import SizeChooser

DrawOne = Callable[[Mapping[str, Any], np.random.Generator, str], Any]  # of what is known, a generator and the style
Draw = DrawOne | Mapping[str, DrawOne]  # by the words of a kind, empty for all others


@dataclass(frozen=True)
class Promised:
    """What cases are made of: the contract's signature, its right function, and what the author draws.

    `earlier`: of the function whose cache an argument is.
    `usual`: ordinary numbers of sizes. `marks`: by words, what else may hold of the arguments of a case.
    `unjudged`: by the words of a case, the parts that are not looked at. `segments`: by part, the lengths of its
    pieces. `naive`: right formulas that have to be right in each case that is not about robustness.
    `uses`: the dialogues that are parts. `avoids_jumps`: whether drawn cases in which right values jump are left out.
    """

    signature: Signature
    reference: Callable[..., Any]
    draw: Mapping[str, Draw]
    largest: float
    earlier: Promised | None
    usual: Mapping[str, Sequence[int]]
    marks: Mapping[str, Callable[..., bool]]
    unjudged: Mapping[str, Sequence[str]]
    segments: Mapping[str, Mapping[str, Expression]]
    naive: Sequence[Callable[..., Any]]
    uses: tuple[str, ...]
    avoids_jumps: bool

    @cached_property
    def whole(self) -> Signature:
        """The signature of all that is drawn: the arguments of the earlier call, too."""
        if self.earlier is None:
            return self.signature
        own = [each for each in self.signature.arguments if not is_cache(each)]
        first = self.earlier.signature
        condition = self.signature.condition or first.condition
        return Signature(self.signature.name, (*first.arguments, *own), self.signature.parts, condition)

    @property
    def drawn(self) -> dict[str, tuple[str, ...]]:
        """The arguments that the author draws, each with the words of its kinds beside ordinary values."""
        words = {name: each if isinstance(each, Mapping) else () for name, each in self.draw.items()}
        return {name: tuple(filter(None, each)) for name, each in words.items()}

    def find_defaults(self, left_out: str, absent: tuple[str, ...]) -> dict[tuple[str, ...], Any]:
        """Find the scalars that a call leaves out, each with the default that it then has, which sizes have to fit."""
        found: dict[tuple[str, ...], Any] = {absent: None}
        for signature in (each.signature for each in (self.earlier, self) if each is not None):
            names = [each.name for each in signature.arguments]
            found |= {(name,): None for name in names[names.index(left_out) :]} if left_out in names else {}
        known = ((way, each.default) for way, each in self.whole.list_leaves() if way in found)
        return {way: default.evaluate({}) for way, default in known if default is not None and not default.names}

    @property
    def earlier_count(self) -> int:
        """The number of the author's arguments that are those of the earlier call, which stand first."""
        return 0 if self.earlier is None else len(self.earlier.signature.arguments)

    @cached_property
    def chooser(self) -> SizeChooser:
        """Chooses the sizes of what is drawn first."""
        return SizeChooser(self.whole if self.earlier is None else self.earlier.signature, self.usual)


def find_cache_place(signature: Signature) -> int:
    """Find the place of the cache among the arguments."""
    return next(place for place, each in enumerate(signature.arguments) if is_cache(each))


def is_cache(argument: Argument) -> bool:
    """Tell whether an argument is the cache of another function."""
    return isinstance(argument.kind, CacheKind)
