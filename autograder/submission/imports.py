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
    """Whether a helper's path is that of a package's `__init__`."""
    return path.endswith("/__init__.py")


def find_modules(folder: str, sources: Iterable[str]) -> dict[str, str]:
    """Find the paths of the modules that a folder on `sys.path` would have, by dotted name; a package comes first."""
    prefix = folder + "/" if folder else ""
    modules: dict[str, str] = {}
    for path in sources:
        parts = path[len(prefix) : -len(".py")].split("/")
        if not (path.startswith(prefix) and path.endswith(".py") and all(map(_is_name, parts))):
            continue
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name and (is_package(path) or name not in modules):
            modules[name] = path
    return modules


def find_modules_above(folder: str, sources: Sequence[str]) -> dict[str, str]:
    """Find the modules that the folders above would have on `sys.path`; those of the nearest folder come first."""
    modules: dict[str, str] = {}
    for above in _list_folders_above(folder):
        modules = {**find_modules(above, sources), **modules}
    return modules


def find_modules_anywhere(text: str, sources: Sequence[str]) -> dict[str, str]:
    """Find the modules that some folder would have on `sys.path`, if the text changes that; none that two would."""
    found: dict[str, list[str]] = {}
    for path in sources if "sys.path" in text else ():
        for folder in _list_folders_above(path):
            for name in find_modules(folder, [path]):
                found.setdefault(name, []).append(path)
    return {name: paths[0] for name, paths in found.items() if len(paths) == 1}


def _list_folders_above(path: str) -> Iterator[str]:
    """List the folders that a path lies in, the nearest first; the last is that of the submission, ""."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def drop_standard_names(modules: Mapping[str, str]) -> dict[str, str]:
    """Drop the modules with a name of the standard library's or numpy's."""
    return {name: path for name, path in modules.items() if name.partition(".")[0] not in _NEVER_SHADOWED}


def describe_shadowed(modules: Mapping[str, str], text: str) -> tuple[str, ...]:
    """Write a note for each imported file whose name is that of a standard module, so that it is not found."""
    imported = set(_IMPORTED.findall(text))  # once: a long file beside three hundred others of such names
    paths = [modules[name] for name in sorted(imported & modules.keys() & _NEVER_SHADOWED)]
    problem = "has the name of a standard module, which is imported in its place; rename your file"
    return tuple(f"{clean_path(path)} {problem}" for path in paths)


def describe_cut(found: Mapping[str, str]) -> tuple[str, ...]:
    """Write a note if there may have been more modules than are taken."""
    if len(found) < _MODULES:
        return ()
    return (f"only the first {_MODULES} Python files that may be needed were taken; submit your own files only",)


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
        new_words = {word for text in pending for word in _WORD.findall(text) if word in named} - words
        words |= new_words
        candidates = dict.fromkeys(name for word in sorted(new_words) for name in named[word])
        names = [name for name in candidates if words.issuperset(name.split(".")) and name not in found]
        new = {name: modules[name] for name in names[: _MODULES - len(found)]}
        found.update(new)
        pending = [text_of(path) for path in new.values()]
    return found


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)
