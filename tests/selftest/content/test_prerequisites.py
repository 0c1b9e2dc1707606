"""One error costs once along the order of the assignment, and no check reaches ahead."""

from collections.abc import Iterator

import pytest

from autograder.assignment import find_owner
from autograder.contracts import CheckBody
from autograder.diagnosis.replay import Replay
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.programs.program import Get, Name
from autograder.sandbox.protocol import messages
from autograder.student import Student
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.replayed_submission import REFERENCES
from tests.selftest.support.tiers import sample
from tests.selftest.support.wrong_prerequisites import WAYS, list_functions, measure_elsewhere

pytestmark = [pytest.mark.content, pytest.mark.once]

TESTS = collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)
# The courses' starter code has `parse` already, beside a parse_step without a body: this must not earn its points.
GIVEN = {("PartialParse.parse_step", "returns None"): {"PartialParse.parse": 2.0}}
QUESTIONS = {question.question_id: question for question in ASSIGNMENT.questions}
OF_CODE = [each for each in TESTS if not QUESTIONS[each.test.question_id].answers]


def list_called(runnable: RunnableTest) -> set[str]:
    """List the functions and methods that a test calls; a test by hand is run on the reference."""
    every = [function.name for function in QUESTIONS[runnable.test.question_id].functions]
    if isinstance(runnable.call, CheckBody):
        steps = [step for program in runnable.call.derived.programs for step in program.steps]
        names = {(isinstance(each, Get), each.name) for each in steps if isinstance(each, (Name, Get))}
    else:
        question_id = runnable.test.question_id
        replay = Replay(REFERENCES[question_id])
        runnable.call(Student(replay))
        names = {(each.kind == messages.CALL_METHOD, each.name) for each in replay.functions.asked}
    return {name for name in every if ("." in name, name.rpartition(".")[2]) in names}


def find_calls_ahead(runnable: RunnableTest) -> Iterator[str]:
    """Yield what is wrong with the functions that a test calls.

    A test of a constructor may use another object before, whether its steps fail or not: what objects share shows then.
    """
    test, called = runnable.test, list_called(runnable)
    earlier = {
        name for each in QUESTIONS[test.question_id].list_prerequisites(test.functions) for name in each.functions
    }
    if not called.intersection(test.functions):
        yield f"{test.name} calls none of its own functions"
    used = {name for name in called if find_owner(name) in test.functions}
    yield from (f"{test.name} calls {name}" for name in sorted(called - {*earlier, *used, *test.functions}))


def test_a_check_calls_only_its_own_and_earlier_functions() -> None:
    assert len(OF_CODE) > 70
    assert_none(line for each in OF_CODE for line in find_calls_ahead(each))


WRONG = [(question_id, function, way) for question_id, function in list_functions() for way in WAYS]


@pytest.mark.parametrize("wrong", sample(WRONG, by=lambda each: [each[0], each[2]], name="-".join, few=3, ci=1))
def test_a_wrong_function_costs_its_own_points_only(wrong: tuple[str, str, str]) -> None:
    _, function, way = wrong
    assert measure_elsewhere(*wrong) == GIVEN.get((function, way), {})
