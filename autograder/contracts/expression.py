"""Expression: turns the text of a size or condition, such as `(H + 2*pad - A) % stride == 0`, into its value.

Only arithmetic, comparisons, `and`, `or`, `not`, constants, tuples, names and their indices are read; nothing is run.
"""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_UNARY: dict[type, Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_}
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
    _tree: ast.expr = field(compare=False, repr=False)

    def evaluate(self, values: Mapping[str, Any]) -> Any:
        """Compute the value; KeyError for a name without a value."""
        return _evaluate(self._tree, values)


def read_expression(text: str) -> Expression:
    """Read an expression; ExpressionError where it is none."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise ExpressionError("an expression is made of sizes, numbers and + - * // %", 0) from None
    for node in ast.walk(tree):
        if not isinstance(node, (*_ALLOWED, *_BINARY, *_UNARY)):
            raise ExpressionError("an expression has no such part", getattr(node, "col_offset", 0))
        if isinstance(node, ast.Constant) and not isinstance(node.value, _CONSTANTS):
            raise ExpressionError("a constant is a number, a text, True, False or None", node.col_offset)
    nodes = list(ast.walk(tree))
    indexed = {each.value.id for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)}
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    return Expression(text, frozenset(names), frozenset(indexed), tree)


_ALLOWED = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Subscript),
    *(ast.And, ast.Or, ast.Load),
)


def _evaluate(node: ast.expr, values: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, (ast.Tuple, ast.List)):
        items = [_evaluate(each, values) for each in node.elts]
        return tuple(items) if isinstance(node, ast.Tuple) else items
    if isinstance(node, ast.Subscript):
        return _evaluate(node.value, values)[_evaluate(node.slice, values)]
    if isinstance(node, ast.UnaryOp):
        return _UNARY[type(node.op)](_evaluate(node.operand, values))
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_evaluate(node.left, values), _evaluate(node.right, values))
    return _evaluate_condition(node, values)


def _evaluate_condition(node: ast.expr, values: Mapping[str, Any]) -> bool:
    if isinstance(node, ast.BoolOp):
        found = (bool(_evaluate(each, values)) for each in node.values)
        return all(found) if isinstance(node.op, ast.And) else any(found)
    assert isinstance(node, ast.Compare)  # noqa: S101  (all others are handled)
    sides = [_evaluate(each, values) for each in (node.left, *node.comparators)]
    return all(_BINARY[type(op)](*pair) for op, pair in zip(node.ops, itertools.pairwise(sides), strict=True))
