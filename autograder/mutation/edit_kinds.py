"""Edit kinds: turns an edit of a syntax tree into the kind of error that a person would call it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any


class EditKind(str, Enum):
    """A kind of error in one place; the more likely ones come first."""

    MISSING_TERM = "operand_missing"
    MISSING_STEP = "step_missing"
    SIGN = "sign_of_term"
    BORDER = "border"
    INDEX = "bound"
    ADDED = "assigned"
    RELATED = "related_function"
    TRANSPOSED = "transposed_factor"
    EXCHANGED = "operands_exchanged"
    OPERATION = "operation"
    OPTION = "option_missing"
    LOOP = "loop"
    CONDITION = "condition"
    CONSTANT = "constant"
    OUTPUTS = "outputs_exchanged"
    ROUNDED = "rounded"
    VARIABLE = "variable"


_SIGNS = (ast.Add, ast.Sub)
_DIRECTIONS: Mapping[type[ast.cmpop], int] = {ast.Lt: 0, ast.LtE: 0, ast.Gt: 1, ast.GtE: 1}
Replacement = Any  # a node, or the statements in place of one


def classify_edit(node: ast.AST, replacement: Replacement) -> EditKind:
    """Return the kind of an edit that puts the replacement in place of the node."""
    if isinstance(replacement, ast.Pass):
        return EditKind.MISSING_STEP
    return next(
        (classify(node, replacement) for kind, classify in _CLASSIFIED.items() if isinstance(node, kind)),
        EditKind.MISSING_STEP,
    )


def _classify_operation(node: ast.BinOp, replacement: Replacement) -> EditKind:
    if not isinstance(replacement, ast.BinOp) or replacement in (node.left, node.right):
        return EditKind.MISSING_TERM
    if type(replacement.op) is type(node.op):
        return EditKind.EXCHANGED
    return EditKind.SIGN if isinstance(node.op, _SIGNS) else EditKind.OPERATION


def _classify_comparison(node: ast.Compare, replacement: Replacement) -> EditKind:
    before, after = (_DIRECTIONS.get(type(each.ops[0])) for each in (node, replacement))
    return EditKind.BORDER if before is not None and before == after else EditKind.CONDITION


def _classify_name(_node: ast.Name, replacement: Replacement) -> EditKind:
    if isinstance(replacement, ast.Name):
        return EditKind.VARIABLE
    return EditKind.TRANSPOSED if isinstance(replacement, ast.Attribute) else EditKind.INDEX


def _classify_call(node: ast.Call, replacement: Replacement) -> EditKind:
    if not isinstance(replacement, ast.Call) or replacement in node.args:
        return EditKind.MISSING_STEP
    if len(replacement.keywords) < len(node.keywords):
        return EditKind.OPTION
    return EditKind.RELATED if replacement.func is not node.func else EditKind.EXCHANGED


def _classify_subscript(_node: ast.Subscript, replacement: Replacement) -> EditKind:
    return EditKind.INDEX if isinstance(replacement, ast.Subscript) else EditKind.MISSING_STEP


def _classify_addition(node: ast.AugAssign, replacement: Replacement) -> EditKind:
    if isinstance(replacement, ast.Assign):
        return EditKind.ADDED
    return EditKind.SIGN if isinstance(node.op, _SIGNS) else EditKind.OPERATION


def _classify_assignment(node: ast.Assign | ast.Return, replacement: Replacement) -> EditKind:
    if isinstance(replacement, ast.AugAssign):
        return EditKind.ADDED
    before, after = _list_items(node.value), _list_items(replacement.value)
    new = [each for each in after if each not in before]
    if not new:
        return EditKind.OUTPUTS
    return EditKind.SIGN if isinstance(new[0], ast.UnaryOp) else EditKind.ROUNDED


def _list_items(value: ast.expr | None) -> list[ast.expr | None]:
    return list(value.elts) if isinstance(value, ast.Tuple) else [value]


_CLASSIFIED: Mapping[type[ast.AST], Callable[[Any, Replacement], EditKind]] = {
    ast.BinOp: _classify_operation,
    ast.UnaryOp: lambda node, _: EditKind.SIGN if isinstance(node.op, ast.USub) else EditKind.CONDITION,
    ast.Compare: _classify_comparison,
    ast.Constant: lambda _node, _: EditKind.CONSTANT,
    ast.Name: _classify_name,
    ast.Attribute: lambda _node, _: EditKind.TRANSPOSED,
    ast.Call: _classify_call,
    ast.Subscript: _classify_subscript,
    ast.BoolOp: lambda _node, _: EditKind.CONDITION,
    ast.IfExp: lambda _node, _: EditKind.CONDITION,
    ast.If: lambda _node, _: EditKind.CONDITION,
    ast.For: lambda _node, _: EditKind.LOOP,
    ast.While: lambda _node, _: EditKind.LOOP,
    ast.comprehension: lambda _node, _: EditKind.LOOP,
    ast.AugAssign: _classify_addition,
    ast.Assign: _classify_assignment,
    ast.Return: _classify_assignment,
    ast.Expr: lambda _node, _: EditKind.ADDED,
}
