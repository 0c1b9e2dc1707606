"""Promised: records what the cases of a contract are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.call_values import convert_to_double, copy_value
from autograder.contracts.dialogue import name_use
from autograder.contracts.expression import Expression
from autograder.contracts.live_argument import listen_to, make_live
from autograder.contracts.signature import DictKind, Signature, name_changed, name_parts, split_dicts
from autograder.contracts.sizes import SizeChooser

DrawOne = Callable[[Mapping[str, Any], np.random.Generator, str], Any]  # of what is known, a generator and the style
Draw = DrawOne | Mapping[str, DrawOne]  # by the words of a kind, empty for all others


@dataclass(frozen=True)
class Promised:
    """What cases are made of, as the contract says it.

    `earlier`: of the function whose cache an argument is. `segments`: by part, the lengths of its pieces. `uses`: the
    dialogues that are parts.
    """

    signature: Signature
    reference: Callable[..., Any]
    earlier: Promised | None
    draw: Mapping[str, Draw]
    also: Mapping[str, Any]
    robust_cases: Mapping[str, Any]
    naive: Sequence[Callable[..., Any]]
    segments: Mapping[str, Mapping[str, Expression]]
    unjudged: Mapping[str, Sequence[str]]
    integers: Sequence[str]
    stable_in: Sequence[str]
    largest: float
    usual: Mapping[str, Sequence[int]]
    marks: Mapping[str, Callable[..., bool]]
    uses: Sequence[str]
    avoids_jumps: bool

    @cached_property
    def whole(self) -> Signature:
        """The signature of all that is drawn: the arguments of the earlier call, too."""
        if self.earlier is None:
            return self.signature
        own = [each for each in self.signature.arguments if not each.is_cache]
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

    @cached_property
    def chooser(self) -> SizeChooser:
        """Chooses the sizes of what is drawn first."""
        return SizeChooser(self.whole if self.earlier is None else self.earlier.signature, self.usual)

    def find_expected(
        self, arguments: tuple[Any, ...], earlier: tuple[Any, ...] | None, function: Callable[..., Any] | None = None
    ) -> dict[str, Any]:
        """Compute the right parts by name, or those of another `function`.

        What the function changes in a dict is a part, too.
        """
        given, first = [copy_value(convert_to_double(each)) for each in arguments], self.earlier
        if first is not None and earlier is not None:
            made = first.call(make_live(convert_to_double(earlier)))
            given.insert(self.signature.cache_place, name_parts(first.signature, made, with_cache=True)["cache"])
        before = copy_value(given) if any(isinstance(each, dict) for each in given) else given
        heard = listen_to(given) if self.uses else {}
        value = self.call(make_live(given, heard), function)
        expected = split_dicts(self.signature, name_parts(self.signature, value))
        used = {name_use(each.name): heard.get(place, []) for place, each in enumerate(self.signature.arguments)}
        expected.update({name: used[name] for name in self.uses})
        returned = [value, *value] if isinstance(value, (list, tuple)) else [value]
        for argument, left, was in zip(self.signature.arguments, given, before, strict=False):
            if isinstance(argument.kind, DictKind) and not any(each is left for each in returned):
                changed = [key for key in left if not is_equal(left[key], was.get(key))]
                expected.update({name_changed(argument.name, key): left[key] for key in changed})
        return expected

    def call(self, arguments: Sequence[Any], function: Callable[..., Any] | None = None) -> Any:
        """Call the right function, or another one, without warnings."""
        with np.errstate(all="ignore"):
            return (function or self.reference)(*arguments)
