"""Files: reads what Gradescope writes, submission_metadata.json, and applies its dates to a result.

Grading works without the metadata, which list submitters and due dates, so a broken file is a warning. The rules for
late submissions, the section `[late]` of `assignment.toml`, are optional, and any part of the metadata may be missing:
unknown facts are decided in the student's favour. A penalty is a percentage, and reveals no points of tests that
students do not see yet.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from autograder.assignment import LatePolicy
from autograder.gradescope.results_json import Results
from autograder.plain_text import count

_FILE_BYTES = 64 * 2**20  # previous submissions come with their results
_CENT = 0.005  # points have two decimals


class _Entry(BaseModel):
    # Gradescope's fields that are used here; each may be absent.
    model_config = ConfigDict(frozen=True, extra="ignore")


class AssignmentMetadata(_Entry):
    """The assignment's settings on Gradescope. `total_points`: of the outline; Gradescope sends it as a string."""

    total_points: float | None = None
    due_date: datetime | None = None


class User(_Entry):
    """One member of the group that submitted; `assignment` holds the dates of an extension."""

    email: str | None = None
    assignment: AssignmentMetadata | None = None


class Metadata(_Entry):
    """What is read of submission_metadata.json."""

    created_at: datetime | None = None
    assignment: AssignmentMetadata | None = None
    users: tuple[User, ...] = ()


def read_metadata(path: Path) -> tuple[Metadata | None, str]:
    """Read the metadata at `path`; return None and a warning for staff if that is not possible."""
    try:
        if path.stat().st_size > _FILE_BYTES:
            return None, f"{path.name} is larger than {_FILE_BYTES >> 20} MiB; continuing without it"
        return Metadata.model_validate_json(path.read_bytes()), ""
    except OSError as error:
        return None, f"{path.name} cannot be read ({error.strerror}); continuing without it"
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join(str(part) for part in first["loc"]) or "the file"
        problem = f"{location}: {first['msg']}"
        return None, f"{path.name} does not have Gradescope's documented format ({problem}); continuing without it"


def describe_outline(outline: float, points: float, *, by_hand: float) -> str:
    """Describe an outline whose points do not fit the assignment; "" if they fit.

    Gradescope's total includes manual points; a course that grades the texts elsewhere has none.
    """
    if any(abs(outline - wanted) < _CENT for wanted in (points, points + by_hand)):
        return ""
    texts = f", or {points + by_hand:g} with the texts graded by hand" if by_hand else ""
    return f"the assignment on Gradescope has {outline:g} points, the tests have {points:g}{texts}"


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
