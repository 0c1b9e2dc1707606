"""Recorded calls: the arguments that a function got, and the places of values in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

Arguments = tuple[Any, ...]


class Recorded(NamedTuple):
    """The names of a function's parameters, the arguments of its calls, a value that it returned, and its defaults."""

    parameters: Sequence[str]
    calls: Sequence[Arguments]
    value: Any
    defaults: Mapping[str, Any] = MappingProxyType({})


class Place(NamedTuple):
    """The way to a value inside arguments: positions, keys and attributes; and its name."""

    steps: tuple[int | str, ...]
    name: str

    def get(self, owner: Any) -> Any:
        """Return the value; None if there is none."""
        try:
            for step in self.steps:
                owner = vars(owner)[step] if _is_object(owner) else owner[step]
        except (LookupError, TypeError):
            return None
        return owner


def list_places(recorded: Recorded) -> list[Place]:
    """List the places of all values in the recorded arguments."""
    found: dict[Place, None] = {}
    for arguments in recorded.calls[:: max(1, len(recorded.calls) // 50)]:
        for position, value in enumerate(arguments):
            found |= dict.fromkeys(_list_inside(value, Place((position,), recorded.parameters[position])))
    return list(found)


def _list_inside(value: Any, place: Place) -> Iterator[Place]:
    yield place
    if isinstance(value, Mapping) and all(isinstance(each, np.ndarray) for each in value.values()):
        yield from (Place((*place.steps, key), f"{place.name}[{key!r}]") for key in value)
    elif isinstance(value, (list, tuple)) and value and isinstance(value[0], np.ndarray):
        yield from (Place((*place.steps, end), f"{place.name}[{end}]") for end in (0, -1))
    elif _is_object(value):
        fields = [name for name, each in vars(value).items() if isinstance(each, (list, tuple))]
        yield from (Place((*place.steps, name), f"{place.name}.{name}") for name in fields)


def _is_object(value: Any) -> bool:
    """Tell whether a value is an object of a class of a reference."""
    return type(value).__module__.startswith("reference.")
