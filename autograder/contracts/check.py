"""Check: what a row of the result asks of a function, as data: requests, right values and shares of the points.

What is right in a row earns shares, each under what earned it, so that two attempts at a row can be united.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autograder.checks import checks
from autograder.contracts.case import CONSTANTS, NOTHING, ORDINARY, ROBUST, SIZES, STATE, VALUES, Case
from autograder.contracts.law import Laws
from autograder.contracts.part_comparison import Rule
from autograder.contracts.request import Earlier, Request

GROUP_SHARES: Mapping[str, float] = {SIZES: 0.3, VALUES: 0.3, CONSTANTS: 0.2, STATE: 0.1}
"""Of the groups of `everywhere`, of what is not robustness or a promise."""
ORDINARY_SHARES: Mapping[str, float] = {ORDINARY: 1.0}


class CaseCheck(NamedTuple):
    """The cases of one row; the first is an ordinary one.

    `shares`: what each group of kinds is worth; with `order_share` and `promise_share` they sum to 1. `part_shares`:
    what each part is worth in a group; they sum to 1. `promising`: the numbers of the cases whose arguments must stay.
    `values`: the names of the returned values, empty for a cache, which is not looked at. `alternatives`: by their
    words, other right values of all cases. `left`: parts that are keys of an argument as the call left it, each with
    the argument's place and the key, or no key for the dialogue with a toy. `keys`: of the returned dicts whose keys
    are parts of their own, by the names of the parts. `untouched`: what zeros in every case show; then it is not
    written yet. `gradients`: by part, the place of the argument that it is the gradient of the part `loss` by. `rules`:
    of parts with several right answers. `laws`: of a random function. `source`: the call that makes a cache.
    """

    function: str
    arguments: tuple[str, ...]
    parts: tuple[str, ...]
    cases: tuple[Case, ...]
    shares: Mapping[str, float]
    part_shares: Mapping[str, float]
    values: tuple[str, ...]
    order_share: float = 0.0
    promise_share: float = 0.0
    promising: tuple[int, ...] = ()
    alternatives: Mapping[str, tuple[Mapping[str, Any], ...]] = NOTHING
    left: Mapping[str, tuple[int, str]] = NOTHING
    keys: Mapping[str, Mapping[str, str]] = NOTHING
    source: Earlier | None = None
    untouched: str = ""
    gradients: Mapping[str, int] = NOTHING
    loss: str = ""
    rules: Mapping[str, Rule] = NOTHING
    laws: Laws | None = None

    @property
    def requests(self) -> tuple[Request, ...]:
        """One request for each case, then one for each case whose arguments must stay, then those of the laws."""
        own = [self._ask(each, keeps_arguments=bool(self.left)) for each in self.cases]
        again = [self._ask(self.cases[number], keeps_arguments=True) for number in self.promising]
        return (*own, *again, *(self.laws.requests if self.laws is not None else ()))

    def _ask(self, case: Case, *, keeps_arguments: bool) -> Request:
        earlier = self.source and self.source._replace(arguments=case.earlier or ())
        return Request(self.function, case.arguments, keeps_arguments, earlier=earlier, listens=bool(self.uses))

    @property
    def uses(self) -> dict[str, int]:
        """The parts that are dialogues with objects, with the places of the arguments."""
        return {part: place for part, (place, key) in self.left.items() if not key}

    @property
    def places(self) -> dict[str, int]:
        """The values that are looked at, with their places in the written order."""
        return {name: place for place, name in enumerate(self.values) if name}

    def list_values(self, value: Any) -> Sequence[Any]:
        """List the values that a call returned; CheckFailed where their number is another."""
        names = [name or f"value {place}" for place, name in enumerate(self.values, start=1)]
        return [value] if len(names) == 1 else checks.parts(self.function, value, names)

    def find_value(self, part: str) -> str:
        """Find the name of the returned value that a part is, or in which it stands under a key."""
        return next((name for name, keys in self.keys.items() if part in keys), part)

    def drop_cache(self, value: Any) -> Any:
        """Return what a call returned with None in the place of a cache."""
        if all(self.values) or not isinstance(value, (list, tuple)) or len(value) != len(self.values):
            return value
        return tuple(each if name else None for name, each in zip(self.values, value, strict=True))


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
