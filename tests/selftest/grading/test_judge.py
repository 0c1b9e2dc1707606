"""One error costs once, our own faults cost nothing, and every ending of an attempt has its verdict."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed, checks
from autograder.grading.attempt import Reason, Tried, call_body
from autograder.grading.ending import Failed, NoValue, Ours, Passed
from autograder.grading.judge import Judge
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.limits import Need, shorten
from autograder.student import QuestionModule, RunningAttempt, Student
from tests.selftest.support.made_judge import LOST, make_judge
from tests.selftest.support.shared_judging import check_area, check_double, check_volume
from tests.selftest.support.toy_question import changed, hidden_test, submission

pytestmark = [pytest.mark.slow, pytest.mark.once]

Body = Callable[[Student], float | None]


def check_doubled_volume(student: Student) -> None:
    """Ask for a doubled volume."""
    checks.close("doubled_volume(width, height, depth)", student.shapes.doubled_volume(2.0, 3.0, 4.0), 48.0)


def check_pile(student: Student) -> None:
    """Make a pile."""
    checks.equal("items", student.shapes.Pile(["a"]).items, ["a"])


def check_push(student: Student) -> None:
    """Push an item."""
    pile = student.shapes.Pile(["a"])
    pile.push("b")
    checks.equal("items", pile.items, ["a", "b"])


def check_push_all(student: Student) -> None:
    """Push several items."""
    pile = student.shapes.Pile(["a"])
    checks.equal("push_all(items)", pile.push_all(["b", "c"]), ["a", "b", "c"])
    checks.equal("height", pile.height, 2)


BODIES: dict[str, Body] = {  # in the order of the assignment
    "Pile": check_pile,
    "Pile.push": check_push,
    "Pile.push_all": check_push_all,
    "double": check_double,
    "area": check_area,
    "volume": check_volume,
    "doubled_volume": check_doubled_volume,
}


class Court:
    """Makes judges, which have one zygote."""

    def __init__(self, zygote: Zygote) -> None:
        self.tries = 0
        self._zygote = zygote

    def __call__(self, materials: Any, **options: Any) -> Judge:
        """The judge of one submission."""
        return make_judge(materials, **{"zygote": self._zygote, **options})

    def result(self, materials: Any, function: str, **changes: Any) -> CheckResult:
        """The result of one function's test on a submission, after those of the functions before it."""
        judge = self(materials)
        for earlier in list(BODIES)[: list(BODIES).index(function)]:
            judge.judge(hidden_test(earlier), BODIES[earlier])
        return judge.judge(hidden_test(function, **changes), BODIES[function])

    def counted(self, body: Body) -> Body:
        """The body, each run of which is counted."""

        def run(student: Student) -> float | None:
            self.tries += 1
            return body(student)

        return run


@pytest.fixture
def court(zygote: Zygote) -> Court:
    """The maker of judges."""
    return Court(zygote)


def note(*replaced: str, at_fault: str = "") -> str:
    """The output of a test that passed with the grader's functions in place of the student's."""
    names = " and ".join(replaced)
    look = f"Look at {at_fault or names}."
    return f"Passed.\nFull credit: this passes with the grader's {names} in place of yours. {look}"


# Ways in which an earlier function fails.
AREAS = {
    "wrong": "def area(width, height): return width + height",
    "other": "def area(width, height): return [width, None]",
    "raising": "def area(width, height): raise ValueError('no')",
    "stub": "def area(width, height): raise NotImplementedError",
    "placeholder": "def area(width, height): return result",
    "recursive": "def area(width, height): return area(width, height)",
    "dying": "import os\ndef area(width, height): os._exit(0)",
    "printing": "def area(width, height):\n  while True: print('x' * 10**5)",
    "greedy": "def area(width, height): return bytearray(2**40)",
    "narrow": "def area(width): return width",
    "builtin": "area = max",
    "missing": "del area",
}
# What a test has that fails after those of `double` and `area`, and how often it is tried.
SPOILED_AREA = "def area(width, height): return width * height if width == 2.0 and height == 3.0 else 0"
WAITS = f"{SPOILED_AREA}\ndef doubled_volume(*sides):\n    while not area(1, 4): pass\n    return 48"
TRIED = {
    "beside wrong ones": (
        ["def double(x): return 0", "def area(width, height): return 0", "def volume(*_): return 0"],
        2,
    ),
    "a file that does not load": (["raise ValueError"], 1),
    "a stub": (["def double(x): return 0", "def volume(*sides): raise NotImplementedError"], 1),
}


PUSHES = "def push(self, item): self.push_all([item])\nPile.push = push"
INSERTS = "def push(self, item): self.items.insert(0, item)\nPile.push = push"
NO_AREA, NO_DOUBLE = "def area(width, height): return 0", "def double(x): return 0"
OWN_PILE = """
        class Pile:
            limit = 9
            def __init__(self, items, log=None):
                self.items, self.height, self.log = list(items), 0, log or []
            def push(self, item, note=""): self.items.insert(0, item)
            def push_all(self, items):
                for item in items: self.push(item)
                return self.items
            @property
            def is_low(self): return self.height < self.limit
            def add(self, item):
                self.log.append(item)
                self.push(item, note="pushed")
        def double(x):
            pile = Pile([])
            if pile.is_low and isinstance(pile, Pile):
                pile.push(x)
                pile.push(item=x)
            return sum(pile.items) if pile.items[0] == x and pile.height == 2 else 0
        """
# Functions, the one whose test is judged after those before it, and what it passes beside; nothing if it fails.
BESIDE: dict[str, tuple[str, str, str]] = {
    "a missing function that is called by keyword": ("del volume", "doubled_volume", "volume"),
    "a wrong method": (INSERTS, "Pile.push", ""),
    "a method beside a wrong one": (INSERTS, "Pile.push_all", "Pile.push"),
    "the one of a chain that lost points": (NO_AREA, "doubled_volume", "area"),
    "all that lost points": (f"{NO_AREA}\n{NO_DOUBLE}", "doubled_volume", "double area"),
    "a method through a later one": (PUSHES, "Pile.push", ""),
    "a later one that a method goes through": (PUSHES, "Pile.push_all", "Pile.push"),
    "one under the names of two methods": (
        "def push(self, items): pass\nPile.push = Pile.push_all = push",
        "Pile.push_all",
        "",
    ),
    "a wrong method of a class of its own": (OWN_PILE, "Pile.push", ""),
    "a parameter more": (
        """
        def area(width, height, unit=1): return 0
        def volume(width, height, depth): return area(width, height) * depth
        """,
        "volume",
        "area",
    ),
    "by keyword": (
        """
        def area(width, height, *, unit=1): return 0
        def volume(width, height, depth): return area(width, height=height) * depth
        """,
        "volume",
        "area",
    ),
    "a branch of its own": (
        """
        def area(width, height, add=""):
            return width + height if add else 0
        def volume(width, height, depth): return area(width, height) * depth + area(1, -1, add=True)
        """,
        "volume",
        "area",
    ),
    "decorated": (
        """
        import functools
        def traced(function):
            @functools.wraps(function)
            def call(*arguments, **keywords): return function(*arguments, **keywords)
            return call
        @traced
        def area(width, height): return 0
        def volume(width, height, depth): return area(width=width, height=height) * depth
        """,
        "volume",
        "area",
    ),
    "an object": (
        """
        class Area:
            def __call__(self, width, height): return 0
        area = Area()
        def volume(width, height, depth): return area(width, height=height) * depth
        """,
        "volume",
        "area",
    ),
    "partial": (
        """
        import functools
        area = functools.partial(lambda unit, width, height: 0, 1)
        def volume(width, height, depth): return area(width, height) * depth
        """,
        "volume",
        "area",
    ),
    "a closure": (
        """
        def make(factor):
            def area(width, height): return factor
            return area
        area = make(0)
        def volume(width, height, depth): return area(width, height) * depth
        """,
        "volume",
        "area",
    ),
}


@pytest.mark.sampled(second=4)
@pytest.mark.parametrize("area", AREAS.values(), ids=AREAS)
def test_an_earlier_function_that_fails_in_any_way_costs_itself_only(court: Court, area: str) -> None:
    result = court.result(changed(area), "volume")
    assert (result.verdict, result.score, result.output) == (Verdict.PASSED, 2.0, note("area"))
    assert (result.replaced, result.outcome) == (("area",), "returned")
    assert court.result(changed(area), "area").score == 0


@pytest.mark.sampled(second=6)
@pytest.mark.parametrize(("functions", "function", "replaced"), BESIDE.values(), ids=BESIDE)
def test_each_passes_beside_what_lost_points_and_no_other(
    court: Court, functions: str, function: str, replaced: str
) -> None:
    result = court.result(changed(functions), function)
    names = replaced.split()
    assert (result.score, result.replaced) == (2.0 if names else 0.0, tuple(names))
    assert result.output == note(*names) or not names


@pytest.mark.parametrize(
    ("functions", "function", "reasons"),
    [
        ("", "volume", ["first"]),
        ("def area(width, height): return 0", "area", ["first"]),
        ("def area(width, height): return 0", "volume", ["first", "follow_through"]),
        ("def double(x): return __import__('wave') and 2 * x", "double", ["first", "library"]),
        ("def double(x): __import__('os').kill(__import__('os').getpid(), 9)", "double", ["first", "machine"]),
    ],
)
def test_each_attempt_has_its_reason_in_the_result(
    court: Court, functions: str, function: str, reasons: list[str]
) -> None:
    assert list(court.result(changed(*filter(None, [functions])), function).attempts) == reasons


def test_of_a_class_with_its_own_attributes_the_methods_that_lost_points_are_named(court: Court) -> None:
    result = court.result(changed(OWN_PILE), "double")
    assert (result.score, result.replaced) == (2.0, ("Pile",))
    assert result.output == note("Pile", at_fault="Pile.push")


def test_where_both_are_wrong_both_cost(court: Court) -> None:
    broken = changed("def area(width, height): return 0", "def volume(*sides): return area(*sides[:2]) + sides[2]")
    result = court.result(broken, "volume")
    assert (result.verdict, result.score) == (Verdict.FAILED, 0.0)
    assert "expected: 24 (within 0.00072)\n  found:    10" in result.output
    assert "  with:     the grader's area in place of yours, which lost points" in result.output
    alone = court.result(changed("def area(width, height): return 0", "def volume(*sides): return 10"), "volume")
    assert "beside:" not in alone.output  # it does not call area
    assert court.result(broken, "area").score == 0


@pytest.mark.parametrize(
    ("spoiled", "visibility", "verdict", "tries"),
    [
        (SPOILED_AREA, Visibility.VISIBLE, Verdict.PASSED, 2),
        (WAITS, Visibility.VISIBLE, Verdict.PASSED, 2),
        (SPOILED_AREA, Visibility.HIDDEN, Verdict.FAILED, 1),  # its own hidden tests cost points
        ("def doubled_volume(width, height, depth): return 0", Visibility.VISIBLE, Verdict.FAILED, 2),
    ],
)
def test_an_earlier_function_that_lost_nothing_excuses_a_visible_test_in_which_it_is_wrong(
    court: Court, spoiled: str, visibility: Visibility, verdict: Verdict, tries: int
) -> None:
    judge = court(changed(spoiled))
    judge.judge(hidden_test("area"), check_area)
    tested = hidden_test("doubled_volume", visibility=visibility, need=Need(0, 1))
    result = judge.judge(tested, court.counted(check_doubled_volume))
    assert (result.verdict, court.tries) == (verdict, tries)
    assert result.replaced == (("area",) if verdict is Verdict.PASSED else ())
    assert shorten(tested.need) == Need(0, 0.1)  # what an excuse has where the function did not end


@pytest.mark.parametrize(("functions", "tries"), TRIED.values(), ids=TRIED)
def test_a_test_that_fails_is_repeated_once_where_that_may_help(court: Court, functions: list[str], tries: int) -> None:
    judge = court(changed(*functions))
    for name in ("double", "area"):
        judge.judge(hidden_test(name), BODIES[name])
    judge.judge(hidden_test("volume"), court.counted(check_volume))
    assert court.tries == tries


def test_advice_that_is_not_followed_excuses_nothing(court: Court) -> None:
    judge = court(changed("def area(width, height): return 0"))
    judge.judge(hidden_test("area", points=0.0, is_advice=True), check_area)
    result = judge.judge(hidden_test("volume"), court.counted(check_volume))
    assert (result.verdict, court.tries) == (Verdict.FAILED, 1)


def test_where_an_earlier_function_is_not_judged_neither_is_one_that_fails(court: Court) -> None:
    def fault(student: Student) -> None:
        raise KeyError("a bug of ours")

    wrong = "def volume(width, height, depth): return 0"
    judge = court(changed(wrong))
    judge.judge(hidden_test("double"), fault)
    assert judge.judge(hidden_test("area"), check_area).verdict is Verdict.PASSED
    result = judge.judge(hidden_test("volume"), check_volume)
    assert (result.verdict, result.score) == (Verdict.UNDECIDED, None)
    assert result.fault == "it may fail because of double, which could not be judged"


def test_where_an_earlier_function_was_not_run_one_that_fails_counts_as_not_run(court: Court) -> None:
    judge = court(changed("def volume(width, height, depth): return 0"))
    deadline, judge.runner.deadline = judge.runner.deadline, 0.0
    judge.judge(hidden_test("area"), check_area)
    judge.runner.deadline = deadline
    assert judge.judge(hidden_test("volume"), check_volume).verdict is Verdict.NOT_RUN


def test_verdicts_of_another_pass_count_once_they_were_learned(court: Court) -> None:
    text = changed("def area(width, height): return 0")
    visible, judge = court(text), court(text)
    assert judge.judge(hidden_test("Pile"), check_pile).verdict is Verdict.PASSED
    visible.judge(hidden_test("area"), check_area)
    judge.learn(visible)
    assert judge.judge(hidden_test("volume"), check_volume).output == note("area")


VOLUME = "def volume(width, height, depth): return width * height * depth"
ALIASES = """
def area(width, height): return 0
surface = {"area": area}
def volume(width, height, depth, base=area):
    assert base(1, 1) == surface["area"](1, 1)
    return base(width, height) * depth
"""
# Functions, and the scores of double, area, volume and doubled_volume.
THROUGH_DOUBLE = "def area(width, height): return double(width) * height / 2"
THROUGH_VOLUME = "def area(width, height): return volume(width, height, 1)"
CREDIT: dict[str, tuple[list[str], list[float]]] = {
    "through a later one that is right": ([THROUGH_VOLUME, VOLUME], [2, 2, 2, 2]),
    "two in a circle": (["def double(x): return area(x, 2)", THROUGH_DOUBLE], [0, 2, 2, 2]),
    "three in a circle": (["def double(x): return volume(x, 2, 1)", THROUGH_DOUBLE], [0, 2, 2, 2]),
    "through a caller": ([THROUGH_VOLUME], [2, 0, 2, 2]),
    "through nothing": ([THROUGH_VOLUME, "del volume"], [2, 0, 0, 2]),
    "through the last": (["def double(x): return doubled_volume(x, 1, 1)"], [0, 2, 2, 2]),
    "one under two names": (["def area(width, height, depth=1): return 0\nvolume = area\n"], [2, 0, 0, 2]),
    "an alias and a default argument": ([ALIASES], [2, 0, 2, 2]),
}


class TestNoCreditWithoutWork:
    def scores(self, court: Court, *functions: str) -> list[float | None]:
        """The scores of double, area, volume and doubled_volume."""
        judge = court(changed(*functions))
        names = [name for name in BODIES if not name.startswith("Pile")]
        return [judge.judge(hidden_test(name, test_id=name), BODIES[name]).score for name in names]

    @pytest.mark.parametrize(("functions", "scores"), CREDIT.values(), ids=CREDIT)
    def test_a_function_that_is_only_a_call_of_a_later_one_earns_nothing(
        self, court: Court, functions: list[str], scores: list[float]
    ) -> None:
        assert self.scores(court, *functions) == scores

    @pytest.mark.parametrize(
        "trait",
        [
            "area.__name__",
            "area.__qualname__",
            "area.__module__",
            "area.__doc__",
            "area.__defaults__",
            "area.__code__.co_name",
            "str(inspect.signature(area))",
            "type(area).__name__",
            "id(area) == known",
            "default is area",
        ],
    )
    def test_a_substitute_looks_like_the_function(self, court: Court, trait: str) -> None:
        area = """
            import inspect
            def area(width, height=3.0):
                "An area."
                return 0
            known = id(area)
            def volume(width, height, depth, default=area):
                return repr({trait})
        """
        told: list[object] = []

        def body(student: Student) -> None:
            told.append(student.shapes.volume(2.0, 3.0, 4.0))
            checks.close("volume", 0.0, 1.0)

        judge = court(changed(area.replace("{trait}", trait)))
        judge.judge(hidden_test("area"), check_area)
        judge.judge(hidden_test("volume"), body)
        assert len(told) == 2
        assert told[0] == told[1]


class TestTexts:
    def test_no_failure_of_the_replacement_is_shown(self, court: Court) -> None:
        pile = """
            class Pile:
                def __init__(self, items): self._items = list(items)
                items = property(lambda self: self._items)
                height = 0
                def push(self, item): self._items.insert(0, item)
                def push_all(self, items): raise ValueError("mine")
        """
        result = court.result(changed(pile), "Pile.push_all")
        assert result.verdict is Verdict.FAILED
        assert "ValueError: mine" in result.output

    def test_what_a_repeat_prints_or_says_is_not_shown(self, court: Court) -> None:
        speaks = """
            def area(width, height): {area}
            def volume(width, height, depth):
                print("printed", area(7, 11))
                raise ValueError(f"said {area(7, 11)}")
        """
        for area in ("return 0", "raise KeyError"):
            output = court.result(changed(speaks.replace("{area}", area)), "volume").output
            assert "77" not in output
            assert output.startswith("FAIL Your function gave no value.")
        assert "printed 0" in court.result(changed(speaks.replace("{area}", "return 0")), "volume").output


class TestPartialCredit:
    def judged(self, court: Court, *scores: float | None) -> CheckResult:
        each = iter(scores)

        def body(student: Student) -> float | None:
            student.shapes.volume(1, 1, 1)
            return next(each)

        judge = court(changed())
        judge.memory.record(hidden_test("area"), LOST)
        return judge.judge(hidden_test("volume"), body)

    @pytest.mark.parametrize(
        ("scores", "verdict", "score"),
        [
            ([0.5, 0.5], Verdict.PARTIAL, 0.5),
            ([2.0], Verdict.PASSED, 2.0),
            ([7], Verdict.PASSED, 2.0),
            ([-1.0, -1.0], Verdict.PARTIAL, 0.0),
            ([float("nan")], Verdict.UNDECIDED, None),
            ([float("inf")], Verdict.UNDECIDED, None),
            ([0.5, 1.5], Verdict.PARTIAL, 1.5),
            ([1.5, 0.5], Verdict.PARTIAL, 1.5),
        ],
        ids=repr,
    )
    def test_a_score_that_was_set_is_the_score_and_the_better_of_two_attempts_counts(
        self, court: Court, scores: list[float], verdict: Verdict, score: float | None
    ) -> None:
        result = self.judged(court, *scores)
        assert (result.verdict, result.score) == (verdict, score)
        assert ("set_score" in result.fault) == (verdict is Verdict.UNDECIDED)
        assert result.output == "Partial." or verdict is not Verdict.PARTIAL

    def test_full_credit_beside_the_graders_function_is_full_credit(self, court: Court) -> None:
        assert self.judged(court, 0.5, None, *[None] * 9).output.startswith("Passed.\nFull credit: this passes with")


@pytest.mark.parametrize(
    ("materials", "why"),
    [
        (changed("def double(x): raise NotImplementedError('later')"), "Not written yet"),
        (changed("def double(x): return result"), "Not written yet: result has no value"),
        (changed("del double"), "Not written yet: the file does not define double"),
        (submission(None), "Not written yet: no file of this question was found (shapes.py)"),
        (submission(""), "Not written yet: the file does not define double"),
    ],
    ids=["NotImplementedError", "placeholder", "function", "file", "empty"],
)
def test_each_kind_of_stub_has_no_points_and_no_blame(court: Court, materials: Any, why: str) -> None:
    result = court.result(materials, "double")
    assert (result.verdict, result.score, result.outcome) == (Verdict.NOT_WRITTEN, 0.0, "not_written")
    assert result.output == why


def test_a_test_can_tell_a_stub_by_its_value(court: Court) -> None:
    def body(student: Student) -> None:
        checks.not_written(student.shapes.double(1.0) is None, "it returns None")

    result = court(changed("def double(x): pass")).judge(hidden_test("double"), body)
    assert (result.verdict, result.output) == (Verdict.NOT_WRITTEN, "Not written yet: it returns None")


def test_after_the_deadline_nothing_is_run(court: Court) -> None:
    def no_zygote() -> Zygote:
        pytest.fail("a zygote was started")

    result = court(changed(), seconds=-1, zygote=None, make_zygote=no_zygote).judge(hidden_test("double"), check_double)
    assert (result.verdict, result.score) == (Verdict.NOT_RUN, 0.0)
    assert result.output.startswith("Not run: earlier checks used up the time")


def test_a_test_that_the_deadline_interrupts_is_not_run(court: Court) -> None:
    judge = court(changed("import time\ndef double(x): time.sleep(60)"), seconds=0.5)
    assert judge.judge(hidden_test("double"), check_double).verdict is Verdict.NOT_RUN


def test_a_bug_in_a_hidden_test_has_no_score_and_shows_students_nothing(court: Court) -> None:
    def body(student: Student) -> None:
        raise KeyError(f"secret {student.shapes.double(1)} \ud800")

    result = court(changed()).judge(hidden_test("double"), body)
    assert (result.verdict, result.score) == (Verdict.UNDECIDED, None)
    assert "KeyError" in result.fault
    assert "secret 2" in result.fault
    assert "secret" not in result.output
    assert result.output.startswith("Not judged: the grader itself failed here.")


def test_a_bug_that_only_the_repetition_meets_has_no_score_either(court: Court) -> None:
    def body(student: Student) -> None:
        court.tries += 1
        if court.tries > 1:
            raise KeyError("a bug")
        checks.close("volume", student.shapes.volume(1, 1, 1), 2.0)

    judge = court(changed())
    judge.memory.record(hidden_test("area"), LOST)
    assert judge.judge(hidden_test("volume"), body).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(("endings", "verdict"), [([], Verdict.UNDECIDED), ([Passed()], Verdict.FAILED)])
def test_a_bug_in_a_check_of_an_earlier_function_counts_only_where_no_other_check_judges_it(
    court: Court, endings: list[Passed], verdict: Verdict
) -> None:
    judge = court(changed("def volume(*sides): return 0"))
    for ending in (Ours("the sandbox failed", by_sandbox=True), *endings):
        judge.memory.record(hidden_test("area"), Tried(ending))
    assert judge.judge(hidden_test("volume"), check_volume).verdict is verdict


def test_a_fault_outside_of_the_attempts_takes_no_other_result_along(court: Court) -> None:
    judge = court(changed())
    result = judge.judge(hidden_test("double"), lambda student: student.note(5))  # type: ignore[arg-type]
    assert (result.verdict, result.score) == (Verdict.UNDECIDED, None)
    assert "TypeError" in result.fault
    assert judge.judge(hidden_test("double"), check_double).verdict is Verdict.PASSED


@pytest.mark.parametrize("error", [OSError("too many files"), SandboxError("no user is free")])
def test_a_sandbox_that_cannot_be_started_leaves_the_test_undecided(court: Court, error: Exception) -> None:
    def make() -> Zygote:
        raise error

    result = court(changed(), zygote=None, make_zygote=make).judge(hidden_test("double"), check_double)
    assert (result.verdict, result.fault) == (Verdict.UNDECIDED, str(error))


def test_a_note_of_the_test_stands_below_a_pass(court: Court) -> None:
    judge = court(changed())
    result = judge.judge(hidden_test("double"), lambda student: student.note("A mean is accepted \x1b[31m too."))
    assert result.output == "Passed.\nA mean is accepted \\x1b[31m too."


def test_a_text_of_the_staff_replaces_that_of_a_failure(court: Court) -> None:
    broken = changed("def double(x): return 0")
    assert court.result(broken, "double", hide_errors="Look at the lecture.").output == "Look at the lecture."
    assert court.result(changed(), "double", hide_errors="Look at the lecture.").output == "Passed."


def test_prints_are_shown_in_visible_tests_only_and_those_of_the_load_in_none(court: Court) -> None:
    broken = changed("print('loading')\ndef double(x):\n  print('x is', x)\n  return 0")
    assert court.result(broken, "double").output.endswith("Printed by your code:\n  | x is 3.0")
    assert "x is" not in court.result(broken, "double", visibility=Visibility.AFTER_DUE_DATE).output


class WrongFirst:
    """Stands for the worker that checks share, in which every check found a wrong value."""

    def try_first(self, _test: object) -> Tried:
        """Report one."""
        return Tried(Failed(CheckFailed("double(x)", expected="6", found="5")), reasons=(Reason.SHARED,))

    def close(self) -> None:
        """End nothing."""


@pytest.mark.parametrize(("value", "is_told"), [("2 * x", True), ("5", False)])
def test_a_pass_that_contradicts_an_earlier_attempt_is_told(court: Court, value: str, *, is_told: bool) -> None:
    """It costs nothing, since another function may have spoilt the first attempt; staff read it in the result."""
    judge = court(submission(f"def double(x): return {value}"))
    judge._shared = WrongFirst()  # type: ignore[assignment]
    found = judge.judge(hidden_test("double"), check_double)
    assert found.contradicts == is_told
    assert found.attempts == ("shared", "alone")
    assert (found.verdict is Verdict.PASSED) == is_told


class NoModules(RunningAttempt):
    """An attempt at a body that asks nothing."""

    def module(self, question_id: str) -> QuestionModule:
        raise KeyError(question_id)


def test_memory_that_values_take_is_theirs_and_an_error_that_a_test_raises_is_ours() -> None:
    def compare_broadcast(_: Student) -> None:
        np.ones((10**6, 1)) - np.ones((1, 10**6))

    def raise_error(_: Student) -> None:
        raise MemoryError

    assert isinstance(call_body(NoModules(), compare_broadcast, 1.0), NoValue)
    ending = call_body(NoModules(), raise_error, 1.0)
    assert isinstance(ending, Ours)
    assert "raise_error" in ending.fault
