"""Zip file: turns files in memory into a zip, with the same bytes for the same files on every machine."""

from __future__ import annotations

import io
import zipfile

from autograder.packaging.tree import Files

_FIRST_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest date of the zip format
_UNIX = 3
_SCRIPT, _FILE = 0o100755, 0o100644


def build_zip(files: Files, *, compressed: bool = False) -> bytes:
    """Build a zip of the files, sorted by path; scripts are executable.

    A compressed one differs between versions of zlib.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archive:
        for path, content in sorted(files.items()):
            member = zipfile.ZipInfo(path, _FIRST_DATE)
            member.create_system = _UNIX
            member.external_attr = choose_mode(content) << 16
            member.compress_type = archive.compression
            archive.writestr(member, content)
    return buffer.getvalue()


def choose_mode(content: bytes) -> int:
    """Choose the `st_mode` of a file with this content."""
    return _SCRIPT if content.startswith(b"#!") else _FILE
