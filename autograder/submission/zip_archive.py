"""Zip archive: lists and reads a submission packed as a zip, in memory; it is never unpacked to disk.

The headers of a zip are untrusted. So the limit on the directory counts the bytes read from the file, and the limit on
a member counts the bytes that the decompressor returns. A limit on the ratio is not needed besides these, and would
refuse honest files of repeated lines.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from autograder.submission.file_tree import (
    FileError,
    OpenTree,
    SubmissionError,
    choose_size_limit,
    clean_path,
    drop_ignored,
    explain_too_large,
    list_files,
    normalize_path,
    open_regular,
    shorten_notes,
)

ARCHIVE_BYTES = 1 << 30  # the zip itself, which may hold unused data sets: an endless sparse file
_DIRECTORY_BYTES = 4 << 20  # the zip's directory, about 50,000 names: memory for millions of invented members
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the other methods allocate memory without a limit
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, OverflowError, RuntimeError)
_PACK_AGAIN = "pack your files again as an ordinary zip"


class _TooManyMembers(Exception):
    pass


class BoundedFile(io.FileIO):
    """A file with a limit on a single read: zipfile reads a directory of any claimed size at once."""

    def __init__(self, descriptor: int, directory_bytes: int) -> None:
        super().__init__(descriptor)
        self._limit = directory_bytes

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most `size` bytes; raise an error if they are more than a directory may have."""
        wanted = self._limit + 1 if size is None or size < 0 else size
        data = super().read(min(wanted, self._limit + 1)) or b""
        if len(data) > self._limit:
            raise _TooManyMembers
        return data


def open_archive(path: Path, *, is_link_refused: bool) -> OpenTree:
    """Open a submission packed as a zip; `SubmissionError` if that is impossible."""
    place = clean_path(path.name)
    link_owner = os.geteuid() if is_link_refused else None
    descriptor = open_regular(str(path), ARCHIVE_BYTES, place=place, link_owner=link_owner)
    file = BoundedFile(descriptor, _DIRECTORY_BYTES)
    try:
        return open_packed(file, place)
    except BaseException:
        file.close()
        raise


def open_packed(file: IO[bytes], place: str) -> OpenTree:
    """Open the zip of one submission in a file; members that it cannot have are left out with a note."""
    opened, members = open_zip(file, place)
    paths, bad, found = [], [], {}
    for member in members:
        path = normalize_path(member.orig_filename)
        if path:
            paths.append(path)
            found[path] = member
        else:
            bad.append(_describe_bad_name(member))
    listing = list_files(drop_ignored(paths), shorten_notes(bad))
    return OpenTree(listing, partial(read_listed, opened, found), file.close)


def read_listed(opened: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], path: str) -> bytes:
    """Read a member by its path; `FileError` if it is not a plain file of ordinary size."""
    return read_member(opened, members[path], clean_path(path), limit=choose_size_limit(path))


def is_archive(path: Path) -> bool:
    """Whether the name is a zip's."""
    return path.suffix.lower() == ".zip"


def open_zip(file: IO[bytes], place: str) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Open the zip in a file and list its members without folders; `SubmissionError` if it is damaged."""
    with _translate_errors(place):
        opened = zipfile.ZipFile(file)
    members = [member for member in opened.infolist() if not member.orig_filename.endswith(("/", "\\"))]
    return opened, members


def read_member(opened: zipfile.ZipFile, member: zipfile.ZipInfo, place: str, *, limit: int) -> bytes:
    """Read a member; `FileError` if it is not a plain file of at most `limit` bytes."""
    _require_readable(member, place, limit)
    with _translate_errors(place, FileError), opened.open(member) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise FileError(explain_too_large(place, limit))
    if len(data) != member.file_size:
        raise FileError(f"{place}: is damaged: its size in the zip is wrong; {_PACK_AGAIN}")
    return data


def _describe_bad_name(member: zipfile.ZipInfo) -> str:
    name = clean_path(member.orig_filename)
    return f"a file of the zip has a bad name, {name!r}, which leads out of its folder; it was left out"


def _require_readable(member: zipfile.ZipInfo, place: str, limit: int) -> None:
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        what = "a symbolic link" if kind == stat.S_IFLNK else "no ordinary file"
        raise FileError(f"{place}: is {what} in the zip; put the file itself into it")
    if member.flag_bits & _ENCRYPTED:
        raise FileError(f"{place}: is encrypted; pack the zip without a password")
    if member.compress_type not in _METHODS:
        raise FileError(f"{place}: is compressed in an unusual way; {_PACK_AGAIN}")
    if member.file_size > limit:
        raise FileError(explain_too_large(place, limit))


@contextmanager
def _translate_errors(place: str, kind: type[SubmissionError] = SubmissionError) -> Iterator[None]:
    """Turn every error of zipfile about damage, of the zip or of one member, into one message."""
    try:
        yield
    except _TooManyMembers as error:
        raise kind(f"{place}: the zip holds too many files; pack your own files only") from error
    except _BROKEN as error:
        raise kind(f"{place}: is not a valid zip; {_PACK_AGAIN}") from error
