"""Assignment file: turns `reference/assignment.toml` into an assignment.

An error in that file raises `AssignmentError`, whose text names the file, the table, the value found and the value to
write.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from autograder.assignment.assignment import DECLARATION, Assignment
from autograder.assignment.policies import (
    WorkerLimits,
    read_attempt_policy,
    read_feedback_policy,
    read_late_policy,
    read_partial_credit,
    read_worker_limits,
)
from autograder.assignment.question import Answer, AnswerKind, Function, Question, Variant
from autograder.assignment.starter_modules import read_aliases
from autograder.assignment.toml_table import AssignmentError, StaffTable

_WORDS = {
    AnswerKind.FORMULA: "names",
    AnswerKind.COUNT: "names",
    AnswerKind.CHOICE: "choices",
    AnswerKind.TABLE: "columns",
}


def load_assignment(root: Path) -> Assignment:
    """Load the assignment in a folder; AssignmentError as for `read_assignment`."""
    return read_assignment(root.resolve() / DECLARATION)


def read_assignment(path: Path) -> Assignment:
    """Read the assignment that its TOML file declares; `AssignmentError` if it is unreadable or inconsistent."""
    top = StaffTable(read_toml(path), file=path, place="top level")
    title = top.read_text("title")
    shared = top.read_file_names("shared_files", default=())
    libraries = top.read_module_names("libraries")
    questions = [replace(_read_question(table), shared_files=shared) for table in top.read_tables("questions")]
    late, attempts = top.read_optional("late", read_late_policy), top.read_optional("attempts", read_attempt_policy)
    credit = top.read_optional("partial_credit", read_partial_credit)
    feedback = top.read_optional("feedback", read_feedback_policy)
    limits = top.read_optional("limits", read_worker_limits) or WorkerLimits()
    aliases = top.read_optional("starter_modules", read_aliases) or {}
    seed = top.read_optional_text("seed")
    top.refuse_unknown_keys()
    top.require_distinct([question.stem for question in questions], "question id")
    if not questions:
        top.refuse("no [[questions]] was found; write one for each question")
    return Assignment(
        path.parents[1], title, tuple(questions), late, attempts, credit, feedback, aliases, libraries, limits, seed
    )


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file of the staff's; AssignmentError says why it cannot be read."""
    try:
        return tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise AssignmentError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise AssignmentError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise AssignmentError(f"{path}: is not valid TOML: {error}") from error


def _read_question(table: StaffTable) -> Question:
    stem = table.check_identifier("`stem`", table.read_text("stem"))
    table.place = f"{table.place} ({stem})"
    title, points = table.read_text("title"), table.read_points("points")
    advice_points = table.read_number("advice_points")
    files, borrowed = table.read_file_names("files"), table.read_file_names("borrowed_files", default=())
    if not files:
        table.refuse("`files` is empty; name at least one file, such as 'linear_layer.py'")
    answers = tuple(_read_answer(each) for each in table.read_tables("answers"))
    functions = tuple(_read_function(each) for each in table.read_tables("functions"))
    _require_one_format(table, files, functions, answers)
    functions += tuple(Function(answer.name) for answer in answers if answer.kind is not AnswerKind.TEXT)
    names = [function.name for function in functions]
    table.require_distinct(names, "function")
    variants = tuple(_read_variant(each, names) for each in table.read_tables("variants"))
    table.require_distinct([variant.id for variant in variants], "variant")
    table.refuse_unknown_keys()
    return Question(stem, title, points, files, functions, variants, borrowed, answers, advice_points=advice_points)


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
    key, named = table.read_text("key"), table.read_text("kind")
    if not all(part.isidentifier() for part in key.split(".")):
        table.refuse(f"`key` is {key!r}; write the name of a table, a dot and a name, such as 'layers.linear'")
    table.place = f"{table.place} ({key})"
    kinds = {kind.value: kind for kind in AnswerKind}
    if named not in kinds:
        table.refuse(f"`kind` is {named!r}; write one of {', '.join(kinds)}")
    kind = kinds[named]
    if kind is AnswerKind.TEXT:
        title, number, points = table.read_text("title"), table.read_text("number"), table.read_points("points_by_hand")
        answer = Answer(key, kind, title=title, number=number, points_by_hand=points)
    else:
        answer = Answer(key, kind, table.read_words(_WORDS[kind]), data=table.read_plain_table("data"))
    table.refuse_unknown_keys()
    return answer


def _read_function(table: StaffTable) -> Function:
    name = table.read_text("name")
    if len(name.split(".")) > 2 or not all(part.isidentifier() for part in name.split(".")):
        table.refuse(f"`name` is {name!r}; write the name of a function or `Class.method`")
    function = Function(
        name, table.read_file_names("also_in", default=()), table.read_names("placeholders", default=())
    )
    table.refuse_unknown_keys()
    return function


def _read_variant(table: StaffTable, functions: Collection[str]) -> Variant:
    identity = table.read_text("id")
    table.place = f"{table.place} ({identity})"
    tells = table.read_names("tells")
    if not tells:
        table.refuse("`tells` is empty; name what only this variant's files define")
    names = table.read_mapping("names", functions, table.check_identifier)
    dropped = table.read_mapping("dropped_arguments", functions, table.check_positions)
    table.refuse_unknown_keys()
    return Variant(identity, tells, names, dropped)
