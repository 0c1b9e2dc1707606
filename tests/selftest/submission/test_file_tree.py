"""A folder and a zip of the same files are the same submission: what is listed, left out, refused and read."""

import zipfile

import pytest

from autograder.submission import SubmissionError, file_tree, open_tree
from tests.selftest.submission.test_submission import written


@pytest.fixture(params=["folder", "zip"])
def opened(request, tmp_path):
    """Return a function that opens files, contents by path, as a folder or as a zip."""

    def open_files(files):
        root = written(tmp_path / "work", files)
        if request.param == "zip":
            with zipfile.ZipFile(tmp_path / "work.zip", "w") as packed:
                for path in files:
                    packed.write(root / path, path)
            root = tmp_path / "work.zip"
        return open_tree(root)

    return open_files


def test_only_the_students_own_files_are_listed(opened):
    tools = ("__MACOSX", "__pycache__", ".git", ".ipynb_checkpoints", "venv", "node_modules", "site-packages")
    names = [f"hw/{tool}/text2num.py" for tool in tools]
    names += ["hw/my env/pyvenv.cfg", "hw/my env/lib/text2num.py", "conda/conda-meta/history", "conda/x.py"]
    names += ["hw/.DS_Store", "hw/._walk.py", "hw/text2num.py"]
    names += ["d/" * depth + "deep.py" for depth in (file_tree.DEPTH - 1, file_tree.DEPTH, 40)]
    with opened(dict.fromkeys(names, "")) as tree:
        assert tree.listing.paths == ("d/" * (file_tree.DEPTH - 1) + "deep.py", "hw/text2num.py")


def test_two_files_of_one_path_are_left_out_with_a_note(opened):
    names = ("hw/text2num.py", "hw\\text2num.py", "walk.py", "hw/notes.txt", "hw\\notes.txt", "..\\outside.py")
    with opened(dict.fromkeys(names, "")) as tree:
        assert tree.listing.paths == ("hw/notes.txt", "walk.py")
        assert tree.listing.notes[-1] == (
            "hw/text2num.py: two files of this name are in the submission, and none was graded; remove one of them"
        )


def test_a_file_of_just_the_limit_is_read_and_a_larger_one_refused(opened):
    with opened({"a.py": b"\n" * file_tree.FILE_BYTES, "b.py": b"\n" * (file_tree.FILE_BYTES + 1)}) as tree:
        assert len(tree.read("a.py")) == file_tree.FILE_BYTES
        with pytest.raises(SubmissionError, match=r"b\.py: is larger than 1 MiB; a solution has a few KiB"):
            tree.read("b.py")
