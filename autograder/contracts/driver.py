"""Driver: traces a function that says what is done with the student's names in one case to a program.

The driver runs once on recording objects. Each step is taken on the reference at once, which shows how many items an
unpacked result has, and that no step of the reference fails. Arguments are real values, results are not.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from autograder.programs.plain_values import IMMUTABLE, are_equal
from autograder.programs.program import (
    Call,
    ErrorOf,
    Failed,
    Find,
    Get,
    Item,
    Make,
    Name,
    Program,
    Run,
    Set,
    StepResult,
    Unpack,
)
from autograder.programs.recipes import RECIPES, STANDING, Copy, Toy
from autograder.programs.source import read_source

Driver = Callable[..., Any]
Traced = tuple[Program, tuple[int, ...]]  # with the places of the arguments that end the reply, as they are left
_KEYS = (int, str, slice)


class DriverError(Exception):
    """A driver does what cannot be traced, or the reference fails under it; says where."""


def trace(driver: Driver, arguments: Sequence[Any], find: Find, left: Iterable[int] = ()) -> Traced:
    """Trace a driver with the arguments of a case; `find`: in the reference. DriverError where that cannot be.

    The reply ends with the arguments that the driver returns as they were given, and those at the places `left`.
    Returns the places of both.
    """
    tracer = _Tracer(driver, find)
    returned = driver(Student(tracer), *arguments)
    if type(returned) is not tuple:
        returned = (returned,)
    places = set(left)
    parts = []
    for part in returned:
        promised = [place for place, each in enumerate(arguments) if each is part]
        places.update(promised)
        if not promised:
            parts.append(part)
    parts += [arguments[place] for place in sorted(places)]
    numbers = tuple(map(tracer.name_part, parts))
    tracer.require_unchanged()
    tracer.require_right()
    return Program(tuple(tracer.steps), numbers), tuple(sorted(places))


@dataclass
class _Made:
    """An argument of the driver's: the object, a copy of it, and the step that makes it."""

    value: Any
    kept: Any
    result: StepResult


class _Tracer:
    """The steps of a driver so far, their results on the reference, and the lines that they come from."""

    def __init__(self, driver: Driver, find: Find) -> None:
        self.file = driver.__code__.co_filename
        self.place = f"{Path(self.file).name}:{driver.__code__.co_firstlineno}"
        self.run = Run(find, lambda error: f"{type(error).__name__}: {error}")
        self.steps: list[Any] = []
        self.lines: list[str] = []
        self.made: dict[int, _Made] = {}
        self.inside: set[int] = set()  # the objects inside of arguments

    def record(self, step: Any) -> Recorded:
        """Record a step and take it on the reference."""
        self.steps.append(step)
        self.lines.append(self.find_line())
        self.run.take(step)
        return Recorded(self, StepResult(len(self.steps) - 1))

    def name_argument(self, value: Any) -> Any:
        """Return what represents an argument: a constant, or the result of the step that makes it."""
        if isinstance(value, Recorded):
            return get_result(value)
        if isinstance(value, IMMUTABLE):
            return value
        if id(value) in self.made:
            return self.made[id(value)].result
        if isinstance(value, dict) and has_recorded(list(value.values())):
            return {key: self.name_argument(each) for key, each in value.items()}
        if has_recorded(value):
            return type(value)(map(self.name_argument, value))
        return self._make(value)

    def _make(self, value: Any) -> StepResult:
        items = {id(each) for each in list_items(value)}
        if self.inside & {id(value), *items}:
            advice = "take it from left(student, argument)"
            self.refuse(f"this is a part of an argument that calls may have changed: {advice}")
        kept = recipe = value
        if not isinstance(value, RECIPES):
            kept = copy.deepcopy(value)
            recipe = Copy(kept)
        result = get_result(self.record(Make(recipe)))
        self.made[id(value)] = _Made(value, kept, result)
        self.inside |= items
        return result

    def name_part(self, part: Any) -> Any:
        """Return what represents a part: a result, a list of results, or an argument as it is left."""
        if isinstance(part, Recorded):
            return get_result(part)
        if id(part) in self.made:
            return self.made[id(part)].result
        if isinstance(part, (list, tuple)) and has_recorded(part):
            return list(map(self.name_part, part))
        raise DriverError(f"{self.place}: the driver returns {part!r}, which no call returned or was given")

    def find_line(self) -> str:
        """Find the line of the driver's file that runs."""
        frame = sys._getframe()
        while frame.f_back is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back
        if frame.f_code.co_filename != self.file:
            return self.place
        return f"{Path(self.file).name}:{frame.f_lineno}"

    def refuse(self, why: str) -> NoReturn:
        """Raise an error that says where and why."""
        raise DriverError(f"{self.find_line()}: {why}")

    def require_unchanged(self) -> None:
        """Raise where the driver changed an argument after a call had got it."""
        for each in self.made.values():
            if each.value is not each.kept and not are_equal(each.value, each.kept):
                line = self.lines[each.result.number]
                raise DriverError(f"{line}: the driver changes {each.value!r} after this call")

    def require_right(self) -> None:
        """Raise where the reference fails and the driver does not ask how."""
        expected = {step.of.number for step in self.steps if isinstance(step, ErrorOf)}
        for number, result in enumerate(self.run.results):
            if isinstance(result, Failed) and number not in expected:
                raise DriverError(f"{self.lines[number]}: the right solution fails: {result.ending}")


class Student:
    """Stands for the student's module in a driver."""

    def __init__(self, tracer: _Tracer) -> None:
        self._tracer = tracer

    def __getattr__(self, name: str) -> Recorded:
        return self._tracer.record(Name(name))


class Recorded:
    """Stands for a result in a driver: it may be called, unpacked, passed on and returned, and not be looked at."""

    def __init__(self, tracer: _Tracer, result: StepResult) -> None:
        vars(self).update(_tracer=tracer, _result=result)

    def __call__(self, *arguments: Any, **keywords: Any) -> Recorded:
        """Record a call."""
        name_argument = self._tracer.name_argument
        named = tuple(map(name_argument, arguments))
        by_name = {key: name_argument(value) for key, value in keywords.items()}
        return _record(self, Call, named, by_name)

    def __getattr__(self, name: str) -> Recorded:
        if name.startswith("__"):
            raise AttributeError(name)
        return _record(self, Get, name)

    def __setattr__(self, name: str, value: Any) -> None:
        _record(self, Set, name, self._tracer.name_argument(value))

    def __getitem__(self, key: Any) -> Recorded:
        if type(key) not in _KEYS:
            self._tracer.refuse(f"an item of a result is taken by a constant, and not by {key!r}")
        return _record(self, Item, key)

    def __iter__(self) -> Iterator[Recorded]:
        right: Any = self._tracer.run.results[get_result(self).number]
        if not isinstance(right, (list, tuple, np.ndarray)):
            problem = f"a driver may unpack a list, a tuple or an array, and the right solution gives {right!r}"
            self._tracer.refuse(problem)
        count = len(list(right))
        unpacked = _record(self, Unpack, count)
        return iter([unpacked[place] for place in range(count)])

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        self._tracer.refuse("the class of a result: a driver does not know results")


def _record(recorded: Recorded, step: Any, *rest: Any) -> Recorded:
    """Record a step that is taken on a result; `step`: its type."""
    return recorded._tracer.record(step(get_result(recorded), *rest))


def error_of(recorded: Recorded) -> Recorded:
    """Return the name of the error of a step, which is expected; None where it has none."""
    return _record(recorded, ErrorOf)


def left(student: Student, argument: Any) -> Recorded:
    """Return an argument as the calls so far left it, to be used again."""
    tracer = student._tracer
    return Recorded(tracer, tracer.name_argument(argument))


def in_worker(student: Student, function: Callable[..., Any]) -> Recorded:
    """Return a function of the staff's, by its source, that steps call on results next to the student's code."""
    return student._tracer.record(Make(Toy(read_source(function))))


def sort_items(value: Any) -> Any:
    """Return a value with the sorted items of each dict and set in its place; `in_worker` makes it in the worker.

    Keys that are no texts or integers, and sets, do not cross. Items have exactly the right keys.
    """
    if isinstance(value, (dict, set, frozenset)):
        items = list(value)
        try:
            items.sort()
        except TypeError:  # of several types
            items.sort(key=repr)
        return [[key, sort_items(value[key])] for key in items] if isinstance(value, dict) else items
    if isinstance(value, (list, tuple)):
        return [sort_items(each) for each in value]
    return value


def fresh(value: Any) -> Any:
    """Return an argument that shares nothing with the one of other calls."""
    if isinstance(value, STANDING):
        return copy.copy(value)
    return copy.deepcopy(value)


def get_result(recorded: Recorded) -> StepResult:
    """Return what represents a recorded result in a program."""
    return vars(recorded)["_result"]  # type: ignore[no-any-return]


def has_recorded(value: Any) -> bool:
    """Return whether a value is a result, or a list or tuple that holds one."""
    if type(value) is Recorded:
        return True
    return type(value) in (list, tuple) and any(map(has_recorded, value))


def list_items(value: Any) -> list[Any]:
    """List what calls may change inside a dict, a list or a tuple."""
    items: list[Any] = []
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for each in value:
            if not isinstance(each, IMMUTABLE):
                items += [each, *list_items(each)]
    return items


_LOOKS = {
    "a condition on": "bool",
    "the length of": "len",
    "a comparison of": "eq ne lt le gt ge contains hash",
    "arithmetic on": "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul "
    "neg pos abs and rand or ror xor rxor invert array_ufunc array_function",
    "the value of": "int float complex index round str format bytes array deepcopy copy reduce_ex",
    "the setting of an item of": "setitem delitem",
}


def _refuse_look(words: str) -> Callable[..., Any]:
    """Return a method that refuses a look at a result."""

    def look(self: Recorded, *_: Any, **__: Any) -> None:
        self._tracer.refuse(f"{words} a result: a driver does not know results, only the program's reply has them")

    return look


for _words, _methods in _LOOKS.items():
    for _method in _methods.split():
        setattr(Recorded, f"__{_method}__", _refuse_look(_words))
