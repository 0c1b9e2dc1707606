"""Bounded exports: limits the time and memory of the grader's functions that student code calls.

Run by the grader, with its rights. Trusts the kernel, and no argument: the functions run in the grader's own process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from autograder.sandbox import limits as limit
from autograder.sandbox.host.bounds import limit_memory, limit_time
from autograder.sandbox.host.exports import Exports
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
        with quiet, limit_time(limit.CALLBACK_S), limit_memory(self._address_space_bytes):
            yield
