"""List relation: turns a wrong list and the right one into the relations between them, if there are clear ones.

No relation contains an item, only counts and indices. Items are compared as values; their order matters unless they are
pairs whose parts are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograder.checks.relation import Relation
from autograder.checks.values import is_equal

_LONGEST = 500  # items; the comparison takes time in the square of the length
_FEWEST = 2  # items: a shorter list has no order


def list_relations_of_lists(got: object, right: object, *, parts: tuple[str, str] | None = None) -> list[Relation]:
    """List the relations between the list `got`, which is wrong, and `right`, the clearest first.

    `parts`: the items are pairs without an order, and these are the names of the first and the second part.
    """
    if not isinstance(got, (list, tuple)) or not isinstance(right, (list, tuple)):
        return []
    if not right or max(len(got), len(right)) > _LONGEST:
        return []
    if not got:
        return [Relation("empty")]
    return list(_find_in_pairs(got, right, parts) if parts else _find_in_order(got, right))


def _find_in_pairs(got: Sequence[Any], right: Sequence[Any], parts: tuple[str, str]) -> Iterator[Relation]:
    extra, missing = _subtract(got, right), _subtract(right, got)
    turned = list(map(_turn, extra))
    if extra and not _subtract(turned, missing) and not _subtract(missing, turned):
        share = f"{len(extra)} of {len(right)} pairs"
        if len(extra) == len(right):
            share = "every pair"
        yield Relation("swapped", (*parts, share))
    yield from _find_extra_or_missing(extra, missing)
    found = len(right) - len(missing)
    if found:
        yield Relation("some right", (str(found), str(len(right)), str(len(extra))))


def _turn(item: Any) -> Any:
    is_pair = isinstance(item, (list, tuple)) and len(item) == 2
    return item[::-1] if is_pair else item


def _find_in_order(got: Sequence[Any], right: Sequence[Any]) -> Iterator[Relation]:
    has_order = len(right) >= _FEWEST
    if has_order and is_equal(got[::-1], right):
        yield Relation("list reversed")
    extra = _subtract(got, right)
    missing = _subtract(right, got)
    if has_order and not extra and not missing:
        yield Relation("list order")
    same, shorter = 0, min(len(got), len(right))
    while same < shorter and is_equal(got[same], right[same]):
        same += 1
    if same == len(got) < len(right):
        yield Relation("end", (f": {len(right) - len(got)} of {len(right)} items",))
        yield Relation("end", ("",))
    if same == len(right) < len(got):
        yield Relation("longer", (str(len(got) - len(right)),))
        yield Relation("longer", ("some",))
    yield from _find_extra_or_missing(extra, missing)
    if 0 < same < shorter:
        yield Relation("difference", (str(same),))


def _find_extra_or_missing(extra: Sequence[Any], missing: Sequence[Any]) -> Iterator[Relation]:
    if not extra:
        yield Relation("missing", (_say_number(missing),))
        yield Relation("missing", ("some are",))
    if not missing:
        yield Relation("extra", (_say_number(extra),))
        yield Relation("extra", ("some are",))


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
