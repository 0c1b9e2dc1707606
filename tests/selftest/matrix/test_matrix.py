"""The matrix shows which hidden test catches which known mistake, which mistakes survive, which tests are redundant."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import Severity
from autograder.grading.hidden_test import HiddenTest
from autograder.matrix import is_exact, text
from autograder.matrix.catches import Catch, QuestionCatches
from autograder.results import Visibility
from tests.selftest.support.terminal import run_on_terminal
from tests.selftest.support.toy_assignment import PROJECT


def hidden_test(name: str, number: str) -> HiddenTest:
    """Build a hidden test of the question `sums`."""
    return HiddenTest(f"test_sums.py::{name}", "sums", ("add",), f"add: {name}", number, 1.0, Visibility.VISIBLE, None)


SMALL, LARGE, ODD = hidden_test("small", "1.1"), hidden_test("large", "1.2"), hidden_test("odd", "1.10")


def catch(
    name: str,
    *,
    named: str,
    caught: str,
    story: str = "Adds wrongly.",
    severity: Severity = Severity.SLIP,
    price: float = 0.25,
    reason: str = "",
    **more: Any,
) -> Catch:
    """Build a mistake from names of tests, separated by spaces."""
    tests = frozenset(named.split()), frozenset(caught.split())
    return Catch(name, "add", story, *tests, severity, price, reason, **more)


def derived(name: str, *, breaks: str, broken: str, named: str = "odd", late: bool = False) -> Catch:
    """Build a mistake that fails the test `odd` and does not say so; parts are separated by spaces."""
    parts = {"breaks": tuple(breaks.split()), "broken": tuple(broken.split())}
    return catch(name, named=named, caught="odd", is_derived=True, is_late=late, **parts)


def question(*mistakes: Catch, failed_by_right: str = "") -> QuestionCatches:
    """Build the question `sums` with these mistakes."""
    return QuestionCatches("sums", "Sums", (SMALL, LARGE, ODD), mistakes, frozenset(failed_by_right.split()))


EXACT = question(
    catch("by_one", named="small large", caught="small large"),
    catch("too_large", named="large", caught="large"),
    catch("rounds", named="odd", caught="odd"),
)
COSTS = ["slip", "25", "%"]
BROKEN = question(
    catch("survivor", named="small", caught=""),
    catch("differs", named="small unheard_of", caught="small large"),
    failed_by_right="large",
)


class TestCatches:
    def test_a_bank_is_exact_if_mistakes_fail_the_tests_they_name(self) -> None:
        assert is_exact([EXACT])
        assert list(text.list_findings(EXACT)) == []

    def test_a_test_is_redundant_if_others_catch_all_that_it_catches(self) -> None:
        assert EXACT.redundant == (SMALL,)
        assert EXACT.list_caught_only_by(ODD) == (EXACT.mistakes[2],)

    def test_every_problem_is_a_finding(self) -> None:
        assert not is_exact([EXACT, BROKEN])
        assert list(text.list_findings(BROKEN)) == [
            "the right solution fails 1.2 large",
            "survivor survives: no test fails it",
            "differs fails 1.2 large, but does not name it",
            "differs names unheard_of, but passes it",
            "1.10 odd catches nothing",
        ]

    @pytest.mark.parametrize(
        "wrong",
        [
            question(*EXACT.mistakes, catch("free", named="", caught="")),
            question(*EXACT.mistakes, catch("free", named="odd", caught="")),
            question(*EXACT.mistakes, catch("more", named="odd", caught="odd small")),
            question(*EXACT.mistakes, catch("less", named="odd small", caught="odd")),
            question(*EXACT.mistakes[:2]),
            question(*EXACT.mistakes, failed_by_right="odd"),
            question(*EXACT.mistakes, derived("other_part", breaks="sum", broken="carry")),
            question(*EXACT.mistakes, derived("no_part", breaks="", broken="sum")),
            question(*EXACT.mistakes, derived("elsewhere", breaks="sum", broken="sum", named="")),
            question(*EXACT.mistakes, derived("late", breaks="sum", broken="sum", late=True)),
        ],
        ids=[
            "survives unnamed",
            "survives",
            "fails more",
            "fails fewer",
            "idle test",
            "right fails",
            "another part",
            "no part",
            "not where it is run",
            "endless",
        ],
    )
    def test_each_alone_makes_it_inexact(self, wrong: QuestionCatches) -> None:
        assert not is_exact([wrong])
        assert list(text.list_findings(wrong))

    def test_a_mistake_that_does_not_name_tests_is_judged_by_its_parts(self) -> None:
        one = derived("in_order", breaks="sum carry", broken="carry sum")
        told = [
            derived("other_part", breaks="sum", broken="carry"),
            derived("begun", breaks="", broken="sum"),
            derived("unlike", breaks="sum", broken="sum", named="large"),
            derived("endless", breaks="sum", broken="", named="", late=True),
        ]
        assert is_exact([question(*EXACT.mistakes, one)])
        assert list(text.list_findings(question(*EXACT.mistakes, *told))) == [
            'other_part says breaks=["sum"]; what is wrong is breaks=["carry"]',
            'begun says breaks=[]; what is wrong is breaks=["sum"]',
            "unlike fails 1.10 odd, but passes it in the grader",
            "unlike fails 1.2 large in the grader, but passes it",
            "endless runs out of time; say ends=False, and name the tests as caught_by",
        ]
        assert [each.is_priced for each in told] == [True, False, True, True]


class TestText:
    def test_shows_a_character_for_each_mistake_and_test(self) -> None:
        lines = text.render([EXACT]).splitlines()
        assert [line[2:] for line in lines[1:6]] == [
            "             1",
            "           120",
            "by_one     xx.  slip 25 %",
            "too_large  .x.  slip 25 %",
            "rounds     ..x  slip 25 %",
        ]
        assert lines[6].endswith("any one of these could go, because other tests catch its mistakes too: 1.1")
        assert lines[-1] == "3 mistakes, 3 tests: all as named"

    def test_one_is_told_as_one(self) -> None:
        one = QuestionCatches("sums", "Sums", (ODD,), (EXACT.mistakes[2],))
        assert text.render([one]).splitlines()[0] == "Sums (sums): 1 mistake, 1 test"
        assert text.render([one]).splitlines()[-1] == "1 mistake, 1 test: all as named"

    def test_deviations_have_their_own_signs(self) -> None:
        lines = text.render([BROKEN]).splitlines()
        assert [line.split() for line in lines[3:5]] == [["survivor", "-..", *COSTS], ["differs", "x+.", *COSTS]]
        assert lines[-1] == "2 mistakes, 3 tests: 5 problems"


class TestPage:
    def test_has_the_same_findings_as_the_terminal(self) -> None:
        html = text.render_page([EXACT, BROKEN], title="Toy")
        assert all(line in html for line in text.list_findings(BROKEN))
        assert [row.count('class="mark x"') for row in html.split("<tr>") if "<code>by_one</code>" in row] == [2]
        assert "There are problems" in html
        assert "All as named" in text.render_page([EXACT], title="Toy")

    def test_texts_are_escaped(self) -> None:
        hostile = catch("wrong", named="odd", caught="odd", story="<script>alert(1)</script> & more")
        html = text.render_page([question(hostile)], title="<i>Toy</i>")
        assert "<script" not in html
        assert "<i>" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in html

    def test_is_self_contained(self) -> None:
        html = text.render_page([EXACT], title="Toy")
        assert not re.search(r"\b(?:src|href)=\"(?!#)|url\(|@import|<script|<link|https?:", html)


TOML = """
title = "Toy"
[[questions]]
stem = "{stem}"
title = "{stem} numbers"
points = 2
files = ["{stem}.py"]
  [[questions.functions]]
  name = "{stem}"
"""
HIDDEN = """
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight
from autograder.authoring import checks
from reference import {stem} as reference

@weight(1)
@number("{number}.1")
@visibility("visible")
@tags("{stem}")
def test_{stem}_small(student):
    "{stem}: small numbers"
    checks.equal("{stem}(2)", student.{stem}.{stem}(2), reference.{stem}(2))

@weight(1)
@number("{number}.2")
@visibility("visible")
@tags("{stem}")
def test_{stem}_large(student):
    "{stem}: large numbers"
    checks.equal("{stem}(200)", student.{stem}.{stem}(200), reference.{stem}(200))
"""
MISTAKE = """
@mistake("{stem}", severity="slip", story="{name}", hint="Look.", caught_by={caught_by})
def {stem}_{name}(x):
    return {code}
"""
MISTAKES = {
    "double": [
        ("off_by_one", ["test_double_small", "test_double_large"], "2 * x + 1"),
        ("small_only", ["test_double_large"], "2 * min(x, 100)"),
        ("large_only", ["test_double_small"], "2 * max(x, 100)"),
    ],
    "triple": [
        ("small_only", ["test_triple_large"], "3 * min(x, 100)"),
        ("negative", ["test_triple_small"], "3 * abs(x)"),
        ("other", ["test_triple_small"], "x"),
    ],
}


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two questions: the bank of `double` is in order, that of `triple` is not."""
    project = tmp_path_factory.mktemp("toy")
    for folder in ("autograder", "student_template/utils"):
        shutil.copytree(PROJECT / folder, project / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("reference", "tests/hidden", "tests/mistakes"):
        (project / folder).mkdir(parents=True)
        (project / folder / "__init__.py").touch()
    (project / "tests" / "__init__.py").touch()
    shutil.copy(PROJECT / "tests" / "mistakes" / "__init__.py", project / "tests" / "mistakes")
    for number, (stem, mistakes) in enumerate(MISTAKES.items(), 1):
        with (project / "reference" / "assignment.toml").open("a") as declared:
            declared.write(TOML.format(stem=stem).replace('title = "Toy"', 'title = "Toy"' if number == 1 else ""))
        (project / f"reference/{stem}.py").write_text(f"def {stem}(x):\n    return {number + 1} * x\n")
        (project / f"student_template/{stem}.py").write_text(f"def {stem}(x):\n    raise NotImplementedError\n")
        (project / f"tests/hidden/test_{stem}.py").write_text(HIDDEN.format(stem=stem, number=number))
        bank = [MISTAKE.format(stem=stem, name=name, caught_by=by, code=code) for name, by, code in mistakes]
        (project / f"tests/mistakes/{stem}.py").write_text("from tests.mistakes import mistake\n" + "".join(bank))
    return project


def matrix(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in the project's folder."""
    command = [sys.executable, "-I", str(project / "autograder" / "__main__.py"), "matrix", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.mark.slow
class TestCommand:
    def test_a_bank_in_order_ends_with_0_and_a_page(self, toy: Path) -> None:
        done = matrix(toy, "--only", "double", "--html", "double.html")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-2:] == ["3 mistakes, 2 tests: all as named", "written to double.html"]
        assert "double_off_by_one" in (toy / "double.html").read_text()

    @pytest.mark.ci
    def test_a_survivor_and_a_mistake_caught_by_others_end_with_1(self, toy: Path) -> None:
        done = matrix(toy)
        assert (done.returncode, done.stderr) == (1, "")
        assert "  triple_negative survives: no test fails it\n" in done.stdout
        assert "  triple_other fails 2.2 test_triple_large, but does not name it\n" in done.stdout
        assert "any one of these could go, because other tests catch its mistakes too: 2.1\n" in done.stdout
        assert "triple_negative survives" in (toy / "matrix.html").read_text()

    @pytest.mark.exhaustive
    def test_a_fault_of_the_grader_is_not_a_catch(self, toy: Path, tmp_path: Path) -> None:
        shutil.copytree(toy, tmp_path / "toy")
        with (tmp_path / "toy" / "tests" / "hidden" / "test_double.py").open("a") as hidden:
            hidden.write("    raise KeyError('staff')\n")
        done = matrix(tmp_path / "toy", "--only", "double")
        assert done.returncode == 3
        assert "could not be judged: test_double.py::test_double_large" in done.stderr
        assert "KeyError: 'staff'" in done.stderr

    def test_a_process_that_ends_is_told(self, toy: Path, tmp_path: Path) -> None:
        shutil.copytree(toy, tmp_path / "toy")
        with (tmp_path / "toy" / "tests" / "hidden" / "test_double.py").open("a") as hidden:
            hidden.write("    import os; os._exit(0)\n")
        done = matrix(tmp_path / "toy", "--only", "double")
        assert (done.returncode, done.stdout) == (3, "")
        assert "double: the right solution could not be judged: the process that graded it ended" in done.stderr

    @pytest.mark.parametrize("file", ["reference/double.py", "tests/mistakes/double.py"])
    def test_a_missing_file_of_a_question_is_told_in_one_line(self, toy: Path, tmp_path: Path, file: str) -> None:
        shutil.copytree(toy, tmp_path / "toy")
        (tmp_path / "toy" / file).unlink()
        done = matrix(tmp_path / "toy", "--only", "double")
        (told,) = done.stderr.splitlines()
        assert (done.returncode, done.stdout) == (3, "")
        assert f"{file} does not exist, and the question double needs it" in told

    @pytest.mark.exhaustive
    def test_a_terminal_shows_how_many_are_graded(self, toy: Path) -> None:
        program = [sys.executable, "-I", toy / "autograder" / "__main__.py"]
        shown = run_on_terminal([*program, "matrix", "--only", "double"], toy)
        assert "4/4" in shown  # three mistakes and the right solution
        assert "a second" in shown

    def test_a_question_that_does_not_exist(self, toy: Path) -> None:
        done = matrix(toy, "--only", "dubble")
        assert done.returncode == 2
        assert "there is no question 'dubble'; did you mean 'double'?" in done.stderr

    def test_a_page_that_cannot_be_written_is_reported_at_once(self, toy: Path) -> None:
        done = matrix(toy, "--html", "nowhere/matrix.html")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"cannot write to {toy / 'nowhere'}" in done.stderr
