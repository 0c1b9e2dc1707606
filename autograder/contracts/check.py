"""Check: what a row of the result asks of a function, as data: programs, right values and shares of the points.

What is right in a row earns shares, each under what earned it, so that two attempts at a row can be united.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed
from autograder.contracts.case import (
    CONSTANTS,
    NOTHING,
    ORDINARY,
    ROBUST,
    SIZES,
    STATE,
    VALUES,
    Arguments,
    Case,
    Named,
    Places,
    Reply,
    Shares,
    Texts,
)
from autograder.contracts.law import LawRun, list_programs
from autograder.contracts.part_comparison import Rule
from autograder.contracts.signature import ContractError
from autograder.programs.program import Program

Right = Mapping[str, bool]  # of the parts of a case: which of them are right
TOGETHER = "all parts together"  # pay in a group, where it replaces them

GROUP_SHARES: Shares = {SIZES: 0.3, VALUES: 0.3, CONSTANTS: 0.2, STATE: 0.1}
"""Of the groups of `everywhere`, of what is not robustness or a promise."""
ORDINARY_SHARES: Shares = {ORDINARY: 1.0}


class CaseCheck(NamedTuple):
    """The cases of one row. `function`: its name; `arguments`: those of a call, by name.

    `shares`: what each group of kinds is worth; with `order_share` and `promise_share` they sum to 1. `part_shares`:
    by group, what each part is worth in it; they sum to 1. `promising`: the numbers of the cases whose arguments must
    stay. `values`: the names of the returned values, empty for a cache, which is not looked at: each of
    them is a part of the reply, or the only part holds them all. `alternatives`: by their words, other right values of
    all cases. `left`: parts that are keys of an argument as the call left it, each with the argument's place and the
    key, or no key for the dialogue with a toy. `keys`: of the returned dicts whose
    keys are parts of their own, by the names of the parts. `untouched`: what zeros in every case show; then it is not
    written yet. `rules`: of parts with several right answers. `laws`: of a random function.
    """

    function: str
    arguments: Texts
    parts: Texts
    cases: tuple[Case, ...]
    shares: Shares
    part_shares: Mapping[str, Shares]
    values: Texts = ()
    order_share: float = 0.0
    promise_share: float = 0.0
    promising: tuple[int, ...] = ()
    alternatives: Mapping[str, tuple[Named, ...]] = NOTHING
    left: Mapping[str, tuple[int, str]] = NOTHING
    keys: Mapping[str, Mapping[str, str]] = NOTHING
    untouched: str = ""
    rules: Mapping[str, Rule] = NOTHING
    laws: tuple[LawRun, ...] = ()

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs of the cases, then of the laws."""
        programs = [each.program for each in self.cases]
        return (*programs, *list_programs(self.laws))

    @property
    def groups(self) -> Texts:
        """Of each program: what it earns, it earns together with those of its group."""
        groups = [each.group for each in self.cases]
        return (*groups, *["laws" for _ in list_programs(self.laws)])

    @property
    def uses(self) -> Places:
        """The parts that are dialogues with objects, with the places of the arguments."""
        return {part: place for part, (place, key) in self.left.items() if not key}

    @property
    def places(self) -> Places:
        """The values that are looked at, with their places in the written order."""
        return {name: place for place, name in enumerate(self.values) if name}

    def name_arguments(self, arguments: Arguments) -> Named:
        """Return the arguments of a case by name."""
        return dict(zip(self.arguments, arguments, strict=False))

    def list_values(self, parts: Reply) -> Reply:
        """List the values in the parts of a reply; CheckFailed where a call returned another number of them."""
        if len(parts) == len(self.values):
            return parts
        names = [name or f"value {place}" for place, name in enumerate(self.values, start=1)]
        return checks.parts(self.function, parts[0], names)

    def name_right(self, parts: Reply) -> Named:
        """Name the values that a right function returned; ContractError where their number is another."""
        try:
            values = self.list_values(parts)
        except CheckFailed as failure:
            named = ", ".join(self.places)
            problem = f"the signature names {named}; the right function returns another number of values"
            raise ContractError(f"{self.function}: {problem}") from failure
        return {name: values[place] for name, place in self.places.items()}

    def drop_cache(self, value: Any) -> Any:
        """Return what a call returned with None in the place of a cache."""
        is_whole = all(self.values) or not isinstance(value, (list, tuple))
        if is_whole or len(value) != len(self.values):
            return value
        kept = list(value)
        for place, name in enumerate(self.values):
            if not name:
                kept[place] = None
        return tuple(kept)


def divide_row(
    cases: Sequence[Case], groups: Shares, robust_share: float, *, has_order: bool, has_promise: bool
) -> Named:
    """Share a row among what it has; the rest of what it lacks goes to the groups.

    `robust_share`: what the order of the parts, the promise and robustness are worth together.
    """
    present = {case.group for case in cases}
    is_robust = ROBUST in present and ROBUST not in groups
    count = has_order + has_promise + is_robust
    each = robust_share / count if count else 0.0
    there = {group: share for group, share in groups.items() if group in present}
    rest = 1.0 - each * count
    whole = rest / sum(there.values())
    shares = {group: share * whole for group, share in there.items()}
    if is_robust:
        shares[ROBUST] = each
    return {"shares": shares, "order_share": each * has_order, "promise_share": each * has_promise}


def compute_earned(
    check: CaseCheck, right: Sequence[Right], *, is_in_order: bool = True, keeps: bool = True
) -> dict[str, float]:
    """Compute the earned shares from whether each part is right in each case; none without a right part.

    Robustness, promises and dialogues earn something only where the first case is right.
    """
    is_ordinary_right = all(right[0].values())
    earned: dict[str, float] = {}
    for group, share in check.shares.items():
        pairs = zip(check.cases, right, strict=True)
        of_group = [each for case, each in pairs if case.group == group]
        for part, part_share in check.part_shares[group].items():
            is_extra = group == ROBUST or part in check.uses
            if is_extra and not is_ordinary_right:
                continue
            if all(_holds(part, each) for each in of_group):
                earned[f"{group}: {part}"] = share * part_share
    has_right = any(right[0].values())
    earned["order"] = check.order_share * (has_right and is_in_order)
    earned["promise"] = check.promise_share * (is_ordinary_right and keeps)
    return earned


def _holds(part: str, right: Right) -> bool:
    if part == TOGETHER:
        return all(right.values())
    return right[part]


def unite(first: Shares, second: Shares) -> dict[str, float]:
    """Unite what two attempts at one row earned: the better for each part in each group."""
    earned = dict(first)
    for what, share in second.items():
        earned[what] = max(share, earned.get(what, 0.0))
    return earned
