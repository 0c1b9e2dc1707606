"""Staff table: reads one TOML table of the staff's file, key by key; an error names the file, the place and the key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

Read = TypeVar("Read")


class AssignmentError(Exception):
    """`assignment.toml` cannot be used; the text tells the staff where and why."""


class StaffTable:
    """One TOML table being read: each reader takes a key out, so that what is left at the end is unknown."""

    def __init__(self, values: dict[str, Any], *, file: Path, place: str) -> None:
        self._values = dict(values)
        self._file = file
        self.place = place

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error about this table."""
        raise AssignmentError(f"{self._file}: {self.place}: {problem}")

    def refuse_unknown_keys(self) -> None:
        """Refuse keys that nobody asked for."""
        if self._values:
            self.refuse(f"unknown key {min(self._values)!r}; remove it or correct its spelling")

    def require_distinct(self, values: Sequence[str], what: str) -> None:
        """Refuse a value that is declared twice."""
        for value in values:
            if values.count(value) > 1:
                self.refuse(f"the {what} {value!r} is declared {values.count(value)} times; declare it once")

    def read_text(self, key: str) -> str:
        """A text that is not empty."""
        value = self._take(key, str, "a text in quotes")
        if not value.strip():
            self.refuse(f"`{key}` is empty; write a text")
        return str(value)

    def read_identifier(self, key: str) -> str:
        """A text that is a Python name."""
        return self.check_identifier(f"`{key}`", self.read_text(key))

    def read_points(self, key: str) -> float:
        """A positive number."""
        value = self._take(key, (int, float), "a number such as 10")
        if isinstance(value, bool) or not 0 < value < float("inf"):
            self.refuse(f"`{key}` is {value!r}; write a number above 0")
        return float(value)

    def read_number(self, key: str) -> float:
        """A number that may be 0, and is where it is missing."""
        return self.read_points(key) if self._values.get(key) else float(self._take(key, (int, float), "0", default=0))

    def read_optional(self, key: str, read: Callable[[StaffTable], Read]) -> Read | None:
        """What `read` makes of a table of that name; None where there is none."""
        if key not in self._values:
            return None
        table = StaffTable(self._take(key, dict, f"[{key}]"), file=self._file, place=key)
        value = read(table)
        table.refuse_unknown_keys()
        return value

    def read_tables(self, key: str) -> list[StaffTable]:
        """The tables of an array of tables; none where the key is missing."""
        values = self._take(key, list, f"[[{key}]] tables", default=[])
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"`{key}` is {values!r}; write [[{key}]] tables")
        prefix = "" if self.place == "top level" else f"{self.place}, "
        return [
            StaffTable(value, file=self._file, place=f"{prefix}{key}[{number}]")
            for number, value in enumerate(values, 1)
        ]

    def read_file_names(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Names of Python or TOML files, without folders, in lower case or not."""
        names = self._read_texts(key, default)
        for name in names:
            stem, _, ending = name.rpartition(".")
            if ending not in ("py", "toml") or not stem.isidentifier():
                self.refuse(f"`{key}` holds {name!r}; write a file name that Python can import, such as 'word2vec.py'")
        return names

    def read_names(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Python names."""
        return tuple(self.check_identifier(f"`{key}`", name) for name in self._read_texts(key, default))

    def read_words(self, key: str) -> tuple[str, ...]:
        """Texts, at least one."""
        words = self._read_texts(key, None)
        if not words:
            self.refuse(f"`{key}` is empty; write at least one")
        return words

    def read_plain_table(self, key: str) -> dict[str, Any]:
        """A table as it stands; empty where it is missing."""
        return dict(self._take(key, dict, "a table", default={}))

    def read_mapping(self, key: str, functions: Collection[str], checked: Any) -> dict[str, Any]:
        """A table whose keys are functions of the question; empty where it is missing."""
        values = self._take(key, dict, "a table such as { skipgram = ... }", default={})
        for name in values:
            if name not in functions:
                known = ", ".join(functions)
                self.refuse(f"`{key}` speaks of {name!r}, which is no function of this question ({known})")
        return {name: checked(f"`{key}` of {name}", value) for name, value in values.items()}

    def check_identifier(self, what: str, value: object) -> str:
        """The value as a Python name."""
        if not (isinstance(value, str) and value.isidentifier()):
            self.refuse(f"{what} is {value!r}; write a Python name")
        return str(value)

    def check_positions(self, what: str, value: object) -> tuple[int, ...]:
        """The value as positions of arguments, counted from 0."""
        if not (isinstance(value, list) and value and all(type(item) is int and item >= 0 for item in value)):
            self.refuse(f"{what} is {value!r}; write a list of positions that count from 0, such as [1]")
        return tuple(value)

    def _read_texts(self, key: str, default: Sequence[str] | None) -> tuple[str, ...]:
        values = self._take(key, list, "a list of texts", default=default)
        if not all(isinstance(value, str) for value in values):
            self.refuse(f"`{key}` is {values!r}; write a list of texts")
        self.require_distinct(values, f"`{key}` entry")
        return tuple(values)

    def _take(self, key: str, kind: Any, wanted: str, *, default: Any = None) -> Any:
        if key not in self._values:
            if default is None:
                self.refuse(f"the key `{key}` is missing; write {wanted}")
            return default
        value = self._values.pop(key)
        if not isinstance(value, kind):
            self.refuse(f"`{key}` is {value!r} ({type(value).__name__}); write {wanted}")
        return value
