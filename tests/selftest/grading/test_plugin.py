"""Hidden tests that are not in order are the staff's error and grade nobody; nothing outside their files matters."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import Assignment, Function, Question
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError
from autograder.grading.runnable_test import RunnableTest

ASSIGNMENT = Assignment("Shapes", (Question("shapes", "Shapes", 3.0, ("shapes.py",), (Function("area"),)),))
HEADER = """
import pytest
from gradescope_utils.autograder_utils.decorators import number, partial_credit, tags, visibility, weight
"""
WHOLE = """
@weight(1)
@number("1.2")
@tags("area")
def test_square(student):
    "area: of a square"
    student("square")

@weight(2)
@number("1.1")
@tags("area")
def test_circle(student):
    "area: of a circle"
    student("circle")
"""


def written(folder: Path, text: str) -> Path:
    """The folder, with the hidden tests of the one question."""
    (folder / "test_shapes.py").write_text(HEADER + textwrap.dedent(text))
    return folder


def collected(folder: Path) -> tuple[RunnableTest, ...]:
    """What is collected of the folder's tests."""
    return collect_hidden_tests(folder, ASSIGNMENT, stems=["shapes"])


def names(folder: Path) -> list[str]:
    """The names of the tests that are collected, in their order."""
    return [each.test.test_id.partition("::")[2] for each in collected(folder)]


def refusal(folder: Path) -> str:
    """Why nobody is graded."""
    with pytest.raises(HiddenTestError) as caught:
        collected(folder)
    return str(caught.value)


def test_tests_are_in_the_order_of_their_numbers(folder: Path) -> None:
    assert names(written(folder, WHOLE)) == ["test_circle", "test_square"]


def test_a_test_gets_what_is_put_in_the_students_place_as_often_as_it_is_called(folder: Path) -> None:
    asked: list[str] = []
    for each in collected(written(folder, WHOLE)) * 2:
        each.call(asked.append)  # type: ignore[arg-type]
    assert asked == ["circle", "square"] * 2


class TestPartialCredit:
    TEXT = """
    @partial_credit(3)
    @number("1.1")
    @tags("area")
    def test_circle(student, set_score=None):
        "area: of a circle"
        {body}
    """

    def scores(self, folder: Path, body: str, *students: Any) -> list[float | None]:
        """What the test's body sets when it is called with each of the students."""
        (each,) = collected(written(folder, self.TEXT.format(body=body)))
        return [each.call(student) for student in students]

    def test_a_score_that_was_set_is_handed_to_the_judge(self, folder: Path) -> None:
        assert self.scores(folder, "set_score(1.5)", None) == [1.5]

    def test_none_set_means_none(self, folder: Path) -> None:
        assert self.scores(folder, "pass", None) == [None]

    def test_a_repetition_starts_without_the_score_of_the_first(self, folder: Path) -> None:
        body = "set_score(1.5) if student is None else None"
        assert self.scores(folder, body, None, "another") == [1.5, None]


class TestStaffErrors:
    def test_a_file_that_does_not_import(self, folder: Path) -> None:
        error = refusal(written(folder, "import no_such_module"))
        assert error.startswith("test_shapes.py: ")
        assert "No module named 'no_such_module'" in error

    def test_a_file_that_is_not_python(self, folder: Path) -> None:
        assert "SyntaxError" in refusal(written(folder, "def test_circle(:"))

    def test_a_file_that_ends_the_process(self, folder: Path) -> None:
        assert "test_shapes.py" in refusal(written(folder, "raise SystemExit(0)"))

    @pytest.mark.parametrize(
        ("text", "wish"),
        [
            ("@pytest.fixture\ndef radius(): return 5", "radius"),
            ("", "radius"),
            ("@pytest.fixture(autouse=True)\ndef seeded(): pass", "seeded"),
            ("@pytest.fixture\ndef student(radius): pass", "radius"),
        ],
        ids=["defined", "unknown", "autouse", "behind another"],
    )
    def test_a_fixture(self, folder: Path, text: str, wish: str) -> None:
        test = WHOLE.replace("circle(student)", "circle(student, radius)") if wish == "radius" else WHOLE
        error = refusal(written(folder, textwrap.dedent(test) + text))
        assert f"test_shapes.py::test_circle: the fixture or parameter {wish!r} is not for hidden tests" in error

    def test_a_parameter(self, folder: Path) -> None:
        text = WHOLE.replace("circle(student)", "circle(student, radius)")
        error = refusal(
            written(folder, text.replace("@weight(2)", "@pytest.mark.parametrize('radius', [1])\n@weight(2)"))
        )
        assert "test_shapes.py::test_circle: the fixture or parameter 'radius' is not for hidden tests" in error

    @pytest.mark.parametrize("name", ["setup_module", "setup_function", "teardown_module"])
    def test_a_function_that_pytest_would_run_before_or_after(self, folder: Path, name: str) -> None:
        assert "is not for hidden tests" in refusal(written(folder, f"def {name}(): pass\n{textwrap.dedent(WHOLE)}"))

    def test_a_test_without_a_student(self, folder: Path) -> None:
        error = refusal(written(folder, WHOLE.replace("circle(student)", "circle()")))
        assert error.startswith("test_shapes.py::test_circle: the argument `student` is missing")

    @pytest.mark.parametrize("body", ["yield", "await student"])
    def test_a_body_that_a_plain_call_does_not_run(self, folder: Path, body: str) -> None:
        text = WHOLE.replace("def test_circle", "async def test_circle").replace('student("circle")', body)
        assert "test_shapes.py::test_circle: a plain call does not run it" in refusal(written(folder, text))

    def test_tests_that_are_not_whole_are_all_named(self, folder: Path) -> None:
        error = refusal(written(folder, WHOLE.replace("@weight(1)", "").replace('"1.1"', '"one"')))
        assert "test_shapes.py::test_square: @weight is missing" in error
        assert "test_shapes.py::test_circle: @number is missing or not like" in error

    def test_points_that_do_not_add_up(self, folder: Path) -> None:
        error = refusal(written(folder, WHOLE.replace("@weight(1)", "@weight(2)")))
        assert error == "shapes: the tests give 4 points, assignment.toml says 3"

    def test_no_file_for_a_question(self, folder: Path) -> None:
        assert refusal(folder) == f"no hidden tests for a question: {folder / 'test_shapes.py'} does not exist"

    def test_a_file_for_no_question(self, folder: Path) -> None:
        (folder / "test_sounds.py").write_text(HEADER + WHOLE)
        with pytest.raises(HiddenTestError, match="the assignment has no question 'sounds'"):
            collect_hidden_tests(folder, ASSIGNMENT, stems=["sounds"])

    @pytest.mark.parametrize("mark", ["skip", "skipif(True, reason='later')", "xfail"])
    def test_a_mark(self, folder: Path, mark: str) -> None:
        error = refusal(written(folder, WHOLE.replace("@weight(1)", f"@pytest.mark.{mark}\n@weight(1)")))
        name = mark.partition("(")[0]
        assert error.startswith(f"test_shapes.py::test_square: the mark {name!r} is not for hidden tests")

    def test_a_file_that_skips_itself(self, folder: Path) -> None:
        assert "0 points" in refusal(written(folder, "pytest.skip('later', allow_module_level=True)" + WHOLE))

    @pytest.mark.parametrize("ending", ["pytest.skip('later')", "pytest.fail('no')", "raise SystemExit(0)"])
    def test_a_test_that_ends_itself_is_a_fault_like_any_other(self, folder: Path, ending: str) -> None:
        circle = collected(written(folder, WHOLE.replace('student("circle")', ending)))[0]
        with pytest.raises(RuntimeError, match="a hidden test ended itself"):
            circle.call(None)  # type: ignore[arg-type]

    def test_a_collected_thing_that_breaks_the_reading_of_its_decorators(self, folder: Path) -> None:
        text = WHOLE.replace("@weight(1)", "@weight(type('Weight', (int,), {'__repr__': lambda self: 1 / 0})(-1))")
        assert "ZeroDivisionError" in refusal(written(folder, text))


def test_an_interrupt_of_the_user_is_passed_on(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        collected(written(folder, "raise KeyboardInterrupt"))


class TestNothingElseMatters:
    INI = "[pytest]\naddopts = --no-such-option\npython_functions = none_at_all\ntestpaths = elsewhere\n"

    @pytest.mark.parametrize("place", ["hidden", ".", "submission"])
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("conftest.py", "raise SystemExit(1)"),
            ("conftest.py", "def pytest_collection_modifyitems(items): items.clear()"),
            ("pytest.ini", INI),
            ("tox.ini", INI),
            ("setup.cfg", INI.replace("[pytest]", "[tool:pytest]")),
            ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--no-such-option'\n"),
            ("sitecustomize.py", "raise SystemExit(1)"),
            ("pytest.py", "raise SystemExit(1)"),
        ],
    )
    def test_files_for_pytest(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, place: str, name: str, text: str
    ) -> None:
        (folder.parent / "submission").mkdir()
        (folder.parent / place / name).write_text(text)
        monkeypatch.chdir(folder.parent / "submission")
        assert names(written(folder, WHOLE)) == ["test_circle", "test_square"]

    @pytest.mark.parametrize(
        ("name", "value"), [("PYTEST_ADDOPTS", "--no-such-option"), ("PYTEST_PLUGINS", "no_such_plugin")]
    )
    def test_variables_for_pytest(self, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
        monkeypatch.setenv(name, value)
        assert names(written(folder, WHOLE)) == ["test_circle", "test_square"]

    def test_fixtures_of_a_conftest_are_not_there(self, folder: Path) -> None:
        (folder / "conftest.py").write_text("import pytest\n@pytest.fixture\ndef radius(): return 1\n")
        assert "parameter 'radius' is not for hidden tests" in refusal(
            written(folder, WHOLE.replace("circle(student)", "circle(student, radius)"))
        )

    def test_nothing_is_printed_or_left_behind(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        collected(written(folder, WHOLE))
        captured = capfd.readouterr()
        assert (captured.out, captured.err) == ("", "")
        assert [path.name for path in folder.iterdir() if path.name != "__pycache__"] == ["test_shapes.py"]
