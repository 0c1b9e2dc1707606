"""Loop turns: rewrites a text so that its loops end with an error after many turns, where an edit made them endless."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

MAKE_COUNTER = "_make_counter"  # the global name, in the rewritten text, of what makes a counter
_MORE_IN_FOR = 100  # times as many turns: a `for` is endless only if it adds to what it goes through
_LOOP = re.compile(r"^\s*(for|while)\b", re.MULTILINE)


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
        made = ast.Call(ast.Name(MAKE_COUNTER, ast.Load()), [ast.Constant(times)], [])
        count: ast.stmt = ast.Expr(ast.Call(ast.Name(name, ast.Load()), [], []))
        node.body.insert(0, ast.fix_missing_locations(count))
        return [ast.fix_missing_locations(ast.Assign([ast.Name(name, ast.Store())], made)), node]

    visit_While = visit_For  # noqa: N815  (the name that ast looks up)
