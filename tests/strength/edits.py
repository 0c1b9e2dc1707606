"""Edits: turns the grader's modules into a sample of versions that have one small error each."""

from __future__ import annotations

import ast
import random
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.mutation.syntax_edits import list_edits, strip

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


@dataclass(frozen=True)
class EngineEdit:
    """One error in a module of the grader: what it changes, and the module's text before and with it."""

    path: str
    function: str
    kind: str
    change: str
    before: str
    after: str

    @property
    def package(self) -> str:
        """The package of the module."""
        return next(each for each in PACKAGES if self.path.startswith(f"autograder/{each}/"))

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
    before, name = path.read_text(encoding="utf-8"), path.relative_to(PROJECT).as_posix()
    kinds: dict[str, list[EngineEdit]] = {}
    for edit in list_edits(function, has_numpy="import numpy as np\n" in before):
        body = _write_body(edit.text)
        if body and body != _write_body(ast.unparse(strip(function))):
            after = replace_body(before, function, body)
            kinds.setdefault(edit.proposal.kind.value, []).append(
                EngineEdit(name, function.name, edit.proposal.kind.value, edit.change, before, after)
            )
    return numbers.choice(kinds[numbers.choice(sorted(kinds))]) if kinds else None


def _write_body(text: str) -> str:
    """Write the statements of an edited function; none, if it is no Python, as an argument *x without its call."""
    try:
        return next(ast.unparse(each.body) for each in ast.parse(text).body if isinstance(each, ast.FunctionDef))
    except SyntaxError:
        return ""


def replace_body(source: str, function: ast.FunctionDef, body: str) -> str:
    """Put a body behind a function's head and docstring; all else stays as it is."""
    lines, old = source.splitlines(keepends=True), function.body[ast.get_docstring(function) is not None :]
    first = min([old[0].lineno, *(each.lineno for each in getattr(old[0], "decorator_list", []))])
    block = textwrap.indent(body, " " * old[0].col_offset) + "\n"
    return "".join([*lines[: first - 1], block, *lines[function.end_lineno or first :]])
