"""Staff files: hashes, for each question, the files of the staff that its results depend on.

A module of hidden tests, references or mistakes belongs to the questions that import it, directly or indirectly; each
other file, the grader's own code among them, belongs to all questions. A module that only a name computed at run time
leads to cannot be found, so a question whose code imports by name depends on all files.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

from autograder.assignment import DECLARATION, HIDDEN, MISTAKES, REFERENCE, Assignment
from autograder.grading.identity import list_libraries, list_staff_files

_READS_ASSIGNMENT = re.compile(r"assignment\.toml|\b(?:read|load)_assignment\b")
_DECORATED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS_BY_NAME = re.compile(r"\bimportlib\b|\b__import__\b|\brunpy\b|\bexec\(")


@dataclass(frozen=True)
class StaffFiles:
    """What the results of each question depend on beside the submission.

    `hashes`: by question id, of the staff's files. `groups`: the questions, those together whose results may depend on
    each other: tests of one call functions of another.
    """

    hashes: Mapping[str, str]
    groups: tuple[tuple[str, ...], ...]


def hash_staff_files(assignment: Assignment) -> StaffFiles:
    """Hash the files of the grader and of the assignment; OSError if one cannot be read."""
    sources = _Sources({path: file.read_bytes() for path, file in list_staff_files(assignment)})
    owned = {question.stem: sources.find_owned(question.stem) for question in assignment.questions}
    common = sources.hash_files(set(sources.files).difference({DECLARATION}, *owned.values()))
    aliases = {name: asdict(alias) for name, alias in assignment.aliases.items()}
    libraries = [assignment.libraries, list_libraries(assignment)]  # the names, and what is installed of them
    shared = json.dumps([aliases, libraries, asdict(assignment.limits)])
    tables = {question.stem: json.dumps(asdict(question), default=str) for question in assignment.questions}
    hashes = {stem: _hash_texts(common, shared, sources.hash_files(owned[stem]), tables[stem]) for stem in owned}
    links = {stem: sources.find_words(stem).intersection(owned) for stem in owned}
    return StaffFiles(hashes, tuple(_group_linked(links)))


@dataclass(frozen=True)
class _Sources:
    """The bytes of all files, by their paths."""

    files: Mapping[str, bytes]

    def find_owned(self, stem: str) -> set[str]:
        """Find the files that belong to a question and not to all."""
        found = self._find_modules(stem)
        # Not the code that loads the mistakes of all questions, which imports by name.
        own = [path for path in found if not path.startswith(f"{MISTAKES}/") or path == f"{MISTAKES}/{stem}.py"]
        if any(_IMPORTS_BY_NAME.search(self._read(path)) for path in own):
            return set(self.files)
        return found | ({DECLARATION} if any(_READS_ASSIGNMENT.search(self._read(path)) for path in own) else set())

    def find_words(self, stem: str) -> set[str]:
        """Find words in the tests of a question; they name each question whose functions they call."""
        tests = (path for path in self._find_modules(stem) if path.startswith(HIDDEN))
        return set().union(*(_find_words(ast.parse(self.files[path])) for path in tests))

    def hash_files(self, paths: Collection[str]) -> str:
        """Hash the paths and bytes of files."""
        return _hash_texts(*(f"{path} {hashlib.sha256(self.files[path]).hexdigest()}" for path in sorted(paths)))

    def _find_modules(self, stem: str) -> set[str]:
        """Find the modules of tests, references and mistakes that a question imports, directly or indirectly."""
        roots = (f"{HIDDEN}/test_{stem}.py", f"{REFERENCE}/{stem}.py", f"{MISTAKES}/{stem}.py")
        pending = [path for path in roots if path in self.files]
        found: set[str] = set()
        while pending:
            path = pending.pop()
            found.add(path)
            named = {self._modules[name] for name in self._imported[path] if name in self._modules}
            pending += named.difference(found)
        return found

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The modules that may belong to single questions, by the names under which they are imported."""
        folders = tuple(f"{folder}/" for folder in (HIDDEN, REFERENCE, MISTAKES))
        owned = (path for path in self.files if path.endswith(".py") and path.startswith(folders))
        return {_name_module(path): path for path in owned}

    @cached_property
    def _imported(self) -> dict[str, frozenset[str]]:
        """By path, the names that each module imports."""
        trees = ((path, ast.parse(self.files[path])) for path in self._modules.values())  # one at a time in memory
        return {path: frozenset(_list_imported(tree, path)) for path, tree in trees}

    def _read(self, path: str) -> str:
        return self.files[path].decode(errors="replace")


def _name_module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _list_imported(tree: ast.Module, path: str) -> Iterator[str]:
    """List the names of modules that a module may import, and of the packages that hold them and itself."""
    package = path.rpartition("/")[0].split("/")
    yield from _list_with_packages(".".join(package))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(filter(None, [above, node.module]))
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            yield from _list_with_packages(name)


def _list_with_packages(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _find_words(tree: ast.Module) -> set[str]:
    """Find the attributes and whole strings in a module, without those of decorators, which only label tests."""
    nodes = list(ast.walk(tree))
    decorators = [each for node in nodes if isinstance(node, _DECORATED) for each in node.decorator_list]
    labels = {id(node) for each in decorators for node in ast.walk(each)}
    strings = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in labels]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return attributes | {node.value for node in strings if isinstance(node.value, str)}


def _group_linked(links: Mapping[str, Collection[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the questions that are linked, directly or through others, together."""
    groups = {stem: {stem} for stem in links}
    for stem, others in links.items():
        joined = set().union(*(groups[each] for each in (stem, *others)))
        groups |= dict.fromkeys(joined, joined)
    for stem, group in groups.items():
        together = tuple(each for each in links if each in group)
        if stem == together[0]:
            yield together


def _hash_texts(*texts: str) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()
