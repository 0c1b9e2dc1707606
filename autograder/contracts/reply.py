"""Reply: pairs a case with what came back for its program, and finds the parts of the check in it by name.

A reply is a list with a value, or the Outcome of a step that gave none, for each part that the program returns.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import has_remote, is_equal
from autograder.contracts.case import NOTHING, Case, Named, Places, Replies, Reply
from autograder.contracts.check import CaseCheck
from autograder.contracts.part_comparison import is_right, is_zero
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.recipes import STANDING, Toy
from autograder.sandbox.protocol.trusted_form import pack_records

_MOST_ORDERED = 4  # returned parts whose orders are all tried


class CaseReply(NamedTuple):
    """The reply to the program of a case. `parts`: by name, those that it has, where they are looked for already."""

    check: CaseCheck
    case: Case
    reply: Reply
    parts: Named = NOTHING

    @property
    def left(self) -> dict[int, Any]:
        """The arguments as they were left, by their places."""
        places = self.case.left
        start = len(self.reply) - len(places)
        return dict(zip(places, self.reply[start:], strict=True))

    @property
    def returned(self) -> Reply:
        """The parts before them."""
        return self.reply[: self.case.part_count]

    @property
    def has_failed(self) -> bool:
        """Whether the only part of the program is no value."""
        return self.case.part_count == 1 and self.has_died

    @property
    def has_died(self) -> bool:
        """Whether no returned part is a value."""
        return not any(map(is_value, self.returned))

    @property
    def is_unasked(self) -> bool:
        """Whether the program was left out, because earlier ones had ended their workers."""
        first = self.reply[0]
        return isinstance(first, Outcome) and first.is_unasked

    def list_values(self) -> Reply:
        """List the returned values; CheckFailed where a call returned another number of them."""
        return self.check.list_values(self.returned)

    def find_parts(self, order: Places) -> CaseReply:
        """Return this reply with its parts, of values that stand at these places."""
        if self.has_failed:
            return self
        try:
            values = self.list_values()
        except CheckFailed:
            return self
        parts: dict[str, Any] = {}
        for name, place in order.items():
            parts |= name_value(self.check, name, values[place])
        left = self.left
        for name, (place, key) in self.check.left.items():
            given = self.case.arguments[place]
            parts |= _name_left(name, key, given, left.get(place))
        return self._replace(parts=parts)

    def expect(self, right: Named) -> CaseReply:
        """Return this reply with other right values of its case."""
        case = self.case._replace(expected=right)
        return self._replace(case=case)

    def has_value(self, part: str) -> bool:
        """Return whether the reply has a part, and it is a value."""
        return part in self.parts and is_value(self.parts[part])

    def is_right(self, part: str) -> bool:
        """Return whether a part is right; one that is not looked at is."""
        if part in self.case.unjudged and not self.has_died:
            return True
        return self.agrees(part)

    def agrees(self, part: str) -> bool:
        """Return whether a part has its right value, if the case has one."""
        case = self.case
        if part not in case.expected:
            return True
        if not self.has_value(part):
            return False
        return is_right(self.parts[part], case.expected[part], is_single=case.is_single)


CaseReplies = Sequence[CaseReply]


def pair_replies(check: CaseCheck, replies: Replies) -> list[CaseReply]:
    """Pair the cases with their replies."""
    pairs = zip(check.cases, replies, strict=False)
    return [CaseReply(check, case, reply) for case, reply in pairs]


def list_orders(check: CaseCheck) -> list[Places]:
    """List the places at which returned values may stand, the written ones first; of many values, these alone."""
    written = check.places
    if check.cases[0].part_count > 1:
        return [written]
    orders = permute(written.values())
    return [dict(zip(written, order, strict=True)) for order in orders]


def permute(items: Iterable[Any]) -> list[tuple[Any, ...]]:
    """List the orders of items, the written one first; of many items, that one alone."""
    written = tuple(items)
    if len(written) > _MOST_ORDERED:
        return [written]
    return list(itertools.permutations(written))


def name_value(check: CaseCheck, name: str, value: Any) -> Named:
    """Return the parts in a returned value by name: itself, or what is in a dict."""
    if name not in check.keys:
        return {name: value}
    if not isinstance(value, dict):
        return {}
    keys = check.keys[name]
    return {part: value[key] for part, key in keys.items() if key in value}


def _name_left(name: str, key: str, given: Any, argument: Any) -> Named:
    """Name a key of an argument as it was left, or the questions to a toy, which its own copy confirms."""
    if key and isinstance(argument, dict):
        return {name: argument.get(key)}
    if not key and isinstance(given, Toy):
        questions = given.confirm(argument)
        if questions is not None:
            return {name: questions}
    return {}


def is_as_before(idle: Reply, reply: Reply) -> bool:
    """Return whether a reply is what a method gives that does nothing, whatever of its object's values it returns.

    `idle`: the parts where it returns None. A part of the reply that cannot be read shows nothing.
    """
    for was, now in zip(idle, reply, strict=False):
        values = idle if was is None else [was]
        if is_value(now) and not any(is_equal(now, each) for each in values):
            return False
    return True


def is_value(part: Any) -> bool:
    """Return whether a part of a reply is a value, and not how a step ended that gave none."""
    return not isinstance(part, Outcome)


def find_failure(reply: Reply) -> Outcome | None:
    """Find how the first part of a reply that gave no value ended; None where all parts are values."""
    for part in reply:
        if isinstance(part, Outcome):
            return part
    return None


def list_changed(replies: CaseReplies, numbers: Iterable[int]) -> list[tuple[int, str]]:
    """List the arguments that calls changed, of cases with these numbers; what cannot be read was not changed."""
    changed = []
    for number in numbers:
        replied = replies[number]
        for place, now in replied.left.items():
            was = replied.case.arguments[place]
            if isinstance(was, STANDING) or isinstance(now, Outcome):
                continue
            if not is_equal(now, was):
                name = replied.check.arguments[place]
                changed.append((number, name))
    return changed


def are_read(replies: CaseReplies, numbers: Iterable[int]) -> bool:
    """Return whether the arguments of the cases with these numbers could be read: what nobody saw keeps no promise."""
    left: list[Any] = []
    for number in numbers:
        left += replies[number].left.values()
    return all(map(is_value, left))


def differ_again(replies: CaseReplies) -> bool:
    """Return whether two equal programs have different replies: something besides the arguments decides."""
    first: dict[bytes, CaseReply] = {}
    for each in replies:
        program = pack_records((each.case.program,))
        before = first.setdefault(program, each)
        if each.is_unasked or before.is_unasked:
            continue
        if before is not each and any(map(is_other, before.reply, each.reply)):
            return True
    return False


def is_other(first: Any, second: Any) -> bool:
    """Return whether values differ in more than their last digits."""
    if isinstance(first, Outcome) or isinstance(second, Outcome):
        return type(first) is not type(second)
    if has_remote(first) or has_remote(second):  # nothing is known of a student's object
        return False
    is_same = is_equal(first, second) or is_right(second, first)
    return not is_same


def require_called(replies: CaseReplies) -> None:
    """Raise CallFailed where nothing of a case is written."""
    first = None
    idle = [each for each in replies if each.case.idle]
    for each in idle or replies:
        failure = find_failure(each.reply)
        if failure is None or failure.kind is not OutcomeKind.NOT_WRITTEN:
            return
        first = first or failure
    if first is not None:
        raise CallFailed(first)


def describe_idle(replies: CaseReplies) -> str:
    """Say what shows that a stub may have given the replies; empty where nothing does."""
    check = replies[0].check
    if check.untouched and all(map(_is_untouched, replies)):
        return check.untouched
    if _are_idle(replies):
        return f"{check.function} does nothing"
    return ""


def _is_untouched(each: CaseReply) -> bool:
    """Return whether all values are zeros or empty, and nothing was asked of an object that was given."""
    for place in each.check.uses.values():
        asked = each.left.get(place, [])
        if not isinstance(asked, list) or asked:  # the worker may say anything in the place of a dialogue
            return False
    return is_zero(each.returned)


def _are_idle(replies: CaseReplies) -> bool:
    """Return whether all values are what a method gives that does nothing, as far as they can be read."""
    is_read = False
    for each in replies:
        idle = each.case.idle
        seen = each.reply[: len(idle)]
        is_read |= any(map(is_value, seen))
        if not is_as_before(idle, seen):
            return False
    return is_read
