"""Output order: finds each of several returned values, so that a wrong order costs the check of the order alone.

A value stands at another place than its own if it is right there, is not the right one of that place, and its own place
holds another. So nothing wrong becomes right: only a right value is looked for elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.checks import checks
from autograder.checks.check_failed import CheckFailed


def take_parts(what: str, got: object, expected: Mapping[str, object]) -> dict[str, Any]:
    """Return the parts of `got` by name, whatever their order; fail unless there is one for each name.

    `expected`: the right values by name, in the order asked for; a value may be a list or dict of arrays. A part that
    is not right anywhere is taken from its own place.
    """
    values = checks.parts(what, got, tuple(expected))
    return {name: values[place] for name, place in find_places(what, got, expected).items()}


def find_places(what: str, got: object, expected: Mapping[str, object]) -> dict[str, int]:
    """Return at which place of `got` each part is, as `take_parts` finds it."""
    values, rights = checks.parts(what, got, tuple(expected)), tuple(expected.values())
    return {name: _find_place(values, rights, place) for place, name in enumerate(expected)}


def require_order(what: str, got: object, expected: Mapping[str, object]) -> None:
    """Fail unless each right part of `got` is at its own place, and at least one part is right.

    `expected`: as for `take_parts`.
    """
    names, places = list(expected), find_places(what, got, expected)
    values = checks.parts(what, got, names)
    found = {place: name for name, place in places.items() if _is_right(values[place], expected[name])}
    is_right = bool(found) and all(names[place] == name for place, name in found.items())
    shown = ", ".join(found.get(place, "another value") for place in range(len(names)))
    checks.require(
        is_right,
        "the order of the values",
        ", ".join(names),
        shown if found else "no value is right, so that they have no order",
        hint="Return the values in the order that the text asks for." if found else "",
    )


def _find_place(values: Sequence[object], rights: Sequence[object], own: int) -> int:
    if _is_right(values[own], rights[own]):
        return own
    places = [place for place in range(len(values)) if _is_right(values[place], rights[own])]
    return next((place for place in places if not _is_right(values[place], rights[place])), own)


def _is_right(got: object, right: Any) -> bool:
    """Whether a value is right within the tolerance of `close`, arrays of a list or dict each for itself."""
    try:
        if isinstance(right, dict):
            values = checks.mapping("part", got, tuple(right))
            return all(_is_right(values[key], each) for key, each in right.items())
        if isinstance(right, (list, tuple)):
            return all(map(_is_right, checks.parts("part", got, ["part"] * len(right)), right))
        checks.compare_numbers("part", got, np.asarray(right, dtype=np.float64))
    except CheckFailed:
        return False
    return True
