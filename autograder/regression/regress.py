"""Regress: grades a class and writes down what was found: results, summary, report, gradebook.

What is there when a run is stopped is written down too, and says that it is not the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from autograder.assignment import Assignment, assignment_of
from autograder.atomic_file import write_whole
from autograder.grader import identity, open_bank
from autograder.regression.baseline import SUMMARY, Baseline, read_baseline
from autograder.regression.class_run import ClassProgress, ClassRun, RegressRequest, key_of
from autograder.regression.executor import Engine, local_engine
from autograder.regression.findings import Findings
from autograder.regression.gradebook import gradebook
from autograder.regression.grader_pool import RunError
from autograder.regression.item_analysis import distribution
from autograder.regression.junit import junit
from autograder.regression.report import report_of
from autograder.regression.roster import read_roster
from autograder.regression.summary import VERSION, Summary, Timing
from autograder.submission import wanted_questions

REPORT, GRADEBOOK = "report.html", "scores.csv"


def regress(request: RegressRequest, *, progress: Callable[[ClassProgress], None] = lambda _: None) -> Summary:
    """Grade the class and write everything into `out`; the summary of it.

    Raises RosterError or SubmissionError where the path holds no class, BaselineError where there is nothing to
    compare with, SubmissionError for a stem that no question has, RunError where nobody can be graded, and
    KeyboardInterrupt where it was stopped, after what was done has been written down.
    """
    assignment = assignment_of(request.project)
    wanted_questions(assignment, request.only or None)
    baseline = read_baseline(request.baseline) if request.baseline is not None else None
    grader = identity(request.project)
    request.results_dir.mkdir(parents=True, exist_ok=True)
    with read_roster(request.path, assignment) as roster:
        run = ClassRun(roster, key_of(grader, request.only), progress)
        try:
            with _engine(request) as engine:
                run.grade(engine, request.stores())
        except KeyboardInterrupt:
            _write_down(request, assignment, baseline, run)
            raise
        return _write_down(request, assignment, baseline, run)


def _engine(request: RegressRequest) -> AbstractContextManager[Engine]:
    if not request.cluster:
        return local_engine(request.settings, slots=request.jobs)
    try:
        from autograder.regression.cluster import cluster_engine  # noqa: PLC0415  (Dask is there only where it is wanted)
    except ModuleNotFoundError as error:
        raise RunError(f"--cluster needs the packages of requirements-cluster.lock: {error}") from error
    return cluster_engine(request.settings, request.cluster)


def _write_down(request: RegressRequest, assignment: Assignment, baseline: Baseline | None, run: ClassRun) -> Summary:
    store, *repeats = request.stores()
    findings = Findings(assignment, request.only, baseline, repeats)
    for entry in run.roster.entries:
        stored = store.load(entry.name)
        if stored is not None and stored.provenance.grader == run.key:
            findings.add(entry, stored, store)
    summary = _summary(request, assignment, findings, run)
    _put(request.out / REPORT, (piece.encode() for piece in report_of(summary, store.load)))
    _put(request.out / GRADEBOOK, [gradebook(summary).encode()])
    if request.junit is not None:
        _put(request.junit, [junit(summary).encode()])
    _put(request.out / SUMMARY, [summary.as_bytes()])
    return summary


def _summary(request: RegressRequest, assignment: Assignment, findings: Findings, run: ClassRun) -> Summary:
    questions, table = findings.questions(), findings.tests()
    max_score = round(sum(question.max_score for question in questions), 2)
    published = findings.against_published()
    return Summary(
        version=VERSION,
        title=assignment.title,
        is_complete=len(findings.students) == len(run.roster.entries),
        grader=identity(request.project),
        key=run.key,
        only=request.only,
        max_score=max_score,
        submissions=len(run.roster.entries),
        students=tuple(findings.students),
        questions=questions,
        tests=tuple(table.items()),
        redundant=tuple(table.redundant()),
        diagnoses=findings.diagnoses(_story),
        distribution=distribution(findings.totals(), max_score),
        baseline=published if request.against_published else findings.against_baseline(),
        published=None if request.against_published else published,
        repeats=findings.against_itself(),
        notes=run.roster.notes,
        timing=Timing(seconds=round(run.seconds, 2), graded=run.graded, kept=run.kept, tests=table.seconds()),
    )


def _story(stem: str, diagnosis: str) -> str:
    """What the code of a known mistake does; an empty text for one that only an earlier grader knew."""
    return next((each.story for each in open_bank().load(stem) if each.id == diagnosis), "")


def _put(path: Path, pieces: Iterable[bytes]) -> None:
    write_whole(path, pieces, mode=0o644)  # for whoever is to read it; results of students are for their owner alone
