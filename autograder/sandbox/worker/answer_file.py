"""Answer file: turns a student's TOML file of answers into functions that the grader can call, one for each answer.

Loaded by the zygote, run in the worker after it has lost its rights. Trusts no byte of the file, which is the
student's: a parser in the grader's own process could be attacked. A file that is not valid TOML gets the functions too;
each of them raises the reason.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from autograder.sandbox.worker.answer_notation import (
    AnswerProblem,
    cut,
    expand_products,
    make_formula_function,
    read_rows,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE_CHARACTERS = 200_000  # megabytes of brackets or digits, which slow the parser down
TEXT_CHARACTERS = 10_000  # an answer of megabytes, too long to read
_POSITION = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_ADVICE = (
    ("Unescaped '\\'", "write a text with backslashes between ''' and '''"),
    ("Invalid hex value", "write a text with backslashes between ''' and '''"),
    ("Illegal character '\\n'", "write a text of several lines between three quotes"),
    ("Unterminated string", "close the quotes"),
    ('Expected \'"""\'', "close the three quotes"),
    ("Expected \"'''\"", "close the three quotes"),
    ("Invalid value", "write every answer in quotes"),
    ("Cannot overwrite", "write each key once"),
    ("Cannot declare", "write each [table] once"),
    ("Expected '='", 'write: key = "answer"'),
    ("Invalid statement", 'write: key = "answer"'),
)


class Spec(NamedTuple):
    """One required answer: the name of its function, its key, its kind, and its names, choices or columns."""

    name: str
    key: str
    kind: str
    words: tuple[str, ...]


def build_functions(text: str, specs: Sequence[Sequence[Any]], *, content: str, module: str) -> dict[str, Any]:
    """Build a function for each answer by name, and one named `content` that returns all texts and all mistakes.

    A function raises NotImplementedError if its answer is empty. `module`: the module name that the functions get.
    """
    file = _AnswerFile(text, [Spec(*spec) for spec in specs])
    functions = {spec.name: file.make_function(spec) for spec in file.specs} | {content: file.make_content_reader()}
    for function in functions.values():
        function.__module__ = module
    return functions


class _AnswerFile:
    """The values of a file by key, or the reason why it cannot be read."""

    def __init__(self, text: str, specs: Sequence[Spec]) -> None:
        self.specs = specs
        self.values: dict[str, Any] = {}
        self.refusal = ""
        try:
            self.values = _flatten_tables(_parse(text), {spec.key for spec in specs})
        except AnswerProblem as problem:
            self.refusal = str(problem)

    def make_function(self, spec: Spec) -> Callable[..., Any]:
        """Make the function that returns the answer, or raises the reason why there is none."""

        def read_answer(*arguments: Any) -> Any:
            if self.refusal:
                raise AnswerProblem(f"the file {self.refusal}")
            value = self.values.get(spec.key, "")
            if _is_empty(value) and spec.kind == "setting":
                return spec.words[0]
            if _is_empty(value):
                raise NotImplementedError(spec.key)
            return _MAKERS[spec.kind](value, spec.words)(*arguments)

        return read_answer

    def make_content_reader(self) -> Callable[[], tuple[dict[str, str], list[str]]]:
        """Make the function that returns the texts by the names of their answers, and what is wrong in the file."""
        return lambda: (self._read_texts(), self._list_problems())

    def _read_texts(self) -> dict[str, str]:
        texts = {}
        for spec in self.specs:
            if spec.kind == "text":
                with contextlib.suppress(AnswerProblem, NotImplementedError):
                    texts[spec.name] = self.make_function(spec)()
        return texts

    def _list_problems(self) -> list[str]:
        """List why the file is unreadable, or which keys and notations are wrong."""
        if self.refusal:
            return [self.refusal]
        problems = (f"{spec.key} {found}" for spec in self.specs if (found := self._find_problem(spec)))
        return [*self._check_keys(), *problems]

    def _find_problem(self, spec: Spec) -> str:
        value = self.values.get(spec.key, "")
        if _is_empty(value):
            return ""
        try:
            _MAKERS[spec.kind](value, spec.words)
            if spec.kind in ("choice", "setting"):
                _check_choice(value, spec.words)
        except AnswerProblem as problem:
            return str(problem)
        return ""

    def _check_keys(self) -> list[str]:
        wanted = [spec.key for spec in self.specs]
        required = [spec.key for spec in self.specs if spec.kind != "setting"]
        missing = [key for key in required if key not in self.values]
        unknown = [key for key in self.values if key not in wanted]
        lines = [_describe_unknown_key(key, missing, wanted) for key in unknown]
        if len(missing) == len(required):
            return [*lines, "holds none of the keys that are asked for; write your answers into the file handed out"]
        return lines + [f"has no key {key}; write it as in the file handed out" for key in missing]


def _describe_unknown_key(key: str, missing: Sequence[str], wanted: Sequence[str]) -> str:
    named = {each.rpartition(".")[2]: each for each in (*wanted, *missing)}  # missing keys take precedence
    near = [named[each] for each in get_close_matches(key.rpartition(".")[2], named, 1)]
    meant = f"; did you mean {near[0]}?" if near else "; remove it"
    return f"has the key {cut(key)}, which is not asked for{meant}"


def _parse(text: str) -> dict[str, Any]:
    if len(text) > FILE_CHARACTERS:
        raise AnswerProblem(f"is longer than {FILE_CHARACTERS} characters; keep only the answers")
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise AnswerProblem(_explain_error(str(error), text)) from None
    except (RecursionError, MemoryError, ValueError, OverflowError):
        raise AnswerProblem("is nested too deeply, or holds a number too long to be read") from None


def _explain_error(message: str, text: str) -> str:
    found = _POSITION.fullmatch(message)
    what = found.group(1) if found else message
    advice = next(
        (advice for start, advice in _ADVICE if what.startswith(start)), "compare it with the file handed out"
    )
    if not found or not found.group(2):
        return f"is not valid TOML: at its end: {what}; {advice}"
    line, column = int(found.group(2)), int(found.group(3))
    shown = cut(text.split("\n")[line - 1].strip())
    return f"is not valid TOML: line {line}, column {column} ({shown}): {what}; {advice}"


def _flatten_tables(values: Mapping[str, Any], wanted: set[str]) -> dict[str, Any]:
    """Flatten one level of tables: the key of a value becomes "table.key"."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict) and name not in wanted:
            flat.update({f"{name}.{inner}": inside for inner, inside in value.items()})
        else:
            flat[name] = value
    return flat


def _is_empty(value: Any) -> bool:
    return value in ([], {}) or (isinstance(value, str) and not value.strip())


def _read_formula(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise AnswerProblem("is not a text; write the formula in quotes")
    return str(value)


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise AnswerProblem("is not a text; write it in quotes")
    return value.strip()[:TEXT_CHARACTERS]


def _read_choice(value: Any) -> str:
    return _read_text(value).casefold().strip(" .()[]'\"`")


def _check_choice(value: Any, choices: tuple[str, ...]) -> None:
    if _read_choice(value) not in choices:
        raise AnswerProblem(f"is {cut(_read_text(value))!r}; write one of {', '.join(choices)}")


def _make_constant(answer: Any) -> Callable[..., Any]:
    return lambda *arguments: answer


# By kind, what makes the function of an answer from its value and its names, choices or columns.
_MAKERS: dict[str, Callable[[Any, tuple[str, ...]], Callable[..., Any]]] = {
    "formula": lambda value, names: make_formula_function(_read_formula(value), names),
    "count": lambda value, names: make_formula_function(expand_products(_read_formula(value)), names),
    "choice": lambda value, choices: _make_constant(_read_choice(value)),
    "setting": lambda value, choices: _make_constant(_read_choice(value)),
    "table": lambda value, columns: _make_constant(read_rows(value, columns)),
    "text": lambda value, words: _make_constant(_read_text(value)),
}
