"""The matrix shows which hidden test catches which known mistake, which mistakes survive, which tests are redundant."""

import subprocess
from pathlib import Path

import pytest

from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.catches import Catch, QuestionCatches, is_exact, render_page
from autograder.results import Visibility
from tests.selftest.support.command_line import run_line
from tests.selftest.support.staff_project import copy_toy

pytestmark = pytest.mark.once


def hidden_test(name: str, number: str) -> HiddenTest:
    """Build a hidden test of the question `sums`."""
    return HiddenTest(f"test_sums.py::{name}", "sums", ("add",), f"add: {name}", number, 1.0, Visibility.VISIBLE, None)


SMALL, LARGE, ODD = hidden_test("small", "1.1"), hidden_test("large", "1.2"), hidden_test("odd", "1.10")


def catch(name: str, *, caught: str, story: str = "Adds wrongly.") -> Catch:
    """Build a mistake from names of tests, separated by spaces."""
    return Catch(name, story, frozenset(caught.split()))


def question(*mistakes: Catch, failed_by_right: str = "") -> QuestionCatches:
    """Build the question `sums` with these mistakes."""
    return QuestionCatches("sums", "Sums", (SMALL, LARGE, ODD), mistakes, frozenset(failed_by_right.split()))


EXACT = question(
    catch("by_one", caught="small large"), catch("too_large", caught="large"), catch("rounds", caught="odd")
)
BROKEN = question(catch("survivor", caught=""), catch("differs", caught="small large"), failed_by_right="large")


class TestCatches:
    def test_a_bank_is_exact_if_all_mistakes_are_caught_and_all_tests_catch(self) -> None:
        assert is_exact([EXACT])
        assert EXACT.list_findings() == []

    def test_a_test_is_redundant_if_others_catch_all_that_it_catches(self) -> None:
        assert EXACT.redundant == [SMALL]
        assert EXACT.list_caught_only_by(ODD) == [EXACT.mistakes[2]]

    def test_every_problem_is_a_finding(self) -> None:
        assert not is_exact([EXACT, BROKEN])
        assert BROKEN.list_findings() == [
            "the right solution fails 1.2 large",
            "survivor survives: no test fails it",
            "1.10 odd catches nothing",
        ]


def test_texts_on_the_page_are_escaped() -> None:
    hostile = catch("wrong", caught="odd", story="<script>alert(1)</script> & more")
    html = render_page([question(hostile)], title="<i>Toy</i>")
    assert "<script" not in html
    assert "<i>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in html


MORE_MISTAKES = """

@mistake("unit_rows", story="None.", hint="Look.")
def unit_rows_right(x):
    return unit_rows(x)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the toy."""
    return copy_toy(tmp_path)


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def matrix(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in the assignment's folder."""
    settings = {"AUTOGRADER_ASSIGNMENT": str(project), "XDG_CACHE_HOME": str(project.parent)}
    return run_line("matrix", *arguments, cwd=project, **settings)


@pytest.mark.slow
class TestCommand:
    def test_a_bank_in_order_ends_with_0_and_a_page(self, project: Path) -> None:
        done = matrix(project, "--only", "rows", "--html", "rows.html")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-2:] == ["7 mistakes, 4 tests: all are caught", "written to rows.html"]
        assert "unit_rows_columns" in (project / "rows.html").read_text()

    @pytest.mark.ci
    def test_a_survivor_ends_with_1(self, project: Path) -> None:
        append(project / "tests" / "mistakes" / "rows.py", MORE_MISTAKES)
        done = matrix(project, "--only", "rows")
        assert (done.returncode, done.stderr) == (1, "")
        assert "  unit_rows_right survives: no test fails it\n" in done.stdout
        assert "unit_rows_right survives" in (project / "matrix.html").read_text()

    @pytest.mark.ci
    @pytest.mark.parametrize(
        ("step", "told"),
        [
            ("raise KeyError('staff')", "KeyError: 'staff'"),
            (
                "import os; os._exit(0)",
                "rows: the right solution could not be judged: the process that graded it ended",
            ),
        ],
        ids=["raises", "ends"],
    )
    def test_a_fault_of_the_grader_is_told_and_no_catch(self, project: Path, step: str, told: str) -> None:
        append(project / "tests" / "hidden" / "test_rows.py", f"    {step}\n")
        done = matrix(project, "--only", "rows")
        assert (done.returncode, done.stdout) == (3, "")
        assert "could not be judged: " in done.stderr
        assert told in done.stderr

    @pytest.mark.ci
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--only", "raws"], "there is no question 'raws'; did you mean 'rows'?"),
            (["--html", "nowhere/matrix.html"], "nowhere"),
        ],
        ids=["question", "page"],
    )
    def test_what_does_not_exist_is_told_at_once(self, project: Path, arguments: list[str], told: str) -> None:
        done = matrix(project, *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr
