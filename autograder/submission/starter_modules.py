"""Starter modules: reads the texts of modules that starter code imports, for students who did not submit them.

They are read as text and run only in a worker. The texts of `student_template/utils`, which students receive, serve
twice: as the package `utils`, and under private names that no student's file can have, from which the modules of other
years import; `aliases.toml` has those that only import.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_STARTER_MODULES = Path(__file__).parents[1] / "starter_modules"
_HANDED_OUT = Path(__file__).parents[2] / "student_template" / "utils"
_PRIVATE_PREFIX = "_grader_"
_ALIASES = "aliases.toml"
_DOCSTRING = '"""Stub of a file that was not submitted."""'


def read_starter_modules() -> dict[str, tuple[str, bool]]:
    """Return by module name the text and whether it is a package; FileNotFoundError if the grader is incomplete."""
    sources = _read_modules(_STARTER_MODULES)
    for name, source in _read_modules(_HANDED_OUT).items():
        sources[f"utils.{name}" if name else "utils"] = source
        if name:
            sources[_PRIVATE_PREFIX + name] = source
    for alias, module in tomllib.loads((_STARTER_MODULES / _ALIASES).read_text(encoding="utf-8")).items():
        text = f"from {module['origin']} import {', '.join(module['names'])}\n"
        sources[alias] = (f"{_DOCSTRING}\n\n{text}", False)
    return sources


@cache
def list_starter_modules() -> frozenset[str]:
    """Return the names of all starter modules."""
    return frozenset(read_starter_modules())


def _read_modules(folder: Path) -> dict[str, tuple[str, bool]]:
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        sources[".".join(parts[:-1] if is_package else parts)] = (path.read_text(encoding="utf-8"), is_package)
    if not sources:
        raise FileNotFoundError(f"{folder}: holds no starter module; this copy of the grader is not complete")
    return sources
