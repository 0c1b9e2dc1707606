"""Right solution: no command builds or grades anything for students while a check fails the staff's own solution."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.questions import right_solution
from autograder.questions.right_solution import RightSolutionError, describe_failures, require_right_solution
from autograder.results import Verdict
from tests.selftest.support.command_line import run_line
from tests.selftest.support.reports import check
from tests.selftest.support.staff_project import copy_staff_project
from tests.selftest.support.toy_assignment import ASSIGNMENT, PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.once]

COMPARED = "reference.unit_rows(x)"
PACKED = ("LICENSE", "requirements.lock", "run_autograder")
REFUSAL = "the right solution fails 3.1, 3.2, 3.3 and 3.4"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the project in which a question's checks compare with wrong values."""
    project = copy_staff_project(tmp_path)
    for name in PACKED:
        shutil.copy(PROJECT / name, project)
    path = project / "tests" / "hidden" / "test_rows.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(COMPARED) == 1
    path.write_text(text.replace(COMPARED, f"{COMPARED} * 1.001"), encoding="utf-8")
    (tmp_path / "class" / "ada").mkdir(parents=True)
    shutil.copy(project / "reference" / "rows.py", tmp_path / "class" / "ada")
    return project


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line of a project in the folder beside it."""
    return run_line(*arguments, cwd=project.parent, project=project, XDG_CACHE_HOME=str(project.parent / "cache"))


@pytest.mark.ci
def test_regress_grades_nobody_if_it_fails(broken: Path) -> None:
    done = run(broken, "regress", "class", "--out", "out", "--only", "rows")
    assert done.returncode == 3
    assert f"nothing was graded: {REFUSAL}" in done.stderr
    assert not list((broken.parent / "out").iterdir())


def test_none_that_failed_is_remembered(broken: Path, tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(RightSolutionError, match=f"^{re.escape(REFUSAL)}"):
            require_right_solution(load_assignment(broken), only=("rows",), memory=tmp_path / "memory")


def test_a_grader_that_passed_is_remembered(tmp_path: Path) -> None:
    require_right_solution(ASSIGNMENT, only=("rows",), memory=tmp_path)
    (file,) = tmp_path.iterdir()
    written = file.stat().st_ino
    require_right_solution(ASSIGNMENT, only=("rows",), memory=tmp_path)
    assert file.stat().st_ino == written
    file.unlink()
    require_right_solution(ASSIGNMENT, only=("rows",), memory=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_failures_are_described_by_numbers_and_the_first_lines_of_some() -> None:
    failed = [check(number="2.5", verdict=Verdict.FAILED, output="FAIL x\n  expected: 1\n  found:    2\n  a\n  b")]
    lines = describe_failures(failed).splitlines()
    assert (lines[0], lines[2], lines[-2]) == ("the right solution fails 2.5", "    FAIL x", "      a")
    failed = [check(number=f"1.{n}", verdict=Verdict.UNDECIDED, fault="no such name") for n in range(1, 6)]
    text = describe_failures(failed)
    assert text.startswith("the right solution fails 1.1, 1.2, 1.3, 1.4 and 1.5\n")
    assert text.count("no such name") == 3


def test_a_process_that_ends_while_it_grades_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(right_solution, "grade_right_solution", lambda *_: os._exit(1))
    with pytest.raises(RightSolutionError, match="the process that graded the right solution ended"):
        require_right_solution(ASSIGNMENT)
