"""Outcome: writes the summary, report and gradebooks of a run, from its stored results.

Loaded when the graders have ended: numpy, which counts here, and the templates then need no memory beside theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.assignment import Assignment
from autograder.atomic_file import write_atomically
from autograder.grading.identity import identify_grader
from autograder.regression.baseline import SUMMARY, Baseline
from autograder.regression.class_run import ClassRun
from autograder.regression.findings import Findings
from autograder.regression.gradebooks import FORMATS, build_gradebook
from autograder.regression.item_analysis import compute_distribution
from autograder.regression.report import render_report
from autograder.regression.request import RegressRequest
from autograder.regression.summary import VERSION, Summary, Timing

REPORT, GRADEBOOK = "report.html", "scores.csv"


def write_outcome(request: RegressRequest, assignment: Assignment, baseline: Baseline | None, run: ClassRun) -> Summary:
    """Write everything but the results into `out`, and return the summary."""
    findings = Findings(assignment, request.only, baseline)
    for entry in run.roster.entries:
        stored = run.store.load(entry.name)
        if stored is not None and stored.provenance.grader == run.key:
            findings.add(entry, stored, run.store)
    summary = _build_summary(request, findings, run)
    _write_file(request.out / REPORT, (piece.encode() for piece in render_report(summary, run.store.load)))
    _write_file(request.out / GRADEBOOK, [build_gradebook(summary).encode()])
    for name in request.grades:
        _write_file(request.out / f"grades.{name}.csv", [FORMATS[name](summary).encode()])
    _write_file(request.out / SUMMARY, [summary.as_bytes()])
    return summary


def _build_summary(request: RegressRequest, findings: Findings, run: ClassRun) -> Summary:
    questions = findings.summarise_questions()
    max_score = round(sum(question.max_score for question in questions), 2)
    totals = [row.score for row in findings.students if row.state == "graded" and row.score is not None]
    published = findings.published.build_if_any()
    return Summary(
        version=VERSION,
        title=findings.assignment.title,
        is_complete=len(findings.students) == len(run.roster.entries),
        grader=findings.grader or identify_grader(findings.assignment),
        key=run.key,
        only=request.only,
        max_score=max_score,
        submissions=len(run.roster.entries),
        students=tuple(findings.students),
        questions=questions,
        tests=tuple(findings.table.analyse_items()),
        diagnoses=findings.rank_diagnoses(),
        distribution=compute_distribution(totals, max_score),
        baseline=published if request.against_published else findings.build_baseline_comparison(),
        published=None if request.against_published else published,
        twins=findings.twins.build_if_any(),
        notes=run.roster.notes,
        timing=Timing(seconds=round(run.seconds, 2), **run.counts),
    )


def _write_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that all can read, to share it; the results of single students are private."""
    write_atomically(path, pieces, mode=0o644)
