"""Toy source: makes a function or an object that a test gives to student code, from its lines.

Run by the grader, and by a worker beside student code, with the rights of each. Trusts the lines, the staff's.
"""

from __future__ import annotations

from functools import cache
from types import CodeType, ModuleType
from typing import Any

import numpy as np

SOURCE_FILE = "<source>"  # in tracebacks of what is made of a source


def _copy_numpy() -> ModuleType:
    """Copy the module, for a source alone: functions which student code puts into numpy are not called there."""
    made = ModuleType("numpy")
    vars(made).update(vars(np))
    return made


_NUMPY = _copy_numpy()


def make_from_source(definition: str, expression: str) -> Any:
    """Make what an expression says after the lines of a definition, in which `np` is numpy."""
    names: dict[str, Any] = {"np": _NUMPY}
    exec(_compile(definition, "exec"), names)  # noqa: S102  (the source is the staff's)
    return eval(_compile(expression, "eval"), names)  # noqa: S307  (as above)


@cache
def _compile(source: str, mode: str) -> CodeType:
    return compile(source, SOURCE_FILE, mode)
