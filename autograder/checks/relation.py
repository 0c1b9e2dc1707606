"""Relation: how wrong values follow from the right ones, as an id with the words that fill its sentence.

Two relations are the same if their ids and words are: nothing is decided by a sentence. No sentence contains a number
of a right value, only small whole factors, fractions of 1, lengths and indices.

The items of two lists are compared as values; their order matters unless they are pairs whose parts are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from autograder.checks.values import is_equal

_EACH = "every entry"

_SENTENCES: Mapping[str, str] = {
    # of arrays and numbers
    "finite": "the entries that are finite are right",
    "zero": "all its entries are 0",
    "constant": "all its entries are the same number",
    "rows summed": "all its rows are the same, each the sum of the right rows",
    "rows alike": "all its rows are the same",
    "equal": "it equals {}",
    "sign": "{each} has the wrong sign",
    "size factor": "{each} is {} times the right one, and {} is {}{}",
    "factor": "{each} is {} times the right one",
    "times": "{each} is the right one times {}",
    "divided": "{each} is the right one divided by {}",
    "one factor": "{each} is the right one times the same factor",
    "term": "it is the right array {} {}",
    "shifted": "{each} is too {} by {}",
    "one entry": "{} is too {} by {}; the others are right",
    "function": "{each} is {}",
    "not zero": "the entries that should be 0 are not; the others are right",
    "some zero": "some entries are 0 that should not be; the others are right",
    "own factors": "each {} is the right one times a different factor",
    "transpose": "it is the transpose of the right array",
    "reversed": "the {} are in reverse order",
    "moved": "the {} are moved {} by one",
    "order": "the {} are in another order",
    "places": "it holds the right numbers in other places",
    "diagonal": "only the diagonal is {}",
    "named rows": "everything is right except {}",
    "index": "only {} is {}",
    "indices": "only {} are wrong, counted from 0",
    "shape": "it holds the right numbers in the right order, in another shape",
    "not summed": "its {} over axis {} is the right array",
    "summed": "it is the {} of the right array over axis {}",
    "last rows": "the last {} {}; the others are right",
    "some rows": "each of its {} is one of the right array",
    "share": "{}",  # of the cases
    # of lists
    "empty": "it is empty",
    "swapped": "{} and {} are swapped in {}",
    "list reversed": "it is in reverse order",
    "list order": "it holds the right items in another order",
    "end": "its end is missing{}",
    "longer": "the right items are followed by {} too many",
    "missing": "{} missing; the others are right",
    "extra": "{} too many; the others are right",
    "some right": "{} of the {} right items are there, and {} others",
    "difference": "the first difference is at index {}, counted from 0",
}
OF_NUMBERS = frozenset({"zero", "sign", "factor", "times", "divided", "one factor", "shifted", "function"})
"""Those that may hold of single numbers, which are compared together."""
_LONGEST = 500  # items; the comparison takes time in the square of the length
_FEWEST = 2  # items: a shorter list has no order


class Relation(NamedTuple):
    """A relation by its id; `words` fill the sentence. `each`: the words for an entry."""

    id: str
    words: tuple[str, ...] = ()
    each: str = _EACH

    def __str__(self) -> str:
        """The sentence."""
        if self.id == "zero" and self.each != _EACH:
            return f"{self.each} is 0"
        return _SENTENCES[self.id].format(*self.words, each=self.each)


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
