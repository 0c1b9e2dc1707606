"""Zips as students make them are read in memory; hostile and damaged ones are refused with the reason."""

import io
import re
import stat
import struct
import zipfile
import zlib

import pytest

from autograder.submission import SubmissionError
from autograder.submission.zip_archive import open_archive

pytestmark = pytest.mark.once

CODE = b"x = 1\n" * 50


def zip_bytes(*members, method=zipfile.ZIP_DEFLATED):
    """Write a zip of (name or ZipInfo, data) pairs."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as packed:
        for name, data in members:
            packed.writestr(name, data)
    return buffer.getvalue()


PACKED = zip_bytes(("text2num.py", CODE))


def opened(tmp_path, data):
    path = tmp_path / "work.zip"
    path.write_bytes(data)
    return open_archive(path, is_link_refused=False)


def read(tmp_path, data):
    with opened(tmp_path, data) as packed:
        return packed.read("text2num.py")


def special(name, mode):
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = mode << 16
    return member


def claim(data, offset, value):
    """Change a field of a zip's only member in both of its headers; `offset`: in that before the data."""
    claimed, entry = bytearray(data), data.rindex(b"PK\x01\x02") + 2 + offset
    claimed[offset : offset + len(value)] = claimed[entry : entry + len(value)] = value
    return bytes(claimed)


FLAGS, CHECKSUM, SIZE = 6, 14, 22


def claim_size(data, size):
    return claim(data, SIZE, struct.pack("<I", size))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_a_member_is_read(tmp_path, method):
    assert read(tmp_path, zip_bytes(("text2num.py", CODE), method=method)) == CODE


def test_a_zip64_member_after_other_bytes_and_with_a_comment_is_read(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        with packed.open("text2num.py", "w", force_zip64=True) as member:
            member.write(CODE)
        packed.comment = b"from my laptop " * 100
    assert read(tmp_path, b"#!/bin/sh\n" + buffer.getvalue()) == CODE


BAD_NAMES = [
    "../a.py",
    "a/../../a.py",
    "/etc/a.py",
    "..\\a.py",
    "C:\\a.py",
    "C:a.py",
    "\\\\host\\a.py",
    "\x1b[2J\n/../a.py",
]
NAMES = {
    "empty": ([], (), ""),
    "folders": (["hw\\", "hw/", "hw/text2num.py"], ("hw/text2num.py",), ""),
    "other kinds": ([special("data/link", stat.S_IFLNK | 0o777), "data.bin"], ("data.bin", "data/link"), ""),
    **{name: ([name, "walk.py"], ("walk.py",), "a file of the zip has a bad name, ") for name in BAD_NAMES},
    "a NUL": (["text2num.py#.txt"], (), r"a file of the zip has a bad name, 'text2num.py\\x00.txt', which leads out"),
    "one name in two ways": (["a/walk.py", "a//./walk.py"], (), "a/walk.py: two files of this name are in the"),
}


@pytest.mark.parametrize(("names", "paths", "told"), NAMES.values(), ids=NAMES)
def test_members_are_listed_by_names_that_stay_inside(tmp_path, names, paths, told):
    data = zip_bytes(*((name, CODE) for name in names)).replace(b".py#", b".py\0")
    with opened(tmp_path, data) as packed:
        assert packed.listing.paths == paths
        assert all(note.startswith(told) and note.isprintable() for note in packed.listing.notes)
        assert len(packed.listing.notes) == bool(told)


ANOTHER_SIZE = "is not a valid zip|is larger than 1 MiB|is damaged: its size in the zip is wrong"
BAD_MEMBERS = {
    "link": (
        zip_bytes((special("text2num.py", stat.S_IFLNK | 0o777), b"/etc")),
        "is a symbolic link in the zip; put the",
    ),
    "pipe": (zip_bytes((special("text2num.py", stat.S_IFIFO | 0o644), b"")), "is no ordinary file in the zip; put the"),
    "encrypted": (claim(PACKED, FLAGS, b"\1"), "is encrypted; pack the zip without a password"),
    "bzip2": (zip_bytes(("text2num.py", CODE), method=zipfile.ZIP_BZIP2), "is compressed in an unusual way; pack your"),
    "lzma": (zip_bytes(("text2num.py", CODE), method=zipfile.ZIP_LZMA), "is compressed in an unusual way; pack your"),
    "shorter": (claim_size(PACKED, len(CODE) + 1), ANOTHER_SIZE),
}


@pytest.mark.parametrize(("data", "message"), BAD_MEMBERS.values(), ids=BAD_MEMBERS)
def test_a_member_that_is_no_sound_file_is_refused(tmp_path, data, message):
    with pytest.raises(SubmissionError, match=rf"text2num\.py: ({message})"):
        read(tmp_path, data)


@pytest.mark.slow
@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("claimed", [0, 10, 1 << 20, 0xFFFFFFFE])
def test_a_bomb_whose_headers_lie_is_refused(tmp_path, claimed):
    bomb = zip_bytes(("text2num.py", b"\0" * 50_000_000))
    with pytest.raises(SubmissionError, match=ANOTHER_SIZE):
        read(tmp_path, claim_size(bomb, claimed))


def test_a_bomb_cut_to_its_claimed_size_is_read_to_that_size_only(tmp_path):
    data = claim_size(zip_bytes(("text2num.py", b"\0" * 50_000_000)), 1000)
    data = claim(data, CHECKSUM, struct.pack("<I", zlib.crc32(b"\0" * 1000)))
    assert read(tmp_path, data) == b"\0" * 1000


def invent_members():
    """Make a zip whose directory has a hundred thousand members that do not exist, and says one."""
    entry = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 5, *[0] * 4, 0, 0) + b"a.txt"
    directory = entry * 100_000
    return directory + struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), 0, 0)


UNSOUND = "work.zip: is not a valid zip; pack your files again"
BAD_ZIPS = {
    "a hundred thousand": (invent_members(), "work.zip: the zip holds too many files; pack your own files only"),
    **{f"cut by {cut}": (PACKED[:-cut], UNSOUND) for cut in (1, 10, 30, 60, 100)},
    "no bytes": (b"", UNSOUND),
    "start only": (b"PK\x03\x04", UNSOUND),
    "rar": (b"Rar!\x1a\x07\x00" * 10, UNSOUND),
}


@pytest.mark.parametrize(("data", "message"), BAD_ZIPS.values(), ids=BAD_ZIPS)
def test_what_is_no_sound_zip_is_refused(tmp_path, data, message):
    with pytest.raises(SubmissionError, match=re.escape(message)):
        opened(tmp_path, data)


def test_a_zip_with_any_byte_damaged_is_read_or_refused(tmp_path):
    data = zip_bytes(("text2num.py", CODE), ("a/b.py", CODE))
    for position in range(len(data)):
        for flip in (0x01, 0xFF):
            damaged = bytearray(data)
            damaged[position] ^= flip
            try:
                with opened(tmp_path, bytes(damaged)) as packed:
                    for path in packed.listing.paths:
                        packed.read(path)
            except SubmissionError:
                continue


def test_a_sparse_terabyte_is_refused_by_its_size(tmp_path):
    path = tmp_path / "work.zip"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(SubmissionError, match=r"work\.zip: is larger than 1024 MiB"):
        open_archive(path, is_link_refused=False)
