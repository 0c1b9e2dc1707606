"""Mutant: a copy of a reference in which one function is changed; made anew for each test, so that it keeps no state.

Mutants are the staff's own code, changed by this package. They run in this process, never in a sandbox.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from autograder.matrix.syntax_edits import list_edits
from autograder.mistakes import TextLoader

Install = Callable[[ModuleType], None]


@dataclass(frozen=True)
class Mutant:
    """A change of one function; `install` makes it in a fresh copy of the reference."""

    name: str
    install: Install


class Reference:
    """The reference of a question: makes modules of it, and lists the edits of its functions."""

    def __init__(self, stem: str, path: Path) -> None:
        self.stem = stem
        self._path = str(path)
        text = path.read_text(encoding="utf-8")
        self._functions = dict(_list_functions(ast.parse(text), ""))
        self._run = TextLoader(text, self._path).exec_module

    def make_module(self, install: Install | None = None) -> ModuleType:
        """Make a new module of the reference, changed by `install`."""
        module = ModuleType(f"reference.{self.stem}")
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
