"""New question: what the command writes is a whole question."""

import subprocess
from pathlib import Path

import pytest

from tests.selftest.support.command_line import run_line
from tests.selftest.support.staff_project import copy_toy

pytestmark = [pytest.mark.slow, pytest.mark.once]

QUESTION_ID = "linear_layer"
SIGNATURES = (
    "linear_loss(w: (D,), x: (N, D), rate: float) -> loss: float, grad: (D,)",
    "centred(x: (N, D)) -> out: (N, D)",
    "scaled(x: (N, 2), k: int) -> out: (N, 2)",
)
SOLUTION = '''"""A linear layer."""

import numpy as np


def linear_loss(w, x, rate):
    """Return the loss and its gradient by w: (D,). x: (N, D)."""
    loss = np.square(x @ w).sum() / 2 + rate * w.sum()
    return loss, x.T @ (x @ w) + rate


def centred(x):
    """Return the rows of x, (N, D), minus their mean."""
    return x - x.mean(axis=0)


def scaled(x, k):
    """Return x, (N, 2), times k."""
    return x * k


def f(x):
    """Return x."""
    return x
'''
PLAIN = "f(x: (N,)) -> y: (N,)"


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line of a project, or that of this one for an assignment alone."""
    settings = {"AUTOGRADER_ASSIGNMENT": str(project), "XDG_CACHE_HOME": str(project.parent / "cache")}
    return run_line(*arguments, cwd=project, project=project, **settings)


def make(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Make a question in a project, by default that of the signatures."""
    solution = project.parent / "solution.py"
    solution.write_text(SOLUTION, encoding="utf-8")
    given = arguments or (QUESTION_ID, *SIGNATURES, "--title", "A linear layer")
    return run(project, "new", "question", *given, "--reference", str(solution))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the toy."""
    return copy_toy(tmp_path)


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["descent", PLAIN], "there is a question 'descent' already"),
        (["My-Question", PLAIN], "'My-Question' is no id"),
        (["statistics", PLAIN], "a file statistics.py would hide the module 'statistics'; choose another id"),
        (["fitting_checks", PLAIN], ""),
        ([QUESTION_ID, PLAIN, PLAIN], "two signatures have the same name"),
        ([QUESTION_ID, PLAIN, "centred(x: (N, D)) -> y", "--points", "1"], "2 functions need at least 2 points"),
        ([QUESTION_ID, "f(x: (N D)) -> y"], "\n  f(x: (N D)) -> y\n        ^"),
        ([QUESTION_ID], "give a SIGNATURE, such as 'f(x: (N, D)) -> out', or --signatures FILE"),
    ],
)
def test_what_cannot_be_made_is_told_and_nothing_is_written(project: Path, arguments: list[str], told: str) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    if not told:
        (project / "tests" / "mistakes" / "fitting_checks.py").touch()
        before[project / "tests" / "mistakes" / "fitting_checks.py"] = b""
        told = "tests/mistakes/fitting_checks.py exists"
    done = make(project, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert {path: path.read_bytes() for path in project.rglob("*") if path.suffix != ".pyc" and path.is_file()} == {
        path: text for path, text in before.items() if path.suffix != ".pyc"
    }


def test_a_file_of_mistakes_that_does_not_import_is_told_with_its_line(project: Path) -> None:
    mistakes = project / "tests" / "mistakes" / "descent.py"
    mistakes.write_text("import none_such\n", encoding="utf-8")
    told = "tests/mistakes/descent.py:1: cannot be imported: ModuleNotFoundError: No module named 'none_such'"
    matrix = run(project, "matrix", "--only", "descent")
    assert (matrix.returncode, told in matrix.stderr) == (3, True), matrix.stderr
    assert told in run(project, "lint", str(project)).stdout
