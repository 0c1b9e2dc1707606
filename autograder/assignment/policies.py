"""Policies: turns the sections of `assignment.toml` on late and repeated work and partial credit into records."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.assignment.severity import Severity
from autograder.assignment.toml_table import StaffTable


@dataclass(frozen=True)
class LatePolicy:
    """Penalty for each begun day after the due date, at most `most_percent`, after `grace_minutes` without one."""

    percent_per_day: float
    most_percent: float
    grace_minutes: float


@dataclass(frozen=True)
class AttemptPolicy:
    """Limit on graded submissions: at most `most` within any `window_hours`."""

    most: int
    window_hours: float


@dataclass(frozen=True)
class PartialCredit:
    """Shares, from 0 to 1, of its lost points that a failed check keeps where known mistakes explain the failure.

    By the severity of the mistake; `general` is for a kind of error that is no mistake of the bank.
    """

    slip: float
    misconception: float
    fundamental: float
    general: float

    def get_share(self, severity: Severity) -> float:
        """Return the share for a mistake of this severity."""
        return {
            Severity.SLIP: self.slip,
            Severity.MISCONCEPTION: self.misconception,
            Severity.FUNDAMENTAL: self.fundamental,
        }[severity]


def read_late_policy(table: StaffTable) -> LatePolicy:
    """Read the section [late]; `grace_minutes` defaults to 0."""
    policy = LatePolicy(
        table.read_points("percent_per_day"), table.read_points("most_percent"), table.read_number("grace_minutes")
    )
    if policy.most_percent > 100:
        table.refuse(f"`most_percent` is {policy.most_percent:g}; write at most 100")
    return policy


def read_attempt_policy(table: StaffTable) -> AttemptPolicy:
    """Read the section [attempts]."""
    most, hours = table.read_points("most"), table.read_points("window_hours")
    if not most.is_integer():
        table.refuse(f"`most` is {most:g}; write a whole number")
    return AttemptPolicy(int(most), hours)


def read_partial_credit(table: StaffTable) -> PartialCredit | None:
    """Read the section [partial_credit]; None if it is switched off by `is_on = false`."""
    is_on = table.read_flag("is_on", default=True)
    names = (*(severity.value for severity in Severity), "general")
    credit = PartialCredit(**{name: table.read_share(name) for name in names})
    return credit if is_on else None
