"""Reproducer: turns the requests of a test to a student's code into lines of Python that the student can run.

The lines repeat the call whose value the test refused, else its last call; for an object, they repeat all requests to
it. There are no lines if an argument cannot be written as text, or if they would be too many.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.cases import Comparison
from autograder.checks.values import NotNumbers, convert_to_numbers, has_part, is_equal, is_remote
from autograder.contracts.part_comparison import is_use
from autograder.programs.expression import Unwritable, write_value
from autograder.programs.outcome import Outcome
from autograder.programs.plain_values import Handle
from autograder.programs.recipes import Generator
from autograder.sandbox.calls.recorded_request import RecordedRequest, list_single
from autograder.sandbox.protocol import messages

_LINES = 40
_WIDTH = 110
_INLINE_CHARACTERS = 30  # a longer argument is assigned on a separate line


@dataclass(frozen=True)
class Spelling:
    """The module and name of a student's function or class; `parameters` and `function` are the reference's."""

    module: str
    name: str
    parameters: tuple[str, ...]
    function: str = ""


class Lines(NamedTuple):
    """Lines of Python. `shown`: the replies to the expressions that they print, in the same order.

    `ending`: how the call that they repeat ended without a value, None where it had one. `refused`: the comparison that
    failed, None where something else did. `are_right`: they gave the right value when they were run, and are not shown.
    """

    text: str
    shown: tuple[object, ...] = ()
    ending: Outcome | None = None
    refused: Comparison | None = None
    are_right: bool = False


NO_LINES = Lines("")
RIGHT_ALONE = Lines("", are_right=True)


def find_refused(compared: Sequence[Comparison]) -> Comparison | None:
    """Return the comparison with which a check failed, None where something else did."""
    return compared[-1] if compared and not compared[-1].holds else None


def drop_silent(lines: Lines, refused: Comparison | None) -> Lines:
    """Return the lines; none if they would show only None that no check compared, or not the questions it refused."""
    is_silent = refused is None and all(each is None for each in lines.shown)
    is_unseen = refused is not None and is_use(refused.what)
    return NO_LINES if lines.ending is None and (is_silent or is_unseen) else lines


def write_reproducer(
    asked: Sequence[RecordedRequest],
    spellings: Mapping[int, Spelling],
    remarks: Sequence[str] = (),
    *,
    refused: Comparison | None = None,
    tested: Collection[str] = (),
) -> Lines:
    """Write the lines, with the remarks as comments at the end; NO_LINES if the failure has none.

    `spellings`: by the numbers of their handles, the functions and classes that the test looked up. `refused`:
    the comparison that failed, None where something else did: then the last call of a function of the test, one of
    those `tested`, is repeated.
    """
    if any(each.kind == messages.PROGRAMS for each in asked):
        return NO_LINES
    single, holds = list_single(asked), partial(has_part, is_same=_is_same)
    if refused is not None and refused.found is not None:
        is_there = any(each.value is refused.found for each in single)  # other objects may have an equal value
        asked = _cut_after(
            single, lambda each: each.value is refused.found if is_there else holds(each.value, refused.found)
        )
    else:  # many calls give None
        is_call = partial(_is_call_of, names=tested, spellings=spellings)
        asked = _cut_after(single, lambda each: is_call(each) and (refused is None or holds(each.value, None)))
    script = _Script(asked, spellings)
    try:
        script.write()
    except Unwritable:
        return NO_LINES
    lines = [*script.write_header(), *script.lines, *(f"# {remark}" for remark in remarks)]
    text = "\n".join(lines)
    if len(text.splitlines()) > _LINES:
        return NO_LINES
    try:
        ast.parse(text)
    except SyntaxError:  # a text with spaces was wrapped over two lines
        return NO_LINES
    return Lines(text, tuple(script.shown))


def _cut_after(
    asked: Sequence[RecordedRequest], is_wanted: Callable[[RecordedRequest], bool]
) -> Sequence[RecordedRequest]:
    """Return the requests up to the last that is wanted; all where none is."""
    ends = (end for end in range(len(asked), 0, -1) if is_wanted(asked[end - 1]))
    return asked[: next(ends, len(asked))]


def _is_call_of(asked: RecordedRequest, names: Collection[str], spellings: Mapping[int, Spelling]) -> bool:
    if asked.kind == messages.CALL_METHOD:
        return any(name.endswith(f".{asked.arguments[1]}") for name in names)
    spelling = spellings.get(asked.arguments[0].id) if asked.kind in messages.FUNCTION_CALLS else None
    return spelling is not None and spelling.function in names


def _is_same(value: object, part: object) -> bool:
    """Whether a value equals a part, or has the same numbers in another shape."""
    return value is part or (value is not None and (is_equal(value, part) or _has_numbers(value, part)))


def _has_numbers(value: object, part: object) -> bool:
    try:
        mine, theirs = (convert_to_numbers(each).ravel() for each in (value, part))
    except NotNumbers:
        return False
    return mine.size > 1 and np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == theirs.dtype.kind == "f")


class _Script:
    """The lines written so far, with the imports and definitions that they need."""

    def __init__(self, asked: Sequence[RecordedRequest], spellings: Mapping[int, Spelling]) -> None:
        self.lines: list[str] = []
        self.shown: list[object] = []
        self._asked = asked
        self._spellings = spellings
        self._imports: list[Spelling] = []
        self._definitions: list[str] = []
        self._made = {each.value.id: each for each in asked if isinstance(each.value, Handle)}

    def write_header(self) -> list[str]:
        """Write the imports, and the definitions that replace the grader's functions."""
        imports = [f"from {each.module} import {each.name}" for each in dict.fromkeys(self._imports)]
        definitions = [f"{each}\n" for each in dict.fromkeys(self._definitions)]  # a line for interactive Python
        uses_numpy = any("np." in line for line in (*definitions, *self.lines))
        return ["import numpy as np"] * uses_numpy + imports + definitions

    def write(self) -> None:
        """Write the last request, and the requests that led to it."""
        last = next((each for each in reversed(self._asked) if each.kind not in messages.MADE_OBJECTS), None)
        if last is None:
            raise Unwritable
        if last.kind in messages.FUNCTION_CALLS and not isinstance(last.value, Handle):
            spelling = self._find_spelling(last.arguments[0])
            changed = _find_changed(last, spelling.parameters)
            self._print(", ".join([self._write_call(spelling, last.arguments[1], changed), *changed]), [last])
            self.shown += changed.values()
            return
        number = last.value.id if isinstance(last.value, Handle) else last.arguments[0].id
        self._write_object(number, [each for each in self._asked if _is_about(each, number)])

    def _write_object(self, number: int, requests: Sequence[RecordedRequest]) -> None:
        maker = self._made.get(number)
        if maker is None or maker.kind not in messages.FUNCTION_CALLS:
            raise Unwritable
        spelling = self._find_spelling(maker.arguments[0])
        name = _choose_variable(spelling.name)
        self._assign(name, self._write_call(spelling, maker.arguments[1]))
        places = [place for place, each in enumerate(requests) if each.kind in (messages.SET, messages.CALL_METHOD)]
        for step in (requests[place] for place in places):
            _, attribute, value = step.arguments
            if step.kind == messages.SET:
                self._assign(f"{name}.{attribute}", write_value(value))
            else:
                call = f"{name}.{attribute}({', '.join(map(write_value, value))})"
                if step is requests[-1]:
                    self.shown.append(step.value)
                self.lines.append(f"print({call})" if step is requests[-1] else call)
        after = requests[places[-1] + 1 :] if places else requests
        seen = {each.arguments[1]: each for each in after if each.kind == messages.GET}
        if seen:
            self._print(", ".join(f"{name}.{attribute}" for attribute in seen), list(seen.values()))

    def _write_call(self, spelling: Spelling, arguments: Sequence[Any], assigned: Collection[str] = ()) -> str:
        self._imports.append(spelling)
        names = [*spelling.parameters, *(f"argument{n}" for n in range(len(spelling.parameters), len(arguments)))]
        given = sorted(enumerate(map(_get_handle, arguments)), key=lambda each: not isinstance(each[1], Handle))
        texts = {place: self._write_argument(names[place], value, assigned) for place, value in given}
        return f"{spelling.name}({', '.join(texts[place] for place in range(len(arguments)))})"

    def _write_argument(self, name: str, value: Any, assigned: Collection[str]) -> str:
        if isinstance(value, Handle):
            return self._write_made_in_worker(name, value)
        text = write_value(value)
        if len(text) <= _INLINE_CHARACTERS and name not in assigned:
            return text
        self._assign(name, text)
        return name

    def _write_made_in_worker(self, name: str, handle: Handle) -> str:
        maker = self._made.get(handle.id)
        if maker is not None and maker.kind == messages.CALL_KEEPING_VALUE:
            function, arguments, *part = maker.arguments
            self._assign(name, self._write_call(self._find_spelling(function), arguments) + (f"{part}" if part else ""))
            return name
        calls = [each.arguments[1] for each in self._asked if each.kind in messages.FUNCTION_CALLS]
        uses = sum(isinstance(item, Handle) and item == handle for arguments in calls for item in arguments)
        # An earlier use would have changed its state.
        recipe = maker.arguments[0] if maker is not None else None
        if isinstance(recipe, Generator) and uses == 1:
            return f"np.random.default_rng({recipe.seed!r})"
        raise Unwritable

    def _find_spelling(self, handle: object) -> Spelling:
        found = self._spellings.get(handle.id) if isinstance(handle, Handle) else None
        if found is None:
            raise Unwritable
        return found

    def _assign(self, name: str, text: str) -> None:
        self.lines += _wrap(f"{name} = {text}")

    def _print(self, text: str, requests: Sequence[RecordedRequest]) -> None:
        self.lines += _wrap(f"print({text})")
        self.shown += [_split_pair(each)[0] for each in requests]


def _get_handle(argument: Any) -> Any:
    """Return the handle of an object of the student's; any other argument as it is."""
    return argument.wire_handle if is_remote(argument) else argument


def _find_changed(asked: RecordedRequest, names: Sequence[str]) -> dict[str, object]:
    """Find the lists and arrays that a call changed, by name, as far as the test asked for that."""
    kept = _split_pair(asked)[1] if asked.kind == messages.CALL_KEEPING_ARGUMENTS else ()
    both = zip(names, asked.arguments[1], kept, strict=False)
    return {name: new for name, old, new in both if isinstance(old, (list, np.ndarray)) and not is_equal(old, new)}


def _split_pair(asked: RecordedRequest) -> tuple[object, Sequence[object]]:
    """Return the value of a call, and what came with it; nothing where a worker sent another form."""
    value: Any = asked.value
    kind = {messages.CALL_KEEPING_ARGUMENTS: tuple, messages.CALL_RECORDING_WARNINGS: list}.get(asked.kind)
    return value if kind is not None and messages.has_form(value, (object, kind)) else (value, ())


def _is_about(asked: RecordedRequest, number: int) -> bool:
    target = asked.arguments[0] if asked.arguments else None
    return isinstance(target, Handle) and target.id == number and asked.kind in messages.OF_OBJECTS


def _choose_variable(class_name: str) -> str:
    return str((re.findall("[A-Z][a-z]+", class_name) or ["made"])[-1]).lower()


def _wrap(line: str) -> Iterator[str]:
    yield from textwrap.wrap(line, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
