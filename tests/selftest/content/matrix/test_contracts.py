"""The contracts of this course judge mutants: each reference keeps its own, and wrong mutants are caught."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from autograder.matrix.adequacy import list_problems, render_adequacy, run_generated
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.replayed_submission import find_contracts, hidden_tests

pytestmark = [pytest.mark.content, pytest.mark.once]

STEMS = [question.stem for question in ASSIGNMENT.questions if not question.answers]
CONTRACTS = [(stem, contract) for stem in STEMS for contract in find_contracts(stem).values()]
# Cases of gradient descent take as long as all others together.
TIERED = [pytest.param(*each, marks=pytest.mark.ci if each[0] == "sgd" else ()) for each in CONTRACTS]


class TestContracts:
    def test_every_function_with_hidden_tests_has_a_contract(self) -> None:
        tested = {(stem, name) for stem in STEMS for each in hidden_tests(stem) for name in each.test.functions}
        assert {(stem, contract.function) for stem, contract in CONTRACTS} == tested

    @pytest.mark.sampled(second=4)
    @pytest.mark.parametrize(("stem", "contract"), TIERED, ids=lambda each: getattr(each, "function", each))
    def test_the_reference_is_right_in_random_cases(self, stem: str, contract: Any) -> None:
        reference = importlib.import_module(f"reference.{stem}")
        for case in contract.draw_cases(1, 10):
            assert contract.agrees(case, contract.observe(reference, case))


@pytest.mark.ci
@pytest.mark.slow
def test_a_sample_of_100_wrong_mutants_is_caught() -> None:
    functions = run_generated(ASSIGNMENT, only=None, seed=1, sample=100, report_progress=lambda *_: None)
    assert 90 < sum(len(one.wrong) for one in functions) <= 100  # a short function has fewer than its share
    assert not list_problems(functions), render_adequacy(functions)
