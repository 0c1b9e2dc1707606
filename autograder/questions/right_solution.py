"""Right solution: grades the right solution of an assignment like a submission.

A check that it fails is wrong: a wrong tolerance or a changed reference would cost each student points, and be noticed
by them first. The same files need not be graded again: a folder of the user's keeps which graders passed.
"""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from autograder import GraderError
from autograder.assignment import HIDDEN, Assignment
from autograder.atomic_file import remember
from autograder.grading.identity import compute_key
from autograder.mistakes import MistakeBank
from autograder.plain_text import join_words
from autograder.results import CheckResult, Report, Verdict
from autograder.sandbox.isolation.kernel import end_with_parent
from autograder.submission import Submission, select_questions

_MARKS = 256  # of states of graders and assignments whose right solution passed; others are graded again
_SHOWN = 3
_LINES_SHOWN = 4


class RightSolutionError(GraderError):
    """The right solution fails checks, which are therefore wrong; the text names them."""


def require_right_solution(assignment: Assignment, *, only: Sequence[str] = (), memory: Path | None = None) -> None:
    """Grade the right solution of the questions `only`, or of all; RightSolutionError if it does not pass every check.

    `memory`: the folder that remembers which graders passed; each is graded if it is None. Raises AssignmentError and
    HiddenTestError for staff files that are not in order, SubmissionError for the id of no question, SandboxError where
    no worker starts.
    """
    assignment.require_question_files()
    state = f"{assignment.root.absolute()} {compute_key(assignment, only)}"
    mark = None if memory is None else memory / f"right-solution-{hashlib.sha256(state.encode()).hexdigest()}"
    with contextlib.suppress(OSError):
        if mark is not None:
            os.utime(mark)  # it is in use
            return
    failures = _find_failures(assignment, tuple(only))
    if failures:
        raise RightSolutionError(failures)
    if mark is not None:
        remember(mark, b"", keep=_MARKS)


def _find_failures(assignment: Assignment, only: Sequence[str]) -> str:
    """Grade it in a fork, so that the memory of its grader is free when others start."""
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, context, initializer=end_with_parent, initargs=(os.getpid(),)) as pool:
        try:
            return pool.submit(_grade_and_describe, assignment, only).result()
        except BrokenProcessPool as error:
            raise RightSolutionError("the process that graded the right solution ended") from error


def _grade_and_describe(assignment: Assignment, only: Sequence[str]) -> str:
    return describe_failures(grade_right_solution(assignment, only).checks)


def grade_right_solution(assignment: Assignment, only: Sequence[str] = ()) -> Report:
    """Grade the right solution of the questions `only`, or of all."""
    from autograder.grader import Grader  # noqa: PLC0415  (slow to load, and a solution that passed is known)

    bank = MistakeBank(assignment)
    texts = {}
    for question in select_questions(assignment, only or None):
        texts[question.question_id] = bank.read_right_source(question.question_id)
    with Grader(assignment, only=only or None) as grader:
        return grader.grade(Submission.build(assignment, texts))


def describe_failures(checks: Sequence[CheckResult]) -> str:
    """Describe the checks that the right solution fails: all numbers, and how the first ones end; "" for none."""
    failed = [check for check in checks if check.verdict is not Verdict.PASSED]
    if not failed:
        return ""
    lines = [f"the right solution fails {join_words([check.number for check in failed])}"]
    for check in failed[:_SHOWN]:
        lines.append(f"  {HIDDEN}/{check.test_id}: {check.title}")
        said = check.fault or check.output
        lines += [f"    {line}" for line in said.splitlines()[:_LINES_SHOWN]]
    lines.append("  correct the check or the reference; nobody else could pass it either")
    return "\n".join(lines)
