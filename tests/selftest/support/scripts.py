"""Scripts: lists the hidden tests of an assignment that run alone, with the line that ended the dry run of each.

Run as `python -m tests.selftest.support.scripts` for this repository's course.
"""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Iterator
from pathlib import Path

from autograder.assignment import Assignment, load_assignment
from autograder.checks.dry_run import start_dry_run
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.recording import DryAttempt, record_steps
from autograder.student import Student

PROJECT = Path(__file__).resolve().parents[3]


def list_hidden_tests(assignment: Assignment) -> tuple[RunnableTest, ...]:
    """Collect all hidden tests of an assignment."""
    return collect_hidden_tests(assignment, stems=assignment.stems)


def list_unscripted(assignment: Assignment) -> Iterator[tuple[RunnableTest, str]]:
    """List the tests without a script, each with the line of a hidden test that ended its dry run."""
    for test in list_hidden_tests(assignment):
        references = {test.test.stem: importlib.import_module(f"reference.{test.test.stem}")}
        if not record_steps(test, references):
            yield test, _find_line(test, DryAttempt(references))


def _find_line(test: RunnableTest, attempt: DryAttempt) -> str:
    try:
        with start_dry_run():
            test.call(Student(attempt))
    except BaseException as error:  # noqa: BLE001  (whatever ends a dry run is to be shown)
        frames = [each for each in traceback.extract_tb(error.__traceback__) if "/tests/hidden/" in each.filename]
        place = f"{frames[-1].filename}:{frames[-1].lineno} {frames[-1].line}" if frames else "no line"
        return f"{place} ({type(error).__name__})"
    return "its calls concern another question, or none"


if __name__ == "__main__":
    for found, line in list_unscripted(load_assignment(PROJECT)):
        print(f"{found.test.number} {found.test.name}: {line}")
