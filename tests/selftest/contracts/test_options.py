"""Options: what a contract says beside its signature; what is misspelt or gone is refused with what to write."""

import re
from typing import Any

import numpy as np
import pytest

from autograder import UserError
from autograder.contracts import JUMPS, LEFT_OUT, ROBUST, Contract, ContractError, Given, InAllCases, Where
from autograder.contracts.case import VALUES
from autograder.contracts.check import CaseCheck
from autograder.contracts.promised import Slopes
from tests.selftest.contracts.toy_contracts import BLEND, SEED, blend, judge, pick_loss

PAIR = "x: (N, D), y: (N, D) -> mean, difference"
LOSS = "scores: (N, C), labels: (N,) < C -> loss: float, grad: (N, C) where C >= 2"


def derive(purpose: str = "everywhere", function: Any = blend, signature: str = PAIR, **options: Any) -> CaseCheck:
    """The data of a row."""
    derived = Contract(function, signature, **options).derive(purpose, SEED)
    assert isinstance(derived, CaseCheck)
    return derived


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("also", "cases=[Given(arguments, words)]"),
        ("made_by", "a driver= that calls both"),
        ("predicate", "right={part: function}"),
    ],
)
def test_one_that_is_gone_is_refused_with_what_to_write(name: str, instead: str) -> None:
    with pytest.raises(UserError) as caught:
        Contract(blend, PAIR, **{name: {}})
    told = str(caught.value)
    assert told.startswith(f"{name} ")
    assert told.endswith(f", and is gone: write {instead}; see docs/contracts.md")


def say_nothing(value: Any, case: Any) -> str:
    """Find nothing wrong."""
    return ""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"intgers": ["x"]}, "a contract: no option is named intgers; there are cases, "),
        ({"draw": {"z": len}}, "no argument is named z; there are x, y"),
        ({"stable": ["z"]}, "no argument is named z; there are x, y"),
        ({"stable": {"x": ["z"]}}, "no part is named z; there are difference, mean"),
        ({"gradient": {"mean": "z"}}, "no argument is named z; there are x, y"),
        ({"gradient": Slopes({"mean": "x"}, times=["z"])}, "no argument is named z; there are x, y"),
        ({"shares": {"z": 1}}, "no part is named z; there are difference, mean, robustness"),
        ({"segments": {"z": {"all": "N"}}}, "no part is named z; there are difference, mean"),
        ({"segments": {"mean": {"all": "M"}}}, "no size is named M; there are D, N"),
        ({"usual": {"M": (3,)}}, "no size is named M; there are D, N"),
        ({"right": {"z": say_nothing}}, "no part is named z; there are difference, mean"),
        ({"cases": [Given([1, 2], group="z")]}, "no group is named z; there are constants, ordinary, robustness, s"),
        ({"cases": [Given([1, 2], unjudged=["z"])]}, "no part is named z; there are difference, mean"),
        ({"cases": [[1, 2]]}, "`cases` lists Given(arguments, words) and Where(condition, words), nothing else"),
        ({"cases": [Where(JUMPS, "at a tie")]}, "JUMPS leaves cases out: write Where(JUMPS, group=LEFT_OUT)"),
    ],
)
def test_a_name_that_there_is_not_is_refused_with_those_that_there_are(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ContractError, match=re.escape(told)):
        Contract(blend, PAIR, **options)


class TestCases:
    def test_of_the_authors_count_among_the_values_or_where_he_says(self) -> None:
        pair = [np.eye(2), np.eye(2)]
        check = derive(cases=[Given(pair, "a"), Given(lambda rng: pair, ["b", "c"], ROBUST, ["mean"])])
        found = {case.kinds[0]: case for case in check.cases if case.kinds and case.kinds[0] in "ab"}
        assert (found["a"].group, found["b"].group) == (VALUES, ROBUST)
        assert found["b"].kinds[1] == "c" and found["b"].unjudged == ("mean",)

    def test_of_the_authors_have_the_words_for_their_sizes_and_numbers_too(self) -> None:
        def scale(x: Any, labels: Any, step: float = 1.0) -> Any:
            return x * step

        given = Given([np.ones((2, 5)), np.array([0, 2]), 0.5], "a")
        check = derive(function=scale, signature="x: (N, D), labels: (N,) < 3, step: float = 1 -> x", cases=[given])
        labels = ("where an entry of labels is 0", "where an entry of labels is 2")
        own = ("a", "where N < D", "where N = 2", "where D = 5", *labels, "where step is not its default")
        assert own in [case.kinds for case in check.cases]

    def test_of_the_authors_may_have_more_axes_than_drawn_ones(self) -> None:
        def negate(x: Any) -> Any:
            return -x

        given = Given([np.ones((1, 2, 3, 2))], "a")
        check = derive(function=negate, signature="x: (...) -> y: (...)", cases=[given])
        assert any(case.kinds[:2] == ("a", "where an axis has length 1") for case in check.cases)

    def test_that_hold_a_condition_have_its_words_group_and_unjudged_parts(self) -> None:
        def is_single(x: Any, y: Any) -> bool:
            return len(x) == 1

        given = Given([np.eye(1), np.eye(1)], "a case of the author's")
        check = derive(cases=[given, Where(is_single, "for one row", ROBUST, ["mean"])])
        single = [case for case in check.cases if is_single(*case.arguments)]
        assert len(single) > 3 and all("for one row" in case.kinds for case in single)
        drawn = {(case.group, case.unjudged) for case in single if case.kinds[0] != given.words}
        own = {(case.group, case.unjudged) for case in single if case.kinds[0] == given.words}
        assert (drawn, own) == ({(ROBUST, ("mean",))}, {(VALUES, ())})
        assert all(is_single(*case.arguments) for case in check.cases if case.group == ROBUST)

    def test_that_hold_a_condition_are_left_out(self) -> None:
        check = derive(cases=[Where(lambda x, y: len(x) == 1, group=LEFT_OUT)])
        assert len(derive().cases) > len(check.cases) > 10
        assert all(len(case.arguments[0]) > 1 for case in check.cases)

    def test_without_any_but_robustness_are_refused(self) -> None:
        with pytest.raises(ContractError, match="no case has sizes that fit"):
            derive(cases=[Where(lambda x, y: True, group=ROBUST)])

    @pytest.mark.parametrize(
        ("made", "told"),
        [
            (lambda rng: [1 / 0], "the case 'at a point' fails in test_options.py:"),
            (np.log10, "the case 'at a point' fails by TypeError"),
        ],
    )
    def test_that_cannot_be_made_are_told_with_their_words_and_place(self, made: Any, told: str) -> None:
        with pytest.raises(ContractError, match=re.escape(f"blend: {told}")):
            derive(cases=[Given(made, "at a point")])


def test_the_share_of_robustness_is_of_the_row() -> None:
    assert derive(function=pick_loss, signature=LOSS, stable=["scores"]).shares[ROBUST] == pytest.approx(0.1)
    check = derive(function=pick_loss, signature=LOSS, stable=["scores"], shares={ROBUST: 0.3, "loss": 2})
    assert check.shares[ROBUST] == pytest.approx(0.3)
    assert check.part_shares[VALUES] == pytest.approx({"loss": 2 / 3, "grad": 1 / 3})


def test_parts_that_stable_does_not_name_are_not_judged() -> None:
    def cap(scores: Any, labels: Any) -> Any:
        loss, grad = pick_loss(scores, labels)
        return min(loss, 100.0), grad

    every = Contract(pick_loss, LOSS, stable=["scores"])
    gradient = Contract(pick_loss, LOSS, stable={"scores": ["grad"]})
    assert judge(every, pick_loss=cap)[0] == pytest.approx(0.95)
    assert judge(gradient, pick_loss=cap) == (1.0, "")


def find_sign(value: Any, case: Any) -> Any:
    """Return the right values, with the sign of the returned ones."""
    return case.right * np.sign(value.ravel()[0] * case.right.ravel()[0])


def refuse_negative(value: Any, case: Any) -> str:
    """Say what is wrong where the first entry is negative."""
    return "a first entry below 0" if value.ravel()[0] < 0 else ""


def fail_where_one_row(value: Any, case: Any) -> Any:
    """Return the value where there are several rows."""
    return value if len(value) > 1 else case.arguments["missing"]


class TestRight:
    def test_a_function_returns_the_nearest_right_value_or_what_is_wrong(self) -> None:
        def turn(x: Any, y: Any, rate: float = 0.5) -> Any:
            mean, difference = blend(x, y, rate)
            return -mean, difference

        assert judge(Contract(blend, PAIR, right={"mean": find_sign}), blend=turn) == (1.0, "")
        share, told = judge(Contract(blend, PAIR, right={"mean": refuse_negative}), blend=turn)
        assert 0 < share < 1 and told.startswith("mean is wrong")

    def test_where_a_rule_raises_an_error_the_part_is_compared(self) -> None:
        contract = Contract(blend, PAIR, right={"mean": refuse_negative})
        assert judge(contract, blend=lambda x, y: (None, x - y)) == (0.5, "mean is wrong; difference is right")

    def test_one_that_fails_on_the_right_answer_is_told_with_its_case_and_line(self) -> None:
        line = fail_where_one_row.__code__.co_firstlineno + 2
        told = rf"blend: `right` of mean fails on the right answer where N = 1 in test_options\.py:{line}: KeyError"
        with pytest.raises(ContractError, match=told):
            derive(right={"mean": fail_where_one_row})

    def test_another_right_function_holds_in_all_cases(self) -> None:
        def swap(x: Any, y: Any) -> Any:
            return blend(y, x, 0.25)

        contract = Contract(blend, PAIR, right={"the other order": InAllCases(swap)})
        assert judge(contract, blend=swap) == (1.0, "")
        assert judge(BLEND, blend=swap)[0] < 0.5
        mixed = lambda x, y: (swap if len(x) == 1 else blend)(x, y)  # noqa: E731
        assert judge(contract, blend=mixed)[0] < 1


def draw_nothing(known: Any, rng: Any, style: str) -> Any:
    return 1 / 0


def test_a_draw_that_fails_is_told_with_its_argument_and_line() -> None:
    line = draw_nothing.__code__.co_firstlineno + 1
    with pytest.raises(ContractError, match=rf"blend: `draw` of x fails in test_options\.py:{line}: ZeroDivisionError"):
        derive(draw={"x": draw_nothing})
