"""A right part never lowers the score of its row, and a garbled one never raises it."""

import copy
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest

from autograder.contracts import judge_functions
from autograder.contracts.check import CaseCheck
from autograder.diagnosis.replay import preserve_global_state
from autograder.diagnosis.replies import find_check, is_same_reply
from autograder.matrix.mutant import Reference
from tests.selftest.support.grading import ASSIGNMENT, load
from tests.selftest.support.replayed_submission import REFERENCES, find_contracts, hidden_tests
from tests.selftest.support.time_limit import limit_time

pytestmark = [pytest.mark.content, pytest.mark.once]

Code = Callable[..., Any]
Score = Callable[[CaseCheck, Code], float]
FUNCTIONS = [
    (question_id, name)
    for question_id in ASSIGNMENT.question_ids
    for name in find_contracts(question_id)
    if isinstance(getattr(REFERENCES[question_id], name, None), FunctionType)
]
MUTANTS = 2  # of a function
QUICK = ("adam", "momentum_step")
MOST_S = 2.0


class Version(NamedTuple):
    """A wrong version of a function."""

    name: str
    code: Code


def list_versions(question_id: str, function: str, mutants: int) -> Iterator[Version]:
    """List known mistakes of a function and mutants, as many of each, or as there are; a sample in a fixed order."""
    known = [Version(each.id, each.wrong) for each in load(question_id) if each.function == function]
    yield from random.Random(function).sample(known, min(mutants, len(known)))
    reference = Reference(question_id, Path(str(REFERENCES[question_id].__file__)))
    edited = list(reference.list_syntax_mutants(function))
    for mutant in random.Random(function).sample(edited, min(mutants, len(edited))):
        yield Version(mutant.name, getattr(reference.make_module(mutant.install), function))


def list_rows(question_id: str, function: str) -> list[CaseCheck]:
    """List the rows of a function that a contract makes, but for laws of chance."""
    checks = [find_check(each.call) for each in hidden_tests(question_id) if function in each.test.functions]
    return [each for each in checks if isinstance(each, CaseCheck) and not each.laws]


def garble(value: Any) -> Any:
    """Return a value of the same form with other numbers in it."""
    if isinstance(value, dict):
        return {key: garble(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(garble, value))
    if isinstance(value, (float, np.ndarray, np.generic)):
        return value * 1.25 + 0.75
    return None


def change_part(code: Code, place: int, change: Callable[[Any, tuple[Any, ...]], Any]) -> Code:
    """Return code with one of its values changed; `change` gets the value and the arguments before the call."""

    def changed(*arguments: Any) -> Any:
        before = copy.deepcopy(arguments)
        value = code(*arguments)
        if not isinstance(value, tuple):
            return change(value, before)
        return tuple(change(each, before) if number == place else each for number, each in enumerate(value))

    return changed


def score_row(check: CaseCheck, code: Code) -> float:
    """Return the share of a row that code earns; 0 where it takes too long."""
    find = {check.function: code}.__getitem__
    return limit_time(lambda: judge_functions(check, find)[0], MOST_S, otherwise=0.0)


def find_exceptions(question_id: str, function: str, mutants: int, score: Score = score_row) -> list[str]:
    """Find the versions that lose points by a right part, or gain some by a garbled one."""
    right, found = getattr(REFERENCES[question_id], function), []

    def take_right(place: int) -> Callable[[Any, tuple[Any, ...]], Any]:
        def take(value: Any, arguments: tuple[Any, ...]) -> Any:
            wanted = right(*arguments)
            if not isinstance(wanted, tuple):
                return wanted
            others = (each for number, each in enumerate(wanted) if number != place)
            is_moved = any(is_same_reply(value, each) for each in others)  # it is right, in another order
            return value if is_moved else wanted[place]

        return take

    for check in list_rows(question_id, function):
        # Where several values are right, a right part may not belong to the others, such as a sum beside a mean.
        has_one_answer = not (check.alternatives or check.rules)
        for version in list_versions(question_id, function, mutants):
            before = score(check, version.code)
            for place in range(max(1, len(check.values))):
                garbled = score(check, change_part(version.code, place, lambda value, _: garble(value)))
                if garbled > before + 1e-9:
                    found.append(f"{version.name}: garbled value {place} raises {before} to {garbled}")
                repaired = score(check, change_part(version.code, place, take_right(place)))
                if has_one_answer and repaired < before - 1e-9:
                    found.append(f"{version.name}: right value {place} lowers {before} to {repaired}")
    return found


@pytest.mark.parametrize(
    ("question_id", "function"),
    [pytest.param(*each, marks=() if each == QUICK else pytest.mark.ci) for each in FUNCTIONS],
)
def test_a_right_part_never_lowers_and_a_garbled_one_never_raises_the_score(question_id: str, function: str) -> None:
    with preserve_global_state(), np.errstate(all="ignore"):
        assert find_exceptions(question_id, function, MUTANTS) == []


@pytest.mark.ci
def test_points_that_a_name_keeps_are_found() -> None:
    known = {each.wrong for each in load("adam")}

    def keep_most(check: CaseCheck, code: Code) -> float:
        return max(score_row(check, code), 0.9 * (code in known))

    with preserve_global_state(), np.errstate(all="ignore"):
        found = find_exceptions("adam", "momentum_step", 9, keep_most)
    assert any("momentum_step_whole_gradient: right value 0 lowers 0.9 to" in each for each in found)
