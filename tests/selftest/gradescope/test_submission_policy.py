"""Submission policy: the penalty for late days, and the metadata that it needs."""

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import LatePolicy, read_assignment
from autograder.gradescope.files import Metadata, apply_late_policy
from autograder.gradescope.results_json import Results
from tests.selftest.cli.test_main import results_in, run
from tests.selftest.support.grader_process import write_submission
from tests.selftest.support.staff_project import copy_staff_project
from tests.selftest.support.toy_assignment import TOY

pytestmark = pytest.mark.once

DUE = datetime(2026, 3, 1, 23, 59, tzinfo=timezone(timedelta(hours=-8)))
LATE = LatePolicy(percent_per_day=10, most_percent=25, grace_minutes=15)
GRADED = Results(score=80.0, output="12 checks are shown at once.", extra_data={"state": "graded"})
LATE_SECTION = "\n[late]\npercent_per_day = 10\nmost_percent = 50\n"


def metadata(**fields: Any) -> Metadata:
    return Metadata.model_validate(fields)


def told_late(after_due: timedelta, **fields: Any) -> Metadata:
    """The metadata of a submission so long after the due date."""
    return metadata(created_at=DUE + after_due, assignment={"due_date": DUE}, **fields)


class TestLate:
    @pytest.mark.parametrize(
        ("due", "created", "days"),
        [
            ("2026-10-31T20:00:00-07:00", "2026-11-01T19:30:00-08:00", 1),
            ("2026-10-31T20:00:00-07:00", "2026-11-01T20:30:00-08:00", 2),
            ("2026-03-07T20:00:00-08:00", "2026-03-08T20:30:00-07:00", 2),
            ("2026-10-31T20:00:00-07:00", "2026-11-02T03:30:00+00:00", 2),  # of another zone: the time that went by
        ],
        ids=["winter, a day", "winter, two", "summer", "zones"],
    )
    def test_a_day_is_one_by_the_clocks_of_the_course(self, due: str, created: str, days: int) -> None:
        late = metadata(created_at=created, assignment={"due_date": due})
        policy = replace(LATE, grace_minutes=0)
        assert (apply_late_policy(GRADED, policy, late).output or "").startswith(f"Submitted on day {days} after")

    @pytest.mark.parametrize(
        ("after_due", "score", "line"),
        [
            (timedelta(hours=-1), 80, None),
            (timedelta(0), 80, None),
            (timedelta(minutes=15), 80, None),
            (
                timedelta(minutes=16),
                72,
                "Submitted on day 1 after the due date, with 0 free days: the score is reduced by 10 %.",
            ),
            (timedelta(days=1, minutes=15), 72, "Submitted on day 1 after"),
            (timedelta(days=1, minutes=16), 64, "Submitted on day 2 after"),
            (timedelta(days=2, hours=1), 60, "Submitted on day 3 after"),
            (timedelta(days=300), 60, "Submitted on day 300 after"),
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


class TestFreeDays:
    BANK = replace(LATE, free_days=2, days_left={"ann@uni.edu": 0, "bo@uni.edu": 5})

    @pytest.mark.parametrize(
        ("days", "emails", "score", "line"),
        [
            (1, ["cy@uni.edu"], 80, "with 1 free day: the score is reduced by 0 %."),
            (2, [], 80, "with 2 free days: the score is reduced by 0 %."),
            (3, ["cy@uni.edu"], 72, "with 2 free days: the score is reduced by 10 %."),
            (1, ["Ann@uni.edu"], 72, "with 0 free days: the score is reduced by 10 %."),
            (5, ["ann@uni.edu", "bo@uni.edu"], 80, "with 5 free days: the score is reduced by 0 %."),
        ],
        ids=["first", "unknown-student", "more-than-free", "used-before", "group"],
    )
    def test_cost_nothing_until_they_are_used(self, days, emails, score, line):
        told = told_late(timedelta(days=days), users=[{"email": email} for email in emails])
        results = apply_late_policy(GRADED, self.BANK, told)
        assert results.score == score
        assert str(results.output).splitlines()[0] == f"Submitted on day {days} after the due date, {line}"

    def test_are_read_from_the_assignment(self, tmp_path):
        path = tmp_path / "assignment.toml"
        days = 'free_days = 3\n[late.days_left]\n"Ann@Uni.edu" = 1\n'
        path.write_text((TOY / "reference/assignment.toml").read_text() + LATE_SECTION + days)
        late = read_assignment(path).late
        assert late is not None
        assert (late.count_free_days(["ann@uni.edu"]), late.count_free_days(["bo@uni.edu"])) == (1, 3)


@pytest.mark.slow
def test_a_penalty_is_applied_on_gradescope(tmp_path: Path) -> None:
    project = copy_staff_project(tmp_path)
    path = project / "reference" / "assignment.toml"
    path.write_text(path.read_text() + LATE_SECTION)
    root = write_submission(tmp_path / "root").parent

    fields = {"created_at": DUE + timedelta(hours=30), "assignment": {"due_date": DUE}}
    (root / "submission_metadata.json").write_text(json.dumps(fields, default=datetime.isoformat))
    done = run(cwd=root, project=project, AUTOGRADER_ROOT=str(root))
    assert done.returncode == 0, done.stderr
    late = results_in(root / "results")
    assert late["score"] == 3.2
    assert late["extra_data"]["late"] == {"days": 2, "free_days": 0, "percent": 20.0, "score_before": 4.0}
    assert sum(test.get("score", 0) for test in late["tests"]) == 4.0
    assert {test["visibility"] for test in late["tests"]} >= {"visible", "after_due_date"}
