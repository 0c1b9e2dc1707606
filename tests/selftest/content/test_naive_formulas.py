"""Naive right formulas lose nothing by the contracts of this course, whatever the private seed is."""

import pytest

from autograder.contracts import CheckBody, Contract
from autograder.grading.collection import collect_hidden_tests
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.losing_formulas import find_losing_formulas

pytestmark = [pytest.mark.content, pytest.mark.once]

CONTRACTS: dict[str, Contract] = {
    each.call.check.contract.name: each.call.check.contract
    for each in collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)
    if isinstance(each.call, CheckBody) and isinstance(each.call.check.contract, Contract)
}
NAIVE = sorted(name for name, each in CONTRACTS.items() if each.naive)


def test_losses_with_exponentials_have_some() -> None:
    assert {"sigmoid", "naiveSoftmaxLossAndGradient", "negSamplingLossAndGradient"} <= set(NAIVE)


@pytest.mark.parametrize("seed", [ASSIGNMENT.seed, pytest.param("another seed", marks=pytest.mark.ci)])
@pytest.mark.parametrize("name", NAIVE)
def test_lose_nothing_in_pointed_cases(name: str, seed: str) -> None:
    assert find_losing_formulas(CONTRACTS[name], seed) == {}
