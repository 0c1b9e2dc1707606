"""Submission policy: the penalty for late days, the limit on attempts, and the metadata that both need."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import AttemptPolicy, FeedbackPolicy, LatePolicy, read_assignment
from autograder.gradescope.files import Metadata
from autograder.gradescope.lint import Severity, lint_results
from autograder.gradescope.results_json import build_results
from autograder.gradescope.schema import Results
from autograder.gradescope.submission_policy import apply_attempt_policy, apply_late_policy, limit_feedback
from autograder.results import LeaderboardEntry, Visibility
from tests.selftest.cli.test_main import results_in, run
from tests.selftest.support.grader_process import write_submission
from tests.selftest.support.reports import check, report
from tests.selftest.support.staff_project import copy_staff_project
from tests.selftest.support.toy_assignment import TOY

pytestmark = pytest.mark.once

DUE = datetime(2026, 3, 1, 23, 59, tzinfo=timezone(timedelta(hours=-8)))
LATE = LatePolicy(percent_per_day=10, most_percent=25, grace_minutes=15)
THREE_A_DAY = AttemptPolicy(most=3, window_hours=24)
GRADED = Results(score=80.0, output="12 checks are shown at once.", extra_data={"state": "graded"})
LATE_SECTION = "[late]\npercent_per_day = 10\nmost_percent = 50\n"
POLICIES = """
[late]
percent_per_day = 10
most_percent = 30

[attempts]
most = 2
window_hours = 24

[feedback]
attempts = 1
"""


def metadata(**fields: Any) -> Metadata:
    return Metadata.model_validate(fields)


def told_late(after_due: timedelta, **fields: Any) -> Metadata:
    """The metadata of a submission so long after the due date."""
    return metadata(created_at=DUE + after_due, assignment={"due_date": DUE}, **fields)


def earlier(*hours_ago: float, **fields: Any) -> list[dict[str, Any]]:
    """List submissions made so many hours before the due date, with the scores 1, 2, 3, ..."""
    return [
        {"submission_time": DUE - timedelta(hours=hours), "score": float(score), "autograder_error": False, **fields}
        for score, hours in enumerate(hours_ago, start=1)
    ]


class TestLate:
    @pytest.mark.parametrize(
        ("after_due", "score", "line"),
        [
            (timedelta(hours=-1), 80, None),
            (timedelta(0), 80, None),
            (timedelta(minutes=15), 80, None),
            (timedelta(minutes=16), 72, "Submitted on day 1 after the due date: the score is reduced by 10 %."),
            (timedelta(days=1, minutes=15), 72, "Submitted on day 1 after"),
            (timedelta(days=1, minutes=16), 64, "Submitted on day 2 after the due date: the score is reduced by 20 %"),
            (timedelta(days=2, hours=1), 60, "Submitted on day 3 after the due date: the score is reduced by 25 %"),
            (timedelta(days=300), 60, "Submitted on day 300 after the due date: the score is reduced by 25 %"),
        ],
        ids=["early", "due", "grace", "late", "whole-day", "second-day", "cap", "very-late"],
    )
    def test_every_begun_day_costs_up_to_the_cap(self, after_due, score, line):
        results = apply_late_policy(GRADED, LATE, told_late(after_due))
        assert results.score == score
        assert (results == GRADED) if line is None else str(results.output).startswith(line)

    def test_another_zone_an_extension_of_a_member_and_missing_metadata_cost_nothing(self):
        users = [{"name": "Kim"}, {"name": "Lee", "assignment": {"due_date": DUE + timedelta(days=2)}}]
        zone = {"created_at": (DUE - timedelta(minutes=1)).astimezone(timezone.utc), "assignment": {"due_date": DUE}}
        partial = (zone, {}, {"created_at": DUE}, {"assignment": {"due_date": DUE}})
        for told in (None, told_late(timedelta(days=1), users=users), *(metadata(**fields) for fields in partial)):
            assert apply_late_policy(GRADED, LATE, told) == GRADED

    @pytest.mark.parametrize("free", [0, 2])
    def test_staff_find_the_score_before_the_penalty_and_the_free_days(self, free):
        late = {"days": 1 + free, "percent": 10.0, "score_before": 80.0, **({"free_days": free} if free else {})}
        results = apply_late_policy(GRADED, replace(LATE, free_days=free), told_late(timedelta(hours=1, days=free)))
        assert results.extra_data == {"state": "graded", "late": late}


class TestFreeDays:
    BANK = replace(LATE, free_days=2, days_left={"ann@uni.edu": 0, "bo@uni.edu": 5})

    @pytest.mark.parametrize(
        ("days", "emails", "score", "line"),
        [
            (1, ["cy@uni.edu"], 80, "1 free late day is used."),
            (2, [], 80, "2 free late days are used."),
            (3, ["cy@uni.edu"], 72, "2 free late days are used, and the score is reduced by 10 %."),
            (1, ["Ann@uni.edu"], 72, "the score is reduced by 10 %."),
            (5, ["ann@uni.edu", "bo@uni.edu"], 80, "5 free late days are used."),
        ],
        ids=["first", "unknown-student", "more-than-free", "used-before", "group"],
    )
    def test_cost_nothing_until_they_are_used(self, days, emails, score, line):
        told = told_late(timedelta(days=days), users=[{"email": email} for email in emails])
        results = apply_late_policy(GRADED, self.BANK, told)
        assert results.score == score
        assert str(results.output).splitlines()[0] == f"Submitted on day {days} after the due date: {line}"

    def test_are_read_from_the_assignment(self, tmp_path):
        path = tmp_path / "assignment.toml"
        days = 'free_days = 3\n[late.days_left]\n"Ann@Uni.edu" = 1\n'
        path.write_text((TOY / "reference/assignment.toml").read_text() + LATE_SECTION + days)
        late = read_assignment(path).late
        assert late is not None
        assert (late.count_free_days(["ann@uni.edu"]), late.count_free_days(["bo@uni.edu"])) == (1, 3)


class TestFeedback:
    ENTRY = LeaderboardEntry(name="loss", value=1.0, order="asc")
    REPORT = report(check(visibility=Visibility.VISIBLE, leaderboard=ENTRY), check(visibility=Visibility.HIDDEN))

    @pytest.mark.parametrize(("earlier_ones", "shown"), [(0, "visible"), (1, "visible"), (2, "after_due_date")])
    def test_is_shown_at_once_for_the_first_submissions(self, earlier_ones, shown):
        previous = earlier(*range(1, earlier_ones + 1), -1)  # a regrade may list a later one
        told = metadata(created_at=DUE, previous_submissions=previous)
        limited = limit_feedback(self.REPORT, FeedbackPolicy(2), told)
        assert [each.visibility.value for each in limited.checks] == [shown, "hidden"]
        assert bool(limited.leaderboard) is (shown == "visible")
        output = str(build_results(limited).output)
        assert ("checks were shown at once for 2 submissions" in output) is (shown != "visible")

    def test_has_no_limit_without_the_section_or_the_metadata(self):
        assert limit_feedback(self.REPORT, FeedbackPolicy(1), None) == self.REPORT
        told = metadata(created_at=DUE, previous_submissions=earlier(3, 2, 1))
        assert limit_feedback(self.REPORT, None, told) == self.REPORT


class TestAttempts:
    @pytest.mark.parametrize(
        ("hours_ago", "is_graded"),
        [
            ((), True),
            ((2, 1), True),
            ((3, 2, 1), False),
            ((24, 2, 1), True),
            ((23.9, 2, 1), False),
            # The three of the first evening count; two more of that night were refused and do not count.
            ((30, 29, 28, 10, 9), True),
            ((26, 25, 24.5, 23, 22), True),
            ((27, 26, 25, 3, 2, 1), False),
            ((2, 1, 0, -1), True),
        ],
        ids=["first", "third", "fourth", "day-later", "nearly-a-day", "refused", "freed", "second-day", "regraded"],
    )
    def test_the_limit_holds_in_any_window(self, hours_ago, is_graded):
        told = metadata(created_at=DUE, previous_submissions=earlier(*hours_ago))
        assert (apply_attempt_policy(THREE_A_DAY, told) is None) is is_graded

    @pytest.mark.parametrize("fault", [{"autograder_error": True}, {"score": None}], ids=["error", "no-score"])
    def test_errors_of_the_autograder_do_not_count(self, fault):
        told = metadata(created_at=DUE, previous_submissions=earlier(3, 2, 1, **fault))
        assert apply_attempt_policy(THREE_A_DAY, told) is None

    def test_the_last_valid_score_is_kept_and_the_next_time_is_named(self):
        last = {"submission_time": DUE - timedelta(minutes=5), "score": 0, "autograder_error": True}
        told = metadata(created_at=DUE, previous_submissions=[last, *earlier(1, 3, 2)])
        results = apply_attempt_policy(THREE_A_DAY, told)
        assert results is not None
        assert results.score == 1.0
        told_first = "Not graded: 3 submissions in 24 hours are allowed, and this is one more."
        assert str(results.output).startswith(told_first)
        assert "Submit again after 2026-03-02 20:59 (UTC-0800)." in str(results.output)

    def test_the_checks_of_the_last_submission_are_kept_too(self):
        tests = [{"name": "a", "score": 1.0, "max_score": 2.0, "visibility": "after_due_date"}]
        before = {"score": 9.0, "tests": tests, "output": "earlier", "extra_data": {"state": "graded"}}
        previous = earlier(3, 2, 1)
        previous[-1]["results"] = before
        results = apply_attempt_policy(THREE_A_DAY, metadata(created_at=DUE, previous_submissions=previous))
        assert results is not None
        kept = json.loads(results.as_bytes())
        assert (kept["tests"], kept["score"], kept["extra_data"]) == (tests, 3.0, {"state": "refused"})

    @pytest.mark.parametrize("broken", [None, {}, {"tests": [{"nonsense": 1}]}])
    def test_without_them_the_total_is_hidden_because_it_would_reveal_hidden_points(self, broken):
        previous = earlier(3, 2, 1, results=broken)
        results = apply_attempt_policy(THREE_A_DAY, metadata(created_at=DUE, previous_submissions=previous))
        assert results is not None
        content = results.as_bytes()
        assert json.loads(content)["tests"][0]["visibility"] == "after_due_date"
        assert [finding for finding in lint_results(content) if finding.severity is Severity.ERROR] == []

    def test_missing_metadata_counts_in_the_students_favour(self):
        told = metadata(previous_submissions=earlier(3, 2, 1))
        assert apply_attempt_policy(THREE_A_DAY, told) is None
        assert apply_attempt_policy(THREE_A_DAY, None) is None


@pytest.mark.slow
def test_all_policies_are_applied_on_gradescope(tmp_path: Path) -> None:
    project = copy_staff_project(tmp_path)
    path = project / "reference" / "assignment.toml"
    path.write_text(path.read_text() + POLICIES)
    root = write_submission(tmp_path / "root").parent

    def grade(**fields: Any) -> tuple[dict[str, Any], str]:
        (root / "submission_metadata.json").write_text(json.dumps(fields, default=datetime.isoformat))
        done = run(cwd=root, project=project, AUTOGRADER_ROOT=str(root))
        assert done.returncode == 0, done.stderr
        return results_in(root / "results"), done.stderr

    late, _ = grade(created_at=DUE + timedelta(hours=30), assignment={"due_date": DUE})
    assert (late["score"], late["extra_data"]["late"]["score_before"]) == (3.2, 4.0)
    assert sum(test.get("score", 0) for test in late["tests"]) == 4.0
    assert {test["visibility"] for test in late["tests"]} >= {"visible", "after_due_date"}
    second, _ = grade(created_at=DUE, previous_submissions=earlier(1))
    assert "visible" not in {test["visibility"] for test in second["tests"] if "score" in test}
    one_more, told = grade(created_at=DUE, previous_submissions=earlier(2, 1))
    assert (one_more["score"], one_more["extra_data"]) == (2.0, {"state": "refused"})
    assert "Not graded: 2 submissions in 24 hours are allowed" in told
