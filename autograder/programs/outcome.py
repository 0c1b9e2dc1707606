"""Outcome: records how one request to a worker ended, as the grader sees it; a closed set.

Run by the grader, with its rights. Trusts no text of an outcome: it comes from student code and is shown only through
`plain_text.clean`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

NOT_LOADED = "FAIL The file could not be loaded."  # begins what is told of a check in a file that could not be loaded
_NAME_CHARACTERS = 60


class OutcomeKind(str, Enum):
    """The nine ways in which a request can end; the last is the grader's fault, the others are the student's."""

    RETURNED = "returned"
    RAISED = "raised"
    NOT_WRITTEN = "not_written"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    DIED = "died"
    GARBLED = "garbled"
    SANDBOX_FAILED = "sandbox_failed"


ENDS_OF_WORKERS = (OutcomeKind.TIMED_OUT, OutcomeKind.DIED, OutcomeKind.OUTPUT_LIMIT, OutcomeKind.GARBLED)


@dataclass(frozen=True)
class Frame:
    """One line of the student's own code in a traceback."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Outcome:
    """How a request ended, with the worker's description of it.

    `detail` is our text and safe to show (a signal, a limit); `error_type`, `message`, `missing_name` and `frames`
    (innermost last) are the student's. `is_at_load`: the file itself could not be loaded, before any test passed
    arguments to it. `was_killed`: by a signal that the machine also sends, for example when it runs out of memory.
    `refusal`: the constant text with which a test's function refused a call, if that is the error; it is our text.
    `place`: the other function of the assignment in which the error arose, empty in the function under test.
    `is_unasked`: nothing was requested, because an earlier request of the same group ended the worker in this way, or
    because too many requests did, or endless code in the first one.
    """

    kind: OutcomeKind
    detail: str = ""
    error_type: str = ""
    message: str = ""
    missing_name: str = ""
    frames: tuple[Frame, ...] = ()
    is_at_load: bool = False
    was_killed: bool = False
    refusal: str = ""
    place: str = ""
    is_unasked: bool = False

    @property
    def ends_worker(self) -> bool:
        """Whether student code ended its process, would not have ended, or no longer kept to the messages."""
        return self.kind in ENDS_OF_WORKERS and not self.is_at_load

    def is_like(self, other: Outcome) -> bool:
        """Return whether both are the same kind of ending at the same place."""
        is_of_kind = (self.kind, self.error_type) == (other.kind, other.error_type)
        return is_of_kind and self.frames == other.frames


class CallFailed(Exception):
    """Raised where a request to the student's code gave no value; `outcome` says how it ended."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.kind.value)
        self.outcome = outcome


def is_name(text: str) -> bool:
    """Return whether a student's text is a plausible name; any other text could contain the inputs of a hidden test."""
    return len(text) <= _NAME_CHARACTERS and text.isidentifier()
