"""Edit operators: propose the nodes that may replace a node of a syntax tree, after errors that people make.

Each proposal has the kind of error that a person would call it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple


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


_FLIPPED: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.FloorDiv: ast.Div,
}
_COMPARED: Mapping[type[ast.cmpop], Sequence[type[ast.cmpop]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq, ast.Is),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_RELATED = {
    "sum": "mean",
    "mean": "sum",
    "max": "min",
    "min": "max",
    "maximum": "minimum",
    "ones": "zeros",
    "zeros": "ones",
    "exp": "expm1",
    "log": "log1p",
}
_SAME_SIDE = ({ast.Lt, ast.LtE}, {ast.Gt, ast.GtE})  # comparisons that differ in their border alone
_WRONG_NAMES = 2  # so many other variables are tried in the place of each

Proposal = tuple[EditKind, Any]  # what the error is called; the node, or the statements, in place of one


class Names(NamedTuple):
    """The variables and texts of a function, and whether numpy is at hand."""

    variables: Sequence[str]
    texts: Sequence[str]
    has_numpy: bool


def propose(node: ast.AST, owner: ast.AST, field: str, names: Names) -> Iterator[Proposal]:
    """Propose replacements of a node, which is in this field of its owner."""
    for kind, edit in _PROPOSALS.items():
        if isinstance(node, kind):
            yield from edit(node, names)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from _edit_name(node, owner, field, names)
    if isinstance(node, ast.stmt) and not isinstance(node, (ast.Return, ast.Pass)):
        yield EditKind.MISSING_STEP, ast.Pass()


def _edit_name(node: ast.Name, owner: ast.AST, field: str, names: Names) -> Iterator[Proposal]:
    if node.id in names.variables and not (isinstance(owner, ast.Call) and field == "func"):
        start = names.variables.index(node.id)
        itself = ast.unparse(owner.func).partition(".")[0] if isinstance(owner, ast.Call) else ""  # of x.append(y): x
        count = min(_WRONG_NAMES, len(names.variables) - 1)
        others = (names.variables[(start + offset) % len(names.variables)] for offset in range(1, count + 1))
        yield from ((EditKind.VARIABLE, ast.Name(other, ast.Load())) for other in others if other != itself)
    if isinstance(owner, ast.BinOp) and isinstance(owner.op, ast.MatMult):
        yield EditKind.TRANSPOSED, ast.Attribute(node, "T", ast.Load())
    if isinstance(owner, ast.Subscript) and field == "slice":
        for index in (ast.Constant(0), ast.UnaryOp(ast.USub(), ast.Constant(1)), *_shift(node)):
            yield EditKind.INDEX, index


def _shift(node: ast.expr) -> Iterator[ast.expr]:
    yield ast.BinOp(node, ast.Add(), ast.Constant(1))
    yield ast.BinOp(node, ast.Sub(), ast.Constant(1))


def _change(node: ast.AST, **fields: Any) -> ast.AST:
    """Return a copy of a node with other values in these fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _flip(node: ast.BinOp | ast.AugAssign) -> Iterator[Proposal]:
    if type(node.op) in _FLIPPED:
        kind = EditKind.SIGN if isinstance(node.op, (ast.Add, ast.Sub)) else EditKind.OPERATION
        yield kind, _change(node, op=_FLIPPED[type(node.op)]())


def _edit_operation(node: ast.BinOp, _names: Names) -> Iterator[Proposal]:
    yield EditKind.MISSING_TERM, node.left
    yield EditKind.MISSING_TERM, node.right
    yield from _flip(node)
    if not isinstance(node.op, (ast.Add, ast.Mult)):
        yield EditKind.EXCHANGED, ast.BinOp(node.right, node.op, node.left)


def _edit_sign(node: ast.UnaryOp, _names: Names) -> Iterator[Proposal]:
    yield EditKind.SIGN if isinstance(node.op, ast.USub) else EditKind.CONDITION, node.operand


def _edit_comparison(node: ast.Compare, _names: Names) -> Iterator[Proposal]:
    before = type(node.ops[0])
    for operator in _COMPARED.get(before, ()):
        kind = EditKind.BORDER if {before, operator} in _SAME_SIDE else EditKind.CONDITION
        yield kind, _change(node, ops=[operator(), *node.ops[1:]])
    if isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        for shifted in _shift(node.comparators[0]):
            yield EditKind.BORDER, _change(node, comparators=[shifted, *node.comparators[1:]])


def _edit_condition(node: ast.BoolOp, _names: Names) -> Iterator[Proposal]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    for replacement in (*node.values, ast.BoolOp(other, node.values)):
        yield EditKind.CONDITION, replacement


def _edit_constant(node: ast.Constant, names: Names) -> Iterator[Proposal]:
    for value in _list_constants(node.value, names):
        yield EditKind.CONSTANT, ast.Constant(value)


def _list_constants(value: object, names: Names) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value * 2, value + 1, value - 1]
    return [other for other in names.texts if other != value] if isinstance(value, str) else []


def _edit_attribute(node: ast.Attribute, _names: Names) -> Iterator[Proposal]:
    if node.attr == "T":
        yield EditKind.TRANSPOSED, node.value


def _edit_call(node: ast.Call, _names: Names) -> Iterator[Proposal]:
    function = node.func
    if isinstance(function, ast.Attribute):
        if function.attr in _RELATED:
            yield EditKind.RELATED, _change(node, func=_change(function, attr=_RELATED[function.attr]))
        if not node.args and not node.keywords:
            yield EditKind.MISSING_STEP, function.value
    if len(node.args) == 1:
        yield EditKind.MISSING_STEP, node.args[0]
    if len(node.args) > 1:
        yield EditKind.EXCHANGED, _change(node, args=[node.args[1], node.args[0], *node.args[2:]])
    for option in node.keywords:
        yield EditKind.OPTION, _change(node, keywords=[each for each in node.keywords if each is not option])


def _edit_subscript(node: ast.Subscript, _names: Names) -> Iterator[Proposal]:
    if isinstance(node.ctx, ast.Load):
        yield EditKind.MISSING_STEP, node.value
    if isinstance(node.slice, ast.Slice):
        for name in ("lower", "upper"):
            bound = getattr(node.slice, name)
            for shifted in _shift(bound) if bound is not None else ():
                yield EditKind.INDEX, _change(node, slice=_change(node.slice, **{name: shifted}))


def _edit_branch(node: ast.If | ast.IfExp, _names: Names) -> Iterator[Proposal]:
    yield EditKind.CONDITION, node.body
    if node.orelse:
        yield EditKind.CONDITION, node.orelse
        if isinstance(node, ast.If):
            yield EditKind.CONDITION, [ast.If(node.test, node.body, [])]


def _edit_loop(node: ast.For | ast.While | ast.comprehension, _names: Names) -> Iterator[Proposal]:
    if not isinstance(node, ast.While):
        yield from ((EditKind.LOOP, _change(node, iter=iterable)) for iterable in _cut(node.iter))
    if not isinstance(node, ast.comprehension):
        yield EditKind.LOOP, _change(node, body=[*node.body, ast.Break()])
    elif node.ifs:
        yield EditKind.LOOP, _change(node, ifs=[])


def _cut(iterable: ast.expr) -> Iterator[ast.expr]:
    whole = ast.Call(ast.Name("list", ast.Load()), [iterable], [])
    one = ast.Constant(1)
    bounds = ((one, None), (None, ast.UnaryOp(ast.USub(), one)), (None, ast.Constant(4)))
    for lower, upper in bounds:
        yield ast.Subscript(whole, ast.Slice(lower, upper, None), ast.Load())
    yield ast.Call(ast.Name("set", ast.Load()), [iterable], [])
    yield ast.Call(ast.Name("reversed", ast.Load()), [whole], [])


def _edit_addition(node: ast.AugAssign, _names: Names) -> Iterator[Proposal]:
    yield EditKind.ADDED, ast.Assign([node.target], node.value)
    yield from _flip(node)


def _edit_assignment(node: ast.Assign, names: Names) -> Iterator[Proposal]:
    target, value = node.targets[0], node.value
    yield from ((kind, ast.Assign(node.targets, cast)) for kind, cast in _cast(value, names))
    if isinstance(target, ast.Name) and isinstance(value, ast.BinOp) and ast.unparse(value.left) == target.id:
        yield EditKind.ADDED, ast.AugAssign(target, value.op, value.right)


def _edit_expression(node: ast.Expr, _names: Names) -> Iterator[Proposal]:
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "at":
        row = ast.Subscript(call.args[0], call.args[1], ast.Store())
        yield EditKind.ADDED, ast.AugAssign(row, ast.Add(), call.args[2])
        yield EditKind.ADDED, ast.Assign([row], call.args[2])


def _edit_return(node: ast.Return, names: Names) -> Iterator[Proposal]:
    if isinstance(node.value, ast.Tuple):
        parts = node.value.elts
        for first in range(len(parts) - 1):
            swapped = [*parts[:first], parts[first + 1], parts[first], *parts[first + 2 :]]
            yield EditKind.OUTPUTS, ast.Return(ast.Tuple(swapped, ast.Load()))
        for position, part in enumerate(parts):
            for kind, cast in _cast(part, names):
                yield kind, ast.Return(ast.Tuple([*parts[:position], cast, *parts[position + 1 :]], ast.Load()))
    elif node.value is not None:
        yield from ((kind, ast.Return(cast)) for kind, cast in _cast(node.value, names))


def _cast(value: ast.expr, names: Names) -> Iterator[tuple[EditKind, ast.expr]]:
    """Casts to whole numbers, to two digits, to absolute values and to no more than 1; and the sign."""
    if names.has_numpy and not isinstance(value, (ast.Tuple, ast.Dict, ast.List)):
        numpy = ast.Name("np", ast.Load())
        array = ast.Call(ast.Attribute(numpy, "asarray", ast.Load()), [value], [])
        yield EditKind.ROUNDED, ast.Call(ast.Attribute(array, "astype", ast.Load()), [ast.Constant("int64")], [])
        for name, arguments in (
            ("round", [value, ast.Constant(2)]),
            ("abs", [value]),
            ("minimum", [value, ast.Constant(1)]),
        ):
            yield EditKind.ROUNDED, ast.Call(ast.Attribute(numpy, name, ast.Load()), arguments, [])
        yield EditKind.SIGN, ast.UnaryOp(ast.USub(), value)


_PROPOSALS: Mapping[type[ast.AST], Callable[[Any, Names], Iterator[Proposal]]] = {
    ast.BinOp: _edit_operation,
    ast.UnaryOp: _edit_sign,
    ast.Compare: _edit_comparison,
    ast.BoolOp: _edit_condition,
    ast.Constant: _edit_constant,
    ast.Attribute: _edit_attribute,
    ast.Call: _edit_call,
    ast.Subscript: _edit_subscript,
    ast.IfExp: _edit_branch,
    ast.If: _edit_branch,
    ast.For: _edit_loop,
    ast.While: _edit_loop,
    ast.comprehension: _edit_loop,
    ast.AugAssign: _edit_addition,
    ast.Assign: _edit_assignment,
    ast.Expr: _edit_expression,
    ast.Return: _edit_return,
}
