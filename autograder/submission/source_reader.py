"""Source reader: reads the source files of a tree as text, each once, as Python would, with notes on oddities.

A file that cannot be read costs itself: it has no text and is in no list, and a note names it. A notebook is untrusted
JSON: it is parsed as data, with plain types only, up to the size of a file of that kind. Lines that only a notebook
runs, such as `%matplotlib inline`, stay; the worker leaves them out where Python cannot read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from autograder.assignment import Assignment
from autograder.submission import file_tree
from autograder.submission.file_tree import (
    FileError,
    FileTree,
    clean_path,
    explain_too_large,
    is_answers,
    is_notebook,
    is_source,
    list_paths,
    shorten_notes,
)
from autograder.submission.source_scan import decode_source, find_defined_names, is_python2, note_oddities

_NOTEBOOK = re.compile(r'\s*\{\s*"(?:cells|metadata|nbformat)"\s*:')
_NO_NOTEBOOK = "export it as a .py file, or give it that ending if it is one"
# Cells that begin with one of these magics hold Python; those of all others hold another language, or files.
_PYTHON_CELLS = frozenset({"%%time", "%%timeit", "%%capture", "%%prun"})


class SourceReader:
    """The source files of a tree, each read once, with their total size.

    `sources`: the paths of the Python files, those nearest to the top if there are too many; `notebooks`: those of the
    notebooks. `problems`: by path, why a file cannot be read. `is_one_file`: it is one file, so its name says nothing.
    """

    def __init__(self, tree: FileTree, assignment: Assignment) -> None:
        self.assignment = assignment
        self._tree = tree
        self._texts: dict[str, tuple[str, tuple[str, ...]]] = {}  # with the notes on them
        self.problems: dict[str, str] = {}
        self._scans: dict[
            str, tuple[frozenset[str], bool]
        ] = {}  # names that it defines; whether only Python 2 loads it
        self._bytes = 0
        self._searched_bytes = 0
        self._is_full = False
        self._listed = tree.listing.paths
        self.is_one_file = tree.listing.is_one_file
        nearest = sorted(filter(is_source, self._listed), key=lambda path: (path.count("/"), path))
        self.sources = sorted(nearest[: file_tree.SOURCES])
        self.notebooks = list(filter(is_notebook, self._listed))[: file_tree.SOURCES]

    @property
    def paths(self) -> list[str]:
        """The paths of all files, without those that could not be read."""
        return [path for path in self._listed if path not in self.problems]

    def is_readable(self, path: str) -> bool:
        """Read a listed file if that was not done before, and return whether there is a text."""
        if path not in self._texts and path not in self.problems:
            try:
                self._texts[path] = self._read(path)
                self._scans.pop(path, None)  # of what may not have been searched
            except FileError as error:
                self.problems[path] = str(error)
        return path in self._texts

    def read_text(self, path: str) -> str:
        """Return the text of a source file; empty if it cannot be read."""
        return self._texts[path][0] if self.is_readable(path) else ""

    def find_names(self, path: str) -> frozenset[str]:
        """Find the names that a source file defines; a file that is only searched does not count as one read."""
        return self._scan(path)[0]

    def is_obsolete(self, path: str) -> bool:
        """Whether a source file is one that only Python 2 loads, as far as can be told without running it."""
        return self._scan(path)[1]

    def _scan(self, path: str) -> tuple[frozenset[str], bool]:
        if path not in self._scans:
            text = self._texts[path][0] if path in self._texts else self._search(path)
            self._scans[path] = (find_defined_names(text), is_python2(text))
        return self._scans[path]

    def _search(self, path: str) -> str:
        """Return the text of a file that is only searched; empty if it cannot be read, or too much was searched."""
        if self._searched_bytes >= file_tree.USED_BYTES:
            return ""
        try:
            data = self._tree.read(path)
            self._searched_bytes += len(data)
            text, _ = decode_source(data)
            return convert_notebook(text).source if _holds_notebook(path, text) else text
        except (FileError, ValueError):
            return ""

    def describe_problems(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Write a note for each of the files that could not be read."""
        return shorten_notes([self.problems[path] for path in paths if path in self.problems])

    def get_notes(self, path: str) -> tuple[str, ...]:
        """Return the notes on a source file that was read, each with its path."""
        return tuple(f"{clean_path(path)} {note}" for note in self._texts[path][1])

    def _read(self, path: str) -> tuple[str, tuple[str, ...]]:
        data = b"" if self._is_full else self._tree.read(path)
        text, notes = decode_source(data)
        if _holds_notebook(path, text) and not self._is_full:
            text, notes = _convert_notebook(path, text)
        size = len(text) if is_notebook(path) else len(data)
        self._bytes += size
        self._is_full = self._bytes > file_tree.USED_BYTES
        if self._is_full:
            problem = f"the files are together larger than {file_tree.USED_BYTES >> 20} MiB; leave data out of them"
            raise FileError(f"{clean_path(path)}: was left out: {problem}")
        return text, notes if is_answers(path) else (*notes, *note_oddities(text))


def _holds_notebook(path: str, text: str) -> bool:
    """Whether a file is a notebook, which may have been given the name of a Python file."""
    return is_notebook(path) or bool(_NOTEBOOK.match(text))


def _convert_notebook(path: str, text: str) -> tuple[str, tuple[str, ...]]:
    place = clean_path(path)
    try:
        source, count, magics = convert_notebook(text)
    except ValueError as error:
        raise FileError(f"{place}: cannot be read as a notebook: it {error}; {_NO_NOTEBOOK}") from error
    if len(source) > file_tree.FILE_BYTES:
        raise FileError(explain_too_large(place, file_tree.FILE_BYTES))
    note = f"is a notebook: its {count} code cells were read as one file, and line numbers count through all of them"
    left_out = f"; each cell that begins with {list_paths(magics)} was left out" if magics else ""
    return source, (note + left_out,)


class Notebook(NamedTuple):
    """The source of a notebook's code cells, and their number. `magics`: how other cells begin, as in %%writefile."""

    source: str
    cells: int
    magics: tuple[str, ...]


def convert_notebook(text: str) -> Notebook:
    """Return the source of a notebook; ValueError for anything else."""
    found = _parse(text).get("cells")
    cells = [cell for cell in found if isinstance(cell, dict)] if isinstance(found, list) else []
    if not cells:
        raise ValueError("has no cells")
    sources = [_read_source(cell) for cell in cells if cell.get("cell_type") == "code"]
    parts: list[str] = []
    magics: list[str] = []
    for source in sources:
        word = source.split(maxsplit=1)[0] if source.strip() else ""
        if word.startswith("%%") and word not in _PYTHON_CELLS:
            magics.append(word)
        elif word:
            parts.append(f"# code cell {len(parts) + 1}\n{source}\n")
    return Notebook("\n".join(parts), len(parts), tuple(dict.fromkeys(magics)))


def _parse(text: str) -> dict[str, Any]:
    import json  # noqa: PLC0415  (few submissions hold a notebook)

    try:
        parsed = json.loads(text, parse_int=_drop, parse_float=_drop, parse_constant=_drop)
    except (ValueError, RecursionError) as error:
        raise ValueError("is no JSON") from error
    return parsed if isinstance(parsed, dict) else {}


def _drop(_: str) -> None:
    """Stand for a number, which no source holds, and which may have a million digits."""


def _read_source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
