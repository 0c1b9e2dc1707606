"""Relation: how wrong values follow from the right ones, as an id with the words that fill its sentence.

Two relations are the same if their ids and words are: nothing is decided by a sentence. No sentence contains a number
of a right value, only small whole factors, fractions of 1, lengths and indices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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
    "own factors": "each {} is the right one times a factor of its own",
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
