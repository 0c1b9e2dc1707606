"""Lines of a failed check were run on the student's files, and show the failure there; others are dropped."""

from __future__ import annotations

import pytest

from autograder.checks import checks
from autograder.grading.explain import REPRODUCER, RIGHT_ALONE
from autograder.results import Verdict
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.student import Student, TestCall
from tests.selftest.support.shared_judging import check_double, judge_all, make_material, make_test

pytestmark = [pytest.mark.slow, pytest.mark.once]

# Whether the lines of a check of `double(3.0)` are shown, by the text of the file.
FILES = {
    "a wrong value": ("def double(x): return 3 * x\n", True),
    "an error": ("def double(x): return 1 / 0\n", True),
    "a wrong array": ("import numpy as np\ndef double(x): return np.array([1.0, 2.0])\n", True),
    "nothing": ("def double(x): pass\n", True),
    "prints": ("def double(x):\n    print('here')\n    return 3 * x\n", True),
    "a file that ends itself": ("def double(x): return 3 * x\nraise SystemExit\n", False),
    "another value each time": ("import os\ndef double(x): return os.getpid() + x + 0.5\n", False),
    "code that knows the lines": (
        "import sys\ndef double(x): return 6.0 if 'lines_to_run' in sys.modules else 5.0\n",
        False,
    ),
    "code that ends with the lines": (
        "import os, sys\n'lines_to_run' in sys.modules and os._exit(0)\ndef double(x): return 5.0\n",
        False,
    ),
    "another error with the lines": (
        "import sys\ndef double(x): raise (KeyError if 'lines_to_run' in sys.modules else ValueError)\n",
        False,
    ),
}


def check_two(student: Student) -> None:
    """Double two numbers, and compare the first only then."""
    first, second = student.shapes.double(3.0), student.shapes.double(4.0)
    checks.close("double(3)", first, 6.0)
    checks.close("double(4)", second, 8.0)


def check_each(student: Student) -> None:
    """Double many numbers at once."""
    for x, got in zip((1.0, 3.0, 4.0), student.shapes.double.each([(1.0,), (3.0,), (4.0,)]), strict=True):
        checks.close(f"double({x})", got, 2 * x)


def check_area_after(student: Student) -> None:
    """Refuse a value of `double` without a comparison, after a call of another function."""
    got = student.shapes.double(3.0)
    student.shapes.area(1.0, 2.0)
    checks.scalar("double(x)", got)


def fail(zygote: Zygote, text: str, body: TestCall = check_double) -> str:
    """Return the output of a test that fails on a file."""
    (check,) = judge_all(make_material(text), [make_test(body)], zygote, shares_workers=True)
    assert check.verdict is Verdict.FAILED
    return check.output


@pytest.mark.parametrize(
    ("kept", "is_told"),
    [
        ("2 * x if not seen else 5.0", True),
        ("2 * x if not seen else seen[0]", True),
        ("3 * x", False),
        ("x / 0", False),
    ],
)
def test_a_call_that_is_right_alone_is_told(kept: str, is_told: bool, zygote: Zygote) -> None:
    text = f"def double(x, seen=[]):\n    value = {kept}\n    seen.append(value)\n    return value\n"
    output = fail(zygote, text, check_two)
    assert (RIGHT_ALONE in output, REPRODUCER in output) == (is_told, not is_told)


def test_lines_that_sleep_are_not_shown(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WAIT_SUBMISSION_S", 0.0)
    pause = "'lines_to_run' in sys.modules and time.sleep(10**6)"
    text = f"import sys, time\ndef double(x):\n    {pause}\n    return 5.0\n"
    assert REPRODUCER not in fail(zygote, text)


@pytest.mark.parametrize(("text", "is_shown"), FILES.values(), ids=FILES)
def test_lines_that_do_not_show_the_failure_are_dropped(text: str, is_shown: bool, zygote: Zygote) -> None:
    assert (REPRODUCER in fail(zygote, text)) == is_shown


@pytest.mark.parametrize(
    ("body", "value"),
    [(check_two, "2 * x * (x != 3)"), (check_each, "2 * x * (x != 3)"), (check_area_after, "'six'")],
)
def test_the_lines_repeat_the_call_that_was_wrong(body: TestCall, value: str, zygote: Zygote) -> None:
    text = f"def double(x): return {value}\ndef area(width, height): return width * height\n"
    shown = fail(zygote, text, body).partition(f"{REPRODUCER}\n")[2]
    assert shown.startswith("from shapes import double\nprint(double(3.0))")


def test_none_that_no_check_compared_shows_nothing(zygote: Zygote) -> None:
    def check_state(student: Student) -> None:
        student.shapes.double(3.0)
        checks.require(False, "the state", "what it was before", "another")

    assert REPRODUCER not in fail(zygote, "def double(x): pass\n", check_state)
