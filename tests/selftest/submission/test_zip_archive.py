"""Zips as students make them are read in memory; hostile and damaged ones are refused with the reason."""

import io
import stat
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from autograder.submission import SubmissionError
from autograder.submission.zip_archive import open_archive

CODE = b"x = 1\n" * 50


def zip_bytes(members, method=zipfile.ZIP_DEFLATED):
    """Write a zip of (name or ZipInfo, data) pairs."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as packed:
        for name, data in members:
            packed.writestr(name, data)
    return buffer.getvalue()


def opened(tmp_path, data):
    path = tmp_path / "work.zip"
    path.write_bytes(data)
    return open_archive(path, is_link_refused=False)


def read(tmp_path, data, name="text2num.py"):
    with opened(tmp_path, data) as packed:
        return packed.read(name)


def special(name, mode, system=3):
    member = zipfile.ZipInfo(name)
    member.create_system = system
    member.external_attr = mode << 16
    return member


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_a_member_is_read(tmp_path, method):
    assert read(tmp_path, zip_bytes([("text2num.py", CODE)], method)) == CODE


def test_folders_are_no_files(tmp_path):
    with opened(tmp_path, zip_bytes([("hw\\", b""), ("hw/", b""), ("hw/text2num.py", b"")])) as packed:
        assert packed.listing.paths == ("hw/text2num.py",)


def test_other_files_are_listed_and_never_read(tmp_path):
    data = zip_bytes([(special("data/link", stat.S_IFLNK | 0o777), b"/etc"), ("data.bin", b"\0" * 5_000_000)])
    with opened(tmp_path, data) as packed:
        assert packed.listing.paths == ("data.bin", "data/link")


def test_a_zip_after_other_bytes_and_with_a_comment_is_read(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("text2num.py", CODE)
        packed.comment = b"from my laptop " * 100
    assert read(tmp_path, b"#!/bin/sh\n" + buffer.getvalue()) == CODE


def test_a_zip64_member_is_read(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed, packed.open("text2num.py", "w", force_zip64=True) as member:
        member.write(CODE)
    assert read(tmp_path, buffer.getvalue()) == CODE


def test_an_empty_zip_has_no_files(tmp_path):
    with opened(tmp_path, zip_bytes([])) as packed:
        assert packed.listing.paths == ()


@pytest.mark.parametrize(
    "name",
    [
        "../text2num.py",
        "a/../../text2num.py",
        "/etc/text2num.py",
        "..\\text2num.py",
        "C:\\text2num.py",
        "C:text2num.py",
        "\\\\host\\a.py",
    ],
)
def test_a_name_that_leads_out_of_the_zip_is_left_out_with_a_note(tmp_path, name):
    with opened(tmp_path, zip_bytes([(name, CODE), ("walk.py", CODE)])) as packed:
        assert packed.listing.paths == ("walk.py",)
        (note,) = packed.listing.notes
    assert note.startswith("a file of the zip has a bad name, ")
    assert note.endswith(", which leads out of its folder; it was left out")


def test_a_nul_in_a_name_is_left_out_with_a_note(tmp_path):
    data = zip_bytes([("text2num.py#.txt", CODE)]).replace(b".py#", b".py\0")
    with opened(tmp_path, data) as packed:
        assert packed.listing.paths == ()
        assert r"bad name, 'text2num.py\\x00.txt'" in packed.listing.notes[0]


def test_control_characters_of_a_name_are_escaped_in_the_note(tmp_path):
    with opened(tmp_path, zip_bytes([("../\x1b[2J\n.py", CODE)])) as packed:
        (note,) = packed.listing.notes
    assert "\x1b" not in note
    assert "\n" not in note


@pytest.mark.parametrize(
    ("mode", "message"),
    [(stat.S_IFLNK | 0o777, "is a symbolic link in the zip"), (stat.S_IFIFO | 0o644, "is no ordinary file in the zip")],
    ids=["link", "pipe"],
)
def test_a_member_that_is_no_file_is_refused(tmp_path, mode, message):
    with pytest.raises(SubmissionError, match=rf"text2num\.py: {message}; put the file itself into it"):
        read(tmp_path, zip_bytes([(special("text2num.py", mode), b"/etc/shadow")]))


def test_an_encrypted_member_is_refused(tmp_path):
    data = bytearray(zip_bytes([("text2num.py", CODE)]))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SubmissionError, match=r"text2num\.py: is encrypted; pack the zip without a password"):
        read(tmp_path, bytes(data))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "lzma"])
def test_a_method_without_a_bound_is_refused(tmp_path, method):
    with pytest.raises(SubmissionError, match=r"text2num\.py: is compressed in an unusual way; pack your files again"):
        read(tmp_path, zip_bytes([("text2num.py", CODE)], method))


@pytest.mark.slow
@pytest.mark.parametrize("claimed", [0, 10, 1 << 20, 0xFFFFFFFE])
def test_a_bomb_whose_headers_lie_is_refused(tmp_path, claimed):
    bomb = b"\0" * 50_000_000
    data = bytearray(zip_bytes([("text2num.py", bomb)]))
    entry = data.rindex(b"PK\x01\x02")
    data[22:26] = data[entry + 24 : entry + 28] = struct.pack("<I", claimed)
    with pytest.raises(SubmissionError, match=r"is not a sound zip|is larger than 1 MiB|promises another size"):
        read(tmp_path, bytes(data))


def test_a_bomb_cut_to_its_claimed_size_is_read_to_that_size_only(tmp_path):
    data = bytearray(zip_bytes([("text2num.py", b"\0" * 50_000_000)]))
    entry = data.rindex(b"PK\x01\x02")
    data[22:26] = data[entry + 24 : entry + 28] = struct.pack("<I", 1000)
    data[14:18] = data[entry + 16 : entry + 20] = struct.pack("<I", zlib.crc32(b"\0" * 1000))
    assert read(tmp_path, bytes(data)) == b"\0" * 1000


def test_a_member_shorter_than_it_says_is_refused(tmp_path):
    data = bytearray(zip_bytes([("text2num.py", CODE)], zipfile.ZIP_DEFLATED))
    entry = data.rindex(b"PK\x01\x02")
    data[22:26] = data[entry + 24 : entry + 28] = struct.pack("<I", len(CODE) + 1)
    with pytest.raises(SubmissionError, match=r"promises another size|is not a sound zip"):
        read(tmp_path, bytes(data))


def test_members_that_share_their_bytes_are_refused(tmp_path):
    data = zip_bytes([("text2num.py", CODE)], zipfile.ZIP_STORED)
    entry = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    one = data[entry:end]
    tail = bytearray(data[end:])
    tail[8:12] = struct.pack("<HH", 2, 2)
    tail[12:16] = struct.pack("<I", 2 * len(one))
    with pytest.raises(SubmissionError, match="overlaps another file; pack your files again"):
        opened(tmp_path, data[:entry] + one + one.replace(b"text2num", b"word3vec") + bytes(tail))


def test_two_members_of_one_name_are_left_out_with_a_note(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zip_bytes([("text2num.py", CODE), ("text2num.py", b""), ("walk.py", CODE)])
    with opened(tmp_path, data) as packed:
        assert packed.listing.paths == ("walk.py",)
        (note,) = packed.listing.notes
    assert note == "text2num.py: two files of this name are in the submission, and none was taken; remove one of them"


def test_one_name_written_in_two_ways_is_left_out_with_a_note(tmp_path):
    with opened(tmp_path, zip_bytes([("a/text2num.py", CODE), ("a//./text2num.py", b"")])) as packed:
        assert packed.listing.paths == ()
        assert packed.listing.notes[0].startswith("a/text2num.py: two files of this name")


def test_a_hundred_thousand_members_are_refused_unread(tmp_path):
    entry = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 5, *[0] * 4, 0, 0) + b"a.txt"
    directory = entry * 100_000
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), 0, 0)
    with pytest.raises(SubmissionError, match=r"work\.zip: the zip holds too many files; pack your own files only"):
        opened(tmp_path, directory + end)


@pytest.mark.parametrize("cut", [1, 10, 30, 60, 100])
def test_a_cut_off_zip_is_refused(tmp_path, cut):
    data = zip_bytes([("text2num.py", CODE)])
    with pytest.raises(SubmissionError, match=r"work\.zip: is not a sound zip; pack your files again"):
        opened(tmp_path, data[:-cut])


def test_a_zip_with_any_byte_damaged_is_read_or_refused(tmp_path):
    data = zip_bytes([("text2num.py", CODE), ("a/b.py", CODE)])
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


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"Rar!\x1a\x07\x00" * 10], ids=["empty", "start only", "rar"])
def test_what_is_no_zip_is_refused(tmp_path, data):
    with pytest.raises(SubmissionError, match=r"work\.zip: is not a sound zip"):
        opened(tmp_path, data)


def test_a_sparse_terabyte_is_refused_by_its_size(tmp_path):
    path = tmp_path / "work.zip"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(SubmissionError, match=r"work\.zip: is larger than 1024 MiB"):
        open_archive(path, is_link_refused=False)


def test_a_hard_link_is_refused_in_a_batch(tmp_path):
    path = tmp_path / "work.zip"
    path.write_bytes(zip_bytes([]))
    (tmp_path / "other.zip").hardlink_to(path)
    with pytest.raises(SubmissionError, match=r"work\.zip: has a second hard link"):
        open_archive(path, is_link_refused=True)


def test_nothing_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read(tmp_path, zip_bytes([("text2num.py", CODE)]))
    assert [path.name for path in Path.cwd().iterdir()] == ["work.zip"]
