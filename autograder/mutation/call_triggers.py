"""Call triggers: decide from one call to the next whether a function that remembers its calls is wrong in this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from autograder.mutation.call_keys import describe_shapes, describe_values
from autograder.mutation.recorded_calls import Arguments

Trigger = Callable[[Arguments], bool]
MakeTrigger = Callable[[], Trigger]


def list_triggers(parameters: Sequence[str], positions: Sequence[int]) -> Iterator[tuple[str, MakeTrigger]]:
    """List triggers with their names; `positions`: of the arguments that they may compare with the call before."""
    yield "in the second call alone", lambda: _count(lambda number: number == 2)
    yield "in every second call", lambda: _count(lambda number: number % 2 == 0)
    yield "if shapes are others than in the call before", lambda: _compare(describe_shapes, is_same=False)
    for position in positions:
        name, of_one = parameters[position], _describe_one(position)
        yield f"if {name} is that of the call before", _make_comparison(of_one, is_same=True)
        yield f"if {name} is not that of the call before", _make_comparison(of_one, is_same=False)


def _describe_one(position: int) -> Callable[[Arguments], str]:
    return lambda arguments: describe_values(arguments, [position])


def _make_comparison(describe: Callable[[Arguments], str], *, is_same: bool) -> MakeTrigger:
    return lambda: _compare(describe, is_same=is_same)


def _count(is_wrong: Callable[[int], bool]) -> Trigger:
    calls = 0

    def count(_arguments: Arguments) -> bool:
        nonlocal calls
        calls += 1
        return is_wrong(calls)

    return count


def _compare(describe: Callable[[Arguments], str], *, is_same: bool) -> Trigger:
    before = ""

    def compare(arguments: Arguments) -> bool:
        nonlocal before
        was, before = before, describe(arguments)
        return bool(was) and (was == before) is is_same

    return compare
