"""A new assignment grades at once, by the commands that its README names."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from autograder.questions.new_files import NotMadeError, make_assignment
from tests.selftest.support.command_line import run_line

pytestmark = [pytest.mark.slow, pytest.mark.once]


def run(*arguments: str, root: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in the assignment's folder."""
    return run_line(*arguments, cwd=root, AUTOGRADER_ASSIGNMENT=".", HOME=str(root.parent))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new assignment."""
    folder = tmp_path_factory.mktemp("teaching") / "homework"
    done = run_line("new", "assignment", "homework", cwd=folder.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert {str(path.relative_to(folder.parent)) for path in folder.rglob("*") if path.is_file()} >= {
        line.removeprefix("written: ") for line in done.stdout.splitlines() if line.startswith("written: ")
    }
    return folder


@pytest.mark.parametrize(
    ("submission", "points"),
    [
        pytest.param("examples/right", 18.0, marks=pytest.mark.ci),
        ("examples/wrong", 6.15),
        pytest.param("student_template", 0.0, marks=pytest.mark.ci),
    ],
)
def test_right_answers_get_all_points_and_templates_none(root: Path, submission: str, points: float) -> None:
    done = run("grade", submission, root=root)
    assert (done.returncode, done.stderr) == (0, "")
    results = json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] == points
    diagnosed = {name for test in results["tests"] for name in test["extra_data"].get("diagnosis") or ()}
    has_rubric = any("Rubric\nOne point for a w" in test["output"] for test in results["tests"])
    assert has_rubric == (submission != "student_template")
    wrong = {"gradient_with_the_wrong_sign", "gradient_sign", "mean_of_two"}
    assert diagnosed >= (wrong if submission == "examples/wrong" else set())


@pytest.mark.ci
def test_each_mistake_is_caught_and_each_check_catches_one(root: Path) -> None:
    done = run("matrix", root=root)
    assert (done.returncode, done.stderr) == (0, "")
    assert "7 mistakes, 8 tests: all are caught" in done.stdout


@pytest.mark.ci
def test_its_contract_judges_generated_functions(root: Path) -> None:
    done = run("matrix", "--generate", root=root)
    assert (done.returncode, "no survivors" in done.stdout) == (0, True), done.stdout
    assert re.search(r"^regression +83 +8 +75 +75 +0$", done.stdout, re.MULTILINE)
    nothing = run("matrix", "--generate", "--only", "running_mean", root=root)
    assert nothing.stdout.startswith("no function has a contract: nothing was judged")


@pytest.mark.parametrize("kind", ["full", "file"])
def test_a_folder_in_use_is_refused(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    place.write_text("x") if kind == "file" else (place / "mine").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(NotMadeError, match="exists and is not an empty folder; name another"):
        make_assignment(place)
    assert sorted(tmp_path.rglob("*")) == before
