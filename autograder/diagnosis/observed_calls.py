"""Observed calls: turns the requests of a test into the calls of a function, each with the items that it got wrong.

An item is a number or array of a returned tuple or dict, an argument as the call left it, or an attribute of an object
that the test reads after a constructor or a method was called.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, cast

from autograder.checks.values import is_sequence
from autograder.contracts.call_values import copy_value
from autograder.contracts.request import BESIDE, GIVEN, RETURNED, ObjectRequest, assign, take_steps
from autograder.diagnosis.replay import RecordedReply
from autograder.diagnosis.replies import is_rich, is_same_reply
from autograder.mistakes.bank import Reader
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome

Arguments = tuple[Any, ...]
Parameters = Sequence[inspect.Parameter]
Item = tuple[object, ...]  # the way to a part of a value; of an argument or an attribute: one of these words and which
Request = tuple[RecordedReply, object]  # with the right reply; and the student's

ARGUMENT, ATTRIBUTE = "an argument", "an attribute"
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


def observe_calls(function: str, requests: Sequence[Request], make_reader: Callable[[], Reader]) -> list[ObservedCall]:
    """Observe the calls of a function by their values."""
    readers = [make_reader(), make_reader()]
    observed: list[ObservedCall] = []
    for right, theirs in requests:
        if right.name == function and right.kind in _CALLS and len(observed) < MOST_CALLS:
            observed += _observe_values(right, theirs, readers)
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


def read_reply(reader: Reader, recorded: RecordedReply) -> object:
    """Return the part of a reply that is compared; of a request about several calls, of each of them."""
    calls, reply = recorded.calls, recorded.reply
    try:
        if calls and isinstance(reply, list) and len(reply) == len(calls):
            return [reader(arguments, each) for arguments, each in zip(calls, reply, strict=True)]
        return reader(recorded.arguments, reply)
    except Exception:  # noqa: BLE001  (a student's reply may be anything; it is then compared unread)
        return recorded.reply


def make_observed(calls: Sequence[Arguments], theirs: object, right: object, at: Item = ()) -> ObservedCall:
    """Compare two returned values, or their items at this place."""
    parts = list(split_items(at, theirs, right))
    items = {item: is_same_reply(ours, wanted) for item, ours, wanted in parts}
    return ObservedCall(tuple(calls), theirs, right, items, frozenset(item for item, _, each in parts if is_rich(each)))


def _observe_values(right: RecordedReply, theirs: object, readers: Sequence[Reader]) -> Iterator[ObservedCall]:
    if not right.calls:
        yield _observe_one(right, theirs, readers)
    elif isinstance(theirs, list) and isinstance(right.reply, list) and len(theirs) == len(right.calls):
        for arguments, *pair in islice(zip(right.calls, theirs, right.reply, strict=True), MOST_CALLS):
            yield _observe_one(right._replace(arguments=arguments, reply=pair[1]), pair[0], readers)


def _observe_one(right: RecordedReply, theirs: object, readers: Sequence[Reader]) -> ObservedCall:
    replies = _read(right, theirs, readers)
    if right.kind not in _PAIRS or not all(isinstance(each, (tuple, list)) and len(each) == 2 for each in replies):
        at = () if right.part is None else (right.part,)
        return make_observed([right.arguments], *replies, at)._replace(is_near=right.part is not None)
    theirs, wanted = (cast("Sequence[Any]", each) for each in replies)
    found, beside = make_observed([right.arguments], theirs[0], wanted[0]), _compare_left(right, theirs[1], wanted[1])
    return found._replace(items={**found.items, **beside})


def _read(right: RecordedReply, theirs: object, readers: Sequence[Reader]) -> tuple[object, object]:
    if isinstance(theirs, Outcome):
        return theirs, right.reply
    return read_reply(readers[0], right._replace(reply=theirs)), read_reply(readers[1], right)


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


def split_items(item: Item, theirs: Any, right: Any) -> Iterator[tuple[Item, Any, Any]]:
    """Split two values into the items of the right one; one that the student's lacks is None."""
    if isinstance(right, tuple) and right:
        is_alike = is_sequence(theirs) and len(theirs) == len(right)
        for k, each in enumerate(right):
            yield from split_items((*item, k), theirs[k] if is_alike else None, each)
    elif isinstance(right, dict) and right:
        for key, each in right.items():
            yield from split_items((*item, key), theirs.get(key) if isinstance(theirs, dict) else None, each)
    else:
        yield item, theirs, right


def fill_defaults(parameters: Parameters, arguments: Arguments) -> Arguments:
    """Add the default values of the arguments that are left out."""
    left = parameters[len(arguments) :]
    return (*arguments, *(each.default for each in left if each.default is not each.empty))
