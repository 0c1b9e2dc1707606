"""Reply: pairs a case with what came back for its program, and finds the parts of the check in it by name.

A reply is a list with a value, or the Outcome of a step that gave none, for each part that the program returns.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import has_remote, is_equal
from autograder.contracts.case import NOTHING, Case, Named, Replies, Reply
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
        left = self.reply[len(self.reply) - len(self.case.left) :]
        return dict(zip(self.case.left, left, strict=True))

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
        """Whether the program was left out, because one of its group had ended the worker."""
        first = self.reply[0]
        return isinstance(first, Outcome) and first.is_unasked

    def list_values(self) -> Sequence[Any]:
        """List the returned values; CheckFailed where a call returned another number of them."""
        return self.check.list_values(self.returned)

    def find_parts(self, order: Mapping[str, int]) -> CaseReply:
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
        arguments = self.left
        for name, (place, key) in self.check.left.items():
            parts |= _name_left(name, key, self.case.arguments[place], arguments.get(place))
        return self._replace(parts=parts)

    def expect(self, right: Named) -> CaseReply:
        """Return this reply with other right values of its case."""
        return self._replace(case=self.case._replace(expected=right))

    def has_value(self, part: str) -> bool:
        """Return whether the reply has a part, and it is a value."""
        return part in self.parts and is_value(self.parts[part])

    def is_right(self, part: str) -> bool:
        """Return whether a part is right; one that is not looked at is."""
        expected = self.case.expected
        if part not in expected or (part in self.case.unjudged and not self.has_died):
            return True
        if not self.has_value(part):
            return False
        return is_right(self.parts[part], expected[part], is_single=self.case.is_single)


def pair_replies(check: CaseCheck, replies: Replies) -> list[CaseReply]:
    """Pair the cases with their replies."""
    return [CaseReply(check, *each) for each in zip(check.cases, replies, strict=False)]


def list_orders(check: CaseCheck) -> list[dict[str, int]]:
    """List the places at which returned values may stand, the written ones first; of many values, these alone."""
    written = check.places
    if check.cases[0].part_count > 1:
        return [written]
    return [dict(zip(written, order, strict=True)) for order in permute(written.values())]


def permute(items: Iterable[Any]) -> list[tuple[Any, ...]]:
    """List the orders of items, the written one first; of many items, that one alone."""
    written = tuple(items)
    return [written] if len(written) > _MOST_ORDERED else list(itertools.permutations(written))


def name_value(check: CaseCheck, name: str, value: Any) -> dict[str, Any]:
    """Return the parts in a returned value by name: itself, or what is in a dict."""
    if name not in check.keys:
        return {name: value}
    found = value if isinstance(value, dict) else {}
    return {part: found[key] for part, key in check.keys[name].items() if key in found}


def _name_left(name: str, key: str, given: Any, argument: Any) -> dict[str, Any]:
    """Name a key of an argument as it was left, or the questions to a toy, which its own copy confirms."""
    if key:
        return {name: argument.get(key)} if isinstance(argument, dict) else {}
    questions = given.confirm(argument) if isinstance(given, Toy) else None
    return {} if questions is None else {name: questions}


def is_as_before(idle: Sequence[Any], reply: Reply) -> bool:
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
    return next((each for each in reply if isinstance(each, Outcome)), None)


def list_changed(replies: Sequence[CaseReply], numbers: Iterable[int]) -> list[tuple[int, str]]:
    """List the arguments that calls changed, of cases with these numbers; what cannot be read was not changed."""
    changed = []
    for number in numbers:
        check, case, *_ = replies[number]
        for place, now in replies[number].left.items():
            was = case.arguments[place]
            if isinstance(was, STANDING) or isinstance(now, Outcome):
                continue
            if not is_equal(now, was):
                changed.append((number, check.arguments[place]))
    return changed


def are_read(replies: Sequence[CaseReply], numbers: Iterable[int]) -> bool:
    """Return whether the arguments of the cases with these numbers could be read: what nobody saw keeps no promise."""
    left: list[Any] = []
    for number in numbers:
        left += replies[number].left.values()
    return all(map(is_value, left))


def differ_again(replies: Sequence[CaseReply]) -> bool:
    """Return whether two equal programs have different replies: something besides the arguments decides."""
    first: dict[bytes, CaseReply] = {}
    for each in replies:
        before = first.setdefault(pack_records((each.case.program,)), each)
        if before is each or each.is_unasked or before.is_unasked:
            continue
        if any(map(is_other, before.reply, each.reply)):
            return True
    return False


def is_other(first: Any, second: Any) -> bool:
    """Return whether values differ in more than their last digits."""
    if isinstance(first, Outcome) or isinstance(second, Outcome):
        return type(first) is not type(second)
    if has_remote(first) or has_remote(second):  # nothing is known of a student's object
        return False
    return not (is_equal(first, second) or is_right(second, first))


def require_called(replies: Sequence[CaseReply]) -> None:
    """Raise CallFailed where nothing of a case is written."""
    idle = [each for each in replies if each.case.idle]
    failures = [find_failure(each.reply) for each in idle or replies]
    if all(each is not None and each.kind is OutcomeKind.NOT_WRITTEN for each in failures):
        raise CallFailed(failures[0])  # type: ignore[arg-type]


def describe_idle(replies: Sequence[CaseReply]) -> str:
    """Say what shows that a stub may have given the replies; empty where nothing does."""
    check = replies[0].check
    if check.untouched and all(map(_is_untouched, replies)):
        return check.untouched
    idle = [each for each in replies if each.case.idle]
    return f"{check.function} does nothing" if _are_idle(idle) else ""


def _is_untouched(each: CaseReply) -> bool:
    """Return whether all values are zeros or empty, and nothing was asked of an object that was given."""
    for place in each.check.uses.values():
        asked = each.left.get(place, [])
        if not isinstance(asked, list) or asked:  # the worker may say anything in the place of a dialogue
            return False
    return is_zero(each.returned)


def _are_idle(replies: Sequence[CaseReply]) -> bool:
    """Return whether all values are what a method gives that does nothing, as far as they can be read."""
    idle = [each.case.idle for each in replies]
    seen = [each.reply[: len(each.case.idle)] for each in replies]
    is_read = any(map(is_value, itertools.chain.from_iterable(seen)))
    return is_read and all(map(is_as_before, idle, seen))
