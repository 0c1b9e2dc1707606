"""Assignment file: turns `reference/assignment.toml` into an assignment.

An error in that file raises `AssignmentError`, whose text names the file, the table, the value found and the value to
write.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from autograder.assignment import toml_table as toml
from autograder.assignment.assignment import (
    DECLARATION,
    STARTER_MODULES,
    Alias,
    Answer,
    AnswerKind,
    Assignment,
    Function,
    LatePolicy,
    Question,
    Variant,
    WorkerLimits,
)
from autograder.assignment.toml_table import AssignmentError, GoneKeyError, Rule, StaffTable

_WORDS = {AnswerKind.CHOICE: "choices", AnswerKind.SETTING: "choices", AnswerKind.TABLE: "columns"}  # others: "names"
_NOT_JUDGED = (AnswerKind.TEXT, AnswerKind.SETTING)


def _is_file_name(name: str) -> bool:
    base, _, ending = name.rpartition(".")
    return ending in ("py", "toml") and base.isidentifier()


def _is_positions(values: list[object]) -> bool:
    return bool(values) and all(type(item) is int and item >= 0 for item in values)


_FILE = Rule(str, "a name that Python can import, such as 'linear_layer.py'", _is_file_name)
_MODULE = toml.DOTTED_NAME._replace(wanted="the name of a module as it is imported, such as 'torch'")
_ANSWER = toml.DOTTED_NAME._replace(wanted="the name of a table, a dot and a name, such as 'layers.linear'")
_FUNCTION = Rule(
    str, "the name of a function or `Class.method`", lambda name: name.count(".") < 2 and toml.DOTTED_NAME.holds(name)
)
_TELL = toml.NAME._replace(wanted="a Python name that only this variant's files define")
_POSITIONS = Rule(list, "a list of positions that count from 0, such as [1]", _is_positions)
# Two seconds are what a test may take where all tests of a question are first tried together. A function that sleeps is
# waited for three times as long as it may compute, and a submission has eight minutes.
CPU_SECONDS = (2, 60)
# Right code takes 115 MiB with numpy alone; 4 GiB are more than a container of Gradescope's smaller sizes has.
MEMORY_MIB = (192, 4096)
_PERCENT = toml.POSITIVE._replace(wanted="a number above 0, at most 100", holds=lambda number: 0 < number <= 100)
_KINDS = [kind.value for kind in AnswerKind]
_KIND = Rule(str, f"one of {', '.join(_KINDS)}", _KINDS.__contains__)
_GONE = {  # by section
    "partial_credit": "delete this section: known mistakes keep no points, parts and groups of cases give them",
    "attempts": "delete this section: the number of submissions is not limited",
    "feedback": "delete this section: visible checks are shown at once for every submission",
}


def load_assignment(root: Path) -> Assignment:
    """Load the assignment in a folder; AssignmentError as for `read_assignment`."""
    return read_assignment(root.resolve() / DECLARATION)


def read_assignment(path: Path) -> Assignment:
    """Read the assignment that its TOML file declares; `AssignmentError` if it is unreadable or inconsistent."""
    values = read_toml(path)
    for key, advice in _GONE.items():
        if key in values:
            raise GoneKeyError(f"{path}: {key}: {advice}")
    old = path.parents[1] / "starter_modules"
    if old.exists():
        raise GoneKeyError(f"{old}: modules of older starter code are in {STARTER_MODULES}; move this folder there")
    top = StaffTable(values, file=path, place="top level")
    shared = top.read_texts("shared_files", _FILE, default=())
    assignment = Assignment(
        path.parents[1],
        top.read("title", toml.TEXT),
        tuple(replace(question, shared_files=shared) for question in top.read_tables("questions", _read_question)),
        top.read_optional("late", _read_late_policy),
        top.read_optional("starter_modules", _read_aliases) or {},
        top.read_texts("libraries", _MODULE, default=()),
        top.read_optional("limits", _read_worker_limits) or WorkerLimits(),
        top.read("seed", toml.TEXT, ""),
    )
    top.refuse_unknown_keys()
    top.require_distinct(assignment.question_ids, "question id")
    if not assignment.questions:
        top.refuse("no [[questions]] was found; write one for each question")
    return assignment


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file of the staff's; AssignmentError says why it cannot be read."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))  # some editors write a byte order mark
    except OSError as error:
        raise AssignmentError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise AssignmentError(f"{path}: is not valid TOML in UTF-8: {error}") from error


def _read_aliases(table: StaffTable) -> dict[str, Alias]:
    return table.read_all_tables(lambda one: Alias(one.read("origin", toml.TEXT), one.read_texts("names", toml.NAME)))


def _read_question(table: StaffTable) -> Question:
    question_id = table.read("id", toml.NAME)
    table.place = f"{table.place} ({question_id})"
    files, answers = table.read_texts("files", _FILE), table.read_tables("answers", _read_answer)
    functions = table.read_tables("functions", _read_function)
    _require_one_format(table, files, functions, answers)
    functions += tuple(Function(answer.name) for answer in answers if answer.kind not in _NOT_JUDGED)
    names = [function.name for function in functions]
    table.require_distinct(names, "function")
    variants = table.read_tables("variants", partial(_read_variant, names))
    table.require_distinct([variant.id for variant in variants], "variant")
    return Question(
        question_id,
        table.read("title", toml.TEXT),
        table.read("points", toml.POSITIVE),
        files,
        functions,
        variants,
        table.read_texts("borrowed_files", _FILE, default=()),
        answers,
        advice_points=table.read("advice_points", toml.NOT_NEGATIVE, 0.0),
    )


def _require_one_format(
    table: StaffTable, files: Sequence[str], functions: Sequence[Function], answers: Sequence[Answer]
) -> None:
    if not functions and not answers:
        table.refuse("no [[questions.functions]] was found; write one for each graded function")
    if functions and answers:
        table.refuse("there are functions and answers; write one question for each")
    if any(name.endswith(".toml") != bool(answers) for name in files):
        table.refuse(f"`files` is {list(files)!r}; functions are in .py files, answers in .toml files")
    table.require_distinct([answer.key for answer in answers], "answer")


def _read_answer(table: StaffTable) -> Answer:
    key = table.read("key", _ANSWER)
    table.place = f"{table.place} ({key})"
    kind = AnswerKind(table.read("kind", _KIND))
    if kind is AnswerKind.TEXT:
        title, number = table.read("title", toml.TEXT), table.read("number", toml.TEXT)
        return Answer(key, kind, (), title, number, table.read("points_by_hand", toml.POSITIVE))
    return Answer(key, kind, table.read_texts(_WORDS.get(kind, "names")), data=table.read("data", toml.TABLE, {}))


def _read_function(table: StaffTable) -> Function:
    also_in = table.read_texts("also_in", _FILE, default=())
    placeholders = table.read_texts("placeholders", toml.NAME, default=())
    return Function(table.read("name", _FUNCTION), also_in, placeholders)


def _read_variant(functions: Collection[str], table: StaffTable) -> Variant:
    identity = table.read("id", toml.TEXT)
    table.place = f"{table.place} ({identity})"
    tells = table.read_texts("tells", _TELL)
    names = table.read_mapping("names", functions, toml.NAME)
    dropped = table.read_mapping("dropped_arguments", functions, _POSITIONS)
    return Variant(identity, tells, names, {name: tuple(positions) for name, positions in dropped.items()})


def _read_late_policy(table: StaffTable) -> LatePolicy:
    """Read the section [late]; `grace_minutes` and `free_days` default to 0."""
    return LatePolicy(
        table.read("percent_per_day", toml.POSITIVE),
        table.read("most_percent", _PERCENT),
        table.read("grace_minutes", toml.NOT_NEGATIVE, 0.0),
        table.read("free_days", toml.COUNT, 0),
        _read_days_left(table),
    )


def _read_worker_limits(table: StaffTable) -> WorkerLimits:
    """Read the section [limits]; AssignmentError for a value that is no whole number within its bounds."""
    return WorkerLimits(_read_limit(table, "cpu_seconds", *CPU_SECONDS), _read_limit(table, "memory_mib", *MEMORY_MIB))


def _read_limit(table: StaffTable, key: str, least: int, most: int) -> int | None:
    rule = Rule(int, f"a whole number from {least} to {most}", lambda number: least <= number <= most)
    return table.read(key, rule, 0) or None


def _read_days_left(table: StaffTable) -> dict[str, int]:
    days = table.read("days_left", toml.TABLE, {})
    for email, number in days.items():
        if "@" not in email or toml.COUNT.describe_fault(number):
            table.refuse(f"`days_left` holds {email!r} = {number!r}; write an email and a whole number of days")
    return {email.lower(): number for email, number in days.items()}
