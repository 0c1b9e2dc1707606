"""Replies are judged by parts and groups: partial credit, monotone, with words for what is wrong."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed, NotWritten
from autograder.contracts import judgement
from autograder.contracts.body import find_failing_case, judge_check
from autograder.contracts.case import ORDINARY, ROBUST, SIZES, VALUES, Case
from autograder.contracts.check import TOGETHER, CaseCheck, compute_earned, unite
from autograder.contracts.judgement import judge
from autograder.contracts.part_comparison import compare_part
from autograder.programs.calls import write_call
from autograder.programs.outcome import Frame, Outcome, OutcomeKind
from tests.selftest.contracts.toy_contracts import (
    BACKWARD,
    BLEND,
    LAYERS,
    MULTIPLY,
    PICK,
    SCALE,
    SEED,
    STEP,
    blend,
    list_shares,
    pick_loss,
    scale_rows,
    step,
)
from tests.selftest.contracts.toy_contracts import judge as judge_functions


def make_check(groups: list[str], parts: tuple[str, ...] = ("a", "b"), **options: Any) -> CaseCheck:
    """A small check: the call number i returns i and -i."""
    values = [{"a": float(k), "b": -float(k)} for k in range(len(groups))]
    cases = [
        Case(write_call("f", (k,)), (k,), {part: values[k][part] for part in parts}, group, (f"where k = {k}",))
        for k, group in enumerate(groups)
    ]
    left = 1 - options.get("order_share", 0) - options.get("promise_share", 0)
    shares = {group: left / len(set(groups)) for group in groups}
    worth = dict.fromkeys(shares, dict.fromkeys(parts, 1 / len(parts)))
    return CaseCheck("f", ("k",), parts, tuple(cases), shares, worth, parts, **options)


class TestShares:
    @pytest.mark.parametrize("keeps", [True, False])
    @pytest.mark.parametrize("in_order", [True, False])
    @pytest.mark.parametrize("worth", [{"a": 0.3, "b": 0.7}, {TOGETHER: 1.0}], ids=["parts", "together"])
    def test_more_right_cases_never_earn_less(self, keeps: bool, in_order: bool, worth: dict[str, float]) -> None:
        check = make_check([SIZES, SIZES, VALUES, ROBUST], order_share=0.1, promise_share=0.1)
        check = check._replace(part_shares=dict.fromkeys(check.shares, worth))
        shares = list_shares(lambda right: compute_earned(check, right, is_in_order=in_order, keeps=keeps), 4)
        assert min(shares) >= 0 and max(shares) <= 1 + 1e-9
        assert (shares[0], shares[-1]) == (0, pytest.approx(1 - 0.1 * (not keeps) - 0.1 * (not in_order)))

    def test_of_two_attempts_are_the_better_of_each_part(self) -> None:
        check = make_check([SIZES, VALUES])
        first = compute_earned(check, [{"a": True, "b": False}, {"a": True, "b": False}])
        second = compute_earned(check, [{"a": False, "b": True}, {"a": False, "b": False}])
        assert sum(first.values()) == pytest.approx(0.5)
        assert sum(unite(first, second).values()) == sum(unite(second, first).values()) == pytest.approx(0.75)

    def test_of_robustness_and_promises_need_a_right_ordinary_case(self) -> None:
        check = make_check([SIZES, ROBUST], parts=("a",), promise_share=0.2)
        assert compute_share(check, [{"a": False}, {"a": True}]) == 0
        assert compute_share(check, [{"a": True}, {"a": True}]) == pytest.approx(1)


def compute_share(check: CaseCheck, right: list[dict[str, bool]], **options: bool) -> float:
    """The share that is earned."""
    return sum(compute_earned(check, right, **options).values())


def value_replies(check: CaseCheck) -> list[Any]:
    """The right replies."""
    return [[tuple(case.expected[part] for part in check.parts)] for case in check.cases]


def test_what_nobody_could_read_keeps_no_promise() -> None:
    check = make_check([SIZES, SIZES], parts=("a",), promise_share=0.2)
    program = write_call("f", (0,), left=(0,))
    cases = tuple(case._replace(program=program, left=(0,)) for case in check.cases)
    check = check._replace(cases=cases, promising=(0, 1))
    dead = Outcome(OutcomeKind.DIED)
    assert judge(check, [[0.0, 0], [1.0, 1]]).share == 1
    assert judge(check, [[0.0, 0], [1.0, dead]]).earned["promise"] == 0
    assert judge(check, [[0.0, 0], [dead, dead]]).share == 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judgement, "are_read", lambda *_: True)
        assert judge(check, [[0.0, 0], [1.0, dead]]).earned["promise"] > 0


def test_a_case_in_which_nothing_could_be_read_has_no_right_part() -> None:
    check = make_check([SIZES, VALUES])
    program = replace(check.cases[0].program, returned=check.cases[0].program.returned * 2)
    first, second = (case._replace(program=program) for case in check.cases)
    check = check._replace(cases=(first, second._replace(unjudged=("b",))))
    dead = Outcome(OutcomeKind.DIED)
    assert judge(check, [[0.0, 0.0], [1.0, 7.0]]).share == 1
    assert judge(check, [[0.0, 0.0], [dead, dead]]).share == 0.5


def test_a_call_that_fails_does_not_hide_the_others() -> None:
    check = make_check([SIZES, SIZES, VALUES])
    error = Outcome(OutcomeKind.RAISED, error_type="ValueError", message="k is 1", frames=(Frame("f.py", 3, "f"),))
    replies = value_replies(check)
    found = judge(check, [replies[0], [error], [(2.0, 5.0)]])
    assert found.share == 0.25
    assert found.failure is not None and found.failure.what == (
        "f raised ValueError where k = 1; b is wrong where k = 2; a is right"
    )
    assert found.failure.found == "the call raised ValueError, f.py line 3"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ({"error_type": "ValueError", "refusal": "no more draws"}, "ValueError: no more draws"),
        ({"error_type": "InputWas3"}, "an exception"),  # a class of the student's own
    ],
)
def test_the_refusal_of_a_function_of_the_staffs_is_said_and_no_name_of_the_students(
    error: dict[str, str], told: str
) -> None:
    found = judge(make_check([SIZES, VALUES], parts=("a",)), [[0.0], [Outcome(OutcomeKind.RAISED, **error)]])  # type: ignore[arg-type]
    assert found.failure is not None and found.failure.found == f"the call raised {told}"


@pytest.mark.parametrize(
    ("last", "is_told"), [(0.0, False), (5.0, True), (Outcome(OutcomeKind.RAISED, error_type="E"), True)]
)
def test_two_equal_programs_that_differ_are_told_and_no_place_of_theirs(last: Any, is_told: bool) -> None:
    check = make_check([SIZES, SIZES, VALUES], parts=("a",))
    check = check._replace(cases=(*check.cases[:2], check.cases[0]))
    found = judge(check, [[0.0], [7.0], [last]]).failure
    assert found is not None
    assert ("two calls with the same arguments give different values" in found.what) == is_told
    assert ("where k = 1" in found.what) != is_told


def test_a_relation_holds_in_all_failing_cases() -> None:
    right = np.random.default_rng(3).normal(size=(3, 4, 2))
    check = make_check([SIZES, SIZES, VALUES], parts=("a",))
    cases = [case._replace(expected={"a": each}) for case, each in zip(check.cases, right, strict=True)]
    check = check._replace(cases=tuple(cases))
    for last, relation in ((-right[2], "every entry has the wrong sign"), (right[2] + 1, "None")):
        found = judge(check, [[right[0]], [-right[1]], [last]]).failure
        assert found is not None and str(found.relation) == relation


@pytest.mark.parametrize("value", [None, 3.0, (1.0,), (1.0, 2.0, 3.0), "ab", {"a": 1}])
def test_values_of_another_form_are_wrong(value: object) -> None:
    check = make_check([ORDINARY, ORDINARY])
    found = judge(check, [[value], [value]])
    assert found.share == 0
    assert found.failure is not None and found.failure.what == "a and b are wrong"


def test_the_order_is_that_of_the_first_case_and_has_a_share() -> None:
    check = make_check([ORDINARY, ORDINARY], order_share=0.1)
    right = value_replies(check)
    check = check._replace(cases=check.cases[::-1])  # 0 equals -0, so that 1 decides
    swapped = [[value[::-1]] for (value,) in right[::-1]]
    found = judge(check, swapped)
    assert found.share == pytest.approx(0.9)
    assert found.failure is not None
    assert (found.failure.what, found.failure.found) == ("the values are returned in another order than a, b", "b, a")
    assert judge(check, [swapped[0], [(7.0, -7.0)]]).share == 0


def change_loss(change: Any) -> Any:
    """Return a function with other values than `pick_loss`."""
    return lambda scores, labels: change(*pick_loss(scores, labels), labels)


def pick_naively(scores: Any, labels: Any) -> Any:
    """Return what `pick_loss` does, by exponentials that overflow."""
    with np.errstate(all="ignore"):
        y = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        rows = np.arange(len(scores))
        loss = -np.log(y[rows, labels]).mean()
    y[rows, labels] -= 1
    return loss, y / len(scores)


def forward(x: Any, w: Any) -> Any:
    """Keep another cache than `multiply`."""
    return x @ w, {"x": x, "w": w}


def change_step(change: Any) -> dict[str, Any]:
    """Return a function with other values than `step`."""
    return {"step": lambda *given: change(*step(*given))}


def stack_ends(weights: Any, x: Any) -> Any:
    """Use the first and the last matrix alone."""
    return weights[-1] @ (weights[0] @ x) if len(weights) > 1 else weights[0] @ x


def keep_by_id() -> Any:
    """Return a function that keeps its first result for each object."""
    kept: dict[int, Any] = {}

    def blend_once(x: Any, y: Any, rate: float = 0.5) -> Any:
        return kept.setdefault(id(x), (blend(x, y, rate), x))[0]

    return blend_once


def blend_memory(x: Any, y: Any, rate: float = 0.5) -> Any:
    """Read x as it lies in memory."""
    return blend(x.ravel(order="K").reshape(x.shape), y, rate)


ADDS_TO_X = lambda x, y, rate=0.5: (*blend(x, y, rate), np.add(x, 1, out=x))[:2]  # noqa: E731
RUNNING = r"^options\['running'\] after the call is wrong .*; out is right$"
ONE_ROW = change_loss(lambda loss, grad, labels: (loss + (len(labels) == 1), grad))
LARGE_BATCH = change_loss(lambda loss, grad, labels: (loss, grad * (1 + (len(labels) > 100))))
A_LABEL = change_loss(lambda loss, grad, labels: (loss, grad + (labels == 3)[:, None]))
BACK = {"multiply": forward, "multiply_backward": lambda dout, cache: (dout @ cache["w"].T, cache["x"].T @ dout)}
ONE_KEY = '^smaller\\["b"\\] is wrong; size and smaller\\["w"\\] are right$'
BOTH_KEYS = '^smaller\\["w"\\] and smaller\\["b"\\] are wrong; size is right$'


@pytest.mark.parametrize(
    ("contract", "functions", "share", "told"),
    [
        (
            BLEND,
            {"blend": lambda x, y, rate=0.4: blend(x, y, rate)},
            0.9,
            "^mean .* where rate is left out; difference is",
        ),
        (BLEND, {"blend": keep_by_id()}, 0.9, "wrong in a second call with the same objects, whose contents"),
        (BLEND, {"blend": blend_memory}, 0.7, "wrong for arrays that are transposed in memory"),
        (BLEND, {"blend": ADDS_TO_X}, 0.9, "^blend changes its argument x$"),
        (BLEND, {"blend": lambda x, y, rate=0.5: (x, y)}, 0.0, "wrong"),
        (PICK, {"pick_loss": ONE_ROW}, 0.81, "^loss is wrong where N = 1; grad is right$"),
        (PICK, {"pick_loss": LARGE_BATCH}, 0.81, "^grad is wrong where N = 130; loss is right$"),
        (PICK, {"pick_loss": A_LABEL}, 0.45, "^grad is wrong where an entry of labels is 3; loss is right$"),
        (PICK, {"pick_loss": pick_naively}, 0.9, "^loss and grad are wrong where entries of scores are about 1000"),
        (SCALE, {"scale_rows": lambda x, options: scale_rows(x, dict(options))}, 0.5, RUNNING),
        (BACKWARD, BACK, 1.0, "^$"),
        (BACKWARD, {"multiply": forward}, 0.0, "^multiply_backward raised AttributeError$"),
        (MULTIPLY, {"multiply": lambda x, w: (x @ w, None)}, 1.0, "^$"),
        (LAYERS, {"stack_layers": stack_ends}, 0.0, "wrong"),
    ],
)
def test_a_row_is_judged_by_groups_and_parts(contract: Any, functions: Any, share: float, told: str) -> None:
    found, text = judge_functions(contract, **functions)
    assert found == pytest.approx(share, abs=0.01)
    assert re.search(told, text)


@pytest.mark.parametrize(
    ("change", "share", "told"),
    [
        (lambda size, smaller: (size, {**smaller, "b": smaller["b"] + 1}), 0.7, ONE_KEY),
        (lambda size, smaller: (size, {"w": smaller["w"]}), 0.7, ONE_KEY),
        (lambda size, smaller: (size, 1.0), 0.4, BOTH_KEYS),
        (lambda *values: values[::-1], 0.9, "^the values are returned in another order than size, smaller$"),
    ],
    ids=["a wrong key", "a missing key", "no dict", "another order"],
)
def test_a_dict_that_is_returned_earns_for_each_key(change: Any, share: float, told: str) -> None:
    found, text = judge_functions(STEP, "ordinary", **change_step(change))
    assert found == pytest.approx(share)
    assert re.search(told, text)


def test_what_is_missing_in_a_dict_is_named() -> None:
    check = STEP.derive("ordinary", SEED)
    assert isinstance(check, CaseCheck)
    found = judge(check, [[(case.expected["size"], {"w": case.expected['smaller["w"]']})] for case in check.cases])
    assert found.failure is not None
    assert (found.failure.expected, found.failure.found) == ("a dict with the keys w, b", "a dict without b")


@pytest.mark.parametrize("key", [7, "a word of the input"])
def test_keys_that_a_hidden_input_gives_are_named_by_visible_rows_alone(key: Any) -> None:
    compare_part("counts", {key: 1.0, "other": 2.0}, {key: 1.0})
    with pytest.raises(CheckFailed) as failed:
        compare_part("counts", {"other": 1.0}, {key: 1.0, "other": 1.0})
    told = failed.value
    assert (told.expected, told.found) == ("a dict with the right keys", "a dict without 1 of the 2 keys")
    assert told.values == (f"expected: a dict with the keys {key}, other", f"found:    a dict without {key}")
    with pytest.raises(CheckFailed, match="counts"):
        compare_part("counts", 1.0, {})


def test_stubs_that_return_zeros_are_not_written_yet_where_the_contract_says_so() -> None:
    check = make_check([SIZES, VALUES])._replace(untouched="it returns zeros")
    with pytest.raises(NotWritten, match="it returns zeros"):
        judge(check, [[(0, np.zeros(2))], [[0.0, 0.0]]])
    assert judge(check, [[(0, 0)], [(0, 1)]]).share == 0.5
    assert judge(check._replace(untouched=""), [[(0, 0)], [(0, 0)]]).share == 0.5


def test_a_failure_names_its_failing_cases_so_that_they_need_not_be_judged_again() -> None:
    check = make_check([SIZES, SIZES, VALUES])
    wrong = [[(0.0, 0.0)], [(1.0, 5.0)], [(2.0, -2.0)]]
    failure = judge_check(check, wrong).failure
    assert failure is not None and failure.failing == ((1, "b"),)
    failure.failing = ((2, "a"),)
    found = find_failing_case(check, wrong, failure)
    assert found is not None and (found.number, found.part) == (2, "a")
