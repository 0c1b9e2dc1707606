"""A teaching assistant's walk: a new question, a check with a slip, the refusal to ship it, and the packages."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.selftest.questions.test_new_question import QUESTION_ID, make, run
from tests.selftest.support.staff_project import copy_staff_project, write_seed
from tests.selftest.support.toy_assignment import PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.ci]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project with all that the packages hold."""
    project = write_seed(copy_staff_project(tmp_path))
    for path in PROJECT.iterdir():
        if path.is_file() and path.name != ".git":  # that of a worktree leads to its index
            shutil.copy(path, project)
    shutil.copytree(PROJECT / "docs", project / "docs")
    return project


def test_from_a_new_question_to_the_packages(project: Path) -> None:
    done = make(project)
    assert done.returncode == 0, done.stdout + done.stderr
    hidden = project / "tests" / "hidden" / f"test_{QUESTION_ID}.py"
    right = hidden.read_text()

    slip = "functools.wraps(reference.scaled)(lambda *given: 1.01 * reference.scaled(*given)),"
    imported = right.replace("from autograder", "import functools\n\nfrom autograder", 1)
    hidden.write_text(imported.replace("reference.scaled,", slip, 1))
    assert hidden.read_text() != right
    refused = run(project, "package", "gradescope")  # nothing that the right solution fails is shipped
    assert refused.returncode == 3, refused.stdout + refused.stderr
    assert "the right solution fails" in refused.stderr
    assert not list(project.glob("*.zip"))

    hidden.write_text(right)
    graded = run(project, "grade", f"reference/{QUESTION_ID}.py", "--only", QUESTION_ID)
    assert "15 of 15 points" in graded.stdout, graded.stderr
    assert run(project, "matrix", "--only", QUESTION_ID).returncode == 0

    for command in (["init", "-q"], ["add", "."]):  # what git does not know is not packed
        subprocess.run(["git", *command], cwd=project, check=True)
    assert run(project, "package", "handout").returncode == 0
    done = run(project, "package", "gradescope")
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(project / "autograder.zip") as packed:
        assert any(name.endswith(f"tests/hidden/test_{QUESTION_ID}.py") for name in packed.namelist())
    with zipfile.ZipFile(project / "handout.zip") as packed:
        assert {f"{QUESTION_ID}.py", f"checks/{QUESTION_ID}.json.gz"} <= set(packed.namelist())
        template = packed.read(f"{QUESTION_ID}.py").decode()
    assert "raise NotImplementedError" in template
