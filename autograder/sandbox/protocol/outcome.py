"""Outcome: how one request to a worker ended, as the grader sees it; a closed set.

Run by the grader. Texts inside come from student code and are shown only through `plain_text.clean`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

_NAME_CHARACTERS = 60


class OutcomeKind(str, Enum):
    """The nine ways in which a request can end; the last is a fault of the grader, the others are the student's."""

    RETURNED = "returned"
    RAISED = "raised"
    NOT_WRITTEN = "not_written"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    DIED = "died"
    GARBLED = "garbled"
    SANDBOX_FAILED = "sandbox_failed"


@dataclass(frozen=True)
class Frame:
    """A line of the student's own code in a traceback, innermost last."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Outcome:
    """How a request ended, with what the worker said of it.

    `detail` is ours and safe to show (a signal, a limit); `error_type`, `message`, `missing_name` and `frames` are
    the student's. `is_at_load`: the file itself could not be loaded, before any test handed anything over.
    `was_killed`: by a signal that the machine sends as well, for example when its memory runs out.
    """

    kind: OutcomeKind
    detail: str = ""
    error_type: str = ""
    message: str = ""
    missing_name: str = ""
    frames: tuple[Frame, ...] = ()
    is_at_load: bool = False
    was_killed: bool = False


class CallFailed(Exception):
    """Raised where a request to the student's code gave no value; `outcome` says how it ended."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.kind.value)
        self.outcome = outcome


def is_name(text: str) -> bool:
    """Whether a name of the student's looks like one: other texts could have been filled with a test's inputs."""
    return len(text) <= _NAME_CHARACTERS and text.isidentifier()
