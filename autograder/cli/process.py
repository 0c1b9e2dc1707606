"""Process: exit statuses, messages, standard streams, signals and folders that the commands share.

Only this package reads the environment.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from autograder import GraderError, UserError
from autograder.cli import CLONE

Command = TypeVar("Command", bound=Callable[..., Any])
FINE, PROBLEM_FOUND, UNREADABLE, OUR_FAULT = 0, 1, 2, 3
NOTHING_GRADED = "the grader cannot grade; nothing was graded"
_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # more than the modules have, which are never freed
WIDTH_OF_FILES = 80  # rich's width without a terminal and without a setting
_WIDTH_SETTINGS = ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "JUPYTER_COLUMNS")
_ERASE_LINE = "\r\x1b[K"
_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}


def open_streams() -> None:
    """Open all three streams, and let none of them fail on a character that its encoding lacks."""
    for descriptor, (name, mode) in enumerate(_STREAMS.items()):
        try:
            os.fstat(descriptor)
        except OSError:  # closed by the caller: the next socket would get its descriptor
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # child processes would lack it too
        if getattr(sys, name) is None:
            stream = open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  (stays open)
            setattr(sys, name, stream)
        getattr(sys, name).reconfigure(errors="backslashreplace")


def _discard(descriptor: int) -> None:
    """Redirect a stream to /dev/null; otherwise Python would fail on its unwritten data again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def parse_names(only: str) -> tuple[str, ...]:
    """Parse the names of an option, such as question ids, separated by commas."""
    return tuple(name.strip() for name in only.split(",") if name.strip())


def is_plain_output() -> bool:
    """Tell whether output is not a terminal and no width or colour was requested."""
    return not any(map(os.isatty, range(3))) and not any(name in os.environ for name in _WIDTH_SETTINGS)


def collect_garbage_rarely() -> None:
    """Make garbage collection rare, and skip it at exit."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)


def fail(message: str, status: int) -> NoReturn:
    """Print a message to standard error, and exit."""
    tell(message)
    sys.exit(status)


@contextmanager
def report_errors(first: str = "") -> Iterator[None]:
    """Exit with a message for an error of the user's or of ours; the message on one of ours begins with `first`."""
    try:
        yield
    except UserError as error:
        fail(str(error), UNREADABLE)
    except GraderError as error:
        fail(f"{first}: {error}" if first else str(error), OUR_FAULT)


def tell(message: str) -> None:
    """Print a line to standard error."""
    with ignore_write_errors():
        click.echo(f"{find_program()}: {message}", err=True)


def find_program() -> str:
    """Find the name by which the command line was called: run_autograder in a clone, autograder where installed."""
    context = click.get_current_context(silent=True)
    return (context.find_root().info_name if context else None) or CLONE


def describe_use_elsewhere(submission: Path) -> str:
    """Describe what the program does without a command, and what to call on a machine that is not Gradescope's."""
    program = find_program()
    return (
        f"Nothing was graded: without a command, {program} grades {submission}, as on Gradescope, and there is no such "
        "folder here.\n"
        f"  {program} grade PATH   grades a submission (a folder, a zip or a file) into results/\n"
        f"  {program} selftest     tests the grader itself, in a clone of the project\n"
        f"  {program} --help       lists the other commands"
    )


def show_text(text: str) -> None:
    """Write a text to standard output; say so where it cannot be written."""
    try:
        sys.stdout.write(text)  # not click, which writes UTF-8 even to terminals that lack it
        sys.stdout.flush()
    except OSError as error:  # the reader has closed the pipe, or the disk is full
        _discard(1)
        tell(f"the report cannot be shown: {error.strerror}")


def add_json_option(command: Command) -> Command:
    """Add the option that prints the result as JSON, for other programs, in place of text."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON in place of text.")(command)


def show_json(value: object) -> None:
    """Write records and plain values as JSON to standard output."""
    show_text(json.dumps(value, indent=1, default=_convert) + "\n")


def _convert(value: Any) -> object:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else sorted(value)


@contextmanager
def show_progress_line() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows a text on a line of the terminal; it shows nothing if standard error is none."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    def show(text: str) -> None:
        with ignore_write_errors():
            click.echo(_ERASE_LINE + text, nl=False, err=True)

    try:
        yield show
    finally:
        show("")


@contextmanager
def ignore_write_errors() -> Iterator[None]:
    """Ignore failures to write to standard error, so that the exit status stays as intended."""
    try:
        yield
    except OSError:
        _discard(2)


def find_layer_cache() -> Path | None:
    """Find the folder that remembers which layers of the sandbox hold on this machine."""
    try:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # a user without a home
        return None
    return caches / "nlp-autograder"


@contextmanager
def treat_signals_as_interrupts() -> Iterator[None]:
    """Treat the signals that ask a process to end like Ctrl-C, so that everything is closed and cleaned up."""
    numbers = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]  # no nohup
    for number in numbers:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt(number)
