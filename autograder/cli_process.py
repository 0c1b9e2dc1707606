"""Command line's process: what its commands share of the machine: signals that end a run, the folder for proofs.

Part of `cli`; the environment is read here and there alone.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn


def proofs() -> Path | None:
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
