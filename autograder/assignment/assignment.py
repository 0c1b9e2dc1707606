"""Assignment: turns `assignment.toml` into questions with their points, file names, functions and other spellings.

An error in that file raises `AssignmentError`, whose text names the file, the table, the value found and the value to
write. The records are plain dataclasses, which load fast: every start imports this module.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from autograder.assignment.policies import (
    AttemptPolicy,
    FeedbackPolicy,
    LatePolicy,
    PartialCredit,
    read_attempt_policy,
    read_feedback_policy,
    read_late_policy,
    read_partial_credit,
)
from autograder.assignment.toml_table import AssignmentError, StaffTable, find_line

__all__ = [
    "Answer",
    "AnswerKind",
    "Assignment",
    "AssignmentError",
    "Function",
    "Question",
    "Variant",
    "load_assignment",
    "read_assignment",
]


@dataclass(frozen=True)
class Function:
    """One graded function; `Class.method` is a method and the bare class name its constructor.

    `also_in`: files of the submission that may hold it if the question's own file does not define it, in order of
    preference. `placeholders`: names that starter code leaves undefined; a NameError or AttributeError about such a
    name means "not written yet".
    """

    name: str
    also_in: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variant:
    """Another year's spelling of a question: a file that defines a name in `tells` is of this variant.

    `names` maps the names used here to the variant's; `dropped_arguments` holds the positions of arguments that the
    variant does not have.
    """

    id: str
    tells: tuple[str, ...]
    names: Mapping[str, str]
    dropped_arguments: Mapping[str, tuple[int, ...]]


class AnswerKind(str, Enum):
    """The kind of an answer in an answer file."""

    FORMULA = "formula"  # evaluated with values for `names`
    COUNT = "count"  # a formula in which 2n is a product
    CHOICE = "choice"  # one of `choices`
    TABLE = "table"  # rows of `columns`
    TEXT = "text"  # read by a person, never judged here


@dataclass(frozen=True)
class Answer:
    """An answer in an answer file; `key` is the name of its table, a dot and its own name, such as "adam.momentum".

    `words`: the names, choices or columns, depending on the kind. `title`, `number` and `points_by_hand` belong to a
    text, which is listed and graded by hand beside the question's points. `data`: a table for the question's own tests,
    unchanged.
    """

    key: str
    kind: AnswerKind
    words: tuple[str, ...] = ()
    title: str = ""
    number: str = ""
    points_by_hand: float = 0.0
    data: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """The key as a Python name: the name of the answer's function, in the reference too."""
        return self.key.replace(".", "_")


@dataclass(frozen=True)
class Question:
    """A question, identified by its stem. `files` are the accepted names of its file, in order of preference.

    `borrowed_files` belong to other questions: such a file is taken if none of `files` exists and it defines one of the
    functions. `shared_files` may hold the functions of any question. A question with `answers` has a TOML file, and its
    `functions` are the answers that tests judge. `advice_points`: what each test that gives advice is worth; 0 if
    advice gives no points.
    """

    stem: str
    title: str
    points: float
    files: tuple[str, ...]
    functions: tuple[Function, ...]
    variants: tuple[Variant, ...] = ()
    borrowed_files: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    shared_files: tuple[str, ...] = ()
    advice_points: float = 0.0

    @property
    def texts(self) -> tuple[Answer, ...]:
        """The answers that are graded by hand."""
        return tuple(answer for answer in self.answers if answer.kind is AnswerKind.TEXT)


@dataclass(frozen=True)
class Assignment:
    """The questions in report order, and the policies of the assignment, if there are any.

    `file`: the file that declares it, if it is known.
    """

    title: str
    questions: tuple[Question, ...]
    late: LatePolicy | None = None
    attempts: AttemptPolicy | None = None
    partial_credit: PartialCredit | None = None
    feedback: FeedbackPolicy | None = None
    file: Path | None = field(default=None, compare=False)

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of all questions."""
        return tuple(question.stem for question in self.questions)

    def locate(self, stem: str, key: str) -> str:
        """Return the place of a key of a question for the start of a message, "file:line: "; "" if it is not known."""
        line = 0 if self.file is None else find_line(self.file.read_text(encoding="utf-8"), stem, key)
        return f"{self.file}:{line}: " if line else ""


_NEW = "`./run_autograder new question` writes all four files of a question, see docs/questions.md"
_WORDS = {
    AnswerKind.FORMULA: "names",
    AnswerKind.COUNT: "names",
    AnswerKind.CHOICE: "choices",
    AnswerKind.TABLE: "columns",
}


def load_assignment(project: Path) -> Assignment:
    """Load the assignment of the project in a folder; AssignmentError as for `read_assignment`."""
    return read_assignment(project / "reference" / "assignment.toml")


def require_question_files(project: Path, assignment: Assignment) -> None:
    """Raise AssignmentError if one of the four files of a question is missing."""
    for question in assignment.questions:
        for path in list_question_files(question):
            if not os.path.exists(project / path):
                place = assignment.locate(question.stem, "stem")
                problem = f"{path} does not exist, and the question {question.stem} needs it"
                raise AssignmentError(f"{place}{problem}; {_NEW}")


def list_question_files(question: Question) -> tuple[str, ...]:
    """List the paths of the four files of a question in the project."""
    stem = question.stem
    template = f"student_template/{question.files[0]}"
    return (f"reference/{stem}.py", template, f"tests/hidden/test_{stem}.py", f"tests/mistakes/{stem}.py")


def read_assignment(path: Path) -> Assignment:
    """Read the assignment that a TOML file declares; `AssignmentError` if it is unreadable or inconsistent."""
    top = StaffTable(_parse_toml(path), file=path, place="top level")
    title = top.read_text("title")
    shared = top.read_file_names("shared_files", default=())
    questions = [replace(_read_question(table), shared_files=shared) for table in top.read_tables("questions")]
    late, attempts = top.read_optional("late", read_late_policy), top.read_optional("attempts", read_attempt_policy)
    credit = top.read_optional("partial_credit", read_partial_credit)
    feedback = top.read_optional("feedback", read_feedback_policy)
    top.refuse_unknown_keys()
    top.require_distinct([question.stem for question in questions], "stem")
    if not questions:
        top.refuse("no [[questions]] was found; write one for each question")
    return Assignment(title, tuple(questions), late, attempts, credit, feedback, path)


def _parse_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise AssignmentError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise AssignmentError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise AssignmentError(f"{path}: is not valid TOML: {error}") from error


def _read_question(table: StaffTable) -> Question:
    stem = table.read_identifier("stem")
    table.place = f"{table.place} ({stem})"
    title, points = table.read_text("title"), table.read_points("points")
    advice_points = table.read_number("advice_points")
    files, borrowed = table.read_file_names("files"), table.read_file_names("borrowed_files", default=())
    if not files:
        table.refuse("`files` is empty; name at least one file, such as 'word2vec.py'")
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
        table.refuse(f"`key` is {key!r}; write the name of a table, a dot and a name, such as 'adam.momentum'")
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
