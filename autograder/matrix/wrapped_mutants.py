"""Wrapped mutants: functions that are right except where a condition holds, that cache, or that change arguments."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from autograder.mutation.conditions import Condition, list_conditions
from autograder.mutation.mutant import Install, Mutant
from autograder.mutation.recorded_calls import (
    Arguments,
    Place,
    Recorded,
    Wrap,
    list_parts,
    list_places,
    replace_function,
)

Key = Callable[[Arguments], str]


def list_wrapped_mutants(function: str, recorded: Recorded) -> Iterator[Mutant]:
    """List the mutants of a function that its recorded calls suggest."""
    is_method = recorded.value is None
    parts = _list_state(recorded) if is_method else list_parts(recorded.value)
    conditions = [*list_conditions(recorded), None]
    for condition in conditions:
        for part in parts:
            yield _make_conditional(function, condition, part, is_method=is_method)
    yield from _list_changing(function, recorded)
    if not is_method:
        yield from _list_caching(function, recorded)


def _list_state(recorded: Recorded) -> list[Place]:
    places = [place for place in list_places(recorded) if len(place.steps) > 1 and place.steps[0] == 0]
    return places or [Place((0, name), f"self.{name}") for name in ("stack", "buffer", "dependencies")]


def _make_conditional(function: str, condition: Condition | None, part: Place, *, is_method: bool) -> Mutant:
    """Make a mutant that is wrong in one part where the condition holds, or, without one, from the second call on."""

    def wrap(right: Callable[..., Any]) -> Callable[..., Any]:
        calls = 0

        @functools.wraps(right)
        def wrong(*arguments: Any, **keywords: Any) -> Any:
            nonlocal calls
            calls += 1
            is_wrong = calls > 1 if condition is None else condition.holds(arguments)
            value = right(*arguments, **keywords)
            if is_wrong and is_method:
                _spoil_state(arguments, part)
            return _spoil(value, part.steps) if is_wrong and not is_method else value

        return wrong

    when = f"if {condition.name}" if condition is not None else "from the second call on"
    return Mutant(function, f"wrong{part.name and ' in '}{part.name} {when}", _make_install(function, wrap))


def _make_install(function: str, wrap: Wrap) -> Install:
    def install(module: ModuleType) -> None:
        replace_function(module, function, wrap)

    return install


def _spoil(value: Any, steps: Sequence[int | str]) -> Any:
    """Return a value that is wrong at the end of these steps."""
    if not steps:
        return _spoil_whole(value)
    if isinstance(value, Mapping):
        return {**value, steps[0]: _spoil(value[steps[0]], steps[1:])}
    items = list(value)
    items[steps[0]] = _spoil(items[steps[0]], steps[1:])  # type: ignore[index]
    return type(value)(items)


def _spoil_whole(value: Any) -> Any:
    if isinstance(value, list):
        return value[:-1]
    return np.asarray(value, dtype=np.float64) * 1.5 + 0.5


def _spoil_state(arguments: Arguments, part: Place) -> None:
    value = part.get(arguments)
    if isinstance(value, list) and value:
        value.reverse() if len(value) > 1 and value != value[::-1] else value.append(value[0])


def _list_changing(function: str, recorded: Recorded) -> Iterator[Mutant]:
    """List mutants that change an argument, after they have used it."""
    for place in list_places(recorded):
        if isinstance(place.get(recorded.calls[0]), (np.ndarray, list)) and len(place.steps) == 1:
            yield Mutant(function, f"changes {place.name}", _make_install(function, _make_changing(place)))


def _make_changing(place: Place) -> Wrap:
    def wrap(right: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(right)
        def wrong(*arguments: Any, **keywords: Any) -> Any:
            value = right(*arguments, **keywords)
            argument = place.get(arguments)
            if isinstance(argument, np.ndarray) and argument.size:
                argument.flat[0] += 1
            if isinstance(argument, list) and argument:
                argument.pop()
            return value

        return wrong

    return wrap


def _list_caching(function: str, recorded: Recorded) -> Iterator[Mutant]:
    positions = range(min(map(len, recorded.calls)))
    keys: dict[str, Key] = {"all shapes": _describe_shapes}
    for position in positions:
        name = recorded.parameters[position]
        keys[f"{name} alone"] = functools.partial(_describe_values, positions=[position])
        others = [each for each in positions if each != position]
        if others:
            keys[f"all but {name}"] = functools.partial(_describe_values, positions=others)
    for name, key in keys.items():
        yield Mutant(function, f"caches by {name}", _make_install(function, _make_caching(key)))


def _make_caching(key: Key) -> Wrap:
    def wrap(right: Callable[..., Any]) -> Callable[..., Any]:
        kept: dict[str, Any] = {}

        @functools.wraps(right)
        def wrong(*arguments: Any, **keywords: Any) -> Any:
            name = key(arguments)
            if name not in kept:
                kept[name] = copy.deepcopy(right(*arguments, **keywords))
            return copy.deepcopy(kept[name])

        return wrong

    return wrap


def _describe_shapes(arguments: Arguments) -> str:
    return repr([_describe_shape(each) for each in arguments])


def _describe_shape(value: Any) -> object:
    if isinstance(value, Mapping):
        return [(key, _describe_shape(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [_describe_shape(each) for each in value]
    return value.shape if isinstance(value, np.ndarray) else type(value).__name__


def _describe_values(arguments: Arguments, positions: Sequence[int]) -> str:
    return repr([_describe_value(arguments[each]) for each in positions if each < len(arguments)])


def _describe_value(value: Any) -> object:
    if isinstance(value, Mapping):
        return [(key, _describe_value(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [_describe_value(each) for each in value]
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    return value if isinstance(value, (int, float, str, bool, type(None))) else type(value).__name__
