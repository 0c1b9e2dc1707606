"""Hidden tests that are read without pytest are those that pytest finds; whatever may be more is left to it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from autograder.assignment import Assignment, Function, Question
from autograder.grading.collection import NotPlainError, collect_hidden_tests, plain_tests
from autograder.grading.hidden_test import HiddenTestError, validate
from autograder.grading.plugin import found_by_pytest
from autograder.grading.runnable_test import RunnableTest
from tests.selftest.support.grading import ASSIGNMENT as WHOLE_ASSIGNMENT
from tests.selftest.support.grading import PROJECT

ASSIGNMENT = Assignment("Shapes", (Question("shapes", "Shapes", 3.0, ("shapes.py",), (Function("area"),)),))
HEADER = "from gradescope_utils.autograder_utils.decorators import number, partial_credit, tags, visibility, weight\n"
SQUARE = """
@weight(1)
@number("1.2")
@tags("area")
def test_square(student):
    "area: of a square"
"""
CIRCLE = """
@partial_credit(2)
@number("1.1")
@tags("area")
def test_circle(student, *, set_score=None):
    "area: of a circle"
    set_score(student)
"""
PLAIN = {
    "two tests": "",
    "a helper": "def area(x): return x",
    "a class": "class Circle: pass",
    "data with the name of a test": "test_inputs = [1, 2]",
    "an assertion of numpy": "from numpy.testing import assert_allclose",
    "a lambda": "double = lambda x: 2 * x",
}
FOR_PYTEST = {
    "pytest": "import pytest",
    "pytest under another name": "import pytest as p",
    "a part of pytest": "from pytest import approx",
    "a fixture": "from pytest import fixture\nother = fixture(lambda: 1)\ndel fixture",
    "an automatic fixture": "import pytest\n@pytest.fixture(autouse=True)\ndef other(): pass\ndel pytest",
    "a mark": "import pytest\ntest_square = pytest.mark.skip(test_square)\ndel pytest",
    "a parameter": "import pytest\ntest_square = pytest.mark.parametrize('x', [1, 2])(test_square)\ndel pytest",
    "marks of the module": "import pytest\npytestmark = pytest.mark.skip\ndel pytest",
    "plugins": "pytest_plugins = []",
    "a hook": "def pytest_generate_tests(metafunc): pass",
    "a setup": "def setup_module(): pass",
    "a teardown": "def teardown_function(): pass",
    "a class of tests": "class TestCircle:\n    def test_radius(self, student): pass",
    "a file that is no test": "__test__ = False",
    "a function that is no test": "test_square.__test__ = False",
    "a test under another name": "def circle(student): pass\ncircle.__test__ = True",
    "an argument more": "def test_more(student, radius): pass",
    "no argument": "def test_none(): pass",
    "an argument by position": "def test_position(student, /): pass",
    "a generator": "def test_generator(student): yield",
    "no function": "test_partial = __import__('functools').partial(print)",
    "a static method": "test_static = staticmethod(lambda student: None)",
    "a value that cannot be looked at": (
        "class Odd:\n    def __getattr__(self, name): raise ValueError(name)\nodd = Odd()"
    ),
}


def written(folder: Path, text: str) -> Path:
    """A file of two hidden tests and this text."""
    path = folder / "test_shapes.py"
    path.write_text(f"{HEADER}{SQUARE}{CIRCLE}{text}\n")
    return path


def test_the_hidden_tests_of_the_assignment_are_plain_and_those_that_pytest_finds() -> None:
    paths = [PROJECT / "tests" / "hidden" / f"test_{stem}.py" for stem in WHOLE_ASSIGNMENT.stems]
    plain = list(plain_tests(paths, WHOLE_ASSIGNMENT))
    assert len(plain) > 100
    assert [each.test for each in plain] == [each.test for each in found_by_pytest(paths, WHOLE_ASSIGNMENT)]


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_a_plain_file_has_the_tests_that_pytest_finds(folder: Path, text: str) -> None:
    path = written(folder, text)
    plain = list(plain_tests([path], ASSIGNMENT))
    assert [each.test.name for each in plain] == ["test_square", "test_circle"]
    assert [each.test for each in plain] == [each.test for each in found_by_pytest([path], ASSIGNMENT)]


@pytest.mark.parametrize("text", FOR_PYTEST.values(), ids=FOR_PYTEST)
def test_what_may_mean_something_to_pytest_is_left_to_it(folder: Path, text: str) -> None:
    with pytest.raises((NotPlainError, ValueError)):
        list(plain_tests([written(folder, text)], ASSIGNMENT))


def names_or_refusal(tests: Callable[[], Iterable[RunnableTest]]) -> list[str] | str:
    """The names of the tests, in the order of their numbers; or that staff have to mend them."""
    try:
        found = sorted(tests(), key=lambda each: each.test.order)
        validate([each.test for each in found], ASSIGNMENT, stems=["shapes"])
    except HiddenTestError:
        return "refused"
    return [each.test.name for each in found]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", FOR_PYTEST.values(), ids=FOR_PYTEST)
def test_then_it_is_as_pytest_says(folder: Path, text: str) -> None:
    path = written(folder, text)
    said = names_or_refusal(lambda: found_by_pytest([path], ASSIGNMENT))
    assert names_or_refusal(lambda: collect_hidden_tests(folder, ASSIGNMENT, stems=["shapes"])) == said


def test_a_plain_test_is_called_as_any_other(folder: Path) -> None:
    written(folder, "")
    circle, square = collect_hidden_tests(folder, ASSIGNMENT, stems=["shapes"])
    assert (circle.test.number, square.test.number) == ("1.1", "1.2")
    assert (circle.call(1.5), circle.call(0.5), square.call(None)) == (1.5, 0.5, None)  # type: ignore[arg-type]


def test_an_interrupt_of_the_user_is_passed_on(folder: Path) -> None:
    written(folder, "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        collect_hidden_tests(folder, ASSIGNMENT, stems=["shapes"])
    assert "test_shapes" not in sys.modules
