"""Evidence: keeps the body of a failed test and the replies of the student's functions in it, for a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.grading.hidden_test import HiddenTest
from autograder.grading.transcript import count_bytes
from autograder.sandbox import limits as limit
from autograder.student import TestCall


@dataclass(frozen=True)
class Evidence:
    """A failed test; `replies` are values and Outcomes in order, None if they were too large to keep.

    `observations`: other facts that the test noted; they separate mistakes with the same replies.
    """

    test: HiddenTest
    call: TestCall
    replies: tuple[object, ...] | None
    observations: tuple[object, ...]

    @property
    def size(self) -> int:
        """The estimated bytes of replies and observations."""
        return count_bytes([self.replies, self.observations])

    def fit(self, left_bytes: int) -> Evidence:
        """Return it without replies and observations if they are too large for one test or for the bytes left."""
        is_kept = self.replies is not None and self.size <= min(left_bytes, limit.EVIDENCE_BYTES)
        return self if is_kept else Evidence(self.test, self.call, None, ())
