"""Late imports: notices the import of a library module that was not loaded before the files were out of reach.

Run in the worker after its powers are gone. Trusts nothing: all it can do is to ask, by name, for a worker that has the
module, and the grader decides. Without it an import would work or fail by what the place allows to be read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from importlib.machinery import ModuleSpec

from autograder.sandbox.preload import may_be_wanted


class LateImports:
    """Ends the meta path: what comes here was found nowhere. `tried`: what could not be had even with full rights."""

    def __init__(self, tried: Collection[str], want: Callable[[str], object]) -> None:
        self._tried = frozenset(tried)
        self._want = want

    def install(self) -> None:
        """Have imports find what is loaded, and end here."""
        sys.path.clear()
        sys.meta_path.append(self)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Ask for a library module; None, as missing, for all others."""
        if name not in self._tried and may_be_wanted(name):
            self._want(name)
        return None
