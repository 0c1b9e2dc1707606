"""Clean state: puts back what the code of one test left behind, and reports whether anything else of it remains.

The files that code writes are kept in the worker's memory. The kernel would refuse its writes anyway (the file size
limit is 0); this makes code that saves its parameters work unchanged.

Run in the worker next to student code, so trusted by nobody: it keeps honest code apart. What a test found may not help
the next one to pass: modules of the submission are imported afresh, random numbers begin anew, settings that files
often make are put back, and whatever else has changed (a patched module, a thread) ends the script.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal.getsignal takes ten times as long
import _thread
import builtins
import gc
import io
import os
import pathlib
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from types import ModuleType
from typing import IO, Any

import numpy as np

from autograder.sandbox.requests import seed_generators

_WATCHED = ("builtins", "numpy", "numpy.linalg", "numpy.random", "os", "random", "math", "copy", "sys", "time")
_MADE_AT_RUN_TIME = 1 << 9  # Py_TPFLAGS_HEAPTYPE; other classes, such as most of numpy's, cannot be patched
_real_open = open
_SIGNALS = range(1, _signal.NSIG)


class ScratchFiles:
    """The files written by one worker, by the path that the code used."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def install(self) -> None:
        """Replace the built-in `open`, `mkdir` and the functions that return the current folder.

        The kernel's current folder is a removed one, which has no name.
        """
        builtins.open = self.open  # type: ignore[assignment]
        io.open = self.open  # type: ignore[assignment]
        os.getcwd = lambda: "/"
        os.getcwdb = lambda: b"/"
        os.mkdir = self.mkdir
        accessor: Any = getattr(pathlib, "_normal_accessor", None)  # Python 3.10 has its own references to both
        if accessor is not None:
            accessor.open, accessor.mkdir = self.open, self.mkdir

    def forget(self) -> None:
        """Forget all files; one that is still open is lost when it is closed."""
        self._contents = {}

    def mkdir(self, path: Any, *arguments: Any, **keywords: Any) -> None:
        """Do nothing in place of `os.mkdir`: files are kept by their whole path, so no folder is needed."""

    def open(self, file: Any, mode: str = "r", *arguments: Any, **keywords: Any) -> IO[Any]:
        """Open a file like the built-in `open`, but keep written files in memory; one that is not here is read."""
        if isinstance(file, int):
            return _real_open(file, mode, *arguments, **keywords)
        path = os.path.normpath(os.fsdecode(file))
        is_write = any(letter in mode for letter in "wax+")
        if not is_write and path not in self._contents:
            return _real_open(file, mode, *arguments, **keywords)
        if "x" in mode and path in self._contents:
            raise FileExistsError(path)
        raw = _KeptFile(self._contents, path, b"" if "w" in mode else self._contents.get(path, b""))
        if "a" in mode:
            raw.seek(0, os.SEEK_END)
        return raw if "b" in mode else _wrap_text(raw, *arguments[1:], **keywords)


class _KeptFile(io.BytesIO):
    """A file whose bytes are kept under its path when it is closed or flushed."""

    def __init__(self, contents: dict[str, bytes], path: str, initial: bytes) -> None:
        super().__init__(initial)
        self._contents = contents
        self.name = path
        self.flush()

    def flush(self) -> None:
        """Keep the bytes written so far."""
        self._contents[self.name] = self.getvalue()

    def close(self) -> None:
        """Keep the content, then close."""
        if not self.closed:
            self.flush()
        super().close()


def _wrap_text(raw: io.BytesIO, *arguments: Any, **keywords: Any) -> io.TextIOWrapper:
    encoding, errors, newline = [*arguments, None, None, None][:3]
    return io.TextIOWrapper(
        raw,
        encoding=keywords.get("encoding", encoding) or "utf-8",
        errors=keywords.get("errors", errors),
        newline=keywords.get("newline", newline),
        write_through=True,
    )


class CleanState:
    """What modules, settings and generators were like before any code of the submission ran."""

    def __init__(self, names: Collection[str], files: ScratchFiles) -> None:
        """Remember the state; `names`: the modules that the submission's files name, which are watched too."""
        self._files = files
        self._modules = dict(sys.modules)
        self._finders = [each for each in sys.meta_path if not _is_of_importer(each)]
        self._named = list(_list_watched(names))
        self._forget_warnings()
        watched = [*self._named, *_list_classes({*names, "random"})]
        self._watched = [(vars(each), dict(vars(each))) for each in watched]
        self._settings = _read_settings()

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
            self._forget_warnings()
            for (read, write), before in zip(_PUT_BACK, self._settings, strict=False):
                if read() != before:
                    write(before)
            is_unchanged = all(now == before for now, before in self._watched)
            return is_unchanged and sys.modules == self._modules and _read_settings() == self._settings
        except Exception:  # noqa: BLE001  (what cannot be compared counts as changed)
            return False

    def _forget_warnings(self) -> None:
        for module in self._named:
            for name in ("__warningregistry__", "_"):  # which Python itself sets in modules
                vars(module).pop(name, None)


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


def _put_filters(filters: list[Any]) -> None:
    warnings.resetwarnings()  # so that Python forgets which warnings it has shown by the filters of now
    warnings.filters[:] = filters  # type: ignore[index]


def _read_decimal() -> str:
    decimal = sys.modules.get("decimal")
    return repr(decimal.getcontext()) if decimal is not None else ""


# What code may set for the whole process: what files often set is put back, by how it is read and written, and a change
# of anything else ends the script.
_PUT_BACK: Sequence[tuple[Callable[[], Any], Callable[[Any], object]]] = (
    (np.geterr, lambda before: np.seterr(**before)),
    (np.geterrcall, np.seterrcall),
    (np.get_printoptions, lambda before: np.set_printoptions(**before)),
    (np.getbufsize, np.setbufsize),
    (lambda: list(warnings.filters), _put_filters),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (lambda: list(sys.path), lambda before: sys.path.__setitem__(slice(None), before)),
)
_READ: Sequence[Callable[[], Any]] = (
    *(read for read, _ in _PUT_BACK),
    lambda: list(sys.argv),
    lambda: dict(os.environ),
    lambda: (sys.gettrace(), sys.getprofile()),
    _thread._count,
    lambda: (gc.isenabled(), gc.get_threshold()),
    lambda: [_signal.getsignal(number) for number in _SIGNALS],
    _read_decimal,
)


def _read_settings() -> list[Any]:
    return [read() for read in _READ]


def _is_of_submission(module: object) -> bool:
    return _is_of_importer(getattr(getattr(module, "__spec__", None), "loader", None))


def _is_of_importer(value: object) -> bool:
    return type(value).__module__ == "autograder.sandbox.worker.importer"
