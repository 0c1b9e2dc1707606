"""Class archive: reads the zip of a whole class, from Gradescope's export or a course system, in memory.

The zip is untrusted: a bad name, link or zip bomb must affect only the student who made it. A member whose name leads
out of the zip is skipped; all others are read with the limits of a single submission.
"""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from pathlib import Path

from autograder.regression.packed_submission import PackedSubmission, pack_tree
from autograder.submission.file_tree import Listing, clean_path, drop_ignored, normalize_path
from autograder.submission.folder import open_regular
from autograder.submission.zip_archive import BoundedFile, MemberTree, list_members, open_zip, read_member

CLASS_BYTES = 64 << 30  # stops endless sparse files; a class has hundreds of megabytes
_DIRECTORY_BYTES = 64 << 20  # central directory: some 600,000 names at 600 bytes of memory each
_PACKED_BYTES = 64 << 20  # a student's own zip inside the zip
_DEPTH_OF_TOP = 3  # nested folders around the class that hold a single folder


class ClassArchive:
    """The zip of a class; call `close` at the end.

    `kinds`: whether each thing in it is a folder, by its name; `skipped`: count of bad names.
    """

    def __init__(self, path: Path) -> None:
        label = clean_path(path.name)
        descriptor = open_regular(str(path), CLASS_BYTES, place=label, is_link_refused=False)
        self._file = BoundedFile(descriptor, _DIRECTORY_BYTES)
        try:
            self._zip, members = open_zip(self._file, label)
        except BaseException:
            self.close()
            raise
        found = [(normalize_path(member.orig_filename), member) for member in members]
        self._members = {path: member for path, member in found if path}
        self.skipped = len(found) - len(self._members)
        self._top = _find_top(list(self._members))
        self._entries = self._group_members()
        self.kinds = {name: "" not in within for name, within in self._entries.items()}

    def pack(self, name: str) -> PackedSubmission:
        """Pack one submission, a folder or a zip; `SubmissionError` if it cannot be read."""
        within = self._entries[name]
        alone = within.get("")
        if alone is None:
            return self._pack_members(within)
        if not name.lower().endswith(".zip"):
            return self._pack_members({name: alone})
        packed = io.BytesIO(read_member(self._zip, alone, clean_path(name), limit=_PACKED_BYTES))
        opened, members = open_zip(packed, clean_path(name))
        return pack_tree(MemberTree(opened, *list_members(members)))

    def _pack_members(self, members: dict[str, zipfile.ZipInfo]) -> PackedSubmission:
        """Pack these members, by path, as a submission that ignores the same paths as a folder."""
        return pack_tree(MemberTree(self._zip, members, Listing(tuple(sorted(drop_ignored(members))))))

    def read(self, name: str, *, limit: int) -> bytes | None:
        """Return the bytes of a file beside the submissions, or None."""
        member = self._members.get(self._top + name)
        return None if member is None else read_member(self._zip, member, clean_path(name), limit=limit)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _group_members(self) -> dict[str, dict[str, zipfile.ZipInfo]]:
        """Map each entry below the top folder to its members by inner path; "" is the entry itself."""
        entries: dict[str, dict[str, zipfile.ZipInfo]] = defaultdict(dict)
        for path, member in self._members.items():
            if path.startswith(self._top):
                name, _, inner = path[len(self._top) :].partition("/")
                entries[name][inner] = member
        return dict(entries)


def _find_top(paths: list[str]) -> str:
    """Find the folder around the class: a single folder that holds everything, and has folders or zips inside."""
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
