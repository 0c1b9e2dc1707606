"""Endless code costs little: it is waited for only so long, and nothing right loses a point because of it."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from autograder.checks import checks
from autograder.grading.follow_through import ResultMemory
from autograder.grading.judge import Judge
from autograder.results import CheckResult
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.student import Callback, Student
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.toy_question import changed, hidden_test

pytestmark = [pytest.mark.slow, pytest.mark.once]

LOOP = "def {}(*_):\n    while True: pass"
SLEEP = "def {}(*_):\n    import time\n    time.sleep(1000)"
NEED = limits.Need(0, cpu_s=0.5)  # seconds that endless code takes


@pytest.fixture
def short_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop code that sleeps sooner; for tests of which the right functions take no time."""
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

        return self.judge.judge(hidden_test(function, need=NEED, **changes), body)

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
    "  found:    double did not end in 2 earlier checks within the time limit.\n"
    "  next:     look for a loop that does not end"
)
On = Callable[..., Bench]


AREA = "def area(width, height):\n    while width > 8: pass\n    return width * height"
VOLUME = "def volume(width, height, depth):\n    return "
FAILED, PASSED, NOT_TRIED = "failed", "passed", "failed, not run"
BESIDE = "passed beside area"
# Functions of a submission, the tests that are judged of it, their verdicts, and how often student code was tried.
CASES: dict[str, tuple[list[str], str, list[str], int]] = {
    "one that loops": ([LOOP.format("double")], "double double double", [FAILED, FAILED, NOT_TRIED], 2),
    "one that sleeps": ([SLEEP.format("double")], "double double double", [FAILED, FAILED, NOT_TRIED], 2),
    "one that relies on it": ([LOOP.format("area")], "area volume", [FAILED, BESIDE], 2),
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
        "area area=9 volume=9 volume=9",
        [PASSED, FAILED, FAILED, FAILED],
        4,
    ),
    "one that relies on it where it ended elsewhere": (
        [AREA],
        "area area=9 volume volume=9",
        [PASSED, FAILED, BESIDE, BESIDE],
        4,
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
    assert not bench.judge.memory.was_late("other", ("double",))


@pytest.mark.ci
def test_advice_does_not_judge_it(on: On) -> None:
    bench = on("def double(x):\n    while x < 0: pass\n    return 2 * x")
    for _ in range(2):
        bench.ask("double", -1.0, right=-2.0, points=0.0, is_advice=True)
    assert bench.ask_each("double") == [PASSED]


def visible(count: int) -> ResultMemory:
    """What a visible pass with so many late checks of `double` leaves to the hidden one."""
    memory, hidden = ResultMemory(), ResultMemory()
    for _ in range(count):
        memory.add_late(hidden_test("double"))
    hidden.continue_from(memory)
    return hidden


@pytest.mark.parametrize(("count", "tried"), [(0, 2), (1, 2), (2, 0)])
def test_two_late_checks_in_the_visible_pass_or_two_in_the_hidden_one_are_enough(
    on: On, count: int, tried: int
) -> None:
    bench = on(LOOP.format("double"))
    bench.judge.memory = visible(count)
    bench.ask_each("double double double")
    assert bench.tries == tried


RIGHT = "def double(x):\n    import time\n    {}\n    return 2 * x"
SLOW = {
    "it waits in each call": "time.sleep(0.4)",
    "it computes": "end = time.process_time() + 0.15\n    while time.process_time() < end: pass",
}


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("code", SLOW.values(), ids=SLOW)
def test_a_right_function_that_is_slow_passes_whatever_was_late_before(on: On, code: str) -> None:
    bench = on(RIGHT.format(code), LOOP.format("area"))
    assert bench.ask_each("area area double double double") == [FAILED, FAILED, *[PASSED] * 3]


def test_the_graders_own_time_for_callbacks_is_not_the_students(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WALL_PER_CPU", 1)
    monkeypatch.setattr(limits, "PROGRAM_S", 1.0)
    bench = on("def double(x):\n    return x() + x()")

    def answer() -> float:
        time.sleep(0.8)  # twice is more than the program has
        return 3.0

    result = bench.ask("double", Callback(answer), right=6.0)
    assert describe(result) == PASSED, result.output + result.fault
