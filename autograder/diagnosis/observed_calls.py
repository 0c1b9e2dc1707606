"""Observed calls: turns the requests of a test into the calls of a function, each with the items that it got wrong.

An item is a number or array of a returned tuple or dict, an argument as the call left it, or an attribute of an object
that the test reads after a constructor or a method was called.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from autograder.contracts.call_values import copy_value
from autograder.contracts.request import BESIDE, GIVEN, RETURNED, ObjectRequest, assign, take_steps
from autograder.diagnosis.parts import ARGUMENT, ATTRIBUTE, Item, has_items, split_value
from autograder.diagnosis.replay import RecordedReply
from autograder.diagnosis.replies import is_rich, is_same_reply
from autograder.sandbox.protocol import messages

Arguments = tuple[Any, ...]
Parameters = Sequence[inspect.Parameter]
Request = tuple[RecordedReply, object, object]  # with the reply; the student's and the right one as they are compared

_PAIRS = (messages.CALL_KEEPING_ARGUMENTS, messages.CALL_RECORDING_WARNINGS)  # of the value and something more
_CALLS = (*messages.FUNCTION_CALLS, messages.EACH)

MOST_CALLS = 100  # of a test are looked at: a random function may be called hundreds of times


class ObservedCall(NamedTuple):
    """A call, or calls of a method in a row, after which the test looked at values.

    `calls`: the arguments of each; those of a method begin with its object as it was before. `theirs`, `right`: the
    returned values as they are compared, an error is an Outcome. `items`: whether each item is right. `rich`: the items
    whose right value is unlikely by chance. `is_near`: only the loss was asked for, close to other calls, by a gradient
    check.
    """

    calls: tuple[Arguments, ...]
    theirs: object
    right: object
    items: Mapping[Item, bool]
    rich: frozenset[Item]
    is_near: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether some item is wrong."""
        return not all(self.items.values())


def observe_calls(function: str, requests: Iterable[Request]) -> list[ObservedCall]:
    """Observe the calls of a function by their values."""
    observed: list[ObservedCall] = []
    for asked, theirs, right in requests:
        if asked.name == function and asked.kind in _CALLS and len(observed) < MOST_CALLS:
            observed += _observe_values(asked, theirs, right)
    return observed


def observe_objects(
    function: str, owner: type, requests: Sequence[ObjectRequest], replies: Sequence[tuple[Any, Any]]
) -> list[ObservedCall]:
    """Observe the calls of a method or a constructor by what is read of each object after its last step.

    `owner`: the right class. `replies`: the right one and the student's to each request.
    """
    method = function.partition(".")[2]
    observed: list[ObservedCall] = []
    for request, (right, theirs) in zip(requests, replies, strict=False):
        calls = _list_calls(method, owner, request)
        observed += [_observe_object(calls, right, theirs)] if calls else []
        if not method and BESIDE in right:
            other = theirs[BESIDE] if isinstance(theirs, dict) else theirs
            observed.append(_observe_object([request.arguments], right[BESIDE], other))
    return observed


def _list_calls(method: str, owner: type, request: ObjectRequest) -> list[Arguments]:
    """List the calls of a method, each with the object before it, or of the constructor, if its object is looked at."""
    if not method:
        return [] if request.assigned else [request.arguments]
    calls: list[Arguments] = []
    made = owner(*copy_value(request.arguments))
    assign(made, request.assigned)
    for step in request.steps:
        if step.method == method:
            calls.append((copy.deepcopy(made), *step.arguments))
        take_steps(made, [step])
    return calls


def _observe_object(calls: Sequence[Arguments], right: dict[str, Any], theirs: Any) -> ObservedCall:
    if not isinstance(theirs, dict):
        return ObservedCall(tuple(calls), theirs, right, {(): False}, frozenset())
    places: dict[Item, str] = {(ATTRIBUTE, name): name for name in right if name not in (RETURNED, BESIDE, GIVEN)}
    places |= {} if right.get(RETURNED) is None else {(): RETURNED}
    items = {item: is_same_reply(theirs[name], right[name]) for item, name in places.items()}
    rich = frozenset(item for item, name in places.items() if is_rich(right[name]))
    return ObservedCall(tuple(calls), None, None, items, rich)


def make_observed(calls: Sequence[Arguments], theirs: object, right: object, at: Item = ()) -> ObservedCall:
    """Compare two returned values, or their items at this place."""
    parts = list(split_value(at, (), (theirs, right, right), right))
    rich = frozenset(each.item for each in parts if is_rich(each.values[2]))
    return ObservedCall(tuple(calls), theirs, right, {each.item: not each.is_wrong for each in parts}, rich)


def _observe_values(asked: RecordedReply, theirs: Any, right: Any) -> Iterator[ObservedCall]:
    if not asked.calls:
        yield _observe_one(asked, theirs, right)
    elif all(isinstance(each, list) and len(each) == len(asked.calls) for each in (theirs, right)):
        for arguments, *pair in islice(zip(asked.calls, theirs, right, strict=True), MOST_CALLS):
            yield _observe_one(asked._replace(arguments=arguments), *pair)


def _observe_one(asked: RecordedReply, theirs: Any, right: Any) -> ObservedCall:
    if asked.kind not in _PAIRS or not all(has_items(each, 2) for each in (theirs, right)):
        at = () if asked.part is None else (asked.part,)
        return make_observed([asked.arguments], theirs, right, at)._replace(is_near=asked.part is not None)
    found, beside = make_observed([asked.arguments], theirs[0], right[0]), _compare_left(asked, theirs[1], right[1])
    return found._replace(items={**found.items, **beside})


def _compare_left(request: RecordedReply, theirs: Any, right: Any) -> dict[Item, bool]:
    """Compare the arguments as a call left them, or its warnings."""
    if request.kind != messages.CALL_KEEPING_ARGUMENTS or len(theirs) != len(right):
        return {("the warnings",): is_same_reply(theirs, right)}
    found: dict[Item, bool] = {}
    for k, (given, ours, wanted) in enumerate(zip(request.arguments, theirs, right, strict=True)):
        if wanted is None and given is not None:  # an object, of which nothing is told
            continue
        found[ARGUMENT if is_same_reply(wanted, given) else "a changed one", k] = is_same_reply(ours, wanted)
    return found


def fill_defaults(parameters: Parameters, arguments: Arguments) -> Arguments:
    """Add the default values of the arguments that are left out."""
    left = parameters[len(arguments) :]
    return (*arguments, *(each.default for each in left if each.default is not each.empty))
