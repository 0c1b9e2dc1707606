"""Calls: writes the program of one call, or of many in turn."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.programs.outcome import Outcome
from autograder.programs.plain_values import IMMUTABLE
from autograder.programs.program import Call, Find, Make, Name, Program, Refill, StepResult, list_results, run_program
from autograder.programs.recipes import RECIPES, Copy, Generator, Toy


def write_call(
    name: str, arguments: Iterable[Any], *, left: Iterable[int] = (), times: int = 0, before: Sequence[Any] = ()
) -> Program:
    """Write the program of one call, whose reply is its value and the arguments at the places `left`.

    With `times`: of this many calls in turn, whose values are the first part of the reply as a list. They share a
    generator; of all other arguments each call has its own. `before`: the arguments of a call before the one that
    counts, which gets the same arrays, lists and dicts with other contents.
    """
    steps: list[Any] = [Name(name)]
    given: dict[int, Any] = {}
    calls: list[StepResult] = []
    listed = list(arguments)
    for each_listed in (before, listed) if before else [listed] * max(times, 1):
        for place, each in enumerate(each_listed):
            is_shared = times > 0 and place in given
            if is_shared and isinstance(each, Generator):
                continue
            given[place] = _give(steps, each, given.get(place) if before else None)
        calls.append(StepResult(len(steps)))
        steps.append(Call(StepResult(0), tuple(given.values())))
    value = calls if times else calls[-1]
    kept = [given[place] for place in left]
    return Program(tuple(steps), (value, *kept))


def _give(steps: list[Any], value: Any, earlier: Any) -> Any:
    """Return what represents an argument, and add the step that makes it, or gives its contents to an `earlier` one."""
    recipe = find_recipe(value)
    if recipe is None:
        return value
    first = steps[earlier.number].recipe if isinstance(earlier, StepResult) else None
    if _may_refill(first, recipe):
        steps.append(Refill(earlier, recipe))
        return earlier
    steps.append(Make(recipe))
    return StepResult(len(steps) - 1)


def _may_refill(first: Any, recipe: Any) -> bool:
    """Return whether what the first recipe made may get the contents of the other one."""
    if not isinstance(first, Copy) or not isinstance(recipe, Copy):
        return False
    value, other = first.value, recipe.value
    if type(value) is not type(other):
        return False
    if isinstance(value, np.ndarray):
        return bool(value.shape == other.shape)
    return isinstance(value, (list, dict))


def find_recipe(value: Any) -> Any:
    """Return how an argument is made; None for one that stands in a call as it is, since nothing can change it."""
    if isinstance(value, RECIPES):
        return value
    return None if isinstance(value, IMMUTABLE) else Copy(value)


def lay_out(program: Program, layout: str) -> Program:
    """Return a program whose arrays lie in memory in a `layout`."""
    steps = list(program.steps)
    for number, step in enumerate(steps):
        if isinstance(step, Make) and isinstance(step.recipe, Copy):
            steps[number] = Make(replace(step.recipe, layout=layout))
    return replace(program, steps=tuple(steps))


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
    steps = list(program.steps)
    for number, step in enumerate(steps):
        recipe = step.recipe if isinstance(step, Make) else None
        if isinstance(recipe, Toy) and inspect.isfunction(recipe.source.make()):
            steps[number] = Name(name)
            return Program(tuple(steps), program.returned[:1])
    return None


def answer_calls(program: Program, names: Collection[str], find: Find) -> tuple[Program, list[str]]:
    """Return a program with right values for calls that draw from a generator, and the names of what they call.

    `names`: of the functions whose calls are answered by those that `find` returns. A generator is nobody else's, and
    no call is answered that is given what student code returned.
    """
    steps = list(program.steps)
    answered = []
    for number, step in enumerate(steps):
        called = steps[step.function.number] if isinstance(step, Call) else None
        if isinstance(called, Name) and called.name in names and _has_own_generator(program, step):
            until_then = Program(program.steps[: number + 1], (StepResult(number),))
            (value,) = run_program(until_then, find)
            if not isinstance(value, Outcome):
                steps[number] = Make(Copy(value))
                answered.append(called.name)
    return replace(program, steps=tuple(steps)), answered


def _has_own_generator(program: Program, call: Call) -> bool:
    """Return whether a call is given a generator that nothing else uses, and only what is made before it."""
    used = list(list_results(program.returned))
    for step in program.steps:
        used += list_results(vars(step))
    has_generator = False
    for given in list_results([call.arguments, call.keywords]):
        make = program.steps[given.number]
        if not isinstance(make, Make):
            return False
        if isinstance(make.recipe, Generator):
            has_generator = True
            if used.count(given) > 1:
                return False
    return has_generator
