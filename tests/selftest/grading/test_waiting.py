"""Endless code costs little: it is waited for only so long, and nothing right loses a point because of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.checks import checks
from autograder.grader import Grader
from autograder.grading.judge import Judge
from autograder.results import CheckResult, Visibility
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.student import Student
from autograder.submission import Submission
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, reference_text, report_on
from tests.selftest.support.toy_question import changed, hidden_test, submission

pytestmark = [pytest.mark.slow, pytest.mark.once]

RIGHT = {
    "the reference": reference_text("rows"),
    "the example": (EXAMPLES / "right" / "rows.py").read_text(encoding="utf-8"),
    "loops": """
import math
def unit_rows(x):
    return [[float(v) / (math.sqrt(sum(float(w) ** 2 for w in row)) or 1) for v in row] for row in x]
""",
    "in place": """
import numpy as np
def unit_rows(x):
    for i, row in enumerate(x):
        x[i] = row / (np.linalg.norm(row) or 1)
    return x
""",
}
LOOP = "def {}(*_):\n    while True: pass"
SLEEP = "def {}(*_):\n    import time\n    time.sleep(1000)"
BUSY_S = 0.8  # of computing time: more than the time by the clock that is left after waiting, and less than each limit


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop endless code sooner, with the limits in their order."""
    monkeypatch.setattr(limits, "CPU_S", 2)
    monkeypatch.setattr(limits, "CPU_AFTER_TIMEOUT_S", 1)
    monkeypatch.setattr(limits, "WALL_AFTER_WAIT_S", BUSY_S / 2)
    monkeypatch.setattr(limits, "IDLE_CPU_S", 0.03)


@pytest.fixture
def no_time_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time for waiting be spent from the start, and a busy machine have time for what computes."""
    monkeypatch.setattr(limits, "WAIT_SUBMISSION_S", 0.0)
    monkeypatch.setattr(limits, "WALL_PER_CPU", 10)


@pytest.fixture
def short_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop code that sleeps sooner, too; for tests of which the right functions take no time."""
    monkeypatch.setattr(limits, "WALL_PER_CPU", 1)


class Bench:
    """A judge of one submission, whose attempts are counted."""

    def __init__(self, zygote: Zygote, materials: Any) -> None:
        self.judge: Judge = make_judge(materials, seconds=120, zygote=zygote)
        self.tries = 0

    def ask(self, function: str, *arguments: object, right: object, **changes: Any) -> CheckResult:
        """Judge a test that calls the function and compares its value."""

        def body(student: Student) -> None:
            self.tries += 1
            checks.close("value", getattr(student.shapes, function)(*arguments), right)

        return self.judge.judge(hidden_test(function, **changes), body)

    def ask_double(self, **changes: Any) -> CheckResult:
        """Judge a test of the first function."""
        return self.ask("double", 3.0, right=6.0, **changes)

    def ask_area(self, width: float = 2.0) -> CheckResult:
        """Judge a test of the function on which the next one relies."""
        return self.ask("area", width, 3.0, right=3 * width)

    def ask_volume(self, width: float = 2.0) -> CheckResult:
        """Judge a test of the function that relies on an area."""
        return self.ask("volume", width, 3.0, 4.0, right=12 * width)

    def ask_each(self, asked: str) -> list[str]:
        """Judge tests of these functions, of which a number is the width; return their verdicts in words."""
        results = []
        for word in asked.split():
            name, _, width = word.partition("=")
            results.append(getattr(self, f"ask_{name}")(*([float(width)] if width else [])))
        return [describe(result) for result in results]


def describe(result: CheckResult) -> str:
    """Return the verdict of a check, and what is special of it."""
    beside = "".join(f" beside {name}" for name in result.replaced)
    return f"{result.verdict.value}{beside}{'' if result.was_run else ', not run'}"


@pytest.fixture
def on(zygote: Zygote) -> Callable[..., Bench]:
    """Make the bench of the right solution with these functions in the place of its own."""
    return lambda *functions: Bench(zygote, changed(*functions))


NOT_RUN = (
    "FAIL This check was not run.\n"
    "  found:    double did not end in 2 checks before, within the limits of time.\n"
    "  next:     look for a loop that does not end"
)
On = Callable[..., Bench]


AREA = "def area(width, height):\n    while width > 8: pass\n    return width * height"
VOLUME = "def volume(width, height, depth):\n    return "
FAILED, PASSED, NOT_TRIED = "failed", "passed", "failed, not run"
# Functions of a submission, the tests that are judged of it, their verdicts, and how often student code was tried.
CASES: dict[str, tuple[list[str], str, list[str], int]] = {
    "one that loops": ([LOOP.format("double")], "double double double", [FAILED, FAILED, NOT_TRIED], 2),
    "one that sleeps": ([SLEEP.format("double")], "double double double", [FAILED, FAILED, NOT_TRIED], 2),
    "one that relies on it": ([LOOP.format("area")], "area volume", [FAILED, "passed beside area"], 2),
    "one that could rely on it": (
        [LOOP.format("area"), f"{VOLUME}width * height * depth"],
        "area volume",
        [FAILED, PASSED],
        2,
    ),
    "one that is wrong, too": (
        [LOOP.format("area"), f"{VOLUME}area(width, height)"],
        "area volume",
        [FAILED, FAILED],
        2,
    ),
    "one that is wrong where the other does not end": (
        [AREA, f"{VOLUME}1 + area(width, height) * depth"],
        "area area=9 volume=9 volume=9 volume=9",
        [PASSED, FAILED, FAILED, FAILED, FAILED],
        8,
    ),
    "one that relies on it where it ended elsewhere": (
        [AREA],
        "area area=9 volume volume=9 volume=9 volume=9",
        [PASSED, FAILED, PASSED, *["passed beside area"] * 3],
        9,
    ),
    "two": (
        [LOOP.format("area"), LOOP.format("volume")],
        "area volume volume volume",
        [FAILED, FAILED, FAILED, NOT_TRIED],
        3,
    ),
    "others beside it": ([LOOP.format("double")], "double double area volume", [FAILED, FAILED, PASSED, PASSED], 4),
}


@pytest.mark.sampled(second=2)
@pytest.mark.usefixtures("short_sleeps")
@pytest.mark.parametrize(("functions", "asked", "verdicts", "tries"), CASES.values(), ids=CASES)
def test_a_function_that_does_not_end_costs_its_own_points_and_little_time(
    on: On, functions: list[str], asked: str, verdicts: list[str], tries: int
) -> None:
    bench = on(*functions)
    assert (bench.ask_each(asked), bench.tries) == (verdicts, tries)


@pytest.mark.ci
@pytest.mark.usefixtures("short_sleeps")
def test_the_texts_say_why_and_count_for_the_question_alone(on: On) -> None:
    bench = on(LOOP.format("double"))
    outputs = [bench.ask_double().output for _ in range(3)]
    assert all("took too long" in output for output in outputs[:2])
    assert outputs[2] == NOT_RUN
    assert bench.ask_double(hide_errors="See page 3.").output == "See page 3."
    assert bench.judge.memory.count_late("other", ("double",)) == 0


@pytest.mark.ci
def test_advice_does_not_judge_it(on: On) -> None:
    bench = on("def double(x):\n    while x < 0: pass\n    return 2 * x")
    for _ in range(2):
        bench.ask("double", -1.0, right=-2.0, points=0.0, is_advice=True)
    assert bench.ask_each("double") == [PASSED]


@pytest.mark.ci
@pytest.mark.parametrize("text", ["while True:\n    pass", "import time\ntime.sleep(1000)"], ids=["loops", "sleeps"])
def test_a_file_that_does_not_end_costs_no_function(zygote: Zygote, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(limits, "WAIT_QUESTION_S", 0.5)
    bench = Bench(zygote, submission(f"def double(x):\n    return 2 * x\n{text}"))
    assert bench.ask_each("double double double") == [PASSED] * 3


@pytest.mark.sampled(second=1)
@pytest.mark.usefixtures("short_sleeps")
@pytest.mark.parametrize(
    ("limit", "stems"), [("WAIT_QUESTION_S", ["shapes"]), ("WAIT_SUBMISSION_S", ["shapes", "other"])]
)
def test_the_time_for_waiting_is_that_of_a_question_and_of_a_submission(
    on: On, limit: str, stems: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = on(SLEEP.format("double"))
    waiting = bench.judge.runner.memory.waiting
    monkeypatch.setattr(limits, limit, 0.5)
    assert not waiting.is_spent("shapes")
    bench.ask_double()
    assert [stem for stem in ("shapes", "other") if waiting.is_spent(stem)] == stems


@pytest.mark.ci
def test_a_function_that_did_not_end_in_the_visible_pass_is_tried_once_in_the_hidden_one() -> None:
    endless = Submission.build(ASSIGNMENT, {"rows": LOOP.format("unit_rows")})
    with Grader(ASSIGNMENT, only=("rows",)) as grader:
        checks = grader.grade(endless).checks
    assert [(each.visibility is Visibility.VISIBLE, describe(each)) for each in checks] == [
        (True, FAILED),
        (False, FAILED),
        (False, NOT_TRIED),
        (False, NOT_TRIED),
    ]


@pytest.mark.sampled(second=1)
@pytest.mark.usefixtures("no_time_to_wait")
@pytest.mark.parametrize("style", RIGHT)
def test_right_work_in_each_style_that_is_slow_passes_after_the_time_for_waiting(
    style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WALL_AFTER_WAIT_S", BUSY_S / 4)
    slow = f"def unit_rows(x):\n    while clock.process_time() < {BUSY_S / 2}: pass\n    return right(x)"
    report = report_on({"rows": f"{RIGHT[style]}\n\nimport time as clock\nright = unit_rows\n{slow}\n"})
    assert [describe(each) for each in report.checks] == [PASSED] * len(report.checks)
