"""Grade: grades one submission, from its folder to its results.json; READ THIS FIRST.

`grader.py` judges many submissions with one set of checks; the package `grading` judges one check.

A placeholder result is written before anything else, so that a valid results.json exists whatever happens. Then the
zygote is started, and while it starts the rest of the grader is imported, which takes as long.

The path of a submission: `submission` reads it into memory; `grader` gives each hidden test to a judge; `grading` runs
it in workers of the `sandbox` and follows failures through; `diagnosis` names known mistakes; `gradescope` turns the
report into results.json, which replaces the placeholder. docs/how_it_works.md describes all steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assignment import Assignment, load_assignment
from autograder.gradescope import results_json
from autograder.machine import hide_paths
from autograder.results import Report
from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.limits import DEADLINE_S
from autograder.submission import SubmissionError, read_submission
from autograder.submission.file_tree import clean_path

if TYPE_CHECKING:
    from autograder.gradescope.files import Metadata
    from autograder.grading.selection import Selection


@dataclass(frozen=True)
class GradeRequest:
    """What to grade and where the result goes.

    `root`: the assignment's folder. `only`: questions, functions and checks to report (see `grading/selection.py`); all
    where it is empty. `deadline_s`: seconds for the whole run, after which the rest is `not_run`. `private`: files and
    folders that are closed to every
    other user before student code runs, as on Gradescope, where the harness makes them readable by all. `is_strict`:
    nobody is graded unless every indispensable layer of the sandbox holds. `tries_attacks`: the layers are also
    tested by attack, which a strict run always does. `kept`: the folder of data that are made once on a machine.
    `metadata`: Gradescope's file, for the submission policies.
    """

    root: Path
    submission: Path
    results_dir: Path
    only: tuple[str, ...] = ()
    deadline_s: float = DEADLINE_S
    private: tuple[Path, ...] = ()
    is_strict: bool = False
    tries_attacks: bool = False
    kept: Path | None = None
    metadata: Path | None = None


def grade(request: GradeRequest, *, progress: Callable[[int, int], None] | None = None) -> Report:
    """Grade one submission and write `results_dir/results.json`.

    Raises SubmissionError for a submission that cannot be read, AssignmentError or HiddenTestError for staff files
    that are not in order, SandboxError where no worker starts or a strict run lacks a layer; even then a valid
    results.json says so. ResultsError where the file cannot be written.
    """
    started = time.monotonic()
    destination = request.results_dir / "results.json"
    results_json.write_placeholder(destination)
    assignment = load_assignment(request.root)
    assignment.require_libraries()
    with Launcher(libraries=assignment.libraries) as launcher:
        _close_to_others(request.private)
        assignment.require_question_files()
        metadata = _read_metadata(request, assignment)
        selection = _read_selection(request, assignment)
        try:
            report = _judge(request, selection, launcher, started=started, progress=progress)
        except SubmissionError as error:
            results_json.write_results(destination, results_json.build_unreadable(_explain_unreadable(request, error)))
            raise
        results = results_json.build_results(report)
        if metadata is not None:
            from autograder.gradescope.files import apply_late_policy  # noqa: PLC0415  (slow to load)

            results = apply_late_policy(results, assignment.late, metadata)
        _write(report, results, destination)
    return report


def _explain_unreadable(request: GradeRequest, error: SubmissionError) -> str:
    """Return the text of an error without the folder of this machine that the submission is in."""
    path = request.submission
    names = {clean_path(str(path)): "the submission"} if path.is_absolute() else {}
    return hide_paths(str(error), names)


def _write(report: Report, results: results_json.Results, destination: Path) -> None:
    try:
        results_json.write_results(destination, results)
    except results_json.ResultsError as error:
        error.report = report
        raise


def _read_metadata(request: GradeRequest, assignment: Assignment) -> Metadata | None:
    """Return the metadata for the submission policy; None where the assignment has no policy."""
    if request.metadata is None or assignment.late is None:
        return None
    from autograder.gradescope.files import read_metadata  # noqa: PLC0415  (slow to load, and only for a policy)

    return read_metadata(request.metadata)[0]


def _read_selection(request: GradeRequest, assignment: Assignment) -> Selection:
    from autograder.grading.selection import read_selection  # noqa: PLC0415  (slow to load: while the zygote starts)

    return read_selection(request.only, assignment)


def _judge(
    request: GradeRequest,
    selection: Selection,
    launcher: Launcher,
    *,
    started: float,
    progress: Callable[[int, int], None] | None,
) -> Report:
    from autograder.grader import Grader, SelfCheck  # noqa: PLC0415  (slow to load: while the zygote starts)

    assignment, only = selection.assignment, selection.question_ids or None
    submission = read_submission(request.submission, assignment, only=only)
    self_check = None
    if request.is_strict or request.tries_attacks:
        self_check = SelfCheck(request.results_dir, request.is_strict)
    with Grader(
        assignment,
        only=only,
        choose=selection.find_needed,
        self_check=self_check,
        kept=request.kept,
        launcher=launcher,
    ) as grader:
        left_s = request.deadline_s - (time.monotonic() - started)
        report = selection.keep(grader.grade(submission, deadline_s=left_s, progress=progress))
    return replace(report, seconds=time.monotonic() - started)


def _close_to_others(paths: Sequence[Path]) -> None:
    for path in paths:
        if path.exists() and not path.is_symlink():
            path.chmod(0o700 if path.is_dir() else 0o600)
