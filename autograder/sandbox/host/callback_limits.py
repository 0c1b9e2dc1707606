"""Callback limits: bounds the time and the memory that the grader spends in a function that student code calls.

Run by the grader, with its rights. Trusts the kernel; the arguments of the functions are the student's.
"""

from __future__ import annotations

import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class TooLong(BaseException):
    """Ends a function that took too long; no `except Exception` stops it."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise TooLong in the block after so many seconds by the clock; only the main thread has such a limit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)  # repeated each second: a __del__ swallows the exception
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def limit_memory(address_space_bytes: int) -> Iterator[None]:
    """Limit the address space of this process during the block."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    lower = [each for each in (address_space_bytes, *before) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(lower), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def measure_address_space() -> int:
    """Measure the address space of this process in bytes."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize()
