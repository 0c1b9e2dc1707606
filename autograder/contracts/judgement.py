"""Judgement: turns the replies to a check's programs into the share of its points that is earned, and what is wrong.

It is pure: the same check and replies give the same judgement, whoever gave the replies. A part earns the share of a
group where it is right in all cases of the group, so that more right cases never earn less. Robustness and promises
earn something only where an ordinary case is right.

Where right values depend on what was returned, by the rules of a contract, they are found first. Laws of a random
function are judged in addition to the cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import checks
from autograder.checks.cases import Case as ComparedCase
from autograder.checks.cases import find_relation
from autograder.checks.check_failed import CheckFailed, NotWritten, describe_end, describe_error
from autograder.checks.output_order import choose_places
from autograder.checks.relation import Relation
from autograder.checks.values import is_numeric
from autograder.checks.wording import ARGUMENTS, END, ORDER, describe_failures, join_parts
from autograder.contracts.case import NOTHING, Named, Places, Replies, Shares, Texts
from autograder.contracts.check import CaseCheck, Right, compute_earned
from autograder.contracts.law import LAW_SHARE, LawRun, judge_laws
from autograder.contracts.part_comparison import Refused, compare_part, name_neighbours
from autograder.contracts.reply import (
    CaseReplies,
    CaseReply,
    are_read,
    describe_idle,
    differ_again,
    find_failure,
    list_changed,
    list_orders,
    name_value,
    pair_replies,
    require_called,
)

KEPT = "Look for what your code keeps from call to call, and for random numbers that it draws itself."


class Judgement(NamedTuple):
    """`failure`: what to tell, None where all is right. `earned`: shares of the row's points, by what earned them.

    `accepted`: the words of the alternative that all replies follow. `failing`: the wrong parts, each with the number
    of its case, the one that the failure shows first; the order and changed arguments are parts here. `reshaped`: the
    words on a part that is right but for axes of length 1.
    """

    failure: CheckFailed | None = None
    accepted: str = ""
    failing: tuple[tuple[int, str], ...] = ()
    earned: Shares = NOTHING
    reshaped: str = ""

    @property
    def share(self) -> float:
        """The share of the row's points that is earned, 0 to 1."""
        return 1.0 if self.failure is None else sum(self.earned.values())

    @property
    def wrong_parts(self) -> frozenset[str]:
        """The parts that are wrong in some case."""
        return frozenset(part for _, part in self.failing)

    @property
    def notes(self) -> Texts:
        """What to add to a pass."""
        told = [f"Your values are right for {self.accepted}"] if self.accepted else []
        if self.reshaped:
            told.append(self.reshaped)
        return tuple(f"{each}; that is accepted here." for each in told)


def judge(check: CaseCheck, replies: Replies) -> Judgement:
    """Judge the replies to `check.programs`; NotWritten where a stub gives them."""
    paired = pair_replies(check, replies)
    require_called(paired)
    judged = _judge_by_rules(paired)
    if check.laws:
        of_laws = replies[-len(check.laws) - 1 :]
        judged = _judge_beside_laws(check.laws, of_laws, judged)
    idle = describe_idle(paired)
    if idle:
        raise NotWritten(idle, judged.failure)
    return judged


def _judge_beside_laws(laws: Sequence[LawRun], replies: Replies, judged: Judgement) -> Judgement:
    """Judge laws, which count in addition to the cases; where a basic one is broken, nothing is earned."""
    found = judge_laws(laws, replies)
    failure = found.explain_with(judged.failure) if found.broken else judged.failure
    ended = find_failure([reply[0] for reply in replies])
    if failure is not None and judged.failure is None and ended is not None:
        failure = describe_error(failure.what, ended)
    earned = dict(found.earned)
    for what, share in judged.earned.items():
        earned[what] = share * (1 - LAW_SHARE)
    if found.is_other:
        earned = {}
    return judged._replace(earned=earned, failure=failure)


def _judge_by_rules(replies: CaseReplies) -> Judgement:
    """Judge the cases by the order of the returned values that earns most, the written one first."""
    check = replies[0].check
    if not check.rules:
        return _judge_cases(replies)
    judged = []
    for order in list_orders(check):
        settled = []
        for each in replies:
            found = each.find_parts(order)
            right = {**each.case.expected, **_apply_rules(found)}
            settled.append(found.expect(right))
        judged.append(_judge_cases(settled, order))
    return max(judged, key=lambda each: each.share)


def _apply_rules(each: CaseReply) -> Named:
    """Find the right values of parts with a rule, of those that a reply has."""
    check, case, _, parts = each
    arguments = check.name_arguments(case.arguments)
    found: dict[str, Any] = {}
    for part, rule in check.rules.items():
        if part in parts:
            right = case.expected[part]
            found[part] = rule.find_right(part, right, arguments, parts)
    return found


def judge_uses(check: Any, number: int, reply: Any) -> dict[int, Any]:
    """Return what is judged of the dialogues in the reply to a program, by the places of the arguments.

    Where a rule says it in words, that is what is wrong, empty where nothing is; else all questions.
    """
    if not isinstance(check, CaseCheck) or number >= len(check.cases) or not check.uses:
        return {}
    replied = CaseReply(check, check.cases[number], reply).find_parts(check.places)
    if replied.has_failed:
        return {}
    found = _apply_rules(replied)
    judged: dict[int, Any] = {}
    for part, place in check.uses.items():
        right = found.get(part)
        if isinstance(right, Refused):
            judged[place] = right.problem
        elif right is replied.parts.get(part):
            judged[place] = ""
        else:
            judged[place] = replied.left.get(place)
    return judged


def _judge_cases(replies: CaseReplies, order: Places | None = None) -> Judgement:
    """Judge the replies to cases, by the alternative that earns most; `order`: of the values, where it is settled."""
    judged = _Replies(replies, order).judge()
    if judged.failure is None:
        return judged
    best = judged
    for words, right in replies[0].check.alternatives.items():
        expecting = list(map(CaseReply.expect, replies, right))
        other = _Replies(expecting, order).judge()
        if other.failure is None:
            return other._replace(accepted=words)
        is_mixture = judged.wrong_parts.isdisjoint(other.wrong_parts)
        if is_mixture:
            other = other._replace(failure=_describe_mixture(judged, other, words))
        if other.share > best.share or (is_mixture and other.share == best.share):
            best = other
    return best


def _describe_mixture(judged: Judgement, other: Judgement, words: str) -> CheckFailed:
    """Describe values of which each is right, some as they are asked for and the rest for an alternative."""
    as_asked = join_parts(sorted(other.wrong_parts))
    rest = join_parts(sorted(judged.wrong_parts))
    what = f"{as_asked} right; {rest} right only for {words}"
    return CheckFailed(what, expected="all of them for the same", found="a mixture")


class _Replies:
    """The replies to the cases of one check."""

    def __init__(self, replies: CaseReplies, order: Places | None) -> None:
        check = replies[0].check
        self.check = check
        self.unasked = sum(each.is_unasked for each in replies)
        self.changed = list_changed(replies, check.promising)
        self.order = order or _choose_order(replies[0])
        self.replies = [each.find_parts(self.order) for each in replies]
        self.is_in_order = not check.order_share or self.order == check.places
        self.right: list[Right] = []
        self.wrong: list[tuple[int, str]] = []
        for number, each in enumerate(self.replies):
            holds = {part: each.is_right(part) for part in check.parts}
            self.wrong += [(number, part) for part in check.parts if not holds[part]]
            self.right.append(holds)

    def judge(self) -> Judgement:
        """Judge the row."""
        keeps = not self.changed and are_read(self.replies, self.check.promising)
        earned = compute_earned(self.check, self.right, is_in_order=self.is_in_order, keeps=keeps)
        failing = [*self.wrong]
        for number, _ in self.changed:
            failing.append((number, ARGUMENTS))
        if not self.is_in_order:
            failing.append((0, ORDER))
        if not failing:
            return Judgement(earned=earned, reshaped=next(self._list_reshaped(), ""))
        self.unsteady = differ_again(self.replies)
        what = self._describe()
        failure = self._compare(what) if self.wrong else self._describe_whole(what)
        return Judgement(failure, failing=tuple(failing), earned=earned)

    def _list_reshaped(self) -> Iterator[str]:
        """Say of each part with axes of length 1 that are too many, or left out."""
        for each in self.replies:
            for part, right in each.case.expected.items():
                found = each.parts.get(part)
                if not isinstance(right, np.ndarray) or not isinstance(found, np.ndarray):
                    continue
                if found.ndim != right.ndim:
                    yield f"The number of axes of {part} is {found.ndim}, not {right.ndim}"

    def _describe(self) -> str:
        """Say what is wrong with the row: calls that end without a value, then part by part, and the whole."""
        check = self.check
        judged = list(map(_list_judged, self.replies, self.right))
        kinds: list[Texts] = []
        called: dict[str, None] = {}
        for each in self.replies:
            kinds.append(() if self.unsteady else each.case.kinds)
            end = find_failure(each.reply)
            if end is not None and each.has_died and not each.is_unasked:
                words = describe_end(replace(end, refusal=""))
                called[words] = None
        ends = f"{check.function} {' or '.join(called)}"
        text = describe_failures((END, *self._list_told()), kinds, judged, end=ends)
        said = [text, *self._describe_rest()]
        return "; ".join(filter(None, said))

    def _list_told(self) -> list[str]:
        """List the parts of which words speak: of one that nobody judges where it is wrong, only what is wrong."""
        told = [*self.check.parts]
        wrong = {part for _, part in self.wrong}
        for each in self.replies:
            for part in each.case.unjudged:
                if part in told and part not in wrong and not each.agrees(part):
                    told.remove(part)
        return told

    def _describe_rest(self) -> Iterator[str]:
        check = self.check
        changed = dict.fromkeys(name for _, name in self.changed)
        if changed:
            arguments = "its arguments " if len(changed) > 1 else "its argument "
            whose = "" if "." in check.function else arguments
            yield f"{check.function} changes {whose}{', '.join(changed)}"
        if self.unsteady:
            yield "two calls with the same arguments give different values"
        if self.unasked:
            yield f"{self.unasked} more case{'s were' if self.unasked > 1 else ' was'} not tried after that"
        if not self.is_in_order:
            yield f"the values are returned in another order than {', '.join(check.places)}"

    def _describe_whole(self, what: str) -> CheckFailed:
        """Describe what is wrong with a row whose parts are right."""
        if self.changed:
            hint = "Work on a copy, or write the result to a new array or list."
            kept = "unchanged arguments"
            return CheckFailed(what, expected=kept, found="they were changed by the call", hint=hint)
        names = sorted(self.order, key=self.order.__getitem__)
        written = ", ".join(self.check.places)
        return CheckFailed(what, expected=written, found=", ".join(names))

    def _compare(self, what: str) -> CheckFailed:
        """Compare the first wrong value again, for the words on how it differs."""
        number, part = self.wrong[0]
        each = self.replies[number]
        case = each.case
        if not each.has_value(part):
            return self._describe_missing(what, each, part)
        try:
            compare_part(part, each.parts[part], case.expected[part], is_single=case.is_single)
        except CheckFailed as failed:
            if not self.unsteady:
                relation = self._relate(part)
                return failed.describe_as(what, relation=relation)
            failed = failed.describe_as(what, relation=None)
            return failed.copy_with(hint=failed.hint or KEPT)
        raise AssertionError("a part is wrong and passes its comparison")

    def _describe_missing(self, what: str, each: CaseReply, part: str) -> CheckFailed:
        failure = each.parts.get(part) or find_failure(each.reply)
        if failure is not None:
            return describe_error(what, failure)
        try:
            values = each.list_values()
            for name, keys in self.check.keys.items():
                value = values[self.order[name]]
                checks.mapping(name, value, list(keys.values()))
        except CheckFailed as failed:
            return CheckFailed(what, expected=failed.expected, found=failed.found)
        return CheckFailed(what, expected="the key in the argument after the call", found="no such key")

    def _relate(self, part: str) -> Relation | None:
        """Find how a part differs in all cases in which it is wrong; None where that is not clear."""
        compared = []
        for each, holds in zip(self.replies, self.right, strict=True):
            if holds[part] or not each.has_value(part):
                continue
            case = each.case
            right = case.expected[part]
            if is_numeric(right):
                right = np.asarray(right, dtype=np.float64)
            given = self.check.name_arguments(case.arguments)
            names = name_neighbours(case, given, part, right)
            compared.append(ComparedCase(part, each.parts[part], right, names=names, single=case.is_single))
        return find_relation(compared)


def _list_judged(each: CaseReply, right: Right) -> Right:
    """List the parts of a case of which words speak: not of those that are right only because nobody looked."""
    if each.is_unasked:
        return {}
    seen = dict(right)
    for part in each.case.unjudged:
        if seen.get(part):
            del seen[part]
    if not seen:
        return {}
    if each.has_died:
        return {END: False}
    return {END: True, **seen}


def _choose_order(first: CaseReply) -> Places:
    """Choose at which place each part is, by the first ordinary case."""
    check = first.check
    written = check.places
    if len(list_orders(check)) == 1 or not first.find_parts(written).parts:
        return written
    values = first.list_values()

    def is_right_at(name: str, place: int) -> bool:
        """Return whether a value is right where it stands at a place."""
        parts = name_value(check, name, values[place])
        moved = first._replace(parts=parts)
        return any(map(moved.is_right, check.keys.get(name, [name])))

    return choose_places(written, is_right_at)
