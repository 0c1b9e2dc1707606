"""Outcome: writes the summary, report and gradebooks of a run, from its stored results.

Loaded when the graders have ended: numpy, which counts here, and the templates then need no memory beside theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.assignment import Assignment
from autograder.atomic_file import write_atomically
from autograder.grading.identity import identify_grader
from autograder.plain_text import cut_lines
from autograder.regression.baseline import SUMMARY, Baseline
from autograder.regression.class_run import ClassRun
from autograder.regression.findings import Findings
from autograder.regression.gradebooks import FORMATS, build_gradebook
from autograder.regression.item_analysis import compute_distribution
from autograder.regression.report import draw_misunderstandings, render_junit, render_question_pages, render_report
from autograder.regression.request import RegressRequest
from autograder.regression.summary import VERSION, Summary, Timing

REPORT, GRADEBOOK = "report.html", "scores.csv"
PICTURE = "misunderstandings.svg"
_SHOWN_REFUSED = 5


def write_outcome(request: RegressRequest, assignment: Assignment, baseline: Baseline | None, run: ClassRun) -> Summary:
    """Write everything but the results into `out`, and return the summary."""
    store, *repeats = run.stores
    findings = Findings(assignment, request.only, baseline, repeats, request.due)
    for entry in run.roster.entries:
        stored = store.load(entry.name)
        if stored is not None and stored.provenance.grader == run.key:
            findings.add(entry, stored, store)
    summary = _build_summary(request, findings, run)
    hard = findings.table.list_hard(summary.tests)
    page = render_report(summary, store.load, hard, findings.from_baseline.list_changed_words())
    _write_file(request.out / REPORT, (piece.encode() for piece in page))
    texts = {
        **dict(render_question_pages(summary, hard)),
        PICTURE: draw_misunderstandings(summary),
        GRADEBOOK: build_gradebook(summary),
        **{f"grades.{name}.csv": FORMATS[name](summary) for name in request.grades},
    }
    for name, text in texts.items():
        _write_file(request.out / name, [text.encode()])
    if request.junit is not None:
        _write_file(request.junit, [render_junit(summary).encode()])
    _write_file(request.out / SUMMARY, [summary.as_bytes()])
    return summary


def _build_summary(request: RegressRequest, findings: Findings, run: ClassRun) -> Summary:
    questions, table = findings.summarise_questions(), findings.table
    max_score = round(sum(question.max_score for question in questions), 2)
    totals = (row.score for row in findings.students if row.state == "graded")
    published = findings.published.build_if_any()
    refused = cut_lines(sorted(run.refused), _SHOWN_REFUSED, "{} more stored results")
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
        tests=tuple(table.analyse_items()),
        redundant=tuple(table.find_redundant()),
        diagnoses=findings.rank_diagnoses(),
        distribution=compute_distribution([score for score in totals if score is not None], max_score),
        baseline=published if request.against_published else findings.build_baseline_comparison(),
        published=None if request.against_published else published,
        repeats=findings.repeated.build_if_any(),
        disagreements=tuple(sorted(run.disagreements)),
        notes=(*run.roster.notes, *(f"not reused: {each}" for each in refused)),
        timing=Timing(seconds=round(run.seconds, 2), tests=table.summarise_seconds(), **run.counts),
    )


def _write_file(path: Path, pieces: Iterable[bytes]) -> None:
    write_atomically(
        path, pieces, mode=0o644
    )  # readable by all, for sharing; the results of single students are private
