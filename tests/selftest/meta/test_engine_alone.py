"""The tests of the grader need no course: they name nothing of this repository's, and run in a tree without it.

What is proved where: no file of theirs names the course (a search of the texts); every one, slow ones included, is
imported in a tree without it; and there those of the first run are run.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.project_sources import PROJECT, assert_none, list_files, locate, read_text

pytestmark = pytest.mark.once

SELFTEST = PROJECT / "tests" / "selftest"
COURSE = ("reference", "student_template", "tests/hidden", "tests/mistakes")
COURSE += ("tests/selftest/content", "examples/right", "examples/wrong", "examples/half_done")
# Folders of the course's own: what its tests, its tools and its pages' tests are made of.
OF_THE_COURSE = ("content", "broken_uploads", "golden", "right", "second_wordings", "meta")
# Modules of support/ that serve tests of the course, its pages or the tools that make them; no other test imports them.
COURSE_SUPPORT = """
    doubles grading left_out replayed_submission same_results wrong_answers wrong_prerequisites
""".split()  # noqa: SIM905  (a list of names)
# Tests of the grader that need the course, each with the reason.
EXCEPTIONS = {
    "docker/test_container.py": "a container holds the repository as Gradescope receives it, with its course",
    "docker/test_container_grading.py": "the same",
    "support/container.py": "the same",
    "packaging/test_wheel.py": "`new assignment` writes a question of the same name",
    "questions/test_assignment_lint.py": "the same",
}
# Names of functions that are common words, or of textbooks.
COMMON = {"forward", "parse"}


def list_names() -> set[str]:
    """List the names of the course's questions and functions, in all their spellings."""
    questions = ASSIGNMENT.questions
    names = set(ASSIGNMENT.stems)
    names |= {part for each in questions for function in each.functions for part in function.name.split(".")}
    names |= {name for each in questions for variant in each.variants for name in variant.names.values()}
    return names - COMMON


FILES = {
    path.relative_to(SELFTEST).as_posix(): path
    for path in list_files(SELFTEST, ".py")
    if path.relative_to(SELFTEST).parts[0] not in OF_THE_COURSE
    and not (path.parent.name == "support" and path.stem in COURSE_SUPPORT)
}
NAMES = re.compile(rf"(?<![\w.-])(?:test_)?(?:{'|'.join(sorted(list_names()))})(?!\w)")
IMPORTS = re.compile(rf"from tests\.selftest\.(?:support\.(?:{'|'.join(COURSE_SUPPORT)})\b|content|golden)")


def find_mentions(text: str) -> list[tuple[int, str]]:
    """List the lines of a text that name something of the course."""
    lines = enumerate(text.splitlines(), start=1)
    return [(number, line.strip()) for number, line in lines if NAMES.search(line) or IMPORTS.match(line)]


def test_no_test_of_the_grader_names_anything_of_the_course() -> None:
    paths = [path for name, path in FILES.items() if name not in EXCEPTIONS]
    assert paths
    assert_none(locate(paths, lambda path: find_mentions(read_text(path))))


def copy_without_course(folder: Path) -> Path:
    """Copy the project without its course, with what Python compiled of it."""
    gone = {PROJECT / name for name in COURSE}

    def ignore(place: str, names: list[str]) -> set[str]:
        made = {name for name in names if name in (".git", ".venv", "results") or name.endswith("_cache")}
        return made | {name for name in names if Path(place, name) in gone}

    shutil.copytree(PROJECT, folder, ignore=ignore, symlinks=True)
    return folder


@pytest.mark.ci
@pytest.mark.slow
def test_they_run_in_a_tree_without_the_course(tmp_path: Path) -> None:
    """All are imported there, and those of the first run are run."""
    project = copy_without_course(tmp_path / "project")
    line = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--fast"]
    line += [f"--ignore=tests/selftest/{name}" for name in ("meta", *EXCEPTIONS) if not name.startswith("support")]
    done = subprocess.run(line, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
