"""Source reader: reads the source files of a tree as text, each once, and keeps the reason where one cannot be read.

A file that cannot be read costs itself: it has no text and is in no list, and a note names it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from autograder.assignment import Assignment
from autograder.submission import file_tree
from autograder.submission.file_tree import (
    FileError,
    FileTree,
    clean_path,
    is_answers,
    is_notebook,
    is_source,
    list_paths,
    shorten_notes,
)
from autograder.submission.folder import explain_too_large
from autograder.submission.source_scan import find_defined_names, is_python2, note_obsolete_code
from autograder.submission.source_text import convert_notebook, decode_source


class _Scan(NamedTuple):
    """What the text of a file shows: the names that it defines, and whether only Python 2 loads it."""

    names: frozenset[str]
    is_python2: bool


class SourceReader:
    """The source files of a tree, each read once, with their total size.

    `sources`: the paths of the Python files, those nearest to the top if there are too many; `notebooks`: those of the
    notebooks. `notes`: on the submission as a whole. `problems`: by path, why a file cannot be read. `is_one_file`: it
    is one file, so its name says nothing.
    """

    def __init__(self, tree: FileTree, assignment: Assignment) -> None:
        self.assignment = assignment
        self._tree = tree
        self._texts: dict[str, tuple[str, tuple[str, ...]]] = {}  # with the notes on them
        self.problems: dict[str, str] = {}
        self._scans: dict[str, _Scan] = {}
        self._bytes = 0
        self._searched_bytes = 0
        self._is_full = False
        self._listed = tree.listing.paths
        self.is_one_file = tree.listing.is_one_file
        self.sources, self.notes = _choose_sources([path for path in self._listed if is_source(path)])
        self.notebooks = [path for path in self._listed if is_notebook(path)][: file_tree.SOURCES]

    @property
    def paths(self) -> list[str]:
        """The paths of all files, without those that could not be read."""
        return [path for path in self._listed if path not in self.problems]

    def is_readable(self, path: str) -> bool:
        """Read a listed file if that was not done before, and tell whether there is a text."""
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
        return self._scan(path).names

    def is_obsolete(self, path: str) -> bool:
        """Whether a source file is one that only Python 2 loads, as far as can be told without running it."""
        return self._scan(path).is_python2

    def _scan(self, path: str) -> _Scan:
        if path not in self._scans:
            text = self._texts[path][0] if path in self._texts else self._search(path)
            self._scans[path] = _Scan(find_defined_names(text), is_python2(text))
        return self._scans[path]

    def _search(self, path: str) -> str:
        """Return the text of a file that is only searched; empty if it cannot be read, or too much was searched."""
        try:
            data = self._tree.read(path) if self._searched_bytes < file_tree.USED_BYTES else b""
            self._searched_bytes += len(data)
            text = decode_source(data)[0]
            return convert_notebook(text).source if is_notebook(path) else text
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
        if is_notebook(path) and not self._is_full:
            text, notes = _convert_notebook(path, text)
        size = len(text) if is_notebook(path) else len(data)
        self._is_full = self._is_full or self._bytes + size > file_tree.USED_BYTES
        if self._is_full:
            problem = f"the files are together larger than {file_tree.USED_BYTES >> 20} MiB; leave data out of them"
            raise FileError(f"{clean_path(path)}: was left out: {problem}")
        self._bytes += size
        return text, notes if is_answers(path) else (*notes, *note_obsolete_code(text))


def _convert_notebook(path: str, text: str) -> tuple[str, tuple[str, ...]]:
    place = clean_path(path)
    try:
        source, count, magics = convert_notebook(text)
    except ValueError as error:
        raise FileError(f"{place}: cannot be read as a notebook: it {error}; export it as a .py file") from error
    if len(source) > file_tree.FILE_BYTES:
        raise FileError(explain_too_large(place, file_tree.FILE_BYTES))
    note = f"is a notebook: its {count} code cells were read as one file, and line numbers count through all of them"
    left_out = f"; each cell that begins with {list_paths(magics)} was left out" if magics else ""
    return source, (note + left_out,)


def _choose_sources(sources: list[str]) -> tuple[list[str], tuple[str, ...]]:
    limit = file_tree.SOURCES
    if len(sources) <= limit:
        return sources, ()
    nearest = sorted(sources, key=lambda path: (path.count("/"), path))[:limit]
    note = f"the submission holds {len(sources)} Python files; the {limit} nearest to the top were looked at"
    return sorted(nearest), (f"{note}: submit your own files only",)
