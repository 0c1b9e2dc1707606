"""Lines to run: writes what a check did until it refused a value as lines of Python, for the student to paste."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from autograder.checks.values import is_equal
from autograder.grading.expression import Unwritable, write_value
from autograder.public_checks.home_student import Call, Made, Step, find_maker
from autograder.sandbox.host.callbacks import Callback, ServedObject
from autograder.sandbox.protocol import messages

_LINES = 30
_WIDTH = 110
_INLINE_CHARACTERS = 30  # a longer argument is assigned on a separate line

Done = Sequence[Call | Step]


def write_lines(module: str, done: Done, parameters: Mapping[str, Sequence[str]], remarks: Sequence[str] = ()) -> str:
    """Write the last of what was done, and for an object all that was done with it; the remarks are comments.

    Empty if an argument has no text of a sensible size. `parameters`: the names of the arguments, by function.
    """
    script = _Script(parameters)
    try:
        script.write(done)
    except Unwritable:
        return ""
    head = [*(f"from {module} import {each}" for each in script.imports), *(f"{each}\n" for each in script.definitions)]
    lines = [*head, *script.lines, *(f"# {each}" for each in remarks)]
    text = "\n".join(["import numpy as np"] * any("np." in line for line in lines) + lines)
    return text if len(text.splitlines()) <= _LINES else ""


def cut_after_value(done: Done, found: object) -> Done:
    """Return what was done up to the last that gave a value, or one in which it is."""
    return done[: next((end for end in range(len(done), 0, -1) if _has(done[end - 1].value, found)), len(done))]


def cut_after_call(done: Done, tested: Collection[str]) -> Done:
    """Return what was done up to the last call of a function or method that is tested."""
    names = {part for name in tested for part in (name, name.rpartition(".")[2])}
    ends = range(len(done), 0, -1)
    return done[: next((end for end in ends if _name_called(done[end - 1]) in names), len(done))]


class _Script:
    """The lines written so far, and the functions and definitions that they need."""

    def __init__(self, parameters: Mapping[str, Sequence[str]]) -> None:
        self._parameters = parameters
        self.imports: dict[str, None] = {}
        self.definitions: dict[str, None] = {}
        self.lines: list[str] = []

    def write(self, done: Done) -> None:
        """Write lines that print the last value."""
        if not done:
            raise Unwritable
        last = done[-1]
        owner = last.owner if isinstance(last, Step) else last.value
        maker = find_maker(owner)
        if maker is None and isinstance(last, Call):
            self.lines += _wrap(f"print({self._write_call(last)})")
        elif maker is None:
            raise Unwritable
        else:
            self._write_object(maker, [each for each in done if isinstance(each, Step) and each.owner is owner])

    def _write_object(self, maker: Call, steps: Sequence[Step]) -> None:
        """Write lines that make an object, repeat what was done with it, and print its last value or attributes."""
        name = re.findall(r"[A-Z]?[a-z0-9]*", maker.function)[-2].lower() or "made"
        self.lines += _wrap(f"{name} = {self._write_call(maker)}")
        last = max((place for place, each in enumerate(steps) if each.kind != messages.GET), default=-1)
        for place, step in enumerate(steps[: last + 1]):
            given = ", ".join(map(write_value, step.arguments))
            if step.kind == messages.SET:
                self.lines += _wrap(f"{name}.{step.name} = {given}")
            elif step.kind == messages.CALL_METHOD:
                text = f"{name}.{step.name}({given})"
                self.lines += _wrap(f"print({text})" if place == len(steps) - 1 else text)
        seen = dict.fromkeys(each.name for each in steps[last + 1 :])
        if seen:
            self.lines += _wrap(f"print({', '.join(f'{name}.{each}' for each in seen)})")

    def _write_call(self, call: Call) -> str:
        """Write a call, on lines before it its long arguments."""
        self.imports[call.function] = None
        known = self._parameters.get(call.function, ())
        names = [*known, *(f"argument{place}" for place in range(len(known), len(call.arguments)))]
        given = [self._write_argument(*each) for each in zip(names, call.arguments, strict=False)]
        return f"{call.function}({', '.join(given)})" + (f"[{call.part}]" if call.part is not None else "")

    def _write_argument(self, name: str, value: Any) -> str:
        source = value.source if isinstance(value, (Callback, ServedObject)) else None
        maker = find_maker(value)
        if source is not None:
            self.definitions[source.definition] = None
            return source.expression
        if isinstance(value, Made):
            if not value.source or value.uses > 1:  # an earlier use has changed its state
                raise Unwritable
            return value.source
        text = write_value(value) if maker is None else self._write_call(maker)
        if len(text) <= _INLINE_CHARACTERS and maker is None:
            return text
        self.lines += _wrap(f"{name} = {text}")
        return name


def _wrap(line: str) -> list[str]:
    return textwrap.wrap(line, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _name_called(did: Call | Step) -> str:
    if isinstance(did, Call):
        return did.function
    return did.name if did.kind == messages.CALL_METHOD else ""


def _has(value: object, part: object) -> bool:
    if value is part or (value is not None and is_equal(value, part)):
        return True
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return any(_has(item, part) for item in items)
