"""Hidden tests that are not in order are the staff's error and grade nobody; nothing outside their files matters."""

import re
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import UserError
from autograder.assignment import Assignment, Function, Question, load_assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError, RunnableTest
from tests.selftest.support.exchanged_tests import copy_project
from tests.selftest.support.toy_assignment import TOY

ASSIGNMENT = Assignment(Path(), "Shapes", (Question("shapes", "Shapes", 3.0, ("shapes.py",), (Function("area"),)),))
HEADER = "from gradescope_utils.autograder_utils.decorators import number, partial_credit, tags, visibility, weight\n"
SQUARE = """
@weight(1)
@number("1.10")
@visibility("visible")
@tags("area")
def test_square(student):
    "area: of a square"
    student("square")
"""
CIRCLE = """
@weight(2)
@number("1.9")
@visibility("visible")
@tags("area")
def test_circle(student):
    "area: of a circle"
    student("circle")
"""
WHOLE = SQUARE + CIRCLE
ADVICE = "write each test as a function `def test_x(student: Student)`, see docs/writing_checks.md"
PLAIN = {
    "two tests": "",
    "a helper": "def area(x): return x",
    "a helper with a name like a setup": "def setup_circle(): pass",
    "a class": "class Circle: pass",
    "a class with the name of a test": "class TestInputs: sizes = 1, 2",
    "data with the name of a test": "test_inputs = [1, 2]",
    "an assertion of numpy": "from numpy.testing import assert_allclose",
    "a lambda": "double = lambda x: 2 * x",
    "pytest": "import pytest\nfrom pytest import approx, fixture",
    "unittest": "from unittest import TestCase, mock",
    "a value that cannot be looked at": (
        "class Odd:\n    def __getattr__(self, name): raise ValueError(name)\nodd = Odd()"
    ),
}
FOR_PYTEST = "is for pytest, and is ignored here; do in the body of each test what it does"
FIXTURE = "is a fixture of pytest, which is not run; make what it makes in the body of each test"
SAYS_WHAT = "says what pytest runs, and is ignored here; give tests names that begin with test_"
UNSUPPORTED = {
    "a test case of unittest": (
        "import unittest\nclass Areas(unittest.TestCase):\n    def test_x(self): pass",
        f"Areas is a unittest.TestCase, which is not run; {ADVICE}",
    ),
    "a test case of unittest without tests": (
        "import unittest\nclass Base(unittest.IsolatedAsyncioTestCase): pass",
        f"Base is a unittest.TestCase, which is not run; {ADVICE}",
    ),
    "a class of tests": (
        "class TestCircle:\n    def test_radius(self, student): pass",
        f"TestCircle is a class of tests, which is not run; {ADVICE}",
    ),
    "a fixture": ("import pytest\n@pytest.fixture\ndef radius(): return 5", f"radius {FIXTURE}"),
    "an automatic fixture": (
        "import pytest\n@pytest.fixture(autouse=True)\ndef seeded(): pass\ndel pytest",
        f"seeded {FIXTURE}",
    ),
    "marks of the module": ("import pytest\npytestmark = pytest.mark.skip", f"pytestmark {FOR_PYTEST}"),
    "plugins": ("pytest_plugins = []", f"pytest_plugins {FOR_PYTEST}"),
    "a setup": ("def setup_module(): pass", f"setup_module {FOR_PYTEST}"),
    "a teardown": ("def teardown_function(): pass", f"teardown_function {FOR_PYTEST}"),
    "a file that is no test": ("__test__ = False", f"__test__ {SAYS_WHAT}"),
    "a test under another name": ("def circle(student): pass\ncircle.__test__ = True", f"circle {SAYS_WHAT}"),
    "no function": (
        "test_partial = __import__('functools').partial(print)",
        f"test_partial is no function: give each decorator its parentheses, and {ADVICE}",
    ),
    "a static method": (
        "test_static = staticmethod(lambda student: None)",
        f"test_static is no function: give each decorator its parentheses, and {ADVICE}",
    ),
}


def written(folder: Path, text: str = WHOLE) -> Path:
    """The folder, with the hidden tests of the one question."""
    (folder / "test_shapes.py").write_text(HEADER + textwrap.dedent(text) + "\n")
    return folder


def collected(folder: Path) -> tuple[RunnableTest, ...]:
    """What is collected of the folder's tests."""
    return collect_hidden_tests(replace(ASSIGNMENT, root=folder.parents[1]), question_ids=["shapes"])


def names(folder: Path) -> list[str]:
    """The names of the tests that are collected, in their order."""
    return [each.test.name for each in collected(folder)]


def refusal(folder: Path) -> str:
    """Why nobody is graded, with the names of tests in place of their lines."""
    with pytest.raises(HiddenTestError) as caught:
        collected(folder)
    return re.sub(r"^(test_\w+\.py):\d+: (\w+)", r"\1::\2", str(caught.value), flags=re.MULTILINE)


def test_tests_are_in_the_order_of_their_numbers(folder: Path) -> None:
    assert names(written(folder)) == ["test_circle", "test_square"]


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_what_is_beside_the_tests_is_left_alone(folder: Path, text: str) -> None:
    assert names(written(folder, f"{WHOLE}\n{text}")) == ["test_circle", "test_square"]


def test_a_test_gets_what_is_put_in_the_students_place_as_often_as_it_is_called(folder: Path) -> None:
    asked: list[str] = []
    for each in collected(written(folder)) * 2:
        each.call(asked.append)  # type: ignore[arg-type]
    assert asked == ["circle", "square"] * 2


class TestPartialCredit:
    TEXT = """
    @partial_credit(3)
    @number("1.1")
    @visibility("visible")
    @tags("area")
    def test_circle(student, set_score=None):
        "area: of a circle"
        {body}
    """

    @pytest.mark.parametrize(
        ("body", "scores"),
        [("set_score(1.5)", [1.5, 1.5]), ("pass", [None] * 2), ("student or set_score(1.5)", [1.5, None])],
        ids=["set", "none set", "set in the first attempt"],
    )
    def test_a_score_that_was_set_is_handed_to_the_judge(
        self, folder: Path, body: str, scores: list[float | None]
    ) -> None:
        (each,) = collected(written(folder, self.TEXT.format(body=body)))
        assert [each.call(student) for student in (None, "another")] == scores  # type: ignore[arg-type]

    def test_a_score_that_was_set_before_a_failure_is_forgotten(self, folder: Path) -> None:
        (each,) = collected(
            written(folder, self.TEXT.format(body="set_score(1.5) if student is None else 0; student + 1"))
        )
        with pytest.raises(TypeError):
            each.call(None)  # type: ignore[arg-type]
        assert each.call(1) is None  # type: ignore[arg-type]

    @pytest.mark.parametrize("argument", ["*, set_score=None", "set_score", "**kwargs"])
    def test_the_argument_may_be_written_as_gradescope_allows(self, folder: Path, argument: str) -> None:
        text = self.TEXT.replace("set_score=None", argument).format(body="pass")
        assert names(written(folder, text)) == ["test_circle"]

    @pytest.mark.parametrize(
        ("old", "new", "problem"),
        [
            (", set_score=None", "", "@partial_credit gives `set_score`; write `set_score=None` among the arguments"),
            ("partial_credit", "weight", "the argument `set_score` is given by @partial_credit, which is missing"),
        ],
        ids=["no argument", "no decorator"],
    )
    def test_the_decorator_and_the_argument_go_together(self, folder: Path, old: str, new: str, problem: str) -> None:
        error = refusal(written(folder, self.TEXT.replace(old, new).format(body="pass")))
        assert error == f"test_shapes.py::test_circle: {problem}"


class TestStaffErrors:
    def test_a_file_that_does_not_import(self, folder: Path) -> None:
        error = refusal(written(folder, "import no_such_module"))
        assert error.startswith("test_shapes.py: it cannot be imported:\nTraceback")
        assert error.endswith("No module named 'no_such_module'")
        assert "collection.py" not in error

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("def test_circle(:", "SyntaxError"),
            ("raise SystemExit(0)", "SystemExit: 0"),
            ("import pytest; pytest.skip('later', allow_module_level=True)", "Skipped: later"),
        ],
        ids=["no Python", "ends the process", "skips itself"],
    )
    def test_a_file_that_cannot_be_run(self, folder: Path, text: str, error: str) -> None:
        found = refusal(written(folder, text))
        assert found.startswith("test_shapes.py: it cannot be imported")
        assert error in found

    @pytest.mark.parametrize(
        ("contract", "problem"),
        [
            ("def f(x, *, eps): return x\nContract(f, 'x: (N,), eps: float -> y')", "f takes the argument eps by"),
            ("def f(x): return x\nContract(f)", "f has a contract without a signature: write one"),
        ],
        ids=["keyword", "annotations"],
    )
    def test_a_contract_that_uses_what_is_gone(self, folder: Path, contract: str, problem: str) -> None:
        text = f"from autograder.authoring import Contract\n{contract}\n"
        with pytest.raises(UserError, match=rf"test_shapes.py:3: {problem}"):
            collected(written(folder, text))

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("from autograder.authoring import ObjectContract", "ObjectContract was the contract of a class, and"),
            (
                "from autograder.authoring import beside",
                "beside ran a function next to the student's code, and is gone: write in_worker",
            ),
            (
                "from autograder.authoring import Contract\nContract(f, 'x -> y', part_shares={})",
                "part_shares said what",
            ),
        ],
        ids=["a class", "a function", "an option"],
    )
    def test_a_name_that_is_gone(self, folder: Path, text: str, problem: str) -> None:
        with pytest.raises(UserError, match=problem):
            collected(written(folder, f"def f(x): return x\n{text}\n"))

    @pytest.mark.parametrize(("text", "problem"), UNSUPPORTED.values(), ids=UNSUPPORTED)
    def test_what_would_silently_not_be_run(self, folder: Path, text: str, problem: str) -> None:
        assert refusal(written(folder, f"{WHOLE}\n{text}")) == f"test_shapes.py: {problem}"

    @pytest.mark.parametrize("arguments", ["", "student, /", "student=None"])
    def test_a_test_without_a_student(self, folder: Path, arguments: str) -> None:
        error = refusal(written(folder, WHOLE.replace("circle(student)", f"circle({arguments})")))
        problem = "the argument `student` is missing; without it a test asks nothing of a submission"
        assert error == f"test_shapes.py::test_circle: {problem}"

    @pytest.mark.parametrize("body", ["yield", "await student"])
    def test_a_body_that_a_plain_call_does_not_run(self, folder: Path, body: str) -> None:
        text = WHOLE.replace("def test_circle", "async def test_circle").replace('student("circle")', body)
        assert "test_shapes.py::test_circle: a plain call does not run it" in refusal(written(folder, text))

    @pytest.mark.parametrize("mark", ["skip", "skipif(True, reason='later')", "xfail"])
    def test_a_mark(self, folder: Path, mark: str) -> None:
        error = refusal(
            written(folder, "import pytest\n" + WHOLE.replace("@weight(1)", f"@pytest.mark.{mark}\n@weight(1)"))
        )
        name = mark.partition("(")[0]
        advice = "a graded test is always run, as it stands"
        assert error == f"test_shapes.py::test_square: the mark {name!r} of pytest is not for hidden tests; {advice}"

    def test_a_parameter(self, folder: Path) -> None:
        text = WHOLE.replace("@weight(2)", "@pytest.mark.parametrize('radius', [1])\n@weight(2)")
        error = refusal(written(folder, "import pytest\n" + text.replace("circle(student)", "circle(student, radius)")))
        mark = "the mark 'parametrize' of pytest is not for hidden tests; write a loop in the body"
        argument = "the argument `radius` is a fixture or parameter, which hidden tests have not; make it in the body"
        assert error.splitlines() == [f"test_shapes.py::test_circle: {problem}" for problem in (mark, argument)]

    def test_tests_that_are_not_whole_are_all_named(self, folder: Path) -> None:
        bad = WHOLE.replace('@weight(1)\n@number("1.10")', "").replace('"1.9"', '"one"') + "__test__ = 1"
        assert [line[:36] for line in refusal(written(folder, bad)).splitlines()] == [
            "test_shapes.py: __test__ says what p",
            "test_shapes.py::test_square: @weight",
            "test_shapes.py::test_square: @number",
            "test_shapes.py::test_circle: @number",
        ]

    def test_points_that_do_not_add_up(self, folder: Path) -> None:
        file = folder.parents[1] / "reference" / "assignment.toml"
        file.parent.mkdir()
        file.write_text('title = "x"\n\n[[questions]]\npoints = 3\nid = "shapes"\n', encoding="utf-8")
        error = refusal(written(folder, WHOLE.replace("@weight(1)", "@weight(2)")))
        assert error == f"{file}:4: shapes: the tests give 4 points, assignment.toml says 3"

    def test_no_file_for_a_question(self, folder: Path) -> None:
        assert refusal(folder) == f"no hidden tests for a question: {folder / 'test_shapes.py'} does not exist"

    def test_a_file_for_no_question(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delitem(sys.modules, "test_sounds", raising=False)
        (folder / "test_sounds.py").write_text(HEADER + WHOLE)
        with pytest.raises(HiddenTestError, match="the assignment has no question 'sounds'"):
            collect_hidden_tests(replace(ASSIGNMENT, root=folder.parents[1]), question_ids=["sounds"])

    @pytest.mark.parametrize("ending", ["pytest.skip('later')", "pytest.fail('no')", "raise SystemExit(0)"])
    def test_a_test_that_ends_itself_is_a_fault_like_any_other(self, folder: Path, ending: str) -> None:
        circle = collected(written(folder, "import pytest\n" + WHOLE.replace('student("circle")', ending)))[0]
        with pytest.raises(RuntimeError, match="a hidden test ended itself"):
            circle.call(None)  # type: ignore[arg-type]


def test_an_interrupt_of_the_user_is_passed_on(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        collected(written(folder, "raise KeyboardInterrupt"))
    assert "test_shapes" not in sys.modules


@pytest.mark.parametrize("name", ["conftest.py", "sitecustomize.py", "pytest.py", "numpy.py"])
@pytest.mark.parametrize("place", ["hidden", ".", "submission"])
def test_files_beside_the_tests_do_not_matter(
    folder: Path, monkeypatch: pytest.MonkeyPatch, place: str, name: str
) -> None:
    (folder.parent / "submission").mkdir()
    (folder.parent / place / name).write_text("raise SystemExit(1)")
    monkeypatch.chdir(folder.parent / "submission")
    assert names(written(folder)) == ["test_circle", "test_square"]


def test_each_assignment_has_its_own_tests_in_one_process(tmp_path: Path) -> None:
    copied = copy_project(tmp_path / "copy", "passed")
    hidden = copied / "tests" / "hidden" / "test_rows.py"
    hidden.write_text(hidden.read_text(encoding="utf-8").replace("four rows", "as many rows"), encoding="utf-8")
    for project, title in [(TOY, "four rows"), (copied, "as many rows")] * 2:
        test, *_ = collect_hidden_tests(load_assignment(project), question_ids=["rows"])
        assert title in test.test.title
