"""Clean state: puts back what the code of one test left behind, and tells whether anything else of it remains.

Run in the worker beside student code, so trusted by nobody: it keeps honest code apart. What a test found may not help
the next one to pass: modules of the submission are imported afresh, random numbers begin anew, settings that files
often make are put back, and whatever else has changed (a patched module, a thread) ends the script.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal.getsignal takes ten times as long
import _thread
import gc
import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograder.sandbox.calls.requests import seed_generators
from autograder.sandbox.worker.scratch_files import ScratchFiles

_WATCHED = ("builtins", "numpy", "numpy.linalg", "numpy.random", "os", "random", "math", "copy", "sys", "time")
_NOT_COMPARED = ("__warningregistry__", "_")
_MADE_AT_RUN_TIME = 1 << 9  # Py_TPFLAGS_HEAPTYPE; other classes, such as most of numpy's, cannot be patched
_IMPORTERS = ("autograder.sandbox.worker.importer", "autograder.sandbox.worker.stubs")
_SIGNALS = range(1, _signal.NSIG)


class _Setting(NamedTuple):
    """Something that code may set for the whole process; without `write`, a change of it ends the script."""

    read: Callable[[], Any]
    write: Callable[[Any], object] | None = None


class CleanState:
    """What modules, settings and generators were like before any code of the submission ran."""

    def __init__(self, names: Collection[str], files: ScratchFiles) -> None:
        """Remember the state; `names`: the modules that the submission's files name, which are watched too."""
        self._files = files
        self._modules = dict(sys.modules)
        self._finders = [each for each in sys.meta_path if not _is_of_importer(each)]
        watched = [*_list_watched(names), *_list_classes({*names, "random"})]
        self._watched = [(vars(each), dict(vars(each))) for each in watched]
        self._settings = [(each, each.read()) for each in _SETTINGS]

    def restore(self) -> bool:
        """Take out the submission's modules and finders, and begin all random numbers anew.

        False where something else has changed.
        """
        try:
            sys.meta_path[:] = self._finders
            for name in sys.modules.keys() - self._modules.keys():
                if not _is_of_submission(sys.modules[name]):
                    return False
                del sys.modules[name]
            self._files.forget()
            seed_generators()
            if sys.modules != self._modules:
                return False
            if not all(_is_unchanged(*each) for each in self._watched):
                return False
            return all(_put_back(*each) for each in self._settings)
        except Exception:  # noqa: BLE001  (what cannot be compared counts as changed)
            return False


def _list_watched(names: Collection[str]) -> Iterator[ModuleType]:
    """List the modules that are watched, with the packages that hold them."""
    watched = {*_WATCHED}
    for name in names:
        while name:
            watched.add(name)
            name, _, _ = name.rpartition(".")
    for name in sorted(watched):
        module = sys.modules.get(name)
        if isinstance(module, ModuleType):
            yield module


def _list_classes(names: Collection[str]) -> Iterator[type]:
    """List the classes of modules that code can patch."""
    for name in names:
        if name in sys.modules:
            for each in vars(sys.modules[name]).values():
                if isinstance(each, type) and each.__module__ == name and each.__flags__ & _MADE_AT_RUN_TIME:
                    yield each


def _is_unchanged(now: Mapping[str, Any], before: dict[str, Any]) -> bool:
    """Whether names still stand for the same objects, or for equal ones."""
    if now == before:
        return True
    return _drop_not_compared(now) == _drop_not_compared(before)


def _drop_not_compared(names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if name not in _NOT_COMPARED}


def _put_back(setting: _Setting, before: object) -> bool:
    """Give a setting its old value; False where that cannot be."""
    if setting.read() == before:
        return True
    if setting.write is None:
        return False
    setting.write(before)
    return bool(setting.read() == before)


def _put_filters(filters: list[Any]) -> None:
    warnings.resetwarnings()  # so that Python forgets which warnings it has shown by the filters of now
    warnings.filters[:] = filters  # type: ignore[index]


def _read_decimal() -> str:
    decimal = sys.modules.get("decimal")
    return repr(decimal.getcontext()) if decimal is not None else ""


_SETTINGS = (
    _Setting(np.geterr, lambda before: np.seterr(**before)),
    _Setting(np.geterrcall, np.seterrcall),
    _Setting(np.get_printoptions, lambda before: np.set_printoptions(**before)),
    _Setting(np.getbufsize, np.setbufsize),
    _Setting(lambda: list(warnings.filters), _put_filters),
    _Setting(sys.getrecursionlimit, sys.setrecursionlimit),
    _Setting(lambda: list(sys.path), lambda before: sys.path.__setitem__(slice(None), before)),
    _Setting(lambda: list(sys.argv)),
    _Setting(lambda: dict(os.environ)),
    _Setting(lambda: (sys.gettrace(), sys.getprofile())),
    _Setting(_thread._count),
    _Setting(lambda: (gc.isenabled(), gc.get_threshold())),
    _Setting(lambda: [_signal.getsignal(number) for number in _SIGNALS]),
    _Setting(_read_decimal),
)


def _is_of_submission(module: object) -> bool:
    return _is_of_importer(getattr(getattr(module, "__spec__", None), "loader", None))


def _is_of_importer(value: object) -> bool:
    return type(value).__module__ in _IMPORTERS
