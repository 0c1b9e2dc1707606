"""Signature: records what a contract says of a function's arguments and of the parts that it returns.

A size or a condition, such as `(H + 2*pad - A) % stride == 0`, is an expression: arithmetic, comparisons, `and`, `or`,
`not`, constants, tuples, names and their indices. Nothing is called, and no attribute is read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from autograder import UserError
from autograder.programs.source import Source

_ALLOWED = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Subscript),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.UAdd, ast.And, ast.Or, ast.Not),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Load),
)
_CONSTANTS = (bool, int, float, str, type(None))


class ExpressionError(Exception):
    """The text is no expression of sizes; `offset`: where in the text."""

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(problem)
        self.offset = offset


@dataclass(frozen=True)
class Expression:
    """An expression over names. `names`: those in it; `indexed`: those of them that stand with an index, as `D[k]`."""

    text: str
    names: frozenset[str]
    indexed: frozenset[str]

    def evaluate(self, values: Mapping[str, Any]) -> Any:
        """Compute the value; KeyError for a name without a value."""
        return self._compute(**{name: values[name] for name in sorted(self.names)})

    @cached_property
    def _compute(self) -> Any:
        """The function of the names that the text is."""
        return Source("", f"lambda {', '.join(sorted(self.names))}: ({self.text})").make()


def read_expression(text: str) -> Expression:
    """Read an expression; ExpressionError where it is none."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise ExpressionError("an expression is made of sizes, numbers and + - * // %", 0) from None
    nodes = list(ast.walk(tree))
    for node in nodes:
        if not isinstance(node, _ALLOWED):
            raise ExpressionError("an expression has no such part", getattr(node, "col_offset", 0))
        if isinstance(node, ast.Constant) and not isinstance(node.value, _CONSTANTS):
            raise ExpressionError("a constant is a number, a text, True, False or None", node.col_offset)
    indexed = {each.value.id for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)}
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    return Expression(text, frozenset(names), frozenset(indexed))


class Interval(NamedTuple):
    """The numbers between two ends, None where there is none; an open end does not belong to it."""

    low: float | None = None
    high: float | None = None
    is_low_open: bool = False
    is_high_open: bool = False

    @property
    def is_all(self) -> bool:
        """Whether every number belongs to it."""
        return self.low is None and self.high is None

    def contains(self, low: float, high: float) -> bool:
        """Tell whether all numbers from `low` to `high` belong to it."""
        is_above = self.low is None or (low > self.low if self.is_low_open else low >= self.low)
        return is_above and (self.high is None or (high < self.high if self.is_high_open else high <= self.high))


ALL = Interval()
GENERATOR = "generator"  # the name of the kind that stands for a generator of random numbers


class ArrayKind(NamedTuple):
    """An array. `axes`: the sizes, None for any shape.

    `entries`: "real", "bool", "onehot" or "distribution". `below`: entries are integers from 0 below this size.
    """

    axes: tuple[Expression, ...] | None
    entries: str = "real"
    interval: Interval = ALL
    below: Expression | None = None
    is_distinct: bool = False


class ScalarKind(NamedTuple):
    """A number, truth value or text; `type`: "float", "int", "bool" or "str". `below`: as for arrays."""

    type: str
    interval: Interval = ALL
    below: Expression | None = None


class ChoiceKind(NamedTuple):
    """One of some plain values; the first is the ordinary one."""

    values: tuple[Any, ...]


class ValueKind(NamedTuple):
    """A value made of sizes."""

    expression: Expression


class DictKind(NamedTuple):
    """A dict with text keys."""

    items: tuple[Argument, ...]


class ListKind(NamedTuple):
    """A list whose items are of one kind; `k` in it is the number of the item, from 0. `length`: of `str (N,)`."""

    item: Kind
    length: Expression | None = None


class GivenKind(NamedTuple):
    """A value that the author draws; `name`: `any`, or the name of an object declared beside the contract."""

    name: str


Kind = ArrayKind | ScalarKind | ChoiceKind | ValueKind | DictKind | ListKind | GivenKind


class Argument(NamedTuple):
    """An argument, or a key of a dict. `default`: what stands for it where it is left out; None if it never is.

    `may_be_absent`: a key that callers may leave out.
    """

    name: str
    kind: Kind
    default: Expression | None = None
    may_be_absent: bool = False

    @property
    def is_optional(self) -> bool:
        """Whether callers may leave it out."""
        return self.default is not None or self.may_be_absent

    @property
    def is_generator(self) -> bool:
        """Whether it is a generator of random numbers."""
        return self.kind == GivenKind(GENERATOR)


class Part(NamedTuple):
    """A returned value; `kind`: None where it is as the reference's."""

    name: str
    kind: Kind | None = None

    @property
    def keys(self) -> dict[str, str]:
        """The keys of a dict that the signature lists, by the words for what stands there: `grads["W"]`."""
        items = self.kind.items if isinstance(self.kind, DictKind) else ()
        return {f'{self.name}["{each.name}"]': each.name for each in items}


class Signature(NamedTuple):
    """A function: its arguments in order, the parts that it returns, and a condition on sizes and scalars."""

    name: str
    arguments: tuple[Argument, ...]
    parts: tuple[Part, ...]
    condition: Expression | None = None

    def list_leaves(self) -> Iterator[tuple[tuple[str, ...], Argument]]:
        """Yield each argument that is no dict, and each key of one, with the way to it."""
        return _list_leaves(self.arguments, ())

    @property
    def part_names(self) -> list[str]:
        """The names of all parts that are looked at: of the returned values, or of the keys of a dict among them."""
        parts = [each for each in self.parts if each.name != "cache"]
        return [name for each in parts for name in each.keys or (each.name,)]


def _list_leaves(arguments: tuple[Argument, ...], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Argument]]:
    for each in arguments:
        if isinstance(each.kind, DictKind):
            yield from _list_leaves(each.kind.items, (*above, each.name))
        else:
            yield (*above, each.name), each


def list_expressions(kind: Kind | None) -> Iterator[Expression]:
    """Yield the expressions over sizes in a kind."""
    if isinstance(kind, ArrayKind):
        yield from kind.axes or ()
    if isinstance(kind, (ArrayKind, ScalarKind)) and kind.below is not None:
        yield kind.below
    if isinstance(kind, ValueKind):
        yield kind.expression
    if isinstance(kind, ListKind):
        yield from (each for each in (kind.length,) if each is not None)
        yield from list_expressions(kind.item)


class ContractError(Exception):
    """A contract cannot be kept by its own reference, or does not say how to draw an argument."""


def require_written(function: Callable[..., Any], signature: str) -> None:
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


def name_changed(argument: str, key: str) -> str:
    """Name what a function changes in a dict that it is given."""
    return f"{argument}[{key!r}] after the call"


def name_parts(signature: Signature, value: Any) -> dict[str, Any]:
    """Name the values that a right function returned; ContractError where their number is another."""
    names = [each.name for each in signature.parts]
    values = value if len(names) > 1 else (value,)
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        named = f"{signature.name}: the signature names {', '.join(names)}"
        raise ContractError(f"{named}; the right function returns another number of values")
    return {name: each for name, each in zip(names, values, strict=True) if name != "cache"}
