"""Reply: turns what came back for a program into the parts of a check by name.

A reply is a list with a value, or the Outcome of a step that gave none, for each part that the program returns.
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
from autograder.contracts.part_comparison import is_zero
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.recipes import STANDING, Toy

MISSING = object()  # a part of a call that gave no value, or a value without such parts
_MOST_ORDERED = 4  # returned parts whose orders are all tried


def list_orders(check: CaseCheck) -> list[dict[str, int]]:
    """List the places at which returned values may stand, the written ones first; of many values, these alone."""
    if len(check.places) > _MOST_ORDERED or check.cases[0].part_count > 1:
        return [check.places]
    return [dict(zip(check.places, each, strict=True)) for each in itertools.permutations(check.places.values())]


def read_left(case: Case, reply: Sequence[Any]) -> dict[int, Any]:
    """Return the arguments as they were left, by their places."""
    return dict(zip(case.left, reply[len(reply) - len(case.left) :], strict=True))


def split_parts(check: CaseCheck, order: Mapping[str, int], case: Case, reply: Sequence[Any]) -> dict[str, Any]:
    """Return the parts of a reply by name, of values that stand at these places; none that was not looked at."""
    parts = dict.fromkeys(check.parts, MISSING)
    if has_failed(case, reply):
        return parts
    try:
        values = check.list_values(reply[: case.part_count])
    except CheckFailed:
        return parts
    for name, place in order.items():
        parts |= name_value(check, name, values[place])
    arguments = read_left(case, reply)
    for name, (place, key) in check.left.items():
        parts[name] = _take_left(case.arguments[place], arguments.get(place), key)
    return parts


def _take_left(given: Any, argument: Any, key: str) -> Any:
    """Take a key of an argument as it was left; the questions to a toy, which its own copy confirms."""
    if key:
        return argument.get(key) if isinstance(argument, dict) else MISSING
    questions = given.confirm(argument) if isinstance(given, Toy) else None
    return MISSING if questions is None else questions


def is_as_before(idle: Sequence[Any], reply: Sequence[Any]) -> bool:
    """Tell whether a reply is that of a method that does nothing, whatever of its object's values it returns.

    `idle`: the parts where it returns None. A part of the reply that cannot be read tells nothing.
    """
    kept = [each for each in idle if each is not None]
    pairs = zip(idle, reply, strict=False)
    return all(
        isinstance(now, Outcome) or is_equal(now, was) or (was is None and any(is_equal(now, each) for each in kept))
        for was, now in pairs
    )


def has_failed(case: Case, reply: Sequence[Any]) -> bool:
    """Tell whether the only part of a program is no value."""
    return case.part_count == 1 and isinstance(reply[0], Outcome)


def is_unasked(reply: Sequence[Any]) -> bool:
    """Tell whether a program was left out, because one of its group had ended the worker."""
    return isinstance(reply[0], Outcome) and reply[0].is_unasked


def find_failure(reply: Sequence[Any]) -> Outcome | None:
    """Find how the first part of a reply that gave no value ended; None where all parts are values."""
    return next((each for each in reply if isinstance(each, Outcome)), None)


def name_value(check: CaseCheck, name: str, value: Any) -> dict[str, Any]:
    """Return the parts in a returned value by name: itself, or what stands in a dict."""
    if name not in check.keys:
        return {name: value}
    found = value if isinstance(value, dict) else {}
    return {part: found.get(key, MISSING) for part, key in check.keys[name].items()}


def list_changed(check: CaseCheck, replies: Sequence[Any]) -> list[str]:
    """List the arguments that were changed although they must not be."""
    broken = []
    for number in check.promising:
        case = check.cases[number]
        for place, now in read_left(case, replies[number]).items():
            was = case.arguments[place]
            if not isinstance(was, STANDING) and not _is_kept(now, was):
                broken.append(check.arguments[place])
    return list(dict.fromkeys(broken))


def _is_kept(now: Any, was: Any) -> bool:
    """Tell whether a value stayed; what cannot be read was not changed."""
    return isinstance(now, Outcome) or is_equal(now, was)


def require_written(check: CaseCheck, replies: Sequence[Any]) -> None:
    """Raise NotWritten where a stub gave the replies; CallFailed where nothing of a case is written."""
    own = replies[: len(check.cases)]
    checks.not_written(bool(check.untouched) and _is_untouched(check, own), check.untouched)
    checks.not_written(_is_idle(check, own), f"{check.function} does nothing")
    shown = [reply for case, reply in zip(check.cases, own, strict=False) if case.idle] or own
    failures = [find_failure(each) for each in shown]
    if all(each is not None and each.kind is OutcomeKind.NOT_WRITTEN for each in failures):
        raise CallFailed(failures[0])  # type: ignore[arg-type]


def _is_untouched(check: CaseCheck, replies: Sequence[Any]) -> bool:
    """Tell whether all values are zeros or empty, and nothing was asked of an object that was given."""
    pairs = list(zip(check.cases, replies, strict=False))
    asked = [read_left(case, reply).get(place) for case, reply in pairs for place in check.uses.values()]
    return not any(asked) and is_zero([reply[: len(reply) - len(case.left)] for case, reply in pairs])


def _is_idle(check: CaseCheck, replies: Sequence[Any]) -> bool:
    """Tell whether all values are those of a method that does nothing, as far as they can be read."""
    pairs = [(case.idle, reply) for case, reply in zip(check.cases, replies, strict=False) if case.idle]
    read = [(idle, reply) for idle, reply in pairs if not all(isinstance(each, Outcome) for each in reply[: len(idle)])]
    return bool(read) and all(is_as_before(idle, reply) for idle, reply in read)
