"""The contracts of this course judge mutants: each reference keeps its own, and wrong mutants are caught."""

import importlib
from typing import Any

import pytest

from autograder.matrix.adequacy import list_problems, render_adequacy, run_generated
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.replayed_submission import find_contracts, hidden_tests

pytestmark = [pytest.mark.content, pytest.mark.once]

QUESTION_IDS = [question.question_id for question in ASSIGNMENT.questions if not question.answers]
CONTRACTS = [
    (question_id, contract) for question_id in QUESTION_IDS for contract in find_contracts(question_id).values()
]
# Cases of gradient descent take as long as all others together.
TIERED = [pytest.param(*each, marks=pytest.mark.ci if each[0] == "sgd" else ()) for each in CONTRACTS]


def test_every_function_with_hidden_tests_has_a_contract() -> None:
    tested = {
        (question_id, name)
        for question_id in QUESTION_IDS
        for each in hidden_tests(question_id)
        for name in each.test.functions
    }
    assert {(question_id, contract.function) for question_id, contract in CONTRACTS} == tested


@pytest.mark.sampled(second=4)
@pytest.mark.parametrize(("question_id", "contract"), TIERED, ids=lambda each: getattr(each, "function", each))
def test_the_reference_is_right_in_random_cases(question_id: str, contract: Any) -> None:
    reference = importlib.import_module(f"reference.{question_id}")
    for case in contract.draw_cases(1, 10):
        assert contract.agrees(case, contract.observe(reference, case))


@pytest.mark.ci
@pytest.mark.slow
def test_a_sample_of_100_wrong_mutants_is_caught() -> None:
    functions = run_generated(ASSIGNMENT, only=None, seed=1, sample=100, report_progress=lambda *_: None)
    assert 90 < sum(len(one.wrong) for one in functions) <= 100  # a short function has fewer than its share
    assert not list_problems(functions), render_adequacy(functions)
