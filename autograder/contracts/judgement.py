"""Judgement: turns the replies to a check's programs into the share of its points that is earned, and what is wrong.

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
from autograder.checks.check_failed import CheckFailed, describe_error
from autograder.contracts.case import NOTHING, Case
from autograder.contracts.check import CaseCheck, compute_earned
from autograder.contracts.law import LAW_SHARE, judge_laws
from autograder.contracts.part_comparison import (
    Refused,
    compare_part,
    is_numeric,
    is_right,
    name_neighbours,
)
from autograder.contracts.reply import (
    MISSING,
    find_failure,
    has_failed,
    is_unasked,
    list_changed,
    list_orders,
    name_value,
    read_left,
    require_written,
    split_parts,
)
from autograder.contracts.wording import ARGUMENTS, ORDER, describe_failures
from autograder.programs.outcome import Outcome

WHOLE_ROW = -1  # in place of the number of a case


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
    """Judge the replies to `check.programs`; NotWritten where a stub gave them.

    Laws count beside the cases; where a basic one is broken, nothing is earned.
    """
    judged = _judge_by_rules(check, replies)
    if not check.laws:
        return judged
    of_laws = replies[-len(check.laws) - 1 :]
    found = judge_laws(check.laws, of_laws)
    failure = found.explain_beside(judged.failure) if found.broken else judged.failure
    ended = find_failure([part for reply in of_laws for part in reply])
    if failure is not None and judged.failure is None and ended is not None:
        failure = describe_error(failure.what, ended)
    earned = dict(found.earned)
    for what, share in judged.earned.items():
        earned[what] = share * (1 - LAW_SHARE)
    if found.is_other:
        earned = {}
    return judged._replace(earned=earned, failure=failure)


def _judge_by_rules(check: CaseCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the cases by the order of the returned values that earns most, the written one first."""
    if not check.rules:
        return _judge_cases(check, replies)
    settled = [_settle(check, order, replies) for order in list_orders(check)]
    judged = [_judge_cases(each, replies) for each in settled]
    return max(judged, key=lambda each: each.share)


def _settle(check: CaseCheck, order: Mapping[str, int], replies: Sequence[Any]) -> CaseCheck:
    """Return a check with the right values of parts with a rule, which depend on the replies."""
    settled = []
    for case, reply in zip(check.cases, replies, strict=False):
        found = _apply_rules(check, case, _find_parts(check, case, order, reply))
        settled.append(case._replace(expected={**case.expected, **found}))
    return check._replace(cases=tuple(settled))


def _find_parts(check: CaseCheck, case: Case, order: Mapping[str, int], reply: Any) -> dict[str, Any]:
    """Find the parts that a reply has."""
    parts = split_parts(check, order, case, reply)
    return {part: value for part, value in parts.items() if value is not MISSING}


def _apply_rules(check: CaseCheck, case: Case, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Find the right values of parts with a rule, of those that a reply has."""
    arguments = dict(zip(check.arguments, case.arguments, strict=False))
    rules = {part: rule for part, rule in check.rules.items() if part in parts}
    return {part: rule.find_right(part, case, arguments, parts) for part, rule in rules.items()}


def judge_uses(check: Any, number: int, reply: Any) -> dict[int, Any]:
    """Return what is judged of the dialogues in the reply to a program, by the places of the arguments.

    Where a rule says it in words, that is what is wrong, empty where nothing is; else all questions.
    """
    if not isinstance(check, CaseCheck) or number >= len(check.cases) or not check.uses:
        return {}
    case = check.cases[number]
    if has_failed(case, reply):
        return {}
    heard = read_left(case, reply)
    parts = _find_parts(check, case, check.places, reply)
    found = _apply_rules(check, case, parts)
    judged: dict[int, Any] = {}
    for part, place in check.uses.items():
        right = found.get(part)
        if isinstance(right, Refused):
            judged[place] = right.problem
        else:
            is_accepted = right is parts.get(part)
            judged[place] = "" if is_accepted else heard.get(place)
    return judged


def _judge_cases(check: CaseCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the replies to cases, by the alternative that earns most; NotWritten where a stub gave them."""
    require_written(check, replies)
    found = [_Replies(check, [case.expected for case in check.cases], replies).judge()]
    for words, right in check.alternatives.items():
        if found[0].failure is not None:
            judged = _Replies(check, right, replies).judge()
            found.append(judged._replace(accepted=words) if judged.failure is None else judged)
    return max(found, key=lambda each: each.share)


class _Replies:
    """The replies to one check beside right values of one alternative."""

    def __init__(self, check: CaseCheck, expected: Sequence[Mapping[str, Any]], replies: Sequence[Any]) -> None:
        self.check = check
        self.expected = expected
        self.replies = replies[: len(check.cases)]
        self.unasked = sum(map(is_unasked, self.replies))
        self.broken = list_changed(check, replies)
        self.order = self._choose_order()
        self.got = [split_parts(check, self.order, *each) for each in zip(check.cases, self.replies, strict=True)]

    def judge(self) -> Judgement:
        """Judge the row."""
        check, keeps = self.check, not self.broken
        right = [self._list_right(number) for number in range(len(self.got))]
        is_in_order = not check.order_share or self.order == check.places
        wrong: list[tuple[int, str]] = []
        for number, each in enumerate(right):
            wrong += [(number, part) for part, holds in each.items() if not holds]
        earned = compute_earned(check, right, is_in_order=is_in_order, keeps=keeps)
        if not wrong and keeps and is_in_order:
            return Judgement(earned=earned)
        others = "right in the other cases that were tried" if self.unasked else "right in all other cases"
        kinds = [case.kinds for case in check.cases]
        text = describe_failures(check.parts, kinds, self._drop_unjudged(right), others=others)
        what = "; ".join(filter(None, [text, *self._describe_rest(is_in_order=is_in_order)]))
        failure = self._compare(what, *wrong[0]) if wrong else self._describe_whole(what)
        if not keeps:
            wrong.append((WHOLE_ROW, ARGUMENTS))
        if not is_in_order:
            wrong.append((WHOLE_ROW, ORDER))
        return Judgement(failure, failing=tuple(wrong), places=self.order, earned=earned)

    def _list_right(self, number: int) -> dict[str, bool]:
        """List by part whether it is right in a case; what a reply cannot have is."""
        parts = self.got[number]
        right = dict.fromkeys(self.check.parts, True)
        for part in right.keys() & parts.keys():
            right[part] = self._is_right(number, part, parts[part])
        return right

    def _drop_unjudged(self, right: Sequence[Mapping[str, bool]]) -> list[dict[str, bool]]:
        """Drop the parts that are right or wrong only because they are not looked at, so that no words name them."""
        kept = []
        for case, reply, each in zip(self.check.cases, self.replies, right, strict=True):
            left_out = set(each) if is_unasked(reply) else {part for part in case.unjudged if each[part]}
            kept.append({part: holds for part, holds in each.items() if part not in left_out})
        return kept

    def _is_right(self, number: int, part: str, value: Any) -> bool:
        case = self.check.cases[number]
        right = self.expected[number]
        if part not in right:
            return True
        if part in case.unjudged and not has_failed(case, self.replies[number]):
            return True
        if value is MISSING or isinstance(value, Outcome):
            return False
        return is_right(value, right[part], is_single=case.is_single)

    def _choose_order(self) -> Mapping[str, int]:
        """Choose at which place each part is: as written, or where more parts of the first ordinary case are right."""
        check, orders = self.check, list_orders(self.check)
        written, reply = check.places, self.replies[0]
        parts = split_parts(check, written, check.cases[0], reply)
        if len(orders) == 1 or all(each is MISSING for each in parts.values()):
            return written
        values = check.list_values(reply[: check.cases[0].part_count])
        matches: dict[tuple[str, int], bool] = {}
        for name, place in itertools.product(written, written.values()):
            named = name_value(check, name, values[place])
            matches[name, place] = any(self._is_right(0, *each) for each in named.items())

        def count_right(order: Mapping[str, int]) -> tuple[int, bool]:
            """Count the values that are right at their places; of orders with as many, the written one is more."""
            return sum(matches[pair] for pair in order.items()), order == written

        return max(orders, key=count_right)

    def _describe_rest(self, *, is_in_order: bool) -> Iterator[str]:
        check, broken = self.check, self.broken
        if broken:
            whose = "" if "." in check.function else f"its argument{'s' * (len(broken) > 1)} "
            yield f"{check.function} changes {whose}{', '.join(broken)}"
        if self.unasked:
            yield f"{self.unasked} more case{'s were' if self.unasked > 1 else ' was'} not tried after that"
        if not is_in_order:
            yield f"the values are returned in another order than {', '.join(check.places)}"

    def _describe_whole(self, what: str) -> CheckFailed:
        """Describe what is wrong with a row whose parts are right."""
        if self.broken:
            hint = "Work on a copy, or write the result to a new array or list."
            kept = "the arguments to be left as they were"
            return CheckFailed(what, expected=kept, found="they were changed by the call", hint=hint)
        names = sorted(self.order, key=self.order.__getitem__)
        return CheckFailed(what, expected=", ".join(self.check.places), found=", ".join(names))

    def _compare(self, what: str, number: int, part: str) -> CheckFailed:
        """Compare the first wrong value again, for the words on how it differs."""
        check, value = self.check, self.got[number][part]
        if value is MISSING or isinstance(value, Outcome):
            return self._describe_missing(what, number, value)
        case, right = check.cases[number], self.expected[number][part]
        try:
            names = name_neighbours(case, check.arguments, part, right)
            compare_part(part, value, right, is_single=case.is_single, names=names)
        except CheckFailed as failed:
            return failed.describe_as(what, relation=self._relate(part) or failed.relation)
        raise AssertionError("a part is wrong and passes its comparison")

    def _describe_missing(self, what: str, number: int, value: Any) -> CheckFailed:
        reply = self.replies[number]
        failure = value if isinstance(value, Outcome) else find_failure(reply)
        if failure is not None:
            return describe_error(what, failure)
        try:
            values = self.check.list_values(reply[: self.check.cases[number].part_count])
            for name, keys in self.check.keys.items():
                checks.mapping(name, values[self.order[name]], tuple(keys.values()))
        except CheckFailed as failed:
            return CheckFailed(what, expected=failed.expected, found=failed.found)
        return CheckFailed(what, expected="the key in the argument, as the call leaves it", found="no such key")

    def _relate(self, part: str) -> str:
        """Say how a part differs in all cases at once; empty where that is not clear."""
        if len(self.check.cases) < 2:
            return ""
        compared = []
        for number, case in enumerate(self.check.cases):
            value, right = self.got[number][part], self.expected[number][part]
            if not is_numeric(right) or value is MISSING or isinstance(value, Outcome):
                continue
            each = ComparedCase(
                part,
                value,
                np.asarray(right, dtype=np.float64),
                names=name_neighbours(case, self.check.arguments, part, right),
                single=case.is_single,
                is_wrong=not self._is_right(number, part, value),
            )
            compared.append(each)
        return describe_cases(compared, says_share=False)
