"""The command line: output, files and exit status of each command."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.selftest.support.command_line import run_line
from tests.selftest.support.grader_process import write_submission
from tests.selftest.support.staff_project import copy_staff_project
from tests.selftest.support.toy_assignment import ASSIGNMENT, PROJECT, TOY

pytestmark = [pytest.mark.slow, pytest.mark.once]

ONLY = ("--only", "rows")
QUESTIONS = ASSIGNMENT.questions
POINTS = sum(question.points for question in QUESTIONS)
BY_HAND = sum(text.points_by_hand for question in QUESTIONS for text in question.texts)


def run(*arguments: str, cwd: Path, project: Path | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in the folder `cwd`; `project`: a copy of the grader and the toy."""
    settings = {"AUTOGRADER_ASSIGNMENT": str(project or TOY), **settings}
    return run_line(*arguments, cwd=cwd, project=project or PROJECT, **settings)


def results_in(folder: Path) -> dict[str, Any]:
    """Read the results.json of a folder."""
    results: dict[str, Any] = json.loads((folder / "results.json").read_text())
    return results


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """A folder with a right answer to one question."""
    return write_submission(tmp_path)


class TestGrade:
    def test_shows_the_result_and_writes_it_beside_the_caller(self, submission: Path, tmp_path: Path) -> None:
        done = run("grade", "submission", *ONLY, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "rows.py" in done.stdout
        assert done.stdout.splitlines()[-1] == "written to results/results.json"
        assert results_in(tmp_path / "results")["score"] == 4.0

    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize(
        ("arguments", "told", "is_unreadable"),
        [
            (["grade", "nowhere"], "nowhere: does not exist", True),
            (["grade", ".", "--only", "rowss"], "did you mean 'rows'?", False),
        ],
    )
    def test_what_cannot_be_graded(self, tmp_path: Path, arguments: list[str], told: str, is_unreadable: bool) -> None:
        done = run(*arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert told in done.stderr
        assert "Traceback" not in done.stderr
        results = results_in(tmp_path / "results")
        assert results["extra_data"]["state"] == ("unreadable" if is_unreadable else "unfinished")
        assert (told in results["output"]) == is_unreadable

    @pytest.mark.parametrize("folder", ["file/below", "/proc"])
    def test_results_that_cannot_be_written(self, submission: Path, tmp_path: Path, folder: str) -> None:
        (tmp_path / "file").touch()
        done = run("grade", "submission", "--results", folder, cwd=tmp_path)
        assert done.returncode == 2
        assert re.search("Invalid value for '?--results", done.stderr)

    def test_files_beside_the_caller_are_never_imported_and_json_is_what_was_written(
        self, submission: Path, tmp_path: Path
    ) -> None:
        for name in ("click", "numpy", "pytest", "json", "autograder", "sitecustomize"):
            (submission / f"{name}.py").write_text("raise SystemExit('imported from the current folder')\n")
        options = (*ONLY, "--results", str(tmp_path), "--json")
        done = run("grade", ".", *options, cwd=submission, PYTHONPATH=str(submission))
        assert (done.returncode, done.stderr) == (0, "")
        assert results_in(tmp_path)["score"] == 4.0
        assert json.loads(done.stdout) == results_in(tmp_path)

    @pytest.mark.ci
    def test_an_output_that_is_not_utf_8_loses_no_result(self, submission: Path, tmp_path: Path) -> None:
        submission.rename(tmp_path / "zoé 文")
        command = [sys.executable, "-m", "autograder", "grade", str(tmp_path), *ONLY, "--results", str(tmp_path)]
        environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "ascii", "AUTOGRADER_ASSIGNMENT": str(TOY)}
        done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "zo\\xe9 \\u6587/rows.py" in done.stdout


def test_a_bug_of_the_grader_is_never_a_zero(submission: Path, tmp_path: Path) -> None:
    project = copy_staff_project(tmp_path)
    with (project / "autograder" / "grading" / "judge.py").open("a") as broken:
        broken.write("\n\nJudge.run_pass = lambda *_, **__: 1 / 0\n")
    done = run("grade", "submission", *ONLY, cwd=tmp_path, project=project)
    assert done.returncode == 3
    assert "the grader failed; this is not the submission's fault\nTraceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert "This is not your fault" in results_in(tmp_path / "results")["output"]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grader beside its assignment, as a package for Gradescope has them."""
    return copy_staff_project(tmp_path_factory.mktemp("packed"))


class TestGradescope:
    @pytest.fixture
    def root(self, submission: Path, tmp_path: Path) -> Path:
        """Gradescope's folder, laid out like its harness does before a run."""
        for name in ("results", "source"):
            (tmp_path / name).mkdir()
        (tmp_path / "submission_metadata.json").write_text(json.dumps({"assignment": {"total_points": str(POINTS)}}))
        return tmp_path

    def test_writes_the_result_and_protects_files_from_students(self, packed: Path, root: Path) -> None:
        done = run(cwd=root, project=packed, AUTOGRADER_ROOT=str(root))
        assert (done.returncode, done.stderr) == (0, "")
        assert results_in(root / "results")["score"] == 4.0
        modes = {"results": 0o700, "source": 0o700, "submission": 0o700, "submission_metadata.json": 0o600}
        assert {name: (root / name).stat().st_mode & 0o777 for name in modes} == modes

    def test_elsewhere_it_explains_its_usage(self, packed: Path, tmp_path: Path) -> None:
        done = run(cwd=tmp_path, project=packed, AUTOGRADER_ROOT=str(tmp_path))
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith(
            f"Nothing was graded: without a command, run_autograder grades {tmp_path}/submission, as on Gradescope, "
        )
        for command in ("run_autograder grade PATH", "run_autograder selftest"):
            assert f"\n  {command} " in done.stderr
        assert os.listdir(tmp_path) == []


@pytest.mark.ci
def test_arguments_and_exit_status_of_selftest_are_pytests(tmp_path: Path) -> None:
    done = run("selftest", "-k", "no_such_test", "--co", "tests/selftest/cli/test_main.py", cwd=tmp_path)
    assert done.returncode == 5, done.stdout
    assert "deselected" in done.stdout


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("is_taken", [False, True], ids=["written", "taken"])
def test_a_page_shows_the_result_as_to_students_and_staff(submission: Path, tmp_path: Path, is_taken: bool) -> None:
    (submission / "rows.py").write_text("def unit_rows(x):\n    raise ValueError('<b>no</b>')\n")
    page = tmp_path / "results" / "results.html"
    if is_taken:
        page.mkdir(parents=True)
    done = run("grade", "submission", *ONLY, "--html", cwd=tmp_path)
    told = (
        "the result cannot be converted: [Errno 21] Is a directory" if is_taken else "written to results/results.html"
    )
    assert (done.returncode, told in done.stderr, "Traceback" in done.stderr) == (3 * is_taken, True, False)
    if not is_taken:
        text = page.read_text(encoding="utf-8")
        assert ("Staff</label>" in text, "&lt;b&gt;no" in text, "<b>" in text) == (True, True, False)
        assert text.count(", hidden until the due date") == 3
