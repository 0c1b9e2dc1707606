"""Submission policy: applies the assignment's rules for late submissions to Gradescope's metadata.

The section `[late]` of `assignment.toml` is optional, and any part of the metadata may be missing: unknown facts are
decided in the student's favour. A penalty is a percentage, and reveals no points of tests that students do not see yet.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from autograder.assignment import LatePolicy
from autograder.gradescope.schema import Results
from autograder.plain_text import count

if TYPE_CHECKING:
    from autograder.gradescope.files import Metadata


def apply_late_policy(results: Results, policy: LatePolicy | None, metadata: Metadata | None) -> Results:
    """Return the results with the penalty for the days after the due date; a begun day counts as a whole day.

    The due date is the latest of any member of the group: Gradescope lists extensions with their users.
    """
    if policy is None or metadata is None or metadata.created_at is None:
        return results
    settings = [metadata.assignment, *(user.assignment for user in metadata.users)]
    due_dates = [each.due_date for each in settings if each and each.due_date]
    due = max(due_dates, default=metadata.created_at)
    late = _measure_lateness(metadata.created_at, due) - timedelta(minutes=policy.grace_minutes)
    days = math.ceil(late / timedelta(days=1))
    if days <= 0:
        return results
    free_days = min(days, policy.count_free_days(user.email for user in metadata.users if user.email))
    percent = min(policy.most_percent, (days - free_days) * policy.percent_per_day)
    score = results.score or 0.0
    came = f"Submitted on day {days} after the due date, with {count(free_days, 'free day')}"
    charge = {"days": days, "free_days": free_days, "percent": percent, "score_before": score}
    return replace(
        results,
        score=round(score * (1 - percent / 100), 2),
        output=f"{came}: the score is reduced by {percent:g} %.\n{results.output or ''}".rstrip(),
        extra_data={**(results.extra_data or {}), "late": {**charge}},
    )


def _measure_lateness(created: datetime, due: datetime) -> timedelta:
    """Measure by the clocks of the course: a day in which they change has 23 or 25 hours."""
    change = (created.utcoffset() or timedelta()) - (due.utcoffset() or timedelta())
    is_summer_time = abs(change) == timedelta(hours=1)  # any other difference is one of zones
    return created - due + change * is_summer_time
