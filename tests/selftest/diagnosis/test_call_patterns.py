"""What wrong calls have in common is said only if no right call has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.call_patterns import Pattern, find_pattern, find_wrong_items, phrase_property, spoil_items
from autograder.diagnosis.match import ObservedCall
from autograder.diagnosis.replies import is_rich, is_same_reply

RNG = np.random.default_rng(3)
ARRAYS = [RNG.normal(size=shape) for shape in [(1, 3), (2, 3), (3, 3), (4, 2), (2, 2), (5, 4), (1, 4), (3, 2), (6, 5)]]


def double(x: np.ndarray) -> np.ndarray:
    """Return twice the array."""
    return 2 * x


def observe(wrong: Callable[[np.ndarray], Any], arrays: list[np.ndarray]) -> list[ObservedCall]:
    """Observe calls of a wrong version of `double`."""
    pairs = [(wrong(x), double(x)) for x in arrays]
    return [
        ObservedCall((x,), theirs, right, not is_same_reply(theirs, right), is_rich(right))
        for x, (theirs, right) in zip(arrays, pairs, strict=True)
    ]


def find(wrong: Callable[[np.ndarray], Any], *tests: list[np.ndarray]) -> Pattern | None:
    """Find the pattern of a wrong version; tests without a wrong call passed."""
    observed = [observe(wrong, arrays) for arrays in tests]
    failed = [calls for calls in observed if any(each.is_wrong for each in calls)]
    return find_pattern(double, failed, [calls for calls in observed if calls not in failed])


def test_a_property_of_all_wrong_calls_and_no_right_one_is_named() -> None:
    found = find(lambda x: x if len(x) == 1 else 2 * x, ARRAYS)
    assert found is not None
    assert (found.kind, found.name) == ("general.wrong_where", "x has a first axis of length 1")
    assert found.holds is not None
    assert found.holds((np.ones((1, 7)),))


def test_a_right_call_with_the_property_in_a_test_that_passed_rules_it_out() -> None:
    times = iter([1, *[2] * 20])
    assert find(lambda x: next(times) * x, ARRAYS[:1] + ARRAYS[1:6] * 2, ARRAYS[:1]) is None


def test_values_that_are_right_by_chance_are_no_evidence() -> None:
    assert find(lambda x: 3 * x, [*ARRAYS, *[np.zeros((2, 2))] * 20]) is None


def test_two_wrong_calls_among_few_right_ones_have_no_pattern() -> None:
    assert find(lambda x: x if len(x) == 1 else 2 * x, [ARRAYS[0], ARRAYS[6], ARRAYS[1]]) is None


def test_calls_that_two_properties_set_apart_have_no_pattern() -> None:
    odd = np.full((1, 1), 0.5)
    assert find(lambda x: x + 1 if x is odd else 2 * x, [odd, *ARRAYS[1:6] * 3]) is None


def test_values_of_earlier_calls_are_named() -> None:
    kept: list[np.ndarray] = []

    def remember(x: np.ndarray) -> np.ndarray:
        kept.append(2 * x)
        return kept[0]

    assert find(remember, ARRAYS) == Pattern("general.earlier_value")


def test_wrong_values_after_each_first_call_are_named() -> None:
    first = {id(ARRAYS[0]), id(ARRAYS[4])}
    tests = [ARRAYS[:4], ARRAYS[4:]]
    assert find(lambda x: 2 * x if id(x) in first else 2 * x + 1, *tests) == Pattern("general.after_first_call")
    assert find(lambda x: 2 * x if id(x) in first else 2 * x + 1, *tests, [ARRAYS[0], ARRAYS[4]]) is None


def test_a_test_that_does_not_look_at_the_wrong_items_can_be_told() -> None:
    call = ObservedCall((1,), (1.5, 2.0), (1.0, 2.0), True, True)
    assert find_wrong_items([call]) == {0}
    assert find_wrong_items([call, call._replace(theirs=3.0)]) == frozenset()
    assert spoil_items(lambda: (1.0, 2.0), [0])() == (None, 2.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("x has an entry beyond 30", "x has large entries"),
        ("x has an entry beyond -6", "x has large entries"),
        ("iterations is 20000", "iterations is large"),
        ("p is below 0.3", "p is small"),
        ("words has more than six items", "words has many items"),
        ("x has a last axis longer than 10", "x has an axis that is long"),
        ("x is all zeros", "x has an entry of 0"),
        ("x is square", "x is square"),
    ],
)
def test_no_number_of_an_input_is_told(name: str, phrase: str) -> None:
    assert phrase_property(name) == phrase
