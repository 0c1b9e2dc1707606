"""Bounds: limits the time and memory of functions of ours or of staff that run in this process.

Run by the grader, with its rights. Trusts the kernel, and no value.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal.signal takes longer than most callbacks
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TooLong(BaseException):
    """Ends a function that took too long; no `except Exception` stops it."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise TooLong in the block after `seconds` of computing; only the main thread has such a limit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TooLong

    before = _signal.signal(_signal.SIGPROF, stop)
    _signal.setitimer(_signal.ITIMER_PROF, seconds, 1.0)  # repeated each second: a __del__ swallows the exception
    try:
        yield
    finally:
        _signal.setitimer(_signal.ITIMER_PROF, 0)
        _signal.signal(_signal.SIGPROF, before)


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
