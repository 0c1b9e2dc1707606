"""Project sources: reads a file of the project once for all rules over files, and fails a rule with every offender."""

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).resolve().parents[3]
GRADER = PROJECT / "autograder"
_NOT_OURS = {".git", ".venv", "__pycache__", "build", "dist", "htmlcov"}


@cache
def list_files(folder: Path = PROJECT, suffix: str = "") -> tuple[Path, ...]:
    """List the files of the project in a folder, with this ending of their names, but for what tools make."""
    if folder != PROJECT or suffix:
        return tuple(path for path in list_files() if path.is_relative_to(folder) and path.name.endswith(suffix))
    found: list[Path] = []
    for place, folders, names in os.walk(PROJECT):
        folders[:] = sorted(name for name in folders if name not in _NOT_OURS and not name.endswith("_cache"))
        found += [Path(place, name) for name in sorted(names)]
    return tuple(found)


def list_grader_sources() -> tuple[Path, ...]:
    """List the modules of the grader."""
    return list_files(GRADER, ".py")


def get_relative(path: Path) -> str:
    """Return the path of a file in the project's folder."""
    return path.relative_to(PROJECT).as_posix()


@cache
def read_text(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text(encoding="utf-8")


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML file."""
    return tomllib.loads(text)


def read_nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of a Python file, from its module down.

    Those of the grader's modules are kept: many rules read them.
    """
    return (_keep_nodes if path.is_relative_to(GRADER) else list_nodes)(read_text(path))


def list_nodes(text: str) -> tuple[ast.AST, ...]:
    """List the nodes of a source."""
    return tuple(ast.walk(ast.parse(text)))


_keep_nodes = cache(list_nodes)


def assert_none(offenders: Iterable[str]) -> None:
    """Fail with a line for each offender: all of them, where pytest would cut a long list short."""
    found = list(offenders)
    if found:
        pytest.fail("\n".join([f"{len(found)} found:", *found]), pytrace=False)


def locate(paths: Iterable[Path], find: Callable[[Path], Iterable[tuple[int, str]]]) -> Iterator[str]:
    """Yield what `find` finds in files, lines and what is wrong there, as `file:line: what`."""
    for path in paths:
        for line, what in find(path):
            yield f"{get_relative(path)}:{line}: {what}"


def find_matches(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield the line of each match in a text, and what matches."""
    for match in pattern.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[0]
