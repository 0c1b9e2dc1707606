"""Judgement: turns the replies to a check's requests into the share of its points that is earned, and what is wrong.

It is pure: the same check and replies give the same judgement, whoever gave the replies. A part earns the share of a
group where it is right in all cases of the group, so that more right cases never earn less. Robustness and promises
earn something only where an ordinary case is right.

Where right values depend on what was returned, by the rules of a contract, they are found first. Laws of a random
function are judged beside the cases.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import checks
from autograder.checks.cases import Case as ComparedCase
from autograder.checks.cases import describe_cases
from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import is_equal
from autograder.contracts.case import NOTHING, Case
from autograder.contracts.check import CaseCheck, compute_earned
from autograder.contracts.live_argument import STANDING
from autograder.contracts.part_comparison import (
    PREDICATE,
    Refused,
    compare_part,
    describe_error,
    is_numeric,
    is_right,
    is_zero,
    name_neighbours,
)
from autograder.contracts.wording import ARGUMENTS, ORDER, describe_failures, name_wrong_parts
from autograder.sandbox.protocol.outcome import Outcome

_MOST_ORDERED = 4  # returned parts whose orders are all tried
_Parts = Sequence[Mapping[str, Any]]  # of each case, by name
WHOLE_ROW = -1  # in place of the number of a case
_MISSING = object()  # a part of a call that gave no value, or a value without such parts


class Judgement(NamedTuple):
    """`failure`: what to tell, None where all is right. `earned`: shares of the row's points, by what earned them.

    `accepted`: the words of the alternative that all replies follow. `failing`: the wrong parts, each with the number
    of its case, the one that the failure shows first; order and arguments of the whole row with WHOLE_ROW. `places`: of
    the returned parts, as the replies have them.
    """

    failure: CheckFailed | None = None
    accepted: str = ""
    failing: tuple[tuple[int, str], ...] = ()
    places: Mapping[str, int] = NOTHING
    earned: Mapping[str, float] = NOTHING

    @property
    def share(self) -> float:
        """The share of the row's points that is earned, 0 to 1."""
        return 1.0 if self.failure is None else sum(self.earned.values())


def judge(check: CaseCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the replies to `check.requests`; NotWritten where a stub gave them.

    Laws count beside the cases; where a basic one is broken, nothing is earned.
    """
    count = len(check.cases) + len(check.promising)
    judged = _judge_by_rules(check, replies[:count])
    if check.laws is None:
        return judged
    found = check.laws.judge(replies[count:])
    failure = found.explain_beside(judged.failure) if found.broken else judged.failure
    earned = {what: share * (1 - check.laws.share) for what, share in judged.earned.items()} | dict(found.earned)
    return judged._replace(earned={} if found.is_other else earned, failure=failure)


def _judge_by_rules(check: CaseCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the cases by the order of the returned values that earns most, the written one first."""
    orders = _list_orders(check) if check.rules else ()
    judged = [_judge_cases(_settle(check, order, replies), replies) for order in orders]
    return max(judged or [_judge_cases(check, replies)], key=lambda each: each.share)


def _settle(check: CaseCheck, order: Mapping[str, int], replies: Sequence[Any]) -> CaseCheck:
    """Return a check with the right values of parts with a rule, which depend on the replies."""
    pairs = zip(check.cases, replies, strict=False)
    right = ((case, _apply_rules(check, case, order, reply)) for case, reply in pairs)
    return check._replace(cases=tuple(case._replace(expected={**case.expected, **found}) for case, found in right))


def _apply_rules(check: CaseCheck, case: Case, order: Mapping[str, int], reply: Any) -> dict[str, Any]:
    parts = {part: value for part, value in _split(check, order, reply).items() if value is not _MISSING}
    arguments = dict(zip(check.arguments, case.arguments, strict=False))
    return {part: rule.find_right(part, case, arguments, parts) for part, rule in check.rules.items() if part in parts}


def judge_uses(check: Any, number: int, reply: Any) -> tuple[tuple[int, Any], ...]:
    """Return what is judged of the dialogues in the reply to a request, each with the place of its argument.

    Of a dialogue with a predicate that is what is wrong in words, empty where nothing is; of others all questions.
    """
    if not isinstance(check, CaseCheck) or number >= len(check.cases) or isinstance(reply, Outcome) or not check.uses:
        return ()
    found = _apply_rules(check, check.cases[number], check.places, reply)
    refused = {part: each.problem for part, each in found.items() if isinstance(each, Refused)}
    has_words = {part for part, rule in check.rules.items() if rule.form == PREDICATE}
    return tuple(
        (place, refused.get(part, "") if part in has_words else reply[1][place]) for part, place in check.uses.items()
    )


def _judge_cases(check: CaseCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the replies to cases, by the alternative that earns most; NotWritten where a stub gave them."""
    checks.not_written(bool(check.untouched) and _is_untouched(check, replies), check.untouched)
    found = [_Replies(check, [case.expected for case in check.cases], replies).judge()]
    for words, right in check.alternatives.items():
        if found[0].failure is not None:
            judged = _Replies(check, right, replies).judge()
            found.append(judged._replace(accepted=words) if judged.failure is None else judged)
    return max(found, key=lambda each: each.share)


def _list_orders(check: CaseCheck) -> list[dict[str, int]]:
    """List the places at which returned values may stand, the written ones first; of many values, these alone."""
    if len(check.places) > _MOST_ORDERED:
        return [check.places]
    return [dict(zip(check.places, each, strict=True)) for each in itertools.permutations(check.places.values())]


def _split(check: CaseCheck, order: Mapping[str, int], reply: Any) -> dict[str, Any]:
    """Return the parts of a reply by name, of values that stand at these places."""
    value, left = _split_reply(reply, keeps=bool(check.left))
    parts = dict.fromkeys(check.parts, _MISSING)
    if isinstance(value, Outcome):
        return parts
    try:
        values = check.list_values(value)
    except CheckFailed:
        return parts
    for name, place in order.items():
        parts |= _name_value(check, name, values[place])
    for name, (place, key) in check.left.items():
        argument = left[place] if len(left) > place else None
        parts[name] = argument.get(key) if isinstance(argument, dict) else _MISSING if key else argument
    return parts


def _name_value(check: CaseCheck, name: str, value: Any) -> dict[str, Any]:
    """Return the parts in a returned value by name: itself, or what stands in a dict."""
    if name not in check.keys:
        return {name: value}
    found = value if isinstance(value, dict) else {}
    return {part: found.get(key, _MISSING) for part, key in check.keys[name].items()}


class _Replies:
    """The replies to one check beside right values of one alternative."""

    def __init__(self, check: CaseCheck, expected: Sequence[Mapping[str, Any]], replies: Sequence[Any]) -> None:
        self.check = check
        self.expected = expected
        self.replies, promised = replies[: len(check.cases)], replies[len(check.cases) :]
        self.promised = [_split_reply(each, keeps=True)[1] for each in promised]
        self.order = self._choose_order()

    def judge(self) -> Judgement:
        """Judge the row."""
        check, got = self.check, [_split(self.check, self.order, each) for each in self.replies]
        right = [
            {part: self._is_right(number, part, value) for part, value in parts.items()}
            for number, parts in enumerate(got)
        ]
        changed = self._list_changed()
        is_in_order = not check.order_share or self.order == check.places
        wrong = [(number, part) for number, each in enumerate(right) for part, holds in each.items() if not holds]
        earned = compute_earned(check, right, is_in_order=is_in_order, keeps=not changed)
        if not wrong and not changed and is_in_order:
            return Judgement(earned=earned)
        text = describe_failures(check.parts, [case.kinds for case in check.cases], self._drop_unjudged(right))
        what = "; ".join(filter(None, [text, *self._describe_rest(changed, is_in_order=is_in_order)]))
        failure = self._compare(what, *wrong[0], got) if wrong else self._describe_whole(what, changed)
        failure.parts = name_wrong_parts(check.cases, right, keeps=not changed, is_in_order=is_in_order)
        failing = (*wrong, *[(WHOLE_ROW, ARGUMENTS)] * bool(changed), *[(WHOLE_ROW, ORDER)] * (not is_in_order))
        return Judgement(failure, failing=failing, places=self.order, earned=earned)

    def _drop_unjudged(self, right: Sequence[Mapping[str, bool]]) -> list[dict[str, bool]]:
        """Drop the parts that are right only because they are not looked at, so that no words call them right."""
        pairs = zip(self.check.cases, right, strict=True)
        return [
            {part: holds for part, holds in each.items() if not holds or part not in case.unjudged}
            for case, each in pairs
        ]

    def _is_right(self, number: int, part: str, value: Any) -> bool:
        case = self.check.cases[number]
        if part in case.unjudged and not isinstance(self.replies[number], Outcome):
            return True
        return value is not _MISSING and is_right(value, self.expected[number][part], is_single=case.is_single)

    def _choose_order(self) -> Mapping[str, int]:
        """Choose at which place each part is: as written, or where more parts of the first ordinary case are right."""
        check, orders = self.check, _list_orders(self.check)
        written = check.places
        if len(orders) == 1 or all(each is _MISSING for each in _split(check, written, self.replies[0]).values()):
            return written
        values = check.list_values(_split_reply(self.replies[0], keeps=bool(check.left))[0])
        matches = {
            (name, place): any(self._is_right(0, *each) for each in _name_value(check, name, values[place]).items())
            for name in written
            for place in written.values()
        }
        return max(orders, key=lambda order: (sum(matches[pair] for pair in order.items()), order == written))

    def _list_changed(self) -> list[str]:
        """List the arguments that a call changed although it must not."""
        changed: dict[str, None] = {}
        for number, left in zip(self.check.promising, self.promised, strict=True):
            before = self.check.cases[number].arguments
            for name, was, now in zip(self.check.arguments, before, left, strict=False):
                changed |= {} if isinstance(was, STANDING) or is_equal(was, now) else {name: None}
        return list(changed)

    def _describe_rest(self, changed: Sequence[str], *, is_in_order: bool) -> Iterator[str]:
        if changed:
            yield f"{self.check.function} changes its argument{'s' * (len(changed) > 1)} {', '.join(changed)}"
        if not is_in_order:
            yield f"the values are returned in another order than {', '.join(self.check.places)}"

    def _describe_whole(self, what: str, changed: Sequence[str]) -> CheckFailed:
        """Describe what is wrong with a row whose parts are right."""
        if changed:
            hint = "Work on a copy, or write the result to a new array or list."
            kept = "the arguments to be left as they were"
            return CheckFailed(what, expected=kept, found="they were changed by the call", hint=hint)
        names = sorted(self.order, key=self.order.__getitem__)
        return CheckFailed(what, expected=", ".join(self.check.places), found=", ".join(names))

    def _compare(self, what: str, number: int, part: str, got: _Parts) -> CheckFailed:
        """Compare the first wrong value again, for the words on how it differs."""
        case, value = self.check.cases[number], got[number][part]
        if value is _MISSING:
            return self._describe_missing(what, number)
        right = self.expected[number][part]
        names = name_neighbours(case, self.check.arguments, part, right)
        try:
            compare_part(part, value, right, is_single=case.is_single, names=names)
        except CheckFailed as failed:
            return failed.describe_as(what, relation=self._relate(part, got) or failed.relation)
        raise AssertionError("a part is wrong and passes its comparison")

    def _describe_missing(self, what: str, number: int) -> CheckFailed:
        value, _ = _split_reply(self.replies[number], keeps=bool(self.check.left))
        if isinstance(value, Outcome):
            return describe_error(what, value)
        try:
            values = self.check.list_values(value)
            for name, keys in self.check.keys.items():
                checks.mapping(name, values[self.order[name]], tuple(keys.values()))
        except CheckFailed as failed:
            return CheckFailed(what, expected=failed.expected, found=failed.found)
        return CheckFailed(what, expected="the key in the argument, as the call leaves it", found="no such key")

    def _relate(self, part: str, got: _Parts) -> str:
        """Say how a part differs in all cases at once; empty where that is not clear."""
        if len(self.check.cases) < 2:
            return ""
        compared = [
            ComparedCase(
                part,
                parts[part],
                np.asarray(right[part], dtype=np.float64),
                names=name_neighbours(case, self.check.arguments, part, right[part]),
                single=case.is_single,
                is_wrong=not self._is_right(number, part, parts[part]),
            )
            for number, (case, right, parts) in enumerate(zip(self.check.cases, self.expected, got, strict=True))
            if is_numeric(right[part]) and parts[part] is not _MISSING
        ]
        return describe_cases(compared, says_share=False)


def _is_untouched(check: CaseCheck, replies: Sequence[Any]) -> bool:
    """Tell whether all values are zeros or empty, and nothing was asked of an object that was given."""
    own = [_split_reply(each, keeps=bool(check.left)) for each in replies[: len(check.cases)]]
    asked = [left[place] for place in check.uses.values() for _, left in own if left]
    return not any(asked) and is_zero([value for value, _ in own])


def _split_reply(reply: Any, *, keeps: bool) -> tuple[Any, Sequence[Any]]:
    """Return the value of a reply, and the arguments as the call left them; none where it does not keep them."""
    return reply if keeps and not isinstance(reply, Outcome) else (reply, ())
