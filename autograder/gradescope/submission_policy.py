"""Submission policy: applies the assignment's rules for late submissions to Gradescope's metadata.

The section `[late]` of `assignment.toml` is optional, and any part of the metadata may be missing: unknown facts are
decided in the student's favour. A penalty is a percentage, and reveals no points of tests that students do not see yet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from autograder.assignment import LatePolicy
from autograder.gradescope.schema import Results
from autograder.plain_text import count

if TYPE_CHECKING:
    from pydantic import JsonValue

    from autograder.gradescope.files import Metadata

_DAY = timedelta(days=1)


def apply_late_policy(results: Results, policy: LatePolicy | None, metadata: Metadata | None) -> Results:
    """Return the results with the penalty for the days after the due date; a begun day counts as a whole day."""
    if policy is None or metadata is None or metadata.created_at is None:
        return results
    emails = [user.email for user in metadata.users if user.email]
    charge = compute_late_charge(policy, metadata.created_at, _find_due_date(metadata), emails)
    if charge.days == 0:
        return results
    score = results.score or 0.0
    free: dict[str, JsonValue] = {"free_days": charge.free_days} if charge.free_days else {}
    told: JsonValue = {"days": charge.days, "percent": charge.percent, "score_before": score, **free}
    return replace(
        results,
        score=charge.reduce(score),
        output=f"{_describe_charge(charge)}\n{results.output or ''}".rstrip(),
        extra_data={**(results.extra_data or {}), "late": told},
    )


@dataclass(frozen=True)
class LateCharge:
    """What a late submission costs: it came on day `days` after the due date, and `free_days` of them cost nothing."""

    days: int
    free_days: int
    percent: float

    def reduce(self, score: float) -> float:
        """Return the score after the penalty."""
        return round(score * (1 - self.percent / 100), 2)


def compute_late_charge(
    policy: LatePolicy, submitted: datetime, due: datetime | None, emails: Iterable[str]
) -> LateCharge:
    """Compute the charge for a group with these emails; nothing where the due date is not known."""
    late = timedelta(0) if due is None else submitted - due - timedelta(minutes=policy.grace_minutes)
    days = max(0, math.ceil(late / _DAY))
    free = min(days, policy.count_free_days(emails))
    return LateCharge(days, free, min(policy.most_percent, (days - free) * policy.percent_per_day))


def _describe_charge(charge: LateCharge) -> str:
    verb = "is" if charge.free_days == 1 else "are"
    told = [f"{count(charge.free_days, 'free late day')} {verb} used"] if charge.free_days else []
    told += [f"the score is reduced by {charge.percent:g} %"] if charge.percent else []
    return f"Submitted on day {charge.days} after the due date: {', and '.join(told)}."


def _find_due_date(metadata: Metadata) -> datetime | None:
    """Return the latest due date of any member of the group: Gradescope lists extensions with their users."""
    settings = [metadata.assignment, *(user.assignment for user in metadata.users)]
    return max((each.due_date for each in settings if each and each.due_date), default=None)
