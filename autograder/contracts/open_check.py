"""Open check: a row whose right values depend on what was returned: parts with several right answers, random functions.

The values with which parts are compared are found first, by the rules of the contract; then the cases are judged like
those of any other row. Laws of a random function are judged beside them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autograder.contracts.case import Case
from autograder.contracts.check import CaseCheck
from autograder.contracts.earnings import compute_earned
from autograder.contracts.judgement import Judgement, judge
from autograder.contracts.law_judgement import Laws
from autograder.contracts.request import AnyRequest
from autograder.contracts.rule import Rule
from autograder.sandbox.protocol.outcome import Outcome

_MOST_ORDERED = 4  # returned parts whose orders are all tried


class OpenCheck(NamedTuple):
    """The cases of a row, the rules of its parts, and the laws of a random function."""

    row: CaseCheck
    rules: Mapping[str, Rule]
    laws: Laws | None = None

    @property
    def function(self) -> str:
        """The function under test."""
        return self.row.function

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases of the row."""
        return self.row.cases

    @property
    def requests(self) -> tuple[AnyRequest, ...]:
        """The requests of the cases, then those of the laws."""
        return (*self.row.requests, *(self.laws.requests if self.laws is not None else ()))

    def judge(self, replies: Sequence[Any]) -> Judgement:
        """Judge the replies; where a basic law is broken, nothing is earned."""
        count = len(self.row.requests)
        judged = self._judge_cases(replies[:count])
        if self.laws is None:
            return judged
        found = self.laws.judge(replies[count:])
        if judged.failure is None and not found.broken:
            return judged
        failure = found.explain_beside(judged.failure) if found.broken else judged.failure
        right = [dict.fromkeys(self.row.parts, True)] * len(self.row.cases)
        of_cases = compute_earned(self.row, right) if judged.failure is None else judged.earned
        earned = {what: share * (1 - self.laws.share) for what, share in of_cases.items()} | dict(found.earned)
        earned = {} if found.is_other else earned
        return judged._replace(share=sum(earned.values()), earned=earned, failure=failure)

    def _judge_cases(self, replies: Sequence[Any]) -> Judgement:
        """Judge the cases by the order of the returned values that earns most, the written one first."""
        places = tuple(self.row.places)
        orders = itertools.permutations(places) if 2 <= len(places) <= _MOST_ORDERED else [places]
        return max((self._judge_in(order, replies) for order in orders), key=lambda each: each.share)

    def _judge_in(self, order: Sequence[int], replies: Sequence[Any]) -> Judgement:
        cases = tuple(self._settle(case, order, reply) for case, reply in zip(self.row.cases, replies, strict=False))
        return judge(self.row._replace(cases=cases), replies)

    def _settle(self, case: Case, order: Sequence[int], reply: Any) -> Case:
        """Return a case with the right values of parts with a rule, which depend on the reply."""
        parts = split_parts(self.row, order, reply)
        arguments = dict(zip(self.row.arguments, case.arguments, strict=False))
        rules = {part: rule for part, rule in self.rules.items() if part in parts}
        found = {part: rule.find_right(part, case, arguments, parts) for part, rule in rules.items()}
        return case._replace(expected={**case.expected, **found})


def split_parts(row: CaseCheck, order: Sequence[int], reply: Any) -> dict[str, Any]:
    """Return the parts of a reply by name, of values that stand in this order; none of a reply without such parts."""
    if isinstance(reply, Outcome):
        return {}
    value, left = reply if row.left else (reply, ())
    values = [value] if row.value_count == 1 else value
    if not isinstance(values, (list, tuple)) or len(values) != row.value_count:
        return {}
    parts = {name: values[place] for name, place in zip(row.returned_parts, order, strict=True)}
    return parts | {name: left[place] for name, place in row.uses.items()}
