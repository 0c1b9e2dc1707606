"""Reproducer: turns the requests of a test to a student's code into lines of Python that the student can run.

The lines repeat the last call of the test, which failed; for an object, they repeat all requests to it. There are no
lines if an argument cannot be written as text, or if they would be too many.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from autograder.sandbox.host.callback_source import CallbackSource
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Handle

_LINES = 30
_WIDTH = 110
_INLINE_CHARACTERS = 30  # a longer argument is assigned on a separate line
_NUMBERS = 300  # of one array
_DIGITS = 8  # as in the text of a failed check
_FRESH = '"".join'
_FRESH_REMARK = '"".join makes a text that is equal, but another object: compare texts with ==, not with "is"'
_OF_OBJECTS = (messages.GET, messages.SET, messages.CALL_METHOD)


@dataclass(frozen=True)
class RecordedRequest:
    """A request of a test, as the worker received it, and its reply if that is a handle."""

    kind: str
    arguments: tuple[Any, ...]
    reply: object = None


@dataclass(frozen=True)
class Spelling:
    """The module and name of a student's function or class; `parameters` are the reference's."""

    module: str
    name: str
    parameters: tuple[str, ...]


class _Unwritable(Exception):
    """An argument has no text of a sensible size."""


def write_reproducer(
    asked: Sequence[RecordedRequest],
    spellings: Mapping[int, Spelling],
    remarks: Sequence[str] = (),
    *,
    fresh_texts: Collection[str] = (),
) -> str:
    """Write the lines, with the remarks as comments at the end; empty if the failure has no lines.

    `spellings`: by the numbers of their handles, the functions and classes that the test looked up. `fresh_texts`:
    texts that have to be other objects than the equal ones in the student's file, as all are in a worker.
    """
    script = _Script(asked, spellings, partial(_write_text, fresh_texts=fresh_texts))
    try:
        script.write()
    except _Unwritable:
        return ""
    if any(_FRESH in line for line in script.lines):
        remarks = [*remarks, _FRESH_REMARK]
    lines = [*script.write_header(), *script.lines, *(f"# {remark}" for remark in remarks)]
    text = "\n".join(lines)
    if len(text.splitlines()) > _LINES:
        return ""
    try:
        ast.parse(text)
    except SyntaxError:  # a text with spaces was wrapped over two lines
        return ""
    return text


class _Script:
    """The lines written so far, with the imports and definitions that they need."""

    def __init__(
        self, asked: Sequence[RecordedRequest], spellings: Mapping[int, Spelling], write_text: Callable[[str], str]
    ) -> None:
        self._write_text = write_text
        self.lines: list[str] = []
        self._asked = asked
        self._spellings = spellings
        self._imports: list[Spelling] = []
        self._definitions: list[str] = []
        self._made = {each.reply.id: each for each in asked if isinstance(each.reply, Handle)}

    def write_header(self) -> list[str]:
        """Write the imports, and the definitions that replace the grader's functions."""
        imports = [f"from {each.module} import {each.name}" for each in dict.fromkeys(self._imports)]
        definitions = list(dict.fromkeys(self._definitions))
        uses_numpy = any("np." in line for line in (*definitions, *self.lines))
        return ["import numpy as np"] * uses_numpy + imports + definitions

    def write(self) -> None:
        """Write the last request, and the requests that led to it."""
        last = next((each for each in reversed(self._asked) if each.kind not in messages.MADE_OBJECTS), None)
        if last is None:
            raise _Unwritable
        if last.kind in messages.FUNCTION_CALLS and not isinstance(last.reply, Handle):
            self._print(self._write_call(self._find_spelling(last.arguments[0]), last.arguments[1]))
            return
        number = last.reply.id if isinstance(last.reply, Handle) else last.arguments[0].id
        self._write_object(number, [each for each in self._asked if _is_about(each, number)])

    def _write_object(self, number: int, requests: Sequence[RecordedRequest]) -> None:
        maker = self._made.get(number)
        if maker is None or maker.kind not in messages.FUNCTION_CALLS:
            raise _Unwritable
        spelling = self._find_spelling(maker.arguments[0])
        name = _choose_variable(spelling.name)
        self._assign(name, self._write_call(spelling, maker.arguments[1]))
        steps = [each for each in requests if each.kind in (messages.SET, messages.CALL_METHOD)]
        for step in steps:
            _, attribute, value = step.arguments
            if step.kind == messages.SET:
                self._assign(f"{name}.{attribute}", self._write_value(value))
            else:
                call = f"{name}.{attribute}({', '.join(map(self._write_value, value))})"
                self.lines.append(f"print({call})" if step is requests[-1] else call)
        after = requests[requests.index(steps[-1]) + 1 :] if steps else requests
        seen = dict.fromkeys(each.arguments[1] for each in after if each.kind == messages.GET)
        if seen:
            self._print(", ".join(f"{name}.{attribute}" for attribute in seen))

    def _write_call(self, spelling: Spelling, arguments: Sequence[Any]) -> str:
        self._imports.append(spelling)
        names = [*spelling.parameters, *(f"argument{n}" for n in range(len(spelling.parameters), len(arguments)))]
        texts = [self._write_argument(name, value) for name, value in zip(names, arguments, strict=False)]
        return f"{spelling.name}({', '.join(texts)})"

    def _write_argument(self, name: str, value: Any) -> str:
        if isinstance(value, Handle):
            return self._write_made_in_worker(value)
        source = getattr(value, "source", None)
        if isinstance(source, CallbackSource):
            self._definitions.append(source.definition)
            return source.expression
        text = self._write_value(value)
        if len(text) <= _INLINE_CHARACTERS:
            return text
        self._assign(name, text)
        return name

    def _write_made_in_worker(self, handle: Handle) -> str:
        maker = self._made.get(handle.id)
        calls = [each.arguments[1] for each in self._asked if each.kind in messages.FUNCTION_CALLS]
        uses = sum(isinstance(item, Handle) and item == handle for arguments in calls for item in arguments)
        if (
            maker is not None and maker.kind == messages.GENERATOR and uses == 1
        ):  # an earlier use would have changed its state
            return f"np.random.default_rng({maker.arguments[0]!r})"
        raise _Unwritable

    def _write_value(self, value: Any) -> str:
        return _write_value(value, self._write_text)

    def _find_spelling(self, handle: object) -> Spelling:
        found = self._spellings.get(handle.id) if isinstance(handle, Handle) else None
        if found is None:
            raise _Unwritable
        return found

    def _assign(self, name: str, text: str) -> None:
        self.lines += _wrap(f"{name} = {text}")

    def _print(self, text: str) -> None:
        self.lines += _wrap(f"print({text})")


def _is_about(asked: RecordedRequest, number: int) -> bool:
    target = asked.arguments[0] if asked.arguments else None
    return isinstance(target, Handle) and target.id == number and asked.kind in _OF_OBJECTS


def _choose_variable(class_name: str) -> str:
    words = re.findall(r"[A-Z][a-z]+", class_name)
    return words[-1].lower() if words else "made"


def _wrap(line: str) -> Iterator[str]:
    yield from textwrap.wrap(line, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _write_text(text: str, *, fresh_texts: Collection[str]) -> str:
    is_fresh = text in fresh_texts and len(text) > 1  # Python has each letter once
    return f"{_FRESH}({text!r})" if is_fresh else repr(text)


def _write_value(value: Any, write_text: Callable[[str], str] = repr) -> str:
    """Write an expression that makes the value."""
    write = partial(_write_value, write_text=write_text)
    if isinstance(value, np.ndarray):
        return _write_array(value)
    if isinstance(value, str):
        return write_text(value)
    if value is None or isinstance(value, (bool, int, bytes)):
        return repr(value)
    if isinstance(value, float):
        return repr(float(f"{value:.{_DIGITS}g}")) if np.isfinite(value) else f"float('{value}')"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write(key)}: {write(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(write, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    raise _Unwritable


def _write_array(values: np.ndarray[Any, Any]) -> str:
    if values.size > _NUMBERS or values.dtype.kind not in "bif" or not np.isfinite(values).all():
        raise _Unwritable
    if not values.size:
        return f"np.zeros({values.shape})"
    is_usual = values.dtype in (np.float64, np.int64, np.bool_)
    return f"np.array({_write_value(values.tolist())}" + (")" if is_usual else f", dtype=np.{values.dtype})")
