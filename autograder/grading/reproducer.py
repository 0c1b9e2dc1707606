"""Reproducer: turns what a test asked of a student's code into lines of Python that the student can run.

The lines make the last call of the test again, which is the one that failed; for an object, all that was done to it.
Where an argument cannot be written down, or the lines would be many, there are none.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.sandbox.host.callback_source import CallbackSource
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Handle

_LINES = 30
_WIDTH = 110
_INLINE_CHARACTERS = 30  # an argument longer than this gets a line of its own
_NUMBERS = 300  # of one array
_DIGITS = 8  # as the text of a failed check has them
_OF_OBJECTS = (messages.GET, messages.SET, messages.CALL_METHOD)


@dataclass(frozen=True)
class Asked:
    """One request of a test, as the worker got it, and the value that came back, None where none did."""

    kind: str
    arguments: tuple[Any, ...]
    reply: object = None


@dataclass(frozen=True)
class Spelling:
    """Where a student's function or class is, under the name it has there; `parameters` are the reference's."""

    module: str
    name: str
    parameters: tuple[str, ...]


class _Unwritable(Exception):
    """An argument has no text of a sensible size."""


def write_reproducer(asked: Sequence[Asked], spellings: Mapping[int, Spelling], remarks: Sequence[str] = ()) -> str:
    """The lines, with the remarks as comments at their end; empty where there are none.

    `spellings`: by the numbers of their handles, the functions and classes that the test looked up.
    """
    script = _Script(asked, spellings)
    try:
        script.write()
    except _Unwritable:
        return ""
    lines = [*script.header(), *script.lines, *(f"# {remark}" for remark in remarks)]
    text = "\n".join(lines)
    if len(text.splitlines()) > _LINES:
        return ""
    try:
        ast.parse(text)
    except SyntaxError:  # a text with spaces in it was broken over two lines
        return ""
    return text


class _Script:
    """The lines that are written so far, and what they need in front."""

    def __init__(self, asked: Sequence[Asked], spellings: Mapping[int, Spelling]) -> None:
        self.lines: list[str] = []
        self._asked = asked
        self._spellings = spellings
        self._imports: list[Spelling] = []
        self._definitions: list[str] = []
        self._made = {each.reply.id: each for each in asked if isinstance(each.reply, Handle)}

    def header(self) -> list[str]:
        """The imports and the definitions of what stands in for the grader's functions."""
        imports = [f"from {each.module} import {each.name}" for each in dict.fromkeys(self._imports)]
        definitions = list(dict.fromkeys(self._definitions))
        uses_numpy = any("np." in line for line in (*definitions, *self.lines))
        return ["import numpy as np"] * uses_numpy + imports + definitions

    def write(self) -> None:
        """Write the last request, with all that led to it."""
        last = next((each for each in reversed(self._asked) if each.kind not in messages.MADE_OBJECTS), None)
        if last is None:
            raise _Unwritable
        if last.kind in messages.FUNCTION_CALLS and not isinstance(last.reply, Handle):
            self._print(self._call(self._spelling(last.arguments[0]), last.arguments[1]))
            return
        number = last.reply.id if isinstance(last.reply, Handle) else last.arguments[0].id
        self._write_object(number, [each for each in self._asked if _concerns(each, number)])

    def _write_object(self, number: int, requests: Sequence[Asked]) -> None:
        maker = self._made.get(number)
        if maker is None or maker.kind not in messages.FUNCTION_CALLS:
            raise _Unwritable
        spelling = self._spelling(maker.arguments[0])
        name = _variable(spelling.name)
        self._assign(name, self._call(spelling, maker.arguments[1]))
        steps = [each for each in requests if each.kind in (messages.SET, messages.CALL_METHOD)]
        for step in steps:
            _, attribute, value = step.arguments
            if step.kind == messages.SET:
                self._assign(f"{name}.{attribute}", _text_of(value))
            else:
                call = f"{name}.{attribute}({', '.join(map(_text_of, value))})"
                self.lines.append(f"print({call})" if step is requests[-1] else call)
        after = requests[requests.index(steps[-1]) + 1 :] if steps else requests
        seen = dict.fromkeys(each.arguments[1] for each in after if each.kind == messages.GET)
        if seen:
            self._print(", ".join(f"{name}.{attribute}" for attribute in seen))

    def _call(self, spelling: Spelling, arguments: Sequence[Any]) -> str:
        self._imports.append(spelling)
        names = [*spelling.parameters, *(f"argument{n}" for n in range(len(spelling.parameters), len(arguments)))]
        texts = [self._argument(name, value) for name, value in zip(names, arguments, strict=False)]
        return f"{spelling.name}({', '.join(texts)})"

    def _argument(self, name: str, value: Any) -> str:
        if isinstance(value, Handle):
            return self._made_in_worker(value)
        source = getattr(value, "source", None)
        if isinstance(source, CallbackSource):
            self._definitions.append(source.definition)
            return source.expression
        text = _text_of(value)
        if len(text) <= _INLINE_CHARACTERS:
            return text
        self._assign(name, text)
        return name

    def _made_in_worker(self, handle: Handle) -> str:
        maker = self._made.get(handle.id)
        calls = [each.arguments[1] for each in self._asked if each.kind in messages.FUNCTION_CALLS]
        uses = sum(isinstance(item, Handle) and item == handle for arguments in calls for item in arguments)
        if maker is not None and maker.kind == messages.GENERATOR and uses == 1:  # used before, its state is another
            return f"np.random.default_rng({maker.arguments[0]!r})"
        raise _Unwritable

    def _spelling(self, handle: object) -> Spelling:
        found = self._spellings.get(handle.id) if isinstance(handle, Handle) else None
        if found is None:
            raise _Unwritable
        return found

    def _assign(self, name: str, text: str) -> None:
        self.lines += _wrapped(f"{name} = {text}")

    def _print(self, text: str) -> None:
        self.lines += _wrapped(f"print({text})")


def _concerns(asked: Asked, number: int) -> bool:
    target = asked.arguments[0] if asked.arguments else None
    return isinstance(target, Handle) and target.id == number and asked.kind in _OF_OBJECTS


def _variable(class_name: str) -> str:
    words = re.findall(r"[A-Z][a-z]+", class_name)
    return words[-1].lower() if words else "made"


def _wrapped(line: str) -> Iterator[str]:
    yield from textwrap.wrap(line, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _text_of(value: Any) -> str:
    """An expression that makes the value."""
    if isinstance(value, np.ndarray):
        return _text_of_array(value)
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return repr(value)
    if isinstance(value, float):
        return repr(float(f"{value:.{_DIGITS}g}")) if np.isfinite(value) else f"float('{value}')"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text_of(key)}: {_text_of(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(_text_of, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    raise _Unwritable


def _text_of_array(values: np.ndarray[Any, Any]) -> str:
    if values.size > _NUMBERS or values.dtype.kind not in "bif" or not np.isfinite(values).all():
        raise _Unwritable
    if not values.size:
        return f"np.zeros({values.shape})"
    is_usual = values.dtype in (np.float64, np.int64, np.bool_)
    return f"np.array({_text_of(values.tolist())}" + (")" if is_usual else f", dtype=np.{values.dtype})")
