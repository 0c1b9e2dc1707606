"""Replayed submission: judges trusted code of one function as if a student had written it, without a sandbox."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from autograder.diagnosis import add_diagnoses
from autograder.diagnosis.replay import RecordedReply, Replay, preserve_global_state
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.evidence import Evidence
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.results import CheckResult, Verdict
from autograder.sandbox.protocol.outcome import OutcomeKind
from tests.selftest.support.bank import BANK
from tests.selftest.support.grading import ASSIGNMENT

REFERENCES = {stem: importlib.import_module(f"reference.{stem}") for stem in ASSIGNMENT.stems}


@cache
def hidden_tests(stem: str) -> tuple[RunnableTest, ...]:
    """Collect the hidden tests of a question."""
    return collect_hidden_tests(ASSIGNMENT, stems=(stem,))


def right_function(stem: str, name: str) -> Callable[..., Any]:
    """Return the reference's function, method or constructor."""
    owner, _, method = name.partition(".")
    found = getattr(REFERENCES[stem], owner)
    return getattr(found, method or "__init__") if isinstance(found, type) else found


def judge(stem: str, function: str, code: Callable[..., Any], *, graded: str = "") -> list[CheckResult]:
    """Judge and diagnose the tests of a function, with the trusted `code` in its place.

    `graded`: the function whose tests are judged, if it is another.
    """
    graded, checks, evidence = graded or function, [], []
    for test, call in hidden_tests(stem):
        if graded in test.functions:
            recorded: list[RecordedReply] = []
            replay = Replay(REFERENCES, recorded.append, tested=test.functions).replace(stem, function, code)
            with preserve_global_state():
                is_passed = replay.run(call)
            checks.append(build_result(test, Verdict.PASSED if is_passed else Verdict.FAILED))
            if not is_passed:
                replies = tuple(each.reply for each in recorded)
                evidence.append(Evidence(test, call, replies, tuple(replay.observations)))
    calls = {each.test.test_id: each.call for each in hidden_tests(stem)}
    told = add_diagnoses(checks, evidence, REFERENCES, lambda: BANK, calls)
    assert {each.fault for each in told} <= {""}
    return told


def build_result(test: HiddenTest, verdict: Verdict) -> CheckResult:
    """Build the result of a test before the diagnosis."""
    names = ("test_id", "stem", "functions", "title", "number", "points", "is_robustness")
    fields = {name: getattr(test, name) for name in names}
    fields |= {"score": None, "verdict": verdict, "outcome": OutcomeKind.RETURNED.value, "output": "FAIL"}
    return CheckResult(**fields, visibility=test.visibility)
