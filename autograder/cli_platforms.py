"""Command line for what leaves this machine: what Gradescope takes, and the packages for it, Docker and students.

Part of `cli`, which says what the exit statuses mean; here 1 is "not as it should be". The work is imported where it
is used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from autograder.packaging.gradescope_zip import GraderPackage
    from autograder.packaging.handout import Handout

PROJECT = Path(__file__).resolve().parents[1]

Command = TypeVar("Command", bound=Callable[..., Any])
_NOT_AS_IT_SHOULD_BE, _OUR_FAULT = 1, 3


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--points", type=float, metavar="POINTS", help="The points of the assignment's outline on Gradescope.")
def lint(file: Path, points: float | None) -> None:
    """Say whether FILE, a results.json of any grader, is what Gradescope accepts.

    Each finding has its place in the file, what is there and what to do. The exit status is 1 where Gradescope would
    refuse the file or read another result than it means, and 0 where there is nothing, or only notes.
    """
    from autograder.gradescope_lint import FILE_BYTES, Severity
    from autograder.gradescope_lint import lint as findings_in

    try:
        with file.open("rb") as opened:
            findings = findings_in(opened.read(FILE_BYTES + 1), points=points)
    except OSError as error:
        raise click.FileError(str(file), error.strerror or "cannot be read") from error
    for finding in findings:
        click.echo(f"{finding.severity.value}: {finding.place}\n  found: {finding.found}\n  next:  {finding.advice}")
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    count = "1 error" if errors == 1 else f"{errors} errors"
    click.echo(f"{file}: {count}; Gradescope does not take it as it is" if errors else f"{file}: Gradescope takes it")
    sys.exit(_NOT_AS_IT_SHOULD_BE if errors else 0)


@click.group()
def package() -> None:
    """Make what is handed out: autograder.zip for Gradescope, an image for Docker, a zip for students."""


def _output(default: str) -> Callable[[Command], Command]:
    """The option that names the file to write."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("--output", type=kind, default=Path(default), show_default=True, help="The file to write.")


@package.command()
@_output("autograder.zip")
def gradescope(output: Path) -> None:
    """Make autograder.zip, which is uploaded to Gradescope as it is.

    It holds what grades and nothing else; the same sources give the same bytes.
    """
    from autograder.packaging.gradescope_zip import pack_grader

    with _problems_told():
        made = pack_grader(PROJECT)
        _write(output, made.as_zip())
    click.echo(f"{made.points:g} points, to be set as the outline's on Gradescope")
    click.echo(f"{made.visible} tests that students see at once, {made.hidden} that they do not")
    _tell_left_out(made)


@package.command()
@_output("handout.zip")
def handout(output: Path) -> None:
    """Make handout.zip, which students receive: the templates, and the checks that they see on Gradescope.

    They run the checks with `python check.py [question]` and numpy alone. Nothing of the solutions or of other tests
    is in it.
    """
    from autograder.packaging.handout import pack_handout

    with _problems_told():
        made = pack_handout(PROJECT)
        _write(output, made.as_zip())
    click.echo(f"{made.checks} public checks, for: python check.py")
    _tell_left_out(made)


def _tell_left_out(made: GraderPackage | Handout) -> None:
    for path in made.left_out:
        click.echo(f"run_autograder: warning: left out, because git does not track it: {path}", err=True)


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise click.BadParameter(f"cannot write to {path}: {error.strerror}", param_hint="--output") from error
    click.echo(f"written to {path}: {len(content) / 1024:.0f} KiB")


@contextmanager
def _problems_told() -> Iterator[None]:
    """Exit with a message where the staff's files are not in order."""
    from autograder.assignment import AssignmentError
    from autograder.hidden_test import HiddenTestError
    from autograder.packaging.tree import PackagingError

    try:
        yield
    except (AssignmentError, HiddenTestError, PackagingError) as error:
        click.echo(f"run_autograder: nothing was made: {error}", err=True)
        sys.exit(_OUR_FAULT)
