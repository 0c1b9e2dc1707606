"""Given: what the author of a contract says of its cases: cases of his own, and of drawn ones that hold a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.case import CONSTANTS, EVERYWHERE, ORDINARY, ROBUST, SIZES, STATE, VALUES, Texts
from autograder.contracts.signature import ContractError

JUMPS = "jumps"
"""The condition that a right value jumps at the arguments, as at ties and kinks, where right solutions may differ."""
LEFT_OUT = "left out"
"""The group of drawn cases that a row does not have."""
_MOST = 7
_GROUPS = (ORDINARY, SIZES, VALUES, CONSTANTS, STATE, ROBUST)

Words = str | Sequence[str]


def list_words(words: Words) -> Texts:
    """List the words that say why a case is there, also where there is one text of them."""
    if isinstance(words, str):
        return (words,) if words else ()
    return tuple(words)


class Given(NamedTuple):
    """A case of the author's: the arguments, the words that say why it is there, and the group in which it pays.

    `arguments`: or a function of a generator that returns them. `unjudged`: parts that are not looked at. Without a
    group it counts among the values, if other cases are drawn.
    """

    arguments: Any
    words: Words = ()
    group: str = ORDINARY
    unjudged: Sequence[str] = ()


class Where(NamedTuple):
    """What is said of each case whose arguments hold a condition: words, and of a drawn case what `Given` says.

    `condition`: a function of the arguments; JUMPS for cases that are left out where a right value jumps.
    """

    condition: Callable[..., bool] | str
    words: Words = ()
    group: str = ""
    unjudged: Sequence[str] = ()


ListCases = Callable[[np.random.Generator], Iterable[Given]]
Cases = Sequence[Given | Where] | Mapping[str, ListCases]


class Said(NamedTuple):
    """What the option `cases` says. `rows`: by row, the function that lists all of its cases, where there are such.

    `given`: the author's cases; `conditions`: on any case; `avoids_jumps`: cases at jumps are left out.
    """

    rows: Mapping[str, ListCases]
    given: tuple[Given, ...] = ()
    conditions: tuple[Where, ...] = ()
    avoids_jumps: bool = False


def read_cases(cases: Cases, name: str) -> Said:
    """Read the option `cases` of the contract of this name; ContractError where it cannot be meant so."""
    if not isinstance(cases, Mapping):
        return _read_listed(cases, name)
    if cases.keys() != {ORDINARY, EVERYWHERE}:
        raise ContractError(f"{name}: `cases` by row has a function for {ORDINARY} and one for {EVERYWHERE}")
    return Said(cases)


def _read_listed(cases: Sequence[Given | Where], name: str) -> Said:
    given = []
    conditions = []
    avoids_jumps = False
    for each in cases:
        if isinstance(each, Given):
            given.append(_read_given(each, name))
        elif not isinstance(each, Where):
            allowed = "Given(arguments, words) and Where(condition, words)"
            raise ContractError(f"{name}: `cases` lists {allowed}, nothing else")
        elif each.condition != JUMPS:
            require_known(name, "group", [each.group], (*_GROUPS, LEFT_OUT, ""))
            conditions.append(each)
        elif each.group == LEFT_OUT:
            avoids_jumps = True
        else:
            raise ContractError(f"{name}: JUMPS leaves cases out: write Where(JUMPS, group=LEFT_OUT)")
    telling = [each for each in given if each.group != ROBUST]
    if len(telling) > _MOST:
        raise ContractError(f"{name}: `cases` adds {len(telling)} to the drawn ones; choose the best seven")
    return Said({}, tuple(given), tuple(conditions), avoids_jumps)


def _read_given(given: Given, name: str) -> Given:
    require_known(name, "group", [given.group], _GROUPS)
    if given.group == ORDINARY:
        return given._replace(group=VALUES)
    return given


def require_known(owner: str, what: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise ContractError for the first name that is none of the known ones; `what`: they name, as a part."""
    names_known = set(known)
    for name in names:
        if name not in names_known:
            listed = ", ".join(sorted(filter(None, names_known)))
            raise ContractError(f"{owner}: no {what} is named {name}; there are {listed}")
