"""Gradescope zip: turns grader and assignment into autograder.zip, with setup.sh and run_autograder at its root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder import ENGINE
from autograder.assignment import DERIVED_CHECKS, DERIVED_MISTAKES, PARTS, Assignment, list_question_files
from autograder.diagnosis import KnownReplies, measure_need
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.identity import identify_grader
from autograder.grading.kept_data import KeptChecks, KeptFile
from autograder.mistakes import MistakeBank
from autograder.packaging.tree import (
    Files,
    PackagingError,
    build_zip,
    find_start_files,
    normalize_line_ends,
    read_files_below,
)
from autograder.results import Visibility

SETUP = "setup.sh"  # Gradescope runs it at the top of the zip; here it is next to this module
START_FILES = ("LICENSE", "requirements.lock", "run_autograder")


@dataclass(frozen=True)
class GraderPackage:
    """The packed grader: its files, its tests, and the paths that were left out because git does not track them.

    `points_by_hand`: the points of texts graded by hand, besides the points of the tests.
    """

    files: Files
    tests: tuple[RunnableTest, ...]
    points_by_hand: float
    left_out: tuple[str, ...]

    @property
    def points(self) -> float:
        """The points of all tests, to be set in Gradescope's outline."""
        return round(sum(each.test.points for each in self.tests), 2)

    @property
    def visible(self) -> int:
        """The number of tests that students see at once."""
        return sum(each.test.visibility is Visibility.VISIBLE for each in self.tests)

    @property
    def hidden(self) -> int:
        """The number of tests that students do not see at once."""
        return len(self.tests) - self.visible

    def as_zip(self) -> bytes:
        """Return the bytes of autograder.zip."""
        return build_zip(self.files)


def pack_grader(assignment: Assignment, *, engine: Path = ENGINE) -> GraderPackage:
    """Pack everything that grading needs: the grader, and next to it the assignment.

    `engine`: the folder that holds the grader. AssignmentError or HiddenTestError for broken staff files,
    PackagingError if a required file would be missing.
    """
    own = read_files_below(assignment.root, PARTS)
    grader = read_files_below(engine, ["autograder"]), read_files_below(find_start_files(engine), START_FILES)
    files = {SETUP: normalize_line_ends(Path(__file__).with_name(SETUP).read_bytes())}
    left_out: list[str] = []
    for found, untracked in (*grader, own):
        files |= found
        left_out += untracked
    _require_tracked(assignment, left_out)
    by_hand = sum(text.points_by_hand for question in assignment.questions for text in question.texts)
    return GraderPackage(
        files, collect_hidden_tests(assignment, question_ids=assignment.question_ids), by_hand, tuple(sorted(left_out))
    )


def add_derived(made: GraderPackage, assignment: Assignment) -> GraderPackage:
    """Add the data of all checks, so that nothing is derived or measured, and no mistake runs, in grading.

    AssignmentError or GoneKeyError for mistakes that are not in order.
    """
    identity = identify_grader(assignment)
    checks = KeptChecks(assignment, identity, None, measure_need)
    checks.make(made.tests)
    mistakes = KeptFile(assignment, identity, None, DERIVED_MISTAKES)
    tests = {each.test.test_id: each for each in made.tests}
    KnownReplies(MistakeBank(assignment), tests, mistakes.values).make(tests)
    derived = {DERIVED_CHECKS: checks.encode(), DERIVED_MISTAKES: mistakes.encode()}
    return replace(made, files={**made.files, **derived})


def _require_tracked(assignment: Assignment, left_out: Sequence[str]) -> None:
    assignment.require_question_files()
    for path in left_out:
        if any(path in list_question_files(question) for question in assignment.questions):
            raise PackagingError(f"{path} is not tracked by git and would be missing; run: git add {path}")
