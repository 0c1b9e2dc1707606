"""Mutants of a function without a strategy are judged by random cases of its contract."""

from __future__ import annotations

import types
from typing import Any

import pytest

from autograder.matrix.drawn_contract import DrawnContract
from tests.selftest.contracts import toy_contracts
from tests.selftest.contracts.toy_contracts import ALL, BACKWARD, BLEND, LAYERS, PICK

COUNT = 60


def make_module(**functions: Any) -> Any:
    """A module of the right functions but for these."""
    return types.SimpleNamespace(**{each.name: each.reference for each in ALL} | functions)


def is_wrong(drawn: DrawnContract, cases: list[Any], **functions: Any) -> bool:
    """Whether a case shows that a module is wrong."""
    module = make_module(**functions)
    return any(not drawn.agrees(case, None, drawn.observe(module, case)) for case in cases)


@pytest.mark.parametrize("contract", ALL, ids=lambda each: each.name)
def test_the_right_function_is_right(contract: Any) -> None:
    drawn = DrawnContract(contract)
    cases = drawn.draw_cases(0, COUNT)
    assert len(cases) > COUNT
    assert not is_wrong(drawn, cases)


def test_cases_are_the_same_for_the_same_seed() -> None:
    first, again, other = (repr(DrawnContract(PICK).draw_cases(seed, COUNT)) for seed in (0, 0, 1))
    assert first == again
    assert first != other


WRONG = {
    "order": lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate)[::-1],
    "default": lambda x, y, rate=0.4: toy_contracts.blend(x, y, rate),
    "long": lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate if len(x) < 60 else 0.1),
    "one row": lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate if len(x) > 1 else 0.1),
    "both special": lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate + (len(x) == 1 and x.shape[1] > 4)),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_wrong(name: str) -> None:
    drawn = DrawnContract(BLEND)
    assert is_wrong(drawn, drawn.draw_cases(0, COUNT * 3), blend=WRONG[name])


def test_a_cache_between_calls_is_wrong() -> None:
    kept: dict[Any, Any] = {}

    def remembers(x: Any, y: Any, rate: float = 0.5) -> Any:
        return kept.setdefault((x.tobytes(), rate), toy_contracts.blend(x, y, rate))

    def changes(x: Any, y: Any, rate: float = 0.5) -> Any:
        values = toy_contracts.blend(x, y, rate)
        x += 1
        return values

    drawn = DrawnContract(BLEND)
    cases = drawn.draw_cases(0, 3)
    assert is_wrong(drawn, cases, blend=remembers)
    assert is_wrong(drawn, cases, blend=changes)


def test_the_function_that_makes_a_cache_is_called() -> None:
    drawn = DrawnContract(BACKWARD)
    cases = drawn.draw_cases(0, 3)
    assert is_wrong(drawn, cases, multiply=lambda x, w: (x @ w, (2 * x, w)))


def test_a_small_case_is_found_and_shown() -> None:
    drawn = DrawnContract(BLEND)
    cases = drawn.draw_cases(0, COUNT)
    module = make_module(blend=lambda x, y, rate=0.5: (x, y))
    large = max(cases, key=lambda case: case.size)
    small = drawn.find_smallest(lambda case: not drawn.agrees(case, None, drawn.observe(module, case)), large)
    assert small.size < large.size
    assert not drawn.agrees(small, None, drawn.observe(module, small))
    assert repr(small).startswith("[(array(")
    assert drawn.find_smallest(lambda _: False, large) is large


def test_the_size_of_a_case_with_a_list_of_arrays_is_that_of_all_of_them() -> None:
    cases = DrawnContract(LAYERS).draw_cases(0, 3)
    weights, x = cases[0].check.cases[0].arguments
    assert cases[0].size == sum(each.size for each in weights) + x.size
