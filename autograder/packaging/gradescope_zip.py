"""Gradescope zip: turns the project into autograder.zip, with setup.sh and run_autograder at its root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment import Assignment, load_assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from autograder.packaging.tree import Files, PackagingError, read_project_files
from autograder.packaging.zip_file import build_zip
from autograder.results import Visibility

GRADER_PARTS = (
    "LICENSE",
    "autograder",
    "reference",
    "requirements.lock",
    "run_autograder",
    "setup.sh",
    "student_template",
    "tests/__init__.py",
    "tests/hidden",
    "tests/mistakes",
)


@dataclass(frozen=True)
class GraderPackage:
    """The packed grader: its files, its tests, and the paths that were left out because git does not track them.

    `points_by_hand`: what a person gives for texts, beside the points of the tests.
    """

    files: Files
    tests: tuple[HiddenTest, ...]
    points_by_hand: float
    left_out: tuple[str, ...]

    @property
    def points(self) -> float:
        """The points of all tests, to be set in Gradescope's outline."""
        return round(sum(test.points for test in self.tests), 2)

    @property
    def visible(self) -> int:
        """The number of tests that students see at once."""
        return sum(test.visibility is Visibility.VISIBLE for test in self.tests)

    @property
    def hidden(self) -> int:
        """The number of tests that students do not see at once."""
        return len(self.tests) - self.visible

    def as_zip(self) -> bytes:
        """Return the bytes of autograder.zip."""
        return build_zip(self.files)


def pack_grader(project: Path) -> GraderPackage:
    """Pack everything that grading needs.

    AssignmentError or HiddenTestError for broken staff files, PackagingError if a required file would be missing.
    """
    files, left_out = read_project_files(project, GRADER_PARTS)
    assignment = load_assignment(project)
    _require_questions(files, assignment, left_out)
    by_hand = sum(text.points_by_hand for question in assignment.questions for text in question.texts)
    return GraderPackage(files, list_hidden_tests(project, assignment), by_hand, left_out)


def list_hidden_tests(project: Path, assignment: Assignment) -> tuple[HiddenTest, ...]:
    """List all hidden tests of the project."""
    collected = collect_hidden_tests(project / "tests" / "hidden", assignment, stems=assignment.stems)
    return tuple(each.test for each in collected)


def _require_questions(files: Files, assignment: Assignment, left_out: Sequence[str]) -> None:
    for stem in assignment.stems:
        for path in (f"reference/{stem}.py", f"tests/hidden/test_{stem}.py", f"tests/mistakes/{stem}.py"):
            if path in left_out:
                raise PackagingError(f"{path} is not tracked by git and would be missing; run: git add {path}")
            if path not in files:
                raise PackagingError(f"{path} does not exist, and the question {stem} cannot be graded without it")
