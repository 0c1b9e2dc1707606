"""Regress: grades a class into a folder, compares it with an earlier run, and writes its report; READ THIS FIRST.

A run that is stopped is reported too, for the submissions done so far, and marked as incomplete.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assignment import load_assignment
from autograder.grading.identity import compute_key
from autograder.regression.class_results import RESULTS, Run, read_class
from autograder.regression.comparison import Surprises, compare_runs, read_baseline
from autograder.regression.grade_class import ClassGrading, ClassProgress
from autograder.regression.graders import Graders, GraderSettings, RunError, open_local_graders
from autograder.regression.roster import read_roster
from autograder.submission import select_questions

if TYPE_CHECKING:
    from autograder.regression.summary import Summary


@dataclass(frozen=True, kw_only=True)
class RegressRequest:
    """Input, output and options of a run.

    `root`: the assignment's folder. `baseline`: the folder of an earlier run, or an export. `jobs`: number of
    submissions graded at a time; `cluster`: address of a Dask scheduler to use instead, or "". `grades`: names of
    gradebooks to write files for. `kept`: the folder of what is made once on a machine, or None.
    """

    root: Path
    path: Path
    out: Path
    only: tuple[str, ...] = ()
    baseline: Path | None = None
    jobs: int = 1
    cluster: str = ""
    grades: tuple[str, ...] = ()
    is_strict: bool = False
    kept: Path | None = None


def regress(request: RegressRequest, *, progress: Callable[[ClassProgress], None] = lambda _: None) -> Summary:
    """Grade the class, write everything into `out`, and return the summary.

    Raises RosterError or SubmissionError if the path holds no class, BaselineError if there is nothing to compare with,
    SubmissionError for an unknown question id, RunError if no submission can be graded, and KeyboardInterrupt if it was
    stopped, after writing the report on the results so far.
    """
    assignment = load_assignment(request.root)
    select_questions(assignment, request.only or None)
    baseline = read_baseline(request.baseline, assignment) if request.baseline is not None else None
    started, stopped = time.monotonic(), None
    with read_roster(request.path, assignment) as roster:
        members = {entry.member.file: entry.member for entry in roster.entries}
        key = compute_key(assignment, request.only)
        run = Run(str(request.out), request.only, members, lambda _: None, key, roster.notes)
        grading = ClassGrading(request.out, roster, run, progress)
        if baseline is not None:
            grading.note = Surprises(baseline, run).note
        try:
            with _open_graders(request) as graders:
                grading.grade(graders)
        except KeyboardInterrupt as error:
            stopped = error
    # Loaded when the graders have ended: the templates then need no memory in addition to theirs.
    from autograder.regression.report import write_report  # noqa: PLC0415
    from autograder.regression.summary import Timing  # noqa: PLC0415

    comparison = compare_runs(baseline, read_class(request.out)) if baseline is not None else None
    timing = Timing(seconds=round(time.monotonic() - started, 2), graded=grading.graded, kept=grading.kept)
    summary = write_report(request.out, assignment, baseline=comparison, grades=request.grades, timing=timing)
    if stopped is not None:
        raise stopped
    return summary


def _open_graders(request: RegressRequest) -> AbstractContextManager[Graders]:
    settings = GraderSettings(
        root=str(request.root.resolve()),
        folder=str((request.out / RESULTS).resolve()),
        only=request.only,
        is_strict=request.is_strict,
        kept=str(request.kept or ""),
    )
    if not request.cluster:
        return open_local_graders(settings, request.jobs)
    try:
        from autograder.regression.cluster import open_cluster_graders  # noqa: PLC0415  (Dask is optional)
    except ModuleNotFoundError as error:
        raise RunError(f"--cluster needs the packages of requirements-dev.lock: {error}") from error
    return open_cluster_graders(settings, request.cluster)
