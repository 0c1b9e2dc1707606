"""Regress: grades a class and writes its results, summary, report and gradebook.

A run that is stopped writes them too, for the submissions done so far, and marks them as incomplete.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from autograder.assignment import load_assignment
from autograder.atomic_file import remove_unfinished
from autograder.grading.identity import compute_key
from autograder.regression.baseline import BaselineError, LargestChange, read_baseline
from autograder.regression.class_run import ClassProgress, ClassRun
from autograder.regression.executor import SubmissionExecutor, open_local_executor
from autograder.regression.grader_pool import RunError
from autograder.regression.request import RegressRequest
from autograder.regression.roster import read_roster
from autograder.regression.store import ResultStore
from autograder.submission import select_questions

if TYPE_CHECKING:
    from autograder.regression.summary import Summary


def regress(request: RegressRequest, *, progress: Callable[[ClassProgress], None] = lambda _: None) -> Summary:
    """Grade the class, write everything into `out`, and return the summary.

    Raises RosterError or SubmissionError if the path holds no class, BaselineError if there is nothing to compare with,
    SubmissionError for an unknown question id, RunError if no submission can be graded, and KeyboardInterrupt if it was
    stopped, after writing the results so far.
    """
    assignment = load_assignment(request.root)
    select_questions(assignment, request.only or None)
    baseline = read_baseline(request.baseline) if request.baseline is not None else None
    request.results_dir.mkdir(parents=True, exist_ok=True)
    for folder in (request.out, request.results_dir):
        remove_unfinished(folder)
    with read_roster(request.path, assignment) as roster:
        if request.against_published and not any(entry.exported.published for entry in roster.entries):
            raise BaselineError(f"{request.path} has no scores to compare with; leave out --published")
        key = compute_key(assignment, request.only)
        largest = LargestChange(baseline, request.only) if baseline is not None else None
        run = ClassRun(roster, key, ResultStore(request.results_dir), progress, largest)
        stopped = _grade_until_stopped(run, _open_executor(request))
        from autograder.regression import outcome  # noqa: PLC0415  (see there)

        summary = outcome.write_outcome(request, assignment, baseline, run)
        if stopped is not None:
            raise stopped
        return summary


def _grade_until_stopped(
    run: ClassRun, open_executor: AbstractContextManager[SubmissionExecutor]
) -> KeyboardInterrupt | None:
    try:
        with open_executor as executor:
            run.grade(executor)
    except KeyboardInterrupt as stopped:
        return stopped
    return None


def _open_executor(request: RegressRequest) -> AbstractContextManager[SubmissionExecutor]:
    if not request.cluster:
        return open_local_executor(request)
    try:
        from autograder.regression.cluster import open_cluster_executor  # noqa: PLC0415  (Dask is optional)
    except ModuleNotFoundError as error:
        raise RunError(f"--cluster needs the packages of requirements-dev.lock: {error}") from error
    return open_cluster_executor(request)
