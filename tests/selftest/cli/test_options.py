"""The assignment of a command is the one that is named, or the only one around the current folder and the grader."""

from pathlib import Path

import click
import pytest

from autograder.cli import options
from autograder.cli.options import add_assignment_option, find_root, refuse_assignment_of
from tests.selftest.support.command_line import run_line
from tests.selftest.support.staff_project import copy_staff_project

pytestmark = pytest.mark.once


def make_root(folder: Path) -> Path:
    """Make a folder that is the root of an assignment."""
    (folder / "reference").mkdir(parents=True)
    (folder / "reference" / "assignment.toml").touch()
    return folder


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A grader that lies beside no assignment."""
    monkeypatch.setattr(options, "ENGINE", tmp_path / "site-packages")


@pytest.mark.usefixtures("installed")
class TestInstalled:
    def test_the_assignment_around_the_folder_is_found(self, tmp_path: Path) -> None:
        root = make_root(tmp_path / "course")
        (root / "notes" / "old").mkdir(parents=True)
        assert find_root(root) == find_root(root / "notes" / "old") == root

    def test_none_is_told_with_the_way_to_one(self, tmp_path: Path) -> None:
        with pytest.raises(click.UsageError, match=r"no assignment was found .* `run_autograder new assignment DIR`"):
            find_root(tmp_path)

    def test_one_in_another_has_to_be_named(self, tmp_path: Path) -> None:
        make_root(tmp_path / "course")
        with pytest.raises(click.UsageError, match=r"submissions/ada and .*course are assignments: name one by"):
            find_root(make_root(tmp_path / "course" / "submissions" / "ada"))


def test_the_graders_own_is_found_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = make_root(tmp_path / "installed")
    monkeypatch.setattr(options, "ENGINE", beside)
    (beside / "docs").mkdir()
    assert find_root(tmp_path) == find_root(beside / "docs") == beside


@pytest.mark.slow
def test_no_code_of_a_submission_that_looks_like_an_assignment_is_imported(tmp_path: Path) -> None:
    submission = make_root(tmp_path / "ada")
    for name in ("reference", "tests"):
        (submission / f"{name}.py").write_text("raise SystemExit('imported')\n")
    done = run_line("grade", ".", cwd=submission, project=copy_staff_project(tmp_path))
    assert (done.returncode, "name one by --assignment DIR" in done.stderr) == (2, True)
    assert not (submission / "results").exists()


@pytest.mark.usefixtures("installed")
def test_the_only_assignment_may_not_lie_in_the_submission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    submission = make_root(tmp_path / "ada")

    @click.command()
    @add_assignment_option
    def grade(root: Path) -> None:
        refuse_assignment_of(submission, root)

    monkeypatch.chdir(submission)
    with pytest.raises(click.UsageError, match="lies in the submission"):
        grade([], standalone_mode=False)
    grade(["--assignment", str(submission)], standalone_mode=False)


@pytest.mark.parametrize("named", [("--assignment", "."), ()], ids=["option", "variable"])
def test_what_is_named_has_to_be_one(tmp_path: Path, named: tuple[str, ...]) -> None:
    settings = {} if named else {"AUTOGRADER_ASSIGNMENT": "."}
    done = run_line("grade", "x.py", *named, cwd=tmp_path, **settings)
    assert done.returncode == 2
    assert ". is no assignment: it has no reference/assignment.toml" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("matrix", "--kinds"), "leave it out; `matrix --generate` judges"),
        (("lint", "results.json"), "is no folder: `lint` looks at an assignment"),
        (("results.json", "--only", "descent"), "is a path and no command; write: run_autograder grade results.json"),
        (("regress", ".", "--similarity"), "compare50, MOSS or Dolos"),
    ],
)
def test_an_option_that_is_gone_or_a_word_that_is_missing_is_explained(
    tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "results.json").touch()
    done = run_line(*words, cwd=tmp_path)
    assert (done.returncode, sentence in done.stderr) == (2, True)
