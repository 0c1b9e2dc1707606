"""A function that computes nothing passes no hidden test, not even one that looks at something else than its values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.results import Verdict
from tests.selftest.content.test_wrong_answers import FUNCTIONS
from tests.selftest.support.grading import checks_of
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.replayed_submission import REFERENCES, hidden_tests, right_function
from tests.selftest.support.wrong_answers import changed, instead, replaced

Code = Callable[..., Any]


def return_arguments(value: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the first argument, or as many as the function returns, each of the shape that a part has."""
    if not isinstance(value, tuple):
        return arguments[0]
    arrays = [each for each in arguments if isinstance(each, np.ndarray)]
    return tuple(arrays[:1] + arrays[1 + len(arrays) - len(value) :])


IDLE: dict[str, Callable[[Code], Code]] = {
    "None": instead(lambda: None),
    "zeros": changed(np.zeros_like),
    "ones": changed(np.ones_like),
    "its arguments": replaced(return_arguments),
}
NUMERIC = [(stem, name) for stem, name in FUNCTIONS if stem not in ("parser_transitions", "written_answers")]
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


def list_passed(stem: str, function: str, code: Code) -> list[str]:
    """List the tests of the function that pass with `code` in its place."""
    replay = Replay(REFERENCES, lambda _reply: None).replace(stem, function, code)
    passed = []
    for test, call in hidden_tests(stem):
        with preserve_global_state():
            if function in test.functions and replay.run(call):
                passed.append(test.name)
    return passed


def find_points_for_nothing(stem: str, function: str) -> Iterator[str]:
    """Yield the tests that pass where the function computes nothing."""
    for kind, make in IDLE.items():
        passed = list_passed(stem, function, make(right_function(stem, function)))
        if passed:
            yield f"{stem}.{function} returns {kind} and passes {passed}"


@pytest.mark.exhaustive
def test_an_idle_function_passes_no_test() -> None:
    assert len(NUMERIC) > 20
    assert_none(line for stem, function in NUMERIC for line in find_points_for_nothing(stem, function))


@pytest.mark.parametrize(
    "function", ["PartialParse", "PartialParse.parse_step", "PartialParse.parse", "minibatch_parse"]
)
def test_a_function_of_the_parser_that_returns_nothing_passes_no_test(function: str) -> None:
    assert list_passed("parser_transitions", function, IDLE["None"](lambda: None)) == []


@pytest.mark.ci
def test_starter_code_of_the_parser_that_has_parse_earns_nothing() -> None:
    checks = checks_of("parser_transitions", STARTER)
    assert {check.verdict for check in checks.values()} == {Verdict.NOT_WRITTEN, Verdict.FAILED}
    assert sum(check.score or 0 for check in checks.values()) == 0


def test_parse_beside_a_parse_step_that_does_something_wrong_earns_its_points() -> None:
    checks = checks_of(
        "parser_transitions", STARTER.replace('"""Performs', 'self.stack.append("S")\n        """Performs')
    )
    assert checks["test_parse"].verdict is Verdict.PASSED
    assert checks["test_parse_step"].verdict is Verdict.FAILED
