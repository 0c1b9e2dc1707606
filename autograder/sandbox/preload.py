"""Preload: chooses the library modules that a worker imports before it loses its rights and can read no more files.

Run by the grader, and `may_be_requested` by workers too. Most names are read from the source texts, which are untrusted
and are only searched with linear patterns, never parsed; each name found is in a fixed list. If no text names a module
(the library itself imports it late, or the import is built from strings), the worker that lacks it requests it, and is
replaced by a worker that has it. Of such a request the grader believes nothing: a name counts only if the library has a
file for it, so that a name cannot carry data of the student's choice.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterable
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from pathlib import Path

import numpy as np

from autograder.sandbox import limits as limit

# Modules whose import has side effects, opens windows, or that no assignment needs.
_EXCLUDED = frozenset(
    {"antigravity", "idlelib", "lib2to3", "site", "test", "tests", "this", "tkinter", "turtle", "turtledemo"}
)
_NUMPY_PARTS = frozenset({"char", "fft", "linalg", "ma", "matlib", "polynomial", "random", "testing", "typing"})
_NUMPY_PACKAGES = _NUMPY_PARTS | {
    "_core",
    "_typing",
    "_utils",
    "core",
    "ctypeslib",
    "lib",
    "matrixlib",
    "rec",
    "strings",
}
_FILE_SUFFIXES = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)
_NAMES = 100  # a text that names 100,000 modules, each of which a worker would search for
_IMPORT = re.compile(r"(?:^|[:;])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import|import[ \t]+([\w., \t]+))", re.MULTILINE)
_NUMPY_STAR = re.compile(r"^[ \t]*from[ \t]+numpy[ \t]+import[ \t]*\*", re.MULTILINE)
_STAR_PARTS = ("numpy.fft", "numpy.ma", "numpy.polynomial")  # which it loads, beside what each worker has
_NUMPY_PART = re.compile(rf"\b(?:np|numpy)\.({'|'.join(sorted(_NUMPY_PARTS))})\b")


def find_modules_to_preload(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the sorted names of the standard-library modules and numpy parts that the texts mention."""
    found: set[str] = set()
    for text in texts:
        for origin, several in _IMPORT.findall(text):
            found.update(part.split()[0] for part in (origin or several).split(",") if part.split())
        found.update(f"numpy.{part}" for part in _NUMPY_PART.findall(text))
        found.update(_STAR_PARTS if _NUMPY_STAR.search(text) else ())
    return tuple(sorted(name for name in found if _is_allowed(name))[:_NAMES])


def may_be_requested(name: str, libraries: Collection[str] = ()) -> bool:
    """Tell whether a worker may request this module: private library modules too, but never a program.

    `libraries`: the packages that the assignment declares beside numpy.
    """
    top, *parts = name.split(".")
    is_plain = all(part and part not in _EXCLUDED and not part.startswith("__") for part in (top, *parts))
    if top == "numpy":
        return is_plain and bool(parts) and parts[0] in _NUMPY_PACKAGES
    return is_plain and (top in sys.stdlib_module_names or top in libraries)


def _is_allowed(name: str) -> bool:
    if len(name) > limit.MODULE_NAME_CHARACTERS:
        return False
    top, *parts = name.split(".")
    if top == "numpy":
        return len(parts) == 1 and parts[0] in _NUMPY_PARTS
    # No part with an underscore: `import venv.__main__` would run a program with full rights.
    return may_be_requested(name) and not any(part.startswith("_") for part in (top, *parts))


def is_library_module(name: str, libraries: Collection[str] = ()) -> bool:
    """Whether a worker may have this module: the library has it, and it is no program.

    `libraries`: the packages that the assignment declares, which are installed beside numpy.
    """
    if len(name) > limit.MODULE_NAME_CHARACTERS or not may_be_requested(name, libraries):
        return False
    parts = name.split(".")
    if not all(part.isascii() and part.isidentifier() for part in parts):
        return False
    return name in sys.builtin_module_names or any(_has_module(folder, parts) for folder in _find_folders())


def _find_folders() -> tuple[Path, ...]:
    standard = Path(os.__file__).parent
    dynamic = Path(sys.base_exec_prefix, sys.platlibdir, standard.name, "lib-dynload")  # not the environment's
    return (standard, dynamic, Path(np.__file__).resolve().parents[1])


def _has_module(folder: Path, parts: list[str]) -> bool:
    path = folder.joinpath(*parts)
    files = [path / "__init__.py", *(path.with_name(path.name + each) for each in _FILE_SUFFIXES)]
    return any(each.is_file() for each in files)
