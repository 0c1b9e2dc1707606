"""Time limit: ends code of staff that computes without end, such as a mutant, in the process of a test."""

import signal
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, TypeVar

_AGAIN_S = 0.2  # code that swallows the exception gets it again
Value = TypeVar("Value")


class _TooLong(KeyboardInterrupt):
    pass


def limit_time(work: Callable[[], Value], seconds: float, *, otherwise: Value) -> Value:
    """Return the value of `work`, or `otherwise` if it computes for longer; other timers stay free."""
    previous = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN_S)
    try:
        try:
            return work()
        finally:  # the time may be up here, too
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, previous)
    except _TooLong:
        return otherwise


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _TooLong
