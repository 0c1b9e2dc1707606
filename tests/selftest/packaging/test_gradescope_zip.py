"""package gradescope: autograder.zip holds only the files that grade, with the same bytes on every machine."""

import io
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from autograder import GraderError
from autograder.assignment import DERIVED_CHECKS, DERIVED_MISTAKES, load_assignment
from autograder.packaging.gradescope_zip import START_FILES, pack_grader
from autograder.packaging.tree import PackagingError
from tests.selftest.cli.test_main import results_in, run
from tests.selftest.support.staff_project import copy_to
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.once]

ENGINE_PARTS = ("autograder", *START_FILES)
ROOTS = {*ENGINE_PARTS, "setup.sh", "reference", "student_template", "tests"}


@pytest.fixture(scope="module")
def packed() -> zipfile.ZipFile:
    """The toy's autograder.zip."""
    return zipfile.ZipFile(io.BytesIO(pack_grader(ASSIGNMENT).as_zip()))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The packed parts of the grader and the toy, in a folder without git."""
    for name in START_FILES:
        shutil.copy(PROJECT / name, tmp_path)
    return copy_to(tmp_path)


def test_the_zip_holds_only_the_files_that_grade(packed):
    names = packed.namelist()
    assert {name.partition("/")[0] for name in names} == ROOTS
    below = {name.split("/")[1] for name in names if name.startswith("tests/")}
    assert below == {"__init__.py", "hidden", "mistakes"}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_only_scripts_are_executable_and_all_dates_are_equal(packed):
    modes = {member.filename: member.external_attr >> 16 for member in packed.infolist()}
    assert {name for name, mode in modes.items() if mode == 0o100755} == {
        "run_autograder",
        "setup.sh",
        "autograder/packaging/setup.sh",
    }
    assert set(modes.values()) == {0o100755, 0o100644}
    assert {member.date_time for member in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert packed.namelist() == sorted(packed.namelist())


def test_the_same_sources_give_the_same_bytes_without_git_and_with_windows_line_ends(copy):
    for path in (copy / "run_autograder", copy / "reference" / "assignment.toml"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        os.utime(path, (0, 0))
    (copy / "run_autograder").chmod(0o600)
    assert pack_grader(load_assignment(copy), engine=copy).as_zip() == pack_grader(ASSIGNMENT).as_zip()


def test_files_beside_the_sources_are_not_packed(copy):
    before = pack_grader(load_assignment(copy), engine=copy)
    for name in (".env", "results/results.json", "reference/.secret", "tests/hidden/__pycache__/test.pyc", "notes.txt"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("secret")
    assert pack_grader(load_assignment(copy), engine=copy).files == before.files


@pytest.mark.ci
def test_files_that_git_does_not_track_are_left_out_and_named(copy):
    git = ["git", "-C", copy]
    for arguments in (["init"], ["add", "."]):
        subprocess.run([*git, *arguments], check=True, capture_output=True)
    (copy / "reference" / "grades.csv").write_text("Kim,12\n")
    made = pack_grader(load_assignment(copy), engine=copy)
    assert made.left_out == ("reference/grades.csv",)
    assert "reference/grades.csv" not in made.files
    subprocess.run([*git, "rm", "--cached", "tests/mistakes/descent.py"], check=True, capture_output=True)
    with pytest.raises(PackagingError, match=r"run: git add tests/mistakes/descent\.py"):
        pack_grader(load_assignment(copy), engine=copy)


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("run_autograder", "run_autograder does not exist; this copy"),
        ("tests/mistakes/descent.py", "tests/mistakes/descent.py does not exist, and the question descent needs it"),
    ],
)
def test_an_incomplete_project_is_not_packed(copy, missing, told):
    (copy / missing).unlink()
    with pytest.raises(GraderError, match=told):
        pack_grader(load_assignment(copy), engine=copy)


@pytest.mark.ci
def test_the_zip_grades_like_the_project(packed, tmp_path: Path):
    packed.extractall(tmp_path / "source")
    arguments = ("grade", str(EXAMPLES / "half_done"), "--only", "descent", "--results")
    here = run(*arguments, "here", cwd=tmp_path)
    there = run(*arguments, "there", cwd=tmp_path, project=tmp_path / "source")
    assert (here.returncode, there.returncode) == (0, 0), there.stderr
    results = [results_in(tmp_path / folder) for folder in ("here", "there")]
    for each in results:
        del each["execution_time"], each["extra_data"]["layers"]
    assert results[0] == results[1]


def test_the_command_describes_the_package(tmp_path: Path):
    done = run("package", "gradescope", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "points: set them as the outline's points on Gradescope\n" in done.stdout
    with zipfile.ZipFile(tmp_path / "autograder.zip") as packed:
        found = {name: packed.read(name) for name in packed.namelist()}
    assert found.pop(DERIVED_CHECKS) and found.pop(DERIVED_MISTAKES)
    assert found == dict(pack_grader(ASSIGNMENT).files)
