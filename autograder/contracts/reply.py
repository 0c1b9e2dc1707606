"""Reply: turns what came back for a request into the parts of a check by name.

A reply is a value, or the Outcome of a call that gave none. With a value may stand the arguments as the call left them;
of an object it is a dict of what was observed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import is_equal
from autograder.contracts.case import Case
from autograder.contracts.check import CaseCheck
from autograder.contracts.live_argument import STANDING
from autograder.contracts.part_comparison import is_zero
from autograder.contracts.request import BESIDE, Request
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind

MISSING = object()  # a part of a call that gave no value, or a value without such parts
_MOST_ORDERED = 4  # returned parts whose orders are all tried


def list_orders(check: CaseCheck) -> list[dict[str, int]]:
    """List the places at which returned values may stand, the written ones first; of many values, these alone."""
    if len(check.places) > _MOST_ORDERED:
        return [check.places]
    return [dict(zip(check.places, each, strict=True)) for each in itertools.permutations(check.places.values())]


def split_reply(check: CaseCheck, reply: Any) -> tuple[Any, Sequence[Any]]:
    """Return the value in the reply to a case, and the arguments as the call left them; none where none are kept."""
    return reply if check.left and not isinstance(reply, Outcome) else (reply, ())


def split_parts(check: CaseCheck, order: Mapping[str, int], reply: Any) -> dict[str, Any]:
    """Return the parts of a reply by name, of values that stand at these places; none that was not looked at."""
    value, left = split_reply(check, reply)
    parts = dict.fromkeys(check.parts, MISSING)
    if isinstance(value, Outcome):
        return parts
    if check.owner:
        return {part: value[part] for part in check.parts if value is not None and part in value}
    try:
        values = check.list_values(value)
    except CheckFailed:
        return parts
    for name, place in order.items():
        parts |= name_value(check, name, values[place])
    for name, (place, key) in check.left.items():
        argument = left[place] if len(left) > place else None
        parts[name] = argument.get(key) if isinstance(argument, dict) else MISSING if key else argument
    return parts


def name_value(check: CaseCheck, name: str, value: Any) -> dict[str, Any]:
    """Return the parts in a returned value by name: itself, or what stands in a dict."""
    if name not in check.keys:
        return {name: value}
    found = value if isinstance(value, dict) else {}
    return {part: found.get(key, MISSING) for part, key in check.keys[name].items()}


def list_changed(check: CaseCheck, replies: Sequence[Any]) -> list[str]:
    """List what was changed although it must not be: arguments, and what is promised of objects."""
    again = replies[len(check.cases) :]
    kept = [(case, name, reply) for case, reply in zip(check.cases, replies, strict=False) for name in case.promised]
    broken = [name for case, name, reply in kept if not _is_kept(reply, name, case.promised[name])]
    for number, reply in zip(check.promising, again, strict=False):
        request, left = check.cases[number].request, () if isinstance(reply, Outcome) else reply[1]
        assert isinstance(request, Request)  # noqa: S101  (objects promise by name)
        names, given = request.list_given(check.arguments, ""), request.list_given(request.arguments)
        for name, was, now in zip(names, given, left, strict=False):
            broken += [] if not name or isinstance(was, STANDING) or is_equal(was, now) else [name]
    return list(dict.fromkeys(broken))


def _is_kept(reply: Any, name: str, value: Any) -> bool:
    """Tell whether a promise is kept; what cannot be read was not changed."""
    if reply is None or isinstance(reply, Outcome) or isinstance(reply[name], Outcome):
        return True
    pairs = [(reply[name], value)] if name != BESIDE else [(reply[name][each], was) for each, was in value.items()]
    return all(isinstance(now, Outcome) or is_equal(now, was) for now, was in pairs)


def require_written(check: CaseCheck, replies: Sequence[Any]) -> None:
    """Raise NotWritten where a stub gave the replies; CallFailed where none of a method is written."""
    own, of_steps = replies[: len(check.cases)], replies[len(check.cases) :]
    checks.not_written(bool(check.untouched) and _is_untouched(check, own), check.untouched)
    if check.owner and all(isinstance(each, Outcome) and each.kind is OutcomeKind.NOT_WRITTEN for each in own):
        raise CallFailed(own[0])
    for cases, answered in ((check.steps, of_steps), (check.cases, own)):
        method = next((case.steps[-1].method for case in cases if case.steps), "")
        checks.not_written(_are_idle(cases, answered), f"{method} leaves the state as it was")


def _is_untouched(check: CaseCheck, replies: Sequence[Any]) -> bool:
    """Tell whether all values are zeros or empty, and nothing was asked of an object that was given."""
    own = [split_reply(check, each) for each in replies]
    asked = [left[place] for place in check.uses.values() for _, left in own if left]
    return not any(asked) and is_zero([value for value, _ in own])


def _are_idle(cases: Sequence[Case], replies: Sequence[Any]) -> bool:
    """Tell whether no single step changed anything that it should have."""
    pairs = zip(cases, replies, strict=False)
    seen = [(case, reply) for case, reply in pairs if case.before and len(case.steps) == 1]
    return bool(seen) and all(
        isinstance(reply, dict) and all(is_equal(reply.get(part), was) for part, was in case.before.items())
        for case, reply in seen
    )
