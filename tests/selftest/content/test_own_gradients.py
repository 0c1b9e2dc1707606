"""Gradient checks of this course: a pair passes exactly if it belongs together, right ones in all draws, with words."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from autograder.checks import Point
from autograder.contracts import CheckBody
from autograder.contracts.call_values import move_arguments, take_gradients
from autograder.diagnosis.replay import Replay, copy_function
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.mistakes import Mistake
from autograder.programs.recipes import STANDING
from tests.selftest.checks.test_gradient_check import Pair
from tests.selftest.support.grading import ASSIGNMENT, load
from tests.selftest.support.numerical_gradient import numerical_gradient
from tests.selftest.support.project_sources import assert_none
from tests.selftest.support.replayed_submission import REFERENCES

pytestmark = [pytest.mark.content, pytest.mark.once]

TESTS = [
    each
    for each in collect_hidden_tests(ASSIGNMENT, stems=ASSIGNMENT.stems)
    if each.test.name.endswith("_own_gradient")
]


def make(argument: Any) -> Any:
    """Make an argument of a call, as a program does."""
    return argument.build() if isinstance(argument, STANDING) else copy.deepcopy(argument)


def test_each_loss_with_its_gradient_has_one() -> None:
    assert {function for each in TESTS for function in each.test.functions} == {
        "naiveSoftmaxLossAndGradient",
        "negSamplingLossAndGradient",
        "skipgram",
        "cross_entropy_grad",
        "loss_and_gradients",
        "backprop",
        "forward_backward_prop",
        "grad_input",
    }
    assert {each.test.visibility.value for each in TESTS} == {"visible"}


def pair_up(each: RunnableTest, wrong: Any) -> tuple[Point, Pair]:
    """Return the point of the gradient check of a contract, and the pair as a function of it."""
    assert isinstance(each.call, CheckBody)
    check: Any = each.call.derived
    arguments = check.loss.arguments

    def pair(at: Point) -> tuple[Any, Point]:
        value = wrong(*map(make, move_arguments(check.gradients, arguments, at)))
        named = dict(zip(check.parts, value, strict=True))
        return value[check.loss.place], take_gradients(check.gradients, arguments, named)

    return check.point, pair


# Of the checks whose function returns the loss, too.
WITH_LOSS = [each for each in TESTS if isinstance(each.call, CheckBody)]
WITH_LOSS = [each for each in WITH_LOSS if each.call.derived.loss.function in each.test.functions]
MISTAKES = [
    (each, mistake) for each in WITH_LOSS for mistake in load(each.test.stem) if mistake.function in each.test.functions
]
OF_THE_ORDER = "_outputs_swapped"  # ends the ids of mistakes in the order alone, which has a check of its own


def belongs_together(at: Point, pair: Pair) -> bool:
    """Tell by another method than the check's whether the gradients are those of the loss."""
    try:
        _, gradients = pair({name: values.copy() for name, values in at.items()})
        for name, values in at.items():
            slopes = numerical_gradient(
                lambda value, name=name: float(np.squeeze(pair({**at, name: value})[0])),  # type: ignore[misc]
                values,
            )
            if np.shape(gradients[name]) != values.shape or not np.allclose(gradients[name], slopes, 1e-3, 1e-5):
                return False
    except Exception:  # noqa: BLE001  (a mistake that raises has no gradient)
        return False
    return True


def find_wrong_verdict(each: RunnableTest, mistake: Mistake) -> str:
    """Tell how a gradient check is wrong about the loss and the gradient of a mistake, or nothing."""
    replay = Replay(REFERENCES, lambda _: None).replace(each.test.stem, mistake.function, mistake.wrong)  # type: ignore[arg-type]
    is_together = belongs_together(*pair_up(each, copy_function(mistake.wrong)))
    has_passed = replay.run(each.call)
    is_right = has_passed == (is_together or mistake.id.endswith(OF_THE_ORDER))
    return "" if is_right else f"{mistake.id} passes {each.test.name}: {has_passed}; belongs together: {is_together}"


@pytest.mark.ci
def test_a_pair_of_the_bank_passes_exactly_if_it_belongs_together() -> None:
    assert_none(filter(None, (find_wrong_verdict(each, mistake) for each, mistake in MISTAKES)))
