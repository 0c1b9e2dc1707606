"""Module code: compiles the text of a student's module, as a whole or statement by statement, so that it can be run.

Run in the worker next to student code, so trusted by nobody; and on a student's computer. A line that only a notebook
runs (`%matplotlib inline`, `files = !ls`) counts as `pass`, `from __future__ import` may be in any cell, and of a cell
that does not compile nothing is kept. A relative import that leads above its package is made absolute, since the file
of a question is in no package here.
"""

from __future__ import annotations
import __future__

import ast
import re
from types import CodeType, ModuleType
from typing import NamedTuple

from autograder.sandbox.requests import describe_exception

_CATCHES_IMPORT_ERROR = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
# Jupyter takes some commands without their sign too.
_NOTEBOOK_LINE = re.compile(
    r"([ \t]*)(?:(?:(?!(?:if|elif|while|assert|return)\b)\w[\w., \t]*=[ \t]*)?[%!?]|[\w.]+[ \t]*\?{1,2}[ \t]*$"
    r"|(?:pip|conda|cd|ls|cat|cp|mv|rm|mkdir|load_ext|matplotlib)[ \t]+[\w.~/-])"
)
_RELATIVE_IMPORT = re.compile(r"^[ \t]*from[ \t]+\.", re.MULTILINE)
_BLOCKS = ("body", "orelse", "finalbody")
_FIRST_CELL = "# code cell 1\n"  # where the source of a notebook begins
_CELLS = re.compile(r"^(?=# code cell \d+$)", re.MULTILINE)
_NOTEBOOK_LINES = 100  # each costs a parse: a file of ten thousand of them
# What `from __future__ import ...` sets in the code of a module, and what has its statements compiled alike.
_FUTURE_FLAGS = __future__.annotations.compiler_flag | __future__.barry_as_FLUFL.compiler_flag

LeftOut = tuple[str, int, str, str]  # path, line, the exception's type and text


class Source(NamedTuple):
    """The text of one module, the path that tracebacks show, and whether it is a package's `__init__`."""

    path: str
    text: str
    is_package: bool


class Statement(NamedTuple):
    """A statement at the top level of a file: the file's path, the statement's first line, and its code."""

    path: str
    line: int
    code: CodeType

    def run(self, module: ModuleType) -> list[LeftOut]:
        """Run it in its module; where it raises anything at all, it counts as left out."""
        try:
            exec(self.code, module.__dict__)  # noqa: S102  (the worker's purpose)
        except BaseException as error:  # noqa: BLE001  (student code may raise anything, SystemExit included)
            kind, _, text, *_ = describe_exception(error, ())
            return [(self.path, self.line, str(kind), str(text))]
        return []


def compile_module(name: str, source: Source) -> tuple[CodeType, frozenset[int]]:
    """Compile a module; return its code and its lines inside of a `try` that expects ImportError."""
    tree = _parse(name, source)
    return compile(tree, source.path, "exec", dont_inherit=True), _find_guarded_lines(tree, source.text)


def compile_statements(name: str, source: Source) -> tuple[list[Statement], frozenset[int]]:
    """Compile each statement of a module's top level; SyntaxError where the module as a whole does not compile."""
    tree = _parse(name, source)
    flags = compile(tree, source.path, "exec", dont_inherit=True).co_flags & _FUTURE_FLAGS
    statements = []
    for node in tree.body:
        code = compile(ast.Module([node], []), source.path, "exec", flags, dont_inherit=True)
        statements.append(Statement(source.path, _find_line(node), code))
    return statements, _find_guarded_lines(tree, source.text)


def _parse(name: str, source: Source) -> ast.Module:
    tree = _parse_text(source)
    depth = name.count(".") + source.is_package
    if _RELATIVE_IMPORT.search(source.text):
        _make_imports_absolute(tree, depth)
    return tree


def _parse_text(source: Source) -> ast.Module:
    """Parse a text, without what only a notebook runs if it does not compile with it."""
    text, path = source.text, source.path
    is_notebook = text.startswith(_FIRST_CELL)
    try:
        return _compile_cell(text, path) if is_notebook else _parse_in_order(text, path)
    except SyntaxError:
        kept = "".join(map(_replace_broken, _CELLS.split(text))) if is_notebook else _drop_notebook_lines(text)
        return _parse_in_order(kept, path)


def _parse_in_order(text: str, path: str) -> ast.Module:
    """Parse a text, and put what it imports from the future first."""
    tree = ast.parse(text, filename=path)
    start = ast.get_docstring(tree) is not None
    tree.body[start:] = sorted(tree.body[start:], key=lambda node: not _is_of_future(node))
    return tree


def _is_of_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _compile_cell(text: str, path: str) -> ast.Module:
    """Parse a text that compiles; SyntaxError for others, such as a cell with a `return`, which can be parsed."""
    tree = _parse_in_order(text, path)
    compile(tree, path, "exec", dont_inherit=True)
    return tree


def _replace_broken(cell: str) -> str:
    """Return the text of a notebook's cell; for one that does not compile, a statement that fails and says so."""
    kept = _drop_notebook_lines(cell)
    try:
        _compile_cell(kept, "")
    except SyntaxError as error:
        problem = f"this cell does not compile: {error.msg}, in its line {(error.lineno or 1) - 1}"  # below its head
        return f"raise ValueError({problem!r})" + "\n" * cell.count("\n")
    return kept


def _drop_notebook_lines(text: str) -> str:
    """Return a text without the lines that only a notebook runs, as far as it does not compile with them."""
    lines = text.split("\n")
    for _ in range(_NOTEBOOK_LINES):
        try:
            ast.parse("\n".join(lines))
            break
        except SyntaxError as error:
            number = (error.lineno or 0) - 1
            found = _NOTEBOOK_LINE.match(lines[number]) if 0 <= number < len(lines) else None
            if found is None:
                break
            _leave_out(lines, number, found.group(1))
    return "\n".join(lines)


def _leave_out(lines: list[str], number: int, indent: str) -> None:
    """Replace a line, and those that it goes on in."""
    while lines[number].endswith("\\") and number + 1 < len(lines):
        lines[number] = f"{indent}pass"
        number += 1
    lines[number] = f"{indent}pass"


def _make_imports_absolute(tree: ast.Module, depth: int) -> None:
    """Change the relative imports that lead above the package of a module `depth` packages deep."""
    for parent in ast.walk(tree):
        for name in _BLOCKS:
            block = getattr(parent, name, None)
            if isinstance(block, list):  # the body of a lambda is none
                block[:] = [_make_absolute(node, depth) for node in block]


def _make_absolute(node: ast.stmt, depth: int) -> ast.stmt:
    """Turn `from .tools import f` into `from tools import f`, `from . import tools` into `import tools`."""
    if not isinstance(node, ast.ImportFrom) or node.level <= depth:
        return node
    if node.module is None and node.names[0].name == "*":
        return node
    made = ast.Import(node.names) if node.module is None else ast.ImportFrom(node.module, node.names, 0)
    return ast.copy_location(made, node)


def _find_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _find_guarded_lines(tree: ast.Module, text: str) -> frozenset[int]:
    lines: set[int] = set()
    if "try" not in text:
        return frozenset()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(_is_import_guard(handler) for handler in node.handlers):
            lines.update(range(node.lineno, (node.body[-1].end_lineno or node.lineno) + 1))
    return frozenset(lines)


def _is_import_guard(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(name, ast.Name) and name.id in _CATCHES_IMPORT_ERROR for name in names)
