"""Earnings: turns what is right in a row into shares of its points, each under what earned it.

Two attempts at a row can so be united: each part in each group of kinds takes the better one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.contracts.case import ROBUST
from autograder.contracts.check import CaseCheck


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
