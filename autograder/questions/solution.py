"""Solution: turns the text of a question's right solution in numpy into the file that students receive."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Sequence

from autograder.assignment import find_owner

_NUMPY = "import numpy as np"
_FOR_STUDENTS = f"{_NUMPY}  # noqa: F401  (for your code; if it is missing: python -m pip install numpy)"
_OWN_CHECKS = """if __name__ == "__main__":  # `python {0}.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("{0}.py"))"""
_ALLOWED = sys.stdlib_module_names | {"numpy"}  # what a solution may import
_NOT_WRITTEN = 'raise NotImplementedError("{} is not written yet")'


class SolutionError(Exception):
    """The file is no right solution of a question in numpy; the text says why."""


class Solution:
    """A right solution; SolutionError where its text is no Python, or imports more than numpy."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self._lines = text, text.splitlines()
        try:
            self._tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            raise SolutionError(f"{name} is no Python: {error}") from error
        for node in ast.walk(self._tree):
            for imported in _list_imported(node):
                if imported.partition(".")[0] not in _ALLOWED:
                    place = f"{name}:{getattr(node, 'lineno', 1)}"
                    raise SolutionError(f"{place}: imports {imported}; a right solution imports only numpy")

    def write_template(self, question_id: str, graded: Collection[str]) -> str:
        """Write the students' file: signatures and docstrings as they are, and nothing else of what is graded."""
        names: set[str] = set()
        for node in self._tree.body:
            if getattr(node, "name", "") in graded:
                names.update(_list_used(node))
        for node in reversed(self._tree.body):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and self._is_kept(node, graded, names):
                names.update(_list_used(node))
        imports: list[str] = []
        others: list[str] = []
        for node in self._tree.body:
            if self._is_kept(node, graded, names):
                is_import = isinstance(node, (ast.Import, ast.ImportFrom))
                blocks = imports if is_import else others
                blocks.append(self._write_node(node, question_id, names))
        head = [others.pop(0)] if self._has_docstring else []
        if imports:
            head.append("\n".join(imports))
        blocks = ["\n\n".join(head), *others, _OWN_CHECKS.format(question_id)]
        return "\n\n\n".join(blocks) + "\n"

    @property
    def _has_docstring(self) -> bool:
        return ast.get_docstring(self._tree) is not None

    def _is_kept(self, node: ast.stmt, graded: Collection[str], names: Collection[str]) -> bool:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return node.name in graded
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return any(isinstance(each, ast.Name) and each.id in names for each in targets)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if getattr(node, "module", "") == "__future__":
                return True
            bound = [alias.asname or alias.name for alias in node.names]
            return any(find_owner(name) in ("np", *names) for name in bound)
        return node is self._tree.body[0] and self._has_docstring

    def _write_node(self, node: ast.stmt, question_id: str, names: Collection[str]) -> str:
        if isinstance(node, ast.FunctionDef):
            return self._write_stub(node, f"{question_id}.{node.name}")
        if isinstance(node, ast.ClassDef):
            return self._write_class(node, question_id)
        text = self._cut(node.lineno, node.end_lineno or node.lineno)
        return _FOR_STUDENTS if text == _NUMPY and "np" not in names else text

    def _write_class(self, node: ast.ClassDef, question_id: str) -> str:
        start = _find_first_line(node)
        methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
        if not methods:
            return self._cut(start, node.end_lineno or 0)
        head = self._cut(start, _find_first_line(methods[0]) - 1)
        stubs = [self._write_stub(each, f"{question_id}.{node.name}.{each.name}") for each in methods]
        return "\n\n".join([head.rstrip(), *stubs])

    def _write_stub(self, node: ast.FunctionDef, name: str) -> str:
        """Write a function up to the end of its docstring, and a body that is not written."""
        first = node.body[0]
        last = first.lineno - 1
        if ast.get_docstring(node) is not None:
            last = first.end_lineno or first.lineno
        start = _find_first_line(node)
        header = self._cut(start, max(last, node.lineno))
        if first.lineno == node.lineno:  # `def f(x): return x`
            header = header[: first.col_offset].rstrip()
        indent = " " * (node.col_offset + 4)
        body = ("### YOUR CODE HERE", _NOT_WRITTEN.format(name), "### END YOUR CODE")
        return "\n".join([header, *(indent + line for line in body)])

    def _cut(self, first: int, last: int) -> str:
        return "\n".join(self._lines[first - 1 : last])


def _list_imported(node: ast.AST) -> Sequence[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or "."] if isinstance(node, ast.ImportFrom) else []


def _list_used(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement uses outside of the bodies of functions."""
    if isinstance(node, ast.Name):
        yield node.id
    body = node.body if isinstance(node, ast.FunctionDef) else []
    for each in ast.iter_child_nodes(node):
        if each not in body:
            yield from _list_used(each)


def _find_first_line(node: ast.FunctionDef | ast.ClassDef) -> int:
    lines = [each.lineno for each in node.decorator_list]
    return min([node.lineno, *lines])
