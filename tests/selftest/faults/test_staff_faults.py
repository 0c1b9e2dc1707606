"""Staff files that are broken cost no student a point: one hidden test stands alone, what all need stops the run."""

from pathlib import Path

import pytest

from autograder.assignment.toml_table import find_line
from tests.selftest.support.grader_process import UNFINISHED, grade_right, read_results
from tests.selftest.support.staff_project import copy_toy, insert_step

pytestmark = [pytest.mark.slow, pytest.mark.once]

ENDINGS = ["sys.exit()", "pytest.exit('enough')", "raise BaseException"]
TEST = "tests/hidden/test_rows.py"
BREAKS = [
    (TEST, "import no_such_module", "No module named 'no_such_module'"),
    (TEST, "def broken(:", "SyntaxError"),
    (TEST, "import pytest; pytest.exit('enough')", "enough"),
    (TEST, "\xff", "test_rows.py"),
    ("reference/rows.py", "raise SystemExit(0)", "SystemExit"),
    ("reference/assignment.toml", "[[", "assignment.toml"),
    ("reference/assignment.toml", "\xff", "assignment.toml"),
]


@pytest.mark.ci
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_hidden_test_that_ends_itself_is_not_judged_and_the_others_are(tmp_path: Path, ending: str) -> None:
    project = insert_step(copy_toy(tmp_path), ending)
    done = grade_right(tmp_path, project)
    assert done.returncode == 3
    assert "1 of 4 checks has no score: the grader failed there" in done.stdout
    results = read_results(tmp_path / "results")
    assert [test["extra_data"]["verdict"] for test in results["tests"]] == ["undecided", "passed", "passed", "passed"]
    assert (results["score"], "score" in results["tests"][0]) == (2.5, False)
    assert "This is not your fault" in results["tests"][0]["output"]
    assert "test_rows.py" in results["tests"][0]["extra_data"]["fault"]


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize(("file", "line", "told"), BREAKS, ids=[f"{file}: {line}" for file, line, _ in BREAKS])
def test_a_file_that_is_broken_is_named_and_nobody_is_graded(tmp_path: Path, file: str, line: str, told: str) -> None:
    path = copy_toy(tmp_path) / file
    path.write_bytes(path.read_bytes() + f"\n{line}\n".encode("latin-1"))
    done = grade_right(tmp_path, tmp_path / "project")
    assert (done.returncode, done.stdout) == (3, "")
    assert told in done.stderr
    assert "run_autograder: the grader " in done.stderr
    results = read_results(tmp_path / "results")
    assert results["extra_data"] == UNFINISHED
    assert "This is not your fault" in results["output"]


@pytest.mark.ci
@pytest.mark.parametrize("file", ["student_template/rows.py", TEST])
def test_a_missing_file_of_a_question_is_told_in_one_line(tmp_path: Path, file: str) -> None:
    project = copy_toy(tmp_path)
    (project / file).unlink()
    line = find_line((project / "reference" / "assignment.toml").read_text(encoding="utf-8"), "rows", "id")
    done = grade_right(tmp_path, project)
    assert (done.returncode, done.stdout) == (3, "")
    assert read_results(tmp_path / "results")["extra_data"] == UNFINISHED
    (told,) = done.stderr.splitlines()
    assert f"nothing was graded: {project}/reference/assignment.toml:{line}: {file} does not exist" in told
