"""Calls: writes the program of one call, or of many in turn."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from autograder.programs.plain_values import IMMUTABLE
from autograder.programs.program import Call, Make, Name, Program, Result
from autograder.programs.recipes import RECIPES, Copy, Generator, Toy


def write_call(name: str, arguments: Iterable[Any], *, left: Iterable[int] = (), times: int = 0) -> Program:
    """Write the program of one call, whose reply is its value and the arguments at the places `left`.

    With `times`: of so many calls in turn, whose values are the first part of the reply as a list. They share a
    generator; of all other arguments each call has its own.
    """
    steps: list[Any] = [Name(name)]
    given: dict[int, Any] = {}
    calls: list[Result] = []
    listed = list(arguments)
    for _ in range(times or 1):
        for place, each in enumerate(listed):
            if calls and isinstance(each, Generator):
                continue
            recipe = find_recipe(each)
            given[place] = each
            if recipe is not None:
                given[place] = Result(len(steps))
                steps.append(Make(recipe))
        calls.append(Result(len(steps)))
        steps.append(Call(Result(0), tuple(given.values())))
    value = calls if times else calls[0]
    kept = [given[place] for place in left]
    return Program(tuple(steps), (value, *kept))


def find_recipe(value: Any) -> Any:
    """Return how an argument is made; None for one that stands in a call as it is, since nothing can change it."""
    if isinstance(value, RECIPES):
        return value
    return None if isinstance(value, IMMUTABLE) else Copy(value)


def adapt_calls(program: Program, drop: Callable[[str, tuple[Any, ...]], tuple[Any, ...]]) -> Program:
    """Return a program whose calls have fewer arguments; `drop`: those that a function by this name does not take."""
    steps = list(program.steps)
    for number, step in enumerate(steps):
        called = steps[step.function.number] if isinstance(step, Call) else None
        if isinstance(called, Name):
            steps[number] = replace(step, arguments=drop(called.name, step.arguments))
    return replace(program, steps=tuple(steps))


def give_function(program: Program, name: str) -> Program | None:
    """Return the program of the value alone, with a function by this name for one that the staff gives, if it does."""
    for number, step in enumerate(program.steps):
        if isinstance(step, Make) and isinstance(step.recipe, Toy) and inspect.isfunction(step.recipe.source.make()):
            steps = (*program.steps[:number], Name(name), *program.steps[number + 1 :])
            return Program(steps, program.returned[:1])
    return None
