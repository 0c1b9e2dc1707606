"""Computing limit: ends staff code in this process that computes too long, such as a right solution that never ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

_AGAIN_S = 1.0  # later, for code that catches every error


class ComputesTooLong(BaseException):
    """The code has computed for longer than it may; no `except Exception` of its own catches this."""


@contextmanager
def limit_computing(seconds: float) -> Iterator[None]:
    """Raise ComputesTooLong after so many seconds of computing time in the block."""
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(number: int, frame: object) -> NoReturn:
    raise ComputesTooLong(number)
