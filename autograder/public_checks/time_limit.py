"""Time limit: has Python code that does not end raise `TimeUp`, on every system and without another process.

A timer interrupts the main thread as Ctrl-C does. Code inside a numpy function is interrupted when that returns.
"""

from __future__ import annotations

import _thread
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_DELIVERY_S = 1.0  # in which an interruption that is on its way arrives


class TimeUp(BaseException):
    """The time is up; no Exception, so that code which catches those does not go on."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeUp in what is inside after so many seconds; Ctrl-C is still KeyboardInterrupt."""
    is_up = threading.Event()

    def interrupt() -> None:
        is_up.set()
        _thread.interrupt_main()

    timer = threading.Timer(max(seconds, 0.0), interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if is_up.is_set():
            raise TimeUp from None
        raise
    finally:
        timer.cancel()
        timer.join()
    if is_up.is_set():  # what is inside ended at the very moment
        with suppress(KeyboardInterrupt):
            time.sleep(_DELIVERY_S)
        raise TimeUp
