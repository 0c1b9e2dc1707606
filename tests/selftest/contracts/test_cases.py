"""Cases are derived: kinds one at a time, from a private seed, disjoint between rows."""

import re
import warnings
from typing import Any

import numpy as np
import pytest

from autograder.contracts import (
    JUMPS,
    LEFT_OUT,
    Contract,
    ContractError,
    Given,
    InAllCases,
    SignatureError,
    Where,
    judge_functions,
)
from autograder.contracts.call_values import name_leaves
from autograder.contracts.case import CONSTANTS, ROBUST, SIZES, STATE, VALUES, Case
from autograder.contracts.check import CaseCheck
from tests.selftest.contracts.toy_contracts import (
    ALL,
    BLEND,
    LAYERS,
    MULTIPLY,
    PICK,
    SCALE,
    SEED,
    blend,
    multiply,
    multiply_and_back,
    multiply_backward,
    pick_loss,
)
from tests.selftest.support.losing_formulas import find_losing_formulas

pytestmark = pytest.mark.once

MOST_CASES = 100
PICK_SIGNATURE = "scores: (N, C), labels: (N,) < C -> loss: float, grad where C >= 2"


def refuse_neighbours() -> Any:
    """Make a function that fails next to a point at which it was called."""
    seen: list[np.ndarray] = []

    def add(x: np.ndarray) -> float:
        if any(0 < np.abs(x - each).max() < 0.01 for each in seen if each.shape == x.shape):
            raise ValueError("next to a point")
        seen.append(x)
        return float(x.sum())

    return add


def derive(contract: Contract, purpose: str = "everywhere", seed: str = SEED) -> CaseCheck:
    """The data of a row."""
    derived = contract.derive(purpose, seed)
    assert isinstance(derived, CaseCheck)
    return derived


def list_drawn(cases: tuple[Case, ...]) -> set[tuple[int, bytes]]:
    """The arrays of cases that are drawn: real, with different entries, not whole, and more than one of them."""
    found = [each for case in cases for each in name_leaves("", case.arguments).values()]
    found = [each for each in found if isinstance(each, np.ndarray)]
    drawn = [each for each in found if each.dtype.kind == "f" and not (each == np.round(each)).any()]
    return {(each.size, each.tobytes()) for each in drawn if np.unique(each).size > 1}


def kinds_of(contract: Contract, group: str) -> set[str]:
    """The words of the cases of a group."""
    return {kind for case in derive(contract).cases if case.group == group for kind in case.kinds}


PAIR = "x: (N, D), y: (N, D) -> mean, difference"
AGAIN = ("the same arguments", "another x", "another y")


def make_identity(rng: Any) -> list[Any]:
    """Make a second array that is the identity."""
    return [rng.normal(size=(2, 2)), np.eye(2)]


INTEGER = Contract(blend, PAIR, integers=["x"])
IDENTITY = Contract(blend, PAIR, cases=[Given(make_identity, "where y is the identity")])
PLACE = Contract(
    lambda weights, place: weights[-1][place], "weights: [(D[k+1], D[k])], place: int < D[-1] -> row: (D[-2],)"
)


@pytest.mark.parametrize("contract", ALL, ids=lambda each: each.name)
class TestEveryContract:
    def test_has_few_cases_and_shares_the_whole_row(self, contract: Contract) -> None:
        checks = [derive(contract, "ordinary"), derive(contract)]
        assert {case.kinds for case in checks[0].cases} == {()} and len(checks[0].cases) == 3
        assert 10 < len(checks[1].cases) <= MOST_CASES
        for check in checks:
            assert sum(check.shares.values()) + check.order_share + check.promise_share == pytest.approx(1)
            assert all(sum(each.values()) == pytest.approx(1) for each in check.part_shares.values())
            assert check.order_share + check.promise_share + check.shares.get(ROBUST, 0) <= 0.1 + 1e-9

    def test_has_the_same_arrays_by_a_seed_and_others_by_another_and_in_another_row(self, contract: Contract) -> None:
        rows = [(purpose, seed) for purpose in ("ordinary", "everywhere") for seed in (SEED, "another seed")]
        drawn = [list_drawn(derive(contract, *row).cases) for row in rows]
        assert all(drawn) and len(set.union(*drawn)) == sum(map(len, drawn))
        contract._derived.clear()
        assert drawn == [list_drawn(derive(contract, *row).cases) for row in rows]


class TestKinds:
    @pytest.mark.parametrize(
        ("contract", "group", "words"),
        [
            (BLEND, VALUES, ["x is all zeros", "every entry of x is 1", "y is negative", "entries of y are large"]),
            (BLEND, VALUES, ["entries of x are tiny", "some entries of x are 0", "all entries of y are equal"]),
            (BLEND, VALUES, ["x holds whole numbers", "for float32"]),
            (PICK, VALUES, ["every entry of labels is the first one", "every entry of labels is the last one"]),
            (PICK, VALUES, ["an entry of labels occurs twice", "labels lacks a class"]),
            (INTEGER, VALUES, ["for integer x"]),
            (IDENTITY, VALUES, ["y is the identity"]),
            (BLEND, CONSTANTS, ["rate is 0", "rate is 1", "rate is left out"]),
            (SCALE, CONSTANTS, ["mode is 'test'", "momentum is absent"]),
            (PLACE, CONSTANTS, [f"place is {last}" for last in (3, 4, 5, 6, 7, 8, 128)]),
            (SCALE, STATE, ["the keys of options are in another order"]),
            (BLEND, STATE, [f"in a second call with {each}" for each in AGAIN]),
            (PICK, ROBUST, ["entries of scores are about 1000", "every entry of scores is far from 0"]),
            (BLEND, SIZES, ["N = 1", "D = 1", "N < D", "N > D", "N = D", *(f"N = {size}" for size in range(1, 9))]),
            (BLEND, SIZES, ["N = 130", "D = 130"]),
            (MULTIPLY, SIZES, ["all sizes are equal"]),
            (LAYERS, SIZES, [f"D[{place}] is {words}" for place in range(3) for words in ("1", "130")]),
            (LAYERS, SIZES, ["all sizes D are equal"]),
        ],
    )
    def test_of_a_group(self, contract: Contract, group: str, words: list[str]) -> None:
        found = {kind.removeprefix("where ") for kind in kinds_of(contract, group)}
        assert sorted({*words} - found) == []

    def test_of_equal_arrays(self) -> None:
        alike = next(case for case in derive(BLEND).cases if case.kinds[:1] == ("where x and y are equal",))
        x, y, *_ = alike.arguments
        assert np.array_equal(x, y)
        assert not np.shares_memory(x, y)
        assert np.ptp(x) > 0
        bounded = Contract(blend, "x: (N,), y: (N,) >= 0, rate: float -> mean, difference")
        assert "where x and y are equal" in kinds_of(bounded, VALUES)
        assert all((case.arguments[1] >= 0).all() for case in derive(bounded).cases)
        both = Contract(blend, "x: (N,) < 9.5, y: (N,) >= 0, rate: float -> mean, difference")
        assert "where x and y are equal" not in kinds_of(both, VALUES)

    def test_of_robustness_have_rows_in_which_each_end_outweighs_the_rest(self) -> None:
        huge, turned, far = (case.arguments[0] for case in derive(PICK).cases if case.group == ROBUST)
        assert (huge[:, 0] == -1000).all() and (huge[:, -1] == 1000).all()
        assert (turned[:, 0] == 1000).all() and (turned[:, -1] == -1000).all()
        assert (np.abs(far) > 900).all() and (far[0] < 0).all() and (far[1] > 0).all()

    def test_of_lists(self) -> None:
        cases = derive(LAYERS).cases
        assert {1, 2, 3, 4, 6} <= {len(case.arguments[0]) for case in cases}
        weights = next(case.arguments[0] for case in cases if "where the items of weights are equal" in case.kinds)
        assert len(weights) == 3 and all(np.array_equal(each, weights[0]) for each in weights)

    def test_of_sizes_that_are_equal_in_pairs(self) -> None:
        sizes = [case.arguments[0].shape + case.arguments[1].shape[1:] for case in derive(MULTIPLY).cases]
        assert any(N == D != M for N, D, M in sizes)
        assert any(N == M != D for N, D, M in sizes)
        assert any(D == M != N for N, D, M in sizes)


class TestValues:
    def test_hold_the_conditions_of_the_signature(self) -> None:
        signature = "x: (N,) >= 0, p: distribution (N, K) -> y where N > K and K >= 2"
        for case in derive(Contract(lambda x, p: np.sqrt(x) + p.sum(), signature)).cases:
            x, p = case.arguments
            assert x.min() >= 0 and p.shape[0] == len(x) > p.shape[1] >= 2
            assert np.allclose(p.sum(axis=1), 1)

    def test_a_size_among_the_arguments_is_that_size(self) -> None:
        for case in derive(Contract(lambda x, K: np.tile(x, (K, 1)), "x: (D,), K: int -> y: (K, D)")).cases:
            assert case.expected["y"].shape == (case.arguments[1], *case.arguments[0].shape)

    def test_an_ordinary_case_has_right_values_that_are_not_all_zeros(self) -> None:
        contract = Contract(lambda x: np.maximum(x - 1, 0), "x: (N,) -> y")
        for seed in map(str, range(20)):
            assert all(case.expected["y"].any() for case in derive(contract, "ordinary", seed).cases)
            assert derive(contract, "everywhere", seed).cases[0].expected["y"].any()
        assert len(make("x: (N,) -> y", np.zeros_like).cases) == 3  # where all are zeros, they stay


class TestTooHardCases:
    def test_are_drawn_again_until_naive_right_formulas_hold(self) -> None:
        def is_odd(x: Any) -> bool:
            return bool(int(abs(x.sum()) * 1000) % 2)

        plain = derive(Contract(np.sum, "x: (N,) -> total")).cases
        contract = Contract(np.sum, "x: (N,) -> total", naive=[lambda x: x.sum() + is_odd(x)])
        assert sum(is_odd(*case.arguments) for case in plain) > 5
        assert not any(is_odd(*case.arguments) for case in derive(contract).cases)
        assert find_losing_formulas(contract, SEED) == {}
        assert [case.kinds[0] for case in derive(contract).cases[-2:]] == [case.kinds[0] for case in plain[-2:]]

    def test_of_robustness_stay(self) -> None:
        contract = Contract(pick_loss, PICK_SIGNATURE, stable=["scores"], naive=[lambda scores, labels: (0.0, scores)])
        assert kinds_of(contract, ROBUST)
        assert find_losing_formulas(contract, SEED)


def make(signature: str, function: Any = blend, **options: Any) -> Any:
    """Derive the ordinary row of a contract."""
    return derive(Contract(function, signature, **options), "ordinary")


def cross(value: object) -> Any:
    """Derive a row with a value of the author's."""
    draw = {"what": lambda known, rng, style: value}
    return make("x: (N,), what: any -> out", lambda x, what: x, draw=draw)


DRIVEN = "x: (N, D), w: (D, M), dout: (N, M) -> dx: (N, D), dw: (D, M)"


def drive(driver: Any, signature: str = DRIVEN) -> Any:
    """Derive the ordinary row of a contract with a driver."""
    return make(signature, multiply_backward, driver=driver)


NO_CROSSING = "which cannot cross to student code; give"


@pytest.mark.parametrize(
    ("refused", "problem"),
    [
        (lambda: make(PAIR, integers=["z"]), "no argument is named z"),
        (lambda: make(PAIR, cases=[Given([1, 2])] * 8), "`cases` adds 8 to the drawn ones; choose the best seven"),
        (lambda: make("x: (N, D), w: (D, M), z: int -> o, cache", multiply), "more arguments than the right function"),
        (lambda: drive(multiply_and_back, f"{DRIVEN}, third"), "dx, dw, third; the right function returns another"),
        (lambda: drive(multiply_and_back, f"z: int, {DRIVEN}"), "the signature has more arguments than the driver"),
        (lambda: drive(lambda student, x, w, dout: (dout, dout, dout)), "which no call returned"),
        (BLEND.gradient_check, "gradient_check needs gradient="),
        (lambda: make(f"{PAIR} where M > 1"), "`where` names M, which is neither a size nor a number"),
        (lambda: make(f"{PAIR} where N > 9"), "no case has sizes that fit"),
        (lambda: make(f"{PAIR}, third"), "mean, difference, third; the right function returns another number"),
        (lambda: make("x: (N, D), y: any -> mean, difference"), "y is any; say how to draw it: draw="),
        (
            lambda: make("x: (N, D), y: (N, D) -> mean: (N, 1), difference"),
            "in the right function, and (5, 1) in its signature",
        ),
        (
            lambda: make("x: [(int < N, int)], y: (N, D) -> mean, difference"),
            "a tuple is drawn by the author: write a word",
        ),
        (
            lambda: derive(Contract(np.linalg.inv, "x: (N, N) -> y")),
            "inv: the right function fails where x is all zeros: LinAlgError",
        ),
        (
            lambda: derive(Contract(blend, PAIR, right={"by another": InAllCases(lambda x, y: x[99])})),
            "blend: another right function, 'by another', fails: test_cases.py:N: IndexError",
        ),
        (
            lambda: derive(Contract(refuse_neighbours(), "x: (N,) -> y: float", cases=[Where(JUMPS, group=LEFT_OUT)])),
            "add: the right function fails: test_cases.py:N: ValueError: next to a point",
        ),
        (
            lambda: derive(Contract(blend, PAIR, cases=[Where(lambda x, y: 1 / 0, "at a point")])),
            "blend: the condition of 'at a point' fails in test_cases.py:",
        ),
        (lambda: cross(np.float32), f"what is the type float32, {NO_CROSSING} its name 'float32'"),
        (lambda: cross({"a": [np.dtype("int8")]}), 'what["a"][0] is the type int8, which cannot cross'),
        (lambda: cross(np.array(["a"])), f"what is an array of <U1, {NO_CROSSING} a list"),
        (lambda: cross([print]), f"what[0] is a builtin_function_or_method, {NO_CROSSING} make_toy of it"),
    ],
)
def test_what_cannot_be_kept_or_cannot_cross_is_refused(refused: Any, problem: str) -> None:
    with pytest.raises((ContractError, SignatureError)) as caught:
        refused()
    assert problem in re.sub(r"(py:)\d+(?=: )", r"\1N", str(caught.value))


def test_the_name_of_a_type_crosses() -> None:
    check = derive(Contract(lambda x, dtype: x.astype(dtype), "x: (N,), dtype: 'float32' | 'int64' -> out"), "ordinary")
    assert {case.arguments[1] for case in check.cases} == {"float32", "int64"}


class TestSizes:
    def test_a_size_that_the_condition_pins_takes_nothing_from_the_others(self) -> None:
        check = derive(Contract(blend, "x: (N, K), y: (N, K) -> mean, difference where K == 2"), "everywhere")
        shapes = {case.arguments[0].shape for case in check.cases}
        assert {(size, 2) for size in range(1, 9)} <= shapes
        assert {columns for _, columns in shapes} == {2}

    def test_sizes_fit_the_default_of_what_is_left_out(self) -> None:
        signature = "x: (N,), width: 3 | 1 | 7, pad: 0 | 2 | 4 = 0 -> out where width <= N + pad"
        contract = Contract(lambda x, width, pad=0: x[: width - pad], signature)
        drawn = [case for each in contract.draw_checks("a seed", 100) for case in each.cases]
        left_out = [case.arguments for case in drawn if len(case.arguments) == 2]
        assert len(left_out) > 20
        assert all(width <= len(x) for x, width in left_out)


class TestJumps:
    def test_cases_at_ties_and_kinks_are_left_out(self) -> None:
        def find_largest(x: np.ndarray) -> tuple[int, np.ndarray]:
            return int(x.argmax()), np.maximum(x, 0)

        def agrees(*cases: Where) -> tuple[float, object]:
            contract = Contract(find_largest, "x: (N,) -> place, out: (N,)", cases=cases)
            last = {"find_largest": lambda x: (len(x) - 1 - int(x[::-1].argmax()), x * (x >= 0))}
            return judge_functions(contract.derive("everywhere", "a seed"), last.__getitem__)

        assert agrees(Where(JUMPS, group=LEFT_OUT)) == (1.0, None)
        assert agrees()[0] < 1


class TestDriver:
    """A driver says what is done with several names; the cache of one goes to another."""

    def test_returns_each_part_of_several_calls(self) -> None:
        def call_twice(student: Any, x: Any, w: Any, dout: Any) -> Any:
            out, cache = student.multiply(x, w)
            dx, dw = student.multiply_backward(dout, cache)
            return out, dx, dw

        contract = Contract(multiply_backward, DRIVEN.replace("->", "-> out,"), driver=call_twice)
        right = {"multiply": multiply, "multiply_backward": multiply_backward}
        wrong = {**right, "multiply_backward": lambda *given: multiply_backward(*given)[::-1]}
        check = contract.derive("ordinary", SEED)
        assert judge_functions(check, right.__getitem__) == (1.0, None)
        share, failure = judge_functions(check, wrong.__getitem__)
        assert share == pytest.approx(1 / 3)
        assert failure is not None and failure.what == "dx and dw are wrong; out is right"

    def test_an_argument_has_the_size_of_what_the_first_call_returns(self) -> None:
        def draw(known: Any, rng: Any, style: str) -> Any:
            return rng.normal(size=multiply(known["x"], known["w"])[0].shape)

        contract = Contract(
            multiply_backward,
            "x: (N, D), w: (D, M), dout: any -> dx, dw",
            driver=multiply_and_back,
            draw={"dout": draw},
        )
        for case in derive(contract).cases:
            x, w, dout = case.arguments
            assert dout.shape == (len(x), w.shape[1])

    def test_other_right_functions_and_naive_formulas_stand_in_place_of_its_own(self) -> None:
        def double(dout: Any, cache: Any) -> Any:
            return multiply_backward(2 * dout, cache)

        contract = Contract(
            multiply_backward,
            DRIVEN,
            driver=multiply_and_back,
            right={"twice": InAllCases(double)},
            naive=[multiply_backward],
        )
        check = contract.derive("everywhere", SEED)
        own = {"multiply": multiply, "multiply_backward": double}
        assert judge_functions(check, own.__getitem__) == (1.0, None)
        assert find_losing_formulas(contract, SEED) == {}


def test_warnings_of_the_right_function_are_not_shown() -> None:
    def warn(x: np.ndarray) -> float:
        warnings.warn("an empty slice", RuntimeWarning, stacklevel=2)
        return float(x.sum())

    assert derive(Contract(warn, "x: (N,) -> total")).cases  # pytest makes each warning an error


@pytest.mark.parametrize(("kind", "other"), [("None | 0", 0), ("0 | None", None)])
def test_none_is_a_value_like_the_others_of_a_closed_set(kind: str, other: int | None) -> None:
    def total(x: np.ndarray, axis: int | None) -> Any:
        return x.sum(axis=axis)

    check = derive(Contract(total, f"x: (N, D), axis: {kind} -> out"))
    named = [case.arguments[1] for case in check.cases if f"where axis is {other}" in case.kinds]
    assert named == [other]
    share, _ = judge_functions(check, {"total": lambda x, axis: x.sum(axis=0)}.get)
    assert share < 1


class TestDrawnByTheAuthor:
    def test_what_depends_on_another_argument_is_drawn_again_with_it(self) -> None:
        draw = {
            "graph": lambda known, rng, style: rng.random(size=rng.integers(1, 9)).tolist(),
            "start": lambda known, rng, style: int(rng.integers(len(known["graph"]))),
        }
        check = derive(Contract(lambda graph, start: graph[start], "graph: any, start: any -> length", draw=draw))
        again = [case for case in check.cases if "in a second call with another graph" in case.kinds]
        assert again and all(start < len(graph) for graph, start in (case.arguments for case in again))

    def test_where_nothing_says_what_differs_there_are_more_cases(self) -> None:
        draw = {"graph": lambda known, rng, style: rng.random(size=3).tolist()}
        check = derive(Contract(lambda graph: graph[0], "graph: any -> total", draw=draw))
        others = [case for case in check.cases if case.kinds == ("for another graph",)]
        assert len({tuple(case.arguments[0]) for case in others}) == len(others) > 9
