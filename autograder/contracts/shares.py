"""Shares: divides a row among groups of kinds, the order of the parts, promises and robustness, and among parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder.contracts.case import CONSTANTS, ORDINARY, ROBUST, SIZES, STATE, VALUES, Case

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
