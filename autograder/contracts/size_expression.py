"""Size expression: reads a size or a condition of a signature, such as `H + 2*pad >= A`, and computes it.

It is made of arithmetic, comparisons, `and`, `or`, `not`, constants, tuples, names and their indices. Nothing is
called, and no attribute is read.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.programs.source import Source

_ALLOWED = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Subscript),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.unaryop, ast.boolop, ast.cmpop, ast.Load),
)
_CONSTANTS = (bool, int, float, str, type(None))


class ExpressionError(Exception):
    """The text is no expression of sizes; `offset`: where in the text."""

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(problem)
        self.offset = offset


@dataclass(frozen=True)
class Expression:
    """An expression over names. `names`: those in it; `indexed`: the ones with an index, as `D[k]`."""

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


ALWAYS = Expression("True", frozenset(), frozenset())


def read_expression(text: str) -> Expression:
    """Read an expression; ExpressionError where it is none."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise ExpressionError("an expression is made of sizes, numbers and + - * // %", 0) from None
    names = set()
    indexed = set()
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise ExpressionError("an expression has no such part", getattr(node, "col_offset", 0))
        if isinstance(node, ast.Constant) and not isinstance(node.value, _CONSTANTS):
            raise ExpressionError("a constant is a number, a text, True, False or None", node.col_offset)
        if isinstance(node, ast.Name):
            names.add(node.id)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            indexed.add(node.value.id)
    return Expression(text, frozenset(names), frozenset(indexed))
