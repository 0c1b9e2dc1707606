"""Replies are compared part by part, in every case, and corner cases are no evidence against the core of a mistake."""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from autograder.checks import checks
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.grading.attempt import Tried
from autograder.grading.ending import Partial, Passed
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.judge import Evidence, build_check_result
from autograder.mistakes import Mistake
from autograder.results import Verdict, Visibility
from autograder.student import Student, TestCall
from tests.selftest.support.made_bank import MadeBank, make_mistake
from tests.selftest.support.made_bank import diagnose as diagnose_all

Code = Callable[..., Any]
CASES = [np.array([1.5, -2.0, 0.25]), np.array([0.5, 3.0]), np.array([-1.25])]
PARTS = ("total", "doubled", "squared")


def measure(x):
    return float(x.sum()), 2 * x, x**2


REFERENCE = ModuleType("sizes")
REFERENCE.measure = measure  # type: ignore[attr-defined]


def check_part(part: int, *cases: np.ndarray) -> TestCall:
    """Make the body of a test that compares one part of each case, after all were asked for."""

    def check(student: Student) -> None:
        values = [student.sizes.measure(x) for x in cases]
        for x, value in zip(cases, values, strict=True):
            checks.close(PARTS[part], checks.parts("measure", value, PARTS)[part], measure(x)[part])

    return check


def check_empty(student: Student) -> None:
    """Compare the totals of one array, and of an array without entries, each asked for alone."""
    for x in (CASES[0], np.array([])):
        checks.close("total", checks.parts("measure", student.sizes.measure(x), PARTS)[0], measure(x)[0])


TESTS: dict[str, TestCall] = {
    "test_total": check_part(0, *CASES),
    "test_doubled": check_part(1, *CASES),
    "test_squared": check_part(2, *CASES),
    "test_two": check_part(2, *CASES[:2]),
    "test_empty": check_empty,
    "test_none": check_part(0, np.array([])),
}
# These are tagged `robustness`.
LARGE = {"test_large": check_part(0, np.array([1e200, 3.0]))}


def average(x):
    return float(np.mean(x)) if len(x) else np.nan


def but(**parts: Code) -> Code:
    """Make the function with some parts that are wrong."""

    def measure_wrongly(x):
        values = zip(PARTS, measure(x), strict=True)
        return tuple(parts[name](x) if name in parts else value for name, value in values)

    return measure_wrongly


def triple(x):
    return 3 * x


def cube(x):
    return x**3


def make(name: str, wrong: Code) -> Mistake:
    """Make a known mistake of the invented function."""
    return make_mistake(name, "sizes", "measure", wrong)


MEAN = make("mean", but(total=average))
TRIPLED = make("tripled", but(doubled=triple))
CUBED = make("cubed", but(squared=cube))
BOTH = make("both", but(doubled=triple, squared=cube))


def diagnose(code: Code, *mistakes: Mistake, tests: Mapping[str, TestCall] = TESTS) -> dict[str, tuple[str, ...]]:
    """Judge code of the invented function and return the names in each failed test."""
    results, evidence, runnable = [], [], []
    for name, call in tests.items():
        fields = (name, "sizes", ("measure",), name, "1.1", 1.0, Visibility.AFTER_DUE_DATE, None)
        test = HiddenTest(*fields, is_robustness=name in LARGE)
        runnable.append(RunnableTest(test, call))
        replay = Replay(REFERENCE).replace("measure", code)  # type: ignore[arg-type]
        with preserve_global_state():
            is_passed = replay.run(call)
        results.append(build_check_result(test, Tried(Passed() if is_passed else Partial(0.0)), seconds=0.0))
        if not is_passed:
            evidence.append(Evidence(test, call, tuple(replay.functions.replies), ()))
    told = diagnose_all(results, evidence, runnable, MadeBank(mistakes, REFERENCE))
    assert {each.fault for each in told} == {""}
    return {each.test_id: each.diagnosis for each in told if each.verdict is not Verdict.PASSED}


class TestTwoMistakesOnDifferentParts:
    def test_are_both_named_each_in_the_tests_that_fail_because_of_it(self) -> None:
        found = diagnose(but(total=lambda x: average(x) if len(x) else 0.0, doubled=triple), MEAN, TRIPLED, CUBED)
        assert found == {"test_total": ("mean",), "test_empty": ("mean",), "test_doubled": ("tripled",)}

    def test_are_named_as_one_where_a_known_mistake_makes_both(self) -> None:
        found = diagnose(but(doubled=triple, squared=cube), TRIPLED, CUBED, BOTH)
        assert set(found.values()) == {("both",)}

    def test_of_which_one_is_unknown_leave_the_other_its_name(self) -> None:
        found = diagnose(but(doubled=triple, squared=np.sin), TRIPLED, CUBED)
        assert found == {"test_doubled": ("tripled",), "test_squared": (), "test_two": ()}

    def test_that_explain_one_part_equally_well_have_no_name(self) -> None:
        twin = make("twin", but(doubled=lambda x: x + x + x))
        found = diagnose(but(doubled=triple, squared=cube), TRIPLED, twin, CUBED)
        assert found == {"test_doubled": (), "test_squared": ("cubed",), "test_two": ("cubed",)}


class TestOnePart:
    def test_is_that_of_a_mistake_only_if_it_is_so_in_every_case(self) -> None:
        for other in (5, 2):  # wrong in another way, or right
            found = diagnose(but(doubled=lambda x, other=other: (3 if len(x) == 3 else other) * x), TRIPLED)
            assert found == {"test_doubled": ()}

    def test_that_is_wrong_in_another_way_rules_a_mistake_out(self) -> None:
        found = diagnose(but(doubled=triple, squared=lambda x: 7 * x), BOTH)
        assert set(found.values()) == {()}


class TestCornerCases:
    @pytest.mark.parametrize("guarded", [0.0, float("nan")], ids=["guarded", "not guarded"])
    def test_do_not_hide_a_mistake(self, guarded: float) -> None:
        found = diagnose(but(total=lambda x: average(x) if len(x) else guarded), MEAN)
        assert set(found.values()) == {("mean",)}

    def test_rule_a_mistake_out_where_it_is_wrong_by_a_finite_value(self) -> None:
        finite = make("finite", but(total=lambda x: average(x) if len(x) else 7.0))
        found = diagnose(but(total=lambda x: average(x) if len(x) else 0.0), finite)
        assert set(found.values()) == {()}

    def test_alone_name_nothing_that_is_right_elsewhere(self) -> None:
        found = diagnose(but(total=lambda x: x.sum() if len(x) else np.nan), MEAN)
        assert set(found.values()) == {()}

    def test_are_the_core_of_a_test_of_robustness(self) -> None:
        overflowing = but(total=lambda x: np.sqrt((x * x).sum()))
        known = make("overflow", overflowing)
        with np.errstate(all="ignore"):
            assert diagnose(overflowing, known, tests=LARGE) == {"test_large": ("overflow",)}
            assert diagnose(but(total=lambda x: 7.0), known, tests=LARGE) == {"test_large": ()}


@pytest.mark.parametrize(("factor", "names"), [(3, ("known",)), (5, ())])
def test_one_of_robustness_names_no_mistake_that_other_failed_tests_rule_out(
    factor: int, names: tuple[str, ...]
) -> None:
    def plant(factor: int) -> Code:
        return lambda x: (x.sum(), factor * x, x**2) if np.all(x < 1e100) else (12.5, 2 * x, x**2)

    known = make("known", plant(3))
    with np.errstate(all="ignore"):
        found = diagnose(plant(factor), known, tests={**TESTS, **LARGE})
    assert found == {"test_doubled": names, "test_large": names}
