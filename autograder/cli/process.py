"""Process: exit statuses, messages, progress, standard streams, signals and folders that the commands share."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from autograder import GraderError, UserError
from autograder.cli import CLONE
from autograder.plain_text import list_some

FINE, PROBLEM_FOUND, UNREADABLE, OUR_FAULT = 0, 1, 2, 3
NOTHING_GRADED = "the grader cannot grade; nothing was graded"
_ERASE_LINE = "\r\x1b[K"
_SECONDS_BETWEEN_LINES = 30.0
_SOON_S = 0.1  # nothing is done before
_NAMES, _NAME_CHARACTERS = 2, 30  # shown of those in work
_IN_MINUTES_S = 120.0  # a longer time is told in minutes
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


def find_program() -> str:
    """Find the name by which the command line was called: run_autograder in a clone, autograder where installed."""
    context = click.get_current_context(silent=True)
    return (context.find_root().info_name if context else None) or CLONE


def fail(message: str, status: int) -> NoReturn:
    """Print a message to standard error, and exit."""
    tell(message)
    sys.exit(status)


def tell(message: str) -> None:
    """Print a line to standard error."""
    with ignore_write_errors():
        click.echo(f"{find_program()}: {message}", err=True)


@contextmanager
def ignore_write_errors() -> Iterator[None]:
    """Ignore failures to write to standard error, so that the exit status stays as intended."""
    try:
        yield
    except OSError:
        _discard(2)


def _discard(descriptor: int) -> None:
    """Redirect a stream to /dev/null; otherwise Python would fail on its unwritten data again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


@contextmanager
def report_errors(first: str = "") -> Iterator[None]:
    """Exit with a message for an error of the user's or of ours; the message on one of ours begins with `first`."""
    try:
        yield
    except UserError as error:
        fail(str(error), UNREADABLE)
    except GraderError as error:
        fail(f"{first}: {error}" if first else str(error), OUR_FAULT)


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


def show_text(text: str) -> None:
    """Write a text to standard output; say so where it cannot be written."""
    try:
        sys.stdout.write(text)  # not click, which writes UTF-8 even to terminals that lack it
        sys.stdout.flush()
    except OSError as error:  # the reader has closed the pipe, or the disk is full
        _discard(1)
        tell(f"the report cannot be shown: {error.strerror}")


def show_line(text: str) -> None:
    """Write a line to standard output; say so where it cannot be written."""
    show_text(f"{text}\n")


def find_kept_folder() -> Path | None:
    """Find the folder of what is made once on a machine: data of checks, and right solutions that passed."""
    try:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # a user without a home
        return None
    return caches / "nlp-autograder"


class ShowProgress:
    """Shows how much of a long run is done, and about how long the rest takes.

    The `kept` parts among those done took no time, `names` are in work. A terminal has a line that changes, a log a new
    one every half minute.
    """

    def __init__(self) -> None:
        self._started = self._told = time.monotonic()
        self._is_terminal = sys.stderr.isatty()

    def __call__(self, done: int, total: int, kept: int = 0, names: Sequence[str] = ()) -> None:
        """Show the state of the work; see the class."""
        now = time.monotonic()
        rate = (done - kept) / max(now - self._started, _SOON_S)
        parts = [f"{done} of {total}, {rate:.2f} a second"]
        if rate and done < total:
            parts[0] += f", about {_describe_time((total - done) / rate)} left"
        text = "; ".join(filter(None, (*parts, _list_names(names))))
        if self._is_terminal:
            self.replace_line(text)
        elif now - self._told >= _SECONDS_BETWEEN_LINES:
            self._told = now
            tell(text)

    def replace_line(self, text: str) -> None:
        """Show a text in place of the last one, where standard error is a terminal."""
        if self._is_terminal:
            width = shutil.get_terminal_size().columns
            with ignore_write_errors():
                click.echo(_ERASE_LINE + text[: width - 1], nl=False, err=True)


@contextmanager
def show_progress() -> Iterator[ShowProgress]:
    """Yield what shows the progress on standard error, and leave nothing of it on a terminal."""
    show = ShowProgress()
    try:
        yield show
    finally:
        show.replace_line("")


def _list_names(names: Sequence[str]) -> str:
    """List the first few names, each cut to what is needed to find it."""
    shown = [name if len(name) <= _NAME_CHARACTERS else f"{name[: _NAME_CHARACTERS - 1]}…" for name in names]
    return list_some(shown, _NAMES)


def _describe_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _IN_MINUTES_S else f"{seconds / 60:.0f} minutes"
