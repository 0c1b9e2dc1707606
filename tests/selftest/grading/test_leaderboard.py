"""A visible test that passes with the student's own functions alone may set a value on the leaderboard."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import Assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTestError, RunnableTest
from autograder.results import CheckResult, LeaderboardEntry, Verdict
from autograder.sandbox.host.client import Zygote
from tests.selftest.support.made_judge import LOST, make_judge
from tests.selftest.support.toy_question import ASSIGNMENT, changed

pytestmark = [pytest.mark.slow, pytest.mark.once]

HEADER = """from gradescope_utils.autograder_utils.decorators import (
    leaderboard, number, partial_credit, tags, visibility, weight
)
"""
TEST = """
@weight({points})
@number("1.{number}")
@visibility("visible")
@tags("double")
@leaderboard("doubled")
def test_double_{number}(student, set_leaderboard_value=None):
    "double: a number"
    set_leaderboard_value(student.shapes.double(4))
    student.shapes.double(1)
"""
WHOLE = TEST.format(points=10, number=1)
VISIBLE_ONLY = "@leaderboard is for visible tests only: everybody sees a leaderboard at once"
OF_VOLUME = (
    WHOLE.replace("double(4)", "volume(1, 1, 4)")
    .replace('"double")', '"volume")')
    .replace("double(1)", "volume(1, 1, 1)")
)


def write(folder: Path, text: str) -> Assignment:
    """Write the hidden tests of the toy question, and return the assignment that has them."""
    (folder / "test_shapes.py").write_text(HEADER + text)
    return replace(ASSIGNMENT, root=folder.parents[1])


def collect(folder: Path, text: str) -> RunnableTest:
    """Collect the one test of this text."""
    (found,) = collect_hidden_tests(write(folder, text), question_ids=["shapes"])
    return found


def refusal(folder: Path, text: str) -> str:
    """Why nobody is graded."""
    with pytest.raises(HiddenTestError) as caught:
        collect_hidden_tests(write(folder, text), question_ids=["shapes"])
    return re.sub(r"test_shapes\.py:\d+: test_double_1: ", "", str(caught.value))


@pytest.fixture
def judge(folder: Path, zygote: Zygote) -> Callable[..., CheckResult]:
    """Judge a test, given by its text, on a submission of the toy question in which some functions are changed."""

    def judge(text: str, *functions: str) -> CheckResult:
        found = collect(folder, text)
        judge = make_judge(changed(*functions), zygote=zygote)
        judge.memory.record(replace(found.test, functions=("area",)), LOST)
        return judge.judge(*found)

    return judge


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"doubled"', '"doubled", "up"', 'the order of @leaderboard is "desc" or "asc"'),
        *(('"visible"', f'"{when}"', VISIBLE_ONLY) for when in ("after_due_date", "after_published", "hidden")),
        (
            ", set_leaderboard_value=None",
            "",
            "@leaderboard gives `set_leaderboard_value`; write `set_leaderboard_value=None` among the arguments",
        ),
        (
            '@leaderboard("doubled")\n',
            "",
            "the argument `set_leaderboard_value` is given by @leaderboard, which is missing",
        ),
    ],
)
def test_what_is_wrong_in_the_decorator_is_told(folder: Path, old: str, new: str, problem: str) -> None:
    assert refusal(folder, WHOLE.replace(old, new)) == problem


@pytest.mark.parametrize(("order", "written"), [("desc", ""), ("asc", ', "asc"'), ("asc", ', sort_order="asc"')])
def test_a_passed_test_sets_its_value(judge: Callable[..., CheckResult], order: Any, written: str) -> None:
    result = judge(WHOLE.replace('"doubled"', f'"doubled"{written}'))
    assert (result.verdict, result.score) == (Verdict.PASSED, 10.0)
    assert result.leaderboard == LeaderboardEntry(name="doubled", value=8.0, order=order)


@pytest.mark.parametrize(
    ("text", "functions", "verdict"),
    [
        (WHOLE, ["def double(x): raise ValueError"], Verdict.FAILED),
        (WHOLE.replace("student.shapes.double(1)", "student.shapes.missing()"), [], Verdict.NOT_WRITTEN),
        (OF_VOLUME, ["def area(a, b): return [][0]"], Verdict.PASSED),
        (WHOLE.replace("    set_leaderboard_value(", "    str("), [], Verdict.PASSED),
    ],
    ids=["fails", "fails after it was set", "passes with the grader's functions", "sets none"],
)
def test_any_other_test_has_no_value(
    judge: Callable[..., CheckResult], text: str, functions: list[str], verdict: Verdict
) -> None:
    result = judge(text, *functions)
    assert (result.verdict, result.leaderboard) == (verdict, None)
    assert result.replaced == (("area",) if text == OF_VOLUME else ())


def test_a_text_is_cut_and_what_steers_a_terminal_is_escaped(judge: Callable[..., CheckResult]) -> None:
    result = judge(WHOLE.replace("student.shapes.double(4)", r"'a\x1b' + 'b' * 200"))
    assert result.leaderboard is not None
    assert str(result.leaderboard.value).startswith(r"a\x1bb")
    assert len(str(result.leaderboard.value)) <= 100


@pytest.mark.parametrize("value", ["float('nan')", "float('inf')", "[1]"])
def test_anything_else_is_a_fault_of_the_test_which_has_no_score(judge: Callable[..., CheckResult], value: str) -> None:
    result = judge(WHOLE.replace("student.shapes.double(4)", value))
    assert (result.verdict, result.leaderboard) == (Verdict.UNDECIDED, None)
