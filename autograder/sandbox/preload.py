"""Preload: chooses the library modules that workers have, loads them, and notices imports that come too late.

A worker can read no files once it has lost its rights. The grader chooses, from the source texts, which are untrusted
and are only searched with linear patterns, never parsed; each name found is in a fixed list. The zygote loads what all
workers need, a worker what is chosen, both with the grader's rights: they trust the grader. If no text names a module
(the library itself imports it late, or the import is built from strings), the worker that lacks it can only request
it, by name, and is replaced by a worker that has it: else the files that a machine lets a worker read would decide
whether an import works. Of such a request the grader believes nothing: a name counts only if the library has a file for
it, so that a name cannot carry data of the student's choice.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, ModuleSpec
from pathlib import Path

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import tensors

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
_STAR_PARTS = ("numpy.fft", "numpy.ma", "numpy.polynomial")  # which it loads, besides what each worker has
_NUMPY_PART = re.compile(rf"\b(?:np|numpy)\.({'|'.join(sorted(_NUMPY_PARTS))})\b")
# Loaded once in the zygote, so that forks inherit them: saves 20 ms a worker for numpy.random, 1 for numpy.typing.
# The last two are imported by Python itself when it compiles a name that is not ASCII, or parses a date.
_LOADED_BEFORE_THE_FORK = (
    "collections",
    "copy",
    "dataclasses",
    "functools",
    "math",
    "random",
    "typing",
    "zipfile",
    "unicodedata",
    "_strptime",
)
_READER = "autograder.sandbox.worker.answer_file"  # of answer files; saves 70 ms a worker for its parsers
_ENCODINGS = ("encodings.ascii", "encodings.cp1252", "encodings.latin_1", "encodings.utf_16", "encodings.utf_8_sig")
_NUMPY_FOR_ALL = ("numpy.linalg", "numpy.random", "numpy.typing")
_SUBMODULES_FOR_ALL = frozenset({"collections.abc", "os.path", *_NUMPY_FOR_ALL})
# Parts of numpy that `from numpy import *` would load too: f2py and distutils may not be, the others slow each worker.
_NOT_IN_A_STAR = frozenset({"char", "core", "ctypeslib", "distutils", "f2py", "rec", "strings", "testing"})
# Names that numpy 1.24 and 2.0 removed: right code for older versions keeps working, and the report mentions it.
_REMOVED_FROM_NUMPY: dict[str, object] = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "object": object,
    "str": str,
    "float_": np.float64,
    "Inf": np.inf,
    "infty": np.inf,
    "NaN": np.nan,
    "product": np.prod,
    "cumproduct": np.cumprod,
    "alltrue": np.all,
    "sometrue": np.any,
    "mat": np.asmatrix,
    "asscalar": lambda value: value.item(),
}


def find_modules_to_preload(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the sorted names of the standard-library modules and numpy parts that the texts mention."""
    found: set[str] = set()
    for text in texts:
        for origin, several in _IMPORT.findall(text):
            for part in (origin or several).split(","):
                words = part.split()
                found.update(words[:1])
        found.update(f"numpy.{part}" for part in _NUMPY_PART.findall(text))
        found.update(_STAR_PARTS if _NUMPY_STAR.search(text) else ())
    return tuple(sorted(name for name in found if _is_allowed(name))[:_NAMES])


def find_submodules(names: Iterable[str]) -> frozenset[str]:
    """Find the submodules, which become attributes of modules that other files import, where few workers have them."""
    return frozenset(name for name in names if "." in name) - _SUBMODULES_FOR_ALL


def may_be_requested(name: str, libraries: Collection[str] = ()) -> bool:
    """Return whether a worker may request this module: private library modules too, but never a program.

    `libraries`: the packages that the assignment declares besides numpy.
    """
    if len(name) > limit.MODULE_NAME_CHARACTERS:
        return False
    top, *parts = name.split(".")
    is_plain = all(part and part not in _EXCLUDED and not part.startswith("__") for part in (top, *parts))
    if top == "numpy":
        return is_plain and bool(parts) and parts[0] in _NUMPY_PACKAGES
    return is_plain and (top in sys.stdlib_module_names or top in libraries)


def _is_allowed(name: str) -> bool:
    top, *parts = name.split(".")
    if top == "numpy":
        return len(parts) == 1 and parts[0] in _NUMPY_PARTS
    # No part with an underscore: `import venv.__main__` would run a program with full rights.
    return may_be_requested(name) and not any(part.startswith("_") for part in (top, *parts))


def is_library_module(name: str, libraries: Collection[str] = ()) -> bool:
    """Whether a worker may have this module: the library has it, and it is no program.

    `libraries`: the packages that the assignment declares, which are installed besides numpy.
    """
    parts = name.split(".") if may_be_requested(name, libraries) else []
    if not parts or not all(part.isascii() and part.isidentifier() for part in parts):
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


def load_for_all() -> None:
    """Load the modules that every worker needs, and restore names that numpy has removed."""
    for module in (*_LOADED_BEFORE_THE_FORK, *_ENCODINGS, *_NUMPY_FOR_ALL, _READER):
        importlib.import_module(module)
    np.random.default_rng(0)
    for name, value in _REMOVED_FROM_NUMPY.items():
        if name not in np.__dict__:
            setattr(np, name, value)
    np.__all__ = [name for name in np.__all__ if name not in _NOT_IN_A_STAR]


def load_declared(names: Sequence[str]) -> int:
    """Load the libraries that an assignment declares; return the bytes of address space that they take.

    Any error ends the zygote, since no right solution could pass without them.
    """
    if not names:
        return 0
    before = limit.measure_address_space()
    tempfile.gettempdir()  # remembered: where nothing can be written, modules that ask for it cannot be imported
    for name in names:
        importlib.import_module(name)
    tensors.warm_up()
    return limit.measure_address_space() - before


def load_named(names: Iterable[str]) -> None:
    """Import the named modules; ignore those that this system lacks."""
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException:  # noqa: BLE001, S112  (modules of other systems may raise any exception)
            continue


class LateImports:
    """Ends the meta path: requests a worker with the library module that no other finder found.

    `tried`: modules that this worker could not import even with full rights. `libraries`: the declared packages.
    """

    def __init__(
        self, tried: Collection[str], request_worker: Callable[[str], object], libraries: Collection[str] = ()
    ) -> None:
        self._tried, self._libraries = frozenset(tried), frozenset(libraries)
        self._request_worker = request_worker

    def install(self) -> None:
        """Limit imports to loaded modules, and end the search for others here."""
        sys.path.clear()
        sys.meta_path.append(self)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Request a worker with a library module; return None, which means missing, for all others."""
        if name not in self._tried and may_be_requested(name, self._libraries):
            self._request_worker(name)
        return None
