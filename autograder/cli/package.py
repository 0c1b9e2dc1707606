"""Package commands: build the packages for Gradescope, Docker and students, and grade in Docker.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when a command runs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options
from autograder.cli.process import OUR_FAULT, report_errors, show_line, show_text, tell
from autograder.plain_text import count

if TYPE_CHECKING:
    from autograder.assignment import Assignment
    from autograder.packaging.gradescope_zip import GraderPackage
    from autograder.packaging.handout import Handout

_NOTHING_BUILT = "nothing was built"
_add_output_option = partial(click.option, "--output", type=options.FILE, show_default=True, help="The file to write.")


@click.group()
def package() -> None:
    """Build a package: autograder.zip for Gradescope, an image for Docker, a zip for students."""


@package.command()
@_add_output_option(default="autograder.zip")
@options.add_force_option
@options.add_assignment_option
def gradescope(root: Path, output: Path, is_forced: bool) -> None:
    """Build autograder.zip, to be uploaded to Gradescope unchanged.

    It holds only the files that grade; the same sources give the same bytes. First the right solution is graded: if it
    fails a check, nothing is built.
    """
    from autograder.sandbox.limits import CONTAINER_MIB, choose_container_mib

    assignment, made = _pack_checked(root, is_forced=is_forced)
    _write(output, made.as_zip())
    show_line(f"{made.points:g} points: set them as the outline's points on Gradescope")
    if made.points_by_hand:
        show_line(f"{made.points_by_hand:g} more are for texts graded by hand: add them as manual points")
    needed_mib = choose_container_mib(assignment.limits.memory_mib)
    if needed_mib > CONTAINER_MIB:
        show_line(f"the container needs more memory than Gradescope's default: set it to at least {needed_mib} MiB")
    show_line(f"{made.visible} checks are visible to students at once, {made.hidden} are not")
    _tell_left_out(made)


@package.command()
@_add_output_option(default="handout.zip")
@options.add_force_option
@options.add_assignment_option
def handout(root: Path, output: Path, is_forced: bool) -> None:
    """Build handout.zip for students: the templates, and the checks that they see on Gradescope.

    Students run the checks with `python check.py [question]` and numpy alone. It holds no part of the solutions or of
    the other tests. First the right solution is graded: if it fails a check, nothing is built; a visible check that
    fails is never handed out.
    """
    from autograder.packaging.handout import pack_handout

    with report_errors(_NOTHING_BUILT):
        made = pack_handout(_load_checked(root, is_forced=is_forced))
        _write(output, made.as_zip())
    show_line(f"{made.checks} visible checks; run them with: python check.py")
    if made.only_there:
        show_line(f"written by hand, so that they run on Gradescope alone: {', '.join(made.only_there)}")
    _tell_left_out(made)


@package.command()
@click.option("--name", default=options.DEFAULT_IMAGE, show_default=True, help="The image's name.")
@click.option("--base", metavar="IMAGE", help="The base image, instead of Gradescope's image.")
@click.option("--network", help="The network mode of the build, such as host.")
@click.option("--build-arg", "arguments", metavar="NAME VALUE", nargs=2, multiple=True, help="A build argument.")
@options.add_force_option
@options.add_assignment_option
def image(
    root: Path,
    name: str,
    base: str | None,
    network: str | None,
    arguments: tuple[tuple[str, str], ...],
    is_forced: bool,
) -> None:
    """Build the Docker image for `grade --docker`, which also works on Gradescope.

    First the right solution is graded: if it fails a check, nothing is built.
    """
    from autograder.packaging.container import build_image, connect_engine

    given = dict(arguments)
    if base:
        given["BASE"] = base
    _, made = _pack_checked(root, is_forced=is_forced)
    with connect_engine(os.environ) as client:
        for line in build_image(client, made.files, name=name, arguments=given, network=network):
            click.echo(line, err=True)
    _tell_weak_layers()
    size = f"{count(made.points, 'point')}, {count(len(made.tests), 'test')}"
    show_line(f"built {name}: {size}; use it with: grade --docker PATH")
    _tell_left_out(made)


def grade_in_docker(root: Path, path: Path, results: Path, *, image: str, time_limit: int) -> int:
    """Grade a submission in a container, show its output, write results.json, and return the exit status."""
    from autograder.assignment import load_assignment
    from autograder.packaging.container import connect_engine, grade_in_container

    assignment = load_assignment(root)
    with connect_engine(os.environ) as client:
        result = grade_in_container(client, path, assignment, image=image, time_limit_s=time_limit)
    show_text(result.printed)
    for told in filter(None, (result.problem, result.note)):
        tell(told)
    if result.results is not None:
        (results / "results.json").write_bytes(result.results)
        show_line(f"copied to {results / 'results.json'}")
    return OUR_FAULT if result.problem or result.exit_status not in (0, 2) else result.exit_status


def check_right_solution(
    assignment: Assignment, *, is_forced: bool, only: Sequence[str] = (), memory: Path | None = None
) -> None:
    """Grade the right solution; raise RightSolutionError or SandboxError, or warn of them if `is_forced`."""
    from autograder.questions.right_solution import RightSolutionError, require_right_solution
    from autograder.sandbox.host.launcher import SandboxError

    try:
        require_right_solution(assignment, only=only, memory=memory)
    except (RightSolutionError, SandboxError) as error:
        if not is_forced:
            raise type(error)(f"{error}\n--force leaves this test out") from error
        tell(f"warning: {error}")


def _pack_checked(root: Path, *, is_forced: bool) -> tuple[Assignment, GraderPackage]:
    """Pack the grader with the data of all checks; or say why not, and exit."""
    from autograder.packaging.gradescope_zip import add_derived, pack_grader

    with report_errors(_NOTHING_BUILT):
        assignment = _load_checked(root, is_forced=is_forced)
        return assignment, add_derived(pack_grader(assignment), assignment)


def _load_checked(root: Path, *, is_forced: bool) -> Assignment:
    """Load an assignment whose right solution passes; warn if forced."""
    from autograder.assignment import load_assignment

    assignment = load_assignment(root)
    check_right_solution(assignment, is_forced=is_forced)
    return assignment


def _tell_weak_layers() -> None:
    """Try the attacks on the machine that builds an image, and warn of each layer that does not hold."""
    from autograder.doctor import try_layers

    for layer in try_layers():
        if not layer.is_active:
            tell(f"warning: on this machine a layer of the sandbox does not hold: {layer.name} ({layer.reason})")


def _tell_left_out(made: GraderPackage | Handout) -> None:
    for path in made.left_out:
        tell(f"warning: left out, because git does not track it: {path}")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise click.BadParameter(f"cannot write to {path}: {error.strerror}", param_hint="--output") from error
    show_line(f"written to {path}: {len(content) / 1024:.0f} KiB")
