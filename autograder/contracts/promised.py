"""Promised: records what a contract says of a function, and computes what its cases are made of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.call_values import convert_reals
from autograder.contracts.check import CaseCheck
from autograder.contracts.law import Law, find_generator
from autograder.contracts.part_comparison import list_uses, read_rules
from autograder.contracts.reply import MISSING, split_parts
from autograder.contracts.request import Earlier, Request
from autograder.contracts.signature import (
    ContractError,
    DictKind,
    Signature,
    name_changed,
    name_parts,
    read_expression,
    require_written,
)
from autograder.contracts.signature_parser import parse_signature
from autograder.contracts.sizes import SizeChooser

Function = Callable[..., Any]
DrawOne = Callable[[Mapping[str, Any], np.random.Generator, str], Any]  # of what is known, a generator and the style
Draw = DrawOne | Mapping[str, DrawOne]  # by the words of a kind, empty for all others
_LARGEST = 20.0  # entries of sums that naive right formulas with exponentials stand


@dataclass(eq=False)
class Promised:
    """What is said of a function, as `Contract` describes it, and what its cases are made of."""

    reference: Function
    signature: str = ""
    _: KW_ONLY
    draw: Mapping[str, Draw] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)
    robust_cases: Mapping[str, Any] = field(default_factory=dict)
    accepts: Mapping[str, Function] = field(default_factory=dict)
    naive: Sequence[Function] = ()
    gradients: Mapping[str, str] = field(default_factory=dict)
    gradient_of: tuple[Promised, str] | None = None
    segments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unjudged: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keeps_arguments: bool = False
    integers: Sequence[str] = ()
    stable_in: Sequence[str] = ()
    robust_share: float = 0.1
    part_shares: Mapping[str, float] = field(default_factory=dict)
    largest: float = _LARGEST
    made_by: Promised | None = None
    usual: Mapping[str, Sequence[int]] = field(default_factory=dict)
    marks: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    untouched: str = ""
    predicate: Mapping[str, Function] = field(default_factory=dict)
    nearest: Mapping[str, Function] = field(default_factory=dict)
    law: Sequence[Law] = ()
    avoids_jumps: bool = False

    def __post_init__(self) -> None:
        self.name = self.reference.__name__
        require_written(self.reference, self.signature)
        self.parsed = parse_signature(self.signature, name=self.name)
        self.rules = read_rules(self.parsed, self.predicate, self.nearest)
        self.uses = {name: place for name, place in list_uses(self.parsed).items() if name in self.rules}
        self.lengths = {
            part: {words: read_expression(text) for words, text in each.items()} for part, each in self.segments.items()
        }
        if self.made_by is not None:
            self.draw = {**self.made_by.draw, **self.draw}
        self._require_consistent()

    def _require_consistent(self) -> None:
        makers = [self] if self.made_by is None else [self, self.made_by]
        names = {leaf.name for each in makers for _, leaf in each.parsed.list_leaves()}
        names |= {each.name for each in self.parsed.arguments}
        parts = {*self.parsed.part_names, *(each.name for each in self.parsed.parts)}
        for name in (*self.draw, *self.integers, *self.stable_in, *self.gradients.values()):
            if name not in names:
                raise ContractError(f"{self.name}: no argument is named {name}; there are {', '.join(sorted(names))}")
        for name in (*self.gradients, *self.part_shares):
            if name not in parts | set(self.uses):
                raise ContractError(f"{self.name}: no part is named {name}; there are {', '.join(sorted(parts))}")
        if len(self.also) > 5:
            raise ContractError(f"{self.name}: `also` has {len(self.also)} cases; choose the five that tell most")
        cache = self.parsed.find_cache()
        if cache is not None and (self.made_by is None or self.made_by.name != cache.function):
            raise ContractError(f"{self.name}: cache of {cache.function}; give its contract as made_by=")
        if len(self.parsed.arguments) > len(inspect.signature(self.reference).parameters):
            raise ContractError(f"{self.name}: the signature has more arguments than the right function")
        if self.law:
            find_generator(self.parsed)

    @cached_property
    def whole(self) -> Signature:
        """The signature of all that is drawn: the arguments of the earlier call, too."""
        if self.made_by is None:
            return self.parsed
        own = [each for each in self.parsed.arguments if not each.is_cache]
        first = self.made_by.parsed
        condition = self.parsed.condition or first.condition
        return Signature(self.name, (*first.arguments, *own), self.parsed.parts, condition)

    @property
    def drawn(self) -> dict[str, tuple[str, ...]]:
        """The arguments that the author draws, each with the words of its kinds beside ordinary values."""
        words = {name: each if isinstance(each, Mapping) else () for name, each in self.draw.items()}
        return {name: tuple(filter(None, each)) for name, each in words.items()}

    def find_defaults(self, left_out: str, absent: tuple[str, ...]) -> dict[tuple[str, ...], Any]:
        """Find the scalars that a call leaves out, each with the default that it then has, which sizes have to fit."""
        found: dict[tuple[str, ...], Any] = {absent: None}
        for signature in (each.parsed for each in (self.made_by, self) if each is not None):
            names = [each.name for each in signature.arguments]
            found |= {(name,): None for name in names[names.index(left_out) :]} if left_out in names else {}
        known = ((way, each.default) for way, each in self.whole.list_leaves() if way in found)
        return {way: default.evaluate({}) for way, default in known if default is not None and not default.names}

    @cached_property
    def chooser(self) -> SizeChooser:
        """Chooses the sizes of what is drawn first."""
        return SizeChooser(self.whole if self.made_by is None else self.made_by.parsed, self.usual)

    @cached_property
    def form(self) -> CaseCheck:
        """The check without its cases, and with all keys of dicts as parts that the function could change."""
        arguments = list(enumerate(self.parsed.arguments))
        dicts = [(place, each.name, each.kind.items) for place, each in arguments if isinstance(each.kind, DictKind)]
        left = {name_changed(name, item.name): (place, item.name) for place, name, items in dicts for item in items}
        left |= {name: (place, "") for name, place in self.uses.items()}
        return CaseCheck(
            function=self.name,
            arguments=tuple(each.name for _, each in arguments if not each.is_cache),
            parts=(*self.parsed.part_names, *left),
            cases=(),
            shares={},
            part_shares={},
            values=tuple("" if each.name == "cache" else each.name for each in self.parsed.parts),
            left=left,
            keys={each.name: each.keys for each in self.parsed.parts if each.keys},
            untouched=self.untouched,
            rules=self.rules,
        )

    def make_request(self, arguments: tuple[Any, ...], earlier: tuple[Any, ...]) -> Request:
        """Make the request of a call; `earlier`: the arguments of the call whose cache is an argument."""
        first = None
        if self.made_by is not None:
            names = [each.name for each in self.made_by.parsed.parts]
            part = names.index("cache") if len(names) > 1 else None
            first = Earlier(self.made_by.name, part, self.parsed.cache_place, earlier)
        return Request(self.name, arguments, earlier=first, listens=bool(self.uses))

    def find_expected(
        self, arguments: tuple[Any, ...], earlier: tuple[Any, ...], function: Function | None = None
    ) -> dict[str, Any]:
        """Compute the right parts by name, or those of another `function`.

        What the function changes in a dict is a part, too.
        """
        given = convert_reals(arguments, np.float64)
        request = self.make_request(given, convert_reals(earlier, np.float64))._replace(keeps_arguments=True)
        functions = {} if self.made_by is None else {self.made_by.name: self.made_by.reference}
        functions[self.name] = function or self.reference
        with np.errstate(all="ignore"):
            value, left = request.answer(functions.__getitem__)
        name_parts(self.parsed, value)  # as many as there are
        parts = split_parts(self.form, self.form.places, (value, left) if self.form.left else value)
        returned, before = [value, *(value if isinstance(value, (list, tuple)) else ())], request.list_given(given)
        for part, (place, key) in self.form.left.items():
            is_returned = parts[part] is MISSING or any(each is left[place] for each in returned)
            if key and (is_returned or key not in left[place] or is_equal(parts[part], before[place].get(key))):
                del parts[part]
        lacking = [part for part, value in parts.items() if value is MISSING]
        if lacking:
            raise KeyError(*lacking)
        return parts
