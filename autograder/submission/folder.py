"""Folder: lists and reads a submission on disk, without following links and without blocking on special files.

Run by the grader with its rights, as root on Gradescope: a link to the reference or to /etc/shadow must not be
followed. Every component is opened relative to its parent with O_NOFOLLOW, and the checks look at the descriptor, not
at the name.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from autograder.submission import file_tree
from autograder.submission.file_tree import FileError, Listing, OpenTree, SubmissionError, clean_path, normalize_path

_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_OPEN_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_KINDS = {
    stat.S_IFLNK: "a symbolic link; submit the file itself",
    stat.S_IFDIR: "a folder; a Python file is needed",
    stat.S_IFIFO: "a named pipe; submit an ordinary file",
    stat.S_IFSOCK: "a socket; submit an ordinary file",
}


def open_regular(
    name: str, limit: int, *, place: str, is_link_refused: bool, folder: int | None = None, owner: int | None = None
) -> int:
    """Open an ordinary file of at most `limit` bytes and return its descriptor; `FileError` for anything else.

    `place` is its name in messages. `is_link_refused`: a file with a second hard link may be another student's. It is
    not where it belongs to `owner`, the user of the submission, who is not the one that unpacked all.
    """
    try:
        _require_regular(os.stat(name, dir_fd=folder, follow_symlinks=False), place)
        descriptor = os.open(name, _OPEN_FILE, dir_fd=folder)
    except OSError as error:
        raise FileError(f"{place}: cannot be read: {error.strerror}") from error
    try:
        status = os.fstat(descriptor)
        _require_regular(status, place)
        is_own = status.st_uid == owner != os.geteuid()
        if is_link_refused and status.st_nlink > 1 and not is_own:
            raise FileError(f"{place}: has a second hard link; in a batch each submission must have files of its own")
        if status.st_size > limit:
            raise FileError(explain_too_large(place, limit))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def explain_too_large(place: str, limit: int) -> str:
    """Return the message about a file above its limit."""
    return f"{place}: is larger than {limit >> 20} MiB; a solution has a few KiB: leave data out of it"


def read_regular(
    name: str, *, place: str, is_link_refused: bool, folder: int | None = None, owner: int | None = None
) -> bytes:
    """Read an ordinary file; `FileError` if it is none, is too large, or changes during the reading."""
    limit = file_tree.choose_size_limit(name)
    descriptor = open_regular(name, limit, place=place, is_link_refused=is_link_refused, folder=folder, owner=owner)
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
    listing = file_tree.list_files([path for path, _ in found], notes)
    owner = os.stat(root).st_uid
    read = partial(_read_below, root, dict(found), is_link_refused=is_link_refused, owner=owner)
    return OpenTree(listing, read, partial(os.close, root))


def _read_below(root: int, names: Mapping[str, str], path: str, *, is_link_refused: bool, owner: int) -> bytes:
    """Read a listed file; `FileError` if it is not a plain file of ordinary size."""
    parent, _, name = names[path].rpartition("/")
    place = clean_path(path)
    try:
        with _open_below(root, parent) as folder:
            return read_regular(name, place=place, is_link_refused=is_link_refused, folder=folder, owner=owner)
    except OSError as error:
        raise FileError(f"{place}: cannot be read: {error.strerror}") from error


def open_file(path: Path, *, is_link_refused: bool) -> OpenTree:
    """Read a submission that is one file; `FileError` if it is not a plain file of ordinary size."""
    data = read_regular(str(path), place=clean_path(path.name), is_link_refused=is_link_refused)
    return OpenTree(Listing((path.name,), is_one_file=True), lambda _: data)


def _walk(root: int) -> tuple[list[tuple[str, str]], list[str]]:
    """List each file's path and its real name, which may hold backslashes, without following links; and notes."""
    found: list[tuple[str, str]] = []
    notes: list[str] = []
    pending, seen = [""], 0
    while pending:
        folder = pending.pop()
        try:
            entries = _list_entries(root, folder, file_tree.ENTRIES - seen)
        except OSError as error:
            notes.append(f"the folder {clean_path(folder)} cannot be read: {error.strerror}")
            continue
        seen += len(entries)
        if folder and file_tree.has_environment_mark(name for name, _ in entries):
            continue
        prefix = folder + "/" if folder else ""
        kept = sorted(each for each in entries if not file_tree.is_ignored_name(each[0]))
        named = [(normalize_path(prefix + name), prefix + name) for name, is_folder in kept if not is_folder]
        found += [(path, name) for path, name in named if path is not None]
        if prefix.count("/") + 1 < file_tree.DEPTH:
            pending += [prefix + name for name, is_folder in kept if is_folder]
    return found, notes


def _list_entries(root: int, folder: str, most: int) -> list[tuple[str, bool]]:
    """List the names in a folder, and whether each is a folder; `SubmissionError` if there are more than `most`."""
    with _open_below(root, folder) as descriptor, os.scandir(descriptor) as found:
        first = itertools.islice(found, most + 1)
        entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in first]
    if len(entries) > most:
        raise SubmissionError(
            f"the folder holds more than {file_tree.ENTRIES} files; submit a folder with your own files only"
        )
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
