"""The example assignment in PyTorch: right solutions get full points, the template none, a mistake is named.

Graded by the command line alone. Skipped where torch is not installed; `.ci/run` has an environment with it.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.selftest.support.grading import PROJECT

ROOT = PROJECT / "examples" / "assignments" / "parser_pytorch"
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None,
    reason=f"torch is not installed: pip install -r {ROOT}/reference/libraries.lock",
)


def run(command: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the grader on the assignment."""
    line = [sys.executable, "-m", "autograder", command, "--assignment", str(ROOT), *map(str, arguments)]
    return subprocess.run(line, cwd=PROJECT, capture_output=True, text=True, check=False)


def grade(submission: Path, folder: Path) -> dict[str, Any]:
    """Grade a submission and read its results."""
    done = run("grade", "--results", folder, submission)
    assert done.returncode == 0, done.stderr
    results: dict[str, Any] = json.loads((folder / "results.json").read_text())
    return results


def find_failed(results: dict[str, Any]) -> dict[str, str]:
    """Find the checks that lost points, by number, with their outputs."""
    return {test["number"]: test["output"] for test in results["tests"] if test["score"] < test["max_score"]}


@needs_torch
@pytest.mark.parametrize("name", ["right", "right_linear"])
def test_right_solutions_get_full_points(name: str, tmp_path: Path) -> None:
    results = grade(ROOT / "examples" / name, tmp_path)
    assert find_failed(results) == {}
    assert sum(test["score"] for test in results["tests"]) == 20


@needs_torch
def test_the_template_gets_none(tmp_path: Path) -> None:
    assert {test["score"] for test in grade(ROOT / "student_template", tmp_path)["tests"]} == {0}


@needs_torch
def test_a_mistake_costs_points_where_it_is_wrong_and_is_named(tmp_path: Path) -> None:
    results = grade(ROOT / "examples" / "wrong", tmp_path)
    failed = find_failed(results)
    assert list(failed) == ["1.6", "1.7", "1.8"]
    assert all("What makes the hidden layer more than a linear map?" in output for output in failed.values())


@needs_torch
def test_each_known_mistake_is_caught_and_named(tmp_path: Path) -> None:
    done = run("matrix", "--html", tmp_path / "matrix.html")
    assert done.returncode == 0, done.stdout
    assert "9 mistakes, 10 tests: all as named" in done.stdout


@needs_torch
def test_the_reference_of_the_assignment_does_not_reach_student_code(tmp_path: Path) -> None:
    (tmp_path / "parser_model.py").write_text("from reference.parser_model import ParserModel\n")
    assert {test["score"] for test in grade(tmp_path, tmp_path)["tests"]} == {0}


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_a_library_that_is_not_installed_is_said_with_the_command_that_installs_it(tmp_path: Path) -> None:
    done = run("grade", "--results", tmp_path, ROOT / "examples" / "right")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert f"`libraries` has 'torch', which is not installed for {sys.executable}" in done.stderr
    assert f"-m pip install -r {ROOT}/reference/libraries.lock" in done.stderr
