"""What wrong calls have in common is said only if no right call has it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.contracts.request import RETURNED, ObjectRequest, Step
from autograder.diagnosis.call_patterns import (
    Pattern,
    find_pattern,
    find_wrong_items,
    phrase_property,
    spoil_items,
)
from autograder.diagnosis.observed_calls import (
    ARGUMENT,
    ATTRIBUTE,
    ObservedCall,
    fill_defaults,
    make_observed,
    observe_calls,
    observe_objects,
)
from autograder.diagnosis.replay import RecordedReply
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind

RNG = np.random.default_rng(3)
ARRAYS = [RNG.normal(size=shape) for shape in [(1, 3), (2, 3), (3, 3), (4, 2), (2, 2), (5, 4), (1, 4), (3, 2), (6, 5)]]


def name_parameters(*names: str) -> list[inspect.Parameter]:
    """Make parameters without default values."""
    return [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]


def double(x: np.ndarray) -> np.ndarray:
    """Return twice the array."""
    return 2 * x


def observe(wrong: Callable[[np.ndarray], Any], arrays: list[np.ndarray]) -> list[ObservedCall]:
    """Observe calls of a wrong version of `double`."""
    return [make_observed([(x,)], wrong(x), double(x)) for x in arrays]


def find(wrong: Callable[[np.ndarray], Any], *tests: list[np.ndarray]) -> Pattern | None:
    """Find the pattern of a wrong version; tests without a wrong call passed."""
    observed = [observe(wrong, arrays) for arrays in tests]
    failed = [calls for calls in observed if any(each.is_wrong for each in calls)]
    return find_pattern(name_parameters("x"), failed, [calls for calls in observed if calls not in failed])


def test_a_property_of_all_wrong_calls_and_no_right_one_is_named() -> None:
    found = find(lambda x: x if len(x) == 1 else 2 * x, ARRAYS)
    assert found is not None
    assert (found.kind, found.name) == ("general.wrong_where", "x has a first axis of length 1")
    assert found.holds is not None
    assert found.holds((np.ones((1, 7)),))


def test_a_right_call_with_the_property_in_a_test_that_passed_rules_it_out() -> None:
    times = iter([1, *[2] * 20])
    assert find(lambda x: next(times) * x, ARRAYS[:1] + ARRAYS[1:6] * 2, ARRAYS[6:7]) is None


def test_values_that_are_right_by_chance_are_no_evidence() -> None:
    assert find(lambda x: 3 * x, [*ARRAYS, *[np.zeros((2, 2))] * 20]) is None


def test_two_wrong_calls_among_few_right_ones_have_no_pattern() -> None:
    assert find(lambda x: x if len(x) == 1 else 2 * x, [ARRAYS[0], ARRAYS[6], ARRAYS[1]]) is None


def test_calls_that_two_properties_set_apart_have_no_pattern() -> None:
    square = np.array([[1.0, -2.0], [0.0, 3.0]])
    assert find(lambda x: x + 1 if x is square else 2 * x, [square, *ARRAYS[:2] * 5, ARRAYS[3]]) is None


def test_a_property_that_another_one_implies_is_not_told() -> None:
    cases = [(mix((2, 3), number), number % 4) for number in range(16)]
    calls = [make_observed([case], 0.5 if case[1] == 0 else 2.5, 2.5) for case in cases]
    found = find_pattern(name_parameters("x", "label"), [calls], [])
    assert found is not None
    assert found.name == "label is 0"


def test_a_length_is_named_where_no_frequent_property_sets_the_calls_apart() -> None:
    arrays = [mix((rows, 9), number) for number, rows in enumerate([3, 4, 5, 3, 4, 5, 4, 5])]
    found = find(lambda x: x if len(x) == 3 else 2 * x, arrays)
    assert found is not None
    assert (found.kind, found.name) == ("general.wrong_where", "x has a first axis of length 3")
    other = [mix((rows, columns), rows) for rows, columns in [(3, 9), (4, 8), (5, 8), (3, 9), (4, 8), (5, 8), (4, 8)]]
    assert find(lambda x: x if len(x) == 3 else 2 * x, [*other, other[1] + 1]) is None


def test_the_same_call_that_is_right_at_times_is_named() -> None:
    values = iter([2, 1, 2, 2, 1, 2])
    assert find(lambda x: next(values) * x, [*ARRAYS[:2], *ARRAYS[:4]]) == Pattern("general.right_at_times")


def test_calls_of_which_another_item_is_looked_at_are_not_right_at_times() -> None:
    right, wrong = make_observed([(ARRAYS[1],)], (1, 2), (1, 2)), make_observed([(ARRAYS[2],)], (1, 0), (1, 2))
    beside = right._replace(items={**right.items, (ARGUMENT, 0): True})
    assert find_pattern(name_parameters("x"), [[right, beside, wrong]], []) is None


@pytest.mark.parametrize("change", [np.asfortranarray, np.float32], ids=["layout", "type"])
def test_calls_with_another_layout_or_type_are_not_the_same(change: Callable[[Any], Any]) -> None:
    array = mix((3, 4), 1)
    changed = change(array)
    assert find(lambda x: x if x is changed else 2 * x, [array, changed]) is None
    assert find(lambda x: x if x is changed else 2 * x, [changed.copy("K"), changed]) == Pattern(
        "general.right_at_times"
    )


def mix(shape: tuple[int, ...], number: int) -> np.ndarray:
    """Make an array of both signs, and the other signs for the next number."""
    entries = np.arange(1.0, 1 + np.prod(shape))
    return (entries * (-1) ** (entries + number)).reshape(shape)


def test_axes_that_are_equally_long_in_all_calls_have_one_property() -> None:
    def observe_pairs(shapes: list[tuple[int, int, int]]) -> list[ObservedCall]:
        calls = [(mix((n, d), k), mix((d, h), k), mix((h,), k)) for k, (n, d, h) in enumerate(shapes)]
        return [make_observed([call], 0.5 if len(call[2]) == 1 else 2.5, 2.5) for call in calls]

    many = observe_pairs([(2, 3, 1), (4, 2, 1), (3, 2, 4), (1, 4, 3), (5, 1, 2), (2, 2, 2), (3, 4, 3)])
    found = find_pattern(name_parameters("x", "W", "b"), [many], [])
    assert found is not None
    assert found.name == "W has a last axis of length 1"
    few = observe_pairs([(2, 1, 1), (3, 1, 1), (3, 2, 4), (1, 4, 3), (5, 3, 2), (2, 2, 2), (3, 4, 3)])
    assert find_pattern(name_parameters("x", "W", "b"), [few], []) is None


def scale(x: np.ndarray, factor: float = 2.0, shift: float = 0.0) -> np.ndarray:
    """Return the array times a factor, plus a shift."""
    return factor * x + shift


SCALE = list(inspect.signature(scale).parameters.values())


def observe_scaled(wrong: Callable[..., Any], *cases: tuple[Any, ...]) -> list[ObservedCall]:
    """Observe calls of a wrong version of `scale`."""
    pairs = [(wrong(*case), scale(*case)) for case in cases]
    return [make_observed([case], theirs, right) for case, (theirs, right) in zip(cases, pairs, strict=True)]


def test_arguments_that_are_left_out_count_with_their_defaults() -> None:
    right = [(x, 2.0, *given) for x in ARRAYS for given in ((), (0.5,))]
    wrong = [(x, 2.0, 0.1) for x in ARRAYS]
    observed = observe_scaled(lambda x, *given: scale(x, *given) + (given[-1] == 0.1), *right, *wrong)
    assert find_pattern(SCALE, [observed], []) is None  # a shift of 0, too, is below 0.3


def test_defaults_are_filled_in_in_their_order() -> None:
    def take(x: int, a: int = 1, b: str = "b", c: float = 3.0, d: str = "d", e: int = 5, *, f: int) -> None:
        """Take arguments of which any may be left out."""

    parameters = list(inspect.signature(take).parameters.values())
    assert fill_defaults(parameters, (0, 7)) == (0, 7, "b", 3.0, "d", 5)


def test_calls_that_the_number_of_their_arguments_sets_apart_have_no_pattern() -> None:
    rows, others = ([x for x in ARRAYS if (len(x) == 1) is is_row] for is_row in (True, False))
    apart = [(x, 2.0) for x in rows], [(x, *given) for x in others for given in ((), (2.0, 0.0))]
    alike = [(x, 2.0) for x in rows], [(x, 2.0) for x in others]
    observed = [observe_scaled(lambda x, *_: 2 * x + (len(x) == 1), *wrong, *right) for wrong, right in (apart, alike)]
    assert find_pattern(SCALE, observed[:1], []) is None
    found = find_pattern(SCALE, observed[1:], [])
    assert found is not None
    assert found.name == "x has a first axis of length 1"


def test_a_number_in_place_of_an_argument_is_no_value_of_an_earlier_call() -> None:
    cases = [(ARRAYS[1], 2.0), (ARRAYS[1], 3.0), (ARRAYS[1], 0.7)]
    assert find_pattern(SCALE, [observe_scaled(lambda x, *_: 2 * x, *cases)], []) is None


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


def test_wrong_values_after_the_first_call_of_a_single_test_have_to_be_several() -> None:
    assert find(lambda x: 2 * x if x is ARRAYS[0] else 2 * x + 1, ARRAYS[:4]) is None
    found = find(lambda x: 2 * x if x is ARRAYS[0] else 2 * x + 1, ARRAYS[:5])
    assert found == Pattern("general.after_first_call")


def test_wrong_items_are_found_at_any_depth() -> None:
    call = make_observed([(1,)], (1.5, {"W": 2.0, "b": 3.0}), (1.0, {"W": 2.5, "b": 3.0}))
    assert find_wrong_items([call]) == {(0,), (1, "W")}
    assert find_wrong_items([make_observed([(1,)], 7.0, (1.0, 2.0))]) == {(0,), (1,)}


def test_a_right_call_is_evidence_only_if_it_shows_the_wrong_items() -> None:
    wrong = [make_observed([([], k)], (1.5, 2.0), (1.0, 2.0)) for k in (1, 2)]
    right = [make_observed([([k], 1)], (k + 1.5, 2.0), (k + 1.5, 2.0)) for k in range(4)]
    found = find_pattern(name_parameters("x", "k"), [wrong, right], [])
    assert found is not None
    assert found.name == "x is empty"
    beside = [make_observed([([k], 1)], 2.5, 2.5, (1,)) for k in range(4)]
    assert find_pattern(name_parameters("x", "k"), [wrong, beside], []) is None


def test_values_can_be_spoiled_so_that_a_test_which_does_not_look_at_them_can_be_told() -> None:
    spoiled = spoil_items(lambda: (1.0, {"W": 2.0, "b": 3.0}), [(0,), (1, "W")])  # type: ignore[arg-type]
    assert spoiled() == (None, {"W": None, "b": 3.0})
    assert spoil_items(lambda: 1.0, [()])() is None  # type: ignore[arg-type]


class Counter:
    """An object with a state."""

    def __init__(self) -> None:
        self.values = [1]
        self.total = 1


def add(self: Counter, value: int) -> None:
    """Add a value."""
    self.values = [*self.values, value]
    self.total += value


def test_the_attributes_of_an_object_can_be_spoiled() -> None:
    counter = Counter()
    spoil_items(add, [(ATTRIBUTE, "total")])(counter, 3)  # type: ignore[arg-type]
    assert (counter.values, counter.total) == ([1, 3], None)


Counter.add = add  # type: ignore[attr-defined]


def make_request(assigned: dict[str, Any], *values: int) -> ObjectRequest:
    """Make a request that adds values to a counter."""
    steps = tuple(Step("add", (value,)) for value in values)
    return ObjectRequest("Counter", (), assigned, steps, ("values",))


def test_calls_of_a_method_are_right_if_the_attributes_that_are_read_afterwards_are() -> None:
    requests = [make_request({"values": [1]}, 3, 5), make_request({"values": [1, 3, 5]}, 7), make_request({}, 3)]
    right = [{RETURNED: None, "values": values} for values in ([1, 3, 5], [1, 3, 5, 7], [1, 3])]
    error = Outcome(OutcomeKind.RAISED, error_type="KeyError")
    theirs: list[Any] = [right[0], {RETURNED: None, "values": [1, 3, 7]}, error]
    replies = list(zip(right, theirs, strict=True))
    first, second, third = observe_objects("Counter.add", Counter, requests, replies)
    assert [(each[0].values, each[1]) for each in first.calls] == [([1], 3), ([1, 3], 5)]
    assert first.items == {(ATTRIBUTE, "values"): True}
    assert [(each[0].values, each[1]) for each in second.calls] == [([1, 3, 5], 7)]
    assert second.items == {(ATTRIBUTE, "values"): False}
    assert third.items == {(): False}
    (start,) = observe_objects("Counter", Counter, [*requests[:2], make_request({})], [*replies[:2], (right[0],) * 2])
    assert (start.calls, start.is_wrong) == (((),), False)
    assert observe_objects("Counter.drop", Counter, requests, replies) == []


def test_an_argument_that_is_changed_is_named_if_the_right_function_leaves_it() -> None:
    def observe_left(right_left: list[int], theirs_left: list[int]) -> list[ObservedCall]:
        reply = RecordedReply(([1, 2], 3), (4.5, (right_left, 3)), messages.CALL_KEEPING_ARGUMENTS, "double")
        return observe_calls("double", [(reply, (4.5, (theirs_left, 3)))], lambda: lambda _, value: value)

    calls = observe_left([1, 2], [1])
    assert find_wrong_items(calls) == {(ARGUMENT, 0)}
    assert find_pattern(name_parameters("x", "n"), [calls], []) == Pattern("general.argument_changed", "x")
    assert find_pattern(name_parameters("x", "n"), [observe_left([1], [1, 2])], []) is None


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


def observe_rolled(right: np.ndarray, theirs: np.ndarray) -> ObservedCall:
    """Observe a call that returns a number and a flat array, which is wrong."""
    return make_observed([(right.sum(),)], (1.5, theirs), (1.5, right))


def test_numbers_in_another_order_are_named() -> None:
    rights = [mix((n,), n) for n in (5, 8, 6)]
    wrong = [observe_rolled(right, np.roll(right, 2)) for right in rights]
    assert find_pattern(name_parameters("x"), [wrong], []) == Pattern("general.reordered")
    other = observe_rolled(rights[0], np.add(np.roll(rights[0], 1), [0, 0, 0, 0, 1]))
    assert find_pattern(name_parameters("x"), [[*wrong, other]], []) is None
    assert find_pattern(name_parameters("x"), [[observe_rolled(each, np.sort(each)) for each in rights]], []) is None
    few = np.array([1.0, 2.0, 1.0, 2.0])
    assert find_pattern(name_parameters("x"), [[observe_rolled(few, few[::-1])]], []) is None
