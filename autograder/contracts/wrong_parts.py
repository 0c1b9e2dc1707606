"""Wrong parts: names what is wrong in a row, as known mistakes name it by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from autograder.contracts.case import ROBUST, Case

ARGUMENTS, ORDER, LAW = "arguments", "order", "law"


def name_wrong_parts(
    cases: Sequence[Case], right: Sequence[Mapping[str, bool]], *, keeps: bool, is_in_order: bool
) -> tuple[str, ...]:
    """Name the parts that are wrong in some case, and "arguments" where the call changes them although it must not.

    `right`: for each case, whether each part is right.
    Where neither is wrong: "robustness" for a part that is wrong in its cases, "order" for parts that are exchanged.
    """
    groups = {
        part: {case.group for case, each in zip(cases, right, strict=True) if not each[part]} for part in right[0]
    }
    named = [part for part, found in groups.items() if found - {ROBUST}]
    named += [] if keeps else [ARGUMENTS]
    if named:
        return tuple(named)
    return (*[ROBUST] * any(groups.values()), *[ORDER] * (not is_in_order))


def list_broken(named: Iterable[str], function: str) -> tuple[str, ...]:
    """List what is wrong in several rows, as `breaks` does: parts, else the function, else what is wrong beside both.

    `named`: what is wrong in each row; the function for a row written by hand.
    """
    found = dict.fromkeys(named)
    parts = tuple(each for each in found if each not in (ORDER, ROBUST, function))
    return parts or (tuple(found) if found and function not in found else (function,))
