"""Judgement: turns the replies to a check's requests into the share of its points that is earned, and what is wrong.

Where right values depend on what was returned, by the rules of a contract, they are found first; then the cases are
judged like those of any other row. Laws of a random function are judged beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder.contracts.case import Case
from autograder.contracts.case_judgement import Judgement, judge_cases, list_orders
from autograder.contracts.check import CaseCheck, compute_earned
from autograder.contracts.gradient_row import GradientCheck
from autograder.contracts.law import Laws
from autograder.contracts.object_check import ObjectCheck
from autograder.contracts.part_comparison import PREDICATE, Refused, Rule
from autograder.sandbox.protocol.outcome import Outcome

DerivedCheck = CaseCheck | GradientCheck | ObjectCheck


def judge(check: DerivedCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the replies to `check.requests`; NotWritten where a stub gave them."""
    if not isinstance(check, CaseCheck):
        return check.judge(replies)
    of_laws = len(check.laws.requests) if check.laws is not None else 0
    count = len(check.requests) - of_laws
    judged = _judge_by_rules(check, replies[:count])
    return judged if check.laws is None else _judge_laws(check, check.laws, judged, replies[count:])


def _judge_laws(check: CaseCheck, laws: Laws, judged: Judgement, replies: Sequence[Any]) -> Judgement:
    """Judge laws beside the cases; where a basic one is broken, nothing is earned."""
    found = laws.judge(replies)
    if judged.failure is None and not found.broken:
        return judged
    failure = found.explain_beside(judged.failure) if found.broken else judged.failure
    right = [dict.fromkeys(check.parts, True)] * len(check.cases)
    of_cases = compute_earned(check, right) if judged.failure is None else judged.earned
    earned = {what: share * (1 - laws.share) for what, share in of_cases.items()} | dict(found.earned)
    earned = {} if found.is_other else earned
    return judged._replace(share=sum(earned.values()), earned=earned, failure=failure)


def _judge_by_rules(check: CaseCheck, replies: Sequence[Any]) -> Judgement:
    """Judge the cases by the order of the returned values that earns most, the written one first."""
    if not check.rules:
        return judge_cases(check, replies)
    settled = (_settle(check, order, replies) for order in list_orders(check.places))
    return max((judge_cases(each, replies) for each in settled), key=lambda each: each.share)


def _settle(check: CaseCheck, order: Sequence[int], replies: Sequence[Any]) -> CaseCheck:
    """Return a check with the right values of parts with a rule, which depend on the replies."""
    pairs = zip(check.cases, replies, strict=False)
    right = ((case, _apply_rules(check, check.rules, case, order, reply)) for case, reply in pairs)
    return check._replace(cases=tuple(case._replace(expected={**case.expected, **found}) for case, found in right))


def _apply_rules(
    check: CaseCheck, rules: Mapping[str, Rule], case: Case, order: Sequence[int], reply: Any
) -> dict[str, Any]:
    parts = _split_parts(check, order, reply)
    arguments = dict(zip(check.arguments, case.arguments, strict=False))
    return {part: rule.find_right(part, case, arguments, parts) for part, rule in rules.items() if part in parts}


def judge_uses(check: DerivedCheck, number: int, reply: Any) -> tuple[tuple[int, Any], ...]:
    """Return what is judged of the dialogues in the reply to a request, each with the place of its argument.

    Of a dialogue with a predicate that is what is wrong in words, empty where nothing is; of others all questions.
    """
    if not isinstance(check, CaseCheck) or number >= len(check.cases) or isinstance(reply, Outcome):
        return ()
    rules = {part: rule for part, rule in check.rules.items() if part in check.uses and rule.form == PREDICATE}
    found = _apply_rules(check, rules, check.cases[number], check.places, reply)
    refused = {part: each.problem for part, each in found.items() if isinstance(each, Refused)}
    return tuple(
        (place, refused.get(part, "") if part in rules else reply[1][place]) for part, place in check.uses.items()
    )


def _split_parts(row: CaseCheck, order: Sequence[int], reply: Any) -> dict[str, Any]:
    """Return the parts of a reply by name, of values that stand in this order; none of a reply without such parts."""
    if isinstance(reply, Outcome):
        return {}
    value, left = reply if row.left else (reply, ())
    values = [value] if row.value_count == 1 else value
    if not isinstance(values, (list, tuple)) or len(values) != row.value_count:
        return {}
    parts = {name: values[place] for name, place in zip(row.returned_parts, order, strict=True)}
    return parts | {name: left[place] for name, place in row.uses.items()}
