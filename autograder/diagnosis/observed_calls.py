"""Observed calls: turns the requests of a test into the calls of a function, each with the items that it got wrong.

An item is a number or array of a returned tuple or dict, an argument as the call left it, or an attribute of an object
that the test reads after a constructor or a method was called.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, cast

import numpy as np

from autograder.diagnosis.replay import Owner, RecordedReply
from autograder.diagnosis.replies import holds_handle, is_rich, is_same_reply
from autograder.mistakes.bank import Reader
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome
from autograder.sandbox.protocol.wire import Handle

Arguments = tuple[Any, ...]
Parameters = Sequence[inspect.Parameter]
Item = tuple[object, ...]  # the way to a part of a value; of an argument or an attribute: one of these words and which
Request = tuple[RecordedReply, object]  # with the right reply, and the student's

ARGUMENT, ATTRIBUTE = "an argument", "an attribute"
_PAIRS = (messages.CALL_KEEPING_ARGUMENTS, messages.CALL_RECORDING_WARNINGS)  # of the value and something more
_CALLS = (*messages.FUNCTION_CALLS, messages.EACH)

MOST_CALLS = 100  # of one request are looked at: a random function may be called hundreds of times


class ObservedCall(NamedTuple):
    """A call, or calls of a method in a row, after which the test looked at values.

    `calls`: the arguments of each; those of a method begin with its object as it was before. `theirs`, `right`: the
    returned values as they are compared, an error is an Outcome. `items`: whether each item is right. `rich`: the items
    whose right value is unlikely by chance.
    """

    calls: tuple[Arguments, ...]
    theirs: object
    right: object
    items: Mapping[Item, bool]
    rich: frozenset[Item]

    @property
    def is_wrong(self) -> bool:
        """Whether some item is wrong."""
        return not all(self.items.values())


def observe_calls(function: str, requests: Sequence[Request], make_reader: Callable[[], Reader]) -> list[ObservedCall]:
    """Observe the calls of a function, a method, or, for the name of a class, its constructor."""
    readers = [make_reader(), make_reader()]
    states = _States(function)
    observed: list[ObservedCall] = []
    for request in requests:
        if request[0].owner is not None:
            states.add(request, readers)
        elif request[0].name == function and request[0].kind in _CALLS:
            observed += _observe_values(request, readers)
    return [*observed, *states.close_all()]


def keep_state(recorded: RecordedReply) -> RecordedReply:
    """Keep the object of a request as it is now."""
    if recorded.owner is None:
        return recorded
    return recorded._replace(owner=Owner(recorded.owner.number, _copy(recorded.owner.state)))


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


def _observe_values(request: Request, readers: Sequence[Reader]) -> Iterator[ObservedCall]:
    right, theirs = request
    calls = right.calls or (right.arguments,)
    if not right.calls:
        yield _observe_one(right, theirs, readers)
    elif isinstance(theirs, list) and isinstance(right.reply, list) and len(theirs) == len(calls):
        for arguments, *pair in islice(zip(calls, theirs, right.reply, strict=True), MOST_CALLS):
            yield _observe_one(right._replace(arguments=arguments, reply=pair[1]), pair[0], readers)


def _observe_one(right: RecordedReply, theirs: object, readers: Sequence[Reader]) -> ObservedCall:
    replies = _read(right, theirs, readers)
    if right.kind not in _PAIRS or not all(isinstance(each, (tuple, list)) and len(each) == 2 for each in replies):
        return make_observed([right.arguments], *replies, () if right.part is None else (right.part,))
    theirs, wanted = (cast("Sequence[Any]", each) for each in replies)
    found, beside = make_observed([right.arguments], theirs[0], wanted[0]), _compare_left(right, theirs[1], wanted[1])
    return found._replace(items={**found.items, **beside})


def _read(right: RecordedReply, theirs: object, readers: Sequence[Reader]) -> tuple[object, object]:
    if isinstance(theirs, Outcome):
        return theirs, right.reply
    ours, wanted = (
        read_reply(reader, right._replace(reply=each))
        for reader, each in zip(readers, (theirs, right.reply), strict=True)
    )
    return ours, wanted


def _compare_left(request: RecordedReply, theirs: Any, right: Any) -> dict[Item, bool]:
    """Compare the arguments as a call left them, or its warnings."""
    if request.kind != messages.CALL_KEEPING_ARGUMENTS or len(theirs) != len(right):
        return {("the warnings",): is_same_reply(theirs, right)}
    words = [
        ARGUMENT if is_same_reply(*pair) else "a changed one" for pair in zip(right, request.arguments, strict=True)
    ]
    pairs = zip(words, theirs, right, strict=True)
    return {(word, k): is_same_reply(ours, wanted) for k, (word, ours, wanted) in enumerate(pairs)}


def split_items(item: Item, theirs: Any, right: Any) -> Iterator[tuple[Item, Any, Any]]:
    """Split two values into the items of the right one; one that the student's lacks is None."""
    if isinstance(right, tuple) and right:
        is_sequence = isinstance(theirs, (tuple, list)) or (isinstance(theirs, np.ndarray) and theirs.ndim > 0)
        is_alike = is_sequence and len(theirs) == len(right)
        for k, each in enumerate(right):
            yield from split_items((*item, k), theirs[k] if is_alike else None, each)
    elif isinstance(right, dict) and right:
        for key, each in right.items():
            yield from split_items((*item, key), theirs.get(key) if isinstance(theirs, dict) else None, each)
    else:
        yield item, theirs, right


def _copy(state: object) -> object:
    try:
        return copy.deepcopy(state)
    except Exception:  # noqa: BLE001  (an object of the assignment that cannot be copied has no properties)
        return None


@dataclass
class _Watched:
    """An object; `calls`: since the test last looked at its state. `is_lost`: its state may be another than ours."""

    before: object = None
    calls: list[Arguments] = field(default_factory=list)
    seen: list[ObservedCall] = field(default_factory=list)
    is_lost: bool = False


class _States:
    """Observes the calls of a method or a constructor by the attributes that a test reads afterwards."""

    def __init__(self, function: str) -> None:
        self._function = function
        self._objects: dict[int, _Watched] = {}
        self._observed: list[ObservedCall] = []

    def add(self, request: Request, readers: Sequence[Reader]) -> None:
        """Add a request about an object, in order."""
        right, owner = request[0], request[0].owner
        assert owner is not None  # noqa: S101  (as the caller made sure)
        watched = self._objects.setdefault(owner.number, _Watched())
        is_made = right.kind != messages.CALL_METHOD and right.name == self._function
        if is_made or (right.kind == messages.CALL_METHOD and right.name == self._function.partition(".")[2]):
            self._add_call(watched, request, readers, () if is_made else (watched.before,))
        elif right.kind == messages.SET:
            self._close(watched)
        elif right.kind == messages.GET:
            self._look(watched, (ATTRIBUTE, right.name), *_read(right, request[1], readers))
        watched.before = owner.state

    def _add_call(self, watched: _Watched, request: Request, readers: Sequence[Reader], before: Arguments) -> None:
        if watched.seen:
            self._close(watched)
        if not watched.is_lost:
            right, theirs = request
            watched.calls.append((*before, *right.arguments))
            replies = _read(right, theirs, readers)
            if isinstance(theirs, Outcome) or not (right.reply is None or holds_handle(right.reply)):
                self._look(watched, (), *replies)
            elif right.kind == messages.CALL_KEEPING_ARGUMENTS and isinstance(right.reply, tuple):
                left = _compare_left(right, cast("Any", theirs)[1], right.reply[1])
                watched.seen.append(ObservedCall((), None, None, left, frozenset()))

    def _look(self, watched: _Watched, item: Item, theirs: object, right: object) -> None:
        if watched.calls:
            is_same = isinstance(right, Handle) or is_same_reply(theirs, right)
            rich = frozenset([item] if is_rich(right) else [])
            watched.seen.append(ObservedCall((), None, None, {item: is_same}, rich))

    def _close(self, watched: _Watched) -> None:
        """Keep what the test saw after the last calls."""
        if watched.calls and watched.seen:
            items = {item: is_right for each in reversed(watched.seen) for item, is_right in each.items.items()}
            rich = frozenset().union(*(each.rich for each in watched.seen))
            self._observed.append(ObservedCall(tuple(watched.calls), None, None, items, rich))
            watched.is_lost = not all(items.values())
        else:
            watched.is_lost = watched.is_lost or bool(watched.calls)
        watched.calls, watched.seen = [], []

    def close_all(self) -> list[ObservedCall]:
        """Return what was observed, in the order in which the test looked."""
        for each in self._objects.values():
            self._close(each)
        return self._observed


def fill_defaults(parameters: Parameters, arguments: Arguments) -> Arguments:
    """Add the default values of the arguments that are left out."""
    left = parameters[len(arguments) :]
    return (*arguments, *(each.default for each in left if each.default is not each.empty))
