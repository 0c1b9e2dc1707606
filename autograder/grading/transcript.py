"""Transcript: records what a hidden test asked of a student's code and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from autograder.programs.outcome import Outcome
from autograder.programs.plain_values import Handle
from autograder.sandbox import limits as limit
from autograder.sandbox.calls.recorded_request import RecordedRequest

_CHARACTER_BYTES = 4  # of a text with one rare character
_SMALL_BYTES = 32  # a number, with its place in a list
_CONTAINER_BYTES = 64


@dataclass
class Transcript:
    """The requests of one attempt, in order.

    `limit_bytes`: what they may take together. `is_probing`: the test has failed, and later calls only explain the
    failure: they are not recorded.
    """

    limit_bytes: int = limit.REPLIES_BYTES
    asked: list[RecordedRequest] = field(default_factory=list)
    is_probing: bool = False
    _bytes: int = 0

    @property
    def replies(self) -> tuple[object, ...] | None:
        """The replies; None where they are too large to keep when the attempt has ended."""
        return tuple(each.reply for each in self.asked) if self._bytes <= limit.EVIDENCE_BYTES else None

    @property
    def is_over_limit(self) -> bool:
        """Whether the replies are more than a check may keep."""
        return self._bytes > self.limit_bytes

    def add(self, asked: RecordedRequest) -> None:
        """Record a request until the test has failed."""
        if not self.is_probing:
            self._bytes += count_bytes(asked.reply)
            self.asked.append(asked)


def count_bytes(value: object) -> int:
    """Estimate the bytes of a value, never much too low."""
    if isinstance(value, (list, tuple)):
        return _CONTAINER_BYTES + sum(map(count_bytes, value))
    if isinstance(value, dict):
        return _CONTAINER_BYTES + sum(map(count_bytes, value)) + sum(map(count_bytes, value.values()))
    if isinstance(value, np.ndarray):
        return _CONTAINER_BYTES + int(value.nbytes)
    if isinstance(value, Outcome):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value.message)
    if isinstance(value, Handle):
        return _CONTAINER_BYTES + count_bytes(value.type_name) + count_bytes(value.attributes)
    if isinstance(value, str):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value)
    if isinstance(value, bytes):
        return _CONTAINER_BYTES + len(value)
    return _SMALL_BYTES + (value.bit_length() // 8 if isinstance(value, int) else 0)
