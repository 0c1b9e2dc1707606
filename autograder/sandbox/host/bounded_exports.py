"""Bounded exports: limits the time and memory of the grader's functions that student code calls.

Run by the grader, with its rights. Trusts the kernel, and no argument: the functions run in the grader's own process.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal.signal takes longer than most callbacks
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from autograder.sandbox import limits as limit
from autograder.sandbox.host.exports import Exports, TooLong
from autograder.sandbox.protocol.wire import Export


class BoundedExports(Exports):
    """The exports of one worker."""

    @cached_property
    def _address_space_bytes(self) -> int:
        """The limit of the grader's memory during a callback, from what it takes when something is first exported."""
        return limit.measure_address_space() + limit.CALLBACK_MEMORY_BYTES

    def _add_export(self, *described: Any) -> Export:
        _ = self._address_space_bytes  # measured before any reply
        return super()._add_export(*described)

    @contextmanager
    def _limit_callbacks(self) -> Iterator[None]:
        """Limit the time and memory of the block."""
        quiet = super()._limit_callbacks()
        with quiet, _limit_time(limit.CALLBACK_S), _limit_memory(self._address_space_bytes):
            yield


@contextmanager
def _limit_time(seconds: float) -> Iterator[None]:
    """Raise TooLong in the block after so many seconds by the clock; only the main thread has such a limit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TooLong

    before = _signal.signal(_signal.SIGALRM, stop)
    _signal.setitimer(_signal.ITIMER_REAL, seconds, 1.0)  # repeated each second: a __del__ swallows the exception
    try:
        yield
    finally:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        _signal.signal(_signal.SIGALRM, before)


@contextmanager
def _limit_memory(address_space_bytes: int) -> Iterator[None]:
    """Limit the address space of this process during the block."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    lower = [each for each in (address_space_bytes, *before) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(lower), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
