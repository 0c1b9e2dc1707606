"""Evidence: keeps the body of a failed test and the replies of the student's functions in it, for a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.grading.hidden_test import HiddenTest
from autograder.sandbox.protocol.outcome import Outcome
from autograder.student import TestCall

_BYTES = 4 * 2**20  # for the replies of one test: a submission that returns 60 MB in every test would fill the memory


@dataclass(frozen=True)
class Evidence:
    """A failed test; `replies` are values and Outcomes in order, None if they were too large to keep.

    `observations`: other facts that the test noted; they separate mistakes with the same replies.
    """

    test: HiddenTest
    call: TestCall
    replies: tuple[object, ...] | None
    observations: tuple[object, ...]

    @classmethod
    def of(
        cls, test: HiddenTest, call: TestCall, *, replies: tuple[object, ...], observations: tuple[object, ...]
    ) -> Evidence:
        """Make the evidence of one test."""
        is_kept = _count_bytes([replies, observations]) <= _BYTES
        return cls(test, call, replies if is_kept else None, observations if is_kept else ())


def _count_bytes(value: object) -> int:
    """Estimate the memory of a value."""
    if isinstance(value, (list, tuple)):
        return 16 + sum(map(_count_bytes, value))
    if isinstance(value, dict):
        return 16 + sum(map(_count_bytes, value)) + sum(map(_count_bytes, value.values()))
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, Outcome):
        return len(value.message)
    return len(value) if isinstance(value, (str, bytes)) else 32
