"""Class archive: reads the zip of a whole class, as Gradescope exports it or a course system packs it, in memory.

The zip is hostile like every other: one student's bad name, link or bomb costs that student alone, so a member with a
name that leads out of the zip is passed over, and every other is read as those of a single submission are.
"""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from pathlib import Path

from autograder.submission import SubmissionError, file_tree
from autograder.submission.file_tree import Listing, clean_path, drop_ignored, normalize_path, refuse_twins
from autograder.submission.folder import open_regular
from autograder.submission.zip_archive import BoundedFile, open_zip, read_member

CLASS_BYTES = 64 << 30  # a sparse file without end; a class has hundreds of megabytes
_DIRECTORY_BYTES = 64 << 20  # the table of contents: some 600,000 names, of which each costs 600 bytes of memory
_PACKED_BYTES = 64 << 20  # a student's own zip inside the zip
_DEPTH_OF_TOP = 3  # folders that hold nothing but one folder, around the class


class MemberTree:
    """Members of an open zip as one submission's files. `members`: by path; paths ignored as in a folder."""

    def __init__(self, opened: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo]) -> None:
        kept = drop_ignored(members)
        refuse_twins(kept)
        self._zip, self._members = opened, members
        self.listing = Listing(tuple(sorted(kept)), len(members) - len(kept))

    def read(self, path: str) -> bytes:
        """The bytes of one member; `SubmissionError` where it is not a plain file of ordinary size."""
        return read_member(self._zip, self._members[path], clean_path(path), limit=file_tree.FILE_BYTES)


class ClassArchive:
    """The zip of a class; `close` lets go of the file. `names`: of the submissions; `passed_over`: bad names."""

    def __init__(self, path: Path) -> None:
        place = clean_path(path.name)
        descriptor = open_regular(str(path), CLASS_BYTES, place=place, is_link_refused=False)
        self._file = BoundedFile(descriptor, _DIRECTORY_BYTES)
        try:
            self._zip, members = open_zip(self._file, place)
        except BaseException:
            self.close()
            raise
        found = [(normalize_path(member.orig_filename), member) for member in members]
        self._members = {path: member for path, member in found if path}
        self.passed_over = len(found) - len(self._members)
        self._top = _find_top(list(self._members))
        self._entries = self._group_members()
        self.names = sorted(self._entries)

    def open_submission(self, name: str) -> MemberTree:
        """The files of one submission: those in its folder, or in its zip; `SubmissionError` where it has none."""
        within = self._entries[name]
        alone = within.get("")
        if alone is None:
            return MemberTree(self._zip, within)
        if not name.lower().endswith(".zip"):
            return MemberTree(self._zip, {name: alone})
        packed = io.BytesIO(read_member(self._zip, alone, clean_path(name), limit=_PACKED_BYTES))
        opened, members = open_zip(packed, clean_path(name))
        return MemberTree(opened, {_read_inner_path(member): member for member in members})

    def is_folder(self, name: str) -> bool:
        """Whether the entry of that name is a folder."""
        return "" not in self._entries[name]

    def read(self, name: str, *, limit: int) -> bytes | None:
        """The bytes of a file beside the submissions, or None."""
        member = self._members.get(self._top + name)
        return None if member is None else read_member(self._zip, member, clean_path(name), limit=limit)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _group_members(self) -> dict[str, dict[str, zipfile.ZipInfo]]:
        """By the name of each entry below the top its members by their path inside; "" is the entry itself."""
        entries: dict[str, dict[str, zipfile.ZipInfo]] = defaultdict(dict)
        for path, member in self._members.items():
            if path.startswith(self._top):
                name, _, inner = path[len(self._top) :].partition("/")
                entries[name][inner] = member
        return dict(entries)


def _read_inner_path(member: zipfile.ZipInfo) -> str:
    path = normalize_path(member.orig_filename)
    if not path:
        raise SubmissionError(f"the zip holds a file with a bad name, {clean_path(member.orig_filename)!r}")
    return path


def _find_top(paths: list[str]) -> str:
    """The folder around the class: where a single folder holds everything, and folders or zips stand in it."""
    top = ""
    kept = drop_ignored(paths)
    for _ in range(_DEPTH_OF_TOP):
        inner = [path[len(top) :] for path in kept]
        folders = {path.partition("/")[0] for path in inner}
        if len(folders) != 1 or not all("/" in path for path in inner):
            break
        below = [path.partition("/")[2] for path in inner]
        if not any("/" in path or path.lower().endswith(".zip") for path in below):
            break
        top += folders.pop() + "/"
    return top
