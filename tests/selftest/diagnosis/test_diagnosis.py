"""A failed test is explained by the known mistake that gives the same answers, if there is exactly one."""

import os
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autograder.checks import checks
from autograder.diagnosis import known_replies
from autograder.grading.hidden_test import RunnableTest
from autograder.mistakes import Mistake
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.host.client import Zygote
from autograder.student import Callback, Refuse, Student, TestCall
from tests.selftest.support import toy_shapes
from tests.selftest.support.made_bank import MadeBank, diagnose, make_mistake
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.toy_question import changed, hidden_test

pytestmark = [pytest.mark.slow, pytest.mark.once]


def check_double(student: Student) -> None:
    """Double numbers and an array."""
    for x in (3.0, 5.0, np.array([1.5, -2.0, 0.25])):
        checks.close("double(x)", student.shapes.double(x), 2 * x)


def check_double_of_a_list(student: Student) -> None:
    """Double a list."""
    checks.equal("double(x)", student.shapes.double(["a"]), ["a", "a"])


def check_area(student: Student) -> None:
    """Ask for an area."""
    checks.close("area(width, height)", student.shapes.area(2.0, 4.5), 9.0)


def check_push(student: Student) -> None:
    """Push two items."""
    pile = student.shapes.Pile(["a", "b"])
    pile.push("c")
    checks.equal("height", pile.height, 1)
    checks.equal("items", pile.items, ["a", "b", "c"])


def check_start(student: Student) -> None:
    """Make a pile."""
    pile = student.shapes.Pile(["a", "b"])
    checks.equal("items", pile.items, ["a", "b"])


def check_volume(student: Student) -> None:
    """Ask for two volumes."""
    checks.close("volume(1, 1, 3)", student.shapes.volume(1.0, 1.0, 3.0), 3.0)
    checks.close("volume(2, 4, 3)", student.shapes.volume(2.0, 4.0, 3.0), 24.0)


def check_ask(student: Student) -> None:
    """Give a function that takes one or two items."""

    def ask(items: object) -> object:
        if not isinstance(items, list):
            raise Refuse("items come in a list")
        if not items:
            raise Refuse("no items")
        if len(items) > 2:
            raise Refuse("too many items")
        return items

    checks.equal("double(f)", student.shapes.double(Callback(ask)), ["a", "b"])


BODIES: dict[str, tuple[str, TestCall]] = {
    "test_double": ("double", check_double),
    "test_double_of_a_list": ("double", check_double_of_a_list),
    "test_area": ("area", check_area),
    "test_start": ("Pile", check_start),
    "test_push": ("Pile.push", check_push),
}


class Clinic:
    """Judges submissions of the toy question and diagnoses what failed."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote

    def results(self, source: str, *mistakes: Mistake, **changes: Any) -> dict[str, CheckResult]:
        """Judge all tests and return the results by name."""
        judge = make_judge(changed(source), zygote=self._zygote)
        fields = {"visibility": Visibility.AFTER_DUE_DATE, **changes}
        tests = [
            RunnableTest(hidden_test(function, test_id=f"test_shapes.py::{name}", **fields), body)
            for name, (function, body) in BODIES.items()
        ]
        results = [judge.judge(*each) for each in tests]
        told = diagnose(results, judge.evidence, tests, MadeBank(mistakes, toy_shapes))
        return dict(zip(BODIES, told, strict=True))

    def diagnoses(self, source: str, *mistakes: Mistake) -> dict[str, str | None]:
        """Return the diagnosis of every test that failed, by name."""
        results = self.results(source, *mistakes)
        return {
            name: ", ".join(each.diagnosis) or None for name, each in results.items() if each.verdict is Verdict.FAILED
        }


@pytest.fixture
def clinic(zygote: Zygote) -> Clinic:
    """Make the clinic."""
    return Clinic(zygote)


def make(name: str, function: str, wrong: Any) -> Mistake:
    """Make a known mistake of the toy question."""
    return make_mistake(name, "shapes", function, wrong)


def squared(x):
    return x**2


def added(x):
    return x + 2


def warned(x):
    warnings.warn("no", RuntimeWarning, stacklevel=1)
    return np.random.random(3) + x**2  # noqa: NPY002  (what students do)


def added_sides(width, height):
    return width + height


def volume_of_a_list(width, height, depth):
    return width * height * depth if height == 1 else width[0]


def volume_of_a_dict(width, height, depth):
    return toy_shapes.area(width, height if height == 1 else {}) * depth


def forever(_):
    while True:
        pass


def turned(self, item):
    self.items.insert(0, item)
    self.height += 1


def shared(self, items, given=[]):  # noqa: B006  (the mistake)
    given.extend(items)
    self.items, self.height = given, 0


OF_DOUBLE = ("test_double", "test_double_of_a_list")
SQUARED = make("squared", "double", squared)
ADDED = make("added", "double", added)
SIDES = make("sides", "area", added_sides)
TURNED = make("turned", "Pile.push", turned)
SHARED = make("shared", "Pile", shared)


class TestOneMistakeMatches:
    @pytest.mark.parametrize(
        ("source", "name"),
        {
            "def double(number): return number * number": "squared",
            "def double(x):\n  y = x ** 2\n  return y": "squared",
            "def double(x): return np.float32(x ** 2)": "squared",
            "def double(x): return [x * x] if isinstance(x, float) else x * x": "squared",
            "def area(w, h): return sum([w, h])": "sides",
            "def push(self, x): self.items, self.height = [x, *self.items], 1\nPile.push = push": "turned",
        }.items(),
        ids=["other names", "other steps", "single precision", "shape", "another function", "method"],
    )
    def test_another_wording_has_its_diagnosis(self, clinic: Clinic, source: str, name: str) -> None:
        found = clinic.diagnoses(f"import numpy as np\n{source}", SQUARED, ADDED, SIDES, TURNED, SHARED)
        rows = {"squared": OF_DOUBLE, "sides": ("test_area",), "turned": ("test_push",)}
        assert found == dict.fromkeys(rows[name], name)

    def test_a_test_that_hides_its_errors_hides_the_hint(self, clinic: Clinic) -> None:
        result = clinic.results("def double(x): return x * x", SQUARED, hide_errors="No details.")["test_double"]
        assert (result.diagnosis, result.output) == (("squared",), "No details.")

    def test_a_wrong_function_before_it_is_no_obstacle(self, clinic: Clinic) -> None:
        source = "class Pile:\n  def __init__(self, items): self.items = None\n"
        source += "  def push(self, item): self.items, self.height = [item] + self.items, 1"
        assert clinic.diagnoses(source, TURNED)["test_push"] == "turned"


@pytest.mark.ci
def test_a_mistake_that_runs_for_ever_costs_no_other_its_name(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_replies, "CPU_S", 1)
    endless, ends = make("endless", "double", forever), make("ends", "double", lambda _: os._exit(0))
    found = clinic.diagnoses("def double(x): return x * x", endless, SQUARED, ends)
    assert found == dict.fromkeys(OF_DOUBLE, "squared")


class TestNoMistakeIsNamed:
    @pytest.mark.parametrize("body", ["x * x * 1.001", "1.37 * x", "x / 0", "None", "'9.0'", "[x * x, x * x]"])
    def test_for_other_answers(self, clinic: Clinic, body: str) -> None:
        assert set(clinic.diagnoses(f"def double(x): return {body}", SQUARED, ADDED).values()) == {None}

    @pytest.mark.parametrize("wrong", [lambda _: None, lambda _: 0.0, lambda x: x / 0])
    def test_where_all_that_is_known_of_the_function_is_that_it_does_nothing(self, clinic: Clinic, wrong: Any) -> None:
        lazy = make("lazy", "double", wrong)
        for text in ("None", "0.0", "[]", "x / 0"):
            assert set(clinic.diagnoses(f"def double(x): return {text}", lazy).values()) == {None}

    def test_that_ends_a_test_sooner_or_later(self, clinic: Clinic) -> None:
        later = make("later", "double", lambda x: x**2 if isinstance(x, np.ndarray) else 2 * x)
        assert set(clinic.diagnoses("def double(x): return x * x", later).values()) == {None}

    def test_for_an_error_unless_the_function_passes_a_test(self, clinic: Clinic) -> None:
        failing = make("failing", "double", lambda x: 2 * x + 0.0)
        known = (failing, SQUARED, ADDED)
        raising = "def double(x):\n  if isinstance(x, list): raise TypeError\n  return "
        assert clinic.diagnoses(f"{raising} 2 * x", *known) == {"test_double_of_a_list": "failing"}
        assert set(clinic.diagnoses(f"{raising} 7 * x", *known).values()) == {None}

    def test_for_an_error_that_arises_in_another_function(
        self, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(BODIES, "test_volume", ("volume", check_volume))
        early = make("early", "volume", volume_of_a_list)
        late = make("late", "volume", volume_of_a_dict)
        source = "def area(w, h):\n  if h > 5: raise TypeError\n  return w * h\ndef volume(w, h, d): return area"
        assert clinic.diagnoses(f"{source}(w, h * h) * d", early, late) == {"test_volume": "late"}
        assert clinic.diagnoses(f"{source}(w, h) * d if h == 1 else w[0]", early, late) == {"test_volume": "early"}

    def test_for_a_call_that_was_refused_for_another_reason(
        self, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(BODIES, "test_ask", ("double", check_ask))
        few = make("few", "double", lambda x: x([]) if callable(x) else 2 * x)
        many = make("many", "double", lambda x: x(["a"] * 3) if callable(x) else 2 * x)
        for given, mistake in (("x([])", "few"), ("x([x] * 4)", "many"), ("x(5)", None), ("int('no items')", None)):
            source = f"def double(x): return {given} if callable(x) else 2 * x"
            assert clinic.diagnoses(source, few, many) == {"test_ask": mistake}

    def test_that_would_fail_a_test_which_was_passed(self, clinic: Clinic) -> None:
        tripled = make("tripled", "double", lambda x: 3 * x)
        source = "def double(x): return 2 * x if isinstance(x, list) else 3 * x"
        assert clinic.diagnoses(source, tripled) == {"test_double": None}

    def test_unless_it_fails_such_a_test_by_an_error_alone(self, clinic: Clinic) -> None:
        source = "def double(x): return 2 * x if isinstance(x, list) else x * x"
        assert clinic.diagnoses(source, SQUARED) == {"test_double": "squared"}


class TestReplaysLeaveNothingBehind:
    def test_warnings_and_draws_of_a_mistake_stay_without_effect(self, clinic: Clinic) -> None:
        before = np.random.get_state()[1].copy()  # noqa: NPY002  (what the grader must not disturb)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warning = make("warned", "double", warned)
            clinic.diagnoses("def double(x): return x * x", warning)
        assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002  (as above)

    def test_a_fault_of_ours_costs_the_hint_only_and_is_kept_for_staff(
        self, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = clinic.results("def double(x): return 7")["test_double"]
        monkeypatch.setattr(MadeBank, "load", lambda *_: 1 / 0)
        told = clinic.results("def double(x): return 7")["test_double"]
        assert replace(told, seconds=expected.seconds) == replace(expected, fault=told.fault)
        assert "ZeroDivisionError" in told.fault
