"""New question: what the command writes is a whole question."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.questions.new_question import insert_row
from autograder.questions.question_texts import EXAMPLE
from autograder.questions.signature import SignatureError, choose_sizes, parse_signature
from tests.selftest.support.staff_project import copy_staff_project
from tests.selftest.support.toy_assignment import PROJECT

STEM = "linear_layer"
SIGNATURES = ("linear_loss(w: (D,), x: (N, D), rate: float)", "centred(x)", "scaled(x: (N, 2), k: int)")
FILES = (
    f"reference/{STEM}.py",
    f"student_template/{STEM}.py",
    f"tests/hidden/test_{STEM}.py",
    f"tests/mistakes/{STEM}.py",
)


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line of a project."""
    return run_python(project, "-I", "autograder/__main__.py", *arguments)


def run_python(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of a project."""
    settings = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(project.parent / "cache")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=project, env=settings, capture_output=True, text=True, check=False)


def make(project: Path) -> subprocess.CompletedProcess[str]:
    """Make the question in a project."""
    return run(project, "new", "question", STEM, *SIGNATURES, "--loss", "linear_loss", "--title", "A linear layer")


def write_task(project: Path) -> None:
    """Replace the example text by a task in the files that students and graders read."""
    for path in FILES[:2]:
        file = project / path
        file.write_text(file.read_text(encoding="utf-8").replace(EXAMPLE, "Do it."), encoding="utf-8")


class TestCommand:
    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        """A copy of the grader and the toy."""
        return copy_staff_project(tmp_path)

    def test_its_question_grades_and_each_check_catches_a_mistake(self, project: Path) -> None:
        done = make(project)
        assert (done.returncode, done.stderr) == (0, "")
        assert all(f"written: {path}\n" in done.stdout for path in FILES)
        matrix = run(project, "matrix", "--only", STEM)
        assert (matrix.returncode, "4 mistakes, 9 tests: all as named" in matrix.stdout) == (0, True)
        prices = [line.split(",")[0].split() for line in matrix.stdout.splitlines() if line.endswith(", 0 outside")]
        assert prices == [["slip", "1", "mistake"], ["misconception", "3", "mistakes"]]
        graded = run(project, "grade", f"reference/{STEM}.py", "--only", STEM)
        assert "15 of 15 points, 9 of 9 checks passed" in graded.stdout
        assert run(project, "lint", "results/results.json").returncode == 0
        template = run(project, "grade", f"student_template/{STEM}.py", "--only", STEM)
        assert "0 of 15 points" in template.stdout

    def test_its_files_are_in_the_style_of_the_others(self, project: Path) -> None:
        make(project)
        shutil.copy(PROJECT / "pyproject.toml", project)
        check = run_python(project, "-m", "ruff", "check", "--no-cache", *FILES)
        style = run_python(project, "-m", "ruff", "format", "--no-cache", "--check", *FILES)
        assert (check.returncode, style.returncode) == (0, 0), check.stdout + style.stdout

    @pytest.mark.sampled(second=2, ci=6)
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["descent", "f(x)"], "there is a question 'descent' already"),
            (["My-Question", "f(x)"], "'My-Question' is no id"),
            (["fitting_checks", "f(x)"], ""),
            ([STEM, "f(x)", "f(y)"], "two signatures have the same name"),
            ([STEM, "f(x)", "--loss", "g"], "--loss g: that function has no signature; there are f"),
            ([STEM, "f(x"], "'f(x' is no signature"),
        ],
    )
    def test_what_cannot_be_made_is_told_and_nothing_is_written(
        self, project: Path, arguments: list[str], told: str
    ) -> None:
        before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
        if not told:
            (project / "tests" / "mistakes" / "fitting_checks.py").touch()
            before[project / "tests" / "mistakes" / "fitting_checks.py"] = b""
            told = "tests/mistakes/fitting_checks.py exists"
        done = run(project, "new", "question", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr
        assert {path: path.read_bytes() for path in project.rglob("*") if path.suffix != ".pyc" and path.is_file()} == {
            path: text for path, text in before.items() if path.suffix != ".pyc"
        }


class TestSignature:
    def test_shapes_and_numbers_are_read(self) -> None:
        signature = parse_signature(SIGNATURES[0], ["linear_loss"])
        assert (signature.name, signature.names, signature.is_loss) == ("linear_loss", "w, x, rate", True)
        assert [argument.shape for argument in signature.arguments] == ["(D,)", "(N, D)", "float"]

    def test_an_argument_without_a_shape_is_a_matrix(self) -> None:
        assert [argument.shape for argument in parse_signature("f(x, y)").arguments] == ["(N, D)", "(N, D)"]

    def test_letters_that_differ_get_sizes_that_differ(self) -> None:
        signatures = [parse_signature(SIGNATURES[0]), parse_signature("f(x: (K, 7, N))")]
        sizes, others = choose_sizes(signatures), choose_sizes(signatures, is_other=True)
        assert list(sizes) == ["D", "N", "K"]
        assert len(set(sizes.values())) == len(set(others.values())) == 3
        assert sizes != others

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("f", "'f' is no signature"),
            ("f(x):\n    import os", "is no signature"),
            ("f()", "write one or more arguments by position"),
            ("f(x=1)", "without defaults"),
            ("f(*x)", "write one or more arguments by position"),
            ("f(x, *, y)", "write one or more arguments by position"),
            ("f(x: list)", "list is none of `float`, `int` and a shape"),
            ("f(x: ())", "() is none of `float`, `int` and a shape"),
            ("f(x: (N + 1,))", "(N + 1,) is none of"),
            ("loss(x: float)", "the first argument of a loss"),
        ],
    )
    def test_what_is_none_is_refused(self, text: str, told: str) -> None:
        with pytest.raises(SignatureError, match=re.escape(told)):
            parse_signature(text, ["loss"])


def test_a_row_is_inserted_at_the_end_of_the_first_table() -> None:
    assert insert_row("a\n\n| b |\n|---|\n\nc\n", "| d |") == "a\n\n| b |\n|---|\n| d |\n\nc\n"
    assert insert_row("| b |", "| d |") == "| b |\n| d |\n"
    assert insert_row("no table\n", "| d |") == "no table\n"
