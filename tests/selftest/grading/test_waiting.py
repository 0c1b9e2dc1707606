"""Endless code costs little: it is waited for only so long, and nothing right loses a point because of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from autograder.checks import checks
from autograder.grader import Grader
from autograder.grading.judge import Judge
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.protocol import messages
from autograder.student import Student
from autograder.submission import Submission
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, reference_text, report_on
from tests.selftest.support.toy_question import changed, hidden_test, submission
from tests.selftest.support.toy_scripts import count_requests

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
SLOW = (
    "def {name}(*given):\n    import time\n    end = time.process_time() + {seconds}\n"
    "    while time.process_time() < end: pass\n    return {value}"
)


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
            checks.close("value", getattr(student.shapes, function)(*arguments), right)

        return self.judge_body(body, functions=(function,), **changes)

    def judge_body(self, body: Callable[[Student], None], **changes: Any) -> CheckResult:
        """Judge a test, of the first function unless `changes` names others."""

        def call(student: Student) -> None:
            self.tries += 1
            body(student)

        return self.judge.judge(hidden_test(*changes.pop("functions", ("double",)), **changes), call)

    def ask_double(self, **changes: Any) -> CheckResult:
        """Judge a test of the first function."""
        return self.ask("double", 3.0, right=6.0, **changes)

    def ask_area(self, width: float = 2.0) -> CheckResult:
        """Judge a test of the function on which the next one relies."""
        return self.ask("area", width, 3.0, right=3 * width)

    def ask_volume(self, width: float = 2.0) -> CheckResult:
        """Judge a test of the function that relies on an area."""
        return self.ask("volume", width, 3.0, 4.0, right=12 * width)


@pytest.fixture
def on(zygote: Zygote) -> Callable[..., Bench]:
    """Make the bench of the right solution with these functions in the place of its own."""
    return lambda *functions: Bench(zygote, changed(*functions))


def is_passed(*results: CheckResult) -> bool:
    """Tell whether all of these have full credit."""
    return all(result.verdict is Verdict.PASSED for result in results)


NOT_RUN = (
    "FAIL This check was not run.\n"
    "  found:    double did not end in 2 checks before, within the limits of time.\n"
    "  next:     look for a loop that does not end"
)
On = Callable[..., Bench]


@pytest.mark.usefixtures("short_sleeps")
@pytest.mark.parametrize("kind", [LOOP, pytest.param(SLEEP, marks=pytest.mark.ci)], ids=["loops", "sleeps"])
@pytest.mark.parametrize("visibility", [Visibility.VISIBLE, pytest.param(Visibility.HIDDEN, marks=pytest.mark.ci)])
def test_a_function_that_does_not_end_is_tried_twice_and_then_fails_at_once(
    on: On, kind: str, visibility: Visibility
) -> None:
    bench = on(kind.format("double"))
    tried = [bench.ask_double(visibility=visibility) for _ in range(2)]
    assert all("took too long" in result.output and result.was_run for result in tried)
    left = bench.ask_double(visibility=visibility)
    assert (left.verdict, left.score, left.outcome, left.was_run) == (Verdict.FAILED, 0.0, "timed_out", False)
    assert left.output == NOT_RUN
    assert (bench.tries, len(bench.judge.evidence)) == (2, 2)


@pytest.mark.ci
class TestAFunctionThatDoesNotEnd:
    def test_has_the_text_of_the_staff_where_there_is_one(self, on: On) -> None:
        bench = on(LOOP.format("double"))
        assert [bench.ask_double(hide_errors="See page 3.").output for _ in range(3)] == ["See page 3."] * 3
        assert bench.tries == 2

    def test_is_not_judged_by_advice(self, on: On) -> None:
        bench = on("def double(x):\n    while x < 0: pass\n    return 2 * x")
        for _ in range(2):
            bench.ask("double", -1.0, right=-2.0, points=0.0, is_advice=True)
        assert is_passed(bench.ask_double())

    def test_counts_for_its_own_question_only(self, on: On) -> None:
        bench = on(LOOP.format("double"))
        for _ in range(2):
            bench.ask_double()
        assert bench.judge.memory.count_late("shapes", ("double",)) == 2
        assert bench.judge.memory.count_late("other", ("double",)) == 0

    def test_does_not_count_where_the_file_does_not_load(self, zygote: Zygote) -> None:
        bench = Bench(zygote, submission("def double(x):\n    return 2 * x\nwhile True:\n    pass"))
        assert is_passed(*(bench.ask_double() for _ in range(3)))


@pytest.mark.ci
def test_a_function_that_relies_on_one_that_does_not_end_has_the_graders_at_once(on: On) -> None:
    bench = on(LOOP.format("area"))
    bench.ask_area()
    bench.tries = 0
    result = bench.ask_volume()
    assert (result.verdict, result.replaced, bench.tries) == (Verdict.PASSED, ("area",), 1)


@pytest.mark.ci
class TestAFunctionThatReliesOnOneThatDoesNotEnd:
    AREA = "def area(width, height):\n    while width > 8: pass\n    return width * height"

    def test_has_no_note_where_it_does_not_call_it(self, on: On) -> None:
        bench = on(LOOP.format("area"), "def volume(width, height, depth):\n    return width * height * depth")
        bench.ask_area()
        result = bench.ask_volume()
        assert (result.verdict, result.replaced, result.output) == (Verdict.PASSED, (), "Passed.")

    def test_fails_once_where_it_is_wrong_too(self, on: On) -> None:
        bench = on(
            LOOP.format("area"), "def volume(width, height, depth):\n    print('!')\n    return area(width, height)"
        )
        bench.ask_area()
        bench.tries = 0
        result = bench.ask_volume()
        assert (result.verdict, bench.tries) == (Verdict.FAILED, 1)
        assert "found:    6" in result.output
        assert "!" not in result.output
        assert "To see it yourself" not in result.output

    def test_is_tried_beside_one_that_ended_elsewhere(self, on: On) -> None:
        bench = on(self.AREA)
        assert [bench.ask_area(width).verdict for width in (2.0, 9.0)] == [Verdict.PASSED, Verdict.FAILED]
        bench.tries = 0
        results = [bench.ask_volume(width) for width in (2.0, 9.0, 9.0, 9.0)]
        assert [result.replaced for result in results] == [(), ("area",), ("area",), ("area",)]
        assert is_passed(*results)
        assert bench.tries == 1 + 3 * 2
        assert bench.judge.memory.count_late("shapes", ("volume",)) == 0

    def test_may_be_wrong_itself_without_being_endless(self, on: On) -> None:
        wrong = "def volume(width, height, depth):\n    return 1 + area(width, height) * depth"
        bench = on(self.AREA, wrong)
        for width in (2.0, 9.0):
            bench.ask_area(width)
        results = [bench.ask_volume(9.0) for _ in range(3)]
        assert all(result.was_run and "found:    109" in result.output for result in results)

    def test_counts_as_endless_where_it_does_not_end_beside_the_graders_either(self, on: On) -> None:
        bench = on(LOOP.format("area"), LOOP.format("volume"))
        results = [ask() for ask in (bench.ask_area, *[bench.ask_volume] * 3)]
        assert [result.was_run for result in results] == [True, True, True, False]


class TestTimeForWaiting:
    @pytest.mark.ci
    def test_is_what_workers_took_that_did_not_end(self, on: On) -> None:
        bench = on(SLEEP.format("double"), SLOW.format(name="area", seconds=BUSY_S, value="given[0] * given[1]"))
        bench.ask_area()
        waiting = bench.judge.runner.memory.waiting
        assert waiting.total_s == 0.0
        bench.ask_double()
        assert waiting.total_s >= limits.CPU_S

    @pytest.mark.sampled(second=1)
    @pytest.mark.usefixtures("short_sleeps")
    @pytest.mark.parametrize(
        ("limit", "stems"), [("WAIT_QUESTION_S", ["shapes"]), ("WAIT_SUBMISSION_S", ["shapes", "other"])]
    )
    def test_is_spent_for_a_question_and_for_a_submission(
        self, on: On, limit: str, stems: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bench = on(SLEEP.format("double"))
        waiting = bench.judge.runner.memory.waiting
        monkeypatch.setattr(limits, limit, 0.5)
        assert not waiting.is_spent("shapes")
        bench.ask_double()
        assert [stem for stem in ("shapes", "other") if waiting.is_spent(stem)] == stems

    @pytest.mark.ci
    def test_is_spent_by_files_that_sleep(self, zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
        sleep = "time.sleep(1000)\n"
        bench = Bench(zygote, submission(f"import time\n{2 * sleep}def double(x):\n    return 2 * x"))
        monkeypatch.setattr(limits, "WAIT_QUESTION_S", 0.5)
        assert is_passed(bench.ask_double())
        assert bench.judge.runner.memory.waiting.is_spent("shapes")


@pytest.mark.usefixtures("no_time_to_wait")
class TestTimeForWaitingThatIsSpent:
    @pytest.mark.ci
    def test_leaves_a_moment_for_a_function_that_sleeps(self, on: On) -> None:
        bench = on(SLEEP.format("double"))
        result = bench.ask_double()
        assert (result.verdict, bench.tries) == (Verdict.FAILED, 1)

    @pytest.mark.ci
    def test_leaves_its_full_limit_to_a_function_that_waited_for_the_grader(self, on: On) -> None:
        bench = on(
            "def area(width, height): raise ValueError",
            "def volume(width, height, depth):\n    import time\n    made = area(width, height) * depth\n"
            f"    time.sleep({1.5 * limits.WALL_AFTER_WAIT_S})\n    return made",
        )
        bench.ask_area()
        assert is_passed(bench.ask_volume())

    @pytest.mark.ci
    def test_leaves_a_moment_for_each_request_and_counts_nothing_of_the_grader(self, on: On) -> None:
        pause_s = 0.6 * limits.WALL_AFTER_WAIT_S
        bench = on(f"def double(x):\n    import time\n    time.sleep({pause_s})\n    return 2 * x")

        def body(student: Student) -> None:
            for _ in range(2):
                checks.close("value", student.shapes.double(3.0), 6.0)
                time.sleep(2 * limits.WALL_AFTER_WAIT_S)

        assert is_passed(bench.judge_body(body))
        assert bench.tries == 1

    @pytest.mark.ci
    def test_leaves_its_full_limit_to_a_function_that_computes(self, on: On) -> None:
        bench = on(
            SLOW.format(name="double", seconds=BUSY_S, value="2 * given[0]"),
            SLOW.format(name="area", seconds=1.5, value="given[0] * given[1]"),
        )
        assert is_passed(bench.ask_double(), bench.ask_area(), bench.ask_area())
        assert bench.tries == 6

    @pytest.mark.ci
    def test_leaves_a_function_that_computes_the_limit_of_later_tests_in_the_end(
        self, on: On, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "FULL_AFTER_WAIT_S", 1.0)
        shown = "__import__('resource').getrlimit(0)[0]"  # of computing time
        busy = [SLOW.format(name=name, seconds=BUSY_S * 0.8, value=shown) for name in ("area", "volume")]
        bench = on(LOOP.format("double"), *busy)
        assert is_passed(bench.ask("area", right=limits.CPU_S))
        bench.ask_double()
        assert is_passed(bench.ask("volume", right=limits.CPU_AFTER_TIMEOUT_S))

    @pytest.mark.ci
    def test_for_a_call_is_none_for_the_load_of_its_file(self, on: On) -> None:
        bench = on(LOOP.format("double"))
        bench.ask_double()
        assert not any(each.is_late for each in bench.judge.runner.memory.loads.values())

    @pytest.mark.ci
    def test_counts_the_tries_of_all_functions_together(self, on: On, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "FULL_AFTER_WAIT_S", 1.5 * limits.CPU_S)
        shown = "__import__('resource').getrlimit(0)[0]"  # of computing time
        busy = SLOW.format(name="volume", seconds=BUSY_S * 0.8, value=shown)
        bench = on(LOOP.format("area"), LOOP.format("double"), busy)
        bench.ask("area", right=0)
        bench.ask_double()
        assert is_passed(bench.ask("volume", right=limits.CPU_AFTER_TIMEOUT_S))

    @pytest.mark.ci
    def test_gives_a_function_that_has_not_ended_before_no_second_try(self, on: On) -> None:
        bench = on(LOOP.format("double"))
        assert [bench.ask_double().was_run for _ in range(3)] == [True, True, False]
        assert bench.tries == 2 + 1

    @pytest.mark.ci
    def test_leaves_a_slow_file_its_time_to_load(self, zygote: Zygote) -> None:
        load = "import time\nwhile time.process_time() < 0.5:\n    pass\n"
        bench = Bench(zygote, submission(f"{load}def double(x):\n    return 2 * x"))
        assert is_passed(bench.ask_double(), bench.ask_double())
        memory = bench.judge.runner.memory
        assert memory.loads["shapes", False].left_out == []  # the whole file did not load in its time
        assert not any(each.is_late for each in memory.loads.values())


@pytest.mark.ci
class TestASubmission:
    FUNCTIONS = ("double", "area", "volume", "doubled_volume")

    def judge(self, bench: Bench, *, times: int) -> dict[str, list[CheckResult]]:
        """Judge several tests of each function."""
        asked = {
            "double": bench.ask_double,
            "area": bench.ask_area,
            "volume": bench.ask_volume,
            "doubled_volume": lambda: bench.ask("doubled_volume", 2.0, 3.0, 4.0, right=48.0),
        }
        return {name: [ask() for _ in range(times)] for name, ask in asked.items()}

    @pytest.mark.usefixtures("short_sleeps")
    def test_whose_every_function_sleeps_is_tried_twice_in_each(self, on: On, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "WAIT_QUESTION_S", 1.0)
        bench = on(*(SLEEP.format(name) for name in self.FUNCTIONS))
        judged = self.judge(bench, times=5)
        assert [[result.was_run for result in results] for results in judged.values()] == [[True] * 2 + [False] * 3] * 4
        assert bench.tries == 2 * 4

    def test_whose_every_function_loops_is_tried_twice_in_each(self, on: On, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "WAIT_QUESTION_S", 1.0)
        monkeypatch.setattr(limits, "FULL_AFTER_WAIT_S", 0.0)
        bench = on(*(LOOP.format(name) for name in self.FUNCTIONS))
        judged = self.judge(bench, times=5)
        assert [[result.was_run for result in results] for results in judged.values()] == [[True] * 2 + [False] * 3] * 4
        assert bench.tries == 2 + 3 * (1 + 2)  # after the first function, a moment before the limit of a later test

    @pytest.mark.usefixtures("short_sleeps")
    @pytest.mark.parametrize("kind", [LOOP, SLEEP], ids=["loops", "sleeps"])
    def test_whose_first_function_does_not_end_loses_nothing_else(
        self, on: On, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "WAIT_QUESTION_S", 1.0)
        bench = on(kind.format("double"))
        judged = self.judge(bench, times=3)
        assert [result.score for result in judged.pop("double")] == [0.0] * 3
        assert is_passed(*(result for results in judged.values() for result in results))
        assert [result.replaced for result in judged["doubled_volume"]] == [("double",)] * 3
        assert bench.tries == 2 + 3 * 3


@pytest.mark.ci
@pytest.mark.parametrize("at_once", [pytest.param(1, marks=pytest.mark.ci), 2])
def test_a_function_that_did_not_end_in_the_visible_pass_is_tried_once_in_the_hidden_one(at_once: int) -> None:
    endless = Submission.build(ASSIGNMENT, {"rows": LOOP.format("unit_rows")})
    with Grader(ASSIGNMENT, only=("rows",), at_once=at_once) as grader:
        checks = grader.grade(endless).checks
    assert [(each.visibility is Visibility.VISIBLE, each.was_run) for each in checks] == [
        (True, True),
        (False, True),
        (False, False),
        (False, False),
    ]
    assert {each.verdict for each in checks} == {Verdict.FAILED}


@pytest.mark.ci
def test_scripts_of_other_questions_are_not_sent_once_the_time_for_waiting_is_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = count_requests(monkeypatch)
    texts = {"descent": LOOP.format("descend"), "rows": reference_text("rows")}
    ended = report_on(texts)
    scripts = kinds.count(messages.SCRIPTS)
    monkeypatch.setattr(limits, "WAIT_SUBMISSION_S", 0.01)
    report = report_on(texts)
    # Again for the second file where the first does not end; the hidden pass has no script of a function that did not.
    assert (scripts, kinds.count(messages.SCRIPTS) - scripts) == (2 + 1, 2)
    passed = [[check.score for check in each.checks if check.stem == "rows"] for each in (ended, report)]
    assert passed[0] == passed[1]
    assert sum(score or 0.0 for score in passed[0]) == 4.0


@pytest.mark.sampled(second=1)
@pytest.mark.usefixtures("no_time_to_wait")
@pytest.mark.parametrize("style", RIGHT)
def test_right_work_in_each_style_that_is_slow_passes_after_the_time_for_waiting(
    style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WALL_AFTER_WAIT_S", BUSY_S / 4)
    slow = f"def unit_rows(x):\n    while clock.process_time() < {BUSY_S / 2}: pass\n    return right(x)"
    report = report_on({"rows": f"{RIGHT[style]}\n\nimport time as clock\nright = unit_rows\n{slow}\n"})
    assert is_passed(*report.checks)
