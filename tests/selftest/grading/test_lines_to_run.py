"""Lines to run are the first failing case of a visible check, and stand there only if it fails alone, too."""

from typing import Any

import pytest

from autograder.assignment import Variant
from autograder.contracts import CheckBody, Contract
from autograder.contracts.body import Check
from autograder.contracts.check import CaseCheck
from autograder.grading.explain import REPRODUCER, RIGHT_ALONE
from autograder.results import Verdict, Visibility
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.limits import Need
from tests.selftest.support import toy_shapes
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.pasted_lines import read_lines
from tests.selftest.support.shared_judging import count_requests
from tests.selftest.support.toy_question import OTHER_YEAR, hidden_test, submission

pytestmark = [pytest.mark.slow, pytest.mark.once]

SEED = "a seed"
DOUBLE = Contract(toy_shapes.double, "x: (N,) -> doubled: (N,)", keeps_arguments=True)
OF_NUMBER = Contract(toy_shapes.double, "x: float > 0 -> doubled: float")

# What `double(x)` does, and whether the lines of its check are shown.
FILES = {
    "a wrong value": ("return 3 * x", True),
    "an error": ("return 1 / 0", True),
    "an exception of its own": ("raise type('Mine', (Exception,), {})", True),
    "another shape": ("return x[:1]", True),
    "None": ("return None", True),
    "an end of the process": ("import os; os._exit(1)", True),
    "prints": ("print('here'); return 3 * x", True),
    "another wrong value each time": ("import os; return os.getpid() + x", True),
    "an end of the process later": ("COUNT.append(1); import os; len(COUNT) > 1 and os._exit(1); return 2 * x", False),
}


def judge(
    zygote: Zygote, text: str, check: Check | None = None, *, variant: Variant | None = None, **of_test: Any
) -> Any:
    """Return the result of a check, by default an ordinary one of arrays, on a file."""
    body = CheckBody(check or DOUBLE.ordinary(), seed=SEED)
    return make_judge(submission(text, variant=variant), zygote=zygote).judge(hidden_test("double", **of_test), body)


def define(body: str) -> str:
    """Write a file with one function."""
    return f"COUNT = []\ndef double(x): {body}\n"


@pytest.mark.parametrize(("body", "is_shown"), FILES.values(), ids=FILES)
def test_lines_show_the_failure_or_do_not_stand_there(body: str, is_shown: bool, zygote: Zygote) -> None:
    check = judge(zygote, define(body))
    assert check.verdict is Verdict.FAILED
    assert (REPRODUCER in check.output) == is_shown
    assert RIGHT_ALONE not in check.output


@pytest.mark.parametrize("wrong", ["2 * COUNT[0]", "1 / 0", "None"])
def test_a_case_that_is_right_alone_is_told(wrong: str, zygote: Zygote) -> None:
    check = judge(zygote, define(f"COUNT.append(x); return 2 * x if len(COUNT) < 2 else {wrong}"))
    assert RIGHT_ALONE in check.output
    assert REPRODUCER not in check.output


def list_numbers(check: Check) -> list[float]:
    """List the arguments of a check of numbers."""
    derived = check.derive(SEED)
    assert isinstance(derived, CaseCheck)
    return [case.arguments[0] for case in derived.cases]


@pytest.mark.ci
def test_lines_that_do_not_end_are_a_late_check(zygote: Zygote) -> None:
    check = OF_NUMBER.ordinary()
    alone = f"\n    while x != {list_numbers(check)[0]!r}: pass\n    return 2 * x"
    text = define(f"\n    COUNT.append(x)\n    if len(COUNT) > 1: return 3 * x{alone}")
    judge = make_judge(submission(text), zygote=zygote)
    test, body = hidden_test("double", need=Need(0, cpu_s=1)), CheckBody(check, seed=SEED)
    results = [judge.judge(test, body) for _ in range(3)]
    assert {result.verdict for result in results} == {Verdict.FAILED}
    assert [result.was_run for result in results] == [True, True, False]


def test_the_first_failing_case_is_shown(zygote: Zygote) -> None:
    check = OF_NUMBER.ordinary()
    first, second, *_ = list_numbers(check)
    assert first != second
    shown = read_lines(judge(zygote, define(f"return 2 * x + (x == {second!r})"), check))
    assert shown.startswith(f"from shapes import double\nprint(double({second:.8g}))\n# doubled: expected")


def test_an_argument_is_printed_where_it_must_not_change(zygote: Zygote) -> None:
    changing = judge(zygote, define("y = 2 * x; x += 5.0; return y"), DOUBLE.everywhere())
    assert read_lines(changing).splitlines()[-1] == "print(double(x), x)"
    wrong = judge(zygote, define("x += 5.0; return x"), DOUBLE.everywhere())
    assert "\nprint(double(x))\n" in read_lines(wrong)


def test_the_students_spelling_stands_in_them(zygote: Zygote) -> None:
    check = judge(zygote, "def twice(x): return 3 * x\n", variant=OTHER_YEAR)
    assert "from shapes import twice\n" in read_lines(check)


def test_a_hidden_check_has_none_and_no_worker_for_its_first_case(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = count_requests(monkeypatch)
    check = judge(zygote, define("return 3 * x"), visibility=Visibility.AFTER_DUE_DATE)
    assert REPRODUCER not in check.output
    assert kinds.count("preload") == 1


def test_lines_that_take_too_long_stand_there(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.sandbox.limits.WALL_PER_CPU", 0.05)
    assert REPRODUCER in judge(zygote, define("import time; time.sleep(10**6)")).output
