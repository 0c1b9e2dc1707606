"""Signature: records what a contract says of a function's arguments and of the parts that it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from autograder import UserError
from autograder.contracts.size_expression import ALWAYS, Expression

Function = Callable[..., Any]

if TYPE_CHECKING:  # kinds draw values, which no student's computer does
    from autograder.contracts.kinds import Argument, Kind, Way


class Part(NamedTuple):
    """A returned value."""

    name: str
    kind: Kind

    @property
    def value_name(self) -> str:
        """Its name; empty for a cache, which is not looked at."""
        if self.name == "cache":
            return ""
        return self.name

    @property
    def keys(self) -> dict[str, str]:
        """The keys of a dict that the signature lists, by the words for what stands there: `grads["W"]`."""
        return {f'{self.name}["{each.name}"]': each.name for each in self.kind.items}


class Signature(NamedTuple):
    """A function: its arguments in order, the parts that it returns, and a condition on sizes and scalars."""

    name: str
    arguments: tuple[Argument, ...]
    parts: tuple[Part, ...]
    condition: Expression = ALWAYS

    def list_leaves(self) -> Iterator[tuple[Way, Argument]]:
        """Yield each argument that is no dict, and each key of one, with the way to it."""
        return _list_leaves(self.arguments, ())

    @property
    def part_names(self) -> list[str]:
        """The names of all parts that are looked at: of the returned values, or of the keys of a dict among them."""
        names: list[str] = []
        for part in self.parts:
            if part.value_name:
                names += part.keys or [part.name]
        return names


def _list_leaves(arguments: tuple[Argument, ...], above: Way) -> Iterator[tuple[Way, Argument]]:
    for each in arguments:
        if each.kind.items:
            yield from _list_leaves(each.kind.items, (*above, each.name))
        else:
            yield (*above, each.name), each


class ContractError(Exception):
    """A contract cannot be kept by its own reference, or does not say how to draw an argument."""


def require_written(function: Function, signature: str) -> None:
    """Raise UserError for a right function without a signature, or with an argument that it takes by keyword alone."""
    code = getattr(function, "__code__", None)
    if code is None:  # of what is not written in Python
        return
    where = f"{code.co_filename}:{code.co_firstlineno}: {code.co_name}"
    if not signature:
        raise UserError(f"{where} has a contract without a signature: write one, such as 'x: (N, D) -> out'")
    if code.co_kwonlyargcount:
        first = code.co_varnames[code.co_argcount]
        advice = "a contract gives all by position: leave out the `*` before it, here and in the students' file"
        raise UserError(f"{where} takes the argument {first} by keyword alone, and {advice}")
