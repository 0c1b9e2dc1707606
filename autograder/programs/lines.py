"""Lines: writes a program as lines of Python that a student pastes next to the own file.

They import the student's names, assign the arguments and print what the program returns: a result as soon as it is
there, since later calls may change it, and an argument at the end.
"""

from __future__ import annotations

import ast
import keyword
import re
import textwrap
from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from autograder.programs.program import (
    Call,
    ErrorOf,
    Get,
    Item,
    Make,
    Name,
    Program,
    Refill,
    Set,
    StepResult,
    Unpack,
    list_results,
)
from autograder.programs.recipes import SLICED, TRANSPOSED, Constant, Copy, Generator, Toy

_NUMBERS = 300  # of one array
_DIGITS = 8  # as in the text of a failed check
_LINES = 40
_WIDTH = 110
_INLINE_CHARACTERS = 30  # a longer argument is assigned on a line of its own
_READ = {Copy: "", Generator: ".random()"}  # how an argument is printed; others are not
_LAID_OUT = {"": "{}", TRANSPOSED: "np.asfortranarray({})", SLICED: "np.repeat({}, 2, axis=-1)[..., ::2]"}
_REFILLED: Mapping[type, str] = {dict: "{}.update({})", list: "{}[:] = {}"}  # other arguments are arrays
_DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)
_LAST_WORD = re.compile("[A-Z][a-z]+$")


class Unwritable(Exception):
    """A value has no text of a sensible size."""


class Spelling(NamedTuple):
    """The module and the name of a student's function or class, and the names of its parameters."""

    module: str
    name: str
    parameters: tuple[str, ...] = ()


def write_lines(program: Program, spellings: Mapping[str, Spelling]) -> str:
    """Write the lines; none where they would be too many or no Python, or an argument has no short text.

    `spellings`: of the names of the program.
    """
    try:
        lines = _Writer(program, spellings).write()
        ast.parse("\n".join(lines))
    except (Unwritable, SyntaxError):
        return ""
    return "\n".join(lines) if len(lines) <= _LINES else ""


class _Writer:
    """The lines so far, and the text that stands for each step in those that follow."""

    def __init__(self, program: Program, spellings: Mapping[str, Spelling]) -> None:
        self._steps = program.steps
        self._shown = program.looked_at
        self._spellings = spellings
        self._users: dict[int, list[int]] = defaultdict(list)
        for number, step in enumerate(self._steps):
            for result in list_results(vars(step)):
                self._users[result.number].append(number)
        self._texts: dict[int, str] = {}
        self._names = ["np", *keyword.kwlist]
        self._header: list[str] = []
        self._lines: list[str] = []
        self._printed: list[str] = []

    def write(self) -> list[str]:
        """Write all steps; a result is printed before the next step that may change it."""
        self._write_header()
        for number, step in enumerate(self._steps):
            if isinstance(step, (Call, Refill, Set, Unpack)):
                self._print()
            self._write_step(number, step)
            if number in self._shown and number in self._texts:
                self._printed.append(self._texts[number])
        for number in sorted(self._shown):
            step = self._steps[number]
            if isinstance(step, Make) and type(step.recipe) in _READ:
                text = self._fill(StepResult(number))
                self._printed.append(text + _READ[type(step.recipe)])
        self._print()
        lines = [*self._header, *_wrap(self._lines)]
        uses_numpy = any("np." in line for line in lines)
        return ["import numpy as np", *lines] if uses_numpy else lines

    def _write_header(self) -> None:
        """Write the imports and the definitions of toys; Unwritable where two have one name."""
        spellings: dict[Spelling, None] = {}
        definitions: dict[str, None] = {}
        for step in self._steps:
            if isinstance(step, Name):
                spellings[self._spellings[step.name]] = None
            if isinstance(step, Make) and isinstance(step.recipe, Toy):
                definitions[step.recipe.source.definition] = None
        for spelling in spellings:
            self._names.append(spelling.name)
            self._header.append(f"from {spelling.module} import {spelling.name}")
        for definition in definitions:
            self._names += _DEFINED.findall(definition)
            self._header += [line for line in definition.splitlines() if line.strip()]
            self._header.append("")  # ends a definition in interactive Python
        if len(set(self._names)) < len(self._names):
            raise Unwritable

    def _write_step(self, number: int, step: Any) -> None:
        if isinstance(step, Name):
            self._texts[number] = self._spellings[step.name].name
        elif isinstance(step, Call):
            self._write_call(number, step)
        elif isinstance(step, Get):
            self._place(number, f"{self._fill(step.of)}.{step.name}", step.name)
        elif isinstance(step, Set):
            self._lines.append(f"{self._fill(step.of)}.{step.name} = {self._fill(step.value)}")
        elif isinstance(step, Refill):
            line = _REFILLED.get(type(step.recipe.value), "{}[...] = {}")
            contents = _write_recipe(step.recipe)
            self._lines.append(line.format(self._fill(step.of), contents))
        elif isinstance(step, Unpack):
            self._write_unpack(number, step)
        elif isinstance(step, Item) and number not in self._texts:
            self._place(number, f"{self._fill(step.of)}[{step.key!r}]", "item")

    def _write_call(self, number: int, step: Call) -> None:
        function = self._fill(step.function)
        called = self._steps[step.function.number]
        parameters = self._spellings[called.name].parameters if isinstance(called, Name) else ()
        given = []
        for value, name in zip_longest(step.arguments, parameters[: len(step.arguments)], fillvalue=""):
            given.append(self._fill(value, name))
        for name, value in step.keywords.items():
            given.append(f"{name}={self._fill(value, name)}")
        call = f"{function}({', '.join(given)})"
        users = self._users[number]
        asked = [user for user in users if isinstance(self._steps[user], ErrorOf)]
        if asked:
            error = self._choose_name("error")
            self._texts.update(dict.fromkeys(asked, error))
            self._lines += [f"{error} = None", "try:", f"    {call}", "except Exception as raised:"]
            self._lines += [f"    {error} = type(raised).__name__", ""]
        else:
            class_word = _LAST_WORD.search(function) if function[0].isupper() else None
            self._place(number, call, class_word[0].lower() if class_word else "result")

    def _write_unpack(self, number: int, step: Unpack) -> None:
        given = self._fill(step.of)
        names = [self._choose_name("value") for _ in range(step.count)]
        for user in self._users[number]:
            self._texts[user] = names[self._steps[user].key]
        targets = ", ".join(names)
        self._lines.append(f"{targets} = {given}" if step.count > 1 else f"[{targets}] = {given}")

    def _fill(self, given: Any, name: str = "") -> str:
        """Write what is given to a step; `name`: of the parameter, for a long argument."""
        if isinstance(given, (list, tuple, dict)):
            return write_items(given, self._fill)
        if not isinstance(given, StepResult):
            return write_value(given)
        step = self._steps[given.number]
        if isinstance(step, Make) and given.number not in self._texts:
            text = _write_recipe(step.recipe)
            is_long = isinstance(step.recipe, Copy) and len(text) > _INLINE_CHARACTERS and name != ""
            self._place(given.number, text, name or "argument", is_long=is_long)
        return self._texts[given.number]

    def _place(self, number: int, text: str, name: str, *, is_long: bool = False) -> None:
        """Have a text stand for a step that is used once, next or to be printed; else assign it."""
        users = self._users[number]
        uses = len(users) + (number in self._shown)
        between = self._steps[number + 1 : max(users, default=0)]
        is_next = all(isinstance(step, (Make, Name)) for step in between)
        if not uses:
            self._lines.append(text)
        elif text.isidentifier() or (uses == 1 and is_next and not is_long):
            self._texts[number] = text
        else:
            self._texts[number] = self._choose_name(name)
            self._lines.append(f"{self._texts[number]} = {text}")

    def _choose_name(self, wanted: str) -> str:
        """Choose a name for a variable that nothing else has."""
        name, number = wanted, 1
        while name in self._names:
            number += 1
            name = f"{wanted}_{number}"
        self._names.append(name)
        return name

    def _print(self) -> None:
        """Print what was not yet."""
        if self._printed:
            self._lines.append(f"print({', '.join(self._printed)})")
        self._printed.clear()


def _write_recipe(recipe: Any) -> str:
    if isinstance(recipe, Generator):
        return f"np.random.default_rng({recipe.seed!r})"
    if isinstance(recipe, Constant):
        return f"lambda *_, **__: {write_value(recipe.value)}"
    if isinstance(recipe, Toy):
        return recipe.source.expression
    return _write_copy(recipe.value, _LAID_OUT[recipe.layout])


def _write_copy(value: Any, layout: str) -> str:
    if isinstance(value, (dict, list, tuple)):
        return write_items(value, lambda each: _write_copy(each, layout))
    has_axes = isinstance(value, np.ndarray) and value.ndim > 0
    return layout.format(write_value(value)) if has_axes else write_value(value)


def _wrap(lines: list[str]) -> list[str]:
    """Break lines that are too long; Unwritable or SyntaxError where that would break a text."""
    wrapped: list[str] = []
    for line in lines:
        broken = textwrap.wrap(line, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        wrapped += broken or [""]
    before = ast.parse("\n".join(lines))
    after = ast.parse("\n".join(wrapped))
    is_same = ast.dump(before) == ast.dump(after)
    if not is_same or max(map(len, wrapped)) > _WIDTH:
        raise Unwritable
    return wrapped


def write_value(value: Any) -> str:
    """Write an expression that makes the value; Unwritable for one that is too large, or no plain value."""
    if isinstance(value, np.ndarray):
        return _write_array(value)
    if isinstance(value, float):
        return repr(float(f"{value:.{_DIGITS}g}")) if np.isfinite(value) else f"float('{value}')"
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return repr(value)
    return write_items(value, write_value)


def write_items(value: Any, write: Callable[[Any], str]) -> str:
    """Write a dict, a list or a tuple whose items `write` writes."""
    if isinstance(value, dict):
        pairs = [f"{write(key)}: {write(item)}" for key, item in value.items()]
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(write, value))}]"
    if isinstance(value, tuple):
        end = "," if len(value) == 1 else ""
        return f"({', '.join(map(write, value))}{end})"
    raise Unwritable


def _write_array(values: np.ndarray[Any, Any]) -> str:
    if values.size > _NUMBERS or values.dtype.kind not in "bif":
        raise Unwritable
    if not values.size:
        return f"np.zeros({values.shape})"
    numbers = write_value(values.tolist())
    is_usual = values.dtype in (np.float64, np.int64, np.bool_)
    return f"np.array({numbers})" if is_usual else f"np.array({numbers}, dtype=np.{values.dtype})"
