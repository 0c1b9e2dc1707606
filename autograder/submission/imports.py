"""Imports: turns a submission's paths into the modules that a question's file can import, from its folder and above.

The imports are not parsed but over-estimated: a module counts as reachable if every part of its dotted name occurs as a
word in the texts reached so far. So a large submission is not read and sent to each worker as a whole.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from autograder.submission.file_tree import clean_path

_MODULES = 300  # modules of one question: a submission of thousands, each of which names the next
_WORD = re.compile(r"[^\W\d]\w*")
_IMPORTED = re.compile(r"^[ \t]*(?:import|from)[ \t]+(\w+)", re.MULTILINE)
_NEVER_SHADOWED = sys.stdlib_module_names | {"numpy"}


def is_package(path: str) -> bool:
    """Whether a helper's path is a package's `__init__`."""
    return path.endswith("/__init__.py")


def find_modules(folder: str, sources: Iterable[str]) -> dict[str, str]:
    """Find the paths of the modules that a folder on `sys.path` would have, by dotted name; a package comes first."""
    prefix = folder + "/" if folder else ""
    modules: dict[str, str] = {}
    for path in sources:
        if not path.startswith(prefix) or not path.endswith(".py"):
            continue
        name = path[len(prefix) : -len(".py")].replace("/", ".")
        if is_package(path):
            name = name.rpartition(".")[0]
        if all(map(_is_name, name.split("."))) and (is_package(path) or name not in modules):
            modules[name] = path
    return modules


def find_importable(folder: str, text: str, sources: Sequence[str]) -> dict[str, str]:
    """Find the modules that a file in a folder may import: from there and from the folders above, the nearest first.

    If its text changes `sys.path`, also those in any folder, unless two have the name.
    """
    modules = _find_anywhere(sources) if "sys.path" in text else {}
    for above in reversed([folder, *_list_folders_above(folder)]):
        modules |= find_modules(above, sources)
    return modules


def _find_anywhere(sources: Sequence[str]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for path in sources:
        for folder in _list_folders_above(path):
            for name in find_modules(folder, [path]):
                found.setdefault(name, []).append(path)
    single = {}
    for name, paths in found.items():
        if len(paths) == 1:
            single[name] = paths[0]
    return single


def _list_folders_above(path: str) -> Iterator[str]:
    """List the folders that a path lies in, the nearest first; the last is the submission's, ""."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def drop_standard_names(modules: Mapping[str, str]) -> dict[str, str]:
    """Drop the modules with a name of the standard library's or numpy's."""
    kept = {}
    for name, path in modules.items():
        if name.partition(".")[0] not in _NEVER_SHADOWED:
            kept[name] = path
    return kept


def describe_shadowed(modules: Mapping[str, str], text: str) -> tuple[str, ...]:
    """Write a note for each imported file with the name of a standard module, so that it is not found."""
    names = _NEVER_SHADOWED.intersection(modules, _IMPORTED.findall(text))
    problem = "has the name of a standard module, which is imported in its place; rename your file"
    return tuple(f"{clean_path(modules[name])} {problem}" for name in sorted(names))


def find_reachable(modules: Mapping[str, str], texts: Iterable[str], text_of: Callable[[str], str]) -> dict[str, str]:
    """Find the modules that code of these texts may import, directly or indirectly; `text_of` reads a path.

    At most `_MODULES` are taken, those that fewest steps lead to.
    """
    named: dict[str, list[str]] = {}
    for name in modules:
        for part in name.split("."):
            named.setdefault(part, []).append(name)
    words: set[str] = set()
    found: dict[str, str] = {}
    pending = list(texts)
    while pending:
        new_words: set[str] = set()
        for text in pending:
            new_words |= named.keys() & _WORD.findall(text)
        new_words -= words
        words |= new_words
        pending = []
        for word in sorted(new_words):
            for name in named[word]:
                if name not in found and words.issuperset(name.split(".")) and len(found) < _MODULES:
                    found[name] = modules[name]
                    pending.append(text_of(modules[name]))
    return found


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)
