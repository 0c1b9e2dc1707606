"""Starter modules: reads the texts of modules that starter code imports, for students who did not submit them.

They are read as text and run only in a worker. The assignment's folder `starter_modules/` has those that nobody is
given any more, and `[starter_modules]` in assignment.toml those that only import names of others. The modules beside
the templates, which students receive, serve twice: under their own names, and under private names that no student's
file can have, from which the modules of other years import.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.toml_table import NAME, TEXT, AssignmentError, StaffTable

_PRIVATE_PREFIX = "_grader_"
_DOCSTRING = '"""Stub of a file that was not submitted."""'

StarterModules = Mapping[str, tuple[str, bool]]  # by module name, the text and whether it is a package


@dataclass(frozen=True)
class Alias:
    """A module that only imports: the module that has its names, and the names."""

    origin: str
    names: tuple[str, ...]


def read_aliases(table: StaffTable) -> dict[str, Alias]:
    """Read the section [starter_modules], of an inline table for each module name."""
    return table.read_all_tables(lambda each: Alias(each.read("origin", TEXT), each.read_texts("names", NAME)))


def read_starter_modules(
    folder: Path, templates: Path, aliases: Mapping[str, Alias], *, questions: Collection[str]
) -> StarterModules:
    """Read all texts; `questions`: the files of `templates` that are no starter modules, but to be written.

    AssignmentError if the module that an alias imports from does not exist.
    """
    sources = _read_modules(folder)
    for name, source in _read_modules(templates).items():
        if f"{name}.py" not in questions:
            sources[name] = source
            if not source[1]:
                sources[_PRIVATE_PREFIX + name.rpartition(".")[2]] = source
    for name, alias in aliases.items():
        if alias.origin not in sources:
            problem = f"{name} imports from {alias.origin}, which is in neither {folder} nor {templates}"
            raise AssignmentError(f"[starter_modules]: {problem}")
        text = f"from {alias.origin} import {', '.join(alias.names)}\n"
        sources[name] = (f"{_DOCSTRING}\n\n{text}", False)
    return sources


def _read_modules(folder: Path) -> dict[str, tuple[str, bool]]:
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        sources[".".join(parts[:-1] if is_package else parts)] = (path.read_text(encoding="utf-8"), is_package)
    return sources
