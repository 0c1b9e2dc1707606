"""Answers that are noise, constants, other types or errors name no known mistake; idle functions earn nothing."""

from typing import Any

import numpy as np
import pytest

from autograder.results import Verdict
from tests.selftest.support.grading import ASSIGNMENT, checks_of
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.replayed_submission import judge, right_function
from tests.selftest.support.tiers import sample
from tests.selftest.support.wrong_answers import WRONG_ANSWERS, replaced

pytestmark = [pytest.mark.content, pytest.mark.once]

FUNCTIONS = [
    (question.question_id, function.name) for question in ASSIGNMENT.questions for function in question.functions
]

# Here a known mistake does exactly this: it returns p_drop, n, or y_hat with nothing subtracted; or a
# kind of error is true of it: numbers are cut to whole ones, and the one entry that is not 0 is at another index when
# sorted.
MEANT = {
    "dropout_scale": {"the first argument", "all arguments"},
    "parser_steps": {"the first argument", "all arguments"},
    "grad_probabilities": {"sorted"},
    "dropout_gamma": {"whole numbers"},
    "output_grad_preactivation": {"the first argument"},
}


ANSWERS = [(question_id, function, kind) for question_id, function in FUNCTIONS for kind in WRONG_ANSWERS]


@pytest.mark.parametrize("answer", sample(ANSWERS, by=lambda each: [each[0]], name="-".join, few=2, ci=2))
def test_a_wrong_answer_that_nobody_means_has_no_diagnosis(answer: tuple[str, str, str]) -> None:
    question_id, function, kind = answer
    checks = judge(question_id, function, WRONG_ANSWERS[kind](right_function(question_id, function)))
    named = {each.test_id: each.diagnosis for each in checks if each.diagnosis}
    assert bool(named) is (kind in MEANT.get(function, set())), named


def return_arguments(value: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the first argument, or as many as the function returns, each of the shape that a part has."""
    if not isinstance(value, tuple):
        return arguments[0]
    arrays = [each for each in arguments if isinstance(each, np.ndarray)]
    return tuple(arrays[:1] + arrays[1 + len(arrays) - len(value) :])


IDLE = {kind: WRONG_ANSWERS[kind] for kind in ("None", "zeros", "ones")}
IDLE["its arguments"] = replaced(return_arguments)
NUMERIC = [
    (question_id, name)
    for question_id, name in FUNCTIONS
    if question_id not in ("parser_transitions", "written_answers")
]
OF_THE_PARSER = [(question_id, name) for question_id, name in FUNCTIONS if question_id == "parser_transitions"]
# The starter code of the courses: `parse` is there, everything else does nothing.
STARTER = '''
class PartialParse(object):
    def __init__(self, sentence):
        """Initializes this partial parse."""
        self.sentence = sentence

    def parse_step(self, transition):
        """Performs a single parse step."""

    def parse(self, transitions):
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


def minibatch_parse(sentences, model, batch_size):
    dependencies = []
    return dependencies
'''


def find_points_for_nothing(question_id: str, function: str, kind: str) -> list[str]:
    """List the tests that pass where the function computes nothing, not even those that look at something else."""
    checks = judge(question_id, function, IDLE[kind](right_function(question_id, function)))
    passed = [each.test_id for each in checks if each.verdict is Verdict.PASSED]
    return [f"{question_id}.{function} returns {kind} and passes {each}" for each in passed]


@pytest.mark.ci
@pytest.mark.parametrize("kind", IDLE)
def test_an_idle_function_passes_no_test(kind: str) -> None:
    assert len(NUMERIC) > 20
    assert_none(line for each in NUMERIC for line in find_points_for_nothing(*each, kind))


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("function", OF_THE_PARSER, ids=lambda each: each[1])
def test_a_function_of_the_parser_that_returns_nothing_passes_no_test(function: tuple[str, str]) -> None:
    assert find_points_for_nothing(*function, "None") == []


@pytest.mark.ci
def test_starter_code_of_the_parser_that_has_parse_earns_nothing() -> None:
    checks = checks_of("parser_transitions", STARTER)
    assert {check.verdict for check in checks.values()} == {Verdict.NOT_WRITTEN}
    assert sum(check.score or 0 for check in checks.values()) == 0
