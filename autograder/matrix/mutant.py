"""Mutant: a copy of a reference in which one function is changed; made anew for each test, so that it keeps no state.

A change is one small edit of the function's text, such as a flipped sign or a lost axis. Mutants are the staff's own
code. They run in this process, never in a sandbox.

Edits are after errors that people make. Most errors are rules: a pattern, and what is written in its place. In both, a
name of one letter is any expression, the same at each place, and `n` a variable; every other name is itself. A
semicolon ends what is a statement of its own.
"""

from __future__ import annotations

import ast
import copy
import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder.mistakes import TextLoader

_TAKE_STARRED = (ast.Call, ast.List, ast.Set, ast.Tuple)
_EDITED = (ast.expr, ast.stmt, ast.arguments, ast.comprehension, ast.keyword)
Install = Callable[[ModuleType], None]
_WRONG_NAMES = 2  # other variables that are tried in the place of each
_CONFUSED = {"sum": "mean", "mean": "sum", "max": "min", "min": "max", "maximum": "minimum"}
_CASTS = ("np.asarray(a).astype('int64')", "np.round(a, 2)", "np.abs(a)", "np.minimum(a, 1)", "-a")
_NOT_CAST = (ast.Tuple, ast.Dict, ast.List, ast.Starred)
_CUTS = ("list(a)[1:]", "list(a)[:-1]", "list(a)[:4]", "set(a)", "reversed(list(a))")
_WRONG_END = "Always takes {new} instead of {old}."
_OFF_BY_ONE = "Is off by one: {new} instead of {old}."
_BORDER = "Tests {new} instead of {old}."
_COUNTED_ONCE = "Counts an index that occurs several times in {i} once."


class EditKind(Enum):
    """What an error is called."""

    MISSING_TERM = "operand_missing"
    MISSING_STEP = "step_missing"
    SIGN = "sign_of_term"
    BORDER = "border"
    INDEX = "bound"
    ADDED = "assigned"
    RELATED = "related_function"
    TRANSPOSED = "transposed_factor"
    OPERATION = "operation"
    OPTION = "option_missing"
    CONDITION = "condition"
    CONSTANT = "constant"
    VARIABLE = "variable"
    OTHER = "other"


# What is right and wrong, and a sentence about the error; "" where people do not make it.
_RULES: Mapping[EditKind, Sequence[tuple[str, str, str]]] = {
    EditKind.MISSING_TERM: (
        ("a + b", "a", "Leaves out the term {b}."),
        ("a + b", "b", "Leaves out the term {a}."),
        ("a - b", "a", "Does not subtract {b}."),
        ("a * b", "a", "Leaves out the factor {b}."),
        ("a * b", "b", "Leaves out the factor {a}."),
        ("a / b", "a", "Does not divide by {b}."),
        ("a @ b", "a", "Leaves out the factor {b}."),
        ("a ** b", "a", "Leaves out the power {b}."),
    ),
    EditKind.SIGN: (
        ("a + b", "a - b", "Subtracts {b} instead of adding it."),
        ("a - b", "a + b", "Adds {b} instead of subtracting it."),
        ("a += b", "a -= b", "Subtracts {b} instead of adding it."),
        ("a -= b", "a += b", "Adds {b} instead of subtracting it."),
        ("-a", "a", "Leaves out the minus sign of {a}."),
    ),
    EditKind.OPERATION: (
        ("a * b", "a / b", "Divides by {b} instead of multiplying by it."),
        ("a / b", "a * b", "Multiplies by {b} instead of dividing by it."),
        ("a *= b", "a /= b", "Divides by {b} instead of multiplying by it."),
        ("a /= b", "a *= b", "Multiplies by {b} instead of dividing by it."),
        ("a @ b", "a * b", "Multiplies by {b} entry by entry."),
        ("a ** b", "a * b", "Multiplies by {b} instead of raising to that power."),
    ),
    EditKind.BORDER: (
        ("a < b", "a <= b", _BORDER),
        ("a <= b", "a < b", _BORDER),
        ("a > b", "a >= b", _BORDER),
        ("a >= b", "a > b", _BORDER),
    ),
    EditKind.INDEX: (
        ("a[n]", "a[0]", _WRONG_END),
        ("a[n]", "a[-1]", _WRONG_END),
        ("a[n]", "a[n + 1]", _OFF_BY_ONE),
        ("a[n]", "a[n - 1]", _OFF_BY_ONE),
        ("a[b:]", "a[b + 1:]", _OFF_BY_ONE),
        ("a[b:]", "a[b - 1:]", _OFF_BY_ONE),
        ("a[:b]", "a[:b + 1]", _OFF_BY_ONE),
        ("a[:b]", "a[:b - 1]", _OFF_BY_ONE),
        ("a[b:c]", "a[b + 1:c]", _OFF_BY_ONE),
        ("a[b:c]", "a[b - 1:c]", _OFF_BY_ONE),
        ("a[b:c]", "a[b:c + 1]", _OFF_BY_ONE),
        ("a[b:c]", "a[b:c - 1]", _OFF_BY_ONE),
    ),
    EditKind.ADDED: (
        ("a += b", "a = b", "Overwrites {a} where it has to be added up."),
        ("f.at(a, i, b);", "a[i] += b", _COUNTED_ONCE),
        ("f.at(a, i, b);", "a[i] = b", _COUNTED_ONCE),
    ),
    EditKind.TRANSPOSED: (
        ("a.T", "a", "Does not transpose {a}."),
        ("n @ a", "n.T @ a", "Transposes {n}."),
        ("a @ n", "a @ n.T", "Transposes {n}."),
    ),
    EditKind.CONDITION: (
        ("a if b else c", "a", "Acts as if it were always true that {b}."),
        ("a if b else c", "c", "Acts as if it were never true that {b}."),
    ),
    EditKind.OTHER: (
        ("a - b", "b", ""),
        ("a - b", "b - a", ""),
        ("a / b", "b", ""),
        ("a / b", "b / a", ""),
        ("a @ b", "b", ""),
        ("a @ b", "b @ a", ""),
        ("a ** b", "b", ""),
        ("a ** b", "b ** a", ""),
        ("a % b", "a", ""),
        ("a % b", "a // b", ""),
        ("a // b", "a", ""),
        ("a // b", "a / b", ""),
        ("not a", "a", ""),
        ("a < b", "a >= b", ""),
        ("a <= b", "a > b", ""),
        ("a > b", "a <= b", ""),
        ("a >= b", "a < b", ""),
        ("a == b", "a != b", ""),
        ("a != b", "a == b", ""),
        ("a is b", "a is not b", ""),
        ("a is not b", "a is b", ""),
        ("a[b]", "a", ""),
        ("a -= b", "a = b", ""),
        ("a *= b", "a = b", ""),
        ("a /= b", "a = b", ""),
        ("a = a + b", "a += b", ""),
        ("a = a - b", "a -= b", ""),
    ),
}


class Proposal(NamedTuple):
    """What may stand in place of a node: another one, or statements.

    `story`: as in a rule, with places for the code of the nodes `told`, by their names in it.
    """

    replacement: Any
    kind: EditKind = EditKind.OTHER
    story: str = ""
    told: Mapping[str, ast.AST] = {}

    def tell(self) -> str:
        """Tell the story; "" where there is none."""
        code = {name: ast.unparse(node) for name, node in self.told.items()}
        return " ".join(self.story.format_map(code).split())


_Varied = tuple[Any, tuple[ast.AST, ...], Proposal]  # the new node; from the old one to the one replaced; by what


class Editor:
    """Proposes edits of one function, whose variables and texts may stand in the place of others."""

    def __init__(self, function: ast.FunctionDef) -> None:
        names: list[str] = []
        texts: list[str] = []
        for node in ast.walk(function):
            if isinstance(node, ast.arg):
                names.append(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.append(node.id)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
        self._variables = [name for name in dict.fromkeys(names) if name not in ("self", "_")]
        self._texts = list(dict.fromkeys(texts))

    def propose(self, node: ast.AST) -> Iterator[Proposal]:
        """Propose replacements of a node, by the rules and by the method that is named after its class."""
        for kind, rules in _RULES.items():
            for right, wrong, story in rules:
                parts: dict[str, ast.expr] = {}
                if self._fits(_parse(right), node, parts):
                    new = _fill(wrong, parts)
                    told = {**parts, "old": node, "new": new}
                    yield Proposal(new, kind, story, told)
        edit = getattr(self, f"_edit_{type(node).__name__.lower()}", None)
        if edit is not None:
            yield from edit(node)
        if isinstance(node, ast.Return) or not isinstance(node, ast.stmt):
            return
        yield Proposal(ast.Pass(), EditKind.MISSING_STEP, "Leaves out the step {old}.", {"old": node})

    def _fits(self, pattern: Any, found: Any, parts: dict[str, ast.expr]) -> bool:
        """Return whether a pattern fits a node, and note which part of it each name of one letter is."""
        if isinstance(pattern, ast.Name) and len(pattern.id) == 1:
            if not isinstance(found, ast.expr):
                return False
            code = ast.unparse(found)
            if pattern.id == "n" and code not in self._variables:
                return False
            known = parts.setdefault(pattern.id, found)
            return ast.unparse(known) == code
        if isinstance(pattern, list):
            if len(pattern) != len(found):
                return False
            pairs = zip(pattern, found, strict=True)
            return all(self._fits(*pair, parts) for pair in pairs)
        if not isinstance(pattern, ast.AST) or type(pattern) is not type(found):
            return bool(pattern == found)
        for name in pattern._fields:
            is_same = self._fits(getattr(pattern, name), getattr(found, name), parts)
            if not is_same and name != "ctx":  # what is assigned to is changed, too
                return False
        return True

    def _edit_name(self, node: ast.Name) -> Iterator[Proposal]:
        names = self._variables
        is_read = isinstance(node.ctx, ast.Load)
        if node.id not in names or not is_read:
            return
        place = names.index(node.id)
        others = names[place + 1 :] + names[:place]
        for name in others[:_WRONG_NAMES]:
            other = ast.Name(name, ast.Load())
            told = {"new": other, "old": node}
            yield Proposal(other, EditKind.VARIABLE, "Uses {new} in the place of {old}.", told)

    def _edit_boolop(self, node: ast.BoolOp) -> Iterator[Proposal]:
        for part in node.values:
            told = {"new": part}
            yield Proposal(part, EditKind.CONDITION, "Looks at {new} alone.", told)
        is_and = isinstance(node.op, ast.And)
        other = ast.Or() if is_and else ast.And()
        yield Proposal(change(node, op=other))

    def _edit_constant(self, node: ast.Constant) -> Iterator[Proposal]:
        for value in self._list_others(node.value):
            yield Proposal(ast.Constant(value))

    def _edit_keyword(self, node: ast.keyword) -> Iterator[Proposal]:
        axis = node.value
        if node.arg != "axis" or not isinstance(axis, ast.Constant):
            return
        for value in self._list_others(axis.value):
            other = ast.Constant(value)
            story = "Takes the axis {new} instead of {old}."
            told = {"new": other, "old": axis}
            yield Proposal(change(node, value=other), EditKind.CONSTANT, story, told)

    def _list_others(self, value: object) -> Sequence[Any]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1, value - 1]
        if isinstance(value, float):
            return [value * 2, value + 1, value - 1]
        return [text for text in self._texts if isinstance(value, str) and text != value]

    def _edit_call(self, node: ast.Call) -> Iterator[Proposal]:
        function, arguments = node.func, node.args
        told: dict[str, ast.AST] = {"call": node, "function": function}
        if isinstance(function, ast.Attribute) and function.attr in _CONFUSED:
            other = change(function, attr=_CONFUSED[function.attr])
            story = "Takes {new} instead of {function}."
            yield Proposal(change(node, func=other), EditKind.RELATED, story, {**told, "new": other})
        if isinstance(function, ast.Attribute) and not arguments and not node.keywords:
            yield Proposal(function.value)
        if len(arguments) == 1:
            told["new"] = arguments[0]
            story = "Leaves out {function} of {new}."
            yield Proposal(arguments[0], EditKind.MISSING_STEP, story, told)
        if len(arguments) > 1:
            yield Proposal(change(node, args=_exchange(arguments, 0)))
        for option in node.keywords:
            others = [each for each in node.keywords if each is not option]
            told = {"call": node, "option": option}
            story = "Leaves out {option} in {call}."
            yield Proposal(change(node, keywords=others), EditKind.OPTION, story, told)

    def _edit_if(self, node: ast.If) -> Iterator[Proposal]:
        yield Proposal(node.body)
        if node.orelse:
            yield Proposal(node.orelse)
            yield Proposal(change(node, orelse=[]))

    def _edit_for(self, node: ast.For) -> Iterator[Proposal]:
        yield from _cut(node)
        yield from self._edit_while(node)

    def _edit_while(self, node: ast.For | ast.While) -> Iterator[Proposal]:
        once = [*node.body, ast.Break()]
        yield Proposal(change(node, body=once))

    def _edit_comprehension(self, node: ast.comprehension) -> Iterator[Proposal]:
        yield from _cut(node)
        if node.ifs:
            yield Proposal(change(node, ifs=[]))

    def _edit_assign(self, node: ast.Assign) -> Iterator[Proposal]:
        for cast in _cast(node.value):
            yield Proposal(change(node, value=cast))

    def _edit_return(self, node: ast.Return) -> Iterator[Proposal]:
        value = node.value
        for cast in _cast(value):
            yield Proposal(ast.Return(cast))
        parts = value.elts if isinstance(value, ast.Tuple) else []
        changed = [_exchange(parts, place) for place in range(len(parts) - 1)]
        for place, part in enumerate(parts):
            for cast in _cast(part):
                others = list(parts)
                others[place] = cast
                changed.append(others)
        for elements in changed:
            yield Proposal(ast.Return(ast.Tuple(elements, ast.Load())))


def _cut(node: ast.For | ast.comprehension) -> Iterator[Proposal]:
    for pattern in _CUTS:
        shorter = _fill(pattern, {"a": node.iter})
        yield Proposal(change(node, iter=shorter))


def _cast(value: ast.expr | None) -> list[ast.expr]:
    """Cast to whole numbers, to two digits, to absolute values and to no more than 1; and change the sign."""
    if value is None or isinstance(value, _NOT_CAST):
        return []
    return [_fill(pattern, {"a": value}) for pattern in _CASTS]


def _exchange(items: list[ast.expr], place: int) -> list[ast.expr]:
    """Exchange an item with the next one."""
    exchanged = list(items)
    exchanged[place : place + 2] = reversed(items[place : place + 2])
    return exchanged


def change(node: Any, **fields: Any) -> Any:
    """Copy a node, with other values in these fields."""
    changed = copy.copy(node)
    vars(changed).update(fields)
    return changed


@cache
def _parse(text: str) -> Any:
    """Parse one expression or statement."""
    statement: Any = ast.parse(text).body[0]
    is_statement = text.endswith(";") or not isinstance(statement, ast.Expr)
    return statement if is_statement else statement.value


def _fill(pattern: str, parts: Mapping[str, ast.expr]) -> Any:
    """Write a pattern with these parts in the place of names."""
    return _Filling(parts).visit(copy.deepcopy(_parse(pattern)))


class _Filling(ast.NodeTransformer):
    def __init__(self, parts: Mapping[str, ast.expr]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._parts.get(node.id, node)


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
