"""Mutant: a copy of a reference in which one function is changed; made anew for each test, so that it keeps no state.

A change is one small edit of the function's text, such as a flipped sign or a lost axis. Mutants are the staff's own
code. They run in this process, never in a sandbox.
"""

from __future__ import annotations

import ast
import copy
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder.matrix.edit_rules import Editor, Proposal, change
from autograder.mistakes import TextLoader

_TAKE_STARRED = (ast.Call, ast.List, ast.Set, ast.Tuple)
_EDITED = (ast.expr, ast.stmt, ast.arguments, ast.comprehension, ast.keyword)
_Varied = tuple[Any, tuple[ast.AST, ...], Proposal]  # the new node; from the old one to the one replaced; by what
Install = Callable[[ModuleType], None]


class Edit(NamedTuple):
    """One change: the lines that it removes and adds, and the whole text of the function with it.

    `nodes`: from a statement of the function down to the node that is replaced. `proposal`: by what, and why.
    """

    change: str
    text: str
    nodes: tuple[ast.AST, ...]
    proposal: Proposal


def list_edits(function: ast.FunctionDef) -> Iterator[Edit]:
    """List the edits of a function, without its docstring and annotations; each text once."""
    bare = strip(function)
    before = ast.unparse(bare)
    seen = {before}
    for edited, nodes, proposal in _vary_below(bare, Editor(bare)):
        text = ast.unparse(edited)
        if text not in seen:
            seen.add(text)
            yield Edit(_describe(before, text), text, nodes, proposal)


def strip(function: ast.FunctionDef) -> ast.FunctionDef:
    """Copy a function without its docstring and annotations."""
    bare = _Stripping().visit(copy.deepcopy(function))
    bare.returns = None
    bare.decorator_list = []
    if ast.get_docstring(bare) is not None:
        del bare.body[0]
    return bare  # type: ignore[no-any-return]


class _Stripping(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return node
        bare = ast.Assign([node.target], node.value)
        return ast.copy_location(bare, node)


def _vary_below(node: ast.AST, editor: Editor) -> Iterator[_Varied]:
    """List the versions of a node with one edit in a part of it."""
    for field, value in ast.iter_fields(node):
        if not isinstance(value, list):
            for new, nodes, proposal in _vary(value, editor):
                if _takes(node, field, new):
                    yield change(node, **{field: new}), nodes, proposal
            continue
        for place, part in enumerate(value):
            for new, nodes, proposal in _vary(part, editor):
                if _takes(node, field, new):
                    items = list(value)
                    items[place : place + 1] = new if isinstance(new, list) else [new]
                    yield change(node, **{field: items}), nodes, proposal


def _vary(node: ast.AST, editor: Editor) -> Iterator[_Varied]:
    if isinstance(node, _EDITED):
        for proposal in editor.propose(node):
            yield proposal.replacement, (node,), proposal
        for varied, nodes, proposal in _vary_below(node, editor):
            yield varied, (node, *nodes), proposal


def _takes(owner: ast.AST, field: str, new: object) -> bool:
    """Return whether a node may be there: in `a, *b = c`, no `*b`; in `x.append(y)`, no other function and no `x`."""
    if isinstance(new, ast.Starred):
        return isinstance(owner, _TAKE_STARRED)
    if not isinstance(owner, ast.Call) or not isinstance(new, ast.Name):
        return True
    owner_name = ast.unparse(owner.func).partition(".")[0]
    return field != "func" and owner_name != new.id


def _describe(before: str, after: str) -> str:
    """Describe the lines that are removed and added."""
    removed, added = [], []
    steps = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0))
    for step in steps[2:]:  # behind the names of the files
        line = step[1:].strip()
        if step.startswith("-"):
            removed.append(line)
        elif step.startswith("+") and line != "pass":
            added.append(line)
    old = "; ".join(removed) or "(nothing)"
    new = "; ".join(added) or "(removed)"
    return f"{old} -> {new}"


@dataclass(frozen=True)
class Mutant:
    """A change of one function; `install` makes it in a fresh copy of the reference."""

    name: str
    install: Install


class Reference:
    """The reference of a question: makes modules of it, and lists the edits of its functions."""

    def __init__(self, question_id: str, path: Path) -> None:
        self.question_id = question_id
        self._path = str(path)
        text = path.read_text(encoding="utf-8")
        self._functions = dict(_list_functions(ast.parse(text), ""))
        self._run = TextLoader(text, self._path).exec_module

    def make_module(self, install: Install | None = None) -> ModuleType:
        """Make a new module of the reference, changed by `install`."""
        module = ModuleType(f"reference.{self.question_id}")
        self._run(module)
        if install is not None:
            install(module)
        return module

    def list_syntax_mutants(self, function: str) -> Iterator[Mutant]:
        """List the mutants of a function with one edit in it, or in a function of the module that it calls."""
        for name in self._reach(function):
            where = "" if name == function else f"{name}: "
            for edit in list_edits(self._functions[name]):
                install = self._make_install(name, edit.text)
                yield Mutant(where + edit.change, install)

    def _make_install(self, name: str, text: str) -> Install:
        owner, _, method = name.rpartition(".")
        source = f"{text}\n{owner}.{method} = {method}\ndel {method}\n" if owner else text
        return TextLoader(source, self._path).exec_module

    def _reach(self, function: str) -> list[str]:
        """List a function and all that it calls, which students may write in line; the constructor, for a class."""
        start = function if function in self._functions else f"{function}.__init__"
        reached = [start]
        for name in reached:
            body = ast.Module(self._functions[name].body, [])
            for node in ast.walk(body):
                called = node.id if isinstance(node, ast.Name) else ""
                if called in self._functions and called not in reached:
                    reached.append(called)
        return reached


def _list_functions(owner: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in owner.body:
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _list_functions(node, f"{node.name}.")
