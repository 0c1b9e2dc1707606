"""Mutant: a copy of a reference in which one function is changed; made anew for each test, so that it keeps no state.

Mutants are the staff's own code, changed by this package. They run in this process, never in a sandbox. Where an edit
made a loop endless, the rewritten text ends it with an error after many turns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.mistakes.mistake import TextLoader
from autograder.mutation.proposal import EditKind
from autograder.mutation.syntax_edits import list_edits

Install = Callable[[ModuleType], None]
MAKE_COUNTER = "_make_counter"  # the global name, in the rewritten text, of what makes a counter
_MORE_IN_FOR = 100  # times as many turns: a `for` is endless only if it adds to what it goes through
_LOOP = re.compile(r"^\s*(for|while)\b", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    """A change of one function; `install` makes it in a fresh copy of the reference.

    `kind`: of the edit of its text.
    """

    name: str
    install: Install
    kind: EditKind | None = None


class Reference:
    """The reference of a question: makes modules of it, and lists the edits of its functions.

    `most_turns`: a `while` in an edited function raises TooManyTurns after so many turns; None for no end.
    """

    def __init__(self, stem: str, path: Path, *, most_turns: int | None = None) -> None:
        self.stem = stem
        self._path = str(path)
        self._most_turns = most_turns
        self._tree = ast.parse(path.read_text(encoding="utf-8"))
        self._run = TextLoader(self._tree, self._path).exec_module

    def make_module(self, install: Install | None = None) -> ModuleType:
        """Make a new module of the reference, changed by `install`."""
        module = ModuleType(f"reference.{self.stem}")
        self._run(module)
        if install is not None:
            install(module)
        return module

    def list_syntax_mutants(self, function: str, also: Collection[str] = ()) -> Iterator[Mutant]:
        """List the mutants of a function with one edit in it, or in a function of the module that it calls.

        `also`: functions on which it rests without calling them, as on methods that are called before it.
        """
        imports = (node for node in self._tree.body if isinstance(node, ast.Import))
        has_numpy = "np" in {alias.asname for node in imports for alias in node.names}
        for name in (*self._reach(function), *(each for each in also if each in self._functions)):
            for edit in list_edits(self._functions[name], has_numpy=has_numpy):
                where = "" if name == function else f"{name}: "
                yield Mutant(where + edit.change, self._make_install(name, edit.text), edit.proposal.kind)

    def _make_install(self, name: str, text: str) -> Install:
        owner, _, method = name.rpartition(".")
        source = f"{text}\n{owner}.{method} = {method}\ndel {method}\n" if owner else text
        most = self._most_turns
        if most is None:
            return TextLoader(source, self._path).exec_module
        run = TextLoader(count_turns(source), self._path).exec_module

        def install(module: ModuleType) -> None:
            vars(module)[MAKE_COUNTER] = lambda times: make_counter(most * times)
            run(module)

        return install

    @cached_property
    def _functions(self) -> dict[str, ast.FunctionDef]:
        classes = (node for node in self._tree.body if isinstance(node, ast.ClassDef))
        bodies = [("", self._tree.body), *((f"{each.name}.", each.body) for each in classes)]
        nodes = [(prefix, node) for prefix, body in bodies for node in body]
        return {prefix + node.name: node for prefix, node in nodes if isinstance(node, ast.FunctionDef)}

    def _reach(self, function: str) -> list[str]:
        """List a function and all that it calls, which students may write in line; the constructor, for a class."""
        start = function if function in self._functions else f"{function}.__init__"
        reached = [start]
        for name in reached:
            body = ast.Module(self._functions[name].body, [])
            called = [node.id for node in ast.walk(body) if isinstance(node, ast.Name)]
            reached += [each for each in dict.fromkeys(called) if each in self._functions and each not in reached]
        return reached


class TooManyTurns(RuntimeError):
    """Raised by a loop that should have ended."""


def count_turns(source: str) -> ast.Module | str:
    """Return the tree of a text in which each run of a loop counts its turns; the text itself if it has no loop."""
    if _LOOP.search(source) is None:
        return source
    tree: ast.Module = _Counting().visit(ast.parse(source))
    return tree


def make_counter(most: int) -> Callable[[], None]:
    """Make a counter that raises TooManyTurns after so many calls."""
    turns = 0

    def count() -> None:
        nonlocal turns
        turns += 1
        if turns > most:
            raise TooManyTurns

    return count


class _Counting(ast.NodeTransformer):
    def __init__(self) -> None:
        self._loops = 0

    def visit(self, node: ast.AST) -> Any:
        """Visit statements alone."""
        return node if isinstance(node, ast.expr) else super().visit(node)

    def visit_For(self, node: ast.For | ast.While) -> list[ast.stmt]:
        """Have a counter made before a loop, and called at the start of each turn."""
        self._loops += 1
        name = f"_turns_{self._loops}"
        self.generic_visit(node)
        times = _MORE_IN_FOR if isinstance(node, ast.For) else 1
        making, counting = ast.parse(f"{name} = {MAKE_COUNTER}({times})\n{name}()").body
        node.body.insert(0, counting)
        return [making, node]

    visit_While = visit_For  # noqa: N815  (the name that ast looks up)
