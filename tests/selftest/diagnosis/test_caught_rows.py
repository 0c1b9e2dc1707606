"""What catches a known mistake is derived: the tests that fail with it, and the parts that are wrong in them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.assignment import Severity
from autograder.checks import checks
from autograder.contracts import CheckBody
from autograder.diagnosis import Caught, CaughtBank, caught_rows, derive_caught
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.mistakes import Mistake
from autograder.results import Visibility
from autograder.student import Student, TestCall
from tests.selftest.contracts import toy_contracts
from tests.selftest.contracts.toy_contracts import BLEND, PICK, SEED, blend, pick_loss
from tests.selftest.support.toy_assignment import ASSIGNMENT, BANK

STEM = "toy_contracts"
REFERENCES = {STEM: sys.modules[toy_contracts.__name__]}


def make_test(name: str, call: TestCall, *functions: str, points: float = 1.0, robust: bool = False) -> RunnableTest:
    """Make a hidden test of the invented question."""
    test = HiddenTest(f"t.py::{name}", STEM, functions, name, "1.1", points, Visibility.VISIBLE, None)
    return RunnableTest(HiddenTest(**{**vars(test), "is_robustness": robust}), call)


def check_by_hand(student: Student) -> None:
    """Compare a value of one call."""
    given = np.ones(2), np.full(2, 3.0)
    checks.close("blend", student.toy_contracts.blend(*given)[0], blend(*given)[0])


def check_zeros(student: Student) -> None:
    """Compare nothing but a call with zeros."""
    checks.require(np.isfinite(student.toy_contracts.blend(0.0, 0.0)[0]), "blend", "a number", "none")


def give_half(student: Student) -> float:
    """Give half of the points where the value is wrong, and all else."""
    return 1.0 if student.toy_contracts.blend(1.0, 0.0) == blend(1.0, 0.0) else 0.5


ORDINARY, EVERYWHERE = (CheckBody(each, stem=STEM, seed=SEED) for each in (BLEND.ordinary(), BLEND.everywhere()))
TESTS = {
    "ordinary": make_test("ordinary", ORDINARY, "blend"),
    "everywhere": make_test("everywhere", EVERYWHERE, "blend"),
    "of_pick": make_test("of_pick", CheckBody(PICK.everywhere(), stem=STEM, seed=SEED), "pick_loss"),
    "by_hand": make_test("by_hand", check_by_hand, "blend"),
    "zeros": make_test("zeros", check_zeros, "blend", robust=True),
    "half": make_test("half", give_half, "blend"),
}


def derive(wrong: Callable[..., Any], *names: str, function: str = "blend") -> Caught:
    """Derive what catches a mistake among some tests; both in the order of the tests."""
    mistake = Mistake("wrong", STEM, function, "A story.", "A hint.", wrong, Severity.SLIP)
    return derive_caught(mistake, [TESTS[name] for name in names], REFERENCES)


def test_a_row_names_the_parts_that_are_wrong() -> None:
    found = derive(lambda x, y, rate=0.5: (blend(x, y, rate)[0], y - x), "ordinary", "everywhere", "of_pick")
    assert found == Caught(("ordinary", "everywhere"), ("difference",))


def test_a_mistake_may_be_wrong_in_every_part_of_a_few_cases() -> None:
    def fails_for_a_row(x: Any, y: Any, rate: float = 0.5) -> Any:
        return blend(x, y, rate) if len(x) > 1 else None

    assert derive(fails_for_a_row, "ordinary", "everywhere") == Caught(("everywhere",), ("mean", "difference"))


def test_arguments_that_are_changed_are_told_beside_the_parts() -> None:
    def in_place(x: Any, y: Any, rate: float = 0.5) -> Any:
        found = blend(x, y, rate)
        x -= y
        return found

    def in_place_and_wrong(x: Any, y: Any, rate: float = 0.5) -> Any:
        return 2 * in_place(x, y, rate)[0], x

    assert derive(in_place, "ordinary", "everywhere") == Caught(("everywhere",), ("arguments",))
    assert derive(in_place_and_wrong, "everywhere").parts == ("mean", "arguments")


def test_an_order_is_told_where_the_parts_are_right() -> None:
    assert derive(lambda x, y, rate=0.5: blend(x, y, rate)[::-1], "ordinary") == Caught(("ordinary",), ("order",))


def test_robustness_is_told_where_nothing_else_is_wrong() -> None:
    def overflows(scores: Any, labels: Any) -> Any:
        return pick_loss(scores if np.abs(scores).max() < 100 else scores / 2, labels)

    assert derive(overflows, "of_pick", function="pick_loss") == Caught(("of_pick",), ("robustness",))


def test_tests_written_by_hand_name_the_function() -> None:
    halved = lambda x, y, rate=0.5: (x / 2, y - x)  # noqa: E731  (wrong in both parts)
    assert derive(halved, "by_hand") == Caught(("by_hand",), ("blend",))
    assert derive(halved, "by_hand", "ordinary").parts == ("mean", "difference")
    assert derive(lambda x, y: (np.nan, np.nan) if np.ndim(x) == 0 else blend(x, y), "zeros", "by_hand") == Caught(
        ("zeros",), ("robustness",)
    )


def test_a_test_fails_where_it_gives_fewer_points_than_it_has() -> None:
    assert derive(lambda x, y, rate=0.5: (x, y), "half").rows == ("half",)
    assert derive(blend, "half") == Caught((), ())


def test_a_test_with_a_bug_catches_nothing_and_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_a_bug(student: Student) -> None:
        student.toy_contracts.blend(1.0, 0.0)
        raise KeyError("a bug")

    monkeypatch.setitem(TESTS, "bug", make_test("bug", has_a_bug, "blend"))
    assert derive(lambda x, y, rate=0.5: (x, y), "bug", "by_hand") == Caught(("by_hand",), ("blend",))


@pytest.mark.parametrize("name", ["everywhere", "by_hand"])
def test_a_mistake_that_never_ends_and_does_not_say_so_holds_up_nobody(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(x: Any, y: Any, rate: float = 0.5) -> Any:
        while True:
            x = x + y

    monkeypatch.setattr(caught_rows, "_MOST_S", 0.2)
    assert derive(endless, name) == Caught((), ())


def test_a_mistake_is_run_on_a_copy_of_its_defaults() -> None:
    def remembers(x: Any, y: Any, rate: float = 0.5, kept: list[Any] = []) -> Any:  # noqa: B006  (the mistake)
        kept.append(blend(x, y, rate))
        return kept[0]

    assert derive(remembers, "everywhere") == derive(remembers, "everywhere")
    assert remembers.__defaults__ == (0.5, [])


class TestBank:
    def test_mistakes_of_a_function_have_the_tests_that_fail_with_them(self) -> None:
        bank = CaughtBank(ASSIGNMENT)
        loaded = {each.id: each for each in bank.load_caught("averages", "glide_step")}
        assert loaded["glide_sum"].caught_by == ("test_glide_theta", "test_glide_m")
        assert loaded.keys() == {each.id for each in BANK.load("averages") if each.function == "glide_step"}
        assert all(not each.caught_by for each in bank.load("averages"))

    def test_a_mistake_is_run_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bank, found = CaughtBank(ASSIGNMENT), []
        run = lambda _, mistake: found.append(mistake.id) or Caught(("a",), ("b",))  # noqa: E731  (it is used once)
        monkeypatch.setattr(CaughtBank, "find_caught", run)
        first, again = (bank.load_caught("averages", "scaled_step") for _ in range(2))
        assert [each.caught_by for each in again] == [("a",)] * len(first)
        assert len(found) == len(first)

    def test_what_a_mistake_names_itself_is_not_derived(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(CaughtBank, "find_caught", None)
        endless = Mistake("endless", "s", "f", "", "", blend, Severity.SLIP, caught_by=("test_b",), ends=False)
        assert CaughtBank(ASSIGNMENT).find_rows(endless) == ("test_b",)
