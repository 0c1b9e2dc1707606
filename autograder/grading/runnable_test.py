"""Runnable test: turns a decorated test function into its description and its body as a plain call."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograder.assignment import Assignment
from autograder.grading.hidden_test import HiddenTest, read_hidden_test
from autograder.student import ReplayStopped, Student, TestCall

STUDENT = "student"  # the one argument of a hidden test


class RunnableTest(NamedTuple):
    """A hidden test, and its body as a plain call."""

    test: HiddenTest
    call: TestCall


def runnable(function: Any, *, file_stem: str, assignment: Assignment) -> RunnableTest:
    """The test that a function of a file `test_<file_stem>.py` is; `HiddenTestError` where it is not in order."""
    return RunnableTest(read_hidden_test(function, file_stem=file_stem, assignment=assignment), _call_of(function))


def _call_of(function: Any) -> TestCall:
    def call(student: Student) -> float | None:
        vars(function).pop("__score__", None)
        try:
            function(student=student)
        except (Exception, KeyboardInterrupt, ReplayStopped):
            raise
        except BaseException as error:  # SystemExit, a skip of pytest's: none of them is an Exception
            raise RuntimeError(f"a hidden test ended itself: {error!r}") from error
        score = getattr(function, "__score__", None)
        return None if score is None else float(score)

    return call
