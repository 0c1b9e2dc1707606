"""Findings on a class: differences, statistics, and gradebooks as Canvas and Moodle document them."""

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from autograder.regression.class_results import Member, Person, Run, StoredResult
from autograder.regression.comparison import Cause, compare_results, compare_runs
from autograder.regression.report import GRADEBOOKS, build_gradebook
from autograder.regression.summary import Timing, compute_distribution, summarise
from tests.selftest.support.summaries import student, summary
from tests.selftest.support.toy_assignment import ASSIGNMENT

pytestmark = pytest.mark.once


def result(
    *, total: float | None = None, submission: str = "0f", key: str = "00", state: str = "graded", **rows: Any
) -> StoredResult:
    """Build a result of rows worth 2 points each, by their numbers with `_`; a pair has a verdict or mistakes too."""
    tests = []
    for number, told in rows.items():
        score, extra = told if isinstance(told, tuple) else (told, {})
        extra = {"verdict": "partial", "question": "rows", **extra}
        title = f"the row {number}"
        tests.append({"number": number, "name": title, "score": score, "max_score": 2.0, "extra_data": extra})
    extra = {"state": state, "regression": {"submission": submission, "grader": key}}
    return StoredResult({"tests": tests, "score": total, "extra_data": extra})


def run(*, only: tuple[str, ...] = (), **results: StoredResult) -> Run:
    """Build a run of these results."""
    return Run("a run", only, {name: Member(name, name) for name in results}, results.get, "00")


UNWRITTEN = (0.0, {"verdict": "not_written"})
ELSEWHERE = (1.0, {"question": "descent"})


class TestDifference:
    @pytest.mark.parametrize(
        ("before", "after", "expected"),
        [
            (result(a=1.0, b=None), result(a=1.004, b=None), None),
            (result(a=1.0, b=2.0), result(a=2.0, b=1.0), [("a", 1.0, 2.0), ("b", 2.0, 1.0)]),
            (result(a=1.0), result(a=1.0, b=0.0), None),
            (result(a=1.0, b=0.5), result(a=1.0), [("b", 0.5, None)]),
            (result(total=0.0, state="unreadable"), result(a=1.0), []),
            (result(total=1.0, a=2.0), result(total=2.0, a=2.0), None),
        ],
        ids=[
            "none",
            "gain and drop of the same",
            "new row without points",
            "row that went",
            "unreadable before",
            "a late penalty",
        ],
    )
    def test_names_the_rows_that_changed(self, before: StoredResult, after: StoredResult, expected: Any) -> None:
        found = compare_results("ann", before, after, Cause.CODE)
        moves = [(move.row.partition(" ")[0], move.before, move.after) for each in found for move in each.moves]
        assert (moves if found else None) == expected

    def test_has_removed_and_added_rows_a_renamed_one_is_both(self) -> None:
        renamed = result(a=2.0)
        renamed.fields["tests"][0]["name"] = "new words"
        found = compare_runs(run(ann=result(a=2.0)), run(ann=renamed))
        assert (found.removed, found.added, found.changed) == (("a the row a",), ("a new words",), ())

    def test_is_of_the_questions_that_both_runs_graded(self) -> None:
        before = run(ann=result(a=1.0, b=ELSEWHERE), bo=result(a=1.0), **{"gone%21": result()})
        before = replace(before, members=before.members | {"gone%21": Member("gone%21", "gone!")})
        after = run(only=("rows",), ann=result(a=2.0), bo=result(a=1.0), new=result())
        found = compare_runs(before, after)
        assert [(each.file, each.total.before, each.total.after) for each in found.changed] == [("ann", 1.0, 2.0)]
        assert (found.removed, found.added, found.compared) == ((), (), 2)
        assert (found.appeared, found.vanished) == (("new",), ("gone!",))

    def test_needs_the_points_of_these_questions(self) -> None:
        before = run(ann=result(total=5.0), bo=result(total=0.0, state="unreadable"))
        found = compare_runs(before, run(only=("rows",), ann=result(a=1.0), bo=result(a=1.0)))
        assert (found.compared, [each.file for each in found.changed]) == (1, ["bo"])

    @pytest.mark.parametrize(
        ("changes", "cause"),
        [
            ({}, Cause.NOTHING),
            ({"key": "11"}, Cause.GRADER),
            ({"submission": "11"}, Cause.CODE),
            ({"key": ""}, Cause.UNKNOWN),
        ],
    )
    def test_has_a_cause(self, changes: dict[str, str], cause: Cause) -> None:
        found = compare_runs(run(ann=result(a=1.0, **changes)), run(ann=result(a=2.0)))
        assert [each.cause for each in found.changed] == [cause]
        assert bool(found.unstable) == (cause is Cause.NOTHING)

    def test_is_grouped_by_row_with_the_most_changes_first(self) -> None:
        before = run(ann=result(a=0.0, b=0.0), bo=result(a=0.0, b=2.0))
        found = compare_runs(before, run(ann=result(a=2.0, b=1.0), bo=result(a=0.0, b=0.5)))
        assert [(row.row, row.gained, row.dropped, row.points) for row in found.rows] == [
            ("b the row b", ("ann",), ("bo",), -0.5),
            ("a the row a", ("ann",), (), 2.0),
        ]


class TestRows:
    @pytest.mark.parametrize("value", [True, "3", None, float("nan"), float("inf"), [], {}])
    def test_without_numbers_do_not_count(self, value: object) -> None:
        tests = [{"name": "a", "score": value, "max_score": 1}, {"name": "b", "score": 1}]
        assert list(StoredResult({"tests": tests}).rows) == ["b"]

    def test_do_not_hold_advice(self) -> None:
        assert list(result(a=1.0, b=(None, {"verdict": "failed", "advice": True})).rows) == ["a the row a"]

    @pytest.mark.parametrize(
        ("found", "state"),
        [
            (result(a=0.0), "graded"),
            (result(a=UNWRITTEN, b=UNWRITTEN), "empty"),
            (result(a=(None, {"verdict": "undecided"})), "undecided"),
            (result(state="unreadable"), "unreadable"),
            (result(state="unfinished"), "undecided"),
        ],
    )
    def test_tell_the_state_of_a_submission(self, found: StoredResult, state: str) -> None:
        assert found.state == state


class TestStatistics:
    def test_leave_out_what_is_empty_unreadable_or_not_written(self) -> None:
        rows = {f"s{number:02}": result(a=0.0, b=0.0, c=2.0, d=0.5) for number in range(0, 12, 3)}
        rows |= {f"s{number:02}": result(a=2.0, b=2.0, c=2.0, d=0.5) for number in range(12) if number % 3}
        rows["half"] = result(a=2.0, b=UNWRITTEN, c=2.0, d=0.5)
        others = {"none": result(a=UNWRITTEN), "bad": result(total=0.0, state="unreadable"), "lost": result(state="x")}
        found = summarise(run(**rows, **others), ASSIGNMENT, baseline=None, timing=Timing())
        assert found.states == {"empty": 1, "graded": 13, "undecided": 1, "unreadable": 1}
        assert [(row.number, row.passed) for row in found.rows] == [
            ("a", 0.6923),
            ("b", 0.6667),
            ("c", 1.0),
            ("d", 0.0),
        ]
        assert [row.discrimination for row in found.rows[1:]] == [1.0, None, None]
        assert found.distribution is not None and found.distribution.count == 13

    def test_count_the_right_edge(self) -> None:
        found = compute_distribution([0.0, 1.0, 9.99, 10.0, 10.0, 11.0], 10.0)
        assert found is not None
        assert found.counts == (1, 1, 0, 0, 0, 0, 0, 0, 0, 4)
        assert (found.count, found.mean) == (6, 7.0)
        assert compute_distribution([], 10.0) is None


def test_a_gradebook_has_a_row_for_each_submitter_and_quotes_each_cell() -> None:
    people = (Person(name="Ann", sid="007", email="a@x"), Person(name="Bo", sid="", email=""))
    text = build_gradebook(summary(student("submission_1", people=people)))
    assert text.splitlines()[-1] == '"Bo","","","submission_1","graded","2","4","2"'
    assert list(csv.reader(io.StringIO(text))) == [
        ["name", "sid", "email", "submission", "state", "score", "max_score", "algebra"],
        ["Ann", "007", "a@x", "submission_1", "graded", "2", "4", "2"],
        ["Bo", "", "", "submission_1", "graded", "2", "4", "2"],
    ]


ANN = Person(name="Ann, the first", sid="0042", email="ann@uni.edu")
BO = Person(name="=HYPERLINK(1)", sid="-7", email="@bo")
CY = Person(name="\uff1dHYPERLINK(1)", sid="\n=7", email="  \uff0bcy")
RUN = summary(
    student("submission_1", people=(ANN, BO, CY), score=3.5),
    student("submission_2", state="undecided", score=None),
    student("submission_3", state="unreadable", score=0.0),
)


def read(name: str) -> list[list[str]]:
    """Read the rows of a gradebook's file."""
    return list(csv.reader(io.StringIO(GRADEBOOKS[name](RUN)), strict=True))


def test_canvas_finds_students_by_its_five_columns() -> None:
    head, points, *rows = read("canvas")
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Toy"]
    assert (points[0].strip(), points[-1]) == ("Points Possible", "4")
    assert rows[0] == ["Ann, the first", "", "0042", "ann@uni.edu", "", "3.5"]
    assert {len(row) for row in (head, points, *rows)} == {6}


@pytest.mark.parametrize("name", GRADEBOOKS)
def test_points_of_some_questions_have_a_column_of_their_own(name: str) -> None:
    head, *_ = csv.reader(io.StringIO(GRADEBOOKS[name](summary(student("ann"), only=("sums", "algebra")))))
    assert head[-1] == "Toy: sums, algebra"


def test_moodle_finds_students_by_email_or_number() -> None:
    head, *rows = read("moodle")
    assert head == ["Full name", "ID number", "Email address", "Toy"]
    assert rows[0] == ["Ann, the first", "0042", "ann@uni.edu", "3.5"]


@pytest.mark.parametrize(("name", "nothing"), [("canvas", ""), ("moodle", "-")])
def test_a_failure_of_the_grader_is_no_zero(name: str, nothing: str) -> None:
    scores = {row[0]: row[-1] for row in read(name)}
    assert (scores["submission_2"], scores["submission_3"]) == (nothing, "0")


@pytest.mark.parametrize("text", [build_gradebook(RUN), *(emit(RUN) for emit in GRADEBOOKS.values())])
def test_no_cell_is_a_formula(text: str) -> None:
    cells = [cell for row in csv.reader(io.StringIO(text), strict=True) for cell in row]
    assert "'=HYPERLINK(1)" in cells and "'-7" in cells and "'@bo" in cells
    assert {"'\uff1dHYPERLINK(1)", "'\n=7", "'  \uff0bcy"}.issubset(cells)
    assert not [
        cell for cell in cells if cell.strip().startswith(("=", "+", "@")) or (cell.startswith("-") and cell != "-")
    ]
