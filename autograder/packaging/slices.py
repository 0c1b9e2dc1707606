"""Slices: turns modules into the parts of them that a few names need, so that nothing else of a file is handed out.

A part is a statement at the top of a module, with the comment above it. What it needs is read off its names: those
that the module binds at its top, and through imports those of other modules. Annotations need nothing; they are never
evaluated in a slice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Names = Mapping[str, Iterable[str]]  # by module, the names wanted of it

_MARKS = "gradescope_utils.autograder_utils.decorators"
_FUTURE = "from __future__ import annotations"


class SliceError(Exception):
    """A module cannot be cut; the text says what is not understood."""


def slices(root: Path, wanted: Names, *, packages: Iterable[str]) -> dict[str, str]:
    """By path the texts that define the `wanted` names, of the modules of these `packages` below `root`.

    Other modules are left as imports. The decorators that say what a test is worth are left out. A package on the way
    that has an `__init__.py` has one here, which holds what is needed of it, or its first line alone.
    """
    cutter = _Cutter(root, frozenset(packages))
    for module, names in wanted.items():
        for name in names:
            cutter.need(module, name)
    return {_path_of(root, name).relative_to(root).as_posix(): module.text() for name, module in cutter.modules.items()}


class _Cutter:
    """What is needed so far."""

    def __init__(self, root: Path, packages: frozenset[str]) -> None:
        self.root = root
        self.packages = packages
        self.modules: dict[str, _Module] = {}

    def need(self, module: str, name: str) -> None:
        """Keep what binds a name of a module, and what that needs in turn."""
        holder = self._module(module)
        statements = holder.bindings.get(name)
        if statements is None:
            raise SliceError(f"{module} binds no {name!r} at its top")
        for statement in statements:
            if name in holder.kept.setdefault(id(statement), set()):
                continue
            holder.kept[id(statement)].add(name)
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                self._need_import(statement, name)
            else:
                self._need_names(holder, module, statement)

    def _need_import(self, statement: ast.Import | ast.ImportFrom, name: str) -> None:
        if isinstance(statement, ast.ImportFrom) and self._is_ours(str(statement.module)):
            original = next(alias.name for alias in statement.names if (alias.asname or alias.name) == name)
            if not self._is_ours(f"{statement.module}.{original}"):
                self.need(str(statement.module), original)

    def _need_names(self, holder: _Module, module: str, statement: ast.stmt) -> None:
        for node in _evaluated(statement):
            if isinstance(node, ast.Name) and node.id in holder.bindings:
                self.need(module, node.id)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                target = self._aliased(holder, node.value.id)
                if target is not None:
                    self.need(target, node.attr)

    def _aliased(self, holder: _Module, name: str) -> str | None:
        """The module of ours that a name stands for, also where another module of ours re-exports it."""
        for statement in holder.bindings.get(name, ()):
            if isinstance(statement, ast.ImportFrom):
                original = next(alias.name for alias in statement.names if (alias.asname or alias.name) == name)
                if self._is_ours(f"{statement.module}.{original}"):
                    return f"{statement.module}.{original}"
                if self._is_ours(str(statement.module)):
                    return self._aliased(self._module(str(statement.module)), original)
        return None

    def _is_ours(self, module: str) -> bool:
        return module.partition(".")[0] in self.packages and _path_of(self.root, module).exists()

    def _module(self, name: str) -> _Module:
        for end in range(1, name.count(".") + 2):
            package = ".".join(name.split(".")[:end])
            path = _path_of(self.root, package)
            if package not in self.modules and (path.exists() or package == name):
                self.modules[package] = _Module(path.read_text(encoding="utf-8"))
        return self.modules[name]


@dataclass
class _Module:
    """The source of a module, and which names of which of its statements are kept, by the statement's id."""

    source: str
    kept: dict[int, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tree = ast.parse(self.source)
        self.bindings: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for name in _bound(statement):
                self.bindings.setdefault(name, []).append(statement)
        marks = {name for name, bound in self.bindings.items() if any(map(_imports_marks, bound))}
        for statement in self.tree.body:
            if isinstance(statement, ast.FunctionDef):
                statement.decorator_list = [each for each in statement.decorator_list if _called(each) not in marks]
        for name in marks:
            del self.bindings[name]

    def text(self) -> str:
        """The first line of the docstring and what is kept, in the order of the source."""
        first = (ast.get_docstring(self.tree) or "Part of the grader.").splitlines()[0]
        parts = [f'"""{first}"""\n\n{_FUTURE}\n']
        for statement in self.tree.body:
            if id(statement) in self.kept:
                parts.append(self._text_of(statement, self.kept[id(statement)]))
        return "\n".join(parts)

    def _text_of(self, statement: ast.stmt, names: set[str]) -> str:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            statement.names = [each for each in statement.names if _name_of(each) in names]
            return ast.unparse(statement) + "\n"
        lines = self.source.splitlines()
        start = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))]) - 1
        while start > 0 and lines[start - 1].startswith("#"):
            start -= 1
        return "\n".join(lines[start : statement.end_lineno]) + "\n"


def _path_of(root: Path, module: str) -> Path:
    base = root.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _imports_marks(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == _MARKS


def _called(decorator: ast.expr) -> str:
    return decorator.func.id if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) else ""


def _name_of(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a module binds."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            yield from map(_name_of, statement.names)
    elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
    elif isinstance(statement, ast.If):  # such as `if sys.version_info >= ...`
        for inner in (*statement.body, *statement.orelse):
            yield from _bound(inner)


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is below it, without annotations."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _evaluated(child)
