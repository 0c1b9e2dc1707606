"""Policies: turns the sections of `assignment.toml` on late and repeated work, credit and limits into records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from autograder.assignment.toml_table import COUNT, FLAG, NOT_NEGATIVE, POSITIVE, SHARE, TABLE, Rule, StaffTable

# Two seconds are what a test may take where all tests of a question are first tried together. A function that sleeps is
# waited for three times as long as it may compute, and a submission has eight minutes.
CPU_SECONDS = (2, 60)
# Right code takes 115 MiB with numpy alone; 4 GiB are more than a container of Gradescope's smaller sizes has.
MEMORY_MIB = (192, 4096)
_PERCENT = POSITIVE._replace(wanted="a number above 0, at most 100", holds=lambda number: 0 < number <= 100)
_ATTEMPTS = COUNT._replace(wanted="a whole number above 0", holds=lambda number: number > 0)


class Severity(str, Enum):
    """How much of a function a known mistake makes wrong."""

    SLIP = "slip"  # a sign, an index, a type, a minor case that was forgotten: the method is right
    MISCONCEPTION = "misconception"  # a wrong formula, a missing factor or term, a wrong axis
    FUNDAMENTAL = "fundamental"  # another thing than the function is for: a cache, a constant, state that calls share


@dataclass(frozen=True)
class LatePolicy:
    """Penalty for each begun day after the due date, at most `most_percent`, after `grace_minutes` without one.

    The first `free_days` days cost nothing; `days_left` has another number of them for single students, by email in
    lower case, such as those who used some in earlier assignments.
    """

    percent_per_day: float
    most_percent: float
    grace_minutes: float
    free_days: int = 0
    days_left: Mapping[str, int] = field(default_factory=dict)

    def count_free_days(self, emails: Iterable[str]) -> int:
        """Return the free days of a group: those of the member who has the most."""
        return max((self.days_left.get(email.lower(), self.free_days) for email in emails), default=self.free_days)


@dataclass(frozen=True)
class AttemptPolicy:
    """Limit on graded submissions: at most `most` within any `window_hours`."""

    most: int
    window_hours: float


@dataclass(frozen=True)
class FeedbackPolicy:
    """Limit on feedback: visible checks are shown at once for the first `attempts` submissions that were graded."""

    attempts: int


@dataclass(frozen=True)
class PartialCredit:
    """Shares, from 0 to 1, of its points that a failed check keeps at least where known mistakes explain the failure.

    By the severity of the mistake; `general` is for a kind of error that is no mistake of the bank.
    """

    slip: float
    misconception: float
    fundamental: float
    general: float

    def get_share(self, severity: Severity) -> float:
        """Return the share for a mistake of this severity."""
        share: float = getattr(self, severity.value)
        return share


@dataclass(frozen=True)
class WorkerLimits:
    """Computing time and memory of one worker of student code; None: what the grader gives if none is declared."""

    cpu_seconds: int | None = None
    memory_mib: int | None = None


def read_late_policy(table: StaffTable) -> LatePolicy:
    """Read the section [late]; `grace_minutes` and `free_days` default to 0."""
    return LatePolicy(
        table.read("percent_per_day", POSITIVE),
        table.read("most_percent", _PERCENT),
        table.read("grace_minutes", NOT_NEGATIVE, 0.0),
        table.read("free_days", COUNT, 0),
        _read_days_left(table),
    )


def read_attempt_policy(table: StaffTable) -> AttemptPolicy:
    """Read the section [attempts]."""
    return AttemptPolicy(table.read("most", _ATTEMPTS), table.read("window_hours", POSITIVE))


def read_feedback_policy(table: StaffTable) -> FeedbackPolicy:
    """Read the section [feedback]."""
    return FeedbackPolicy(table.read("attempts", _ATTEMPTS))


def read_partial_credit(table: StaffTable) -> PartialCredit | None:
    """Read the section [partial_credit]; None if it is switched off by `is_on = false`."""
    names = (*(severity.value for severity in Severity), "general")
    credit = PartialCredit(**{name: table.read(name, SHARE) for name in names})
    return credit if table.read("is_on", FLAG, True) else None


def read_worker_limits(table: StaffTable) -> WorkerLimits:
    """Read the section [limits]; AssignmentError for a value that is no whole number within its bounds."""
    return WorkerLimits(_read_limit(table, "cpu_seconds", *CPU_SECONDS), _read_limit(table, "memory_mib", *MEMORY_MIB))


def _read_limit(table: StaffTable, key: str, least: int, most: int) -> int | None:
    rule = Rule(int, f"a whole number from {least} to {most}", lambda number: least <= number <= most)
    return table.read(key, rule, 0) or None


def _read_days_left(table: StaffTable) -> dict[str, int]:
    days = table.read("days_left", TABLE, {})
    for email, number in days.items():
        if "@" not in email or COUNT.describe_fault(number):
            table.refuse(f"`days_left` holds {email!r} = {number!r}; write an email and a whole number of days")
    return {email.lower(): number for email, number in days.items()}
