"""Edit operators: propose the nodes that may replace a node of a syntax tree, after errors that people make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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
_WRONG_NAMES = 2  # so many other variables are tried in the place of each


class Names(NamedTuple):
    """The variables and texts of a function, and whether numpy is at hand."""

    variables: Sequence[str]
    texts: Sequence[str]
    has_numpy: bool


def propose(node: ast.AST, owner: ast.AST, field: str, names: Names) -> Iterator[ast.AST | list[ast.stmt]]:
    """Propose replacements of a node, which is in this field of its owner."""
    for kind, edit in _PROPOSALS.items():
        if isinstance(node, kind):
            yield from edit(node, names)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from _edit_name(node, owner, field, names)
    if isinstance(node, ast.stmt) and not isinstance(node, (ast.Return, ast.Pass)):
        yield ast.Pass()


def _edit_name(node: ast.Name, owner: ast.AST, field: str, names: Names) -> Iterator[ast.AST]:
    if node.id in names.variables and not (isinstance(owner, ast.Call) and field == "func"):
        start = names.variables.index(node.id)
        for offset in range(1, min(_WRONG_NAMES, len(names.variables) - 1) + 1):
            yield ast.Name(names.variables[(start + offset) % len(names.variables)], ast.Load())
    if isinstance(owner, ast.BinOp) and isinstance(owner.op, ast.MatMult):
        yield ast.Attribute(node, "T", ast.Load())
    if isinstance(owner, ast.Subscript) and field == "slice":
        yield from (ast.Constant(0), ast.UnaryOp(ast.USub(), ast.Constant(1)))
        yield from _shift(node)


def _shift(node: ast.expr) -> Iterator[ast.expr]:
    yield ast.BinOp(node, ast.Add(), ast.Constant(1))
    yield ast.BinOp(node, ast.Sub(), ast.Constant(1))


def _edit_operation(node: ast.BinOp, _names: Names) -> Iterator[ast.AST]:
    yield from (node.left, node.right)
    if type(node.op) in _FLIPPED:
        yield ast.BinOp(node.left, _FLIPPED[type(node.op)](), node.right)
    if not isinstance(node.op, (ast.Add, ast.Mult)):
        yield ast.BinOp(node.right, node.op, node.left)


def _edit_sign(node: ast.UnaryOp, _names: Names) -> Iterator[ast.AST]:
    yield node.operand


def _edit_comparison(node: ast.Compare, _names: Names) -> Iterator[ast.AST]:
    for operator in _COMPARED.get(type(node.ops[0]), ()):
        yield ast.Compare(node.left, [operator(), *node.ops[1:]], node.comparators)
    if isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        for shifted in _shift(node.comparators[0]):
            yield ast.Compare(node.left, node.ops, [shifted, *node.comparators[1:]])


def _edit_condition(node: ast.BoolOp, _names: Names) -> Iterator[ast.AST]:
    yield from node.values
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _edit_constant(node: ast.Constant, names: Names) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(value + 1), ast.Constant(value - 1))
    elif isinstance(value, float):
        yield from (ast.Constant(value * 2), ast.Constant(value + 1), ast.Constant(value - 1))
    elif isinstance(value, str):
        yield from (ast.Constant(other) for other in names.texts if other != value)


def _edit_attribute(node: ast.Attribute, _names: Names) -> Iterator[ast.AST]:
    if node.attr == "T":
        yield node.value


def _edit_call(node: ast.Call, _names: Names) -> Iterator[ast.AST]:
    function = node.func
    if isinstance(function, ast.Attribute):
        if function.attr in _RELATED:
            related = ast.Attribute(function.value, _RELATED[function.attr], ast.Load())
            yield ast.Call(related, node.args, node.keywords)
        if not node.args and not node.keywords:
            yield function.value
    if len(node.args) == 1:
        yield node.args[0]
    if len(node.args) > 1:
        yield ast.Call(function, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
    for position in range(len(node.keywords)):
        yield ast.Call(function, node.args, [*node.keywords[:position], *node.keywords[position + 1 :]])


def _edit_subscript(node: ast.Subscript, _names: Names) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load):
        yield node.value
    if isinstance(node.slice, ast.Slice):
        lower, upper, step = node.slice.lower, node.slice.upper, node.slice.step
        moved: list[tuple[Any, Any]] = [(shifted, upper) for shifted in _shift(lower)] if lower is not None else []
        moved += [(lower, shifted) for shifted in _shift(upper)] if upper is not None else []
        for bounds in moved:
            yield ast.Subscript(node.value, ast.Slice(*bounds, step), node.ctx)


def _edit_choice(node: ast.IfExp, _names: Names) -> Iterator[ast.AST]:
    yield from (node.body, node.orelse)


def _edit_branch(node: ast.If, _names: Names) -> Iterator[list[ast.stmt]]:
    yield node.body
    if node.orelse:
        yield node.orelse
        yield [ast.If(node.test, node.body, [])]


def _edit_loop(node: ast.For, _names: Names) -> Iterator[ast.AST]:
    for iterable in _cut(node.iter):
        yield ast.For(node.target, iterable, node.body, node.orelse)
    yield ast.For(node.target, node.iter, [*node.body, ast.Break()], node.orelse)


def _edit_endless_loop(node: ast.While, _names: Names) -> Iterator[ast.AST]:
    yield ast.While(node.test, [*node.body, ast.Break()], node.orelse)


def _edit_comprehension(node: ast.comprehension, _names: Names) -> Iterator[ast.AST]:
    for iterable in _cut(node.iter):
        yield ast.comprehension(node.target, iterable, node.ifs, node.is_async)
    if node.ifs:
        yield ast.comprehension(node.target, node.iter, [], node.is_async)


def _cut(iterable: ast.expr) -> Iterator[ast.expr]:
    whole = ast.Call(ast.Name("list", ast.Load()), [iterable], [])
    one = ast.Constant(1)
    bounds = ((one, None), (None, ast.UnaryOp(ast.USub(), one)), (None, ast.Constant(4)))
    for lower, upper in bounds:
        yield ast.Subscript(whole, ast.Slice(lower, upper, None), ast.Load())
    yield ast.Call(ast.Name("set", ast.Load()), [iterable], [])
    yield ast.Call(ast.Name("reversed", ast.Load()), [whole], [])


def _edit_addition(node: ast.AugAssign, _names: Names) -> Iterator[ast.AST]:
    yield ast.Assign([node.target], node.value)
    if type(node.op) in _FLIPPED:
        yield ast.AugAssign(node.target, _FLIPPED[type(node.op)](), node.value)


def _edit_assignment(node: ast.Assign, names: Names) -> Iterator[ast.AST]:
    target, value = node.targets[0], node.value
    yield from (ast.Assign(node.targets, cast) for cast in _cast(value, names))
    if isinstance(target, ast.Name) and isinstance(value, ast.BinOp) and ast.unparse(value.left) == target.id:
        yield ast.AugAssign(target, value.op, value.right)


def _edit_expression(node: ast.Expr, _names: Names) -> Iterator[ast.AST]:
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "at":
        row = ast.Subscript(call.args[0], call.args[1], ast.Store())
        yield ast.AugAssign(row, ast.Add(), call.args[2])
        yield ast.Assign([row], call.args[2])


def _edit_return(node: ast.Return, names: Names) -> Iterator[ast.AST]:
    if isinstance(node.value, ast.Tuple):
        parts = node.value.elts
        for first in range(len(parts) - 1):
            swapped = [*parts[:first], parts[first + 1], parts[first], *parts[first + 2 :]]
            yield ast.Return(ast.Tuple(swapped, ast.Load()))
        for position, part in enumerate(parts):
            for cast in _cast(part, names):
                yield ast.Return(ast.Tuple([*parts[:position], cast, *parts[position + 1 :]], ast.Load()))
    elif node.value is not None:
        yield from (ast.Return(cast) for cast in _cast(node.value, names))


def _cast(value: ast.expr, names: Names) -> Iterator[ast.expr]:
    """Casts to whole numbers, to two digits, to absolute values and to no more than 1; and the sign."""
    if names.has_numpy and not isinstance(value, (ast.Tuple, ast.Dict, ast.List)):
        numpy = ast.Name("np", ast.Load())
        array = ast.Call(ast.Attribute(numpy, "asarray", ast.Load()), [value], [])
        yield ast.Call(ast.Attribute(array, "astype", ast.Load()), [ast.Constant("int64")], [])
        yield ast.Call(ast.Attribute(numpy, "round", ast.Load()), [value, ast.Constant(2)], [])
        yield ast.Call(ast.Attribute(numpy, "abs", ast.Load()), [value], [])
        yield ast.Call(ast.Attribute(numpy, "minimum", ast.Load()), [value, ast.Constant(1)], [])
        yield ast.UnaryOp(ast.USub(), value)


_PROPOSALS: Mapping[type[ast.AST], Callable[[Any, Names], Iterator[Any]]] = {
    ast.BinOp: _edit_operation,
    ast.UnaryOp: _edit_sign,
    ast.Compare: _edit_comparison,
    ast.BoolOp: _edit_condition,
    ast.Constant: _edit_constant,
    ast.Attribute: _edit_attribute,
    ast.Call: _edit_call,
    ast.Subscript: _edit_subscript,
    ast.IfExp: _edit_choice,
    ast.If: _edit_branch,
    ast.For: _edit_loop,
    ast.While: _edit_endless_loop,
    ast.comprehension: _edit_comprehension,
    ast.AugAssign: _edit_addition,
    ast.Assign: _edit_assignment,
    ast.Expr: _edit_expression,
    ast.Return: _edit_return,
}
