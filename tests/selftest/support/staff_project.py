"""Staff project: copies the grader beside the toy, for tests that break staff files or add steps to them."""

import re
import shutil
from pathlib import Path

from tests.selftest.support.toy_assignment import PROJECT, TOY

_UNFINISHED = shutil.ignore_patterns("*.pyc.*")  # another process is compiling a module
_COMPILED = shutil.ignore_patterns("__pycache__")  # of files that a test changes, at times within a second
_PARTS = ("reference", "student_template", "tests/hidden", "tests/mistakes")


def copy_staff_project(folder: Path) -> Path:
    """Copy the grader and the toy to `folder / "project"`."""
    return copy_to(folder / "project")


def copy_toy(folder: Path) -> Path:
    """Copy the toy alone to `folder / "project"`."""
    copy_assignment(folder / "project", TOY)
    return folder / "project"


def write_seed(project: Path, seed: str = "a seed") -> Path:
    """Give the toy of a project a seed for contracts: one that `new question` draws may miss a rare mistake."""
    declaration = project / "reference" / "assignment.toml"
    declaration.write_text(f'seed = "{seed}"\n{declaration.read_text()}')
    return project


def copy_to(project: Path, root: Path = TOY) -> Path:
    """Copy the grader, with its modules as they are compiled, and an assignment to a folder."""
    shutil.copytree(PROJECT / "autograder", project / "autograder", ignore=_UNFINISHED)
    copy_assignment(project, root)
    return project


def copy_assignment(project: Path, root: Path) -> None:
    """Copy an assignment to a folder."""
    for part in _PARTS:
        shutil.copytree(root / part, project / part, ignore=_COMPILED)
    shutil.copy(root / "tests" / "__init__.py", project / "tests")


def insert_step(project: Path, step: str, *, results: Path = Path()) -> Path:
    """Insert a step at the start of the first hidden test of rows, to be taken where a student's function replies.

    It may use the name `results`.
    """
    path = project / "tests" / "hidden" / "test_rows.py"
    head, title, body = re.split(
        r"(^def test_.*\n.*\n)", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE
    )
    names = f"    import os, pathlib, pytest, shutil, sys; results = pathlib.Path({str(results)!r})\n"
    is_students = "'Replay' not in type(student._attempt).__name__"  # and not the right solution's, which is measured
    condition = f"    if student.rows.unit_rows(np.ones((1, 1))) is not None and {is_students}:\n"
    path.write_text(f"{head}{title}{names}{condition}        {step}\n{body}", encoding="utf-8")
    return project
