"""Time limit: raises `TimeUp` in Python code that does not end, on every system and without another process.

A timer interrupts the main thread like Ctrl-C. A running numpy function is interrupted when it returns.
"""

from __future__ import annotations

import _thread
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_DELIVERY_S = 1.0  # a pending interrupt arrives within this time


class TimeUp(BaseException):
    """The time is up; not an Exception, so that code which catches exceptions does not continue."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise TimeUp inside the block after so many seconds; Ctrl-C still raises KeyboardInterrupt."""
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
    if is_up.is_set():  # the block ended at the moment of the interrupt
        with suppress(KeyboardInterrupt):
            time.sleep(_DELIVERY_S)
        raise TimeUp
