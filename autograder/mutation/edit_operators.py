"""Edit operators: propose the nodes that may replace a node of a syntax tree, after errors that people make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from autograder.mutation.proposal import EditKind, Proposal


class _Operation(NamedTuple):
    """What is written for an operation by mistake, the story of that, and the story of an operand that is left out."""

    other: type[ast.operator]
    story: str = ""
    left_out: str = ""


_OPERATIONS: Mapping[type[ast.operator], _Operation] = {
    ast.Add: _Operation(ast.Sub, "Subtracts {0} instead of adding it.", "Leaves out the term {0}."),
    ast.Sub: _Operation(ast.Add, "Adds {0} instead of subtracting it.", "Does not subtract {0}."),
    ast.Mult: _Operation(ast.Div, "Divides by {0} instead of multiplying by it.", "Leaves out the factor {0}."),
    ast.Div: _Operation(ast.Mult, "Multiplies by {0} instead of dividing by it.", "Does not divide by {0}."),
    ast.MatMult: _Operation(ast.Mult, "Multiplies by {0} entry by entry.", "Leaves out the factor {0}."),
    ast.Pow: _Operation(ast.Mult, "Multiplies by {0} instead of raising to that power.", "Leaves out the power {0}."),
    ast.Mod: _Operation(ast.FloorDiv),
    ast.FloorDiv: _Operation(ast.Div),
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
_CONFUSED = {"sum": "mean", "mean": "sum", "max": "min", "min": "max", "maximum": "minimum"}  # by people, too
_RELATED = {**_CONFUSED, "ones": "zeros", "zeros": "ones", "exp": "expm1", "log": "log1p"}
_SAME_SIDE = ({ast.Lt, ast.LtE}, {ast.Gt, ast.GtE})  # comparisons that differ in their border alone
_WRONG_NAMES = 2  # so many other variables are tried in the place of each
_CUTS = (
    "list({0})[1:]",
    "list({0})[:-1]",
    "list({0})[:4]",
    "set({0})",
    "reversed(list({0}))",
)
_CASTS = ("np.asarray({0}).astype('int64')", "np.round({0}, 2)", "np.abs({0})", "np.minimum({0}, 1)")
_OFF_BY_ONE = "Is off by one: {0} instead of {1}."


class Names(NamedTuple):
    """The variables and texts of a function, whether numpy is at hand, and the field of a node's owner that has it."""

    variables: Sequence[str]
    texts: Sequence[str]
    has_numpy: bool
    owner: ast.AST
    field: str = ""


def propose(node: ast.AST, names: Names) -> Iterator[Proposal]:
    """Propose replacements of a node."""
    for kind, edit in _PROPOSALS.items():
        if isinstance(node, kind):
            yield from edit(node, names)


def _edit_name(node: ast.Name, names: Names) -> Iterator[Proposal]:
    if not isinstance(node.ctx, ast.Load):
        return
    owner = names.owner
    if node.id in names.variables and not (isinstance(owner, ast.Call) and names.field == "func"):
        start = names.variables.index(node.id)
        itself = ast.unparse(owner.func).partition(".")[0] if isinstance(owner, ast.Call) else ""  # of x.append(y): x
        count = min(_WRONG_NAMES, len(names.variables) - 1)
        others = (names.variables[(start + offset) % len(names.variables)] for offset in range(1, count + 1))
        for other in (ast.Name(each, ast.Load()) for each in others if each != itself):
            yield Proposal(EditKind.VARIABLE, other, "Uses {0} in the place of {1}.", (other, node))
    if isinstance(owner, ast.BinOp) and isinstance(owner.op, ast.MatMult):
        yield Proposal(EditKind.TRANSPOSED, ast.Attribute(node, "T", ast.Load()), "Transposes {0}.", (node,))
    if isinstance(owner, ast.Subscript) and names.field == "slice":
        for end in (ast.Constant(0), ast.UnaryOp(ast.USub(), ast.Constant(1))):
            yield Proposal(EditKind.INDEX, end, "Always takes the entry {0} instead of {1}.", (end, node))
        for shifted in _shift(node):
            yield Proposal(EditKind.INDEX, shifted, _OFF_BY_ONE, (shifted, node))


def _edit_statement(node: ast.stmt, _names: Names) -> Iterator[Proposal]:
    if not isinstance(node, (ast.Return, ast.Pass)):
        is_name = isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Tuple))
        is_step = isinstance(node, (ast.AugAssign, ast.Expr, ast.Assign)) and not is_name
        yield Proposal(EditKind.MISSING_STEP, ast.Pass(), "Leaves out the step {0}." * is_step, (node,))


def _shift(node: ast.expr) -> Sequence[ast.expr]:
    return [_write(pattern, node) for pattern in ("({0}) + 1", "({0}) - 1")]


def _write(pattern: str, *nodes: ast.AST) -> ast.expr:
    """Write an expression: a pattern with places for the code of nodes."""
    return ast.parse(pattern.format(*map(ast.unparse, nodes)), mode="eval").body


def _change(node: ast.AST, **fields: Any) -> ast.AST:
    """Return a copy of a node with other values in these fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _flip(node: ast.BinOp | ast.AugAssign, operand: ast.expr) -> Iterator[Proposal]:
    if operation := _OPERATIONS.get(type(node.op)):
        kind = EditKind.SIGN if isinstance(node.op, (ast.Add, ast.Sub)) else EditKind.OPERATION
        yield Proposal(kind, _change(node, op=operation.other()), operation.story, (operand,))


def _edit_operation(node: ast.BinOp, _names: Names) -> Iterator[Proposal]:
    left_out = _OPERATIONS[type(node.op)].left_out if type(node.op) in _OPERATIONS else ""
    commutes = isinstance(node.op, (ast.Add, ast.Mult))
    yield Proposal(EditKind.MISSING_TERM, node.left, left_out, (node.right,))
    yield Proposal(EditKind.MISSING_TERM, node.right, left_out * commutes, (node.left,))
    yield from _flip(node, node.right)
    if not commutes:
        yield Proposal(EditKind.EXCHANGED, ast.BinOp(node.right, node.op, node.left))


def _edit_sign(node: ast.UnaryOp, _names: Names) -> Iterator[Proposal]:
    if isinstance(node.op, ast.USub):
        yield Proposal(EditKind.SIGN, node.operand, "Leaves out the minus sign of {0}.", (node.operand,))
    else:
        yield Proposal(EditKind.CONDITION, node.operand)


def _edit_comparison(node: ast.Compare, _names: Names) -> Iterator[Proposal]:
    before = type(node.ops[0])
    for operator in _COMPARED.get(before, ()):
        changed = _change(node, ops=[operator(), *node.ops[1:]])
        is_border = {before, operator} in _SAME_SIDE
        yield _move_border(node, changed) if is_border else Proposal(EditKind.CONDITION, changed)
    if isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        for shifted in _shift(node.comparators[0]):
            yield _move_border(node, _change(node, comparators=[shifted, *node.comparators[1:]]))


def _move_border(node: ast.Compare, changed: ast.AST) -> Proposal:
    return Proposal(EditKind.BORDER, changed, "Tests {0} instead of {1}.", (changed, node))


def _edit_condition(node: ast.BoolOp, _names: Names) -> Iterator[Proposal]:
    for part in node.values:
        yield Proposal(EditKind.CONDITION, part, "Looks at {0} alone.", (part,))
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Proposal(EditKind.CONDITION, ast.BoolOp(other, node.values))


def _edit_constant(node: ast.Constant, names: Names) -> Iterator[Proposal]:
    is_axis = isinstance(names.owner, ast.keyword) and names.owner.arg == "axis"
    for other in map(ast.Constant, _list_constants(node.value, names)):
        yield Proposal(EditKind.CONSTANT, other, "Takes the axis {0} instead of {1}." * is_axis, (other, node))


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
        yield Proposal(EditKind.TRANSPOSED, node.value, "Does not transpose {0}.", (node.value,))


def _edit_call(node: ast.Call, _names: Names) -> Iterator[Proposal]:
    function = node.func
    if isinstance(function, ast.Attribute):
        if other := _RELATED.get(function.attr):
            story = f"Takes {other} instead of {function.attr} in {{0}}." if function.attr in _CONFUSED else ""
            yield Proposal(EditKind.RELATED, _change(node, func=_change(function, attr=other)), story, (node,))
        if not node.args and not node.keywords:
            yield Proposal(EditKind.MISSING_STEP, function.value)
    if len(node.args) == 1:
        yield Proposal(EditKind.MISSING_STEP, node.args[0], "Leaves out {0} of {1}.", (function, node.args[0]))
    if len(node.args) > 1:
        yield Proposal(EditKind.EXCHANGED, _change(node, args=[node.args[1], node.args[0], *node.args[2:]]))
    for option in node.keywords:
        shorter = _change(node, keywords=[each for each in node.keywords if each is not option])
        yield Proposal(EditKind.OPTION, shorter, "Leaves out {0} in {1}.", (option, node))


def _edit_subscript(node: ast.Subscript, _names: Names) -> Iterator[Proposal]:
    if isinstance(node.ctx, ast.Load):
        yield Proposal(EditKind.MISSING_STEP, node.value)
    if isinstance(node.slice, ast.Slice):
        for name in ("lower", "upper"):
            bound = getattr(node.slice, name)
            for shifted in _shift(bound) if bound is not None else ():
                changed = _change(node, slice=_change(node.slice, **{name: shifted}))
                yield Proposal(EditKind.INDEX, changed, _OFF_BY_ONE, (changed, node))


def _edit_choice(node: ast.IfExp, _names: Names) -> Iterator[Proposal]:
    yield Proposal(EditKind.CONDITION, node.body, "Acts as if it were always true that {0}.", (node.test,))
    yield Proposal(EditKind.CONDITION, node.orelse, "Acts as if it were never true that {0}.", (node.test,))


def _edit_branch(node: ast.If, _names: Names) -> Iterator[Proposal]:
    yield Proposal(EditKind.CONDITION, node.body)
    if node.orelse:
        yield Proposal(EditKind.CONDITION, node.orelse)
        yield Proposal(EditKind.CONDITION, [ast.If(node.test, node.body, [])])


def _edit_loop(node: ast.For | ast.While | ast.comprehension, _names: Names) -> Iterator[Proposal]:
    if not isinstance(node, ast.While):
        for pattern in _CUTS:
            yield Proposal(EditKind.LOOP, _change(node, iter=_write(pattern, node.iter)))
    if not isinstance(node, ast.comprehension):
        yield Proposal(EditKind.LOOP, _change(node, body=[*node.body, ast.Break()]))
    elif node.ifs:
        yield Proposal(EditKind.LOOP, _change(node, ifs=[]))


def _edit_addition(node: ast.AugAssign, _names: Names) -> Iterator[Proposal]:
    overwriting = ast.Assign([node.target], node.value)
    yield Proposal(EditKind.ADDED, overwriting, "Overwrites {0} where it has to be added up.", (node.target,))
    yield from _flip(node, node.value)


def _edit_assignment(node: ast.Assign, names: Names) -> Iterator[Proposal]:
    target, value = node.targets[0], node.value
    yield from (Proposal(kind, ast.Assign(node.targets, cast)) for kind, cast in _cast(value, names))
    if isinstance(target, ast.Name) and isinstance(value, ast.BinOp) and ast.unparse(value.left) == target.id:
        yield Proposal(EditKind.ADDED, ast.AugAssign(target, value.op, value.right))


def _edit_expression(node: ast.Expr, _names: Names) -> Iterator[Proposal]:
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "at":
        row = ast.Subscript(call.args[0], call.args[1], ast.Store())
        for written in (ast.AugAssign(row, ast.Add(), call.args[2]), ast.Assign([row], call.args[2])):
            story = "Counts an index that occurs several times in {0} once."
            yield Proposal(EditKind.ADDED, written, story, (call.args[1],))


def _edit_return(node: ast.Return, names: Names) -> Iterator[Proposal]:
    if isinstance(node.value, ast.Tuple):
        parts = node.value.elts
        for first in range(len(parts) - 1):
            swapped = [*parts[:first], parts[first + 1], parts[first], *parts[first + 2 :]]
            yield Proposal(EditKind.OUTPUTS, ast.Return(ast.Tuple(swapped, ast.Load())))
        for position, part in enumerate(parts):
            for kind, cast in _cast(part, names):
                changed = [*parts[:position], cast, *parts[position + 1 :]]
                yield Proposal(kind, ast.Return(ast.Tuple(changed, ast.Load())))
    elif node.value is not None:
        yield from (Proposal(kind, ast.Return(cast)) for kind, cast in _cast(node.value, names))


def _cast(value: ast.expr, names: Names) -> Iterator[tuple[EditKind, ast.expr]]:
    """Casts to whole numbers, to two digits, to absolute values and to no more than 1; and the sign."""
    if names.has_numpy and not isinstance(value, (ast.Tuple, ast.Dict, ast.List, ast.Starred)):
        yield from ((EditKind.ROUNDED, _write(pattern, value)) for pattern in _CASTS)
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
    ast.IfExp: _edit_choice,
    ast.If: _edit_branch,
    ast.For: _edit_loop,
    ast.While: _edit_loop,
    ast.comprehension: _edit_loop,
    ast.AugAssign: _edit_addition,
    ast.Assign: _edit_assignment,
    ast.Expr: _edit_expression,
    ast.Return: _edit_return,
    ast.Name: _edit_name,
    ast.stmt: _edit_statement,
}
