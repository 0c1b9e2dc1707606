"""Hand-in terms: what the assignment says of late and of repeated submissions, applied to Gradescope's metadata.

Both sections of `assignment.toml` may be left out, and so may any part of the metadata: what is not known counts for
the student. Nothing here tells points of tests that students do not see yet; a penalty is told as a percentage.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from autograder.assignment import AttemptTerms, LateTerms
from autograder.gradescope.schema import GradedTest, OutputFormat, Results
from autograder.results import Visibility

if TYPE_CHECKING:
    from pydantic import JsonValue

    from autograder.gradescope.metadata import Metadata, PreviousSubmission

_DAY = timedelta(days=1)


def penalised(results: Results, terms: LateTerms | None, metadata: Metadata | None) -> Results:
    """The results with the penalty for the days after the due date, each begun day counting whole."""
    days = _days_late(terms, metadata) if terms is not None and metadata is not None else 0
    if terms is None or days == 0:
        return results
    percent = min(terms.most_percent, days * terms.percent_per_day)
    line = f"Handed in on day {days} after the due date: {percent:g} % are taken off the score."
    score = results.score or 0.0
    told: JsonValue = {"days": days, "percent": percent, "score_before": score}
    return replace(
        results,
        score=round(score * (1 - percent / 100), 2),
        output=f"{line}\n{results.output or ''}".rstrip(),
        extra_data={**(results.extra_data or {}), "late": told},
    )


def refused(terms: AttemptTerms | None, metadata: Metadata | None) -> Results | None:
    """What stands in for the grade of one attempt too many, which keeps the last score; None where it is graded.

    Attempts that ended in an error of the autograder do not count, nor do those that were refused themselves.
    """
    if terms is None or metadata is None or metadata.created_at is None:
        return None
    now, window = metadata.created_at, timedelta(hours=terms.window_hours)
    valid = _valid(metadata)
    recent = [time for time in _counted([each[0] for each in valid], terms) if now - time < window]
    if len(recent) < terms.most:
        return None
    free = recent[-terms.most] + window
    line = (
        f"Not graded: {terms.most} submissions in {terms.window_hours:g} hours are allowed, and this is one more. The "
        f"score of your last graded submission stays. Submit again after {free:%Y-%m-%d %H:%M (UTC%z)}."
    )
    return _kept(valid[-1][1], line)


def _days_late(terms: LateTerms, metadata: Metadata) -> int:
    due = _due_date(metadata)
    if metadata.created_at is None or due is None:
        return 0
    late = metadata.created_at - due - timedelta(minutes=terms.grace_minutes)
    return max(0, math.ceil(late / _DAY))


def _due_date(metadata: Metadata) -> datetime | None:
    """The latest that holds for a member of the group: Gradescope lists extensions with their users."""
    general = metadata.assignment.due_date if metadata.assignment else None
    own = [user.assignment.due_date for user in metadata.users if user.assignment and user.assignment.due_date]
    return max([*own, *([general] if general else [])], default=None)


def _valid(metadata: Metadata) -> list[tuple[datetime, PreviousSubmission]]:
    """The earlier submissions that were graded, the latest last, each with its time."""
    found = []
    for each in metadata.previous_submissions:
        if each.submission_time is not None and each.score is not None and not each.autograder_error:
            found.append((each.submission_time, each))
    return sorted(found, key=lambda pair: pair[0])


def _counted(times: list[datetime], terms: AttemptTerms) -> list[datetime]:
    """Of these times, in order, those of attempts that were not refused."""
    window = timedelta(hours=terms.window_hours)
    counted: list[datetime] = []
    for time in times:
        if sum(time - each < window for each in counted) < terms.most:
            counted.append(time)
    return counted


def _kept(last: PreviousSubmission, line: str) -> Results:
    from autograder.gradescope.results_file import read_results  # noqa: PLC0415  (slow to load, and only for a refusal)

    try:
        before = read_results(last.results or {})
    except ValueError:  # pydantic's ValidationError is one
        before = Results()
    return replace(
        before,
        score=last.score,
        execution_time=None,
        output=line,
        output_format=OutputFormat.TEXT,
        stdout_visibility=Visibility.HIDDEN,
        tests=before.tests or (_curtain(),),
        extra_data={"state": "refused"},
    )


def _curtain() -> GradedTest:
    """A test that students do not see yet: while there is one, Gradescope does not show the total."""
    return GradedTest(name="Checks of the last graded submission", visibility=Visibility.AFTER_DUE_DATE)
