"""Findings on a class: differences, item analysis, XML, and gradebooks as Canvas and Moodle document them."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from autograder.cli.regress import GRADEBOOKS
from autograder.regression.comparison import compare_scores, group_by_test, join_gone_checks
from autograder.regression.gradebooks import FORMATS, build_gradebook
from autograder.regression.gradescope_export import Person
from autograder.regression.item_analysis import FEWEST, ScoreTable, compute_distribution
from autograder.regression.report import render_junit
from autograder.regression.scores import Scores, read_scores
from autograder.regression.summary import Cause, Comparison, Seconds
from tests.selftest.support.summaries import student, summary

pytestmark = pytest.mark.once


def scores(total: float | None = None, **tests: float | None) -> Scores:
    """Build the scores of tests worth 2 points each."""
    return read_tests({number: (score, {"verdict": "x"}) for number, score in tests.items()}, total)


def function_scores(**functions: dict[str, float]) -> Scores:
    """Build the scores of tests of functions, by their numbers."""
    told = {"verdict": "x", "question": "averages"}
    return read_tests(
        {
            number: (score, {**told, "functions": [function], "diagnosis": [f"in {number}"]})
            for function, tests in functions.items()
            for number, score in tests.items()
        }
    )


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


class TestGoneChecks:
    BEFORE = function_scores(step={"4.1": 1.0, "4.2": 2.0, "4.3": 0.0}, glide={"4.4": 2.0, "4.5": 1.0})

    def test_are_compared_by_function(self) -> None:
        found = join_gone_checks(self.BEFORE, function_scores(step={"4.1": 1.0, "4.2": 2.0}, glide={"4.3": 1.0}))
        assert found.functions == ("averages: step", "averages: glide")
        moved = compare_scores("ann", found.before, found.after, cause=Cause.GRADER)
        assert moved is not None
        assert [(move.test, move.before, move.after) for move in moved.moves] == [("averages: glide", 3.0, 1.0)]
        assert moved.moves[0].title == "all checks of the function together"
        assert moved.moves[0].diagnosis_before == ("in 4.4", "in 4.5")

    def test_of_a_function_without_checks_are_gone_too(self) -> None:
        found = join_gone_checks(self.BEFORE, function_scores(other={"4.4": 2.0}, step={"4.1": 1, "4.2": 2, "4.3": 0}))
        assert found.functions == ("averages: glide",)
        assert {key: test.score for key, test in found.before.tests.items()}["averages: glide"] == 3.0
        assert set(found.after.tests) == {"4.1", "4.2", "4.3", "4.4"}

    def test_others_are_compared_by_number(self) -> None:
        more = function_scores(step={"4.1": 1.0, "4.2": 2.0, "4.3": 0.0}, glide={"4.4": 2.0, "4.5": 1.0, "4.6": 2.0})
        assert join_gone_checks(self.BEFORE, more) == (self.BEFORE, more, ())
        assert join_gone_checks(scores(a=1.0, b=0.5), scores(a=1.0)).functions == ()


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

    @pytest.mark.parametrize(
        ("written", "ids"),
        [(["sign", "axis"], ("sign", "axis")), ([], ()), (None, ()), ("sign", ("sign",)), ([None, {}], ())],
        ids=["several", "none", "none of an older grader", "one of an older grader", "garbled"],
    )
    def test_have_the_ids_of_several_known_mistakes(self, written: object, ids: tuple[str, ...]) -> None:
        test = {"name": "a", "score": 0, "max_score": 1, "extra_data": {"diagnosis": written}}
        found = read_scores({"tests": [test]})
        assert found is not None
        assert found.tests["a"].diagnosis == ids


class TestItemAnalysis:
    def table(self, size: int = 12) -> ScoreTable:
        """Build a table: every third submission fails tests 1 and 2, all pass 3, none passes 4."""
        table = ScoreTable()
        for number in range(size):
            points = 0.0 if number % 3 == 0 else 2.0
            tests = scores(**{"1": points, "2": points, "3": 2.0, "4": 0.5}, **({"gone": 1.0} if number else {})).tests
            table.add(tests, {"1": 0.1 * number})
        return table

    def test_finds_the_share_that_passed_and_tests_that_all_or_none_pass(self) -> None:
        assert [(item.passed, item.mean_score, item.remark) for item in self.table().analyse_items()] == [
            (0.6667, 1.3333, ""),
            (0.6667, 1.3333, ""),
            (1.0, 2.0, "every submission passes"),
            (0.0, 0.5, "no submission passes"),
        ]

    def test_finds_redundant_tests(self) -> None:
        assert self.table().find_redundant() == [("1", "2")]

    def test_remarks_on_nothing_in_a_small_class(self) -> None:
        table = self.table(FEWEST - 1)
        assert table.find_redundant() == []
        assert {item.remark for item in table.analyse_items()} == {""}

    def test_correlates_passing_with_the_points_of_the_other_tests(self) -> None:
        draw = np.random.default_rng(5)
        points = draw.integers(0, 3, size=(40, 4)).astype(float)
        points[7, 2] = np.nan
        table = ScoreTable()
        for row in points:
            table.add(scores(**{str(column): None if np.isnan(x) else x for column, x in enumerate(row)}).tests, {})
        for column, item in enumerate(table.analyse_items()):
            there = ~np.isnan(points[:, column])
            others = np.nansum(np.delete(points, column, axis=1), axis=1)[there]
            full = (points[there, column] == 2.0).astype(float)
            means = others[full == 1].mean() - others[full == 0].mean()
            share = full.mean()
            assert item.discrimination == pytest.approx(means / others.std() * np.sqrt(share * (1 - share)), abs=1e-4)
            assert item.count == there.sum()

    def test_has_no_correlation_if_all_are_equal(self) -> None:
        assert [item.discrimination for item in self.table().analyse_items()][2:] == [None, None]
        assert ScoreTable().analyse_items() == []

    def test_times_each_test(self) -> None:
        assert self.table().summarise_seconds()["1"] == Seconds(mean=0.55, longest=1.1)

    def test_counts_totals_in_ten_ranges(self) -> None:
        found = compute_distribution([0.0, 1.0, 9.99, 10.0, 10.0, 11.0], 10.0)
        assert found is not None
        assert found.counts == (1, 1, 0, 0, 0, 0, 0, 0, 0, 4)
        assert (found.count, found.lowest, found.highest, found.quartiles[1]) == (6, 0.0, 11.0, 10.0)
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


def test_the_xml_has_a_case_for_each_submission() -> None:
    moved = compare_scores("bo", scores(a=0.0), scores(a=2.0), cause=Cause.GRADER)
    assert moved is not None
    found = Comparison(against="x", compared=2, unstable=(), differences=(moved,), tests=(), appeared=("cy",))
    names = ("ann<&\x00", "bo", "cy")
    run = summary(
        *map(student, names), student("di", state="undecided", score=None, fault="out of time"), baseline=found
    )
    top = ElementTree.fromstring(render_junit(run))
    assert (top.get("tests"), top.get("failures"), top.get("errors")) == ("4", "1", "1")
    assert [(case.get("name"), [child.tag for child in case]) for case in top.iter("testcase")] == [
        ("ann<&\\x00", []),
        ("bo", ["failure"]),
        ("cy", ["skipped"]),
        ("di", ["error"]),
    ]
    assert "a the test a: 0.0 to 2.0" in "".join(top.itertext())
    assert "the grader failed on this submission: out of time" in render_junit(run)


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


def test_every_gradebook_is_offered() -> None:
    assert tuple(FORMATS) == GRADEBOOKS


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
