"""TOML table: reads a table of `assignment.toml` key by key; an error names the file, the table and the key."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from autograder import GraderError

Read = TypeVar("Read")


class AssignmentError(GraderError):
    """`assignment.toml`, or the declaration of a mistake, cannot be used; the text tells staff where and why."""


def find_line(text: str, stem: str, key: str) -> int:
    """Find the line, from 1, of a key of a question in the text of an assignment; 0 if there is none."""
    lines = list(enumerate(text.splitlines(), 1))
    starts = [number for number, line in lines if line.strip() == "[[questions]]"] + [len(lines) + 1]
    for start, end in itertools.pairwise(starts):
        keys = {line.partition("=")[0].strip(): (number, line) for number, line in reversed(lines[start - 1 : end - 1])}
        if keys.get("stem", (0, ""))[1].partition("=")[2].strip().strip("\"'") == stem:
            return keys.get(key, (0, ""))[0]
    return 0


class StaffTable:
    """A TOML table being read: each `read_` method removes its key, so the keys left at the end are unknown."""

    def __init__(self, values: dict[str, Any], *, file: Path, place: str) -> None:
        self._values = dict(values)
        self._file = file
        self.place = place

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error about this table."""
        raise AssignmentError(f"{self._file}: {self.place}: {problem}")

    def refuse_unknown_keys(self) -> None:
        """Refuse the keys that were not read."""
        if self._values:
            self.refuse(f"unknown key {min(self._values)!r}; remove it or correct its spelling")

    def require_distinct(self, values: Sequence[str], what: str) -> None:
        """Refuse a value that is declared twice."""
        for value in values:
            if values.count(value) > 1:
                self.refuse(f"the {what} {value!r} is declared {values.count(value)} times; declare it once")

    def read_text(self, key: str) -> str:
        """Read a text that is not empty."""
        value = self._take(key, str, "a text in quotes")
        if not value.strip():
            self.refuse(f"`{key}` is empty; write a text")
        return str(value)

    def read_optional_text(self, key: str) -> str:
        """Read a text that is not empty; empty if the key is missing."""
        return self.read_text(key) if key in self._values else ""

    def read_points(self, key: str) -> float:
        """Read a positive number."""
        value = self._take(key, (int, float), "a number such as 10")
        return float(self._require(key, value, 0 < value < float("inf"), "a number above 0"))

    def read_number(self, key: str) -> float:
        """Read a number that is 0 or more; 0 if the key is missing."""
        return self.read_points(key) if self._values.get(key) else float(self._take(key, (int, float), "0", default=0))

    def read_whole(self, key: str, bounds: tuple[int, int]) -> int | None:
        """Read a whole number within bounds, both included; None if the key is missing."""
        if key not in self._values:
            return None
        least, most = bounds
        wanted = f"a whole number from {least} to {most}"
        value = self._take(key, int, wanted)
        return int(self._require(key, value, least <= value <= most, wanted))

    def read_share(self, key: str) -> float:
        """Read a number from 0 to 1."""
        value = self._take(key, (int, float), "a number from 0 to 1")
        return float(self._require(key, value, 0 <= value <= 1, "a number from 0 to 1"))

    def read_flag(self, key: str) -> bool:
        """Read true or false; true if the key is missing."""
        return bool(self._take(key, bool, "true or false", default=True))

    def read_optional(self, key: str, read: Callable[[StaffTable], Read]) -> Read | None:
        """Pass the table of that name to `read` and return its result; None if there is no such table."""
        if key not in self._values:
            return None
        table = self._enter(self._take(key, dict, f"[{key}]"), key)
        value = read(table)
        table.refuse_unknown_keys()
        return value

    def read_all_tables(self) -> dict[str, StaffTable]:
        """Read all keys that are left, each of which has to be a table."""
        wanted = "a table such as { ... }"
        return {key: self._enter(self._take(key, dict, wanted), f"{self.place}, {key}") for key in list(self._values)}

    def read_tables(self, key: str) -> list[StaffTable]:
        """Read an array of tables; empty if the key is missing."""
        values = self._take(key, list, f"[[{key}]] tables", default=[])
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"`{key}` is {values!r}; write [[{key}]] tables")
        prefix = "" if self.place == "top level" else f"{self.place}, "
        return [self._enter(value, f"{prefix}{key}[{number}]") for number, value in enumerate(values, 1)]

    def read_file_names(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Read names of Python or TOML files, without folders, in any case."""
        names = self._read_texts(key, default)
        for name in names:
            stem, _, ending = name.rpartition(".")
            if ending not in ("py", "toml") or not stem.isidentifier():
                self.refuse(f"`{key}` holds {name!r}; write a name that Python can import, such as 'linear_layer.py'")
        return names

    def read_names(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Read Python names."""
        return tuple(self.check_identifier(f"`{key}`", name) for name in self._read_texts(key, default))

    def read_module_names(self, key: str) -> tuple[str, ...]:
        """Read names of modules, with or without their packages; none if the key is missing."""
        names = self._read_texts(key, ())
        for name in names:
            if not all(part.isidentifier() for part in name.split(".")):
                self.refuse(f"`{key}` holds {name!r}; write the name of a module as it is imported, such as 'torch'")
        return names

    def read_words(self, key: str) -> tuple[str, ...]:
        """Read a list of at least one text."""
        words = self._read_texts(key, None)
        if not words:
            self.refuse(f"`{key}` is empty; write at least one")
        return words

    def read_plain_table(self, key: str) -> dict[str, Any]:
        """Read a table without checking its keys; empty if it is missing."""
        return dict(self._take(key, dict, "a table", default={}))

    def read_mapping(self, key: str, functions: Collection[str], check: Any) -> dict[str, Any]:
        """Read a table whose keys are functions of the question; empty if it is missing."""
        values = self._take(key, dict, "a table such as { cost = ... }", default={})
        for name in values:
            if name not in functions:
                known = ", ".join(functions)
                self.refuse(f"`{key}` has the key {name!r}, which is no function of this question ({known})")
        return {name: check(f"`{key}` of {name}", value) for name, value in values.items()}

    def check_identifier(self, what: str, value: object) -> str:
        """Return the value if it is a Python name, else refuse it."""
        if not (isinstance(value, str) and value.isidentifier()):
            self.refuse(f"{what} is {value!r}; write a Python name")
        return str(value)

    def check_positions(self, what: str, value: object) -> tuple[int, ...]:
        """Return the value as positions of arguments, counted from 0."""
        if not (isinstance(value, list) and value and all(type(item) is int and item >= 0 for item in value)):
            self.refuse(f"{what} is {value!r}; write a list of positions that count from 0, such as [1]")
        return tuple(value)

    def _enter(self, values: dict[str, Any], place: str) -> StaffTable:
        return StaffTable(values, file=self._file, place=place)

    def _read_texts(self, key: str, default: Sequence[str] | None) -> tuple[str, ...]:
        values = self._take(key, list, "a list of texts", default=default)
        if not all(isinstance(value, str) for value in values):
            self.refuse(f"`{key}` is {values!r}; write a list of texts")
        self.require_distinct(values, f"`{key}` entry")
        return tuple(values)

    def _require(self, key: str, value: float, holds: bool, wanted: str) -> float:
        if isinstance(value, bool) or not holds:
            self.refuse(f"`{key}` is {value!r}; write {wanted}")
        return value

    def _take(self, key: str, kind: Any, wanted: str, *, default: Any = None) -> Any:
        if key not in self._values:
            if default is None:
                self.refuse(f"the key `{key}` is missing; write {wanted}")
            return default
        value = self._values.pop(key)
        if not isinstance(value, kind):
            self.refuse(f"`{key}` is {value!r} ({type(value).__name__}); write {wanted}")
        return value
