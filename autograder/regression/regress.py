"""Regress: grades a class and writes its results, summary, report and gradebook.

A run that is stopped writes them too, for the submissions done so far, and marks them as incomplete.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING

from autograder.assignment import Assignment, load_assignment
from autograder.atomic_file import remove_unfinished
from autograder.grading.identity import compute_key
from autograder.regression.baseline import BaselineError, LargestChange, read_baseline
from autograder.regression.class_run import ClassProgress, ClassRun
from autograder.regression.executor import SubmissionExecutor, open_container_executor, open_local_executor
from autograder.regression.grader_pool import RunError
from autograder.regression.question_store import remove_unused
from autograder.regression.request import RegressRequest
from autograder.regression.roster import read_roster
from autograder.regression.store import ResultStore
from autograder.submission import SubmissionError, select_questions

if TYPE_CHECKING:
    from autograder.regression.executor import Containers
    from autograder.regression.summary import Summary


def regress(
    request: RegressRequest,
    *,
    containers: Containers | None = None,
    progress: Callable[[ClassProgress], None] = lambda _: None,
) -> Summary:
    """Grade the class, in containers if there are some, write everything into `out`, and return the summary.

    Raises RosterError or SubmissionError if the path holds no class, BaselineError if there is nothing to compare with,
    SubmissionError for an unknown question id or a due date without penalties, RunError if no submission can be graded,
    and KeyboardInterrupt if it was stopped, after writing the results so far.
    """
    assignment = load_assignment(request.root)
    select_questions(assignment, request.only or None)
    require_penalties(assignment, request.due)
    baseline = read_baseline(request.baseline) if request.baseline is not None else None
    stores = [ResultStore(folder) for folder in request.results_dirs]
    stores[0].folder.mkdir(parents=True, exist_ok=True)
    for folder in (request.out, *request.results_dirs):
        remove_unfinished(folder)
    for folder in request.question_folders[:1]:
        remove_unused(folder)
    with read_roster(request.path, assignment) as roster:
        if request.against_published and not any(entry.exported.published for entry in roster.entries):
            raise BaselineError(f"{request.path} has no scores to compare with; leave out --published")
        key = compute_key(assignment, request.only, containers.image_id if containers is not None else "")
        largest = LargestChange(baseline, request.only) if baseline is not None else None
        run = ClassRun(roster, key, stores, progress, resumes=request.reuses, largest=largest)
        executor = _open_executor(request, assignment, run, containers)
        stopped = _grade_until_stopped(run, executor, request.recheck_percent)
        from autograder.regression import outcome  # noqa: PLC0415  (see there)

        summary = outcome.write_outcome(request, assignment, baseline, run)
        if stopped is not None:
            raise stopped
        return summary


def require_penalties(assignment: Assignment, due: datetime | None) -> None:
    """Raise SubmissionError if there is a due date, but the assignment has no section on lateness."""
    if due is not None and assignment.late is None:
        raise SubmissionError("--due needs the section [late] in reference/assignment.toml, which has the penalties")


def _grade_until_stopped(
    run: ClassRun, open_executor: AbstractContextManager[SubmissionExecutor], recheck_percent: int
) -> KeyboardInterrupt | None:
    try:
        with open_executor as executor:
            run.grade(executor)
            run.recheck(executor, recheck_percent)
    except KeyboardInterrupt as stopped:
        return stopped
    return None


def _open_executor(
    request: RegressRequest, assignment: Assignment, run: ClassRun, containers: Containers | None
) -> AbstractContextManager[SubmissionExecutor]:
    if containers is not None:
        return open_container_executor(containers, width=request.jobs)
    if not request.cluster:
        launched = min(request.jobs, run.count_new())
        return open_local_executor(request, launched=launched, libraries=assignment.libraries)
    try:
        from autograder.regression.cluster import open_cluster_executor  # noqa: PLC0415  (Dask is an optional dependency)
    except ModuleNotFoundError as error:
        raise RunError(f"--cluster needs the packages of requirements-cluster.lock: {error}") from error
    return open_cluster_executor(request)
