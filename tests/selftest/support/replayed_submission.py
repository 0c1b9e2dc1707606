"""Replayed submission: judges trusted code of one function as if a student had written it, without a sandbox."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from autograder.checks.cases import keep_cases
from autograder.contracts import CheckBody
from autograder.contracts.body import DerivedCheck
from autograder.contracts.random_cases import DrawnContract, list_contracts
from autograder.diagnosis.diagnosis import explain_checks
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.grading.attempt import Body, Tried, call_body, judge_replies
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.ending import Ending, Failed, NoValue
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.judge import Evidence, build_check_result
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.results import CheckResult
from autograder.sandbox.requests import seed_generators
from tests.selftest.support.grading import ASSIGNMENT, know_question
from tests.selftest.support.time_limit import limit_time

REFERENCES = {
    question_id: importlib.import_module(f"reference.{question_id}") for question_id in ASSIGNMENT.question_ids
}


@cache
def hidden_tests(question_id: str) -> tuple[RunnableTest, ...]:
    """Collect the hidden tests of a question."""
    return collect_hidden_tests(ASSIGNMENT, question_ids=(question_id,))


@cache
def find_contracts(question_id: str) -> Mapping[str, DrawnContract]:
    """Find what judges the functions of a question; nothing for written answers."""
    return list_contracts(each.call for each in hidden_tests(question_id))


def right_function(question_id: str, name: str) -> Callable[..., Any]:
    """Return the reference's function, method or constructor."""
    owner, _, method = name.partition(".")
    found = getattr(REFERENCES[question_id], owner)
    return getattr(found, method or "__init__") if isinstance(found, type) else found


class _Attempt(Replay):
    """A replay that ends like an attempt; failures are not explained, which would take long."""

    def __init__(self, test: HiddenTest) -> None:
        self.late: list[Outcome] = []
        super().__init__(REFERENCES[test.question_id], tested=test.functions)

    def begin_probing(self) -> bool:
        """Explain no failure."""
        return False

    def conclude(self, test: HiddenTest, body: Body) -> Tried:
        """Run the test and return how it ended."""
        with preserve_global_state():
            ending = limit_time(lambda: self._end(test, body), 3.0, otherwise=None)
        if ending is None:
            self.late = [Outcome(OutcomeKind.TIMED_OUT)]
            return Tried(NoValue(self.late[0]))
        return Tried(ending)

    def _end(self, test: HiddenTest, body: Body) -> Ending:
        seed_generators()
        if isinstance(body, CheckBody):
            return judge_replies(body, self._answer, test.points)
        with keep_cases(self.begin_probing) as kept:
            ending = call_body(self, body, test.points)
        return ending if kept.failed is None else Failed(kept.complete(kept.failed))

    def _answer(self, check: DerivedCheck) -> Sequence[Any]:
        replies = self.run_programs(check.programs)
        self.functions.replies += replies
        return replies


def judge(question_id: str, function: str, code: Callable[..., Any]) -> Sequence[CheckResult]:
    """Judge and diagnose the tests of a function, with the trusted `code` in its place."""
    checks, evidence = [], []
    for test, call in hidden_tests(question_id):
        if function in test.functions:
            attempt = _Attempt(test)
            attempt.replace(function, code)  # type: ignore[arg-type]
            result = attempt.conclude(test, call)
            checks.append(build_check_result(test, result, seconds=0.0))
            if not result.is_passed:
                replies = (*attempt.functions.replies, *attempt.late)
                evidence.append(Evidence(test, call, replies, tuple(attempt.observations)))
    told = explain_checks(checks, evidence, know_question(question_id))
    assert {each.fault for each in told} <= {""}
    return told
