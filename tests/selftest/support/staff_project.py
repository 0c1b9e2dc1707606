"""Staff project: copies the project for tests that break its staff files or add steps to them."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.selftest.support.grading import PROJECT

_PARTS = ("autograder", "reference", "starter_modules", "student_template", "tests/hidden", "tests/mistakes")
_BODY = '    """normalizeRows: four rows of three numbers"""\n'


def copy_staff_project(folder: Path) -> Path:
    """Copy the project to `folder / "project"`."""
    project = folder / "project"
    for part in _PARTS:
        shutil.copytree(PROJECT / part, project / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "tests" / "__init__.py", project / "tests")
    return project


def insert_step(project: Path, step: str, *, results: Path = Path()) -> Path:
    """Insert a step at the start of the first hidden test of normalization; it may use the name `results`.

    A dry run of the test leaves the step out.
    """
    path = project / "tests" / "hidden" / "test_normalization.py"
    text = path.read_text(encoding="utf-8")
    assert _BODY in text
    names = f"    import os, pathlib, pytest, shutil, sys; results = pathlib.Path({str(results)!r})\n"
    names += "    from autograder.checks.dry_run import is_dry_run\n"
    path.write_text(text.replace(_BODY, f"{_BODY}{names}    if not is_dry_run():\n        {step}\n"), encoding="utf-8")
    return project
