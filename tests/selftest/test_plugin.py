"""Hidden tests that are not in order are the staff's error and grade nobody; nothing outside their files matters."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import Assignment, Function, Question
from autograder.hidden_test import HiddenTest, HiddenTestError
from autograder.plugin import run_hidden_tests
from autograder.results import CheckResult, Verdict

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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for hidden tests, whose module no earlier test imported."""
    monkeypatch.delitem(sys.modules, "test_shapes", raising=False)
    (tmp_path / "hidden").mkdir()
    return tmp_path / "hidden"


def written(folder: Path, text: str) -> Path:
    """The folder, with the hidden tests of the one question."""
    (folder / "test_shapes.py").write_text(HEADER + textwrap.dedent(text))
    return folder


class Recorder:
    """A judge that runs every test once with itself in the student's place and believes it."""

    def __init__(self) -> None:
        self.judged: list[str] = []
        self.scores: list[float | None] = []
        self.asked: list[str] = []

    def __call__(self, test: HiddenTest, call: Any) -> CheckResult:
        """Run one test."""
        self.judged.append(test.test_id.partition("::")[2])
        self.scores.append(call(self.asked.append))
        described = test.__dict__.keys() & CheckResult.model_fields.keys()
        known = {name: getattr(test, name) for name in described}
        return CheckResult(**known, score=test.points, verdict=Verdict.PASSED, outcome="returned", output="")


def run(folder: Path) -> Recorder:
    """What was judged of the folder's tests."""
    recorder = Recorder()
    results = run_hidden_tests(folder, ASSIGNMENT, stems=["shapes"], judge=recorder)
    assert [result.test_id.partition("::")[2] for result in results] == recorder.judged
    return recorder


def refusal(folder: Path) -> str:
    """Why nobody is graded."""
    with pytest.raises(HiddenTestError) as caught:
        run(folder)
    return str(caught.value)


def test_tests_are_judged_in_the_order_of_their_numbers(folder: Path) -> None:
    assert run(written(folder, WHOLE)).judged == ["test_circle", "test_square"]


def test_a_test_gets_what_the_judge_puts_in_the_students_place(folder: Path) -> None:
    assert run(written(folder, WHOLE)).asked == ["circle", "square"]


def test_fixtures_are_handed_over_beside_it(folder: Path) -> None:
    text = """
    @pytest.fixture
    def radius():
        return "5"

    @weight(3)
    @number("1.1")
    @tags("area")
    def test_circle(radius, student):
        "area: of a circle"
        student(radius)
    """
    assert run(written(folder, text)).asked == ["5"]


class TestPartialCredit:
    TEXT = """
    @partial_credit(3)
    @number("1.1")
    @tags("area")
    def test_circle(student, set_score=None):
        "area: of a circle"
        {body}
    """

    def test_a_score_that_was_set_is_handed_to_the_judge(self, folder: Path) -> None:
        assert run(written(folder, self.TEXT.format(body="set_score(1.5)"))).scores == [1.5]

    def test_none_set_means_none(self, folder: Path) -> None:
        assert run(written(folder, self.TEXT.format(body="pass"))).scores == [None]

    def test_a_repetition_starts_without_the_score_of_the_first(self, folder: Path) -> None:
        text = self.TEXT.format(body="set_score(1.5) if student('') is None else None")
        scores = []

        def judge_twice(test: HiddenTest, call: Any) -> CheckResult:
            scores.extend([call(lambda _: None), call(lambda _: "another answer")])
            return Recorder()(test, lambda _: None)

        run_hidden_tests(written(folder, text), ASSIGNMENT, stems=["shapes"], judge=judge_twice)
        assert scores == [1.5, None]


class TestStaffErrors:
    def test_a_file_that_does_not_import(self, folder: Path) -> None:
        error = refusal(written(folder, "import no_such_module"))
        assert error.startswith("test_shapes.py: ")
        assert "No module named 'no_such_module'" in error

    def test_a_file_that_is_not_python(self, folder: Path) -> None:
        assert "SyntaxError" in refusal(written(folder, "def test_circle(:"))

    def test_a_file_that_ends_the_process(self, folder: Path) -> None:
        assert "test_shapes.py" in refusal(written(folder, "raise SystemExit(0)"))

    def test_a_fixture_that_raises(self, folder: Path) -> None:
        text = """
        @pytest.fixture
        def radius():
            raise RuntimeError("no radius")

        @weight(3)
        @number("1.1")
        @tags("area")
        def test_circle(student, radius):
            "area: of a circle"
        """
        error = refusal(written(folder, text))
        assert error.startswith("test_shapes.py::test_circle: ")
        assert "RuntimeError: no radius" in error

    def test_a_fixture_that_nobody_has(self, folder: Path) -> None:
        assert "fixture 'radius' not found" in refusal(
            written(folder, WHOLE.replace("circle(student)", "circle(radius)"))
        )

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
            run_hidden_tests(folder, ASSIGNMENT, stems=["sounds"], judge=Recorder())

    @pytest.mark.parametrize("skip", ["@pytest.mark.skip", "@pytest.mark.skipif(True, reason='later')"])
    def test_a_test_that_is_skipped(self, folder: Path, skip: str) -> None:
        error = refusal(written(folder, WHOLE.replace("@weight(1)", f"{skip}\n@weight(1)")))
        assert error == "test_shapes.py::test_square: was not run; a graded test cannot be skipped"

    def test_a_test_that_skips_itself(self, folder: Path) -> None:
        error = refusal(written(folder, WHOLE.replace('student("square")', 'pytest.skip("later")')))
        assert error == "test_shapes.py::test_square: was not run; a graded test cannot be skipped"

    def test_a_file_that_skips_itself(self, folder: Path) -> None:
        assert "0 points" in refusal(written(folder, "pytest.skip('later', allow_module_level=True)" + WHOLE))

    def test_a_test_that_ends_pytest(self, folder: Path) -> None:
        error = refusal(written(folder, WHOLE.replace('student("square")', 'pytest.exit("enough")')))
        assert "test_shapes.py::test_square: was not run" in error

    def test_a_judge_that_fails(self, folder: Path) -> None:
        def judge(_test: HiddenTest, _call: Any) -> CheckResult:
            raise RuntimeError("no judge")

        with pytest.raises(HiddenTestError, match="no judge"):
            run_hidden_tests(written(folder, WHOLE), ASSIGNMENT, stems=["shapes"], judge=judge)

    def test_a_collected_thing_that_breaks_the_reading_of_its_decorators(self, folder: Path) -> None:
        text = WHOLE.replace("@weight(1)", "@weight(type('Weight', (int,), {'__repr__': lambda self: 1 / 0})(-1))")
        assert "ZeroDivisionError" in refusal(written(folder, text))


def test_an_interrupt_of_the_user_is_passed_on(folder: Path) -> None:
    def judge(_test: HiddenTest, _call: Any) -> CheckResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_hidden_tests(written(folder, WHOLE), ASSIGNMENT, stems=["shapes"], judge=judge)


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
        assert run(written(folder, WHOLE)).judged == ["test_circle", "test_square"]

    @pytest.mark.parametrize(
        ("name", "value"), [("PYTEST_ADDOPTS", "--no-such-option"), ("PYTEST_PLUGINS", "no_such_plugin")]
    )
    def test_variables_for_pytest(self, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
        monkeypatch.setenv(name, value)
        assert run(written(folder, WHOLE)).judged == ["test_circle", "test_square"]

    def test_fixtures_of_a_conftest_are_not_there(self, folder: Path) -> None:
        (folder / "conftest.py").write_text("import pytest\n@pytest.fixture\ndef radius(): return 1\n")
        assert "fixture 'radius' not found" in refusal(
            written(folder, WHOLE.replace("circle(student)", "circle(radius)"))
        )

    def test_nothing_is_printed_or_left_behind(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        run(written(folder, WHOLE))
        captured = capfd.readouterr()
        assert (captured.out, captured.err) == ("", "")
        assert [path.name for path in folder.iterdir() if path.name != "__pycache__"] == ["test_shapes.py"]
