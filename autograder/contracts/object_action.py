"""Object action: says what a method of a class may be called with in a state, as its author declared it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.signature import ScalarKind

Guard = Callable[[Any], Any]
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_NUMBERS = 50  # items of lists of numbers are below it


class Action(NamedTuple):
    """A method whose arguments are drawn. `signature`: of these; `when`: tells whether an object takes the call.

    `returns`: the attribute that it returns, where it does; the two are compared alike. `after`: the methods that have
    to be called first.
    """

    signature: str = ""
    when: Guard | None = None
    returns: str = ""
    after: Sequence[str] = ()


class Repeated(NamedTuple):
    """A method that takes a list of arguments of `action`, each legal in turn; `returns`: as for an `Action`."""

    action: str
    returns: str = ""


class Choices(NamedTuple):
    """A method with one argument; `guard`: lists the legal values of it for an object."""

    guard: Guard


AnyAction = Action | Repeated | Choices


def draw_items(kind: ScalarKind, count: int, rng: np.random.Generator) -> list[Any]:
    """Draw different words, or integers that may be equal."""
    if kind.type != "str":
        return [int(each) for each in rng.integers(0, _NUMBERS, size=count)]
    words: dict[str, None] = {}
    while len(words) < count:
        places = rng.integers(0, (len(_CONSONANTS), len(_VOWELS)) * 3)
        letters = (each[place] for each, place in zip((_CONSONANTS, _VOWELS) * 3, places, strict=True))
        words["".join(letters)] = None
    return list(words)
