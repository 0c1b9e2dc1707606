"""New question: the project of this course stays in order with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.selftest.questions.test_new_question import STEM, make, run, run_python
from tests.selftest.support.grading import PROJECT

pytestmark = [pytest.mark.content, pytest.mark.ci]

WALK = "tests/selftest/meta/test_layout.py"  # of the whole project, which a new question must not fail


@pytest.mark.once
def test_the_project_with_a_new_question_stays_in_order(tmp_path: Path) -> None:
    project = tmp_path / "project"
    ignored = shutil.ignore_patterns("__pycache__", ".venv", ".git", ".*_cache", "results")
    shutil.copytree(PROJECT, project, ignore=ignored)
    assert make(project).returncode == 0
    done = run_python(project, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", WALK)
    assert done.returncode == 0, done.stdout[-3000:]
    mine = run_python(
        project, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/selftest/content", "-k", STEM
    )
    assert mine.returncode == 0, mine.stdout[-3000:]
    packed = run(project, "package", "handout", "--output", "handout.zip")
    assert packed.returncode == 0, packed.stderr
