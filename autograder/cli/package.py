"""Command line for what leaves this machine: what Gradescope takes, and the packages for it, Docker and students.

Part of `cli`, which says what the exit statuses mean; here 1 is "not as it should be". The work is imported where it
is used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from autograder import PROJECT
from autograder.cli.process import (
    FINE,
    NOT_AS_IT_SHOULD_BE,
    OUR_FAULT,
    UNREADABLE,
    changing_line,
    fail,
    tell,
)

if TYPE_CHECKING:
    from autograder.packaging import GraderPackage, Handout

Command = TypeVar("Command", bound=Callable[..., Any])
DEFAULT_IMAGE = "nlp-autograder"


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--points", type=float, metavar="POINTS", help="The points of the assignment's outline on Gradescope.")
def lint(file: Path, points: float | None) -> None:
    """Say whether Gradescope accepts FILE, a results.json of any grader.

    Each finding names its location in the file, the value there and advice. The exit status is 1 if Gradescope would
    reject the file or show another result than intended, and 0 if there are no findings, or only notes.
    """
    from autograder.gradescope.lint import FILE_BYTES, Severity, lint_results

    try:
        with file.open("rb") as opened:
            findings = lint_results(opened.read(FILE_BYTES + 1), points=points)
    except OSError as error:
        raise click.FileError(str(file), error.strerror or "cannot be read") from error
    for finding in findings:
        click.echo(f"{finding.severity.value}: {finding.location}\n  found: {finding.found}\n  next:  {finding.advice}")
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    count = "1 error" if errors == 1 else f"{errors} errors"
    click.echo(f"{file}: {count}; Gradescope rejects it" if errors else f"{file}: Gradescope accepts it")
    sys.exit(NOT_AS_IT_SHOULD_BE if errors else FINE)


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
    from autograder.packaging import pack_grader

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
    from autograder.packaging import pack_handout

    with _problems_told():
        made = pack_handout(PROJECT)
        _write(output, made.as_zip())
    click.echo(f"{made.checks} public checks, for: python check.py")
    _tell_left_out(made)


@package.command()
@click.option("--name", default=DEFAULT_IMAGE, show_default=True, help="The image's name.")
@click.option("--base", metavar="IMAGE", help="What the image is built on, instead of Gradescope's image.")
@click.option("--network", help="The network in which packages are installed, such as host.")
@click.option("--build-arg", "arguments", metavar="NAME=VALUE", multiple=True, help="Another argument of Dockerfile.")
def image(name: str, base: str | None, network: str | None, arguments: tuple[str, ...]) -> None:
    """Build the Docker image in which `grade --docker` grades, and which Gradescope takes too."""
    from autograder.docker import build_image, connect_engine
    from autograder.packaging import pack_grader

    given = dict(_pair(argument) for argument in arguments) | ({"BASE": base} if base else {})
    with _problems_told():
        made = pack_grader(PROJECT)
        with _engine_problems_told(), connect_engine(os.environ) as client:
            for line in build_image(client, PROJECT, made.files, name=name, arguments=given, network=network):
                click.echo(line, err=True)
    click.echo(f"built {name}: {made.points:g} points, {len(made.tests)} tests; try it: grade --docker PATH")
    _tell_left_out(made)


def _pair(argument: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.BadParameter(f"{argument!r} is not NAME=VALUE", param_hint="--build-arg")
    return name, value


def container_options(command: Command) -> Command:
    """The options of `grade` that are about containers."""
    for option in (
        click.option("--time-limit", type=click.IntRange(1), default=600, help="Seconds that --docker gives."),
        click.option("--image", default=DEFAULT_IMAGE, show_default=True, help="The image of --docker."),
        click.option("--docker", is_flag=True, help="Grade in a container as on Gradescope: see `package image`."),
    ):
        command = option(command)
    return command


def require_no_other_options(only: str, strict: bool) -> None:
    """Refuse what the run on Gradescope does not know."""
    if only or strict:
        raise click.UsageError("--docker grades all questions as Gradescope does; leave out --only and --strict")


def grade_in_docker(path: Path, results: Path, *, image: str, time_limit: int) -> int:
    """Grade a submission in a container, show what was printed there, and write results.json; the exit status."""
    from autograder.assignment import load_assignment
    from autograder.docker import Conditions, connect_engine, grade_in_container

    conditions = Conditions(image=image, time_limit_s=time_limit)
    with _problems_told(), _engine_problems_told():
        points = sum(each.points for each in load_assignment(PROJECT).questions)
        with connect_engine(os.environ) as client, changing_line() as show:
            result = grade_in_container(client, path, conditions, points=points, progress=_seconds_told(show))
    click.echo(result.printed, nl=False)
    for told in filter(None, (result.problem, result.note)):
        tell(told)
    if result.results is not None:
        (results / "results.json").write_bytes(result.results)
        click.echo(f"copied to {results / 'results.json'}")
    return OUR_FAULT if result.problem or result.exit_status not in (0, 2) else result.exit_status


def _seconds_told(show: Callable[[str], None] | None) -> Callable[[float], None] | None:
    return None if show is None else lambda passed: show(f"in the container: {passed:.0f} s")


def _tell_left_out(made: GraderPackage | Handout) -> None:
    for path in made.left_out:
        tell(f"warning: left out, because git does not track it: {path}")


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
    from autograder.grading.hidden_test import HiddenTestError
    from autograder.packaging import PackagingError

    try:
        yield
    except (AssignmentError, HiddenTestError, PackagingError) as error:
        fail(f"nothing was made: {error}", OUR_FAULT)


@contextmanager
def _engine_problems_told() -> Iterator[None]:
    """Exit with a message where there is no engine, no image or no submission."""
    from autograder.docker import EngineError
    from autograder.submission import SubmissionError

    try:
        yield
    except EngineError as error:
        fail(str(error), OUR_FAULT)
    except SubmissionError as error:
        fail(str(error), UNREADABLE)
