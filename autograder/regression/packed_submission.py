"""Packed submission: turns the files of one submission into values that can be hashed and sent to another process.

Nothing is parsed here. A file that could not be read is kept as its error message, so that a packed submission reads
like the folder or zip that it was packed from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from autograder.submission.file_tree import FileError, FileTree, Listing, clean_path

SOURCE_BYTES = 32 << 20  # all source files together: stops thousands of large files that no question uses
_READ = (".py", ".ipynb", ".toml")  # the file types of answers


@dataclass(frozen=True)
class PackedSubmission:
    """A submission as values; it is a `FileTree`. `problems`: error messages of unreadable source files, by path."""

    listing: Listing
    contents: Mapping[str, bytes]
    problems: Mapping[str, str]

    def read(self, path: str) -> bytes:
        """Return the bytes of a listed source file; `FileError` if it could not be read."""
        if path in self.problems:
            raise FileError(self.problems[path])
        return self.contents[path]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of every path and every source file's bytes: equal for equal submissions."""
        digest = hashlib.sha256()
        for path in self.listing.paths:
            content = self.contents.get(path)
            told = self.problems.get(path, "") if content is None else hashlib.sha256(content).hexdigest()
            digest.update(f"{path}\0{told}\0".encode(errors="surrogatepass"))
        return digest.hexdigest()


def pack_tree(tree: FileTree) -> PackedSubmission:
    """Pack an open submission; if its files are too large together, those nearest to the top are kept."""
    contents: dict[str, bytes] = {}
    problems: dict[str, str] = {}
    left = SOURCE_BYTES
    read = (path for path in tree.listing.paths if path.lower().endswith(_READ))
    for path in sorted(read, key=lambda each: (each.count("/"), each)):
        try:
            data = tree.read(path) if left else b""
        except FileError as error:
            problems[path] = str(error)
            continue
        if not left or len(data) > left:
            left = 0
            problems[path] = (
                f"{clean_path(path)}: was left out: the source files are larger than {SOURCE_BYTES >> 20} MiB"
            )
        else:
            contents[path] = data
            left -= len(data)
    return PackedSubmission(tree.listing, contents, problems)
