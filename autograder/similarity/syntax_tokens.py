"""Syntax tokens: turns the text of a Python file into its functions, each as kinds of syntax nodes with their lines.

Run by a confined worker, as the one module that is loaded there, because a crafted text can crash or stall Python's
parser; for starter code, which is ours, by the grader too. Imports only the standard library.

What a copy changes first leaves no trace: names, comments, docstrings, layout, values of constants, annotations, and
the order of functions. Names of a library's functions stay, because they tell `np.exp` from `np.log`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

TOKENS = 40_000  # of one file; the longest right answer has 2,000
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_IGNORED = (ast.Import, ast.ImportFrom, ast.expr_context, ast.Pass, ast.alias, ast.Global, ast.Nonlocal)
_NOT_WALKED = ("annotation", "returns", "decorator_list", "type_params", "type_comment", "docstring")
Part = tuple[list[str], list[int]]
_SAME = {"AnnAssign": "Assign", "AsyncFunctionDef": "FunctionDef", "JoinedStr": "Constant"}


def list_parts(text: str) -> list[Part]:
    """List the parts of a file, each the kinds of its nodes in the order of the text, and their lines.

    A part is a function, at the top or of a class at the top; the other statements of the file are the last part
    together. SyntaxError, ValueError, RecursionError or MemoryError if Python cannot parse the text.
    """
    tree = ast.parse(text)
    libraries = _find_libraries(tree)
    parts: list[Part] = []
    left = TOKENS
    for nodes in _split(tree):
        pairs = list(islice((pair for node in nodes for pair in _walk(node, libraries)), left + 1))
        left -= len(pairs)
        if left < 0:
            break
        parts.append(([kind for kind, _ in pairs], [line for _, line in pairs]))
    return parts


def _split(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield each function alone, then the other statements together."""
    others: list[ast.stmt] = []
    for top in tree.body:
        for node in top.body if isinstance(top, ast.ClassDef) else [top]:
            if isinstance(node, _FUNCTIONS):
                yield [node]
            else:
                others.append(node)
    yield others


def _find_libraries(tree: ast.Module) -> set[str]:
    """Find the names that imports bind to modules, such as np."""
    aliases = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    return {alias.asname or alias.name.partition(".")[0] for alias in aliases}


def _walk(root: ast.AST, libraries: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the kind and line of each node, a node before its parts; without recursion, however deep the tree is."""
    pending = [(root, 0)]
    while pending:
        node, line = pending.pop()
        if isinstance(node, _IGNORED) or _is_text(node):
            continue
        line = getattr(node, "lineno", line)
        yield _name_kind(node, libraries), line
        pending += [(each, line) for each in reversed(_list_parts(node))]


def _list_parts(node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for name, value in ast.iter_fields(node):
        if name not in _NOT_WALKED:
            found += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]
    return [] if isinstance(node, ast.JoinedStr) else found


def _name_kind(node: ast.AST, libraries: set[str]) -> str:
    kind = type(node).__name__
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in libraries:
        return f"{kind} {node.attr}"
    if isinstance(node, ast.Constant):
        return f"{kind} {type(node.value).__name__}"
    return _SAME.get(kind, kind)


def _is_text(node: ast.AST) -> bool:
    """Whether the node is a docstring, or another text that stands alone as a comment does."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
