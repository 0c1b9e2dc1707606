"""Evidence: what a failed test leaves for a diagnosis: its body, and what the student's functions answered in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.grading.hidden_test import HiddenTest
from autograder.sandbox.protocol.outcome import Outcome
from autograder.student import TestCall

_BYTES = 4 * 2**20  # of the replies of one test; a submission that returns 60 MB in every test would fill the memory


@dataclass(frozen=True)
class Evidence:
    """A failed test; `replies` are values and Outcomes in order, None where they were too large to keep.

    `observations`: what else the test saw, which tells apart mistakes that reply alike.
    """

    test: HiddenTest
    call: TestCall
    replies: tuple[object, ...] | None
    observations: tuple[object, ...]

    @classmethod
    def of(
        cls, test: HiddenTest, call: TestCall, *, replies: tuple[object, ...], observations: tuple[object, ...]
    ) -> Evidence:
        """The evidence of one test."""
        is_kept = _bytes_of([replies, observations]) <= _BYTES
        return cls(test, call, replies if is_kept else None, observations if is_kept else ())


def _bytes_of(value: object) -> int:
    """About how much memory a value takes."""
    if isinstance(value, (list, tuple)):
        return 16 + sum(map(_bytes_of, value))
    if isinstance(value, dict):
        return 16 + sum(map(_bytes_of, value)) + sum(map(_bytes_of, value.values()))
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, Outcome):
        return len(value.message)
    return len(value) if isinstance(value, (str, bytes)) else 32
