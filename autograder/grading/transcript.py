"""Transcript: records what a hidden test asked of a student's code and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Transcript:
    """The replies of one attempt: each a value or an Outcome, in order.

    `observations`: facts that the test noted beside the replies. `notes`: lines for the output of a test that passes.
    `leaderboard`: the value that it set for its column, if any.
    `is_probing`: the test has failed, and later calls only explain the failure: they are not recorded.
    """

    replies: list[object] = field(default_factory=list)
    observations: list[object] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    leaderboard: list[float | str] = field(default_factory=list)
    is_probing: bool = False
