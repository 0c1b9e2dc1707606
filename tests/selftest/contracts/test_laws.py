"""Random functions: laws of many calls with a written probability of error, and values found by what was drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, ContractError, Law, judgement
from autograder.contracts.check import unite
from autograder.contracts.law import ERROR, compute_tolerance, list_broken
from autograder.contracts.request import answer_by
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from tests.selftest.contracts.toy_contracts import SEED, judge


def toss(n: int, heads: float, rng: Any) -> tuple[Any, int]:
    """Toss n coins; return them and the number of heads."""
    coins = (rng.random(n) < heads) * 1
    return coins, int(coins.sum())


def find_coins(value: Any, case: Any) -> Any:
    """Accept any zeros and ones."""
    return 1.0 * (np.asarray(value).reshape(case.arguments["n"]) != 0)


def find_count(value: Any, case: Any) -> Any:
    """Return the number of heads among the coins that were drawn."""
    return int(np.count_nonzero(case.parts["coins"]))


def claim_share(values: Any, arguments: Any) -> dict[str, Any]:
    """Claim the share of heads, and that two calls are independent."""
    coins = np.array([each[0] for each in values])
    both = coins[0:-1:2] * coins[1::2]
    return {"the share of heads": (coins, arguments[1]), "heads in two calls": (both, arguments[1] ** 2)}


TOSS = Contract(
    toss,
    "n: 6 | 9, heads: 0.5 | 0.2, rng: generator -> coins, count",
    nearest={"coins": find_coins, "count": find_count},
    law=[Law([40, 0.5], 100, claim_share, is_basic=True), Law([40, 0.3], 100, claim_share)],
)


class TestLaws:
    @pytest.mark.parametrize("purpose", ["ordinary", "everywhere"])
    def test_hold_for_other_ways_to_draw(self, purpose: str) -> None:
        def other(n: int, heads: float, rng: Any) -> Any:
            coins = rng.choice([0, 1], size=n, p=[1 - heads, heads])
            return coins, coins.sum()

        assert judge(TOSS, purpose) == judge(TOSS, purpose, toss=other) == (1.0, "")

    def test_that_are_basic_cost_everything(self) -> None:
        def always_the_same(n: int, heads: float, rng: Any) -> Any:
            return toss(n, heads, np.random.default_rng(0))

        share, text = judge(TOSS, "ordinary", toss=always_the_same)
        assert share == 0 and text.startswith("wrong over many draws: ") and text.endswith("heads in two calls")

    def test_that_are_not_cost_their_share(self) -> None:
        def always_fair(n: int, heads: float, rng: Any) -> Any:
            return toss(n, 0.5, rng)

        assert judge(TOSS, "ordinary", toss=always_fair) == (0.85, "wrong over many draws: the share of heads")

    def test_need_the_generator_that_is_given(self) -> None:
        own = np.random.default_rng(1)

        def other_generator(n: int, heads: float, rng: Any) -> Any:
            return toss(n, heads, own)

        text = "wrong over many draws: the values with another generator of the same seed"
        assert judge(TOSS, "ordinary", toss=other_generator) == (0.85, text)

    def test_and_right_parts_earn_no_more_than_a_row_in_two_attempts(self) -> None:
        check, own = TOSS.derive("ordinary", SEED), np.random.default_rng(1)

        def other_generator(n: int, heads: float, rng: Any) -> Any:
            return toss(n, heads, own)

        def miscounts(n: int, heads: float, rng: Any) -> Any:
            coins, count = other_generator(n, heads, rng)
            return coins, count + 1

        earned = []
        for function in (miscounts, other_generator):
            replies = [answer_by({"toss": function}.__getitem__, each) for each in check.requests]
            earned.append(judgement.judge(check, replies).earned)
        assert sum(unite(*earned).values()) == pytest.approx(0.85)

    def test_stand_beside_wrong_parts(self) -> None:
        def miscounts(n: int, heads: float, rng: Any) -> Any:
            coins, count = toss(n, 0.5, rng)
            return coins, count + 1

        share, text = judge(TOSS, "ordinary", toss=miscounts)
        assert text == "count is wrong; coins is right; wrong over many draws: the share of heads"
        assert 0.4 < share < 0.6

    def test_are_broken_by_values_of_another_form(self) -> None:
        assert judge(TOSS, "ordinary", toss=lambda n, heads, rng: None) == (0.0, "wrong over many draws: the values")

    def test_are_broken_by_errors(self) -> None:
        laws = TOSS.derive("ordinary", SEED).laws  # type: ignore[union-attr]
        assert laws is not None
        found = laws.judge([Outcome(OutcomeKind.RAISED)] * 3)
        assert found.is_other and not any(found.earned.values())

    def test_find_parts_in_another_order(self) -> None:
        def swapped(n: int, heads: float, rng: Any) -> Any:
            return toss(n, heads, rng)[::-1]

        contract = Contract(toss, "n: 6 | 9, heads: 0.5, rng: generator -> coins, count", nearest=TOSS_RULES)
        share, text = judge(contract, "ordinary", toss=swapped)
        assert (share, text) == (0.9, "the values are returned in another order than coins, count")

    def test_need_a_generator(self) -> None:
        with pytest.raises(ContractError, match="a law is for a function with an argument of the kind `generator`"):
            Contract(toss, "n: 6, heads: 0.5, rng: any -> coins, count", law=[Law([40, 0.5], 9, claim_share)])


TOSS_RULES = {"coins": find_coins, "count": find_count}


DRAWN = np.random.default_rng(3).random(20_000)


class TestClaims:
    def test_are_wider_where_there_are_fewer_numbers(self) -> None:
        assert compute_tolerance(20_000, ERROR) < 0.03 < compute_tolerance(2_000, ERROR)

    @pytest.mark.parametrize(
        ("numbers", "is_broken"),
        [(DRAWN < 0.5, False), (DRAWN < 0.42, True), (DRAWN < 0.58, True), ([2.0, -1.0] * 50, True)],
        ids=["a fair coin", "fewer heads", "more heads", "no numbers from 0 to 1"],
    )
    def test_tell_a_coin_that_is_not_fair(self, numbers: Any, is_broken: bool) -> None:
        assert bool(list(list_broken({"heads": (numbers, 0.5)}, ERROR))) is is_broken

    def test_about_no_number_are_refused(self) -> None:
        with pytest.raises(ValueError, match="the claim on heads is about no number"):
            list(list_broken({"heads": ([], 0.5)}, ERROR))
