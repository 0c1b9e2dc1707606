"""The rows of a contract's table are hidden tests; a table that is not in order is refused with its file and line."""

import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import Assignment, Function, Question
from autograder.contracts import CheckBody, RowError
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError
from autograder.results import Visibility

FUNCTIONS = (Function("area"), Function("Shape.grow"))
ASSIGNMENT = Assignment(Path(), "Shapes", (Question("shapes", "Shapes", 6.0, ("shapes.py",), FUNCTIONS),), seed="s")
CONTRACTS = """
from gradescope_utils.autograder_utils.decorators import number, visibility, weight

from autograder.authoring import Check, Contract


class Shape:
    def grow(self, x):
        return x


def area(w):
    return w @ w, 2 * w


squared = Contract(area, "w: (D,) -> loss: float, gradient: (D,)", gradient={"gradient": "w"})
grown = Contract(Shape.grow, "x: (D,) -> y: (D,)", driver=lambda student, x: student.Shape().grow(x))
"""
TABLES = """
squared.rows(
    ordinary=("1.1", 1, "a few sides"),
    gradient_check=("1.10", 0.5, "the slopes"),
    everywhere=("1.2", 2, "other sizes"),
)
grown.rows(everywhere=("1.4", 1.5, "by some"))


@weight(1)
@number("1.3")
@visibility("hidden")
def test_grown() -> Check:
    "grow: for staff"
    return grown.ordinary()
"""
LINE = CONTRACTS.count("\n") + 1  # the first below the contracts


def collect(folder: Path, tables: str, **changes: Any) -> list[Any]:
    """Collect the tests of a file that has these tables."""
    (folder / "test_shapes.py").write_text(CONTRACTS + textwrap.dedent(tables), encoding="utf-8")
    assignment = replace(ASSIGNMENT, root=folder.parents[1], **changes)
    return list(collect_hidden_tests(assignment, question_ids=["shapes"]))


def test_each_row_is_a_test_of_its_own_beside_those_of_functions(folder: Path) -> None:
    tests = [each.test for each in collect(folder, TABLES)]
    assert [(each.test_id, each.number, each.points) for each in tests] == [
        ("test_shapes.py::test_squared", "1.1", 1.0),
        ("test_shapes.py::test_squared_everywhere", "1.2", 2.0),
        ("test_shapes.py::test_grown", "1.3", 1.0),
        ("test_shapes.py::test_grown_everywhere", "1.4", 1.5),
        ("test_shapes.py::test_squared_gradient_check", "1.10", 0.5),
    ]
    titles = ["area: a few sides", "area: other sizes", "grow: for staff", "Shape.grow: by some"]
    titles.append("area: gradient check, the slopes")
    assert [each.title for each in tests] == titles
    assert [each.functions for each in tests] == [(each,) for each in ("area", "area", *["Shape.grow"] * 2, "area")]
    seen, later, hidden = Visibility.VISIBLE, Visibility.AFTER_DUE_DATE, Visibility.HIDDEN
    assert [each.visibility for each in tests] == [seen, later, hidden, later, seen]


def test_a_row_is_the_check_of_its_contract(folder: Path) -> None:
    calls = [each.call for each in collect(folder, TABLES)]
    assert all(isinstance(each, CheckBody) for each in calls)
    purposes = ["ordinary", "everywhere", "ordinary", "everywhere", "gradient_check"]
    assert [each.check.purpose for each in calls] == purposes


def test_a_contract_that_is_imported_leaves_its_rows_in_its_own_file(folder: Path) -> None:
    (folder / "shapes_by_contract.py").write_text(CONTRACTS + TABLES, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        tests = collect(folder, f"from shapes_by_contract import grown as other\n{TABLES}")
    assert len(tests) == 5


@pytest.mark.parametrize(
    ("tables", "problem"),
    {
        'squared.rows(ordinry=("1.1", 1, "w"))': (
            "there is no row ordinry; write one of ordinary, gradient_check, every"
        ),
        'squared.rows(ordinary=("1.1", 1))': "ordinary has a number, points and words; write ordinary=(",
        'squared.rows(ordinary=(1.1, 1, "w"))': 'ordinary has the number 1.1; write one like "1.2"',
        'squared.rows(ordinary=("1.1", "1", "w"))': "ordinary gives '1' points; write a number like 1.5 behind '1.1'",
        'squared.rows(ordinary=("1.1", -1, "w"))': "ordinary gives -1 points; write a number",
        'squared.rows(ordinary=("1.1", True, "w"))': "ordinary gives True points; write a number",
        'squared.rows(ordinary=("1.1", 1, " "))': "ordinary has the words ' '; write one line that students read",
        'squared.rows(ordinary=("1.1", 1, "a\\nb"))': "ordinary has the words 'a\\nb'; write one line",
        'grown.rows(gradient_check=("1.1", 1, "w"))': "Shape.grow: gradient_check needs gradient={part: argument}",
        'Contract(area, "w: (D,) -> loss, gradient").rows(ordinary=("1.1", 1, "w"))': (
            "the contract of area has no name here; write x = Contract(...), then x.rows(...)"
        ),
        'squared.rows(ordinary=("1.1", 1, "w"), everywhere=("1.1", 2, "v"))': (
            "test_squared_everywhere has the number 1.1 of test_squared; write another"
        ),
        'squared.rows(ordinary=("1.1", 1, "w"))\ngrown.rows(ordinary=("1.1", 1, "v"))': (
            "test_grown has the number 1.1 of test_squared; write another"
        ),
        'squared.rows(ordinary=("1.1", 1, "w"))\nsquared.rows(everywhere=("1.2", 1, "v"))': (
            f"the contract has its rows in test_shapes.py:{LINE} already; write all of them there"
        ),
        'def test_squared(student): "area: by hand"\nsquared.rows(ordinary=("1.1", 1, "w"))': (
            "two tests of this file are named test_squared; give the contract or the function another name"
        ),
        '@number("1.1")\ndef test_a(student): "area: by hand"\nsquared.rows(ordinary=("1.1", 1, "w"))': (
            "test_squared has the number 1.1 of test_a; write another"
        ),
    }.items(),
)
def test_a_table_that_is_not_in_order(folder: Path, tables: str, problem: str) -> None:
    with pytest.raises(RowError) as caught:
        collect(folder, tables)
    assert str(caught.value).startswith(f"test_shapes.py:{LINE + tables.count(chr(10))}: {problem}")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"seed": ""}, "its cases are drawn from a private seed; write seed ="),
        (
            {"questions": (replace(ASSIGNMENT.questions[0], functions=FUNCTIONS[:1]),)},
            "the name 'Shape.grow' is no function of shapes",
        ),
    ],
    ids=["no seed", "no function of the question"],
)
def test_a_row_that_the_assignment_has_no_place_for(folder: Path, changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(HiddenTestError) as caught:
        collect(folder, 'grown.rows(ordinary=("1.1", 1, "w"))', **changes)
    assert str(caught.value).startswith(f"test_shapes.py:{LINE}: test_grown: {problem}")
