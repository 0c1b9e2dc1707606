"""A style of returning values loses no point in any row of any function: other types, shapes, orders and precision.

The right functions run here, each with its values changed; `right/` has whole submissions in these styles.
"""

from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autograder.contracts import CheckBody, judge_functions
from autograder.contracts.call_values import convert_reals, map_leaves
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest
from tests.selftest.support.grading import ASSIGNMENT
from tests.selftest.support.project_sources import assert_none

pytestmark = [pytest.mark.content, pytest.mark.once]

Code = Callable[..., Any]
Style = Callable[[Code], Code]


def compute_in_single(function: Code) -> Code:
    """Compute in single precision."""

    def single(leaf: Any) -> Any:
        return np.float32(leaf) if isinstance(leaf, float) else convert_reals(leaf, np.float32)

    return lambda *given: map_leaves(single, function(*convert_reals(given, np.float32)))


def give_other_shapes(function: Code) -> Code:
    """Return a loss as an array of one number, and arrays with another axis of length 1."""

    def change(leaf: Any) -> Any:
        if isinstance(leaf, float):
            return np.array([leaf])
        return leaf[np.newaxis] if isinstance(leaf, np.ndarray) and leaf.size else leaf

    return lambda *given: map_leaves(change, function(*given))


def give_lists(function: Code) -> Code:
    """Return lists in place of arrays."""

    def change(leaf: Any) -> Any:
        return leaf.tolist() if isinstance(leaf, np.ndarray) and leaf.ndim else leaf

    return lambda *given: map_leaves(change, function(*given))


def give_by_name(function: Code) -> Code:
    """Return a named tuple."""

    def named(*given: Any) -> Any:
        value = function(*given)
        return namedtuple("Value", [f"v{k}" for k in range(len(value))])(*value) if type(value) is tuple else value

    return named


def round_losses(function: Code) -> Code:
    """Round losses to six digits."""
    return lambda *given: map_leaves(lambda leaf: round(leaf, 6) if isinstance(leaf, float) else leaf, function(*given))


def work_in_place(function: Code) -> Code:
    """Leave nothing of the arguments as it was."""

    def spoil(leaf: Any) -> None:
        if isinstance(leaf, np.ndarray):
            leaf[...] = 0

    def working(*given: Any) -> Any:
        value = map_leaves(lambda leaf: np.array(leaf) if isinstance(leaf, np.ndarray) else leaf, function(*given))
        map_leaves(spoil, given)
        for each in given:
            if isinstance(each, (list, dict)):
                each.clear()
        return value

    return working


STYLES = [compute_in_single, give_other_shapes, give_lists, give_by_name, round_losses, work_in_place]


def list_rows() -> Iterator[tuple[HiddenTest, CheckBody]]:
    """List the rows of functions; methods return little, and `right/` has styles of classes."""
    for test, body in collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids):
        if isinstance(body, CheckBody) and "." not in test.functions[0] and not test.functions[0][0].isupper():
            yield test, body


def find_lost(test: HiddenTest, body: CheckBody, style: Style) -> str:
    """Say what a row finds wrong of its right function in a style."""
    reference = ASSIGNMENT.import_reference(test.question_id)

    def find(name: str) -> Any:
        function = getattr(reference, name)
        return style(function) if name in test.functions else function

    with np.errstate(all="ignore"):
        share, failure = judge_functions(body.derived, find)
    return "" if share == pytest.approx(1) else f"{test.name}: {failure}"


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_no_reason_to_lose_a_point(style: Style) -> None:
    rows = [each for each in list_rows() if style is not work_in_place or not each[1].check.contract.keeps_arguments]
    assert len(rows) > 60
    assert_none(filter(None, (find_lost(*each, style) for each in rows)))
