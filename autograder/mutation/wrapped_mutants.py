"""Wrapped mutants: functions that are right except where a condition holds, that cache, or that change arguments.

Some remember their calls, and are wrong in a call that differs from the one before, or does not.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, wraps
from itertools import count, cycle
from types import ModuleType
from typing import Any

import numpy as np

from autograder.contracts.call_values import map_leaves
from autograder.mutation.conditions import Condition, find_telling, list_conditions, list_rare_conditions
from autograder.mutation.mutant import Mutant, Operator
from autograder.mutation.recorded_calls import Arguments, Place, Recorded, list_parts, list_places, replace_function

_Key = Callable[[Arguments], str]
_Trigger = Callable[[Arguments], bool]  # in which calls a function is wrong
_Call = Callable[[Arguments, Callable[[], Any]], Any]  # of a wrong function: its arguments, and what runs the right one
NamedTrigger = tuple[str, Callable[[], _Trigger], Operator]  # in words, "if x is square"; what makes it for a module
_PLAIN = (int, float, str, bool, type(None))


def list_wrapped_mutants(function: str, recorded: Recorded) -> Iterator[Mutant]:
    """List the mutants of a function that its recorded calls suggest.

    A condition that many calls meet makes a mutant for each part of the value, a rare one, or one of earlier calls, one
    for all, whose part is chosen in turn.
    """
    is_method = recorded.value is None
    parts = _list_state(recorded) if is_method else list_parts(recorded.value)
    telling = list(find_telling(list_conditions(recorded), recorded))
    late: NamedTrigger = ("from the second call on", lambda: _count_calls(lambda number: number > 1), Operator.CALL)
    for trigger in (*(_name_trigger(condition) for condition, _ in telling), late):
        for part in parts:
            yield _make_conditional(function, trigger, part, is_method=is_method)
    rare = _list_rare(recorded, {held for _, held in telling}, is_method=is_method)
    for trigger, part in zip(rare, cycle(parts)):
        yield _make_conditional(function, trigger, part, is_method=is_method)
    yield from _list_changing(function, recorded)
    if not is_method:
        yield from _list_caching(function, recorded)


def _list_rare(recorded: Recorded, seen: set[tuple[bool, ...]], *, is_method: bool) -> Iterator[NamedTrigger]:
    """List rare conditions, each of which holds in other recorded calls than all before, and those of earlier calls."""
    for condition, held in find_telling(list_rare_conditions(recorded), recorded):
        if held not in seen:
            seen.add(held)
            yield _name_trigger(condition)
    positions = range(int(is_method), min(map(len, recorded.calls)))
    yield from list_triggers(recorded.parameters, positions)


def _name_trigger(condition: Condition) -> NamedTrigger:
    return f"if {condition.name}", lambda: condition.holds, condition.operator


def list_triggers(parameters: Sequence[str], positions: Sequence[int]) -> Iterator[NamedTrigger]:
    """List triggers by earlier calls; `positions`: of the arguments that they may compare with the call before."""
    yield "in the second call alone", lambda: _count_calls(lambda number: number == 2), Operator.CALL
    yield "in every second call", lambda: _count_calls(lambda number: number % 2 == 0), Operator.CALL
    are_others = partial(_compare, _describe_shapes, is_same=False)
    yield "if shapes are others than in the call before", are_others, Operator.CALL
    for position in positions:
        name, describe = parameters[position], partial(_describe_values, positions=[position])
        yield f"if {name} is that of the call before", partial(_compare, describe, is_same=True), Operator.CALL
        yield f"if {name} is not that of the call before", partial(_compare, describe, is_same=False), Operator.CALL


def _count_calls(is_wrong: Callable[[int], bool]) -> _Trigger:
    """Return a trigger that is decided by the number of the call, from 1."""
    numbers = count(1)
    return lambda _arguments: is_wrong(next(numbers))


def _compare(describe: Callable[[Arguments], str], *, is_same: bool) -> _Trigger:
    before = ""

    def compare(arguments: Arguments) -> bool:
        nonlocal before
        was, before = before, describe(arguments)
        return bool(was) and (was == before) is is_same

    return compare


def _describe_shapes(arguments: Arguments) -> str:
    """Describe the shapes of the arguments, not their values."""
    return repr(map_leaves(_describe_shape, arguments))


def _describe_values(arguments: Arguments, positions: Sequence[int]) -> str:
    """Describe the values of the arguments at these positions."""
    return repr([map_leaves(_describe_value, arguments[each]) for each in positions if each < len(arguments)])


def _describe_shape(value: Any) -> object:
    return value.shape if isinstance(value, np.ndarray) else _name_type(value)


def _describe_value(value: Any) -> object:
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    return value if isinstance(value, _PLAIN) else _name_type(value)


def _name_type(value: Any) -> str:
    """Name the type of a plain value; functions and other objects are proxies, which have one type."""
    return type(value).__name__ if isinstance(value, (*_PLAIN, np.generic)) else "object"


def _list_state(recorded: Recorded) -> list[Place]:
    places = [place for place in list_places(recorded) if len(place.steps) > 1 and place.steps[0] == 0]
    return places or [Place((0, name), f"self.{name}") for name in ("stack", "buffer", "dependencies")]


def _wrap(function: str, name: str, operator: Operator, begin: Callable[[], _Call]) -> Mutant:
    """Make a mutant whose calls are those that `begin` returns for a new module."""

    def wrap(right: Callable[..., Any]) -> Callable[..., Any]:
        call = begin()

        @wraps(right)
        def wrong(*arguments: Any, **keywords: Any) -> Any:
            return call(arguments, lambda: right(*arguments, **keywords))

        return wrong

    def install(module: ModuleType) -> None:
        replace_function(module, function, wrap)

    return Mutant(name, install, operator=operator)


def _make_conditional(function: str, trigger: NamedTrigger, part: Place, *, is_method: bool) -> Mutant:
    """Make a mutant that is wrong in one part where the trigger says so."""
    when, make_trigger, operator = trigger

    def begin() -> _Call:
        triggers = make_trigger()

        def call(arguments: Arguments, run: Callable[[], Any]) -> Any:
            is_wrong = triggers(arguments)
            value = run()
            if is_wrong and is_method:
                _spoil_state(arguments, part)
            return _spoil(value, part.steps) if is_wrong and not is_method else value

        return call

    return _wrap(function, f"wrong{part.name and ' in '}{part.name} {when}", operator, begin)


def _spoil(value: Any, steps: Sequence[int | str]) -> Any:
    """Return a value that is wrong at the end of these steps; None, such as the cache of some calls, stays None."""
    if value is None:
        return None
    if not steps:
        return value[:-1] if isinstance(value, list) else np.asarray(value, dtype=np.float64) * 1.5 + 0.5
    if isinstance(value, Mapping):
        return {**value, steps[0]: _spoil(value[steps[0]], steps[1:])}
    items = list(value)
    items[steps[0]] = _spoil(items[steps[0]], steps[1:])  # type: ignore[index]
    return type(value)(items)


def _spoil_state(arguments: Arguments, part: Place) -> None:
    value = part.get(arguments)
    if isinstance(value, list) and value:
        value.append(value[0])  # another order would be right where there is none


def _list_changing(function: str, recorded: Recorded) -> Iterator[Mutant]:
    """List mutants that change an argument, after they have used it."""
    for place in list_places(recorded):
        if isinstance(place.get(recorded.calls[0]), (np.ndarray, list)) and len(place.steps) == 1:
            yield _wrap(function, f"changes {place.name}", Operator.CHANGE, partial(_begin_change, place))


def _begin_change(place: Place) -> _Call:
    def call(arguments: Arguments, run: Callable[[], Any]) -> Any:
        value = run()
        argument = place.get(arguments)
        if isinstance(argument, np.ndarray) and argument.size:
            argument.flat[0] += 1
        if isinstance(argument, list) and argument:
            argument.pop()
        return value

    return call


def _list_caching(function: str, recorded: Recorded) -> Iterator[Mutant]:
    positions = range(min(map(len, recorded.calls)))
    keys: dict[str, _Key] = {"all shapes": _describe_shapes}
    for position in positions:
        name = recorded.parameters[position]
        keys[f"{name} alone"] = partial(_describe_values, positions=[position])
        others = [each for each in positions if each != position]
        if others:
            keys[f"all but {name}"] = partial(_describe_values, positions=others)
    for name, key in keys.items():
        yield _wrap(function, f"caches by {name}", Operator.CACHE, partial(_begin_cache, key))


def _begin_cache(key: _Key) -> _Call:
    kept: dict[str, Any] = {}

    def call(arguments: Arguments, run: Callable[[], Any]) -> Any:
        name = key(arguments)
        if name not in kept:
            kept[name] = copy.deepcopy(run())
        return copy.deepcopy(kept[name])

    return call
