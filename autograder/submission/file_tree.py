"""File tree: lists and reads the files of a submission on disk, without those that folders and archives alike ignore.

Names, sizes and types are untrusted. A tree lists names and reads single files on request, into memory and up to a
limit; it never writes to disk. Each limit names the attack that it stops.

The grader runs this with its rights, as root on Gradescope: a link to the reference or to /etc/shadow must not be
followed, nor a special file block. Every component is opened relative to its parent with O_NOFOLLOW, and the checks
look at the descriptor, not at the name.
"""

from __future__ import annotations

import itertools
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from autograder import UserError
from autograder.plain_text import clean_line, cut_lines, list_some

FILE_BYTES = 1 << 20  # one source file: gigabyte files, sparse terabyte files, zip bombs; real ones have 10 to 100 KB
NOTEBOOK_BYTES = 4 << 20  # one notebook, which holds its pictures: a JSON text whose lists fill the memory
USED_BYTES = 8 << 20  # all files read of one submission: many files just under the limit above
ENTRIES = 100_000  # names looked at: a folder of millions of files, an endless bind mount
SOURCES = 5_000  # Python files: each is matched against each question's names, and may be a module
DEPTH = 32  # folders inside folders: paths longer than the system allows
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_OPEN_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_KINDS = {
    stat.S_IFLNK: "a symbolic link; submit the file itself",
    stat.S_IFDIR: "a folder; a Python file is needed",
    stat.S_IFIFO: "a named pipe; submit an ordinary file",
    stat.S_IFSOCK: "a socket; submit an ordinary file",
}
_SHOWN_CHARACTERS = 160
_SHOWN_PATHS = 3
_SHOWN_NOTES = 10  # on single files: a submission of thousands of links
_IGNORED_FOLDERS = frozenset({"__MACOSX", "__pycache__", "node_modules", "site-packages", "dist-packages", "venv"})
_ENVIRONMENT_MARKS = frozenset({"pyvenv.cfg", "conda-meta"})
_DRIVE = re.compile(r"[A-Za-z]:")


class SubmissionError(UserError):
    """The submission cannot be read; the text says to the student what was found and what to do."""


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


def is_read(path: str) -> bool:
    """Whether a file of that name may be one of a question."""
    return is_source(path) or is_answers(path) or is_notebook(path)


def choose_size_limit(path: str) -> int:
    """Return the bytes that a file of that name may have."""
    return NOTEBOOK_BYTES if is_notebook(path) else FILE_BYTES


def normalize_path(name: str) -> str | None:
    """Turn a name into a path inside the tree, with backslashes as separators too; None if it leads out of the tree."""
    slashed = name.replace("\\", "/")
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    is_outside = slashed.startswith("/") or _DRIVE.match(slashed) or ".." in parts
    return None if is_outside or "\0" in name else "/".join(parts)


def is_ignored_name(name: str) -> bool:
    """Whether a file or folder of that name belongs to a tool, not to the student."""
    return name.startswith(".") or name in _IGNORED_FOLDERS


def drop_ignored(paths: Iterable[str]) -> list[str]:
    """Drop the paths in tools' folders and environments, and those that are too deep."""
    split = [path.split("/") for path in paths]
    environments: set[tuple[str, ...]] = set()
    for parts in split:
        for end, name in enumerate(parts):
            if end and name in _ENVIRONMENT_MARKS:
                environments.add(tuple(parts[:end]))
    kept = []
    for parts in split:
        is_own = len(parts) <= DEPTH and not any(map(is_ignored_name, parts))
        if is_own and not _is_within(parts, environments):
            kept.append("/".join(parts))
    return kept


def _is_within(parts: list[str], folders: Collection[tuple[str, ...]]) -> bool:
    starts = (tuple(parts[:end]) for end in range(1, len(parts)))
    return any(start in folders for start in starts)


def list_files(paths: Sequence[str], notes: Sequence[str]) -> Listing:
    """List the paths; one of code or answers that two files share is left out with a note, as no choice is right."""
    relevant = Counter(filter(is_read, paths))
    twins = sorted(path for path, count in relevant.items() if count > 1)
    problem = "two files of this name are in the submission, and none was graded; remove one of them"
    told = shorten_notes([f"{clean_path(path)}: {problem}" for path in twins])
    kept = sorted(set(paths).difference(twins))
    return Listing(tuple(kept), (*notes, *told))


def shorten_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Return the first few notes on single files, and the number of the others."""
    return tuple(cut_lines(notes, _SHOWN_NOTES, "{} more files cannot be used"))


def open_regular(name: str, limit: int, *, place: str, folder: int | None = None, link_owner: int | None = None) -> int:
    """Open an ordinary file of at most `limit` bytes and return its descriptor; `FileError` for anything else.

    `place` is its name in messages. `link_owner`: in a batch, the user of the submission, as a file with a second hard
    link may be another student's. It is not where it belongs to this user, who is not the one that unpacked all.
    """
    try:
        _require_regular(os.stat(name, dir_fd=folder, follow_symlinks=False), place)
        descriptor = os.open(name, _OPEN_FILE, dir_fd=folder)
    except OSError as error:
        raise FileError(f"{place}: cannot be read: {error.strerror}") from error
    try:
        status = os.fstat(descriptor)
        _require_regular(status, place)
        is_own = link_owner is None or status.st_uid == link_owner != os.geteuid()
        if status.st_nlink > 1 and not is_own:
            raise FileError(f"{place}: has a second hard link; in a batch each submission needs its own files")
        if status.st_size > limit:
            raise FileError(explain_too_large(place, limit))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def explain_too_large(place: str, limit: int) -> str:
    """Return the message about a file above its limit."""
    return f"{place}: is larger than {limit >> 20} MiB; a solution has a few KiB: leave data out of it"


def read_regular(name: str, *, place: str, **rules: int | None) -> bytes:
    """Read an ordinary file; `FileError` if it is none, is too large, or changes. `rules`: of `open_regular`."""
    limit = choose_size_limit(name)
    descriptor = open_regular(name, limit, place=place, **rules)
    try:
        with open(descriptor, "rb") as file:
            data, size = file.read(limit), os.fstat(descriptor).st_size
    except OSError as error:
        raise FileError(f"{place}: cannot be read: {error.strerror}") from error
    if len(data) != size:
        raise FileError(f"{place}: changed while it was read; try again when nothing writes to it")
    return data


def _require_regular(status: os.stat_result, place: str) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise FileError(f"{place}: is {_KINDS.get(kind, 'a device; submit an ordinary file')}")


def open_folder(path: Path, *, is_link_refused: bool) -> OpenTree:
    """Open a submission on disk; `SubmissionError` if that is impossible."""
    try:
        root = os.open(path, _OPEN_FOLDER)
    except OSError as error:
        raise SubmissionError(f"{clean_path(str(path))}: cannot be opened: {error.strerror}") from error
    try:
        found, notes = _walk(root)
    except BaseException:
        os.close(root)
        raise
    listing = list_files([path for path, _ in found], notes)
    link_owner = os.stat(root).st_uid if is_link_refused else None
    return OpenTree(listing, partial(_read_below, root, dict(found), link_owner), partial(os.close, root))


def _read_below(root: int, names: Mapping[str, str], link_owner: int | None, path: str) -> bytes:
    """Read a listed file; `FileError` if it is not a plain file of ordinary size."""
    parent, _, name = names[path].rpartition("/")
    place = clean_path(path)
    try:
        with _open_below(root, parent) as folder:
            return read_regular(name, place=place, folder=folder, link_owner=link_owner)
    except OSError as error:
        raise FileError(f"{place}: cannot be read: {error.strerror}") from error


def open_file(path: Path, *, is_link_refused: bool) -> OpenTree:
    """Read a submission that is one file; `FileError` if it is not a plain file of ordinary size."""
    link_owner = os.geteuid() if is_link_refused else None
    data = read_regular(str(path), place=clean_path(path.name), link_owner=link_owner)
    return OpenTree(Listing((path.name,), is_one_file=True), lambda _: data)


def _walk(root: int) -> tuple[list[tuple[str, str]], list[str]]:
    """List each file's path and its real name, which may hold backslashes, without following links; and notes."""
    found: list[tuple[str, str]] = []
    notes: list[str] = []
    pending, seen = [""], 0
    while pending:
        folder = pending.pop()
        try:
            entries = _list_entries(root, folder, ENTRIES - seen)
        except OSError as error:
            notes.append(f"the folder {clean_path(folder)} cannot be read: {error.strerror}")
            continue
        seen += len(entries)
        if folder and not _ENVIRONMENT_MARKS.isdisjoint(name for name, _ in entries):
            continue
        prefix = folder + "/" if folder else ""
        for name, is_folder in sorted(entries):
            path = normalize_path(prefix + name)
            if is_ignored_name(name) or path is None:
                continue
            if not is_folder:
                found.append((path, prefix + name))
            elif prefix.count("/") + 1 < DEPTH:
                pending.append(prefix + name)
    return found, notes


def _list_entries(root: int, folder: str, most: int) -> list[tuple[str, bool]]:
    """List the names in a folder, and whether each is a folder; `SubmissionError` if there are more than `most`."""
    with _open_below(root, folder) as descriptor, os.scandir(descriptor) as found:
        first = itertools.islice(found, most + 1)
        entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in first]
    if len(entries) > most:
        raise SubmissionError(f"the folder holds more than {ENTRIES} files; submit a folder with your own files only")
    return entries


@contextmanager
def _open_below(root: int, folder: str) -> Iterator[int]:
    """Open a folder inside `root` without following links; yields its descriptor."""
    descriptor = os.dup(root)
    try:
        for part in folder.split("/") if folder else ():
            inner = os.open(part, _OPEN_FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)
