"""No known mistake is named for answers that are noise, constants, values of another type, or errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.replayed_submission import judge, right_function
from tests.selftest.support.tiers import sample
from tests.selftest.support.wrong_answers import WRONG_ANSWERS

FUNCTIONS = [(question.stem, function.name) for question in ASSIGNMENT.questions for function in question.functions]

# Here a known mistake does exactly this: it returns p_drop, n, or y_hat with nothing subtracted; or a
# kind of error is true of it: numbers are cut to whole ones, and the one entry that is not 0 is at another index when
# sorted.
MEANT = {
    "dropout_scale": {"the first argument", "the last argument", "all arguments"},
    "parser_steps": {"the first argument", "the last argument", "all arguments"},
    "grad_probabilities": {"sorted"},
    "dropout_gamma": {"whole numbers"},
    "output_grad_preactivation": {"the first argument"},
    "q1c_softmax_input_gradient": {"the last argument"},
}


ANSWERS = [(stem, function, kind) for stem, function in FUNCTIONS for kind in WRONG_ANSWERS]


@pytest.mark.parametrize("answer", sample(ANSWERS, by=lambda each: [each[0]], name="-".join, few=6, ci=2))
def test_a_wrong_answer_that_nobody_means_has_no_diagnosis(answer: tuple[str, str, str]) -> None:
    stem, function, kind = answer
    named = _list_diagnoses(stem, function, WRONG_ANSWERS[kind](right_function(stem, function)))
    assert bool(named) is (kind in MEANT.get(function, set())), named


def _list_diagnoses(stem: str, function: str, code: Callable[..., Any]) -> dict[str, tuple[str, ...]]:
    return {each.test_id: each.diagnosis for each in judge(stem, function, code) if each.diagnosis}
