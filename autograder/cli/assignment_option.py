"""Assignment option: turns `--assignment DIR`, or the folder that a command starts in, into an assignment's root.

Slow modules are imported only when a command runs, not for `--help`.
"""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from autograder import ENGINE
from autograder.cli.process import Command, find_program

SETTING = "AUTOGRADER_ASSIGNMENT"
_NAME_ONE = f"--assignment DIR, or the variable {SETTING}"


def add_assignment_option(command: Command) -> Command:
    """Add the option that names the assignment; the command gets its folder as `root`."""
    return click.option(
        "--assignment",
        "root",
        metavar="DIR",
        type=click.Path(path_type=Path),
        envvar=SETTING,
        callback=_choose_root,
        help="The folder of the assignment.  [default: the only one around the current folder and in the clone]",
    )(command)


def _choose_root(_context: click.Context, _option: click.Parameter, named: Path | None) -> Path:
    from autograder.assignment import DECLARATION, is_assignment

    if named is None:
        return find_root(Path.cwd())
    if not is_assignment(named):
        raise click.BadParameter(f"{named} is no assignment: it has no {DECLARATION}; {_describe_new()}")
    return named.resolve()


def find_root(folder: Path) -> Path:
    """Find the one assignment that a command in this folder can mean; UsageError if there are two, or none.

    An assignment's code runs with the rights of the user, and the folder may be a submission, so where the choice is
    not certain it is left to the user.
    """
    from autograder.assignment import is_assignment, list_roots_above

    own = [ENGINE] if is_assignment(ENGINE) else []
    found = list(dict.fromkeys([*(root.resolve() for root in list_roots_above(folder)), *own]))
    if not found:
        raise click.UsageError(f"no assignment was found around {folder}: name one by {_NAME_ONE}; {_describe_new()}")
    if len(found) > 1:
        raise click.UsageError(f"{' and '.join(map(str, found))} are assignments: name one by {_NAME_ONE}")
    return found[0]


def refuse_assignment_of(submission: Path, root: Path) -> None:
    """Raise UsageError where an assignment that nobody named lies in the submission, whose code must not be trusted."""
    is_found = click.get_current_context().get_parameter_source("root") is ParameterSource.DEFAULT
    if is_found and submission.resolve() in (root, *root.parents):
        raise click.UsageError(f"the assignment {root} lies in the submission: name another by {_NAME_ONE}")


def _describe_new() -> str:
    return f"`{find_program()} new assignment DIR` makes one"
