"""Assignment: the questions and policies that `reference/assignment.toml` declares, and every path of the assignment.

An assignment is a folder. No other module of the grader knows the names of its parts:

    reference/           assignment.toml, the right solution of each question, and libraries.lock, if it declares any
      starter_modules/   modules of older starter code, which submissions may import; may be missing. Those that
                         only import names of others are declared in assignment.toml
    student_template/    the files that students receive
    tests/hidden/        the checks that give points
    tests/mistakes/      known wrong answers, each with its hint
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType

from autograder import GraderError, UserError
from autograder.assignment import declaration as declared
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

StarterModules = dict[str, tuple[str, bool]]  # by module name, the text and whether it is a package


@dataclass(frozen=True)
class Alias:
    """A starter module that only imports: the module that has its names, and the names."""

    origin: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Assignment:
    """The assignment in the folder `root`: its questions in report order, and its policies, if there are any.

    `aliases`: by name, the starter modules that only import. `libraries`: modules beside numpy that are loaded for
    student code, such as "torch", before it loses its rights. `limits`: what a worker may use.
    `seed`: of the cases that contracts draw; it is in no handout. The modules of an
    assignment are imported under the names `reference` and `tests`, so a process can have one assignment only.
    """

    root: Path
    title: str
    questions: tuple[declared.Question, ...]
    late: declared.LatePolicy | None = None
    aliases: Mapping[str, Alias] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    limits: declared.WorkerLimits = field(default_factory=declared.WorkerLimits)
    seed: str = ""

    @property
    def packages(self) -> frozenset[str]:
        """The packages of the libraries that it declares, by the names of their imports."""
        return frozenset(name.partition(".")[0] for name in self.libraries)

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of all questions."""
        return tuple(question.stem for question in self.questions)

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

    @property
    def excused_path(self) -> Path:
        """The file with the generated mutants that may survive, each with the reason; may be missing."""
        return self.root / MISTAKES / "excused.toml"

    @cached_property
    def starter_modules(self) -> StarterModules:
        """The modules that submissions may import although they do not have them: text, run only in a worker.

        The modules beside the templates, which students receive, serve twice: under their own names, and under private
        names that no student's file can have, from which the modules of other years import. AssignmentError if the
        module that an alias imports from does not exist.
        """
        folder = self.root / STARTER_MODULES
        written = {name for question in self.questions for name in question.files}
        given = {name: each for name, each in _read_modules(self.templates).items() if f"{name}.py" not in written}
        flat = ((name.rpartition(".")[2], each) for name, each in given.items() if not each[1])
        sources = {**_read_modules(folder), **given, **{_PRIVATE_PREFIX + name: each for name, each in flat}}
        for name, alias in self.aliases.items():
            if alias.origin not in sources:
                problem = f"{name} imports from {alias.origin}, which is in neither {folder} nor {self.templates}"
                raise AssignmentError(f"[starter_modules]: {problem}")
            sources[name] = (f"{_DOCSTRING}\n\nfrom {alias.origin} import {', '.join(alias.names)}\n", False)
        return sources

    def get_question(self, stem: str) -> declared.Question:
        """Return the question with a stem; KeyError if there is none."""
        return {question.stem: question for question in self.questions}[stem]

    def find_reference(self, stem: str) -> Path:
        """Find the file of a question's right solution."""
        return self.root / REFERENCE / f"{stem}.py"

    def find_hidden_tests(self, stem: str) -> Path:
        """Find the file of a question's hidden tests."""
        return self.hidden_tests / f"test_{stem}.py"

    def locate(self, stem: str, key: str) -> str:
        """Return the place of a key of a question for the start of a message, "file:line: "; "" if it is not known."""
        line = find_line(self.file.read_text(encoding="utf-8"), stem, key) if self.file.exists() else 0
        return f"{self.file}:{line}: " if line else ""

    def require_question_files(self) -> None:
        """Raise AssignmentError if one of the four files of a question is missing."""
        for question in self.questions:
            for path in list_question_files(question):
                if not os.path.exists(self.root / path):
                    place = self.locate(question.stem, "stem")
                    problem = f"{path} does not exist, and the question {question.stem} needs it"
                    raise AssignmentError(f"{place}{problem}; {_NEW}")

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

    def import_reference(self, stem: str) -> ModuleType:
        """Import the right solution of a question."""
        return self._import(f"{REFERENCE}.{stem}")

    def import_mistakes(self, stem: str) -> ModuleType:
        """Import the known mistakes of a question; AssignmentError, with the line, for a file that does not import."""
        try:
            return self._import(f"{MISTAKES}.{stem}".replace("/", "."))
        except (GraderError, UserError):  # of what the file declares, in words of its own
            raise
        except Exception as error:
            path = f"{MISTAKES}/{stem}.py"
            frames = traceback.extract_tb(error.__traceback__)
            lines = [each.lineno for each in frames if each.filename.endswith(path)]
            where = f"{path}:{lines[-1]}" if lines else path
            raise AssignmentError(f"{where}: cannot be imported: {type(error).__name__}: {error}") from error

    def _import(self, name: str) -> ModuleType:
        self.put_on_path()
        return importlib.import_module(name)


def list_question_files(question: declared.Question) -> tuple[str, ...]:
    """List the paths of the four files of a question below the root: reference, template, hidden tests, mistakes."""
    stem = question.stem
    template = f"{TEMPLATES}/{question.files[0]}"
    return (f"{REFERENCE}/{stem}.py", template, f"{HIDDEN}/test_{stem}.py", f"{MISTAKES}/{stem}.py")


def is_assignment(folder: Path) -> bool:
    """Tell whether a folder is the root of an assignment."""
    return (folder / DECLARATION).is_file()


def list_roots_above(folder: Path) -> Iterator[Path]:
    """Yield the roots of assignments among a folder and those that it lies in, the nearest first."""
    return (each for each in (folder, *folder.parents) if is_assignment(each))


def _read_modules(folder: Path) -> StarterModules:
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        sources[".".join(parts[:-1] if is_package else parts)] = (path.read_text(encoding="utf-8"), is_package)
    return sources
