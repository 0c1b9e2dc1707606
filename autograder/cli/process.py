"""Command line's process: what its commands share: exit statuses, messages, signals that end a run, its folders.

Part of `cli`; the environment is read here and there alone.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from autograder.cli import streams

FINE, NOT_AS_IT_SHOULD_BE, UNREADABLE, OUR_FAULT = 0, 1, 2, 3
NOBODY_GRADED = "the grader cannot grade, and nobody was graded"
_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # more than all modules have, which are there to the end
WIDTH_OF_FILES = 80  # what rich takes where it finds neither a terminal nor another wish
_WISHES = ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "JUPYTER_COLUMNS")
_ERASE_LINE = "\r\x1b[K"


def stems_of(only: str) -> tuple[str, ...]:
    """The stems of questions in an option, with commas between them."""
    return tuple(stem.strip() for stem in only.split(",") if stem.strip())


def is_shown_plainly() -> bool:
    """Whether there is no terminal whose width and colours count, and nobody wishes for any."""
    return not any(map(os.isatty, range(3))) and not any(name in os.environ for name in _WISHES)


def collect_garbage_rarely() -> None:
    """Have nobody go through all modules again and again in search of what can be freed, nor at the process's end."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)


def fail(message: str, status: int) -> NoReturn:
    """Say why on standard error, and exit."""
    tell(message)
    sys.exit(status)


def tell(message: str) -> None:
    """A line on standard error."""
    with going_on_unread():
        click.echo(f"run_autograder: {message}", err=True)


@contextmanager
def changing_line() -> Iterator[Callable[[str], None] | None]:
    """A line on the terminal that shows the last text it was given; nothing where standard error is a file."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(text: str) -> None:
        with going_on_unread():
            click.echo(_ERASE_LINE + text, nl=False, err=True)

    try:
        yield show
    finally:
        show("")


@contextmanager
def going_on_unread() -> Iterator[None]:
    """Write to standard error; where that fails, go on with the exit status that was due."""
    try:
        yield
    except OSError:
        streams.discard(2)


def find_layer_cache() -> Path | None:
    """Where it is remembered which layers of the sandbox hold on this machine."""
    try:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # a user without a home
        return None
    return caches / "nlp-autograder"


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Have the signals that ask a process to end do what Ctrl-C does, so that everything is closed and put away."""
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
