"""Progress: shows how much of a long run is done and about how long the rest takes.

A bar on a terminal, else a line every half minute, for logs. Part of `cli.main`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from autograder.cli.process import ignore_write_errors, tell
from autograder.plain_text import list_some

_ERASE_LINE = "\r\x1b[K"
_SECONDS_BETWEEN_LINES = 30.0
_SOON_S = 0.1  # nothing is done before
_NAMES, _NAME_CHARACTERS = 2, 30  # shown of those in work
_IN_MINUTES_S = 120.0  # a longer time is told in minutes


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


class ShowProgress:
    """Shows that `done` of `total` parts are done, by a function that gets both, the parts a second, and a text.

    The `kept` ones among them took no time, `names` are in work; `news` is shown after them.
    """

    def __init__(self, show: Callable[[int, int, float, str], None]) -> None:
        self._show, self._started = show, time.monotonic()

    def __call__(self, done: int, total: int, kept: int = 0, names: Sequence[str] = (), news: str = "") -> None:
        """Show the state of the work; see the class."""
        rate = (done - kept) / max(time.monotonic() - self._started, _SOON_S)
        self._show(done, total, rate, "; ".join(filter(None, (_list_names(names), news))))


@contextmanager
def show_progress() -> Iterator[ShowProgress]:
    """Yield what shows the progress on standard error."""
    if not sys.stderr.isatty():
        yield ShowProgress(_make_log())
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    work = TextColumn("{task.fields[told]}", markup=False)
    console = Console(stderr=True)
    with Progress(*columns, work, console=console, speed_estimate_period=120, transient=True) as bar:
        task = bar.add_task("", total=None, rate="", told="")
        yield ShowProgress(
            lambda done, total, rate, told: bar.update(
                task, total=total, completed=done, rate=f"{rate:.2f} a second", told=told
            )
        )


def _make_log() -> Callable[[int, int, float, str], None]:
    """Return a function that prints a line about the progress every half minute."""
    told = time.monotonic()

    def log(done: int, total: int, rate: float, work: str) -> None:
        nonlocal told
        if time.monotonic() - told < _SECONDS_BETWEEN_LINES:
            return
        told = time.monotonic()
        left = f", about {_describe_time((total - done) / rate)} left" if rate and done < total else ""
        tell(f"{done} of {total}, {rate:.2f} a second{left}{work and f'; {work}'}")

    return log


def _list_names(names: Sequence[str]) -> str:
    """List the first few names, each cut to what is needed to find it."""
    shown = [name if len(name) <= _NAME_CHARACTERS else f"{name[: _NAME_CHARACTERS - 1]}…" for name in names]
    return list_some(shown, _NAMES)


def _describe_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _IN_MINUTES_S else f"{seconds / 60:.0f} minutes"
