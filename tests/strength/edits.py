"""Edits: turns the grader's modules into a sample of versions that have one small error each."""

from __future__ import annotations

import ast
import difflib
import random
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.mutation.syntax_edits import list_edits

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
PACKAGES = ("grading", "checks", "gradescope", "submission", "diagnosis", "sandbox/host", "sandbox/protocol")
EDITS = 60
SEED = 28
_NOTED = ("overload", "abstractmethod")  # functions with these are never run
Statements = list[ast.stmt]


@dataclass(frozen=True)
class EngineEdit:
    """One error in a module of the grader: the module's text before and with it."""

    path: str
    function: str
    kind: str
    before: str
    after: str

    @property
    def package(self) -> str:
        """The package of the module."""
        return next(each for each in PACKAGES if self.path.startswith(f"autograder/{each}/"))

    @cached_property
    def change(self) -> str:
        """The lines that the edit removes and adds, in one line."""
        lines = list(difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), n=0, lineterm=""))[2:]
        removed, added = (
            "; ".join(each[1:].strip() for each in lines if each.startswith(sign)) or "(nothing)" for sign in "-+"
        )
        return f"{removed} -> {added}"

    @property
    def id(self) -> str:
        """The name by which it is found again."""
        return f"{self.path}: {self.function}: {self.change}"


def choose_edits() -> list[EngineEdit]:
    """Choose the same edits in each run: as many in each package, each in another function, of a random kind.

    Each function has a number and a generator of its own, so that a change of one moves no edit of the others.
    """
    chosen: list[EngineEdit] = []
    for position, package in enumerate(PACKAGES):
        size = EDITS // len(PACKAGES) + (position < EDITS % len(PACKAGES))
        found = [item for path in list_modules(package) for item in _list_functions(path)]
        drawn = sorted((_make_numbers(*item).random(), number) for number, item in enumerate(found))
        edits = (_choose_edit(*found[number], _make_numbers(*found[number])) for _, number in drawn)
        chosen += [edit for edit, _ in zip(filter(None, edits), range(size), strict=False)]
    return chosen


def _make_numbers(path: Path, function: ast.FunctionDef) -> random.Random:
    return random.Random(f"{SEED} {path.relative_to(PROJECT)} {function.name}")  # noqa: S311  (a sample, no secret)


def list_modules(package: str) -> list[Path]:
    """List the modules of a package of the grader."""
    return sorted((PROJECT / "autograder" / package).glob("*.py"))


def read_equivalent() -> dict[str, str]:
    """Read the edits that no test can catch, each with the reason."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {entry["edit"]: entry["reason"] for entry in table["equivalent"]}


def _list_functions(path: Path) -> Iterator[tuple[Path, ast.FunctionDef]]:
    owners = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Module, ast.ClassDef))
    ]
    functions = [node for owner in owners for node in owner.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        if not any(name in ast.unparse(each) for each in function.decorator_list for name in _NOTED):
            yield path, function


def _choose_edit(path: Path, function: ast.FunctionDef, numbers: random.Random) -> EngineEdit | None:
    before = path.read_text(encoding="utf-8")
    kinds: dict[str, list[EngineEdit]] = {}
    for edit in list_edits(function, has_numpy="import numpy as np\n" in before):
        body, start = _read_body(edit.text), int(ast.get_docstring(function) is not None)
        after = replace_statements(before, function.body[start:], body) if body else before
        if after != before:
            kinds.setdefault(edit.kind.value, []).append(
                EngineEdit(path.relative_to(PROJECT).as_posix(), function.name, edit.kind.value, before, after)
            )
    return numbers.choice(kinds[numbers.choice(sorted(kinds))]) if kinds else None


def _read_body(text: str) -> Statements:
    """Return the statements of an edited function; none, if it is no Python, as an argument *x without its call."""
    try:
        return next(each.body for each in ast.parse(text).body if isinstance(each, ast.FunctionDef))
    except SyntaxError:
        return []


def replace_statements(source: str, old: Statements, new: Statements) -> str:
    """Rewrite the smallest run of statements that differs; all else, and every comment there, stays as it is."""
    while old and new and _is_same(old[0], new[0]):
        old, new = old[1:], new[1:]
    while old and new and _is_same(old[-1], new[-1]):
        old, new = old[:-1], new[:-1]
    if not old:
        return source
    inner = _find_inner(old[0], new[0]) if len(old) == len(new) == 1 else None
    return replace_statements(source, *inner) if inner is not None else _rewrite(source, old, new)


def _find_inner(old: ast.stmt, new: ast.stmt) -> tuple[Statements, Statements] | None:
    """Return the block of a statement that differs, if nothing else of it does."""
    if type(old) is not type(new):
        return None
    parts = [(field, part, getattr(new, field)) for field, part in ast.iter_fields(old)]
    changed = [part for part in parts if not _is_same(part[1], part[2])]
    is_block = len(changed) == 1 and changed[0][0] in ("body", "orelse", "finalbody") and changed[0][1]
    return (changed[0][1], changed[0][2]) if is_block and isinstance(changed[0][1], list) else None


def _is_same(one: object, other: object) -> bool:
    """Compare without places and annotations, which edits do not have."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, ast.AnnAssign) and isinstance(other, ast.Assign):
        return _is_same([one.target, one.value], [other.targets[0], other.value])
    if not isinstance(one, ast.AST) or type(one) is not type(other):
        return one == other
    return all(_is_same(value, getattr(other, field)) for field, value in ast.iter_fields(one))


def _rewrite(source: str, old: Statements, new: Statements) -> str:
    lines = source.splitlines(keepends=True)
    first = min([old[0].lineno, *(each.lineno for each in getattr(old[0], "decorator_list", []))])
    text = ast.unparse(ast.Module(new or [ast.Pass()], []))
    block = textwrap.indent(text, " " * old[0].col_offset) + "\n"
    return "".join([*lines[: first - 1], block, *lines[old[-1].end_lineno or first :]])
