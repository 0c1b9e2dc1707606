"""Calls: writes programs step by step, as that of one call, or of many in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from autograder.programs.plain_values import IMMUTABLE
from autograder.programs.program import Call, Get, Make, Name, Program, Result
from autograder.programs.recipes import RECIPES, Copy


class ProgramWriter:
    """The steps so far."""

    def __init__(self) -> None:
        self.steps: list[Any] = []

    def add(self, step: Any) -> Result:
        """Add a step, and return what stands for its result."""
        self.steps.append(step)
        return Result(len(self.steps) - 1)

    def make(self, value: Any) -> Any:
        """Add the step that makes an argument; return what stands for it: itself, where nothing can change it."""
        if isinstance(value, RECIPES):
            return self.add(Make(value))
        return value if isinstance(value, IMMUTABLE) else self.add(Make(Copy(value)))

    def call(self, name: str, arguments: Iterable[Any]) -> Result:
        """Add the steps of a call with arguments of its own."""
        given = tuple(map(self.make, arguments))
        return self.add(Call(self.add(Name(name)), given))

    def call_method(self, of: Result, name: str, arguments: Iterable[Any]) -> Result:
        """Add the steps of a call of a method."""
        given = tuple(map(self.make, arguments))
        return self.add(Call(self.add(Get(of, name)), given))

    def finish(self, returned: Sequence[Any]) -> Program:
        """Return the program."""
        return Program(tuple(self.steps), tuple(returned))


def write_call(name: str, arguments: Iterable[Any], *, left: Iterable[int] = (), times: int = 0) -> Program:
    """Write the program of one call, whose reply is its value and the arguments at the places `left`.

    With `times`: of so many calls in turn, with the same objects; the first part of the reply is the list of values.
    """
    writer = ProgramWriter()
    given = tuple(map(writer.make, arguments))
    function = writer.add(Name(name))
    calls = [writer.add(Call(function, given)) for _ in range(times or 1)]
    return writer.finish([calls if times else calls[0], *(given[place] for place in left)])


def adapt_calls(program: Program, drop: Callable[[str, tuple[Any, ...]], tuple[Any, ...]]) -> Program:
    """Return a program whose calls have fewer arguments; `drop`: those that a function by this name does not take."""
    steps = list(program.steps)
    for number, step in enumerate(steps):
        called = steps[step.function.number] if isinstance(step, Call) else None
        if isinstance(called, Name):
            steps[number] = replace(step, arguments=drop(called.name, step.arguments))
    return replace(program, steps=tuple(steps))
