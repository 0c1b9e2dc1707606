"""List relation: turns a wrong list and the right one into a sentence that says how they differ, if that is clear.

No sentence contains an item, only counts and indices. Items are compared as values; their order matters unless they are
pairs whose parts are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograder.checks.values import is_equal

_LONGEST = 500  # items; the comparison takes time in the square of the length
_FEWEST = 2  # items: a shorter list has no order


def describe_list_relation(got: object, right: object, *, parts: tuple[str, str] | None = None) -> str:
    """Describe how the list `got`, which is wrong, differs from `right`; empty if that is not clear.

    `parts`: the items are pairs without an order, and these are the names of the first and the second part.
    """
    if not isinstance(got, (list, tuple)) or not isinstance(right, (list, tuple)):
        return ""
    if not right or max(len(got), len(right)) > _LONGEST:
        return ""
    if not got:
        return "it is empty"
    found = _find_in_pairs(got, right, parts) if parts else _find_in_order(got, right)
    return next(found, "")


def _find_in_pairs(got: Sequence[Any], right: Sequence[Any], parts: tuple[str, str]) -> Iterator[str]:
    extra, missing = _subtract(got, right), _subtract(right, got)
    turned = list(map(_turn, extra))
    if extra and not _subtract(turned, missing) and not _subtract(missing, turned):
        share = f"{len(extra)} of {len(right)} pairs"
        if len(extra) == len(right):
            share = "every pair"
        yield f"{parts[0]} and {parts[1]} are swapped in {share}"
    yield from _find_extra_or_missing(extra, missing)
    if len(missing) < len(right):
        yield f"{len(right) - len(missing)} of the {len(right)} right ones are there, and {len(extra)} others"


def _turn(item: Any) -> Any:
    is_pair = isinstance(item, (list, tuple)) and len(item) == 2
    return item[::-1] if is_pair else item


def _find_in_order(got: Sequence[Any], right: Sequence[Any]) -> Iterator[str]:
    if len(right) >= _FEWEST and is_equal(list(got[::-1]), list(right)):
        yield "it is in reverse order"
    extra, missing = _subtract(got, right), _subtract(right, got)
    if len(right) >= _FEWEST and not extra and not missing:
        yield "it holds the right items in another order"
    same, shorter = 0, min(len(got), len(right))
    while same < shorter and is_equal(got[same], right[same]):
        same += 1
    if same == len(got) < len(right):
        yield f"its end is missing: {len(right) - len(got)} of {len(right)} items"
    if same == len(right) < len(got):
        yield f"the right items are followed by {len(got) - len(right)} too many"
    yield from _find_extra_or_missing(extra, missing)
    if 0 < same < shorter:
        yield f"the first difference is at index {same}, counted from 0"


def _find_extra_or_missing(extra: Sequence[Any], missing: Sequence[Any]) -> Iterator[str]:
    if not extra:
        yield f"{_say_number(missing)} missing; the others are right"
    if not missing:
        yield f"{_say_number(extra)} too many; the others are right"


def _say_number(items: Sequence[Any]) -> str:
    if len(items) == 1:
        return "1 is"
    return f"{len(items)} are"


def _subtract(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Return the items that are not among the others; each of the others cancels one equal item."""
    left = list(others)
    return [item for item in items if not _take(item, left)]


def _take(item: Any, left: list[Any]) -> bool:
    for index, other in enumerate(left):
        if is_equal(item, other):
            del left[index]
            return True
    return False
