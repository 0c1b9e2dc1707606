"""Shares: divides a row among groups of kinds, the order of the parts, promises and robustness, and among parts.

What is right in a row earns shares, each under what earned it, so that two attempts at a row can be united.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder.contracts.case import CONSTANTS, ORDINARY, ROBUST, SIZES, STATE, VALUES, Case
from autograder.contracts.check import CaseCheck

GROUP_SHARES: Mapping[str, float] = {SIZES: 0.3, VALUES: 0.3, CONSTANTS: 0.2, STATE: 0.1}
"""Of the groups of `everywhere`, of what is not robustness or a promise."""
ORDINARY_SHARES: Mapping[str, float] = {ORDINARY: 1.0}


def divide_row(
    cases: Sequence[Case], groups: Mapping[str, float], robust_share: float, *, has_order: bool, has_promise: bool
) -> dict[str, Any]:
    """Share a row among what it has; the rest of what it lacks goes to the groups.

    `robust_share`: what the order of the parts, the promise and robustness are worth together.
    """
    is_robust = ROBUST not in groups and any(case.group == ROBUST for case in cases)
    special = {"order_share": has_order, "promise_share": has_promise, ROBUST: is_robust}
    count = sum(special.values())
    each = robust_share / count if count else 0.0
    there = {group: share for group, share in groups.items() if any(case.group == group for case in cases)}
    whole = (1.0 - each * count) / sum(there.values())
    shares = {group: share * whole for group, share in there.items()}
    if is_robust:
        shares[ROBUST] = each
    return {"shares": shares} | {name: each * special[name] for name in ("order_share", "promise_share")}


def divide_parts(parts: Sequence[str], given: Mapping[str, float]) -> dict[str, float]:
    """Share a group among the parts: as given, 1 where nothing is."""
    worth = {part: given.get(part, 1.0) for part in parts}
    return {part: share / sum(worth.values()) for part, share in worth.items()}


def compute_earned(
    check: CaseCheck, right: Sequence[Mapping[str, bool]], *, is_in_order: bool = True, keeps: bool = True
) -> dict[str, float]:
    """Compute the earned shares from whether each part is right in each case; none without a right part."""
    earned: dict[str, float] = {}
    is_ordinary_right = all(right[0].values())
    for group, share in check.shares.items():
        if group == ROBUST and not is_ordinary_right:
            continue
        of_group = [each for case, each in zip(check.cases, right, strict=True) if case.group == group]
        counted = (part for part in check.part_shares if is_ordinary_right or part not in check.uses)
        right_parts = (part for part in counted if all(each[part] for each in of_group))
        earned |= {f"{group}: {part}": share * check.part_shares[part] for part in right_parts}
    earned["order"] = check.order_share * (any(right[0].values()) and is_in_order)
    earned["promise"] = check.promise_share * (is_ordinary_right and keeps)
    return earned


def unite(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Unite what two attempts at one row earned: the better for each part in each group."""
    return {what: max(first.get(what, 0.0), second.get(what, 0.0)) for what in {**first, **second}}
