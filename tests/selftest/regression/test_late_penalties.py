"""Late days of a class: the times of an export, the penalties, and where they show."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from autograder.assignment import LatePolicy
from autograder.regression.findings import Findings
from autograder.regression.gradebooks import build_gradebook
from autograder.regression.gradescope_export import ExportedSubmission, read_export_metadata
from autograder.regression.regress import require_penalties
from autograder.regression.roster import Entry, read_roster
from autograder.regression.scores import Scores
from autograder.regression.store import ResultStore
from autograder.submission import SubmissionError
from tests.selftest.cli.test_main import run
from tests.selftest.regression.test_report import render_page, stored
from tests.selftest.support.made_class import make_export
from tests.selftest.support.summaries import summary
from tests.selftest.support.toy_assignment import ASSIGNMENT

pytestmark = pytest.mark.once

DUE = datetime(2026, 10, 5, 23, 59, tzinfo=timezone(timedelta(hours=-8)))
POLICY = LatePolicy(percent_per_day=10, most_percent=50, grace_minutes=0, free_days=1)


def entry(days: float | None, *, published: float | None = None) -> Entry:
    """Build a submission so many days after the due date, or without a time."""
    submitted = None if days is None else DUE + timedelta(days=days)
    scores = None if published is None else Scores(published, {})
    return Entry("ann", lambda: pytest.fail("not packed"), ExportedSubmission(published=scores, submitted=submitted))


def find(one: Entry, folder: Path, due: datetime | None = DUE) -> Findings:
    """Count the result of one submission, which has 2 points."""
    findings = Findings(replace(ASSIGNMENT, late=POLICY), (), due=due)
    findings.add(one, stored("ann"), ResultStore(folder))
    return findings


class TestTimes:
    @pytest.mark.parametrize(
        ("text", "time"),
        [
            ("2026-10-06 07:59:00.123456000 Z", DUE),
            ("2026-10-06 07:59:00 UTC", DUE),
            ("2026-10-05 23:59:00.5 -08:00", DUE),
            ("2026-10-05T23:59:00-0800", DUE),
            ("2026-02-30 18:00:21.586041000 Z", None),
            ("2026-10-05 23:59:00", None),
            ("yesterday", None),
            ("[1, 2]", None),
            ("17", None),
        ],
    )
    def test_are_read_as_ruby_writes_them(self, text: str, time: datetime | None) -> None:
        found = read_export_metadata(f"submission_1:\n  :created_at: {text}\n".encode())["submission_1"]
        assert found.submitted == time

    def test_of_an_export_are_those_of_its_submissions(self, tmp_path: Path) -> None:
        make_export(tmp_path / "class", 2, stems=("descent",))
        with read_roster(tmp_path / "class", ASSIGNMENT) as roster:
            times = {each.exported.submitted for each in roster.entries}
        assert times == {datetime(2026, 10, 5, 21, 58, 12, tzinfo=timezone.utc)}


class TestPenalties:
    @pytest.mark.parametrize(
        ("days", "score", "percent"), [(-1, 2.0, 0), (0.5, 2.0, 0), (1.5, 1.8, 10), (9, 1.0, 50), (None, 2.0, 0)]
    )
    def test_are_those_of_the_assignment(
        self, tmp_path: Path, days: float | None, score: float, percent: float
    ) -> None:
        (row,) = find(entry(days), tmp_path).students
        assert row.late is not None
        assert (row.score, row.late.percent) == (score, percent)

    @pytest.mark.parametrize(("published", "is_different"), [(1.8, False), (2.0, True)])
    def test_are_in_the_published_scores_too(self, tmp_path: Path, published: float, is_different: bool) -> None:
        found = find(entry(1.5, published=published), tmp_path).published.build_if_any()
        assert found is not None
        assert found.is_different is is_different

    def test_show_in_the_gradebook_and_the_report(self, tmp_path: Path) -> None:
        late = summary(*find(entry(1.5), tmp_path).students)
        head, row = csv.reader(io.StringIO(build_gradebook(late)))
        told = dict(zip(head, row, strict=True))
        assert (told["score"], told["late_days"], told["late_percent"]) == ("1.8", "2", "10")
        page = render_page(late)
        assert "Days late" in page
        assert "Submitted on day 2 after the due date, 1 free: the score is reduced by 10 %." in page

    def test_need_a_due_date_and_their_section(self, tmp_path: Path) -> None:
        (row,) = find(entry(9), tmp_path, None).students
        assert (row.score, row.late) == (2.0, None)
        require_penalties(replace(ASSIGNMENT, late=None), None)
        require_penalties(replace(ASSIGNMENT, late=POLICY), DUE)
        with pytest.raises(SubmissionError, match=r"--due needs the section \[late\]"):
            require_penalties(replace(ASSIGNMENT, late=None), DUE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("time", "told"),
    [("soon", "'soon' is no time; write it like"), ("2026-10-05T23:59", "has no time zone; write it like")],
)
def test_a_time_that_is_none_is_refused(tmp_path: Path, time: str, told: str) -> None:
    make_export(tmp_path / "class", 1, stems=("descent",))
    done = run("regress", "class", "--out", "out", "--due", time, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
