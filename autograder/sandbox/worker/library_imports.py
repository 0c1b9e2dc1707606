"""Library imports: loads library modules while files can still be read, and notices imports that come too late.

`load_for_all` and `load_declared` are run by the zygote, `load_named` by workers before they lose their rights: all
with the grader's rights. They trust the grader, which names modules of the standard library, numpy, its own and those
that the assignment declares. `LateImports` runs in the worker after it has lost its rights and trusts nothing: it can
only request, by name, a worker that has the module, and the grader decides. Without it, the files that a machine lets a
worker read would decide whether an import works.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib.machinery import ModuleSpec

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.preload import may_be_requested
from autograder.sandbox.protocol import tensors

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
_NUMPY_PARTS = ("numpy.linalg", "numpy.random", "numpy.typing")
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


def load_for_all() -> None:
    """Load the modules that every worker needs, and restore names that numpy has removed."""
    for module in (*_LOADED_BEFORE_THE_FORK, *_ENCODINGS, *_NUMPY_PARTS, _READER):
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
