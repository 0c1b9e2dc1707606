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
    places = find_places(what, got, expected)
    return {name: values[place] for name, place in places.items()}


def find_places(what: str, got: object, expected: Mapping[str, object]) -> dict[str, int]:
    """Return at which place of `got` each part is, as `take_parts` finds it."""
    values = checks.parts(what, got, tuple(expected))
    rights = list(expected.values())
    places = {}
    for own, name in enumerate(expected):
        places[name] = _find_place(values, rights, own)
    return places


def require_order(what: str, got: object, expected: Mapping[str, object]) -> None:
    """Fail unless each right part of `got` is at its own place, and at least one part is right.

    `expected`: as for `take_parts`.
    """
    names = list(expected)
    wanted = ", ".join(names)
    values = checks.parts(what, got, names)
    found: dict[int, str] = {}
    for name, place in find_places(what, got, expected).items():
        if _is_right(values[place], expected[name]):
            found[place] = name
    if not found:
        shown = "no value is right, so that they have no order"
        checks.require(False, "the order of the values", wanted, shown)
    is_in_order = all(names[place] == name for place, name in found.items())
    shown = ", ".join(found.get(place, "another value") for place in range(len(values)))
    hint = "Return the values in the order that the text asks for."
    checks.require(is_in_order, "the order of the values", wanted, shown, hint=hint)


def _find_place(values: Sequence[object], rights: Sequence[object], own: int) -> int:
    if _is_right(values[own], rights[own]):
        return own
    for place, value in enumerate(values):
        if _is_right(value, rights[own]) and not _is_right(value, rights[place]):
            return place
    return own


def _is_right(got: object, right: Any) -> bool:
    """Whether a value is right within the tolerance of `close`, arrays of a list or dict each for itself."""
    try:
        _compare(got, right)
    except CheckFailed:
        return False
    return True


def _compare(got: object, right: Any) -> None:
    if isinstance(right, dict):
        values = checks.mapping("part", got, tuple(right))
        for key, each in right.items():
            _compare(values[key], each)
    elif isinstance(right, (list, tuple)):
        names = ["part"] * len(right)
        for value, each in zip(checks.parts("part", got, names), right, strict=True):
            _compare(value, each)
    else:
        checks.compare_numbers("part", got, np.asarray(right, dtype=np.float64))
