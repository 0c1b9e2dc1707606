"""The example assignment in PyTorch: right solutions get full points, the template none, a mistake is named.

Graded by the command line alone. Skipped where torch is not installed; `.ci/run` has an environment with it, in which
it installs the wheel, too, and names the command of that: INSTALLED_AUTOGRADER.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.selftest.support.example_assignment import ExampleAssignment, add_points, list_failed

pytestmark = [pytest.mark.slow, pytest.mark.ci, pytest.mark.once]

INSTALLED = os.environ.get("INSTALLED_AUTOGRADER")
ASSIGNMENT = ExampleAssignment("parser_pytorch", (INSTALLED,)) if INSTALLED else ExampleAssignment("parser_pytorch")
LOCK = ASSIGNMENT.root / "reference" / "libraries.lock"
HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason=f"torch is not installed: pip install -r {LOCK}")


@pytest.mark.skipif(not INSTALLED, reason="INSTALLED_AUTOGRADER names no installed grader")
def test_the_command_that_is_tested_is_that_of_the_installed_wheel() -> None:
    assert INSTALLED is not None
    where = "import autograder; print(autograder.ENGINE.name)"
    line = [str(Path(INSTALLED).with_name("python")), "-I", "-c", where]
    assert subprocess.run(line, cwd="/", capture_output=True, text=True, check=True).stdout == "site-packages\n"


@needs_torch
@pytest.mark.parametrize("name", ["right", "right_linear"])
def test_right_solutions_get_full_points_at_the_first_start_on_a_machine(name: str, tmp_path: Path) -> None:
    """Nothing is kept, so the grader computes with PyTorch before it forks the pass of the hidden checks."""
    variables = {"XDG_CACHE_HOME": str(tmp_path), "OMP_NUM_THREADS": "4"}
    checks = ASSIGNMENT.grade(ASSIGNMENT.root / "examples" / name, tmp_path, **variables)
    assert list_failed(checks) == []
    assert add_points(checks) == 20


@needs_torch
def test_the_template_gets_none(tmp_path: Path) -> None:
    assert add_points(ASSIGNMENT.grade(ASSIGNMENT.root / "student_template", tmp_path)) == 0


@needs_torch
def test_a_mistake_costs_points_where_it_is_wrong_and_is_named(tmp_path: Path) -> None:
    checks = ASSIGNMENT.grade(ASSIGNMENT.root / "examples" / "wrong", tmp_path)
    failed = list_failed(checks)
    assert failed == ["1.6", "1.7", "1.8"]
    assert all("What makes the hidden layer more than a linear map?" in checks[each]["output"] for each in failed)


@needs_torch
def test_each_known_mistake_is_caught_and_named(tmp_path: Path) -> None:
    done = ASSIGNMENT.run("matrix", "--html", tmp_path / "matrix.html")
    assert done.returncode == 0, done.stdout
    assert "9 mistakes, 10 tests: all are caught" in done.stdout


@needs_torch
def test_the_reference_of_the_assignment_does_not_reach_student_code(tmp_path: Path) -> None:
    (tmp_path / "parser_model.py").write_text("from reference.parser_model import ParserModel\n")
    assert add_points(ASSIGNMENT.grade(tmp_path, tmp_path)) == 0


@pytest.mark.skipif(HAS_TORCH, reason="torch is installed")
def test_a_library_that_is_not_installed_is_said_with_the_command_that_installs_it(tmp_path: Path) -> None:
    done = ASSIGNMENT.run("grade", "--results", tmp_path, ASSIGNMENT.root / "examples" / "right")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert f"`libraries` has 'torch', which is not installed for {sys.executable}" in done.stderr
    assert f"-m pip install -r {LOCK}" in done.stderr
