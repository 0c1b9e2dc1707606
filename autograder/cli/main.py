"""Command line: turns arguments and the environment into one call each; the only package that prints or exits.

Exit status: 0 graded, whatever the score; 1 problems found by doctor, lint, matrix or regress; 2 wrong usage or a
submission that cannot be read; 3 a fault of the grader, of the staff's files or, in a strict run, of the machine; 128
plus the signal's number if the run was stopped, so 130 for Ctrl-C. The grader is imported where it is used, so that
`--help` does not wait for numpy and pytest. `package` has the commands for Gradescope, Docker and the handout, `matrix`
and `new` those for the work on questions, `regress` the one for a class, `explain` the one for a single check.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from autograder import ENGINE, __version__, cpu_count
from autograder.cli import explain, lint, matrix, new, package, regress, results_file
from autograder.cli.assignment_option import add_assignment_option, refuse_assignment_of
from autograder.cli.process import (
    FINE,
    NOTHING_GRADED,
    OUR_FAULT,
    PROBLEM_FOUND,
    UNREADABLE,
    WIDTH_OF_FILES,
    add_json_option,
    collect_garbage_rarely,
    describe_use_elsewhere,
    fail,
    find_layer_cache,
    ignore_write_errors,
    is_plain_output,
    open_streams,
    parse_names,
    report_errors,
    show_json,
    show_progress_line,
    show_text,
    tell,
    treat_signals_as_interrupts,
)

if TYPE_CHECKING:
    from autograder.cli.console import Display
    from autograder.results import Report

_RUN_STUDENT_CODE = ("explain", "matrix", "regress")  # besides `grade`, which writes a placeholder first


class _Commands(click.Group):
    """The commands; makes every failure end with the documented exit status."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command; a fault of ours gets a message and its exit status."""
        try:
            return super().invoke(context)
        except click.ClickException as error:
            with ignore_write_errors():
                error.show()
            sys.exit(error.exit_code)
        except (click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt as stopped:
            fail("stopped before the end", 128 + (stopped.args[0] if stopped.args else signal.SIGINT))
        except Exception:  # noqa: BLE001  (any other error is our fault, and the exit status must say so)
            fail(f"the grader failed; this is not the submission's fault\n{traceback.format_exc()}", OUR_FAULT)


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Grade submissions of the assignment.

    Without a command, as on Gradescope: grade /autograder/submission and write /autograder/results/results.json, by the
    assignment that lies beside the grader.
    AUTOGRADER_ROOT names another folder than /autograder.
    """
    os.environ.update(cpu_count.ONE_THREAD)  # before numpy is imported
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # plugins would read the metadata of all packages
    open_streams()
    if context.invoked_subcommand in _RUN_STUDENT_CODE:
        _require_enough_for_student_code(OUR_FAULT)
    if context.invoked_subcommand is None:
        _grade_on_gradescope(Path(os.environ.get("AUTOGRADER_ROOT", "/autograder")))


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--results",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("results"),
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
@add_assignment_option
@results_file.add_format_option
@add_json_option
@package.add_container_options
def grade(
    path: Path, root: Path, results: Path, only: str, strict: bool, platform: str, as_json: bool, **container: Any
) -> None:
    """Grade the submission PATH: a folder, a zip, one Python file or one TOML file of answers.

    Shows the result and writes it to DIR/results.json, in Gradescope's format or that of --format. The exit status is 0
    whatever the score, 2 if the submission cannot be read or a name is unknown, and 3 if the grader failed or, with
    --strict, refuses; `doctor` shows why.
    """
    refuse_assignment_of(path, root)
    results_file.require_writable(results)
    with results_file.convert_results(results, platform, as_json=as_json):
        if container.pop("docker"):
            package.require_no_other_options(only, strict, as_json)
            sys.exit(package.grade_in_docker(root, path, results, **container))
        options = {"only": parse_names(only), "is_strict": strict, "layer_cache": find_layer_cache()}
        sys.exit(_choose_status(_grade(root, path, results, as_json=as_json, **options)))


@main.command()
@add_json_option
def doctor(as_json: bool) -> None:
    """Show which layers of isolation this machine supports, and the software that would grade.

    The exit status is 1 if `grade --strict` would refuse.
    """
    _require_enough_for_student_code(PROBLEM_FOUND)
    from autograder.doctor import examine, render

    diagnosis = examine()
    if as_json:
        layers = [layer._asdict() for layer in diagnosis.layers]
        show_json({"facts": dict(diagnosis.facts), "layers": layers, "missing": diagnosis.missing})
    else:
        click.echo(render(diagnosis))
    sys.exit(PROBLEM_FOUND if diagnosis.missing else FINE)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", metavar="[PYTEST ARGUMENTS]...", nargs=-1, type=click.UNPROCESSED)
def selftest(arguments: tuple[str, ...]) -> None:
    """Test the grader itself.

    Without arguments: every promise once. With --fast: what takes no sandbox by the hundred, in seconds. With --ci:
    larger samples of mistakes, attacks and uploads. With --all: all of them. The arguments go to pytest, which runs in
    the project's folder, on all cores; `-n 0` has it use one process.
    """
    if not (ENGINE / "pyproject.toml").exists():
        raise click.UsageError("an installed grader has no self-tests: run them in a clone of the project")
    command = [sys.executable, "-m", "pytest", "-n", "auto", *arguments]
    sys.exit(subprocess.run(command, cwd=ENGINE, check=False).returncode)


main.add_command(explain.explain)
main.add_command(lint.lint)
main.add_command(package.package)
main.add_command(matrix.matrix)
main.add_command(new.new)
main.add_command(regress.regress)


def _grade_on_gradescope(folder: Path) -> NoReturn:
    submission, results, metadata = folder / "submission", folder / "results", folder / "submission_metadata.json"
    if not submission.exists() and not results.exists():
        with ignore_write_errors():
            click.echo(describe_use_elsewhere(submission), err=True)
        sys.exit(UNREADABLE)
    private = (folder / "source", submission, results, metadata)
    # One pass after the other: students see the visible results at once, and a pass beside them shows in their speed.
    report = _grade(ENGINE, submission, results, private=private, metadata=metadata, at_once=1)
    _warn_about_outline(metadata, report)
    sys.exit(_choose_status(report))


def _grade(root: Path, submission: Path, results: Path, *, as_json: bool = False, **options: Any) -> Report:
    """Grade and show the report; if there is none, say why and exit. `options`: fields of GradeRequest."""
    collect_garbage_rarely()
    with _write_placeholder_after_failure(results):
        _require_enough_for_student_code(OUR_FAULT)
        from autograder.grade import GradeRequest, grade

    request = GradeRequest(root, submission, results, **{"at_once": cpu_count.count_whole(), **options})
    with report_errors(NOTHING_GRADED), _report_failures(), treat_signals_as_interrupts(), show_progress_line() as show:
        report = grade(request, progress=_show_checks(show))
    if as_json:
        show_text((results / "results.json").read_text(encoding="ascii"))
    else:
        _show(report, f"written to {results / 'results.json'}")
    return report


def _show_checks(show: Callable[[str], None]) -> Callable[[int, int], None]:
    """Return a function that shows how many checks are done, and about how long the others take."""
    started = time.monotonic()

    def show_progress(done: int, total: int) -> None:
        left_s = (time.monotonic() - started) / done * (total - done)
        show(f"checks done: {done} of {total}, about {left_s:.0f} s left")

    return show_progress


@contextmanager
def _report_failures() -> Iterator[None]:
    """Exit with a message where an attempt is refused, or the result cannot be written."""
    from autograder.grade import AttemptRefused
    from autograder.gradescope.results_json import ResultsError

    try:
        yield
    except AttemptRefused as refused:
        fail(str(refused), FINE)
    except ResultsError as error:
        if error.report is not None:
            _show(error.report, "not written")
        fail(f"the result cannot be written: {error}", OUR_FAULT)


@contextmanager
def _write_placeholder_after_failure(results: Path) -> Iterator[None]:
    """Write a valid result even if the grader cannot be imported, for lack of memory or of a package."""
    try:
        yield
    except BaseException:
        from autograder.gradescope.results_json import build_placeholder, write_results

        write_results(results / "results.json", build_placeholder())
        raise


def _require_enough_for_student_code(status: int) -> None:
    """Exit if this machine lacks resources; before numpy, which hangs or crashes if memory is very short."""
    from autograder.sandbox.limits import describe_shortfall

    if describe_shortfall():
        fail(f"{NOTHING_GRADED}: {describe_shortfall()}", status)


def _show(report: Report, last_line: str) -> None:
    from autograder.cli.console import build_display, render_plain

    content = build_display(report)
    text = render_plain(content, WIDTH_OF_FILES) if is_plain_output() else None
    if text is None:
        text = _render_with_rich(content)
    show_text(f"{text}{last_line}\n")


def _render_with_rich(content: Display) -> str:
    from rich.console import Console

    from autograder.cli.rich_console import render

    console = Console(markup=False, emoji=False, highlight=False)
    with console.capture() as captured:  # rich itself would end the process if the pipe is closed
        console.print(render(content), crop=False)  # lines to paste may be wider
    return captured.get()


def _warn_about_outline(path: Path, report: Report) -> None:
    """Warn staff if the outline's points on Gradescope are neither those of the tests nor these with the texts'."""
    from autograder.gradescope.metadata import describe_outline, read_metadata

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
