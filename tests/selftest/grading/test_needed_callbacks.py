"""A check has 20 times the calls of its functions that the right solution makes, and never fewer than 200."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring import read_callback_source
from autograder.checks import checks
from autograder.diagnosis import count_callbacks
from autograder.grader import Grader, SelfCheck
from autograder.grading.collection import collect_hidden_tests
from autograder.results import CheckResult, Verdict
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.protocol import messages
from autograder.student import Callback, ServedObject, Student
from autograder.submission import QuestionFiles, SourceFile, Submission
from tests.selftest.support.toy_assignment import ASSIGNMENT, reference_text
from tests.selftest.support.toy_scripts import count_requests, judge_all, make_material, make_test

pytestmark = pytest.mark.slow

NEEDED = 15  # so that the limit is 300 calls
ASKS = "def double(f):\n    for _ in range({}): value = f(3.0)\n    return value\n"


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """Yield one zygote for the tests of this file."""
    with Zygote() as made:
        yield made


def double_number(x: float) -> float:
    """Return the double of a number."""
    return 2 * x


def check_double(student: Student) -> None:
    """Hand over a function that doubles."""
    checks.close("double(f)", student.shapes.double(Callback(lambda x: 2 * x)), 6.0)


def judge(zygote: Zygote, text: str, *, body: Callable[[Student], None] = check_double, **changes: Any) -> CheckResult:
    """Judge a file in one test, alone."""
    tests = [make_test(body, "double", **{"callbacks": NEEDED, **changes})]
    return judge_all(make_material(text), tests, zygote, uses_scripts=False)[0]


def test_the_limit_follows_the_need_between_two_bounds() -> None:
    found = [limits.limit_callbacks(needed).most for needed in (None, 0, 10, 11, 68, 20_000)]
    assert found == [limits.CALLBACKS, 200, 200, 220, 1_360, limits.CALLBACKS]


def test_a_function_that_makes_all_calls_of_the_limit_passes(zygote: Zygote) -> None:
    assert judge(zygote, ASKS.format(300)).verdict is Verdict.PASSED


def test_one_call_more_is_refused_with_what_a_right_solution_needs(zygote: Zygote) -> None:
    output = judge(zygote, ASKS.format(301)).output
    assert (
        "found:    a ValueError: too many calls of a function of the check: this check has 300, and a right solution "
        "makes 15\n  where:    shapes.py line 2, in double" in output
    )


def test_a_method_is_named(zygote: Zygote) -> None:
    def body(student: Student) -> None:
        student.shapes.double(ServedObject("model", predict=Callback(lambda: 1)))

    output = judge(zygote, "def double(model):\n    while True: model.predict()\n", body=body).output
    assert "a ValueError: too many calls of model.predict: this check has 300" in output


def test_a_check_that_is_not_visible_says_no_number(zygote: Zygote) -> None:
    output = judge(zygote, ASKS.format(301), visibility="after_due_date").output
    assert "found:    a ValueError: too many calls of the grader's functions\n  where:" in output
    assert "300" not in output
    assert "15" not in output


def test_a_function_that_goes_on_after_each_refusal_is_stopped(zygote: Zygote) -> None:
    started = time.monotonic()
    stubborn = "def double(f):\n    while True:\n        try: f(3.0)\n        except ValueError: pass\n"
    result = judge(zygote, stubborn)
    assert (result.verdict, result.outcome) == (Verdict.FAILED, "timed_out")
    assert time.monotonic() - started < limits.CPU_S


def test_calls_of_what_replaces_another_function_are_not_counted(zygote: Zygote) -> None:
    def check_area(student: Student) -> None:
        checks.close("area", student.shapes.area(2.0, 3.0), 6.0)

    def check_volume(student: Student) -> None:
        checks.close("volume", student.shapes.volume(2.0, 3.0, 4.0), 24.0)

    text = (
        "def area(width, height): return 0\n"
        "def volume(width, height, depth):\n    for _ in range(250): value = area(width, height)\n"
        "    return value * depth\n"
    )
    tests = [make_test(check_area, "area"), make_test(check_volume, "volume", callbacks=0)]
    results = judge_all(make_material(text), tests, zygote, uses_scripts=False)
    assert [each.verdict for each in results] == [Verdict.FAILED, Verdict.PASSED]


def test_calls_that_only_explain_a_failure_are_not_counted(zygote: Zygote) -> None:
    seen: list[float] = []

    def body(student: Student) -> None:
        function = Callback(lambda x: 2 * x)
        student.shapes.double(function)
        student.begin_probing()
        seen.append(student.shapes.double(function))

    assert judge(zygote, ASKS.format(300), body=body).verdict is Verdict.PASSED
    assert seen == [6.0]


def test_a_script_ends_at_the_same_call_and_the_other_tests_pass_by_theirs(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_toy(student: Student) -> None:
        source = read_callback_source(double_number)
        student.shapes.double(Callback(double_number, keywords=(("x",),), source=source))

    def check_area(student: Student) -> None:
        checks.close("area", student.shapes.area(2.0, 3.0), 6.0)

    text = "def double(f):\n    while True: f(1.0)\ndef area(width, height): return width * height\n"
    kinds = count_requests(monkeypatch)
    tests = [make_test(check_toy, "double", callbacks=1), make_test(check_area, "area", callbacks=0)]
    results = judge_all(make_material(text), tests, zygote, uses_scripts=True)
    assert [each.verdict for each in results] == [Verdict.FAILED, Verdict.PASSED]
    assert kinds.count(messages.SCRIPT) == 1
    assert kinds.count(messages.CALL) == 3  # `double` alone, its lines, and `area` beside the right `double`


def test_the_calls_of_the_right_solution_are_counted() -> None:
    found = {
        each.test.name: count_callbacks(each, ASSIGNMENT)
        for each in collect_hidden_tests(ASSIGNMENT, stems=("descent", "rows"))
    }
    assert found["test_descend_number"] == 2 + 9
    assert found["test_descend_postprocessing_number"] == 2 * (2 + 3)
    assert not any(calls for name, calls in found.items() if "descend" not in name)


@pytest.mark.parametrize(("times", "passes"), [(20, True), (21, False)])
def test_a_submission_is_limited_by_what_is_kept(tmp_path: Path, times: int, passes: bool) -> None:
    wasteful = (
        "_right = descend\n"
        "def descend(f, *others):\n"
        f"    return _right(lambda x: [f(x) for _ in range({times})][-1], *others)\n"
    )
    source = SourceFile("descent.py", f"{reference_text('descent')}\n\n{wasteful}", "descent")
    submission = Submission((QuestionFiles("descent", source),), (), "", 0)
    with Grader(ASSIGNMENT, only=("descent",), self_check=SelfCheck(tmp_path, tmp_path)) as grader:
        checked = {each.test_id.partition("::")[2]: each for each in grader.grade(submission).checks}
    number = checked["test_descend_number"]
    assert (number.verdict is Verdict.PASSED) == passes
    assert ("this check has 220, and a right solution makes 11" in number.output) != passes
