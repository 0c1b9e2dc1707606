"""File tree: lists the paths of a submission's files, without those that folders and archives alike ignore or refuse.

Names, sizes and types are untrusted. A tree lists names and reads single files on request, into memory and up to a
limit; it never writes to disk. Each limit names the attack that it stops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from autograder import UserError
from autograder.plain_text import clean_line, cut_lines, list_some

FILE_BYTES = 1 << 20  # one source file: gigabyte files, sparse terabyte files, zip bombs; real ones have 10 to 100 KB
NOTEBOOK_BYTES = 4 << 20  # one notebook, which holds its pictures: a JSON text whose lists fill the memory
USED_BYTES = 8 << 20  # all files read of one submission: many files just under the limit above
ENTRIES = 100_000  # names looked at: a folder of millions of files, an endless bind mount
SOURCES = 5_000  # Python files: each is matched against each question's names, and may be a module
DEPTH = 32  # folders inside folders: paths longer than the system allows
_SHOWN_CHARACTERS = 160
_SHOWN_PATHS = 3
_SHOWN_NOTES = 10  # on single files: a submission of thousands of links
_IGNORED_FOLDERS = frozenset({"__MACOSX", "__pycache__", "node_modules", "site-packages", "dist-packages", "venv"})
_ENVIRONMENT_MARKS = frozenset({"pyvenv.cfg", "conda-meta"})
_DRIVE = re.compile(r"[A-Za-z]:")


class SubmissionError(UserError):
    """The submission cannot be read; the text tells the student what was found and what to do."""


class FileError(SubmissionError):
    """One file of the submission cannot be read; the others can."""


class FileTree(Protocol):
    """The files of one submission."""

    @property
    def listing(self) -> Listing:
        """The files of the tree."""

    def read(self, path: str) -> bytes:
        """Read the bytes of a listed file; `FileError` if it is not a plain file of ordinary size."""


@dataclass(frozen=True)
class Listing:
    """The paths of a tree, sorted, parts joined by '/', without those left out.

    `is_one_file`: the submission is one file, so that its name says nothing.
    """

    paths: tuple[str, ...]
    notes: tuple[str, ...] = ()
    is_one_file: bool = False


@dataclass(frozen=True)
class OpenTree:
    """The files of a folder, zip or single file; use as a context manager, or call `close`.

    `read`: see `FileTree`.
    """

    listing: Listing
    read: Callable[[str], bytes]
    close: Callable[[], object] = lambda: None

    def __enter__(self) -> OpenTree:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def clean_path(path: str) -> str:
    """Make a path of the submission safe to show in a message."""
    return clean_line(path, _SHOWN_CHARACTERS)


def list_paths(paths: Sequence[str]) -> str:
    """Join the first few paths for a message."""
    return list_some([clean_path(path) for path in paths], _SHOWN_PATHS)


def is_source(path: str) -> bool:
    """Whether the name is a Python file's."""
    return path[-3:].lower() == ".py"


def is_answers(path: str) -> bool:
    """Whether the name is an answer file's."""
    return path[-5:].lower() == ".toml"


def is_notebook(path: str) -> bool:
    """Whether the name is a notebook's."""
    return path[-6:].lower() == ".ipynb"


def choose_size_limit(path: str) -> int:
    """Return the bytes that a file of that name may have."""
    return NOTEBOOK_BYTES if is_notebook(path) else FILE_BYTES


def normalize_path(name: str) -> str | None:
    """Turn a name into a path inside the tree, with backslashes as separators too; None if it leads out of the tree."""
    slashed = name.replace("\\", "/")
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    if slashed.startswith("/") or _DRIVE.match(slashed) or ".." in parts or "\0" in name:
        return None
    return "/".join(parts)


def is_ignored_name(name: str) -> bool:
    """Whether a file or folder of that name belongs to a tool, not to the student."""
    return name.startswith(".") or name in _IGNORED_FOLDERS


def has_environment_mark(names: Iterable[str]) -> bool:
    """Whether a folder with these names is a Python environment."""
    return any(name in _ENVIRONMENT_MARKS for name in names)


def drop_ignored(paths: Iterable[str]) -> list[str]:
    """Drop the paths in tools' folders and environments, and those that are too deep."""
    every = list(paths)
    marked = {path.rpartition("/")[0] for path in every if path.rpartition("/")[2] in _ENVIRONMENT_MARKS}
    marked |= {path.partition("/conda-meta/")[0] for path in every if "/conda-meta/" in path}
    return [path for path in every if not _is_ignored(path.split("/"), marked - {""})]


def _is_ignored(parts: list[str], environments: set[str]) -> bool:
    if len(parts) > DEPTH or any(map(is_ignored_name, parts)):
        return True
    return bool(environments) and any("/".join(parts[:end]) in environments for end in range(1, len(parts)))


def list_files(paths: Sequence[str], notes: Sequence[str]) -> Listing:
    """List the paths; one of code or answers that two files share is left out with a note, as no choice is right."""
    relevant = Counter(path for path in paths if is_source(path) or is_answers(path) or is_notebook(path))
    twins = sorted(path for path, count in relevant.items() if count > 1)
    problem = "two files of this name are in the submission, and none was graded; remove one of them"
    told = [f"{clean_path(path)}: {problem}" for path in twins]
    return Listing(tuple(sorted({*paths}.difference(twins))), (*notes, *shorten_notes(told)))


def shorten_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Return the first few notes on single files, and the number of the others."""
    return tuple(cut_lines(notes, _SHOWN_NOTES, "{} more files cannot be used"))
