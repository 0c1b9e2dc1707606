"""A folder is read without following links, waiting for pipes or reading files that are too large."""

import os

import pytest

from autograder.submission import SubmissionError, file_tree
from autograder.submission.file_tree import open_folder, read_regular


def paths(root):
    with open_folder(root, is_link_refused=False) as tree:
        return tree.listing.paths


def read(root, name="text2num.py"):
    with open_folder(root, is_link_refused=False) as tree:
        return tree.read(name)


def test_links_to_folders_are_not_followed(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "etc").symlink_to("/etc")
    (tmp_path / "text2num.py").touch()
    (tmp_path / "walk.py").mkdir()
    assert paths(tmp_path) == ("etc", "loop", "text2num.py")


def test_a_folder_that_became_a_link_is_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "text2num.py").write_text("secret")
    root = tmp_path / "root"
    (root / "hw").mkdir(parents=True)
    (root / "hw" / "text2num.py").touch()
    with open_folder(root, is_link_refused=False) as tree:
        (root / "hw").rename(root / "old")
        (root / "hw").symlink_to(outside)
        with pytest.raises(SubmissionError, match=r"hw/text2num\.py: cannot be read"):
            tree.read("hw/text2num.py")


@pytest.mark.parametrize(
    ("path", "message"),
    [("/dev/null", "is a device; submit an ordinary file"), ("/dev", "is a folder; a Python file is needed")],
)
def test_a_device_or_a_folder_is_refused(path, message):
    with pytest.raises(SubmissionError, match=f"text2num: {message}"):
        read_regular(path, place="text2num")


@pytest.mark.parametrize("size", [file_tree.FILE_BYTES + 1, 1 << 30, 1 << 40], ids=["just over", "1 GB", "1 TB"])
def test_a_file_above_the_limit_is_refused_before_it_is_read(tmp_path, size, monkeypatch):
    monkeypatch.setattr(file_tree, "open", lambda *arguments: pytest.fail("was read"), raising=False)
    with (tmp_path / "text2num.py").open("wb") as file:
        file.truncate(size)
    with pytest.raises(SubmissionError, match=r"text2num\.py: is larger than 1 MiB; a solution has a few KiB"):
        read(tmp_path)


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path, monkeypatch):
    (tmp_path / "text2num.py").write_bytes(b"x" * 10)
    honest = os.fstat

    def tell_and_grow(descriptor):
        status = honest(descriptor)
        with (tmp_path / "text2num.py").open("ab") as file:
            file.write(b"y" * (file_tree.FILE_BYTES - 5))
        return status

    monkeypatch.setattr(file_tree.os, "fstat", tell_and_grow)
    with pytest.raises(SubmissionError, match=r"text2num\.py: changed while it was read; try again"):
        read(tmp_path)


def test_more_files_than_anybody_writes_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(file_tree, "ENTRIES", 20)
    for number in range(21):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(SubmissionError, match="the folder holds more than 20 files; submit a folder with your own"):
        paths(tmp_path)
