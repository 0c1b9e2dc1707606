"""Submission policy: applies the assignment's rules for late and repeated submissions to Gradescope's metadata.

All sections of `assignment.toml` are optional, and any part of the metadata may be missing: unknown facts are decided
in the student's favour. Nothing here reveals points of tests that students do not see yet; a penalty is a percentage.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from autograder.assignment import AttemptPolicy, FeedbackPolicy, LatePolicy
from autograder.gradescope.schema import GradedTest, OutputFormat, Results
from autograder.plain_text import count
from autograder.results import CheckResult, Report, Visibility

if TYPE_CHECKING:
    from pydantic import JsonValue

    from autograder.gradescope.files import Metadata, PreviousSubmission

_DAY = timedelta(days=1)
# A test that students do not see yet: as long as there is one, Gradescope does not show the total.
_CURTAIN = GradedTest(name="Checks of the last graded submission", visibility=Visibility.AFTER_DUE_DATE)


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


def limit_feedback(report: Report, policy: FeedbackPolicy | None, metadata: Metadata | None) -> Report:
    """Return the report with its visible checks shown after the due date, if this is one attempt too many for them."""
    if policy is None or metadata is None or len(_list_graded(metadata)) < policy.attempts:
        return report
    note = f"checks were shown at once for {policy.attempts} submissions; those of this one follow after the due date"
    return replace(report, checks=tuple(map(_postpone, report.checks)), notes=(note, *report.notes))


def _postpone(check: CheckResult) -> CheckResult:
    is_shown = check.visibility is Visibility.VISIBLE
    return replace(check, visibility=Visibility.AFTER_DUE_DATE, leaderboard=None) if is_shown else check


def apply_attempt_policy(policy: AttemptPolicy | None, metadata: Metadata | None) -> Results | None:
    """Return the results of a submission beyond the limit, which keep the last score; None if it is to be graded.

    Submissions that ended in an autograder error do not count, nor do submissions that were refused themselves.
    """
    if policy is None or metadata is None or metadata.created_at is None:
        return None
    now, window = metadata.created_at, timedelta(hours=policy.window_hours)
    valid = _list_graded(metadata)
    recent = [time for time in _select_counted([each[0] for each in valid], policy) if now - time < window]
    if len(recent) < policy.most:
        return None
    free = recent[-policy.most] + window
    line = (
        f"Not graded: {policy.most} submissions in {policy.window_hours:g} hours are allowed, and this is one more. "
        f"You keep the score of your last graded submission. Submit again after {free:%Y-%m-%d %H:%M (UTC%z)}."
    )
    return _keep_last_score(valid[-1][1], line)


def _describe_charge(charge: LateCharge) -> str:
    verb = "is" if charge.free_days == 1 else "are"
    told = [f"{count(charge.free_days, 'free late day')} {verb} used"] if charge.free_days else []
    told += [f"the score is reduced by {charge.percent:g} %"] if charge.percent else []
    return f"Submitted on day {charge.days} after the due date: {', and '.join(told)}."


def _find_due_date(metadata: Metadata) -> datetime | None:
    """Return the latest due date of any member of the group: Gradescope lists extensions with their users."""
    settings = [metadata.assignment, *(user.assignment for user in metadata.users)]
    return max((each.due_date for each in settings if each and each.due_date), default=None)


def _list_graded(metadata: Metadata) -> list[tuple[datetime, PreviousSubmission]]:
    """List the earlier submissions that were graded, each with its time, oldest first.

    A regrade may list the submission itself and those after it, which count against none that came before them.
    """
    now = metadata.created_at
    graded = (each for each in metadata.previous_submissions if each.score is not None and not each.autograder_error)
    timed = [(each.submission_time, each) for each in graded if each.submission_time is not None]
    return sorted((pair for pair in timed if now is None or pair[0] < now), key=lambda pair: pair[0])


def _select_counted(times: list[datetime], policy: AttemptPolicy) -> list[datetime]:
    """Select, from submission times in order, the times of submissions that were not refused."""
    window = timedelta(hours=policy.window_hours)
    counted: list[datetime] = []
    for time in times:
        if sum(time - each < window for each in counted) < policy.most:
            counted.append(time)
    return counted


def _keep_last_score(last: PreviousSubmission, line: str) -> Results:
    from autograder.gradescope.files import read_results  # noqa: PLC0415  (slow to load, and only needed for a refusal)

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
        tests=before.tests or (_CURTAIN,),
        extra_data={"state": "refused"},
    )
