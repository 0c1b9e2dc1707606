"""Promised: records what a contract says of a function, and computes what its cases are made of."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.call_values import convert_reals
from autograder.contracts.case import EVERYWHERE, ORDINARY, Case, Given
from autograder.contracts.check import CaseCheck
from autograder.contracts.driver import Driver, DriverError, trace
from autograder.contracts.law import Law, find_generator
from autograder.contracts.part_comparison import list_uses, read_rules
from autograder.contracts.reply import MISSING, is_as_before, read_left, split_parts
from autograder.contracts.signature import ContractError, name_changed, require_written
from autograder.contracts.signature_parser import parse_signature
from autograder.contracts.size_expression import read_expression
from autograder.contracts.sizes import SizeChooser
from autograder.programs.calls import write_call
from autograder.programs.outcome import Outcome
from autograder.programs.plain_values import IMMUTABLE
from autograder.programs.program import Program, run_program
from autograder.programs.recipes import Toy

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
    shares: Mapping[str, float] = field(default_factory=dict)
    largest: float = _LARGEST
    driver: Driver | None = None
    cases: Mapping[str, Callable[[np.random.Generator], Iterable[Given]]] = field(default_factory=dict)
    usual: Mapping[str, Sequence[int]] = field(default_factory=dict)
    marks: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    untouched: str = ""
    predicate: Mapping[str, Function] = field(default_factory=dict)
    nearest: Mapping[str, Function] = field(default_factory=dict)
    law: Sequence[Law] = ()
    avoids_jumps: bool = False

    def __post_init__(self) -> None:
        self.name = self.reference.__qualname__.rpartition("<locals>.")[2]
        require_written(self.reference, self.signature)
        self.parsed = parse_signature(self.signature, name=self.name)
        self.rules = read_rules(self.parsed, self.predicate, self.nearest)
        self.uses = {name: place for name, place in list_uses(self.parsed).items() if name in self.rules}
        self.lengths = {
            part: {words: read_expression(text) for words, text in each.items()} for part, each in self.segments.items()
        }
        self._require_consistent()

    def _require_consistent(self) -> None:
        names = {leaf.name for _, leaf in self.parsed.list_leaves()}
        names |= {each.name for each in self.parsed.arguments}
        parts = {*self.parsed.part_names, *(each.name for each in self.parsed.parts)}
        for name in (*self.draw, *self.integers, *self.stable_in, *self.gradients.values()):
            if name not in names:
                raise ContractError(f"{self.name}: no argument is named {name}; there are {', '.join(sorted(names))}")
        for name in (*self.gradients, *(() if self.cases else self.shares)):
            if name not in parts | set(self.uses):
                raise ContractError(f"{self.name}: no part is named {name}; there are {', '.join(sorted(parts))}")
        if len(self.also) > 5:
            raise ContractError(f"{self.name}: `also` has {len(self.also)} cases; choose the five that tell most")
        if self.cases and self.cases.keys() != {ORDINARY, EVERYWHERE}:
            raise ContractError(f"{self.name}: `cases` has a function for {ORDINARY} and one for {EVERYWHERE}")
        self._require_taken()
        if self.law:
            find_generator(self.parsed)

    def _require_taken(self) -> None:
        """Raise ContractError where the driver, or the right function, takes fewer arguments than the signature has."""
        whose, given = "right function", [None] * len(self.parsed.arguments)
        if self.driver is not None:
            whose, given = "driver", [None, *given]
        try:
            inspect.signature(self.driver or self.reference).bind_partial(*given)
        except TypeError as error:
            raise ContractError(f"{self.name}: the signature has more arguments than the {whose}") from error

    @property
    def drawn(self) -> dict[str, tuple[str, ...]]:
        """The arguments that the author draws, each with the words of its kinds beside ordinary values."""
        words = {name: each if isinstance(each, Mapping) else () for name, each in self.draw.items()}
        return {name: tuple(filter(None, each)) for name, each in words.items()}

    def find_draw(self, name: str, style: str) -> DrawOne:
        """Find the author's function that draws an argument in a style."""
        draw = self.draw[name]
        return draw.get(style, draw[""]) if isinstance(draw, Mapping) else draw

    def find_defaults(self, left_out: str, absent: tuple[str, ...]) -> dict[tuple[str, ...], Any]:
        """Find the scalars that a call leaves out, each with the default that it then has, which sizes have to fit."""
        found: dict[tuple[str, ...], Any] = {absent: None}
        names = [each.name for each in self.parsed.arguments]
        found |= {(name,): None for name in names[names.index(left_out) :]} if left_out in names else {}
        known = ((way, each.default) for way, each in self.parsed.list_leaves() if way in found)
        return {way: default.evaluate({}) for way, default in known if default is not None and not default.names}

    @cached_property
    def chooser(self) -> SizeChooser:
        """Chooses the sizes of what is drawn first."""
        return SizeChooser(self.parsed, self.usual)

    @cached_property
    def form(self) -> CaseCheck:
        """The check without its cases, and with all keys of dicts as parts that the function could change."""
        left = {}
        for place, argument in enumerate(self.parsed.arguments):
            for item in argument.kind.items:
                left[name_changed(argument.name, item.name)] = (place, item.name)
        left |= {name: (place, "") for name, place in self.uses.items()}
        return CaseCheck(
            function=self.name,
            arguments=tuple(each.name for each in self.parsed.arguments),
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

    def make_program(self, arguments: tuple[Any, ...], left: Sequence[int]) -> tuple[Program, tuple[int, ...]]:
        """Make the program of a case whose reply has its arguments at these places as they were left.

        Returns the places, too: those of what a driver returns as it was given are among them.
        """
        given = list(arguments)
        for place in left:
            given[place] = given[place].listen() if isinstance(given[place], Toy) else given[place]
        if self.driver is None:
            return write_call(self.name, given, left=left), tuple(left)
        try:
            return self._trace(given, left)
        except DriverError as error:
            raise ContractError(f"{self.name}: {error}") from error
        except Exception as error:
            raise ContractError(f"{self.name}: the driver fails {describe_fault(error, self.driver)}") from error

    def _trace(self, given: Sequence[Any], left: Sequence[int]) -> tuple[Program, tuple[int, ...]]:
        """Trace the driver, and have it return its arguments at these places, too."""
        driver = self.driver
        assert driver is not None  # noqa: S101  (for the type checker)
        places = set(left)

        def call(student: Any, *arguments: Any) -> tuple[Any, ...]:
            returned = driver(student, *arguments)
            parts = []
            for part in returned if type(returned) is tuple else (returned,):
                promised = [place for place, each in enumerate(arguments) if each is part]
                places.update(promised)
                parts += [] if promised else [part]
            return (*parts, *(arguments[place] for place in sorted(places)))

        call.__code__ = call.__code__.replace(co_filename=driver.__code__.co_filename)
        program = trace(call, given, self.find_right)
        return program, tuple(sorted(places))

    def find_idle(self, program: Program, count: int) -> tuple[Any, ...]:
        """Find the first so many parts of the reply where the method under test does nothing; none if one fails."""
        owner, _, method = self.name.rpartition(".")
        if not owner or self.driver is None:
            return ()
        idle: Any = type(owner, (self.find_right(owner),), {method: lambda *_arguments, **_keywords: None})
        with np.errstate(all="ignore"):
            reply = run_program(program, lambda name: idle if name == owner else self.find_right(name))[:count]
            right = run_program(program, self.find_right)[:count]
        has_failed = any(isinstance(each, Outcome) for each in reply)
        return () if has_failed or is_as_before(reply, right) else tuple(reply)

    def find_right(self, name: str, function: Function | None = None) -> Any:
        """Find a name in the module of the right function; `function`: in its place."""
        if name == self.name:
            return function or self.reference
        names = getattr(self.reference, "__globals__", None) or vars(sys.modules[self.reference.__module__])
        return names[name]

    def find_expected(self, arguments: tuple[Any, ...], function: Function | None = None) -> dict[str, Any]:
        """Compute the right parts by name, or those of another `function`.

        What the function changes in a dict is a part, too.
        """
        given = convert_reals(arguments, np.float64)
        held = {place for place, _ in self.form.left.values() if place < len(given)}
        places = sorted(place for place in held if not isinstance(given[place], IMMUTABLE))
        program, left = self.make_program(given, places)
        case = Case(program, given, {}, left=left)
        find = partial(self.find_right, function=function)
        with np.errstate(all="ignore"):
            reply = run_program(case.program, find, describe=_Raised)
        for each in reply:
            if isinstance(each, _Raised):
                raise each.error
        self.form.require_all(reply[: case.part_count])
        parts = split_parts(self.form, self.form.places, case, reply)
        after = read_left(case, reply)
        returned = [reply[0], *(reply[0] if isinstance(reply[0], (list, tuple)) else ())]
        for part, (place, key) in self.form.left.items():
            if key and self._is_as_before(key, returned, given[place], after.get(place)):
                del parts[part]
        lacking = [part for part, value in parts.items() if value is MISSING]
        if lacking:
            raise KeyError(*lacking)
        return parts

    def _is_as_before(self, key: str, returned: Sequence[Any], before: Any, after: Any) -> bool:
        """Tell whether a call left a key of a dict as it was, or the dict itself is among the returned values."""
        if not isinstance(after, dict) or key not in after or any(is_equal(each, after) for each in returned):
            return True
        return is_equal(after[key], before.get(key))


def describe_fault(error: Exception, function: Function) -> str:
    """Describe an error of a function of the author's, with the line of it that fails."""
    file = function.__code__.co_filename
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == file]
    where = f"{Path(file).name}:{lines[-1] if lines else function.__code__.co_firstlineno}"
    return f"in {where}: {type(error).__name__}: {error}"


@dataclass(frozen=True)
class _Raised:
    """Stands for a part that the right function did not give."""

    error: BaseException
