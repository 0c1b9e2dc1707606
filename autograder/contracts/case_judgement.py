"""Case judgement: turns the replies to the cases of a check into the share that is earned, and what is wrong.

It is pure: the same check and replies give the same judgement, whoever gave the replies. A part earns the share of a
group where it is right in all cases of the group, so that more right cases never earn less. Robustness and promises
earn something only where an ordinary case is right.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import checks
from autograder.checks.array_pair import Names
from autograder.checks.cases import Case as ComparedCase
from autograder.checks.cases import describe_cases
from autograder.checks.check_failed import CheckFailed
from autograder.checks.values import is_equal
from autograder.contracts.case import NOTHING, Case
from autograder.contracts.check import CaseCheck, compute_earned
from autograder.contracts.live_argument import STANDING
from autograder.contracts.part_comparison import compare_part, is_numeric, is_right, is_zero
from autograder.contracts.wording import ARGUMENTS, ORDER, describe_failures, name_wrong_parts
from autograder.sandbox.protocol.outcome import Outcome

_MOST_ORDERED = 4  # returned parts whose orders are all tried
_Parts = Sequence[Mapping[str, Any]]  # of each case, by name
WHOLE_ROW = -1  # in place of the number of a case
_MISSING = object()  # a part of a call that gave no value, or a value without such parts


class Judgement(NamedTuple):
    """`share`: of the row's points, 0 to 1. `failure`: what to tell, None where all is right.

    `accepted`: the words of the alternative that all replies follow. `failing`: the wrong parts, each with the number
    of its case, the one that the failure shows first; order and arguments of the whole row with WHOLE_ROW. `places`: of
    the returned parts, as the replies have them. `earned`: the share, by what earned it.
    """

    share: float
    failure: CheckFailed | None = None
    accepted: str = ""
    failing: tuple[tuple[int, str], ...] = ()
    places: Mapping[str, int] = NOTHING
    earned: Mapping[str, float] = NOTHING


def judge_cases(check: CaseCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the replies to cases, by the alternative that earns most; NotWritten where a stub gave them."""
    checks.not_written(bool(check.untouched) and _is_untouched(check, replies), check.untouched)
    found = [_Replies(check, [case.expected for case in check.cases], replies).judge()]
    for words, right in check.alternatives.items():
        if found[0].failure is not None:
            judged = _Replies(check, right, replies).judge()
            found.append(judged._replace(accepted=words) if judged.failure is None else judged)
    return max(found, key=lambda each: each.share)


def list_orders(places: tuple[int, ...]) -> list[tuple[int, ...]]:
    """List the orders in which returned parts may stand, the written one first; of many parts, that one alone."""
    return list(itertools.permutations(places)) if len(places) <= _MOST_ORDERED else [places]


class _Replies:
    """The replies to one check beside right values of one alternative."""

    def __init__(self, check: CaseCheck, expected: Sequence[Mapping[str, Any]], replies: Sequence[Any]) -> None:
        self.check = check
        self.expected = expected
        own, promised = replies[: len(check.cases)], replies[len(check.cases) :]
        self.replies = [_split_reply(each, keeps=bool(check.left)) for each in own]
        self.promised = [_split_reply(each, keeps=True)[1] for each in promised]
        self.order = self._choose_order()

    def judge(self) -> Judgement:
        """Judge the row."""
        check, got = self.check, [self._split(number, self.order) for number in range(len(self.replies))]
        right = [
            {part: self._is_right(number, part, value) for part, value in parts.items()}
            for number, parts in enumerate(got)
        ]
        changed = self._list_changed()
        is_in_order = not check.order_share or self.order == check.places
        wrong = [(number, part) for number, each in enumerate(right) for part, holds in each.items() if not holds]
        if not wrong and not changed and is_in_order:
            return Judgement(1.0)
        earned = compute_earned(check, right, is_in_order=is_in_order, keeps=not changed)
        text = describe_failures(check.parts, [case.kinds for case in check.cases], right)
        what = "; ".join(filter(None, [text, *self._describe_rest(changed, is_in_order=is_in_order)]))
        failure = self._compare(what, *wrong[0], got) if wrong else self._describe_whole(what, changed)
        failure.parts = name_wrong_parts(check.cases, right, keeps=not changed, is_in_order=is_in_order)
        failing = (*wrong, *[(WHOLE_ROW, ARGUMENTS)] * bool(changed), *[(WHOLE_ROW, ORDER)] * (not is_in_order))
        places = dict(zip(check.returned_parts, self.order, strict=True))
        return Judgement(sum(earned.values()), failure, failing=failing, places=places, earned=earned)

    def _is_right(self, number: int, part: str, value: Any) -> bool:
        case = self.check.cases[number]
        if part in case.unjudged and not isinstance(self.replies[number][0], Outcome):
            return True
        return value is not _MISSING and is_right(value, self.expected[number][part], is_single=case.is_single)

    def _choose_order(self) -> tuple[int, ...]:
        """Choose at which place each part is: as written, or where more parts of the first ordinary case are right."""
        written, names = self.check.places, self.check.returned_parts
        orders = list_orders(written)
        if len(orders) == 1 or all(value is _MISSING for value in self._split(0, written).values()):
            return written
        values = self._count_parts(self.replies[0][0])
        matches = {
            (name, place): any(self._is_right(0, *each) for each in self._name_value(name, values[place]).items())
            for name in names
            for place in written
        }
        return max(
            orders,
            key=lambda order: (sum(matches[pair] for pair in zip(names, order, strict=True)), order == written),
        )

    def _split(self, number: int, order: Sequence[int]) -> dict[str, Any]:
        """Return the parts of a reply by name."""
        value, left = self.replies[number]
        parts = dict.fromkeys(self.check.parts, _MISSING)
        if isinstance(value, Outcome):
            return parts
        try:
            values = self._count_parts(value)
        except CheckFailed:
            return parts
        for name, place in zip(self.check.returned_parts, order, strict=True):
            parts |= self._name_value(name, values[place])
        for name, (place, key) in self.check.left.items():
            argument = left[place] if len(left) > place else None
            parts[name] = argument.get(key) if isinstance(argument, dict) else _MISSING if key else argument
        return parts

    def _name_value(self, name: str, value: Any) -> dict[str, Any]:
        """Return the parts in a returned value by name: itself, or what stands in a dict."""
        if name not in self.check.keys:
            return {name: value}
        found = value if isinstance(value, dict) else {}
        return {part: found.get(key, _MISSING) for part, key in self.check.keys[name].items()}

    def _count_parts(self, value: Any) -> Sequence[Any]:
        if self.check.value_count == 1:
            return [value]
        names = [f"value {place + 1}" for place in range(self.check.value_count)]
        for name, place in zip(self.check.returned_parts, self.check.places, strict=True):
            names[place] = name
        return checks.parts(self.check.function, value, names)

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
            yield f"the values are returned in another order than {', '.join(self.check.returned_parts)}"

    def _describe_whole(self, what: str, changed: Sequence[str]) -> CheckFailed:
        """Describe what is wrong with a row whose parts are right."""
        if changed:
            hint = "Work on a copy, or write the result to a new array or list."
            kept = "the arguments to be left as they were"
            return CheckFailed(what, expected=kept, found="they were changed by the call", hint=hint)
        names = dict(sorted(zip(self.order, self.check.returned_parts, strict=True)))
        return CheckFailed(what, expected=", ".join(self.check.returned_parts), found=", ".join(names.values()))

    def _compare(self, what: str, number: int, part: str, got: _Parts) -> CheckFailed:
        """Compare the first wrong value again, for the words on how it differs."""
        case, value = self.check.cases[number], got[number][part]
        if value is _MISSING:
            return self._describe_missing(what, number)
        right = self.expected[number][part]
        names = name_neighbours(self.check, case, part, right)
        try:
            compare_part(part, value, right, is_single=case.is_single, names=names)
        except CheckFailed as failed:
            return failed.describe_as(what, relation=self._relate(part, got) or failed.relation)
        raise AssertionError("a part is wrong and passes its comparison")

    def _describe_missing(self, what: str, number: int) -> CheckFailed:
        value, _ = self.replies[number]
        if isinstance(value, Outcome):
            return describe_error(what, value)
        try:
            values = self._count_parts(value)
            named = dict(zip(self.check.returned_parts, (values[place] for place in self.order), strict=True))
            for name, keys in self.check.keys.items():
                checks.mapping(name, named[name], tuple(keys.values()))
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
                names=name_neighbours(self.check, case, part, right[part]),
                single=case.is_single,
                is_wrong=not self._is_right(number, part, parts[part]),
            )
            for number, (case, right, parts) in enumerate(zip(self.check.cases, self.expected, got, strict=True))
            if is_numeric(right[part]) and parts[part] is not _MISSING
        ]
        return describe_cases(compared, says_share=False)


def describe_error(what: str, outcome: Outcome) -> CheckFailed:
    """Describe the error of a call; a class of the student's could be named after its inputs, a refusal is our text."""
    error = outcome.error_type if hasattr(builtins, outcome.error_type) else "an exception"
    error += f": {outcome.refusal}" if outcome.refusal else ""
    frame = outcome.frames[-1] if outcome.frames else None
    found = f"the call raised {error}" + (f", {frame.file} line {frame.line}" if frame is not None else "")
    message = (f"message:  {outcome.message}",) if outcome.message else ()
    return CheckFailed(what, expected="a value", found=found, values=message)


def _is_untouched(check: CaseCheck, replies: Sequence[Any]) -> bool:
    """Tell whether all values are zeros or empty, and nothing was asked of an object that was given."""
    own = [_split_reply(each, keeps=bool(check.left)) for each in replies[: len(check.cases)]]
    asked = [left[place] for place in check.uses.values() for _, left in own if left]
    return not any(asked) and is_zero([value for value, _ in own])


def _split_reply(reply: Any, *, keeps: bool) -> tuple[Any, Sequence[Any]]:
    """Return the value of a reply, and the arguments as the call left them; none where it does not keep them."""
    return reply if keeps and not isinstance(reply, Outcome) else (reply, ())


def name_neighbours(check: CaseCheck, case: Case, part: str, right: Any) -> Names:
    """Name the arguments that a wrong value may equal, and a step in the other direction."""
    given = dict(zip(check.arguments, case.arguments, strict=False))
    also = {f"{name} as it was passed in": value for name, value in given.items() if is_numeric(value)}
    if is_numeric(right) and is_numeric(given.get(part)):
        also[f"{part} after a step in the other direction"] = 2 * given[part] - right
    return Names(also=also, rows=_list_segments(case.segments.get(part, {})))


def _list_segments(lengths: Mapping[str, int]) -> dict[str, range]:
    """Return the places in a flat array of the pieces with these lengths."""
    ends = list(itertools.accumulate(lengths.values()))
    return {words: range(end - length, end) for (words, length), end in zip(lengths.items(), ends, strict=True)}
