"""The limits of a check follow from what the right solution needs, and a right solution that is slow loses nothing.

It has 20 times as many calls of the check's functions, and never fewer than 200; and a second of computing time for
each call, where each call of the right solution is quick.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import checks
from autograder.diagnosis import measure_need
from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.results import CheckResult, Verdict
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.limits import Need
from autograder.student import Callback, Student
from autograder.submission import Submission
from tests.selftest.support.shared_judging import (
    check_area,
    check_double,
    check_volume,
    judge_all,
    make_material,
    make_test,
)
from tests.selftest.support.toy_assignment import ASSIGNMENT, reference_text

pytestmark = [pytest.mark.slow, pytest.mark.once]

NEED = Need(15, cpu_s=1)  # so that the limit is 300 calls
ASKS = "def double(f):\n    for _ in range({}): value = f(3.0)\n    return value\n"


def give_double(student: Student) -> None:
    """Give a function that doubles."""
    checks.close("double(f)", student.shapes.double(Callback(lambda x: 2 * x)), 6.0)


def judge(zygote: Zygote, text: str, *, body: Callable[[Student], None] = give_double, **changes: Any) -> CheckResult:
    """Judge a file in one test, alone."""
    tests = [make_test(body, "double", **{"need": NEED, **changes})]
    return judge_all(make_material(text), tests, zygote, shares_workers=False)[0]


def test_the_limit_follows_the_need_between_two_bounds() -> None:
    found = [limits.limit_callbacks(Need(calls, cpu_s=1)).most for calls in (0, 10, 11, 68, 20_000)]
    assert found == [200, 200, 220, 1_360, limits.CALLBACKS]
    assert limits.limit_callbacks(None).most == limits.CALLBACKS


def test_a_function_that_makes_all_calls_of_the_limit_passes(zygote: Zygote) -> None:
    assert judge(zygote, ASKS.format(300)).verdict is Verdict.PASSED


def test_one_call_more_is_refused_with_what_a_right_solution_needs(zygote: Zygote) -> None:
    output = judge(zygote, ASKS.format(301)).output
    assert (
        "found:    a ValueError: too many calls of a function of the check: this check has 300, and a right solution "
        "makes 15\n  where:    shapes.py line 2, in double" in output
    )


def test_a_check_that_is_not_visible_says_no_number(zygote: Zygote) -> None:
    output = judge(zygote, ASKS.format(301), visibility="after_due_date").output
    assert "found:    a ValueError: too many calls of the grader's functions\n  where:" in output
    assert "300" not in output
    assert "15" not in output


def test_a_function_that_goes_on_after_each_refusal_is_stopped(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CPU_S", 10_000)  # so that it is not this limit that ends it
    stubborn = "def double(f):\n    while True:\n        try: f(3.0)\n        except ValueError: pass\n"
    result = judge(zygote, stubborn)
    assert (result.verdict, result.outcome) == (Verdict.FAILED, "timed_out")


def test_the_limit_is_that_of_all_calls_of_a_check_together(zygote: Zygote) -> None:
    def check_twice(student: Student) -> None:
        give_double(student)
        give_double(student)

    assert judge(zygote, ASKS.format(150), body=check_twice).verdict is Verdict.PASSED
    assert "too many calls" in judge(zygote, ASKS.format(151), body=check_twice).output


def test_calls_of_what_replaces_another_function_are_not_counted(zygote: Zygote) -> None:
    text = """
def area(width, height): return 0
def volume(width, height, depth):
    for _ in range(250): value = area(width, height)
    return value * depth
"""
    tests = [make_test(check_area, "area"), make_test(check_volume, "volume", need=Need(0, cpu_s=1))]
    results = judge_all(make_material(text), tests, zygote, shares_workers=False)
    assert [each.verdict for each in results] == [Verdict.FAILED, Verdict.PASSED]


def test_the_need_of_the_right_solution_is_measured() -> None:
    tests = collect_hidden_tests(ASSIGNMENT, question_ids=("descent", "rows"))
    found = {each.test.name: measure_need(each, ASSIGNMENT) for each in tests}
    calls = {name: need and need[:2] for name, need in found.items()}
    assert calls["test_descend_number"] == (2 + 9, 1)
    assert calls["test_descend_postprocessing_number"] == (2 * (2 + 3), 1)
    assert {need for name, need in calls.items() if "descend" not in name} == {(0, 1)}
    assert all(need is not None and 0 < need.replies_bytes < 10_000 for need in found.values())


LOAD = "import time\nwhile time.process_time() < 0.5: pass\n"
BUSY = """
import time
def double(x):
    end = time.process_time() + {}
    while time.process_time() < end: pass
    return 2 * x
"""


class TestTheTimeOfACall:
    def test_follows_the_longest_call_of_the_right_solution(self) -> None:
        assert [limits.choose_cpu_s(longest_s) for longest_s in (0.0, 0.002, 0.004, 0.01, 0.1)] == [1, 1, 2, 3, 10]

    @pytest.mark.parametrize(
        ("text", "cpu_s", "passes"),
        [
            pytest.param(BUSY.format(1.2), 0.4, False, id="more than the limit"),
            pytest.param(BUSY.format(0.6), 0, True, id="where right work is slow"),
            pytest.param(f"{LOAD}{BUSY.format(0.6)}", 1, True, marks=pytest.mark.ci, id="beside that of the load"),
        ],
    )
    def test_is_limited_where_right_work_is_quick(self, zygote: Zygote, text: str, cpu_s: float, passes: bool) -> None:
        result = judge(zygote, text, body=check_double, need=Need(0, cpu_s=cpu_s))
        assert (result.verdict is Verdict.PASSED) == passes
        assert ("It was stopped because it took too long." in result.output) != passes

    def test_is_that_of_each_call_and_not_of_the_check(self, zygote: Zygote) -> None:
        def body(student: Student) -> None:
            checks.close("each", student.shapes.double.each([[1.0], [2.0]]), [2.0, 4.0])
            checks.close("another", student.shapes.double(3.0), 6.0)

        assert judge(zygote, BUSY.format(0.4), body=body, need=Need(0, cpu_s=1)).verdict is Verdict.PASSED

    @pytest.mark.ci
    def test_begins_again_after_each_callback(self, zygote: Zygote) -> None:
        text = BUSY.format(0.6).replace("return 2 * x", "return x(3.0)")
        text += "busy = double\ndef double(x): return busy(x) and busy(x)\n"
        assert judge(zygote, text).verdict is Verdict.PASSED

    @pytest.mark.ci
    def test_is_not_taken_away_by_student_code_for_more_than_the_limit_of_the_worker(
        self, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "CPU_S", 2)
        stubborn = "import signal\ndef double(x):\n    signal.setitimer(signal.ITIMER_PROF, 0)\n    while True: pass\n"
        result = judge(zygote, stubborn, body=check_double)
        assert (result.verdict, result.outcome) == (Verdict.FAILED, "timed_out")


SLOW = """
import time as _time
def _slow(function):
    def call(*given, **named):
        others = [0.0]
        def watch(each):
            def ask(*arguments):
                started = _time.process_time()
                value = each(*arguments)
                others[0] += _time.process_time() - started
                return value
            return ask
        given = [watch(each) if callable(each) else each for each in given]
        started = _time.process_time()
        value = function(*given, **named)
        end = started + 100 * (_time.process_time() - started - others[0])
        while _time.process_time() < end: pass
        return value
    return call
"""


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("question_id", ["descent", "rows", "averages"])
def test_right_work_that_is_a_hundred_times_slower_loses_nothing(tmp_path: Path, question_id: str) -> None:
    names = [each.name for each in ASSIGNMENT.get_question(question_id).functions if "." not in each.name]
    replaced = "".join(f"{name} = _slow({name}) if type({name}) is not type else {name}\n" for name in names)
    submission = Submission.build(ASSIGNMENT, {question_id: f"{reference_text(question_id)}\n{SLOW}{replaced}"})
    with Grader(ASSIGNMENT, only=(question_id,), kept=tmp_path) as grader:
        found = grader.grade(submission).checks
    assert found
    assert all(each.verdict is Verdict.PASSED for each in found)
