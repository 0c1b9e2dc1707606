"""Questions from solutions and signatures alone: right work in other styles and wrong work are told apart."""

import difflib
import importlib
import json
import re
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple

import pytest

from tests.selftest.questions.test_new_question import run
from tests.selftest.questions.test_reference_question import read_strength
from tests.selftest.support.staff_project import copy_toy, write_seed

pytestmark = [pytest.mark.slow, pytest.mark.once]

FOLDER = Path(__file__).parent


class Error(NamedTuple):
    """A function or class of a solution, and an edit of its text."""

    function: str
    right: str
    wrong: str


def read_rounds(folder: str) -> list[list[Error]]:
    """Read the errors of a solution: those of a round are in different functions."""
    rounds = importlib.import_module(f"{__package__}.{folder}.errors").ROUNDS
    return [[Error(*each) for each in errors] for errors in rounds]


def edit(solution: str, errors: list[Error]) -> str:
    """Write the solution with an error in each of these functions."""
    parts = re.split(r"^(?=def |class )", solution, flags=re.MULTILINE)
    for function, right, wrong in errors:
        (place,) = (place for place, part in enumerate(parts) if re.match(rf"(def|class) {function}\b", part))
        assert right in parts[place], (function, right)
        parts[place] = parts[place].replace(right, wrong, 1)
    return "".join(parts)


def list_lost(project: Path, question: str, text: str) -> set[str]:
    """List the functions that lose points."""
    (project / f"{question}.py").write_text(text, encoding="utf-8")
    done = run(project, "grade", f"{question}.py", "--only", question)
    assert done.returncode == 0, done.stderr
    tests = json.loads((project / "results" / "results.json").read_text(encoding="utf-8"))["tests"]
    return {str(re.match(r"\w+", each["name"])[0]) for each in tests if each["score"] < each["max_score"]}  # type: ignore[index]


def edit_contracts(project: Path, question: str, folder: str) -> int:
    """Edit the contracts that the command wrote, and return how many lines are new."""
    file = project / "tests" / "hidden" / f"test_{question}.py"
    written = edited = file.read_text(encoding="utf-8")
    for old, new in importlib.import_module(f"{__package__}.{folder}.edits").EDITS.items():
        assert edited.count(old) == 1, old
        edited = edited.replace(old, new)
    file.write_text(edited, encoding="utf-8")
    return len([line for line in difflib.ndiff(written.splitlines(), edited.splitlines()) if line.startswith("+ ")])


def make_question(folder: Path, question: str, files: Path) -> tuple[Path, CompletedProcess[str]]:
    """Make a question of a solution and its signatures in a copy of the toy, and return how the command ended."""
    project = write_seed(copy_toy(folder))
    listed = ("--reference", str(files / "solution.py"), "--signatures", str(files / "signatures.txt"))
    return project, run(project, "new", "question", question, *listed)


@pytest.mark.ci
def test_a_second_course_of_20_functions_and_classes_is_served_by_few_edits(tmp_path: Path) -> None:
    """Measured: 21 served, 33 edited lines, 62 of 62 wrong versions caught, 3 styles without a rejection."""
    files = FOLDER / "second_course"
    project, made = make_question(tmp_path, "algorithms", files)
    caught, wrong = read_strength(made.stdout)
    assert caught >= 0.95 * wrong > 150
    assert "left out" not in made.stderr
    solution = (files / "solution.py").read_text(encoding="utf-8")
    served = {line.partition("(")[0].partition(".")[0] for line in re.findall(r"^\S+\(.*", made.stdout, re.MULTILINE)}
    assert served == set(re.findall(r"^(?:def|class) (\w+)", solution, re.MULTILINE))
    assert len(served) > 20
    assert edit_contracts(project, "algorithms", "second_course") <= 60
    assert list_lost(project, "algorithms", solution) == set()
    for style in files.glob("style_*.py"):
        assert list_lost(project, "algorithms", style.read_text(encoding="utf-8")) == set(), style.name
    rounds = read_rounds("second_course")
    found = 0
    for errors in rounds:
        functions = {error.function for error in errors}
        lost = list_lost(project, "algorithms", edit(solution, errors))
        assert lost <= functions
        found += len(lost)
    assert found >= 0.95 * sum(map(len, rounds)) > 55


@pytest.mark.ci
def test_a_question_is_served_by_its_signatures(tmp_path: Path) -> None:
    files = FOLDER / "ten_layers"
    project, made = make_question(tmp_path, "layers", files)
    caught, wrong = read_strength(made.stdout)
    assert wrong > 150
    assert caught >= wrong - 1  # one that needs a rare input may survive: it is printed with such an input
    assert made.stdout.count("passes every hidden test, and is wrong for") == wrong - caught
    solution = (files / "solution.py").read_text(encoding="utf-8")
    for errors in read_rounds("ten_layers"):
        assert list_lost(project, "layers", edit(solution, errors)) == {error.function for error in errors}
