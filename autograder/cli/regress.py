"""Command line for a whole class: the command `regress`.

Part of `cli`, which says what the exit statuses mean; here 1 is "scores differ from the baseline". The work is imported
where it is used.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder import cpu_count
from autograder.cli.process import (
    FINE,
    NOBODY_GRADED,
    NOT_AS_IT_SHOULD_BE,
    OUR_FAULT,
    UNREADABLE,
    fail,
    find_layer_cache,
    stems_of,
    stopped_by_signals,
    tell,
)

if TYPE_CHECKING:
    from autograder.regression import ClassProgress, RegressRequest, Summary

PUBLISHED = "published"
_SECONDS_BETWEEN_LINES = 30.0
_FOLDER = click.Path(file_okay=False, path_type=Path)
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--out", metavar="DIR", type=_FOLDER, required=True, help="The folder for results and report.")
@click.option("--baseline", metavar="DIR", type=_FOLDER, help="Compare with the run in this folder.")
@click.option("--published", "against_published", is_flag=True, help="Compare with the scores in the export.")
@click.option("--accept", is_flag=True, help="Make this run the one in the baseline's folder, and exit with 0.")
@click.option("--only", metavar="STEMS", default="", help="Grade these questions only; commas between them.")
@click.option("--jobs", type=click.IntRange(1), help="Submissions at a time.  [default: one for each core]")
@click.option("--repeat", type=click.IntRange(1), default=1, help="Grade each submission so often, to find chance.")
@click.option("--cluster", metavar="ADDRESS", default="", help="Grade on the workers of this Dask scheduler.")
@click.option("--junit", metavar="FILE", type=_FILE, help="Write the differences as XML for continuous integration.")
@click.option("--strict", "is_strict", is_flag=True, help="Refuse to grade where a machine cannot isolate submissions.")
def regress(baseline: Path | None, accept: bool, only: str, jobs: int | None, **options: Any) -> None:
    """Grade the class in PATH and say whose score moved: a folder of submissions, a zip, or a Gradescope export.

    DIR gets results/<name>.json, summary.json, report.html and scores.csv. A run that was stopped goes on where it
    ended. The exit status is 0; 1 where a score differs from the baseline; 2 where PATH or a folder is not what is
    needed; 3 where the grader failed on a submission.
    """
    from autograder.regression import RegressRequest

    request = RegressRequest(
        baseline=None if accept and baseline is not None and not (baseline / "summary.json").exists() else baseline,
        only=stems_of(only),
        jobs=jobs or cpu_count.whole(),
        layer_cache=find_layer_cache(),
        **options,
    )
    _check_usage(request, baseline, is_accepted=accept)
    summary = _run(request)
    _show(summary, request.out)
    if accept and baseline is not None:
        _accept(summary, request.out, baseline)
    sys.exit(_status(summary, is_accepted=accept))


def _check_usage(request: RegressRequest, baseline: Path | None, *, is_accepted: bool) -> None:
    if request.path.resolve() in (request.out.resolve(), *request.out.resolve().parents):
        raise click.UsageError("--out is inside PATH; the results would be taken for submissions")
    if baseline is not None and baseline.resolve() == request.out.resolve():
        raise click.UsageError("--baseline and --out are the same folder; the baseline would be overwritten")
    if baseline is not None and request.against_published:
        raise click.UsageError("--baseline and --published: compare with one of them")
    if is_accepted and baseline is None:
        raise click.UsageError("--accept needs --baseline DIR, the folder that is to hold the baseline")


def _run(request: RegressRequest) -> Summary:
    """The summary of the run; where there is none, say why and exit."""
    from autograder.assignment import AssignmentError
    from autograder.gradescope.results_json import ResultsError
    from autograder.regression import BaselineError, RosterError, RunError, regress
    from autograder.submission import SubmissionError

    try:
        with stopped_by_signals(), _progress() as progress:
            return regress(request, progress=progress)
    except (RosterError, SubmissionError, BaselineError) as error:
        fail(str(error), UNREADABLE)
    except (AssignmentError, RunError) as error:
        fail(f"{NOBODY_GRADED}: {error}", OUR_FAULT)
    except (ResultsError, OSError) as error:
        fail(f"the results cannot be written: {error}", OUR_FAULT)
    except KeyboardInterrupt:
        tell(f"what was done is in {request.out}; the same command goes on from there")
        raise


@contextmanager
def _progress() -> Iterator[Callable[[ClassProgress], None]]:
    """A bar with rate and time left on a terminal; elsewhere a line now and then."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=120, transient=True) as bar:
        task = bar.add_task("", total=None, rate="")
        started = time.monotonic()

        def show(progress: ClassProgress) -> None:
            rate = (progress.done - progress.kept) / (time.monotonic() - started)
            bar.update(task, total=progress.total, completed=progress.done, rate=f"{rate:.2f} a second")

        yield show


class _Lines:
    """A line about the progress every half minute, for logs."""

    def __init__(self) -> None:
        self._started = self._told = time.monotonic()

    def __call__(self, progress: ClassProgress) -> None:
        now = time.monotonic()
        if now - self._told < _SECONDS_BETWEEN_LINES:
            return
        self._told = now
        rate = (progress.done - progress.kept) / (now - self._started)
        left = f", {(progress.total - progress.done) / rate / 60:.0f} minutes left" if rate else ""
        tell(f"{progress.done} of {progress.total}, {rate:.2f} a second{left}")


def _show(summary: Summary, out: Path) -> None:
    """What was found, in a few lines; the report has the rest."""
    from autograder.regression import conclude

    for note in summary.notes:
        tell(f"note: {note}")
    kept = f", {summary.timing.kept} kept from before" if summary.timing.kept else ""
    click.echo(
        f"{len(summary.students)} submissions, {summary.timing.graded} graded{kept}, {summary.timing.seconds:.1f} s"
    )
    click.echo(conclude(summary))
    for found in (summary.repeats, summary.baseline):
        for each in (*found.unstable, *found.differences)[:10] if found else ():
            tests = ", ".join(move.test for move in each.moves[:8]) or "the total alone"
            click.echo(f"  {each.name}: {each.before} to {each.after} points ({tests})")
    click.echo(f"written to {out / 'report.html'}")


def _accept(summary: Summary, out: Path, baseline: Path) -> None:
    from autograder.regression import BaselineError, accept

    if summary.undecided:
        fail("not accepted as the baseline: some submissions could not be judged", OUR_FAULT)
    try:
        accept(out, baseline)
    except BaselineError as error:
        fail(str(error), UNREADABLE)
    except OSError as error:
        fail(f"the baseline cannot be written: {error}", OUR_FAULT)
    click.echo(f"accepted as the baseline in {baseline}")


def _status(summary: Summary, *, is_accepted: bool) -> int:
    if summary.undecided:
        return OUR_FAULT
    return NOT_AS_IT_SHOULD_BE if summary.is_different and not is_accepted else FINE
