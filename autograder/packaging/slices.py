"""Slices: turns modules into the parts that a few names need, so that nothing else of a file is handed out.

A part is a top-level statement of a module, with the comment above it. Its dependencies are the names in it that the
module binds at top level and, through imports, those of other modules. Annotations have no dependencies; they are never
evaluated in a slice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_MARKS = "gradescope_utils.autograder_utils.decorators"
_FUTURE = "from __future__ import annotations"


class SliceError(Exception):
    """A module cannot be sliced; the text says why."""


def slice_modules(roots: Mapping[str, Path], wanted: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return, by path, the texts that define the `wanted` names of modules; `roots`: by package, the folder around it.

    Other modules are left as imports. Decorators with a test's points and visibility are left out. A parent package
    keeps its `__init__.py`, reduced to the needed parts or just its first line.
    """
    cutter = _Cutter(roots)
    for module, names in wanted.items():
        for name in names:
            cutter.require(module, name)
    return {cutter.find_path(name)[1]: module.render() for name, module in cutter.modules.items()}


class _Cutter:
    """Collects the needed statements."""

    def __init__(self, roots: Mapping[str, Path]) -> None:
        self.roots = roots
        self.modules: dict[str, _Module] = {}

    def find_path(self, module: str) -> tuple[Path, str]:
        """Find the file of a module, and return its path below the folder that holds its package too."""
        root = self.roots[module.partition(".")[0]]
        base = root.joinpath(*module.split("."))
        path = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        return path, path.relative_to(root).as_posix()

    def require(self, module: str, name: str) -> None:
        """Keep the statements that bind a name of a module, and their dependencies."""
        holder = self._load_module(module)
        if name not in holder.bindings:
            raise SliceError(f"{module} does not bind {name!r} at top level")
        if name in holder.kept:
            return
        holder.kept.add(name)
        for statement in holder.bindings[name]:
            if isinstance(statement, ast.ImportFrom):
                source, original = _find_origin(statement, name)
                if self._is_ours(source) and not self._is_ours(f"{source}.{original}"):
                    self.require(source, original)
            elif not isinstance(statement, ast.Import):
                self._require_names(holder, module, statement)

    def _require_names(self, holder: _Module, module: str, statement: ast.stmt) -> None:
        for node in _walk_evaluated(statement):
            if isinstance(node, ast.Name) and node.id in holder.bindings:
                self.require(module, node.id)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                target = self._resolve_alias(holder, node.value.id)
                if target is not None:
                    self.require(target, node.attr)

    def _resolve_alias(self, holder: _Module, name: str) -> str | None:
        """Return our module that a name refers to, also if another module of ours re-exports it."""
        for statement in holder.bindings.get(name, ()):
            if isinstance(statement, ast.ImportFrom):
                source, original = _find_origin(statement, name)
                if self._is_ours(f"{source}.{original}"):
                    return f"{source}.{original}"
                if self._is_ours(source):
                    return self._resolve_alias(self._load_module(source), original)
        return None

    def _is_ours(self, module: str) -> bool:
        return module.partition(".")[0] in self.roots and self.find_path(module)[0].exists()

    def _load_module(self, name: str) -> _Module:
        for end in range(1, name.count(".") + 2):
            package = ".".join(name.split(".")[:end])
            path, _ = self.find_path(package)
            if package not in self.modules and (path.exists() or package == name):
                self.modules[package] = _Module(path.read_text(encoding="utf-8"))
        return self.modules[name]


class _Module:
    """The source of a module, the statements that bind its names, and the names to keep."""

    def __init__(self, source: str) -> None:
        self.source, self.tree = source, ast.parse(source)
        self.kept: set[str] = set()
        self.bindings: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for name in _list_bound(statement):
                self.bindings.setdefault(name, []).append(statement)
        marks = {name for name, bound in self.bindings.items() if any(map(_is_marks_import, bound))}
        for statement in self.tree.body:
            if isinstance(statement, ast.FunctionDef):
                statement.decorator_list = [each for each in statement.decorator_list if _get_called(each) not in marks]
        self.bindings = {name: bound for name, bound in self.bindings.items() if name not in marks}

    def render(self) -> str:
        """Render the first line of the docstring and the kept statements, in source order."""
        first = (ast.get_docstring(self.tree) or "Part of the grader.").splitlines()[0]
        parts = [f'"""{first}"""\n\n{_FUTURE}\n']
        parts += [self._render_statement(each) for each in self.tree.body if self.kept.intersection(_list_bound(each))]
        return "\n".join(parts)

    def _render_statement(self, statement: ast.stmt) -> str:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            statement.names = [each for each in statement.names if _get_bound_name(each) in self.kept]
            return ast.unparse(statement) + "\n"
        lines = self.source.splitlines()
        start = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))]) - 1
        while start > 0 and lines[start - 1].startswith("#"):
            start -= 1
        return "\n".join(lines[start : statement.end_lineno]) + "\n"


def _is_marks_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == _MARKS


def _get_called(decorator: ast.expr) -> str:
    return decorator.func.id if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) else ""


def _find_origin(statement: ast.ImportFrom, name: str) -> tuple[str, str]:
    """Find the module from which a statement imports a name, and its name there."""
    return str(statement.module), next(each.name for each in statement.names if _get_bound_name(each) == name)


def _get_bound_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _list_bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement binds."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            yield from map(_get_bound_name, statement.names)
    elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
    elif isinstance(statement, ast.If):  # such as `if sys.version_info >= ...`
        for inner in (*statement.body, *statement.orelse):
            yield from _list_bound(inner)


def _walk_evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and its descendants, without annotations."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk_evaluated(child)
