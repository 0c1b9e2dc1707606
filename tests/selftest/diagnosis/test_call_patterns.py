"""What wrong calls have in common is said only if no right call has it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Constant
from autograder.contracts.request import RETURNED, ObjectRequest, Step
from autograder.diagnosis.call_patterns import (
    find_pattern,
    find_wrong_items,
    phrase_property,
    spoil_items,
)
from autograder.diagnosis.kind_stories import FoundKind
from autograder.diagnosis.observed_calls import (
    ObservedCall,
    fill_defaults,
    make_observed,
    observe_calls,
    observe_objects,
)
from autograder.diagnosis.parts import ARGUMENT, ATTRIBUTE
from autograder.diagnosis.replay import RecordedReply
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind

RNG = np.random.default_rng(3)
ARRAYS = [RNG.normal(size=shape) for shape in [(1, 3), (2, 3), (3, 3), (4, 2), (2, 2), (5, 4), (1, 4), (3, 2), (6, 5)]]


def mix(shape: tuple[int, ...], number: int) -> np.ndarray:
    """Make an array of both signs, and the other signs for the next number."""
    entries = np.arange(1.0, 1 + np.prod(shape))
    return (entries * (-1) ** (entries + number)).reshape(shape)


def name_parameters(*names: str) -> list[inspect.Parameter]:
    """Make parameters without default values."""
    return [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]


def find(wrong: Callable[[np.ndarray], Any], *tests: list[np.ndarray]) -> FoundKind | None:
    """Find the pattern of a wrong version of a function that doubles; tests without a wrong call passed."""
    observed = [[make_observed([(x,)], wrong(x), 2 * x) for x in arrays] for arrays in tests]
    failed = [calls for calls in observed if any(each.is_wrong for each in calls)]
    return find_pattern(name_parameters("x"), failed, [calls for calls in observed if calls not in failed])


def name_property(found: FoundKind | None) -> str:
    """Return the name of the property that sets the wrong calls apart; empty where there is none."""
    assert found is None or found.kind == "general.wrong_where"
    return found.name if found is not None else ""


def test_a_property_of_all_wrong_calls_and_no_right_one_is_named() -> None:
    found = find(lambda x: x if len(x) == 1 else 2 * x, ARRAYS)
    assert name_property(found) == "x has a first axis of length 1"


TIMES = iter([1, *[2] * 20])
SQUARE = np.array([[1.0, -2.0], [0.0, 3.0]])


@pytest.mark.parametrize(
    ("wrong", "tests"),
    [
        (lambda x: next(TIMES) * x, [ARRAYS[:1] + ARRAYS[1:6] * 2, ARRAYS[6:7]]),
        (lambda x: 3 * x, [[*ARRAYS, *[np.zeros((2, 2))] * 20]]),
        (lambda x: x if len(x) == 1 else 2 * x, [[ARRAYS[0], ARRAYS[6], ARRAYS[1]]]),
        (lambda x: x + 1 if x is SQUARE else 2 * x, [[SQUARE, *ARRAYS[:2] * 5, ARRAYS[3]]]),
    ],
    ids=["a right call of another test has it", "right by chance", "few right calls", "two properties"],
)
def test_calls_have_no_pattern_where(wrong: Callable[[np.ndarray], Any], tests: list[list[np.ndarray]]) -> None:
    assert find(wrong, *tests) is None


def test_a_property_that_another_one_implies_is_not_told() -> None:
    cases = [(mix((2, 3), number), number % 4) for number in range(16)]
    calls = [make_observed([case], 0.5 if case[1] == 0 else 2.5, 2.5) for case in cases]
    assert name_property(find_pattern(name_parameters("x", "label"), [calls], [])) == "label is 0"


def test_a_length_is_named_where_no_frequent_property_sets_the_calls_apart() -> None:
    arrays = [mix((rows, 9), number) for number, rows in enumerate([3, 4, 5, 3, 4, 5, 4, 5])]
    found = find(lambda x: x if len(x) == 3 else 2 * x, arrays)
    assert name_property(found) == "x has a first axis of length 3"
    other = [mix((rows, columns), rows) for rows, columns in [(3, 9), (4, 8), (5, 8), (3, 9), (4, 8), (5, 8), (4, 8)]]
    assert find(lambda x: x if len(x) == 3 else 2 * x, [*other, other[1] + 1]) is None


def test_the_same_call_that_is_right_at_times_is_named() -> None:
    values = iter([2, 1, 2, 2, 1, 2])
    assert find(lambda x: next(values) * x, [*ARRAYS[:2], *ARRAYS[:4]]) == FoundKind("general.right_at_times")


def test_calls_of_which_another_item_is_looked_at_are_not_right_at_times() -> None:
    right, wrong = make_observed([(ARRAYS[1],)], (1, 2), (1, 2)), make_observed([(ARRAYS[2],)], (1, 0), (1, 2))
    beside = right._replace(items={**right.items, (ARGUMENT, 0): True})
    assert find_pattern(name_parameters("x"), [[right, beside, wrong]], []) is None


@pytest.mark.parametrize("change", [np.asfortranarray, np.float32], ids=["layout", "type"])
def test_calls_with_another_layout_or_type_are_not_the_same(change: Callable[[Any], Any]) -> None:
    array = mix((3, 4), 1)
    changed = change(array)
    found = [find(lambda x: x if x is changed else 2 * x, [each, changed]) for each in (array, changed.copy("K"))]
    assert found == [None, FoundKind("general.right_at_times")]


def test_axes_that_are_equally_long_in_all_calls_have_one_property() -> None:
    def name_of(shapes: list[tuple[int, int, int]]) -> str:
        calls = [(mix((n, d), k), mix((d, h), k), mix((h,), k)) for k, (n, d, h) in enumerate(shapes)]
        observed = [make_observed([call], 0.5 if len(call[2]) == 1 else 2.5, 2.5) for call in calls]
        return name_property(find_pattern(name_parameters("x", "W", "b"), [observed], []))

    many = [(2, 3, 1), (4, 2, 1), (3, 2, 4), (1, 4, 3), (5, 1, 2), (2, 2, 2), (3, 4, 3)]
    assert name_of(many) == "W has a last axis of length 1"
    assert name_of([(2, 1, 1), (3, 1, 1), (3, 2, 4), (1, 4, 3), (5, 3, 2), (2, 2, 2), (3, 4, 3)]) == ""


def scale(x: np.ndarray, factor: float = 2.0, shift: float = 0.0) -> np.ndarray:
    """Return the array times a factor, plus a shift."""
    return factor * x + shift


def find_scaled(wrong: Callable[..., Any], *cases: tuple[Any, ...]) -> FoundKind | None:
    """Find the pattern of a wrong version of `scale`."""
    observed = [make_observed([case], wrong(*case), scale(*case)) for case in cases]
    return find_pattern(list(inspect.signature(scale).parameters.values()), [observed], [])


def test_arguments_that_are_left_out_count_with_their_defaults() -> None:
    right = [(x, 2.0, *given) for x in ARRAYS for given in ((), (0.5,))]
    wrong = [(x, 2.0, 0.1) for x in ARRAYS]  # a shift of 0, too, is below 0.3
    assert find_scaled(lambda x, *given: scale(x, *given) + (given[-1] == 0.1), *right, *wrong) is None


def test_defaults_are_filled_in_in_their_order() -> None:
    def take(x: int, a: int = 1, b: str = "b", c: float = 3.0, d: str = "d", e: int = 5, *, f: int) -> None:
        """Take arguments of which any may be left out."""

    parameters = list(inspect.signature(take).parameters.values())
    assert fill_defaults(parameters, (0, 7)) == (0, 7, "b", 3.0, "d", 5)


def test_calls_that_the_number_of_their_arguments_sets_apart_have_no_pattern() -> None:
    rows, others = ([x for x in ARRAYS if (len(x) == 1) is is_row] for is_row in (True, False))
    wrong, counts = [(x, 2.0) for x in rows], [(x, *given) for x in others for given in ((), (2.0, 0.0))]
    assert find_scaled(lambda x, *_: 2 * x + (len(x) == 1), *wrong, *counts) is None
    found = find_scaled(lambda x, *_: 2 * x + (len(x) == 1), *wrong, *[(x, 2.0) for x in others])
    assert name_property(found) == "x has a first axis of length 1"


def test_a_number_in_place_of_an_argument_is_no_value_of_an_earlier_call() -> None:
    assert find_scaled(lambda x, *_: 2 * x, (ARRAYS[1], 2.0), (ARRAYS[1], 3.0), (ARRAYS[1], 0.7)) is None


def test_a_number_in_place_of_one_value_of_an_argument_is_no_value_of_an_earlier_call() -> None:
    calls = [(ARRAYS[1], factor) for factor in (2.0, 3.0, 0.7, 0.0)]
    assert find_scaled(lambda x, factor: (factor or 2.0) * x, *calls) is None


def test_values_of_earlier_calls_are_named() -> None:
    kept: list[np.ndarray] = []

    def remember(x: np.ndarray) -> np.ndarray:
        kept.append(2 * x)
        return kept[0]

    assert find(remember, ARRAYS) == FoundKind("general.earlier_value")


@pytest.mark.parametrize(
    ("tests", "is_named"),
    [
        ([ARRAYS[:4], ARRAYS[4:]], True),
        ([ARRAYS[:4], ARRAYS[4:], [ARRAYS[0], ARRAYS[4]]], False),
        ([ARRAYS[:4]], False),
        ([ARRAYS[:4] + ARRAYS[5:6]], True),
    ],
    ids=["two tests", "a right second call", "few calls of a single test", "several calls of a single test"],
)
def test_wrong_values_after_each_first_call_are_named(tests: list[list[np.ndarray]], is_named: bool) -> None:
    first = {id(ARRAYS[0]), id(ARRAYS[4])}
    found = find(lambda x: 2 * x if id(x) in first else 2 * x + 1, *tests)
    assert found == (FoundKind("general.after_first_call") if is_named else None)


def test_wrong_items_are_found_at_any_depth() -> None:
    call = make_observed([(1,)], (1.5, {"W": 2.0, "b": 3.0}), (1.0, {"W": 2.5, "b": 3.0}))
    assert find_wrong_items([call]) == {(0,), (1, "W")}
    assert find_wrong_items([make_observed([(1,)], 7.0, (1.0, 2.0))]) == {(0,), (1,)}


def test_a_right_call_is_evidence_only_if_it_shows_the_wrong_items() -> None:
    wrong = [make_observed([([], k)], (1.5, 2.0), (1.0, 2.0)) for k in (1, 2)]
    right = [make_observed([([k], 1)], (k + 1.5, 2.0), (k + 1.5, 2.0)) for k in range(4)]
    assert name_property(find_pattern(name_parameters("x", "k"), [wrong, right], [])) == "x is empty"
    beside = [make_observed([([k], 1)], 2.5, 2.5, (1,)) for k in range(4)]
    assert find_pattern(name_parameters("x", "k"), [wrong, beside], []) is None


def test_the_calls_of_a_gradient_check_are_too_close_to_each_other_to_be_evidence() -> None:
    def observe(*, part: int | None) -> FoundKind | None:
        calls = [([], 1), ([], 2), *(([k], 1) for k in range(4))]
        theirs = [1.5, 1.5, *(k + 1.5 for k in range(4))]
        rights = [1.0, 1.0, *theirs[2:]]
        asked = [
            (RecordedReply(given, right, messages.CALL, "f", part=part), got, right)
            for given, right, got in zip(calls, rights, theirs, strict=True)
        ]
        return find_pattern(name_parameters("x", "k"), [observe_calls("f", asked)], [])

    found = observe(part=None)
    assert name_property(found) == "x is empty"
    assert found is not None
    assert [found.holds(call) for call in (([], 1), ([1], 1))] == [True, False]  # type: ignore[misc]
    assert observe(part=0) is None


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
        return observe_calls("double", [(reply, (4.5, (theirs_left, 3)), reply.reply)])

    calls = observe_left([1, 2], [1])
    assert find_wrong_items(calls) == {(ARGUMENT, 0)}
    assert find_pattern(name_parameters("x", "n"), [calls], []) == FoundKind("general.argument_changed", "x")
    assert find_pattern(name_parameters("x", "n"), [observe_left([1], [1, 2])], []) is None


def test_the_use_of_an_object_that_one_of_two_calls_tells_is_not_right_at_times() -> None:
    model = Constant(1.0)

    def observe_use(right: list[Any] | None, theirs: list[Any] | None) -> ObservedCall:
        reply = RecordedReply(([1, 2], model), (4.5, ([1, 2], right)), messages.CALL_KEEPING_ARGUMENTS, "double")
        (call,) = observe_calls("double", [(reply, (0.0, ([1, 2], theirs)), reply.reply)])
        return call

    calls = [observe_use([("predict", ())], []), observe_use(None, None)]
    assert [each.is_wrong for each in calls] == [True, True]
    assert find_pattern(name_parameters("x", "model"), [calls], []) is None


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


FEW, *RIGHTS = np.array([1.0, 2.0, 1.0, 2.0]), *(mix((n,), n) for n in (5, 8, 6))
ROLLED = [(right, np.roll(right, 2)) for right in RIGHTS]


@pytest.mark.parametrize(
    ("pairs", "is_named"),
    [
        (ROLLED, True),
        ([*ROLLED, (RIGHTS[0], np.add(np.roll(RIGHTS[0], 1), [0, 0, 0, 0, 1]))], False),
        ([(right, np.sort(right)) for right in RIGHTS], False),
        ([(FEW, FEW[::-1])], False),
    ],
    ids=["rolled", "one is off", "sorted", "few different numbers"],
)
def test_numbers_in_another_order_are_named(pairs: list[tuple[np.ndarray, np.ndarray]], is_named: bool) -> None:
    calls = [make_observed([(right.sum(),)], (1.5, theirs), (1.5, right)) for right, theirs in pairs]
    found = find_pattern(name_parameters("x"), [calls], [])
    assert found == (FoundKind("general.reordered") if is_named else None)
