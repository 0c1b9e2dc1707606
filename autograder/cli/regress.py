"""Regress command: grades a whole class and compares it with an earlier run.

Part of `cli.main`, which defines the exit statuses; 1 means that scores differ from the baseline. Slow modules are
imported only when the command runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from autograder import machine
from autograder.cli import options, package
from autograder.cli.process import (
    FINE,
    NOTHING_GRADED,
    OUR_FAULT,
    PROBLEM_FOUND,
    fail,
    find_kept_folder,
    report_errors,
    show_line,
    show_progress,
    show_text,
    tell,
    treat_signals_as_interrupts,
)
from autograder.plain_text import count, cut_lines, list_some

if TYPE_CHECKING:
    from autograder.regression.comparison import Difference
    from autograder.regression.regress import RegressRequest
    from autograder.regression.summary import Summary

GRADEBOOKS = ("canvas", "moodle")  # as in regression.report, which is not loaded here
_SHOWN = 10  # of a list on the terminal; the report has all
_SHOWN_ROWS = 8
_WITHOUT_POINTS = {"unreadable": "cannot be read", "empty": "nothing is written"}


@click.command()
@click.argument("path", type=options.EXISTING)
@click.option("--out", metavar="DIR", type=options.FOLDER, required=True, help="The folder for results and report.")
@click.option("--baseline", metavar="PATH", type=options.PATH, help="Compare with this folder's run, or an export.")
@click.option("--only", metavar="IDS", default="", help="Grade only these questions, separated by commas.")
@click.option("--jobs", type=click.IntRange(1), help="Submissions at a time.  [default: one for each core]")
@click.option("--cluster", metavar="ADDRESS", default="", help="Grade on the workers of this Dask scheduler.")
@click.option(
    "--grades", multiple=True, type=click.Choice(GRADEBOOKS), help="Write DIR/grades.<name>.csv for this gradebook too."
)
@options.add_force_option
@options.add_assignment_option
@options.add_json_option
@click.option("--strict", "is_strict", is_flag=True, help="Refuse to grade if a machine cannot isolate submissions.")
def regress(only: str, jobs: int | None, is_forced: bool, as_json: bool, **fields: Any) -> None:
    """Grade the class in PATH, a folder of submissions, a zip or a Gradescope export, and show which scores changed.

    DIR gets results/<name>.json, class.json, summary.json, report.html and scores.csv. A run that was stopped is
    resumed. First the right solution is graded, once for each state of the grader: if it fails a check, nobody is
    graded. The exit status is 0; 1 if a score differs from the baseline; 2 if PATH or a folder is unsuitable; 3 if the
    grader failed on a submission.
    """
    from autograder.regression.regress import RegressRequest

    request = RegressRequest(
        only=options.parse_names(only),
        jobs=jobs or machine.count_whole(),
        kept=find_kept_folder(),
        **fields,
    )
    _check_usage(request)
    summary = _run(request, is_forced=is_forced)
    if as_json:
        show_text(summary.as_bytes().decode())
    else:
        _show(summary, request)
    if summary.undecided:
        sys.exit(OUR_FAULT)
    sys.exit(PROBLEM_FOUND if summary.is_different else FINE)


def _check_usage(request: RegressRequest) -> None:
    options.refuse_assignment_of(request.path, request.root)
    out = request.out.resolve()
    if request.path.resolve() in (out, *out.parents):
        raise click.UsageError("--out is inside PATH; the results would be read as submissions")
    if request.baseline is not None and request.baseline.resolve() == out:
        raise click.UsageError("--baseline and --out are the same folder; the baseline would be overwritten")
    options.require_writable(request.out, "--out")


def _run(request: RegressRequest, *, is_forced: bool) -> Summary:
    """Run and return the summary; if there is none, say why and exit."""
    from autograder.assignment import load_assignment
    from autograder.regression.regress import regress

    try:
        with report_errors(NOTHING_GRADED), treat_signals_as_interrupts():
            assignment = load_assignment(request.root)
            package.check_right_solution(assignment, is_forced=is_forced, only=request.only, memory=request.kept)
            with show_progress() as show:
                return regress(request, progress=show)
    except OSError as error:
        fail(f"the results cannot be written: {error}", OUR_FAULT)
    except KeyboardInterrupt:
        tell(f"the results so far are in {request.out}; run the same command again to continue")
        raise


def _show(summary: Summary, request: RegressRequest) -> None:
    """Show the findings in a few lines; the report has the rest."""
    from autograder.regression.report import conclude

    for note in summary.notes:
        tell(f"note: {note}")
    timing = summary.timing
    kept = f", {timing.kept} kept" if timing.kept else ""
    show_line(f"{count(len(summary.students), 'submission')}, {timing.graded} graded{kept}, {timing.seconds:.1f} s")
    show_line(conclude(summary))
    _show_list([f"{student.member.name}: {student.fault}" for student in summary.students if student.fault])
    for state, told in _WITHOUT_POINTS.items():
        found = [student for student in summary.students if student.state == state]
        lines = [f"{student.member.name}: {told}, 0 points; {student.notes}" for student in found]
        _show_list([line.removesuffix("; ") for line in lines])
    names = {student.member.file: student.member.name for student in summary.students}
    if summary.baseline is not None:
        _show_list([f"row removed: {row}" for row in summary.baseline.removed])
        _show_list([f"row added: {row}" for row in summary.baseline.added])
        _show_list([_describe_change(names[found.file], found) for found in summary.baseline.changed])
        _show_list([f"{names[file]}: new, so not compared" for file in summary.baseline.appeared])
        _show_list([f"{file}: no longer in the class" for file in summary.baseline.vanished])
    nameless = sum(not student.member.people for student in summary.students)
    if request.grades and nameless:
        tell(f"note: {count(nameless, 'row')} of a gradebook without number and email, which only an export has")
    files = ["report.html", *(f"grades.{name}.csv" for name in request.grades)]
    show_line(f"written to {', '.join(str(request.out / name) for name in files)}")


def _show_list(lines: Sequence[str]) -> None:
    for line in cut_lines(lines, _SHOWN, "and {} more, which the report lists"):
        show_line(f"  {line}")


def _describe_change(name: str, change: Difference) -> str:
    rows = list_some([move.row.partition(" ")[0] for move in change.moves], _SHOWN_ROWS) or "only the total"
    total = change.total
    points = f"{total.before} to {total.after}" if total.change else f"still {total.after}"
    return f"{name}: {points} points ({rows})"
