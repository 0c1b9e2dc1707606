"""Assignment: turns `assignment.toml` into questions with their points, file names, functions and other spellings.

A mistake in that file is the staff's: it raises `AssignmentError`, which names the file, the place, what was found
and what to write. Plain dataclasses, because this module is on the path of every start.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class AssignmentError(Exception):
    """`assignment.toml` cannot be used; the text tells the staff where and why."""


@dataclass(frozen=True)
class Function:
    """One graded function; `Class.method` is a method and the bare class name its constructor.

    `also_in`: files of the submission that may hold it where the question's own file does not define it, in order of
    preference. `placeholders`: names that starter code leaves undefined; a NameError or AttributeError about one
    means "not written yet".
    """

    name: str
    also_in: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variant:
    """Another year's spelling of a question: a file that defines one of `tells` is of this variant.

    `names` leads from the name used here to the variant's; `dropped_arguments` holds the positions that the variant
    leaves out.
    """

    id: str
    tells: tuple[str, ...]
    names: Mapping[str, str]
    dropped_arguments: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Question:
    """One question, known by its stem. `files` are the names of its file, in order of preference.

    `borrowed_files` belong to other questions: one of them is taken where none of `files` exists and it defines one
    of the functions.
    """

    stem: str
    title: str
    points: float
    files: tuple[str, ...]
    functions: tuple[Function, ...]
    variants: tuple[Variant, ...] = ()
    borrowed_files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assignment:
    """The questions in the order in which they are reported."""

    title: str
    questions: tuple[Question, ...]

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of all questions."""
        return tuple(question.stem for question in self.questions)


def load_assignment(path: Path) -> Assignment:
    """The assignment that a TOML file declares; `AssignmentError` where it cannot be read or does not make sense."""
    top = _Table(_parsed(path), file=path, place="top level")
    title = top.text("title")
    questions = [_question(table) for table in top.tables("questions")]
    top.end()
    top.require_distinct([question.stem for question in questions], "stem")
    if not questions:
        top.refuse("no [[questions]] was found; write one for each question")
    return Assignment(title, tuple(questions))


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise AssignmentError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise AssignmentError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise AssignmentError(f"{path}: is not valid TOML: {error}") from error


def _question(table: _Table) -> Question:
    stem = table.identifier("stem")
    table.place = f"{table.place} ({stem})"
    title, points = table.text("title"), table.points("points")
    files, borrowed = table.files("files"), table.files("borrowed_files", default=())
    if not files:
        table.refuse("`files` is empty; name at least one file, such as 'word2vec.py'")
    functions = tuple(_function(each) for each in table.tables("functions"))
    if not functions:
        table.refuse("no [[questions.functions]] was found; write one for each graded function")
    names = [function.name for function in functions]
    table.require_distinct(names, "function")
    variants = tuple(_variant(each, names) for each in table.tables("variants"))
    table.require_distinct([variant.id for variant in variants], "variant")
    table.end()
    return Question(stem, title, points, files, functions, variants, borrowed)


def _function(table: _Table) -> Function:
    name = table.text("name")
    if len(name.split(".")) > 2 or not all(part.isidentifier() for part in name.split(".")):
        table.refuse(f"`name` is {name!r}; write the name of a function or `Class.method`")
    function = Function(name, table.files("also_in", default=()), table.names("placeholders", default=()))
    table.end()
    return function


def _variant(table: _Table, functions: Collection[str]) -> Variant:
    identity = table.text("id")
    table.place = f"{table.place} ({identity})"
    tells = table.names("tells")
    if not tells:
        table.refuse("`tells` is empty; name what only this variant's files define")
    names = table.mapping("names", functions, table.checked_identifier)
    dropped = table.mapping("dropped_arguments", functions, table.checked_positions)
    table.end()
    return Variant(identity, tells, names, dropped)


class _Table:
    """One TOML table being read: each reader takes a key out, so that what is left at the end is unknown."""

    def __init__(self, values: dict[str, Any], *, file: Path, place: str) -> None:
        self._values = dict(values)
        self._file = file
        self.place = place

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error about this table."""
        raise AssignmentError(f"{self._file}: {self.place}: {problem}")

    def end(self) -> None:
        """Refuse keys that nobody asked for."""
        if self._values:
            self.refuse(f"unknown key {min(self._values)!r}; remove it or correct its spelling")

    def require_distinct(self, values: Sequence[str], what: str) -> None:
        """Refuse a value that is declared twice."""
        for value in values:
            if values.count(value) > 1:
                self.refuse(f"the {what} {value!r} is declared {values.count(value)} times; declare it once")

    def text(self, key: str) -> str:
        """A text that is not empty."""
        value = self._taken(key, str, "a text in quotes")
        if not value.strip():
            self.refuse(f"`{key}` is empty; write a text")
        return str(value)

    def identifier(self, key: str) -> str:
        """A text that is a Python name."""
        return self.checked_identifier(f"`{key}`", self.text(key))

    def points(self, key: str) -> float:
        """A positive number."""
        value = self._taken(key, (int, float), "a number such as 10")
        if isinstance(value, bool) or not 0 < value < float("inf"):
            self.refuse(f"`{key}` is {value!r}; write a number above 0")
        return float(value)

    def tables(self, key: str) -> list[_Table]:
        """The tables of an array of tables; none where the key is missing."""
        values = self._taken(key, list, f"[[{key}]] tables", default=[])
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"`{key}` is {values!r}; write [[{key}]] tables")
        prefix = "" if self.place == "top level" else f"{self.place}, "
        return [
            _Table(value, file=self._file, place=f"{prefix}{key}[{number}]") for number, value in enumerate(values, 1)
        ]

    def files(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Names of Python files, without folders, in lower case or not."""
        names = self._texts(key, default)
        for name in names:
            if not (name.endswith(".py") and name[: -len(".py")].isidentifier()):
                self.refuse(f"`{key}` holds {name!r}; write a file name that Python can import, such as 'word2vec.py'")
        return names

    def names(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Python names."""
        return tuple(self.checked_identifier(f"`{key}`", name) for name in self._texts(key, default))

    def mapping(self, key: str, functions: Collection[str], checked: Any) -> dict[str, Any]:
        """A table whose keys are functions of the question; empty where it is missing."""
        values = self._taken(key, dict, "a table such as { skipgram = ... }", default={})
        for name in values:
            if name not in functions:
                known = ", ".join(functions)
                self.refuse(f"`{key}` speaks of {name!r}, which is no function of this question ({known})")
        return {name: checked(f"`{key}` of {name}", value) for name, value in values.items()}

    def checked_identifier(self, what: str, value: object) -> str:
        """The value as a Python name."""
        if not (isinstance(value, str) and value.isidentifier()):
            self.refuse(f"{what} is {value!r}; write a Python name")
        return str(value)

    def checked_positions(self, what: str, value: object) -> tuple[int, ...]:
        """The value as positions of arguments, counted from 0."""
        if not (isinstance(value, list) and value and all(type(item) is int and item >= 0 for item in value)):
            self.refuse(f"{what} is {value!r}; write a list of positions that count from 0, such as [1]")
        return tuple(value)

    def _texts(self, key: str, default: Sequence[str] | None) -> tuple[str, ...]:
        values = self._taken(key, list, "a list of texts", default=default)
        if not all(isinstance(value, str) for value in values):
            self.refuse(f"`{key}` is {values!r}; write a list of texts")
        self.require_distinct(values, f"`{key}` entry")
        return tuple(values)

    def _taken(self, key: str, kind: Any, wanted: str, *, default: Any = None) -> Any:
        if key not in self._values:
            if default is None:
                self.refuse(f"the key `{key}` is missing; write {wanted}")
            return default
        value = self._values.pop(key)
        if not isinstance(value, kind):
            self.refuse(f"`{key}` is {value!r} ({type(value).__name__}); write {wanted}")
        return value
