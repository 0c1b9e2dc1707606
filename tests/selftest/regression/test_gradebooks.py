"""The CSV files for gradebooks, read back as Canvas and Moodle document them."""

from __future__ import annotations

import csv
import io

import pytest

from autograder.cli.regress import GRADEBOOKS
from autograder.regression.gradebooks import FORMATS, build_gradebook
from autograder.regression.gradescope_export import Person
from tests.selftest.support.summaries import student, summary

ANN = Person(name="Ann, the first", sid="0042", email="ann@uni.edu")
BO = Person(name="=HYPERLINK(1)", sid="-7", email="@bo")
RUN = summary(
    student("submission_1", people=(ANN, BO), score=3.5),
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
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@")) or (cell.startswith("-") and cell != "-")]
