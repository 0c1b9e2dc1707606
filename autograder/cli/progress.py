"""Progress: shows how much of a long run is done and about how long the rest takes.

A bar on a terminal, else a line every half minute, for logs. Part of `cli.main`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from autograder.cli.process import tell

_SECONDS_BETWEEN_LINES = 30.0
_SOON_S = 0.1  # nothing is done before
_NAMES, _NAME_CHARACTERS = 2, 30  # shown of those in work
_IN_MINUTES_S = 120.0  # a longer time is told in minutes


class ShowProgress(Protocol):
    """Shows that `done` of `total` parts are done.

    The `kept` ones among them took no time, `names` are in work; `news` is shown after them.
    """

    def __call__(self, done: int, total: int, kept: int = 0, names: Sequence[str] = (), news: str = "") -> None: ...  # noqa: D102  (see the class)


@contextmanager
def show_progress() -> Iterator[ShowProgress]:
    """Yield a function that shows the progress on standard error."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    work = TextColumn("{task.fields[told]}", markup=False)
    console = Console(stderr=True)
    with Progress(*columns, work, console=console, speed_estimate_period=120, transient=True) as bar:
        task = bar.add_task("", total=None, rate="", told="")
        started = time.monotonic()

        def show(done: int, total: int, kept: int = 0, names: Sequence[str] = (), news: str = "") -> None:
            rate = (done - kept) / max(time.monotonic() - started, _SOON_S)
            told = _describe_work(names, news)
            bar.update(task, total=total, completed=done, rate=f"{rate:.2f} a second", told=told)

        yield show


class _Lines:
    """Prints a line about the progress every half minute."""

    def __init__(self) -> None:
        self._started = self._told = time.monotonic()

    def __call__(self, done: int, total: int, kept: int = 0, names: Sequence[str] = (), news: str = "") -> None:
        now = time.monotonic()
        if now - self._told < _SECONDS_BETWEEN_LINES:
            return
        self._told = now
        rate = (done - kept) / (now - self._started)
        left = f", about {_describe_time((total - done) / rate)} left" if rate and done < total else ""
        work = _describe_work(names, news)
        tell(f"{done} of {total}, {rate:.2f} a second{left}{work and f'; {work}'}")


def _describe_work(names: Sequence[str], news: str) -> str:
    return "; ".join(filter(None, (_list_names(names), news)))


def _list_names(names: Sequence[str]) -> str:
    """List the first few names, each cut to what is needed to find it."""
    shown = [name if len(name) <= _NAME_CHARACTERS else f"{name[: _NAME_CHARACTERS - 1]}…" for name in names[:_NAMES]]
    return ", ".join(shown) + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")


def _describe_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _IN_MINUTES_S else f"{seconds / 60:.0f} minutes"
