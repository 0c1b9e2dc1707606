"""Grade command: grades one submission, for a user or for Gradescope, shows the report and says how it ended.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when the command runs.
"""

from __future__ import annotations

import atexit
import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from autograder import ENGINE
from autograder.cli import options, package
from autograder.cli.process import (
    FINE,
    NOTHING_GRADED,
    OUR_FAULT,
    UNREADABLE,
    fail,
    find_kept_folder,
    find_program,
    ignore_write_errors,
    report_errors,
    show_progress,
    show_text,
    tell,
    treat_signals_as_interrupts,
)

if TYPE_CHECKING:
    from autograder.results import Report

_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # more than the modules have, which are never freed


@click.command()
@click.argument("path", type=options.PATH)
@click.option(
    "--results",
    metavar="DIR",
    type=options.FOLDER,
    default="results",
    show_default=True,
    help="The folder for results.json.",
)
@click.option(
    "--only",
    metavar="NAMES",
    default="",
    help="Grade only these, separated by commas: questions, functions (linear_layer.cost), numbers or names of checks.",
)
@click.option("--strict", is_flag=True, help="Refuse to grade if this machine cannot isolate the submission.")
@options.add_assignment_option
@click.option(
    "--html", "makes_page", is_flag=True, help="Also write DIR/results.html, as Gradescope shows students and staff."
)
@options.add_json_option
@click.option("--docker", is_flag=True, help="Grade in a container as on Gradescope: see `package image`.")
@click.option("--image", default=options.DEFAULT_IMAGE, show_default=True, help="The image of --docker.")
@click.option("--time-limit", type=click.IntRange(1), default=600, help="Time limit of --docker in seconds.")
def grade(
    path: Path,
    root: Path,
    results: Path,
    only: str,
    strict: bool,
    makes_page: bool,
    as_json: bool,
    docker: bool,
    **container: Any,
) -> None:
    """Grade the submission PATH: a folder, a zip, one Python file or one TOML file of answers.

    Shows the result and writes it to DIR/results.json, in Gradescope's format. The exit status is 0 whatever the
    score, 2 if the submission cannot be read or a name is unknown, and 3 if the grader failed or, with --strict,
    refuses; `doctor` shows why.
    """
    options.refuse_assignment_of(path, root)
    options.require_writable(results, "--results")
    try:
        if docker:
            if only or strict or as_json:
                others = "--only, --strict and --json"
                raise click.UsageError(f"--docker grades all questions as Gradescope does; leave out {others}")
            sys.exit(package.grade_in_docker(root, path, results, **container))
        fields = {"only": options.parse_names(only), "is_strict": strict, "kept": find_kept_folder()}
        sys.exit(_choose_status(_grade(root, path, results, as_json=as_json, **fields)))
    finally:  # whatever the end was: each has a result in it
        if makes_page:
            _write_page(results)


def grade_on_gradescope(folder: Path) -> NoReturn:
    """Grade what lies in Gradescope's folder, by the assignment next to the grader, and exit."""
    submission, results, metadata = folder / "submission", folder / "results", folder / "submission_metadata.json"
    if not submission.exists() and not results.exists():
        with ignore_write_errors():
            click.echo(_describe_use_elsewhere(submission), err=True)
        sys.exit(UNREADABLE)
    private = (folder / "source", submission, results, metadata)
    report = _grade(ENGINE, submission, results, private=private, metadata=metadata, tries_attacks=True)
    _warn_about_outline(metadata, report)
    sys.exit(_choose_status(report))


def require_enough_for_student_code(status: int) -> None:
    """Exit if this machine lacks resources; before numpy, which hangs or crashes if memory is very short."""
    from autograder.sandbox.host.launcher import describe_shortfall

    shortfall = describe_shortfall()
    if shortfall:
        fail(f"{NOTHING_GRADED}: {shortfall}", status)


def _write_page(folder: Path) -> None:
    """Write a page of the results.json in a folder."""
    from autograder.atomic_file import write_atomically
    from autograder.gradescope.result_page import render_result_page  # it loads the template engine
    from autograder.gradescope.results_json import read_results_json

    path, page = folder / "results.json", folder / "results.html"
    try:
        results = read_results_json(path.read_bytes())
        write_atomically(page, [render_result_page(results).encode()])
        tell(f"written to {page}")
    except OSError as error:
        fail(f"the result cannot be converted: {error}", OUR_FAULT)


def _describe_use_elsewhere(submission: Path) -> str:
    """Describe what the program does without a command, and what to call on a machine that is not Gradescope's."""
    program = find_program()
    return (
        f"Nothing was graded: without a command, {program} grades {submission}, as on Gradescope, and there is no such "
        "folder here.\n"
        f"  {program} grade PATH   grades a submission (a folder, a zip or a file) into results/\n"
        f"  {program} selftest     tests the grader itself, in a clone of the project\n"
        f"  {program} --help       lists the other commands"
    )


def _grade(root: Path, submission: Path, results: Path, *, as_json: bool = False, **fields: Any) -> Report:
    """Grade and show the report; if there is none, say why and exit. `fields`: of GradeRequest."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # nothing is collected at exit
    try:
        require_enough_for_student_code(OUR_FAULT)
        from autograder.grade import GradeRequest, grade
        from autograder.gradescope.results_json import ResultsError
    except BaseException:  # for lack of memory or of a package
        from autograder.gradescope.results_json import write_placeholder

        write_placeholder(results / "results.json")
        raise
    request = GradeRequest(root, submission, results, **fields)
    try:
        with report_errors(NOTHING_GRADED), treat_signals_as_interrupts(), show_progress() as show:
            report = grade(request, progress=show)
    except ResultsError as error:
        if error.report is not None:
            _show(error.report, "not written")
        fail(f"the result cannot be written: {error}", OUR_FAULT)
    if as_json:
        show_text((results / "results.json").read_text(encoding="ascii"))
    else:
        _show(report, f"written to {results / 'results.json'}")
    return report


def _show(report: Report, last_line: str) -> None:
    from rich.console import Console

    from autograder.cli.console import render

    show_text(f"{render(report, Console())}{last_line}\n")


def _warn_about_outline(path: Path, report: Report) -> None:
    """Warn staff if the outline's points on Gradescope are wrong, with the texts' points and without them."""
    from autograder.gradescope.files import describe_outline, read_metadata

    if not path.exists():  # a container started by hand
        return
    metadata, warning = read_metadata(path)
    outline = metadata.assignment.total_points if metadata and metadata.assignment else None
    if outline is not None:
        warning = describe_outline(outline, report.max_score, by_hand=report.points_by_hand)
    if warning:
        tell(f"warning: {warning}")


def _choose_status(report: Report) -> int:
    return OUR_FAULT if report.is_undecided else FINE
