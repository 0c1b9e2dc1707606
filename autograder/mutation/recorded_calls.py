"""Recorded calls: the arguments that a function got in the cases of its contract, and the places of values in them."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograder.mistakes.mistake import find_holder
from autograder.sandbox.calls.by_position import take_by_position

Arguments = tuple[Any, ...]
Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]


class Recorded(NamedTuple):
    """The names of a function's parameters, the arguments of its calls, a value that it returned, and its defaults."""

    parameters: Sequence[str]
    calls: Sequence[Arguments]
    value: Any
    defaults: Mapping[str, Any] = MappingProxyType({})


class Place(NamedTuple):
    """The way to a value inside arguments or a returned value: positions, keys and attributes; and its name."""

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


def replace_function(module: ModuleType, function: str, wrap: Wrap) -> None:
    """Replace a function, a method or a constructor in a module by what `wrap` makes of it."""
    owner, name = find_holder(module, function)
    setattr(owner, name, wrap(take_by_position(getattr(owner, name))))


def record_calls(module: ModuleType, function: str, run: Callable[[], object]) -> Recorded:
    """Record the calls of a function of the module while `run` runs."""
    calls: list[Arguments] = []
    values: list[Any] = []
    parameters: dict[str, inspect.Parameter] = {}

    def wrap(right: Callable[..., Any]) -> Callable[..., Any]:
        parameters.update(inspect.signature(right).parameters)

        @functools.wraps(right)
        def call(*arguments: Any) -> Any:
            calls.append(copy.deepcopy(arguments))
            values.append(right(*arguments))
            return values[-1]

        return call

    replace_function(module, function, wrap)
    run()
    defaults = {name: each.default for name, each in parameters.items() if each.default is not each.empty}
    return Recorded(list(parameters), calls, values[0] if values else None, defaults)


def list_places(recorded: Recorded) -> list[Place]:
    """List the places of all values in the recorded arguments."""
    found: dict[Place, None] = {}
    for arguments in recorded.calls[:: max(1, len(recorded.calls) // 50)]:
        for position, value in enumerate(arguments):
            found |= dict.fromkeys(_list_inside(value, Place((position,), recorded.parameters[position])))
    return list(found)


def list_parts(value: Any) -> list[Place]:
    """List the places of the parts of a returned value: numbers, arrays, and lists of other things."""
    if isinstance(value, tuple) and len(value) > 1:
        parts = [list_parts(each) for each in value]
        return [
            Place((position, *part.steps), f"part {position + 1} {part.name}".strip())
            for position, inner in enumerate(parts)
            for part in inner
        ]
    if isinstance(value, Mapping):
        return [Place((key,), f"[{key!r}]") for key in value]
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return [Place((0,), "[0]"), Place((-1,), "[-1]")]
    return [Place((), "")]


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
