"""TOML table: reads a table of `assignment.toml` key by key; an error names the file, the table and the key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

from autograder import GraderError, UserError
from autograder.plain_text import find_near

Read = TypeVar("Read")


class AssignmentError(GraderError):
    """`assignment.toml`, or the declaration of a mistake, cannot be used; the text says where and why."""


class GoneKeyError(UserError):
    """A file of staff has a key that there is no more; the text says where it is, and what to write."""


class Rule(NamedTuple):
    """What a value has to be: its type, the words for it in a message, and what holds for it."""

    kind: type | tuple[type, ...]
    wanted: str
    holds: Callable[[Any], object] = lambda _: True

    def describe_fault(self, value: object) -> str:
        """Describe the fault of a value; "" if it has none."""
        is_flag = isinstance(value, bool) and self.kind is not bool
        if is_flag or not isinstance(value, self.kind):
            return f"{value!r} ({type(value).__name__}); write {self.wanted}"
        return "" if self.holds(value) else f"{value!r}; write {self.wanted}"


_NUMBER = (int, float)
TEXT = Rule(str, "a text in quotes", str.strip)
POSITIVE = Rule(_NUMBER, "a number above 0", lambda number: 0 < number < inf)
NOT_NEGATIVE = Rule(_NUMBER, "a number that is 0 or more", lambda number: 0 <= number < inf)
COUNT = Rule(int, "a whole number that is 0 or more", lambda number: number >= 0)
TABLE = Rule(dict, "a table such as { ... }")
NAME = Rule(str, "a Python name", str.isidentifier)
DOTTED_NAME = Rule(str, "names with dots between them", lambda text: all(map(str.isidentifier, text.split("."))))
_TEXTS = Rule(list, "a list of texts", lambda values: all(isinstance(value, str) for value in values))


def find_line(text: str, question_id: str, key: str) -> int:
    """Find the first line, from 1, of a key in the text of an assignment; 0 if there is none.

    `question_id`: in the table of this question; empty for any place.
    """
    is_inside = not question_id
    found = 0
    for number, line in enumerate(text.splitlines(), 1):
        name, _, value = line.partition("=")
        name = name.strip()
        if question_id and name == "[[questions]]":
            if is_inside:
                break
            found = 0
        if name == "id" and value.strip().strip("\"'") == question_id:
            is_inside = True
        if name == key:
            found = found or number
        if found and is_inside:
            return found
    return 0


class StaffTable:
    """A TOML table being read: each `read` method removes its key, so the keys left at the end are unknown."""

    def __init__(self, values: dict[str, Any], *, file: Path, place: str) -> None:
        self._values = dict(values)
        self._asked: list[str] = []
        self._file = file
        self.place = place

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error about this table."""
        raise AssignmentError(f"{self._file}: {self.place}: {problem}")

    def refuse_unknown_keys(self) -> None:
        """Refuse the keys that were not read."""
        if self._values:
            key = min(self._values)
            near = find_near(key, self._asked)
            advice = f"did you mean {near!r}?" if near else "remove it or correct its spelling"
            self.refuse(f"unknown key {key!r}{self._say_line(key)}; {advice}")

    def _say_line(self, key: str) -> str:
        """Say in which line a key is first; nothing where that is not known."""
        line = find_line(self._file.read_text(encoding="utf-8"), "", key) if self._file.exists() else 0
        return f" in line {line}" if line else ""

    def require_distinct(self, values: Sequence[str], what: str) -> None:
        """Refuse a value that is declared twice."""
        for value in values:
            if values.count(value) > 1:
                self.refuse(f"the {what} {value!r} is declared {values.count(value)} times; declare it once")

    def read(self, key: str, rule: Rule, default: Any = None) -> Any:
        """Read a value that follows the rule, numbers as floats; without a default, the key has to be there."""
        self._asked.append(key)
        if key not in self._values:
            if default is None:
                near = find_near(key, self._values)
                found = f", and there is an unknown key `{near}`{self._say_line(near)}" if near else ""
                self.refuse(f"the key `{key}` is missing{found}; write {rule.wanted}")
            return default
        value = self._values.pop(key)
        self._require(f"`{key}` is", value, rule)
        return float(value) if rule.kind is _NUMBER else value

    def read_texts(self, key: str, rule: Rule = TEXT, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Read a list of texts that each follow the rule; at least one where there is no default."""
        values = self.read(key, _TEXTS, default)
        if not values and default is None:
            self.refuse(f"`{key}` is empty; write at least one, {rule.wanted}")
        self.require_distinct(values, f"`{key}` entry")
        for value in values:
            self._require(f"`{key}` holds", value, rule)
        return tuple(values)

    def read_mapping(self, key: str, functions: Collection[str], rule: Rule) -> dict[str, Any]:
        """Read a table of values that follow the rule, by functions of the question; empty if the key is missing."""
        values: dict[str, Any] = self.read(key, TABLE, {})
        for name, value in values.items():
            if name not in functions:
                known = ", ".join(functions)
                self.refuse(f"`{key}` has the key {name!r}, which is no function of this question ({known})")
            self._require(f"`{key}` of {name} is", value, rule)
        return values

    def read_optional(self, key: str, read: Callable[[StaffTable], Read]) -> Read | None:
        """Pass the table of that name to `read` and return its result; None if there is no such table."""
        if key not in self._values:
            return None
        return self._read_inner(self.read(key, Rule(dict, f"[{key}]")), key, read)

    def read_all_tables(self, read: Callable[[StaffTable], Read]) -> dict[str, Read]:
        """Read all keys that are left, each of which has to be a table."""
        return {key: self._read_inner(self.read(key, TABLE), f"{self.place}, {key}", read) for key in [*self._values]}

    def read_tables(self, key: str, read: Callable[[StaffTable], Read]) -> tuple[Read, ...]:
        """Read an array of tables; empty if the key is missing."""
        rule = Rule(list, f"[[{key}]] tables", lambda values: all(isinstance(value, dict) for value in values))
        prefix = "" if self.place == "top level" else f"{self.place}, "
        found = []
        for number, values in enumerate(self.read(key, rule, []), 1):
            found.append(self._read_inner(values, f"{prefix}{key}[{number}]", read))
        return tuple(found)

    def _read_inner(self, values: dict[str, Any], place: str, read: Callable[[StaffTable], Read]) -> Read:
        table = StaffTable(values, file=self._file, place=place)
        result = read(table)
        table.refuse_unknown_keys()
        return result

    def _require(self, what: str, value: object, rule: Rule) -> None:
        fault = rule.describe_fault(value)
        if fault:
            self.refuse(f"{what} {fault}")
