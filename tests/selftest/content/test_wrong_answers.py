"""No known mistake is named for answers that are noise, constants, values of another type, or errors."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from autograder.diagnosis import add_diagnoses
from autograder.diagnosis.replay import RecordedReply, Replay, preserve_global_state
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.evidence import Evidence
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.results import CheckResult, Verdict
from autograder.sandbox.protocol.outcome import OutcomeKind
from tests import mistakes
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.wrong_answers import WRONG_ANSWERS

REFERENCES = {stem: importlib.import_module(f"reference.{stem}") for stem in ASSIGNMENT.stems}
FUNCTIONS = [(question.stem, function.name) for question in ASSIGNMENT.questions for function in question.functions]

# Here a known mistake does exactly this: it returns p_drop, zeros, n, or y_hat with nothing subtracted.
MEANT = {
    "dropout_scale": {"the first argument", "the last argument", "all arguments"},
    "dropout_forward": {"zeros"},
    "parser_steps": {"the first argument", "the last argument", "all arguments"},
    "output_grad_preactivation": {"the first argument"},
    "q1c_softmax_input_gradient": {"the last argument"},
}


@cache
def hidden_tests(stem: str) -> tuple[RunnableTest, ...]:
    """Collect the hidden tests of a question."""
    return collect_hidden_tests(PROJECT / "tests" / "hidden", ASSIGNMENT, stems=(stem,))


def right_function(stem: str, name: str) -> Callable[..., Any]:
    """Return the reference's function, method or constructor."""
    owner, _, method = name.partition(".")
    found = getattr(REFERENCES[stem], owner)
    return getattr(found, method or "__init__") if isinstance(found, type) else found


def diagnoses(stem: str, function: str, code: Callable[..., Any]) -> dict[str, tuple[str, ...]]:
    """Return the mistakes named in the tests of the function, with the trusted `code` in place of a student's."""
    checks, evidence = [], []
    for test, call in hidden_tests(stem):
        if function in test.functions:
            recorded: list[RecordedReply] = []
            replay = Replay(REFERENCES, recorded.append).replace(stem, function, code)
            with preserve_global_state():
                is_passed = replay.run(call)
            checks.append(result(test, Verdict.PASSED if is_passed else Verdict.FAILED))
            if not is_passed:
                replies = tuple(each.reply for each in recorded)
                evidence.append(Evidence(test, call, replies, tuple(replay.observations)))
    told = add_diagnoses(checks, evidence, REFERENCES, lambda: mistakes)
    assert {each.fault for each in told} <= {""}
    return {each.test_id: each.diagnosis for each in told if each.diagnosis}


def result(test: HiddenTest, verdict: Verdict) -> CheckResult:
    """Build the result of a test before the diagnosis."""
    fields = {name: getattr(test, name) for name in ("test_id", "stem", "functions", "title", "number", "points")}
    fields |= {"score": None, "verdict": verdict, "outcome": OutcomeKind.RETURNED.value, "output": "FAIL"}
    return CheckResult(**fields, visibility=test.visibility)


@pytest.mark.parametrize(("stem", "function"), FUNCTIONS)
def test_a_wrong_answer_that_nobody_means_has_no_diagnosis(stem: str, function: str) -> None:
    right = right_function(stem, function)
    named = {kind: diagnoses(stem, function, spoil(right)) for kind, spoil in WRONG_ANSWERS.items()}
    assert {kind for kind, found in named.items() if found} == MEANT.get(function, set()), named
