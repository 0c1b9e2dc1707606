"""Check failed: the errors that end a hidden test where a student's value is wrong, or nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, repr=False)
class CheckFailed(Exception):
    """Raised where a student's value differs from the right one; ends the test as failed.

    `what`: the value checked. `values`: lines for visible tests; "expected:" and "found:" replace the general words.
    """

    what: str
    expected: str = field(kw_only=True)
    found: str = field(kw_only=True)
    values: Sequence[str] = field(kw_only=True, default=())
    relation: str = field(kw_only=True, default="")
    hint: str = field(kw_only=True, default="")
    value_name: str = field(init=False, default="")  # of the value that `values` shows, where `what` says more
    earned: Mapping[str, float] = field(init=False, default_factory=dict)  # shares of the points, by what earned them
    gradient_note: str = field(init=False, default="")  # set by gradient_check.py

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}; found {self.found}"

    def describe_as(self, what: str, *, relation: str) -> CheckFailed:
        """Return this failure with another description of the value, which its lines name."""
        return self.copy_with(what=what, relation=relation, value_name=self.what)

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
    """Raised where the function is still the stub of the template; the text gives the evidence."""
