"""Results file: the folder and the format of the results.json that `grade` writes.

Part of `cli.main`. Slow modules are imported only where a format other than Gradescope's is wanted.
"""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from autograder.cli.process import UNREADABLE, fail

GRADESCOPE, PRAIRIELEARN = "gradescope", "prairielearn"


def add_format_option(command: Any) -> Any:
    """Add the option --format."""
    text = "The platform that reads results.json."
    return click.option(
        "--format", "platform", type=click.Choice((GRADESCOPE, PRAIRIELEARN)), default=GRADESCOPE, help=text
    )(command)


@contextmanager
def convert_results(folder: Path, platform: str, *, as_json: bool) -> Iterator[None]:
    """Rewrite results.json for another platform in the end, whatever the end was: each has a result in it."""
    if platform != GRADESCOPE and as_json:
        fail("--json prints Gradescope's results; leave out --format", UNREADABLE)
    try:
        yield
    finally:
        if platform != GRADESCOPE:
            _convert(folder / "results.json")


def _convert(path: Path) -> None:
    from autograder.atomic_file import write_atomically
    from autograder.gradescope import prairielearn
    from autograder.gradescope.results_file import read_results_json

    write_atomically(path, [prairielearn.emit(read_results_json(path.read_bytes()))])


def require_writable(folder: Path) -> None:
    """Make the folder; a usage error if results.json cannot be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if (folder / "results.json").is_dir():
            raise IsADirectoryError(errno.EISDIR, "results.json in it is a folder")
    except OSError as error:
        raise click.BadParameter(f"cannot write to {folder}: {error.strerror}", param_hint="--results") from error
