"""The handout reveals nothing of the solutions, mistakes and hidden tests of this course, and earns no points."""

import ast
import re
from collections.abc import Iterable

import numpy as np
import pytest

from autograder.contracts import CheckBody
from autograder.contracts.case import EVERYWHERE
from autograder.grading.collection import collect_hidden_tests
from autograder.packaging.handout import Handout, pack_handout
from autograder.results import Visibility
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.handout import list_texts

pytestmark = [pytest.mark.content, pytest.mark.once]

QUESTIONS = [question for question in ASSIGNMENT.questions if not question.answers]  # answers are checked by the grader
CODE = [question.question_id for question in QUESTIONS]
GIVEN = {"getNegativeSamples"}  # part of the assignment's text; no check is about it

FRACTIONS = {f"{1 / n:.8g}" for n in range(2, 10)}  # what equal scores give, and what equal parts are worth
# Of 100,000 hidden numbers and 3,400 that are told, each of eight digits, three are equal by chance; a case has more.
BY_CHANCE = 5
LEAST_CHARACTERS = 10  # shorter lines, such as `else:`, say nothing
# Lines of the reference that visible tests, or the checks that they call, have as well.
SAID_BY_TESTS = {"parse.parse_step(transition)", "return h_drop, mask", "step: float,", "iterations: int,"}
SAID_BY_TESTS |= {"from typing import TypeVar", "def sampleTokenIdx(self) -> int:", 'return "rows"'}
# Lines of hidden tests that visible tests, or their helpers, have as well.
SAID_BY_VISIBLE_TESTS = {'"sigmoid(x)",', "check_step("}


@pytest.fixture(scope="module")
def handout() -> Handout:
    return pack_handout(ASSIGNMENT)


def read_lines(*folders: str) -> set[str]:
    paths = [path for folder in folders for path in (PROJECT / folder).rglob("*.py")]
    paths = [path for path in paths if "starter_modules" not in path.parts]  # students receive them
    return {line.strip() for path in paths for line in path.read_text(encoding="utf-8").splitlines()}


@pytest.fixture(scope="module")
def files(handout: Handout) -> dict[str, str]:
    """The texts of the handout, by path."""
    return list_texts(handout)


@pytest.fixture(scope="module")
def everything(files: dict[str, str]) -> str:
    """All bytes of the handout, as text."""
    return "\n".join(files.values())


@pytest.mark.ci
def test_students_can_run_every_visible_check_of_a_contract(handout: Handout) -> None:
    tests = collect_hidden_tests(ASSIGNMENT, question_ids=CODE)
    by_hand = [each.test for each in tests if not isinstance(each.call, CheckBody)]
    assert handout.only_there == tuple(each.number for each in by_hand if each.visibility is Visibility.VISIBLE)


@pytest.mark.ci
def test_no_line_of_a_solution_is_in_it(everything):
    templates = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "student_template").glob("*.py"))
    secret = read_lines("reference") - read_lines("autograder") - SAID_BY_TESTS
    secret = {line for line in secret if len(line) >= LEAST_CHARACTERS and line not in templates}
    assert len(secret) > 400
    assert [line for line in secret if line in everything] == []


def test_no_seed_kind_array_or_right_value_of_a_contract_is_in_it(everything):
    tests = collect_hidden_tests(ASSIGNMENT, question_ids=CODE)
    calls = {
        is_seen: [each.call for each in tests if (each.test.visibility is Visibility.VISIBLE) is is_seen]
        for is_seen in (True, False)
    }
    assert all(isinstance(each, CheckBody) for each in calls[False])  # each has all its values in its cases
    kinds = {kind for each in calls[False] for case in each.derived.cases for kind in case.kinds}
    assert len(kinds) > 100
    assert [secret for secret in (ASSIGNMENT.seed, *kinds) if secret in everything] == []
    told = list_numbers(float(number) for number in re.findall(r"\d+\.\d+(?:e-\d+)?", everything))
    visible, hidden = list_values(calls[True]), list_values(calls[False])
    assert len(hidden) > 10000 and len(visible & told) > 500
    assert len((hidden & told) - FRACTIONS) <= BY_CHANCE


def test_no_line_of_the_pages_of_solutions_is_in_it(handout, everything):
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "docs" / "solutions").glob("*.md"))
    told = "\n".join(read_lines("student_template"))  # a task in one line, where the solution begins with the same
    cells = {cell.strip() for cell in re.split(r"\n|\|", pages)}
    secret = {cell for cell in cells if len(cell) > 30 and cell not in told}
    assert len(secret) > 40
    assert [line for line in secret if line in everything] == []
    assert [path for path in handout.files if "solutions" in path or path.startswith("docs")] == []


def test_no_line_of_a_mistake_is_in_it(everything):
    told = read_lines("autograder", "student_template", "tests/hidden") | SAID_BY_TESTS
    stories = {line for line in read_lines("tests/mistakes") - told if len(line) > 30 and '"test_' not in line}
    assert len(stories) > 400
    assert [line for line in stories if line in everything] == []


def test_no_line_of_a_hidden_test_is_in_it(everything):
    hidden, others = split_lines()
    secret = {line for line in hidden - others if len(line) >= LEAST_CHARACTERS} - SAID_BY_VISIBLE_TESTS
    assert len(secret) > 50
    assert [line for line in secret if line in everything] == []


def split_lines() -> tuple[set[str], set[str]]:
    """Return the lines of tests that students do not see, with words of rows, and the other lines of their files."""
    hidden: set[str] = set()
    others: set[str] = set()
    for path in (PROJECT / "tests" / "hidden").glob("*.py"):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.parse(source).body:
            marks = [ast.unparse(each) for each in getattr(node, "decorator_list", ())]
            is_hidden = "visibility('after_due_date')" in marks
            own = {line.strip() for line in lines[node.lineno - 1 : node.end_lineno]}
            (hidden if is_hidden else others).update(own)
            hidden |= list_hidden_words(node)
    return hidden, others


def list_hidden_words(node: ast.stmt) -> set[str]:
    """List the words of the rows in a contract's table that students do not see at once."""
    if not isinstance(node, ast.Expr) or not ast.unparse(node).partition("(")[0].endswith(".rows"):
        return set()
    return {ast.literal_eval(each.value)[2] for each in node.value.keywords if each.arg == EVERYWHERE}


def list_values(calls: Iterable[object]) -> set[str]:
    """List the long numbers among the arguments and right values of contracts' checks."""
    checks = [each.derived for each in calls if isinstance(each, CheckBody)]
    cases = [case for check in checks for case in getattr(check, "cases", ())]
    values = [value for case in cases for value in (*case.arguments, *case.expected.values())]
    return list_numbers(value for value in values if isinstance(value, (float, np.ndarray)))


def list_numbers(values: Iterable[float | np.ndarray]) -> set[str]:
    """List the long numbers of values as the handout writes them, unsigned."""
    numbers = {f"{abs(float(number)):.8g}" for value in values for number in np.ravel(value)}
    return {number for number in numbers if len(number) >= LEAST_CHARACTERS}
