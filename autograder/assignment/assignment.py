"""Assignment: the questions and policies that `reference/assignment.toml` declares, and every path of the assignment.

An assignment is a folder. No other module of the grader knows the names of its parts:

    reference/           assignment.toml, the right solution of each question, and libraries.lock, if it declares any
      starter_modules/   modules of older starter code, which submissions may import; may be missing. Those that
                         only import names of others are declared in assignment.toml
    student_template/    the files that students receive
    tests/hidden/        the checks that give points
    tests/mistakes/      known wrong answers, each with its hint

A function may rely on the functions before it in assignment.toml, on no later one, so that no two functions can each be
right only with the grader's version of the other. Outside of its own tests a class counts as one function.

The records are plain dataclasses, which load fast: every start imports this module.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder import GraderError, UserError
from autograder.assignment.toml_table import AssignmentError, find_line

REFERENCE, TEMPLATES, HIDDEN, MISTAKES = "reference", "student_template", "tests/hidden", "tests/mistakes"
TASKS = f"{TEMPLATES}/tasks"  # what each question asks, in Markdown
STARTER_MODULES, _PRIVATE_PREFIX = "reference/starter_modules", "_grader_"
DECLARATION, TESTS_PACKAGE = "reference/assignment.toml", "tests/__init__.py"
LIBRARIES = "reference/libraries.lock"
DERIVED_CHECKS = "tests/hidden/derived_checks.bin"
DERIVED_MISTAKES = "tests/hidden/derived_mistakes.bin"
PACKAGES = ("reference/__init__.py", TESTS_PACKAGE, "tests/mistakes/__init__.py")
PARTS = (REFERENCE, TEMPLATES, TESTS_PACKAGE, HIDDEN, MISTAKES)  # results depend on these alone
_DOCSTRING = '"""Stub of a file that was not submitted."""'
_NEW = "`new question` writes all four files of a question, see docs/questions.md"


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


class Prerequisite(NamedTuple):
    """A function or a whole class, by the name that students read; `functions`: those whose tests decide about it."""

    name: str
    functions: tuple[str, ...]


def find_owner(name: str) -> str:
    """Return the class of a method; the name itself of a function or class."""
    return name.partition(".")[0]


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
    SETTING = "setting"  # one of `choices`, by which other answers are read; the first where it is left out


@dataclass(frozen=True)
class Answer:
    """An answer in an answer file; `key` is the name of its table, a dot and its own name, such as "layers.linear".

    `words`: the names, choices or columns, depending on the kind. `title`, `number` and `points_by_hand` belong to a
    text, which is listed and graded by hand, for additional points. `data`: a table for the question's own tests,
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
    """A question, identified by its id. `files` are the accepted names of its file, in order of preference.

    `borrowed_files` belong to other questions: such a file is taken if none of `files` exists and it defines one of the
    functions. `shared_files` may hold the functions of any question. A question with `answers` has a TOML file, and its
    `functions` are the answers that tests judge. `advice_points`: what each test that gives advice is worth; 0 if
    advice gives no points.
    """

    question_id: str
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

    def find_position(self, functions: Iterable[str]) -> int:
        """Return the position of the last of these functions; tests are judged in this order."""
        names = [function.name for function in self.functions]
        return max(map(names.index, functions), default=0)

    def list_prerequisites(self, functions: Sequence[str]) -> tuple[Prerequisite, ...]:
        """List what the functions under test may rely on: all that comes before the last of them."""
        if self.answers:  # no answer calls another
            return ()
        owners = {find_owner(name) for name in functions}
        groups: dict[str, list[str]] = {}
        for function in self.functions[: self.find_position(functions)]:
            name = function.name
            owner = find_owner(name)
            if name not in functions:
                groups.setdefault(name if owner in owners else owner, []).append(name)
        return tuple(Prerequisite(name, tuple(group)) for name, group in groups.items())


@dataclass(frozen=True)
class LatePolicy:
    """Penalty for each begun day after the due date, at most `most_percent`, after `grace_minutes` without one.

    The first `free_days` days cost nothing; `days_left` has another number of them for single students, by email in
    lower case, such as those who used some in earlier assignments.
    """

    percent_per_day: float
    most_percent: float
    grace_minutes: float
    free_days: int = 0
    days_left: Mapping[str, int] = field(default_factory=dict)

    def count_free_days(self, emails: Iterable[str]) -> int:
        """Return the free days of a group: of the member who has the most."""
        days = [self.days_left.get(email.lower(), self.free_days) for email in emails]
        return max(days, default=self.free_days)


@dataclass(frozen=True)
class WorkerLimits:
    """Computing time and memory of one worker of student code; None: what the grader gives if none is declared."""

    cpu_seconds: int | None = None
    memory_mib: int | None = None


StarterModules = dict[str, tuple[str, bool]]  # by module name, the text and whether it is a package


@dataclass(frozen=True)
class Alias:
    """A starter module that only imports: the module that has its names, and the names."""

    origin: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Assignment:
    """The assignment in the folder `root`: its questions in report order, and its policies, if there are any.

    `aliases`: by name, the starter modules that only import. `libraries`: modules other than numpy that are loaded for
    student code, such as "torch", before it loses its rights. `limits`: what a worker may use.
    `seed`: of the cases that contracts draw; it is in no handout. The modules of an
    assignment are imported under the names `reference` and `tests`, so a process can have one assignment only.
    """

    root: Path
    title: str
    questions: tuple[Question, ...]
    late: LatePolicy | None = None
    aliases: Mapping[str, Alias] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    limits: WorkerLimits = field(default_factory=WorkerLimits)
    seed: str = ""

    @property
    def packages(self) -> frozenset[str]:
        """The packages of the libraries that it declares, by the names of their imports."""
        return frozenset(name.partition(".")[0] for name in self.libraries)

    @property
    def question_ids(self) -> tuple[str, ...]:
        """The ids of all questions."""
        return tuple(question.question_id for question in self.questions)

    @property
    def file(self) -> Path:
        """The file that declares it."""
        return self.root / DECLARATION

    @property
    def hidden_tests(self) -> Path:
        """The folder of the hidden tests."""
        return self.root / HIDDEN

    @property
    def templates(self) -> Path:
        """The folder of the files that students receive."""
        return self.root / TEMPLATES

    @cached_property
    def starter_modules(self) -> StarterModules:
        """The modules that submissions may import although they do not have them: text, run only in a worker.

        The modules next to the templates, which students receive, serve twice: under their own names, and under private
        names that no student's file can have, from which the modules of other years import. AssignmentError if the
        module that an alias imports from does not exist.
        """
        folder = self.root / STARTER_MODULES
        sources = _read_modules(folder)
        written = {name for question in self.questions for name in question.files}
        for name, module in _read_modules(self.templates).items():
            if f"{name}.py" in written:
                continue
            sources[name] = module
            _, is_package = module
            if not is_package:
                sources[_PRIVATE_PREFIX + name.rpartition(".")[2]] = module
        for name, alias in self.aliases.items():
            if alias.origin not in sources:
                problem = f"{name} imports from {alias.origin}, which is in neither {folder} nor {self.templates}"
                raise AssignmentError(f"[starter_modules]: {problem}")
            sources[name] = (f"{_DOCSTRING}\n\nfrom {alias.origin} import {', '.join(alias.names)}\n", False)
        return sources

    def get_question(self, question_id: str) -> Question:
        """Return the question with an id; KeyError if there is none."""
        return {question.question_id: question for question in self.questions}[question_id]

    def find_reference(self, question_id: str) -> Path:
        """Find the file of a question's right solution."""
        return self.root / REFERENCE / f"{question_id}.py"

    def find_hidden_tests(self, question_id: str) -> Path:
        """Find the file of a question's hidden tests."""
        return self.hidden_tests / f"test_{question_id}.py"

    def locate(self, question_id: str, key: str) -> str:
        """Return the place of a key of a question for the start of a message, "file:line: "; "" if it is not known."""
        line = find_line(self.file.read_text(encoding="utf-8"), question_id, key) if self.file.exists() else 0
        return f"{self.file}:{line}: " if line else ""

    def require_question_files(self) -> None:
        """Raise AssignmentError if one of the four files of a question is missing."""
        for question in self.questions:
            for path in list_question_files(question):
                if not os.path.exists(self.root / path):
                    problem = f"{path} does not exist, and the question {question.question_id} needs it"
                    raise AssignmentError(f"{self.locate(question.question_id, 'id')}{problem}; {_NEW}")

    def require_libraries(self) -> None:
        """Raise AssignmentError if a library that it declares is not installed."""
        for name in sorted(self.packages):
            if importlib.util.find_spec(name) is None:
                problem = f"`libraries` has {name!r}, which is not installed for {sys.executable}"
                lock = self.root / LIBRARIES
                command = f"{sys.executable} -m pip install " + (f"-r {lock}" if lock.exists() else name)
                raise AssignmentError(f"{self.file}: {problem}; install it: {command}")

    def put_on_path(self) -> None:
        """Put the root first on `sys.path`, from where its modules are imported."""
        root = str(self.root)
        if sys.path[:1] != [root]:
            sys.path.insert(0, root)

    def import_reference(self, question_id: str) -> ModuleType:
        """Import the right solution of a question."""
        return self._import(f"{REFERENCE}.{question_id}")

    def import_mistakes(self, question_id: str) -> ModuleType:
        """Import the known mistakes of a question; AssignmentError, with the line, for a file that does not import."""
        try:
            return self._import(f"{MISTAKES}.{question_id}".replace("/", "."))
        except (GraderError, UserError):  # of what the file declares, in words of its own
            raise
        except Exception as error:
            path = f"{MISTAKES}/{question_id}.py"
            frames = traceback.extract_tb(error.__traceback__)
            lines = [each.lineno for each in frames if each.filename.endswith(path)]
            where = f"{path}:{lines[-1]}" if lines else path
            raise AssignmentError(f"{where}: cannot be imported: {type(error).__name__}: {error}") from error

    def _import(self, name: str) -> ModuleType:
        self.put_on_path()
        return importlib.import_module(name)


def list_question_files(question: Question) -> tuple[str, ...]:
    """List the paths of the four files of a question below the root: reference, template, hidden tests, mistakes."""
    question_id = question.question_id
    template = f"{TEMPLATES}/{question.files[0]}"
    return (
        f"{REFERENCE}/{question_id}.py",
        template,
        f"{HIDDEN}/test_{question_id}.py",
        f"{MISTAKES}/{question_id}.py",
    )


def is_assignment(folder: Path) -> bool:
    """Return whether a folder is the root of an assignment."""
    return (folder / DECLARATION).is_file()


def list_roots_above(folder: Path) -> Iterator[Path]:
    """Yield the roots of assignments among a folder and those that it lies in, the nearest first."""
    return (each for each in (folder, *folder.parents) if is_assignment(each))


def _read_modules(folder: Path) -> StarterModules:
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        sources[name] = (path.read_text(encoding="utf-8"), is_package)
    return sources
