"""Regress command: grades a whole class and compares it with an earlier run.

Part of `cli.main`, which defines the exit statuses; 1 means that scores differ from the baseline. Slow modules are
imported only when the command runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder import cpu_count
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
    show_text,
    tell,
    treat_signals_as_interrupts,
)
from autograder.cli.progress import show_progress
from autograder.plain_text import count, cut_lines, list_some

if TYPE_CHECKING:
    from autograder.regression.request import RegressRequest
    from autograder.regression.summary import Difference, Summary

GRADEBOOKS = ("canvas", "moodle")  # those of regression.gradebooks, without loading it
_SHOWN = 10  # of a list on the terminal; the report has all
_SHOWN_CHECKS = 8


@click.command()
@click.argument("path", type=options.EXISTING)
@click.option("--out", metavar="DIR", type=options.FOLDER, required=True, help="The folder for results and report.")
@click.option("--baseline", metavar="DIR", type=options.FOLDER, help="Compare with the run in this folder.")
@click.option("--published", "against_published", is_flag=True, help="Compare with the scores in the export.")
@click.option("--accept", is_flag=True, help="Make this run the new baseline, and exit with 0.")
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
def regress(
    root: Path,
    baseline: Path | None,
    accept: bool,
    only: str,
    jobs: int | None,
    is_forced: bool,
    as_json: bool,
    **fields: Any,
) -> None:
    """Grade the class in PATH, a folder of submissions, a zip or a Gradescope export, and show which scores changed.

    DIR gets results/<name>.json, summary.json, report.html and scores.csv. A run that was stopped is resumed. First the
    right solution is graded, once for each state of the grader: if it fails a check, nobody is graded. The exit status
    is 0; 1 if a score differs from the baseline; 2 if PATH or a folder is unsuitable; 3 if the grader failed on a
    submission.
    """
    from autograder.regression.request import RegressRequest

    request = RegressRequest(
        root=root,
        baseline=None if accept and baseline is not None and not (baseline / "summary.json").exists() else baseline,
        only=options.parse_names(only),
        jobs=jobs or cpu_count.count_whole(),
        kept=find_kept_folder(),
        **fields,
    )
    _check_usage(request, baseline, is_accepted=accept)
    summary = _run(request, is_forced=is_forced)
    if as_json:
        show_text(summary.as_bytes().decode() + "\n")
    else:
        _show(summary, request)
    if accept and baseline is not None:
        _accept(summary, request.out, baseline)
    sys.exit(_choose_status(summary, is_accepted=accept))


def _check_usage(request: RegressRequest, baseline: Path | None, *, is_accepted: bool) -> None:
    options.refuse_assignment_of(request.path, request.root)
    if request.path.resolve() in (request.out.resolve(), *request.out.resolve().parents):
        raise click.UsageError("--out is inside PATH; the results would be read as submissions")
    if baseline is not None and baseline.resolve() == request.out.resolve():
        raise click.UsageError("--baseline and --out are the same folder; the baseline would be overwritten")
    if baseline is not None and request.against_published:
        raise click.UsageError("--baseline and --published exclude each other")
    if is_accepted and baseline is None:
        raise click.UsageError("--accept needs --baseline DIR, the folder for the baseline")


def _run(request: RegressRequest, *, is_forced: bool) -> Summary:
    """Run and return the summary; if there is none, say why and exit."""
    from autograder.assignment import load_assignment
    from autograder.gradescope.results_json import ResultsError
    from autograder.regression.regress import regress

    try:
        with report_errors(NOTHING_GRADED), treat_signals_as_interrupts():
            assignment = load_assignment(request.root)
            package.check_right_solution(assignment, is_forced=is_forced, only=request.only, memory=request.kept)
            with show_progress() as show:
                return regress(
                    request,
                    progress=lambda now: show(now.done, now.total, now.kept, now.names, now.surprise),
                )
    except (ResultsError, OSError) as error:
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
    _show_list([f"{student.name}: {student.fault}" for student in summary.students if student.fault])
    _show_list([f"{each.name}: cannot be read, 0 points" for each in summary.students if each.state == "unreadable"])
    for found in (summary.twins, summary.baseline):
        _show_list([_describe_change(each) for each in (*found.unstable, *found.differences)] if found else [])
    files = ["report.html", *(f"grades.{name}.csv" for name in request.grades)]
    show_line(f"written to {', '.join(str(request.out / name) for name in files)}")


def _show_list(lines: Sequence[str]) -> None:
    for line in cut_lines(lines, _SHOWN, "and {} more, which the report lists"):
        show_line(f"  {line}")


def _describe_change(change: Difference) -> str:
    tests = list_some([move.test for move in change.moves], _SHOWN_CHECKS) or "only the total"
    points = f"{change.before} to {change.after}" if change.change else f"still {change.after}"
    return f"{change.name}: {points} points ({tests})"


def _accept(summary: Summary, out: Path, baseline: Path) -> None:
    from autograder.regression.baseline import accept

    if summary.undecided:
        fail("not accepted as the baseline: some submissions could not be judged", OUR_FAULT)
    try:
        accept(out, baseline)
    except OSError as error:
        fail(f"the baseline cannot be written: {error}", OUR_FAULT)
    show_line(f"accepted as the baseline in {baseline}")


def _choose_status(summary: Summary, *, is_accepted: bool) -> int:
    if summary.undecided:
        return OUR_FAULT
    return PROBLEM_FOUND if summary.is_different and not is_accepted else FINE
