"""Policies: turns the sections of `assignment.toml` about late and repeated submissions into records."""

from __future__ import annotations

from dataclasses import dataclass

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
