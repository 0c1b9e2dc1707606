"""Student file: loads the file of a question on the student's computer, and runs its functions.

The top level runs statement by statement, and one that fails is left out, as on Gradescope. The file, and those that it
imports from the same folder, are loaded anew for each check.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from autograder.grading.explain import explain_statement
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox import limits as limit
from autograder.sandbox.host.replies import read_failure
from autograder.sandbox.module_code import Source, Statement, compile_statements
from autograder.sandbox.protocol import messages
from autograder.sandbox.requests import describe_exception, seed_generators
from autograder.submission.source_scan import (
    Body,
    decode_source,
    find_other_definition,
    note_oddities,
    scan_body,
    takes_all,
)

Tell = Callable[[Mapping[str, Any]], None]
_PACKAGES = ("site-packages", "dist-packages")
_OURS = ("check.py", "checks")  # next to the student's files
_NO_VARIANT: Mapping[str, Mapping[str, Any]] = {"names": {}, "dropped_arguments": {}}
_NOT_HERE = "the handout does not have it"  # in the error of a supplied function that is graded


class StudentFile:
    """One load of a question's file.

    `question`: its entry of the data. `path`: of the file, None if there is none. `tell`: is told the line of each
    statement before it runs, and what the student's code prints. `notes`: on statements left out. `mark`: the line
    that does not compile, with a mark below the place. The current folder is
    the student's.
    """

    def __init__(self, question: Mapping[str, Any], path: str | None, tell: Tell) -> None:
        self.question, self._path = question, path
        self._tell, self._output = tell, _Output(tell)
        whole = os.path.abspath(path or "")
        folder, self._name = os.path.split(whole)
        self.module_name = os.path.splitext(self._name)[0]  # under which Python imports the file
        folders = dict.fromkeys([folder, os.getcwd()])
        self._folders = list(folders)
        self._starter = _StarterModules()
        self._module: ModuleType | None = None
        self._text = ""
        self._failure: Outcome | None = None
        self._before = set(sys.modules)
        self._gaps: list[str] = []
        self.notes: list[str] = []
        self.mark = ""
        seed_generators()

    def spell(self, name: str) -> str:
        """Return the name that the file has for a function of the check's."""
        spelling: str = self._find_variant()["names"].get(name, name)
        return spelling

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that a function of the check's takes in the file."""
        dropped = self._dropped_arguments.get(name, ())
        return tuple(each for place, each in enumerate(arguments) if place not in dropped)

    @cached_property
    def _dropped_arguments(self) -> dict[str, Sequence[int]]:
        """By function, the positions that the file does not have; a signature that has them all decides."""
        found = {}
        for name, positions in self._find_variant()["dropped_arguments"].items():
            parameters = self.question["parameters"].get(name, ())
            if not takes_all(self._text, self.spell(name), parameters):
                found[name] = positions
        return found

    def _find_variant(self) -> Mapping[str, Any]:
        """Find the variant of the question that the file is, if it is one."""
        self._load_once()
        for variant in self.question.get("variants", ()):
            if any(hasattr(self._module, each) for each in variant["tells"]):
                return variant  # type: ignore[no-any-return]
        return _NO_VARIANT

    def scan(self, function: str) -> Body | None:
        """Scan the text of a function of the check's; None where the file does not define it."""
        owner, dot, method = function.partition(".")
        return scan_body(self._text, self.spell(owner) + dot + method)

    def find(self, name: str) -> Any:
        """Return a function or class of the check's; CallFailed where it is not written."""
        spelling = self.spell(name)
        if self._failure is not None:
            raise CallFailed(self._failure)
        found = getattr(self._module, spelling, None)
        if not callable(found):
            gap = find_other_definition(self._text, spelling, self.question["parameters"])
            if self._gaps:
                gap = f"; left out, because it failed: {', '.join(self._gaps)}"
            detail = f"the file does not define {spelling}{gap}"
            raise CallFailed(Outcome(OutcomeKind.NOT_WRITTEN, detail=detail))
        return found

    def run(self, function: Callable[[], Any]) -> Any:
        """Return the value of a call; CallFailed if it raises anything."""
        try:
            with self._catch_output():
                return function()
        except CallFailed:
            raise
        except BaseException as error:  # noqa: BLE001  (student code may raise anything, SystemExit included)
            raise CallFailed(self.describe(error)) from None

    def load_again(self) -> StudentFile:
        """Close this load, and return another of the same file, which reports nothing."""
        self.close()
        return StudentFile(self.question, self._path, lambda _: None)

    def close(self) -> None:
        """Forget the modules of the student's folder."""
        sys.path[:] = [path for path in sys.path if path not in self._folders]
        if self._starter in sys.meta_path:
            sys.meta_path.remove(self._starter)
        for name in set(sys.modules) - self._before:
            file = str(getattr(sys.modules[name], "__file__", ""))
            if name in self._starter.texts or self._is_own(file):
                del sys.modules[name]

    def _load_once(self) -> None:
        if self._module is not None or self._failure is not None:
            return
        if self._path is None:
            detail = f"no file of this question was found ({', '.join(self.question['files'])})"
            self._failure = Outcome(OutcomeKind.NOT_WRITTEN, detail=detail)
            return
        try:
            with open(self._path, "rb") as file:
                self._text, notes = decode_source(file.read())
            self.notes += [f"{self._name} {note}" for note in (*notes, *note_oddities(self._text))]
            source = Source(self._name, self._text, False)
            statements, _ = compile_statements(self.module_name, source)
        except (SyntaxError, ValueError) as error:
            self.mark = _mark_place(error)
            self._failure = self.describe(error, is_at_load=True)
            return
        _search_after_the_library(self._folders)
        sys.meta_path.append(self._starter)
        self._module = ModuleType(self.module_name)
        self._module.__file__ = self._path
        sys.modules[self._module.__name__] = self._module
        for statement in statements:
            self._run_statement(statement, self._module)

    def _run_statement(self, statement: Statement, module: ModuleType) -> None:
        self._tell({"line": statement.line})
        with self._catch_output():
            left_out = statement.run(module)
        for _, line, error_type, text in left_out:
            place = f"{self._name} line {line}"
            self._gaps.append(place)
            self.notes.append(f"{place} was left out: {explain_statement(error_type, text)}")

    @contextlib.contextmanager
    def _catch_output(self) -> Iterator[None]:
        """Keep prints, and have `input` fail, as in the grader, where nobody answers; `exit` closes what it finds."""
        kept, sys.stdin = sys.stdin, io.StringIO()
        try:
            with contextlib.redirect_stdout(self._output), contextlib.redirect_stderr(self._output):
                yield
        finally:
            sys.stdin = kept

    def describe(self, error: BaseException, *, is_at_load: bool = False) -> Outcome:
        """Describe an error of the student's code, or the one of `find`."""
        if isinstance(error, CallFailed):
            return error.outcome
        own = {self._name: sys.maxsize}
        for module in list(sys.modules.values()):
            file = str(getattr(module, "__file__", ""))
            if self._is_own(file):
                own[file] = sys.maxsize
        reply = (messages.RAISED, *describe_exception(error, own))
        outcome = read_failure(reply, self.question["placeholders"], own)
        if outcome.kind is OutcomeKind.NOT_WRITTEN and _NOT_HERE in outcome.message:
            outcome = replace(outcome, detail=outcome.message)
        frames = []
        for frame in outcome.frames:
            frames.append(replace(frame, file=self._shorten(frame.file)))
        return replace(outcome, frames=tuple(frames), is_at_load=is_at_load)

    def _shorten(self, path: str) -> str:
        if not os.path.isabs(path):
            return path
        return os.path.relpath(path, self._folders[0])

    def _is_own(self, path: str) -> bool:
        for folder in sorted(self._folders):
            if path.startswith(os.path.join(folder, "")):
                parts = os.path.relpath(path, folder).split(os.sep)
                return parts[0] not in _OURS and not set(parts).intersection(_PACKAGES)
        return False


class _Output(io.StringIO):
    """Tells the first characters of what the student's code prints, and keeps nothing. `left`: those to be told."""

    def __init__(self, tell: Tell) -> None:
        super().__init__()
        self._tell = tell
        self.left = limit.OUTPUT_KEPT_BYTES

    def write(self, text: str) -> int:
        """Return the number of characters."""
        if self.left > 0:
            self._tell({"printed": text[: self.left]})
        self.left -= len(text)
        return len(text)


class _StarterModules(InspectLoader):
    """Finds and loads the modules that the grader supplies, behind all others."""

    def __init__(self) -> None:
        self.texts: dict[str, tuple[str, bool]] = {}
        with contextlib.suppress(OSError):  # in the grader itself, which packs it
            data = pkgutil.get_data(__package__, "starter_modules.json")
            self.texts = json.loads(data or b"{}")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the specification of a supplied module, None for others."""
        return spec_from_loader(name, self) if name in self.texts else None

    def get_source(self, name: str) -> str:
        """Return the text of a module."""
        return self.texts[name][0]

    def is_package(self, name: str) -> bool:
        """Whether the module is a package."""
        return self.texts[name][1]


def _search_after_the_library(folders: Sequence[str]) -> None:
    """Have imports look into folders after Python's own modules, one of which a file there may be named like."""
    place = 0
    while place < len(sys.path) and os.path.basename(sys.path[place]) not in _PACKAGES:
        place += 1
    added = [folder for folder in folders if folder not in sys.path]
    sys.path[place:place] = added


def _mark_place(error: SyntaxError | ValueError) -> str:
    """Return the line that does not compile, and a mark below the place, as two lines."""
    text = getattr(error, "text", None) or ""
    line = text.rstrip().expandtabs(1)
    shown = line.lstrip()
    if not shown:
        return ""
    offset = getattr(error, "offset", None) or 1
    before = offset - 1 - (len(line) - len(shown))
    margin = " " * min(max(before, 0), len(shown))
    return f"\n    {shown}\n    {margin}^"
