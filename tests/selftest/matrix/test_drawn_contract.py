"""Mutants of a function are judged by random cases of its contracts."""

import types
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, Law
from autograder.contracts.random_cases import DrawnContract, find_smallest
from tests.selftest.contracts import toy_contracts
from tests.selftest.contracts.toy_classes import CLASSES, MOVE, Means, Yard
from tests.selftest.contracts.toy_contracts import ALL, BACKWARD, BLEND

pytestmark = [pytest.mark.slow, pytest.mark.once]

COUNT = 60
RIGHT = {each.name: each.reference for each in ALL} | {"Yard": Yard, "Means": Means}


def is_wrong(drawn: DrawnContract, cases: list[Any], **functions: Any) -> bool:
    """Whether a case shows that a module is wrong: the right functions but for these."""
    module: Any = types.SimpleNamespace(**RIGHT | functions)
    return any(not drawn.agrees(case, drawn.observe(module, case)) for case in cases)


def flip(h: Any, rng: Any) -> Any:
    """Replace entries by 0, each by itself."""
    return h * (rng.random(h.shape) < 0.5)


def find_flipped(value: Any, case: Any) -> Any:
    """Return h with zeros where they were drawn."""
    return np.where(np.asarray(value) == 0, 0, case.arguments["h"])


def claim_half(values: Any, arguments: Any) -> dict[str, tuple[Any, float]]:
    """Claim that half of the entries are 0."""
    return {"the share of zeros": (np.array(values) == 0, 0.5)}


FLIP = Contract(
    flip,
    "h: (N, D), rng: generator -> flipped: (N, D)",
    right={"flipped": find_flipped},
    law=[Law(lambda rng: [np.ones((4, 5))], 100, claim_half)],
)


def remember() -> Any:
    """Make a blend that returns its first values for equal x and rate."""
    kept: dict[Any, Any] = {}
    return lambda x, y, rate=0.5: kept.setdefault((x.tobytes(), rate), toy_contracts.blend(x, y, rate))


def change(x: Any, y: Any, rate: float = 0.5) -> Any:
    """Blend, and change an argument."""
    values = toy_contracts.blend(x, y, rate)
    x += 1
    return values


class Idle(Yard):
    """Leaves a short track as it was."""

    def move(self, order: str) -> None:
        if len(self.track) > 1:
            Yard.move(self, order)


def make_yard(base: type) -> type:
    """Make a class of the name that is asked for."""
    return type("Yard", (base,), {})


def drop(h: Any, rng: Any) -> Any:
    """Draw as flip does, in another way."""
    return np.where(rng.random(h.shape) < 0.5, 0, h)


@pytest.mark.sampled(second=2)
@pytest.mark.parametrize("contract", [*ALL, *CLASSES, FLIP], ids=lambda each: each.name)
def test_what_is_right_is_right_and_cases_can_be_shown(contract: Any) -> None:
    drawn = DrawnContract([contract])
    cases = drawn.draw_cases(0, COUNT)
    assert not is_wrong(drawn, cases, flip=drop)
    assert all(case.size > 0 and repr(case).startswith("[(") for case in cases)


WRONG = {
    "order": (BLEND, lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate)[::-1]),
    "default": (BLEND, lambda x, y, rate=0.4: toy_contracts.blend(x, y, rate)),
    "long": (BLEND, lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate if len(x) < 60 else 0.1)),
    "one row": (BLEND, lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate if len(x) > 1 else 0.1)),
    "special": (BLEND, lambda x, y, rate=0.5: toy_contracts.blend(x, y, rate + (len(x) == 1 and x.shape[1] > 4))),
    "cache": (BLEND, remember()),
    "changes": (BLEND, change),
    "scaled": (FLIP, lambda h, rng: 2 * flip(h, rng)),
    "another share": (FLIP, lambda h, rng: h * (rng.random(h.shape) < 0.7)),
    "idle": (MOVE, make_yard(Idle)),
}


@pytest.mark.sampled(second=4)
@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_wrong(name: str) -> None:
    contract, wrong = WRONG[name]
    drawn = DrawnContract([contract])
    assert is_wrong(drawn, drawn.draw_cases(0, COUNT * 3), **{contract.name.partition(".")[0]: wrong})


def test_the_function_that_makes_a_cache_is_called() -> None:
    drawn = DrawnContract([BACKWARD])
    assert is_wrong(drawn, drawn.draw_cases(0, 3), multiply=lambda x, w: (x @ w, (2 * x, w)))


def test_a_small_case_is_found() -> None:
    drawn = DrawnContract([BLEND])
    cases = drawn.draw_cases(0, COUNT)
    large = max(cases, key=lambda case: case.size)
    small = find_smallest(cases, lambda case: is_wrong(drawn, [case], blend=lambda x, y, rate=0.5: (x, y)), large)
    assert small.size < large.size
    assert is_wrong(drawn, [small], blend=lambda x, y, rate=0.5: (x, y))
    assert find_smallest(cases, lambda _: False, large) is large


def test_all_contracts_of_a_function_judge_it() -> None:
    rows = Contract(toy_contracts.blend, "x: (N, D), y: (N, D) -> mean: (N, D), difference: (N, D)")
    numbers = Contract(toy_contracts.blend, "x: float, y: float -> mean: float, difference: float")
    wrong_for_numbers = {"blend": lambda x, y: toy_contracts.blend(x, y) if np.ndim(x) else (x, y)}
    for contracts, expected in [([rows], False), ([rows, numbers], True)]:
        drawn = DrawnContract(contracts)
        assert is_wrong(drawn, drawn.draw_cases(0, 20), **wrong_for_numbers) is expected
