"""One error costs once along the order of the assignment, and no check reaches ahead of its functions."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.diagnosis.replay import Replay, ReplayedModule
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.prerequisites import find_owner, list_prerequisites
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Handle
from autograder.student import Student
from tests.selftest.support.grading import ASSIGNMENT, build_submission_source, checks_of, load
from tests.selftest.support.prerequisite_table import PAGE, WAYS, list_functions, measure, update
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.tiers import sample

TESTS = collect_hidden_tests(ASSIGNMENT, stems=ASSIGNMENT.stems)
# The courses' starter code has `parse` already, beside a parse_step without a body: this must not earn its points.
GIVEN = {("PartialParse.parse_step", "returns None"): {"PartialParse.parse": 2.0}}
QUESTIONS = {question.stem: question for question in ASSIGNMENT.questions}
OF_CODE = [each for each in TESTS if not QUESTIONS[each.test.stem].answers]


class WatchedModule:
    """A question of the reference that records the functions and methods that a test calls."""

    def __init__(self, module: ReplayedModule) -> None:
        self._module = module
        self.called: set[str] = set()
        self.made: str = ""  # the class of objects made last

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def function(self, name: str) -> Handle:
        """Record the function."""
        self.called.add(name)
        self.made = name if self._module.is_class(name) else self.made
        return self._module.function(name)

    def request(self, kind: str, *arguments: object) -> Any:
        """Record the method."""
        if kind == messages.CALL_METHOD and arguments[1] in self._module.methods:
            self.called.add(f"{self.made}.{arguments[1]}")
        return self._module.request(kind, *arguments)


class Watched(Replay):
    """A run of a test on the reference."""

    def __init__(self, stem: str) -> None:
        super().__init__({stem: importlib.import_module(f"reference.{stem}")}, lambda _: None)
        self.watched: dict[str, WatchedModule] = {}

    def module(self, stem: str) -> Any:
        """Return the watched functions of a question."""
        return self.watched.setdefault(stem, WatchedModule(super().module(stem)))


def find_calls_ahead(runnable: RunnableTest) -> Iterator[str]:
    """Run a test on the reference; yield what is wrong with the functions that it calls.

    A test of a constructor may use another object before, whether its steps fail or not: what objects share shows then.
    """
    test = runnable.test
    watched = Watched(test.stem)
    runnable.call(Student(watched))
    called = {stem: module.called for stem, module in watched.watched.items()}
    earlier = {name for each in list_prerequisites(QUESTIONS[test.stem], test.functions) for name in each.functions}
    if not called.get(test.stem, set()).intersection(test.functions):
        yield f"{test.name} calls none of its own functions"
    used = {name for name in called.get(test.stem, ()) if find_owner(name) in test.functions}
    for stem, names in called.items():
        allowed = {*earlier, *used, *test.functions} if stem == test.stem else set()
        yield from (f"{test.name} calls {stem}.{name}" for name in sorted(names - allowed))
    yield from (f"{test.name} looks at {stem}" for stem in sorted(called.keys() - {test.stem}))


def test_a_check_calls_only_its_own_and_earlier_functions() -> None:
    assert len(OF_CODE) > 70
    assert_none(line for each in OF_CODE for line in find_calls_ahead(each))


WRONG = [(stem, function, way) for stem, function in list_functions() for way in WAYS]


@pytest.mark.parametrize("wrong", sample(WRONG, by=lambda each: [each[0], each[2]], name="-".join, few=3, ci=1))
def test_a_wrong_function_costs_its_own_points_only(wrong: tuple[str, str, str]) -> None:
    _, function, way = wrong
    assert measure(*wrong).others == GIVEN.get((function, way), {})


@pytest.mark.sampled(second=0, ci=1)
@pytest.mark.parametrize(
    "mistake_id",
    ["partial_parse_empties_the_sentence", "parse_step_left_arc_takes_the_lowest", "parse_step_left_arc_takes_root"],
)
def test_a_wrong_parse_costs_minibatch_parse_nothing(mistake_id: str) -> None:
    (wrong,) = [each for each in load("parser_transitions") if each.id == mistake_id]
    checks = checks_of("parser_transitions", build_submission_source(wrong)).values()
    lost = {function for each in checks if each.score < each.points for function in each.functions}
    assert lost == {wrong.function}


@pytest.mark.exhaustive
def test_the_table_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == update(page), "make it anew: python -m tests.selftest.support.prerequisite_table"
