"""Random functions: laws of many calls with a written probability of error, and values found by what was drawn."""

import re
from functools import partial
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, ContractError, Law, judgement
from autograder.contracts.check import unite
from autograder.contracts.law import ERROR, compute_tolerance, judge_laws, list_broken
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.program import run_program
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


RULES = {"coins": find_coins, "count": find_count}
LAWS = "wrong over many draws"
TOSS = Contract(
    toss,
    "n: 6 | 9, heads: 0.5 | 0.2, rng: generator -> coins, count",
    right=RULES,
    law=[Law([40, 0.5], 100, claim_share, is_basic=True), Law([40, 0.3], 100, claim_share)],
)


OWN = np.random.default_rng(1)


def toss_wrongly(wrong: int, n: int, heads: float, rng: Any) -> tuple[Any, int]:
    """Toss by another generator, and count wrongly."""
    coins, count = toss(n, heads, OWN)
    return coins, count + wrong


WRONG: dict[str, tuple[Any, float, str]] = {
    "draws that are always the same": (
        lambda n, heads, rng: toss(n, heads, np.random.default_rng(0)),
        0.0,
        f"^{LAWS}: .*heads in two calls$",
    ),
    "a coin that is always fair": (lambda n, heads, rng: toss(n, 0.5, rng), 0.85, f"^{LAWS}: the share of heads$"),
    "another generator": (
        partial(toss_wrongly, 0),
        0.85,
        f"^{LAWS}: the values with another generator of the same seed$",
    ),
    "wrong parts, too": (
        lambda n, heads, rng: (toss(n, 0.5, rng)[0], -1),
        0.5,
        f"^count is wrong; coins is right; {LAWS}: the share of heads$",
    ),
    "another form": (lambda n, heads, rng: None, 0.0, "^coins and count are wrong$"),
}


@pytest.mark.parametrize("purpose", ["ordinary", "everywhere"])
def test_hold_for_other_ways_to_draw(purpose: str) -> None:
    def other(n: int, heads: float, rng: Any) -> Any:
        coins = rng.choice([0, 1], size=n, p=[1 - heads, heads])
        return coins, coins.sum()

    assert judge(TOSS, purpose) == judge(TOSS, purpose, toss=other) == (1.0, "")


@pytest.mark.parametrize(("function", "share", "text"), WRONG.values(), ids=WRONG)
def test_that_are_broken_cost_their_share_and_basic_ones_everything(function: Any, share: float, text: str) -> None:
    found, told = judge(TOSS, "ordinary", toss=function)
    assert found == pytest.approx(share, abs=0.1 if "count" in text else 1e-9)
    assert re.search(text, told)


def test_and_right_parts_earn_no_more_than_a_row_in_two_attempts() -> None:
    check = TOSS.derive("ordinary", SEED)
    earned = []
    for wrong in (0, 1):
        toss_by_own = {"toss": partial(toss_wrongly, wrong)}
        replies = [run_program(each, toss_by_own.__getitem__) for each in check.programs]
        earned.append(judgement.judge(check, replies).earned)
    assert sum(unite(*earned).values()) == pytest.approx(0.85)


def test_are_broken_by_errors() -> None:
    laws = TOSS.derive("ordinary", SEED).laws  # type: ignore[union-attr]
    found = judge_laws(laws, [[Outcome(OutcomeKind.RAISED)]] * 3)
    assert found.is_other and not any(found.earned.values())


def test_find_parts_in_another_order() -> None:
    contract = Contract(toss, "n: 6 | 9, heads: 0.5, rng: generator -> coins, count", right=RULES)
    share, text = judge(contract, "ordinary", toss=lambda n, heads, rng: toss(n, heads, rng)[::-1])
    assert (share, text) == (0.9, "the values are returned in another order than coins, count")


def test_need_a_generator() -> None:
    with pytest.raises(ContractError, match="a law is for a function with an argument of the kind `generator`"):
        Contract(toss, "n: 6, heads: 0.5, rng: any -> coins, count", law=[Law([40, 0.5], 9, claim_share)])


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
