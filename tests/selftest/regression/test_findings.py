"""Findings on a class: differences, item analysis, and gradebooks as Canvas and Moodle document them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import pytest

from autograder.regression.comparison import compare_scores, group_by_test
from autograder.regression.gradebooks import FORMATS, build_gradebook
from autograder.regression.gradescope_export import Person
from autograder.regression.item_analysis import ScoreTable, compute_distribution
from autograder.regression.scores import Scores, read_scores
from autograder.regression.summary import Cause
from tests.selftest.support.summaries import student, summary

pytestmark = pytest.mark.once


def scores(total: float | None = None, **tests: float | None) -> Scores:
    """Build the scores of tests worth 2 points each."""
    return read_tests({number: (score, {"verdict": "x"}) for number, score in tests.items()}, total)


def read_tests(tests: Mapping[str, tuple[float | None, dict[str, Any]]], total: float | None = None) -> Scores:
    """Read the scores of tests with these numbers, scores and other data; by default, the total is their sum."""
    fields = [
        {"number": number, "name": f"the test {number}", "score": score, "max_score": 2.0, "extra_data": extra}
        for number, (score, extra) in tests.items()
    ]
    summed = sum(score or 0.0 for score, _ in tests.values())
    found = read_scores({"tests": fields}, total=summed if total is None else total)
    assert found is not None
    return found


class TestDifference:
    def test_is_none_if_no_score_changed(self) -> None:
        assert compare_scores("ann", scores(a=1.0, b=None), scores(a=1.004, b=None), cause=Cause.GRADER) is None

    @pytest.mark.parametrize(
        ("before", "after", "expected"),
        [
            (scores(a=1.0), scores(a=2.0), [("a", 1.0, 2.0, 1.0)]),
            (scores(a=1.0, b=2.0), scores(a=2.0, b=1.0), [("a", 1.0, 2.0, 1.0), ("b", 2.0, 1.0, -1.0)]),
            (scores(a=1.0), scores(a=1.0, b=0.0), [("b", None, 0.0, 0.0)]),
            (scores(a=1.0, b=0.5), scores(a=1.0), [("b", 0.5, None, -0.5)]),
            (scores(a=1.0), scores(a=None), [("a", 1.0, None, -1.0)]),
            (scores(3.0, a=1.0), scores(a=1.0), []),
        ],
        ids=["gain", "gain and drop of the same", "new test", "test that went", "no score any more", "total alone"],
    )
    def test_names_the_tests_that_changed(self, before: Scores, after: Scores, expected: list[Any]) -> None:
        found = compare_scores("ann", before, after, cause=Cause.CODE)
        assert found is not None
        assert [(move.test, move.before, move.after, move.change) for move in found.moves] == expected
        assert found.change == pytest.approx((after.total or 0) - (before.total or 0))

    def test_is_grouped_by_test_with_the_most_changes_first(self) -> None:
        moved = [
            compare_scores("ann", scores(a=0.0, b=0.0), scores(a=2.0, b=1.0), cause=Cause.GRADER),
            compare_scores("bo", scores(a=0.0, b=2.0), scores(a=0.0, b=0.5), cause=Cause.GRADER),
        ]
        found = list(group_by_test(each for each in moved if each))
        assert [(each.test, each.gained, each.dropped, each.points) for each in found] == [
            ("b", ("ann",), ("bo",), -0.5),
            ("a", ("ann",), (), 2.0),
        ]


class TestScores:
    @pytest.mark.parametrize("value", [True, "3", None, float("nan"), float("inf"), [], {}])
    def test_that_are_not_numbers_count_as_missing(self, value: object) -> None:
        found = read_scores({"tests": [{"name": "a", "score": value, "max_score": 1}, {"name": "b", "score": 1}]})
        assert found is not None
        assert list(found.tests) == ["b"]

    @pytest.mark.parametrize("fields", [{}, {"tests": []}, {"tests": "no"}, {"tests": [1, "x"]}, {"score": "3"}])
    def test_are_none_if_a_result_has_no_scores(self, fields: dict[str, Any]) -> None:
        assert read_scores(fields) is None

    def test_advice_is_no_test_that_counts(self) -> None:
        advice = {"name": "b", "extra_data": {"verdict": "failed", "advice": True}}
        found = read_scores({"tests": [{"name": "a", "score": 1, "max_score": 1}, advice]})
        assert found is not None
        assert list(found.tests) == ["a"]


class TestItemAnalysis:
    def table(self, size: int = 12) -> ScoreTable:
        """Build a table: every third submission fails tests 1 and 2, all pass 3, none passes 4."""
        table = ScoreTable()
        for number in range(size):
            points = 0.0 if number % 3 == 0 else 2.0
            tests = scores(**{"1": points, "2": points, "3": 2.0, "4": 0.5}, **({"gone": 1.0} if number else {})).tests
            table.add(tests)
        return table

    def test_finds_the_share_that_passed_the_mean_and_the_discrimination(self) -> None:
        found = [(item.passed, item.mean_score, item.discrimination) for item in self.table().analyse_items()]
        assert found == [(0.6667, 1.3333, 1.0), (0.6667, 1.3333, 1.0), (1.0, 2.0, None), (0.0, 0.5, None)]

    def test_counts_totals_in_ten_ranges(self) -> None:
        found = compute_distribution([0.0, 1.0, 9.99, 10.0, 10.0, 11.0], 10.0)
        assert found is not None
        assert found.counts == (1, 1, 0, 0, 0, 0, 0, 0, 0, 4)
        assert (found.count, found.mean) == (6, 7.0)
        assert compute_distribution([], 10.0) is None


class TestGradebook:
    def test_has_a_row_for_each_submitter(self) -> None:
        people = (Person(name="Ann", sid="007", email="a@x"), Person(name="Bo", sid="", email=""))
        rows = list(csv.reader(io.StringIO(build_gradebook(summary(student("submission_1", people=people))))))
        assert rows == [
            ["name", "sid", "email", "submission", "state", "score", "max_score", "algebra"],
            ["Ann", "007", "a@x", "submission_1", "graded", "2", "4", "2"],
            ["Bo", "", "", "submission_1", "graded", "2", "4", "2"],
        ]


ANN = Person(name="Ann, the first", sid="0042", email="ann@uni.edu")
BO = Person(name="=HYPERLINK(1)", sid="-7", email="@bo")
CY = Person(name="\uff1dHYPERLINK(1)", sid="\n=7", email="\uff0bcy")
RUN = summary(
    student("submission_1", people=(ANN, BO, CY), score=3.5),
    student("submission_2", state="undecided", score=None),
    student("submission_3", state="unreadable", score=0.0),
)


def read(name: str) -> list[list[str]]:
    """Read the rows of a gradebook's file."""
    return list(csv.reader(io.StringIO(FORMATS[name](RUN)), strict=True))


def test_canvas_finds_students_by_its_five_columns() -> None:
    head, points, *rows = read("canvas")
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Toy"]
    assert (points[0].strip(), points[-1]) == ("Points Possible", "4")
    assert rows[0] == ["Ann, the first", "", "0042", "ann@uni.edu", "", "3.5"]
    assert {len(row) for row in (head, points, *rows)} == {6}


def test_moodle_finds_students_by_email_or_number() -> None:
    head, *rows = read("moodle")
    assert head == ["Full name", "ID number", "Email address", "Toy"]
    assert rows[0] == ["Ann, the first", "0042", "ann@uni.edu", "3.5"]


@pytest.mark.parametrize(("name", "nothing"), [("canvas", ""), ("moodle", "-")])
def test_a_failure_of_the_grader_is_no_zero(name: str, nothing: str) -> None:
    scores = {row[0]: row[-1] for row in read(name)}
    assert (scores["submission_2"], scores["submission_3"]) == (nothing, "0")


@pytest.mark.parametrize("text", [build_gradebook(RUN), *(emit(RUN) for emit in FORMATS.values())])
def test_no_cell_is_a_formula(text: str) -> None:
    cells = [cell for row in csv.reader(io.StringIO(text), strict=True) for cell in row]
    assert "'=HYPERLINK(1)" in cells and "'-7" in cells and "'@bo" in cells
    assert {"'\uff1dHYPERLINK(1)", "'\n=7", "'\uff0bcy"}.issubset(cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@")) or (cell.startswith("-") and cell != "-")]
