"""Clean state: tells whether code has left anything behind that later code would see, and takes away what it may.

Run in the worker beside student code, so trusted by nobody: it keeps honest code apart. What a test found may not help
the next one to pass: modules of the submission are imported afresh, random numbers begin anew, and whatever else has
changed (a patched module, a setting of numpy's, a thread) ends the script.
"""

from __future__ import annotations

import builtins
import gc
import os
import random
import signal
import sys
import threading
import warnings
from collections.abc import Collection, Iterator
from operator import is_
from types import ModuleType
from typing import Any

import numpy as np

from autograder.sandbox import limits as limit

_WATCHED = ("builtins", "numpy", "numpy.linalg", "numpy.random", "os", "random", "math", "copy", "sys", "time")
_NOT_COMPARED = frozenset({"__warningregistry__", "_"})


class CleanState:
    """What modules, settings and generators were like before any code of the submission ran."""

    def __init__(self, names: Collection[str]) -> None:
        """Remember the state; `names`: the modules that the submission's files name, which are watched too."""
        self._modules = dict(sys.modules)
        self._finders = list(sys.meta_path)
        self._watched = {name: dict(vars(sys.modules[name])) for name in _list_watched(names)}
        self._classes = [(kind, dict(vars(kind))) for name in names for kind in _list_classes(name)]
        self._settings = _read_settings()

    def restore(self) -> bool:
        """Take the submission's modules out, and begin all random numbers anew; False where something else changed."""
        sys.meta_path[:] = self._finders
        for name in [name for name in sys.modules if name not in self._modules]:
            if not _is_of_submission(sys.modules[name]):
                return False
            del sys.modules[name]
        try:
            if len(sys.modules) != len(self._modules):
                return False
            np.random.seed(limit.WORKER_SEED)  # noqa: NPY002  (the one that student code uses)
            random.seed(limit.WORKER_SEED)
            return self._is_same()
        except Exception:  # noqa: BLE001  (what cannot be compared counts as changed)
            return False

    def _is_same(self) -> bool:
        return (
            all(map(is_, self._modules.values(), sys.modules.values()))
            and all(_is_unchanged(self._watched[name], vars(self._modules[name])) for name in self._watched)
            and all(_is_unchanged(before, vars(kind)) for kind, before in self._classes)
            and _read_settings() == self._settings
        )


def _list_watched(names: Collection[str]) -> Iterator[str]:
    parts = (name.split(".") for name in names)
    parents = {".".join(each[: end + 1]) for each in parts for end in range(len(each))}
    yield from (name for name in sorted(parents.union(_WATCHED)) if isinstance(sys.modules.get(name), ModuleType))


def _list_classes(name: str) -> Iterator[type]:
    values = vars(sys.modules[name]).values() if name in sys.modules else ()
    yield from (each for each in values if isinstance(each, type) and each.__module__ == name)


def _is_unchanged(before: dict[str, Any], after: Any) -> bool:
    """Whether names still stand for the same objects."""
    if len(before) == len(after):
        return all(map(is_, before, after)) and all(map(is_, before.values(), after.values()))
    added = [name for name in after if name not in before and name not in _NOT_COMPARED]
    return not added and all(after.get(name, before) is value for name, value in before.items())


def _read_settings() -> tuple[object, ...]:
    """Read what code may set for the whole process."""
    return (
        np.geterr(),
        np.geterrcall(),
        repr(np.get_printoptions()),
        list(warnings.filters),
        sys.getrecursionlimit(),
        sys.gettrace(),
        sys.getprofile(),
        threading.active_count(),
        gc.isenabled(),
        dict(os.environ),
        list(sys.path),
        signal.getsignal(signal.SIGALRM),
        builtins.open,
    )


def _is_of_submission(module: object) -> bool:
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    return type(loader).__module__ == "autograder.sandbox.worker.importer"
