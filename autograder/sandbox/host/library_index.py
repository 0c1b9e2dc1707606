"""Library index: tells whether a dotted name is a module of the standard library, of numpy or of a declared library.

Run by the grader, on names that workers send. The list is closed: a name counts only if the library has a file for it,
so that a name cannot carry data of the student's choice.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Collection
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from pathlib import Path

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.preload import may_be_requested

_SUFFIXES = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)


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
    standard = Path(sysconfig.get_path("stdlib"))
    dynamic = Path(sysconfig.get_path("platstdlib", vars={"platbase": sys.base_exec_prefix}))  # not the environment's
    return (standard, dynamic / "lib-dynload", Path(np.__file__).resolve().parents[1])


def _has_module(folder: Path, parts: list[str]) -> bool:
    path = folder.joinpath(*parts)
    return (path / "__init__.py").is_file() or any(path.with_name(path.name + each).is_file() for each in _SUFFIXES)
