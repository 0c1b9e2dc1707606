"""Terms: turns the sections of `assignment.toml` about late and repeated submissions into their numbers."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.assignment.toml_table import StaffTable


@dataclass(frozen=True)
class LateTerms:
    """What each begun day after the due date costs of the score, at most `most_percent`; the first minutes are free."""

    percent_per_day: float
    most_percent: float
    grace_minutes: float


@dataclass(frozen=True)
class AttemptTerms:
    """How many submissions are graded within any `window_hours`."""

    most: int
    window_hours: float


def read_late(table: StaffTable) -> LateTerms:
    """The section [late]; without `grace_minutes` there are none."""
    terms = LateTerms(table.points("percent_per_day"), table.points("most_percent"), table.number("grace_minutes"))
    if terms.most_percent > 100:
        table.refuse(f"`most_percent` is {terms.most_percent:g}; write at most 100")
    return terms


def read_attempts(table: StaffTable) -> AttemptTerms:
    """The section [attempts]."""
    most, hours = table.points("most"), table.points("window_hours")
    if not most.is_integer():
        table.refuse(f"`most` is {most:g}; write a whole number")
    return AttemptTerms(int(most), hours)
