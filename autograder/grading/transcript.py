"""Transcript: records what a hidden test asked of a student's code and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.grading.value_size import count_bytes
from autograder.sandbox import limits as limit


@dataclass
class Transcript:
    """The replies of one attempt: each a value or an Outcome, in order; None once they are too large to keep.

    `observations`: facts that the test noted beside the replies. `notes`: lines for the output of a test that passes.
    `leaderboard`: the value that it set for its column, if any.
    `is_probing`: the test has failed, and later calls only explain the failure: they are not recorded.
    """

    replies: list[object] | None = field(default_factory=list)
    observations: list[object] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    leaderboard: list[float | str] = field(default_factory=list)
    is_probing: bool = False
    _bytes: int = 0

    @property
    def is_over_limit(self) -> bool:
        """Whether the replies are more than a check may keep."""
        return self._bytes > limit.REPLIES_BYTES

    def add(self, reply: object) -> None:
        """Record a reply, or drop them all where they are too large together."""
        self._bytes += count_bytes(reply)
        if self._bytes > limit.EVIDENCE_BYTES:
            self.replies = None
        elif self.replies is not None:
            self.replies.append(reply)
