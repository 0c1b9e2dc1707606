"""A hidden test that is not whole is refused with a line that names what is missing; a whole one keeps what it says."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gradescope_utils.autograder_utils.decorators import hide_errors, number, tags, visibility, weight

from autograder.assignment import Assignment, Function, Question
from autograder.grading.collection import validate
from autograder.grading.hidden_test import HiddenTest, HiddenTestError, read_hidden_test
from autograder.results import Visibility

FUNCTIONS = (Function("area"), Function("Shape.scale"))
ASSIGNMENT = Assignment(Path(), "Shapes", (Question("shapes", "Shapes", 3.0, ("shapes.py",), FUNCTIONS),))
KNOWN = "visible, hidden, after_due_date, after_published"
WHOLE = {"weight": weight(2), "number": number("1.1"), "visibility": visibility("visible"), "tags": tags("area")}


def written(*, docstring: str | None = "area: of a circle", **replaced: Any) -> Callable[..., None]:
    """A test function with all its decorators but those replaced by another or by None."""

    def test_area(student: object) -> None:
        pass

    test_area.__doc__ = docstring
    for decorator in {**WHOLE, **replaced}.values():
        test_area = decorator(test_area) if decorator is not None else test_area
    return test_area


def read(function: Any) -> HiddenTest:
    """The description of a test function."""
    return read_hidden_test(function, question_id="shapes", assignment=ASSIGNMENT)


def problems(function: Any) -> list[str]:
    """The lines of its refusal, with the name of the test in place of its line."""
    with pytest.raises(HiddenTestError) as caught:
        read(function)
    return re.sub(r"^(test_\w+\.py):\d+: (\w+)", r"\1::\2", str(caught.value), flags=re.MULTILINE).splitlines()


def test_a_whole_test_keeps_what_its_decorators_say() -> None:
    function = written(
        hide_errors=hide_errors("No."), tags=tags("Shape.scale", "area"), visibility=visibility("hidden")
    )
    test = read(function)
    assert (test.test_id, test.question_id) == ("test_shapes.py::test_area", "shapes")
    assert test.functions == ("Shape.scale", "area")
    assert (test.title, test.number, test.points) == ("area: of a circle", "1.1", 2.0)
    assert (test.visibility, test.hide_errors) == (Visibility.HIDDEN, "No.")
    assert read(written(docstring="\n    area: of a square\n\n    More.\n")).title == "area: of a square"
    assert read(written()).hide_errors is None


@pytest.mark.parametrize(
    ("tagged", "points", "is_robustness", "is_advice"),
    [(("area",), 2, False, False), (("area", "robustness"), 2, True, False), (("advice", "area"), 0, True, True)],
)
def test_a_tag_says_that_it_is_about_robustness_or_advice(
    tagged: tuple[str, ...], points: float, is_robustness: bool, is_advice: bool
) -> None:
    test = read(written(tags=tags(*tagged), weight=weight(points)))
    assert (test.functions, test.points) == (("area",), points)
    assert (test.is_robustness, test.is_advice) == (is_robustness, is_advice)


def test_advice_gives_the_points_that_the_assignment_says() -> None:
    question = replace(ASSIGNMENT.questions[0], advice_points=0.25)
    function = written(tags=tags("area", "advice"), weight=weight(0))
    test = read_hidden_test(function, question_id="shapes", assignment=Assignment(Path(), "Shapes", (question,)))
    assert (test.points, test.is_robustness, test.is_advice) == (0.25, True, False)


def test_a_problem_is_named_with_file_and_line() -> None:
    function = written(weight=None)
    line = function.__code__.co_firstlineno
    with pytest.raises(HiddenTestError, match=rf"^test_shapes\.py:{line}: test_area: @weight is missing"):
        read(function)


@pytest.mark.parametrize(
    ("replaced", "problem"),
    [
        ({"weight": None}, "@weight is missing or no number of points (found None)"),
        ({"weight": weight("2")}, "@weight is missing or no number of points (found '2')"),
        ({"weight": weight(-1)}, "@weight is missing or no number of points (found -1)"),
        ({"weight": weight(float("nan"))}, "@weight is missing or no number of points (found nan)"),
        ({"number": None}, '@number is missing or not like "1.2" (found None)'),
        ({"number": number("1.a")}, "@number is missing or not like \"1.2\" (found '1.a')"),
        ({"visibility": None}, f"@visibility is missing, which says when students see the test; write one of {KNOWN}"),
        ({"visibility": visibility("secret")}, f"@visibility is none of {KNOWN} (found 'secret')"),
        ({"hide_errors": hide_errors(3)}, "@hide_errors is no text (found 3)"),
        ({"tags": None}, "@tags is missing; name the function under test"),
        ({"tags": tags("robustness")}, "@tags is missing; name the function under test"),
        ({"tags": tags("area", "advice")}, "advice gives no points (found @weight(2)); write @weight(0)"),
        (
            {"tags": tags("area", "advice"), "weight": weight(0), "visibility": visibility("hidden")},
            'advice is shown to students at once; write @visibility("visible")',
        ),
        ({"tags": tags("volume")}, "the tag 'volume' is no function of shapes"),
        ({"docstring": None}, "the docstring is missing; its first line is the title that students read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_missing_or_wrong_is_named(replaced: dict[str, Any], problem: str) -> None:
    assert problems(written(**replaced)) == [f"test_shapes.py::test_area: {problem}"]


def test_points_in_tenths_add_up() -> None:
    tenths = [read(written(weight=weight(0.1), number=number(f"1.{i}"))) for i in range(30)]
    validate(tenths, ASSIGNMENT, question_ids=["shapes"])


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        ({}, "the number 1.1 is used by 2 tests: test_shapes.py::test_area, test_shapes.py::test_area"),
        ({"number": "2.1"}, "test_shapes.py::test_area has the number 2.1; the numbers of shapes begin with 1"),
        (
            {"question_id": "sounds", "number": "1.2", "test_id": "test_sounds.py::test_pitch"},
            "test_sounds.py::test_pitch has the number 1.2, which begins like 1.1 of shapes",
        ),
    ],
    ids=["used twice", "of another question", "of two questions"],
)
def test_numbers_are_distinct_and_begin_with_that_of_their_question(other: dict[str, Any], problem: str) -> None:
    test = read(written())
    with pytest.raises(HiddenTestError) as caught:
        validate([test, replace(test, **other)], ASSIGNMENT, question_ids=[])
    assert str(caught.value) == problem
