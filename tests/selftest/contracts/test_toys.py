"""Toys: objects and functions that are arguments of a case, made anew for each call from source that stands alone."""

from typing import Any

import numpy as np
import pytest

from autograder import UserError
from autograder.contracts import Contract, Where, make_toy
from autograder.contracts.case import STATE
from autograder.contracts.check import CaseCheck
from autograder.programs.program import run_program
from tests.selftest.contracts.toy_contracts import SEED, judge


class Dataset:
    """Samples its draws one after another, and refuses to begin again."""

    def __init__(self, draws: list) -> None:  # type: ignore[type-arg]
        self.draws = draws

    def sample(self) -> int:
        """Return the next draw."""
        if not self.draws:
            raise RuntimeError("there are no more draws")
        self.draws = self.draws[1:]
        return len(self.draws)


def double(x: Any) -> Any:
    """Return twice x."""
    return 2 * np.asarray(x)


def sum_samples(x: Any, K: int, dataset: Any, change: Any) -> Any:
    """Return the sum of K samples times the changed x."""
    return sum(dataset.sample() for _ in range(K)) * change(x)


CONTRACT = Contract(
    sum_samples,
    "x: (D,), K: int >= 1, dataset: any, change: any -> total",
    draw={
        "dataset": lambda known, rng, style: make_toy(Dataset, rng.permutation(known["K"] + 3).tolist()),
        "change": lambda known, rng, style: make_toy(double, keywords=[("x", "value")]),
    },
    cases=[Where(lambda x, K, dataset, change: len(x) == K, "where K is the length of x")],
    usual={"D": (9,)},
)


def derive(purpose: str = "everywhere") -> CaseCheck:
    """The data of a row."""
    derived = CONTRACT.derive(purpose, SEED)
    assert isinstance(derived, CaseCheck)
    return derived


def test_each_call_has_a_fresh_one() -> None:
    program = derive("ordinary").programs[0]
    first, second = (run_program(program, {"sum_samples": sum_samples}.__getitem__)[0] for _ in range(2))
    assert np.array_equal(first, second)
    assert judge(CONTRACT) == judge(CONTRACT, "ordinary") == (1.0, "")


def ask(dataset: Any) -> Any:
    """Return a sample."""
    return dataset.sample()


def test_a_function_may_be_given_an_object() -> None:
    def sample_by(dataset: Any, asks: Any) -> Any:
        return asks(dataset)

    contract = Contract(
        sample_by,
        "dataset: any, asks: any -> sample",
        draw={
            "dataset": lambda known, rng, style: make_toy(Dataset, list(range(int(rng.integers(2, 9))))),
            "asks": lambda known, rng, style: make_toy(ask),
        },
    )
    assert judge(contract, "ordinary") == (1.0, "")


def test_a_draw_knows_the_arguments_before_it_in_every_case() -> None:
    for case in derive().cases:
        _, K, dataset, _ = case.arguments
        assert len(dataset.source.make().draws) == K + 3
    assert {case.arguments[1] for case in derive().cases} >= {*range(1, 9), 10, 130}


def test_another_one_is_a_second_call() -> None:
    kinds = [case.kinds[0] for case in derive().cases if case.group == STATE]
    others = [f"in a second call with another {name}" for name in ("x", "dataset", "change")]
    assert kinds[1:] == [*others, "in a second call with the same objects, whose contents have changed"]


def test_a_mark_is_said_of_every_case_in_which_it_holds() -> None:
    def wrong(x: Any, K: int, dataset: Any, change: Any) -> Any:
        return sum_samples(x, K, dataset, change) + (len(x) == K)

    text = "total is wrong in 1 of 39 cases, such as where K is the length of x; right in the other cases tried"
    assert judge(CONTRACT, sum_samples=wrong)[1] == text


def test_a_size_has_its_usual_number() -> None:
    assert {len(case.arguments[0]) for case in derive("ordinary").cases} == {9}


def test_a_lambda_is_refused() -> None:
    with pytest.raises(UserError, match=r"test_toys\.py:\d+: what is made of its source has a name: write a `def`"):
        make_toy(lambda x: x)
