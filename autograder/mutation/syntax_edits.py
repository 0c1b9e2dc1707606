"""Syntax edits: turns a function's text into all texts with one small change, such as a flipped sign or a lost axis."""

from __future__ import annotations

import ast
import copy
import difflib
from collections.abc import Iterator
from typing import NamedTuple

from autograder.mutation.edit_operators import Names, propose
from autograder.mutation.proposal import Proposal

_TAKE_STARRED = (ast.Call, ast.List, ast.Set, ast.Tuple)
_SKIPPED = {"annotation", "returns", "decorator_list", "type_params", "ctx"}


class Edit(NamedTuple):
    """One change: the lines that it removes and adds, and the whole text of the function with it.

    `nodes`: from a statement of the function down to the node that is replaced. `proposal`: by what, and why.
    """

    change: str
    text: str
    nodes: tuple[ast.AST, ...]
    proposal: Proposal


class _Place(NamedTuple):
    """Where a node stands: in a field of its owner, which has it at a position or alone. `above`: as for an edit."""

    owner: ast.AST
    field: str
    position: int
    node: ast.AST
    above: tuple[ast.AST, ...]


def list_edits(function: ast.FunctionDef, *, has_numpy: bool) -> Iterator[Edit]:
    """List the edits of a function, without its docstring and annotations; each text once."""
    bare = strip(function)
    names = Names(list(_list_variables(bare)), list(_list_texts(bare)), has_numpy, bare)
    before = ast.unparse(bare)
    seen = {before}
    for place in list(_walk(bare, ())):
        for proposal in propose(place.node, names._replace(owner=place.owner, field=place.field)):
            if isinstance(proposal.replacement, ast.Starred) and not isinstance(place.owner, _TAKE_STARRED):
                continue  # `a, *b = zip(*c)` -> `a, *b = *c` is no Python
            text = _apply(bare, place, proposal.replacement)
            if text not in seen:
                seen.add(text)
                yield Edit(_describe(before, text), text, (*place.above, place.node), proposal)


def strip(function: ast.FunctionDef) -> ast.FunctionDef:
    """Copy a function without its docstring and annotations."""
    bare = copy.deepcopy(function)
    if ast.get_docstring(bare) is not None:
        del bare.body[0]
    bare.returns = None
    for argument in bare.args.args:
        argument.annotation = None
    for node in ast.walk(bare):
        for field in ("body", "orelse"):
            if isinstance(getattr(node, field, None), list):
                setattr(node, field, [_strip_annotation(each) for each in getattr(node, field)])
    return bare


def _strip_annotation(statement: ast.AST) -> ast.AST:
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return ast.copy_location(ast.Assign([statement.target], statement.value), statement)
    return statement


def _walk(owner: ast.AST, above: tuple[ast.AST, ...]) -> Iterator[_Place]:
    """List the places of nodes below one; `above`: from a statement of the function down to it."""
    for field, value in ast.iter_fields(owner):
        if field not in _SKIPPED:
            for position, node in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(node, (ast.expr, ast.stmt, ast.arguments, ast.comprehension, ast.keyword)):
                    yield _Place(owner, field, position, node, above)
                    yield from _walk(node, (*above, node))


def _list_variables(function: ast.FunctionDef) -> Iterator[str]:
    parameters = [each.arg for each in function.args.args]
    stored = [each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    yield from (name for name in dict.fromkeys([*parameters, *stored]) if name not in ("self", "_"))


def _list_texts(function: ast.FunctionDef) -> Iterator[str]:
    found = [each.value for each in ast.walk(function) if isinstance(each, ast.Constant)]
    yield from dict.fromkeys(each for each in found if isinstance(each, str))


def _apply(function: ast.FunctionDef, place: _Place, replacement: ast.AST | list[ast.stmt]) -> str:
    """Write the text with the replacement, and leave the tree as it was."""
    kept = getattr(place.owner, place.field)
    nodes = replacement if isinstance(replacement, list) else [replacement]
    for node in nodes:
        ast.fix_missing_locations(node)  # the whole function would take as long as all the rest
    is_list = isinstance(kept, list)
    new = [*kept[: place.position], *nodes, *kept[place.position + 1 :]] if is_list else replacement
    setattr(place.owner, place.field, new)
    try:
        return ast.unparse(function)
    finally:
        setattr(place.owner, place.field, kept)


def _describe(before: str, after: str) -> str:
    old, new = before.splitlines(), after.splitlines()
    steps = [step for step in difflib.SequenceMatcher(None, old, new).get_opcodes() if step[0] != "equal"]
    removed = "; ".join(line.strip() for _, start, end, _, _ in steps for line in old[start:end])
    added = "; ".join(line.strip() for *_, start, end in steps for line in new[start:end] if line.strip() != "pass")
    return f"{removed or '(nothing)'} -> {added or '(removed)'}"
