"""Check failed: the errors that end a hidden test where a value is wrong or missing, or nothing is written."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.checks.relation import Relation
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.sandbox.limits import OUTPUT_KILL_BYTES

# What code did, and what to look for. The limit of time is not named: which of the two ends a call differs from run to
# run on a busy machine.
SENTENCES = {
    OutcomeKind.TIMED_OUT: ("was stopped because it took too long", "look for a loop that does not end"),
    OutcomeKind.OUT_OF_MEMORY: (
        "asked for more memory than the grader allows",
        "look for an array that is much larger than needed, and for a formula that is nested very deeply",
    ),
    OutcomeKind.OUTPUT_LIMIT: (
        f"was stopped because it printed more than {OUTPUT_KILL_BYTES >> 20} MB",
        "remove the prints inside loops",
    ),
    OutcomeKind.DIED: (
        "ended the whole Python process",
        "look for calls of exit() or os._exit(), for ctypes, for endless recursion and for very large arrays",
    ),
    OutcomeKind.GARBLED: ("disturbed the connection to the grader", "do not use file descriptors or sockets"),
}
DETAILED = (OutcomeKind.DIED, OutcomeKind.GARBLED)  # code chooses the detail, and could choose it by its inputs


@dataclass(eq=False, repr=False)
class CheckFailed(Exception):
    """Raised where a student's value differs from the right one; ends the test as failed.

    `what`: the value checked. `values`: lines for visible tests; "expected:" and "found:" replace the general words.
    """

    what: str
    expected: str = field(kw_only=True)
    found: str = field(kw_only=True)
    values: Sequence[str] = field(kw_only=True, default=())
    relation: Relation | None = field(kw_only=True, default=None)
    hint: str = field(kw_only=True, default="")
    value_name: str = field(init=False, default="")  # of the value that `values` shows, where `what` says more
    earned: Mapping[str, float] = field(init=False, default_factory=dict)  # shares of the points, by what earned them
    failing: Sequence[tuple[int, str]] = field(init=False, default=())  # cases, each with a part that is wrong

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}; found {self.found}"

    def describe_as(self, what: str, *, relation: Relation | None) -> CheckFailed:
        """Return this failure with another description of the value, which its lines name."""
        return self.copy_with(what=what, relation=relation, value_name=self.value_name or self.what)

    def copy_with(self, **changes: Any) -> CheckFailed:
        """Return this failure with other values in some of its fields."""
        copied = CheckFailed(self.what, expected=self.expected, found=self.found)
        vars(copied).update({**vars(self), **changes})
        return copied

    @property
    def share(self) -> float:
        """The share of the points that a test with parts earns all the same."""
        return sum(self.earned.values())

    @property
    def expectations(self) -> tuple[str, ...]:
        """The expected numbers; only a visible test shows them."""
        return tuple(f"{self.value_name or self.what}: {line}" for line in self.values if line.startswith("expected"))


class NotWritten(Exception):
    """Raised where a stub gives the same values; the text gives the evidence. `failed`: what is wrong if it is none."""

    def __init__(self, why: str, failed: CheckFailed | None = None) -> None:
        super().__init__(why)
        self.failed = failed


def describe_end(outcome: Outcome) -> str:
    """Say what a call did; a class of the student's could be named after its inputs, a refusal is our text."""
    if outcome.ends_worker:
        return SENTENCES[outcome.kind][0]
    error = outcome.error_type if hasattr(builtins, outcome.error_type) else "an exception"
    return f"raised {error}: {outcome.refusal}" if outcome.refusal else f"raised {error}"


def describe_error(what: str, outcome: Outcome) -> CheckFailed:
    """Describe the end of a call as the failure of a value."""
    found = f"the call {describe_end(outcome)}"
    if outcome.ends_worker:
        detail = (f"found:    {found} ({outcome.detail})",) if outcome.kind in DETAILED else ()
        _, next_step = SENTENCES[outcome.kind]
        return CheckFailed(what, expected="a value", found=found, values=detail, hint=next_step)
    values = [f"message:  {outcome.message}"] if outcome.message else []
    if outcome.frames:
        frame = outcome.frames[-1]
        placed = f"{found}, {frame.file} line {frame.line}"
        if outcome.kind is OutcomeKind.NOT_WRITTEN:  # stubs have many places, which count as no errors of hidden checks
            values.append(f"found: {placed}")
        else:
            found = placed
    return CheckFailed(what, expected="a value", found=found, values=tuple(values))
