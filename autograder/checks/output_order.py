"""Output order: finds each of several returned values, so that a wrong order costs the check of the order alone.

A value is at another place than its own if it is right there, is not the right one of that place, and its own place
holds another. So nothing wrong becomes right: only a right value is looked for elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograder.checks import checks
from autograder.checks.checks import is_right


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
    written = {name: place for place, name in enumerate(expected)}
    return choose_places(written, lambda name, place: is_right(values[place], expected[name]))


def require_order(what: str, got: object, expected: Mapping[str, object]) -> None:
    """Fail unless each right part of `got` is at its own place, and at least one part is right.

    `expected`: as for `take_parts`.
    """
    names = list(expected)
    wanted = ", ".join(names)
    values = checks.parts(what, got, names)
    found: dict[int, str] = {}
    for name, place in find_places(what, got, expected).items():
        if is_right(values[place], expected[name]):
            found[place] = name
    if not found:
        shown = "no value is right, so their order cannot be judged"
        checks.require(False, "the order of the values", wanted, shown)
    is_in_order = all(names[place] == name for place, name in found.items())
    shown = ", ".join(found.get(place, "another value") for place in range(len(values)))
    hint = "Return the values in the order that the text asks for."
    checks.require(is_in_order, "the order of the values", wanted, shown, hint=hint)


def choose_places(written: Mapping[str, int], is_right: Callable[[str, int], bool]) -> dict[str, int]:
    """Choose the place of each value by name: its own, or where it alone is right; `is_right`: of a name at a place."""
    places = {}
    for name, own in written.items():
        places[name] = own
        if is_right(name, own):
            continue
        for other, place in written.items():
            if is_right(name, place) and not is_right(other, place):
                places[name] = place
                break
    return places
