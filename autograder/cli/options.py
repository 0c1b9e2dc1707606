"""Options: those that several commands share, those that are gone, and the assignment that a command means.

Slow modules are imported only when a command runs, not for `--help`.
"""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click
from click.core import ParameterSource

from autograder import ENGINE
from autograder.cli.process import find_program

PATH = click.Path(path_type=Path)
EXISTING = click.Path(exists=True, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
SETTING = "AUTOGRADER_ASSIGNMENT"
DEFAULT_IMAGE = "nlp-autograder"
_NAME_ONE = f"--assignment DIR, or the variable {SETTING}"
_GONE: Mapping[str, str] = {  # options that a command once had, and what to write now
    "--kinds": "named inputs that no mutant needs, and is gone: leave it out; `matrix --generate` judges the checks",
    "--format": "named the platform of the results, and is gone: leave it out; they are Gradescope's",
    "--points": "was of the lint of a results.json, and is gone: name the folder of an assignment",
    "--published": "compared with the scores in the export, and is gone: name the export, as in --baseline PATH",
    "--accept": "made a run the baseline, and is gone: name its folder in the next run, as in --baseline DIR",
    "--similarity": "compared submissions with each other, and is gone: use Gradescope's, compare50, MOSS or Dolos",
    "--json": "printed JSON, and is gone here: read the lines, or the exit status",
    "--seed": "chose other cases, and is gone: leave it out",
    "--sample": "judged some of the mutants, and is gone: choose questions, as in --only ID",
    "--repeat": "graded each submission again, and is gone: run twice, the second time with --baseline",
    "--docker": "graded a class in containers, and is gone: leave it out, or use `grade --docker` for one submission",
    "--image": "named the image of --docker, and is gone: leave it out, or use `grade --docker` for one submission",
    "--time-limit": "was that of --docker, and is gone: leave it out, or use `grade --docker` for one submission",
    "--due": "applied late penalties, and is gone: Gradescope applies the section [late]",
    "--junit": "wrote XML, and is gone: read DIR/summary.json, or the exit status",
    "--no-reuse": "graded every question again, and is gone: use a new folder for --out",
    "--recheck": "graded reused questions again, and is gone: no question is reused; leave it out",
}


def parse_names(only: str) -> tuple[str, ...]:
    """Parse the names of an option, such as question ids, separated by commas."""
    return tuple(name.strip() for name in only.split(",") if name.strip())


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


def require_writable(folder: Path, option: str) -> None:
    """Make the folder; a usage error if results.json cannot be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if (folder / "results.json").is_dir():
            raise IsADirectoryError(errno.EISDIR, "results.json in it is a folder")
    except OSError as error:
        raise click.BadParameter(f"cannot write to {folder}: {error.strerror}", param_hint=option) from error


def _choose_root(_context: click.Context, _option: click.Parameter, named: Path | None) -> Path:
    from autograder.assignment import DECLARATION, is_assignment

    if named is None:
        return find_root(Path.cwd())
    if not is_assignment(named):
        raise click.BadParameter(f"{named} is no assignment: it has no {DECLARATION}; {_describe_new()}")
    return named.resolve()


def _describe_new() -> str:
    return f"`{find_program()} new assignment DIR` makes one"


add_json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON in place of text.")
add_assignment_option = click.option(
    "--assignment",
    "root",
    metavar="DIR",
    type=PATH,
    envvar=SETTING,
    callback=_choose_root,
    help="The folder of the assignment.  [default: the only one around the current folder and in the clone]",
)
add_force_option = click.option("--force", "is_forced", is_flag=True, help="Go on if the right solution fails a check.")


def explain_gone(error: click.ClickException) -> click.ClickException:
    """Return the error of an option that is gone with a sentence about it; any other error as it is."""
    if isinstance(error, click.NoSuchOption) and error.option_name in _GONE:
        return click.UsageError(f"{error.option_name} {_GONE[error.option_name]}", error.ctx)
    return error
