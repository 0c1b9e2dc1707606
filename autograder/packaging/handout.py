"""Handout: turns the project into the zip for students: the templates, what they import, and the public checks.

A public check is a visible test: its own text, cut out of the hidden tests' file, with the right results recorded.
Gradescope shows students the same tests and, where one fails, right values; nothing else leaves the staff's folders.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder.assignment import Assignment, Question, load_assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.packaging.recording import Recorder
from autograder.packaging.slices import slices
from autograder.packaging.tree import Files, PackagingError, project_files
from autograder.packaging.zip_file import zipped
from autograder.public_checks.local_student import LocalAttempt, LocalQuestion, Source
from autograder.results import Visibility
from autograder.student import Student
from autograder.submission import read_starter_modules

_TEMPLATES = "student_template"
_CHECK = "autograder/public_checks/check.py"
_CHECKER = ("check_folder", "render", "render_total", "UnknownQuestionError")
_REFERENCE = '''"""The right results of the public checks, as they were recorded; nothing here computes them."""

from pathlib import Path

from autograder.public_checks.expected import recorded

globals().update(recorded(Path(__file__).with_suffix(".json")))
'''
_NAMES = {"tests/hidden": "tests/public", "tests.hidden": "tests.public", '"""Hidden tests of': '"""Public checks of'}
_PORTABLE = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))})


@dataclass(frozen=True)
class Handout:
    """What students receive; `checks`: how many public checks are in it; `left_out` as of the grader's package."""

    files: Files
    checks: int
    left_out: tuple[str, ...]

    def as_zip(self) -> bytes:
        """The bytes of handout.zip."""
        return zipped(self.files)


def pack_handout(project: Path) -> Handout:
    """The zip for students.

    PackagingError where a visible test fails on the right solutions, or a name could not be a file's on Windows;
    AssignmentError or HiddenTestError where the staff's files are not in order.
    """
    assignment = _of_code(load_assignment(project))
    tests = collect_hidden_tests(project / "tests" / "hidden", assignment, stems=assignment.stems)
    templates, left_out = project_files(project, [_TEMPLATES])
    files = {path.removeprefix(f"{_TEMPLATES}/"): content for path, content in templates.items()}
    files["check.py"] = (project / _CHECK).read_bytes()
    for path, text in _public_checks(project, assignment, tests).items():
        files[f"public_checks/{path}"] = text.encode()
    require_portable(files)
    return Handout(files, sum(map(_is_public, tests)), left_out)


def _of_code(assignment: Assignment) -> Assignment:
    """The questions of code: to judge answers takes the grader, and their data holds the solutions."""
    return replace(assignment, questions=tuple(each for each in assignment.questions if not each.answers))


def require_portable(paths: Iterable[str]) -> None:
    """PackagingError where a path could not be on Windows or macOS, or could not be beside another one."""
    seen: dict[str, str] = {}
    for path in paths:
        names = {part.partition(".")[0].lower() for part in path.split("/")}
        if not _PORTABLE.fullmatch(path) or names & _DEVICES or path.endswith("."):
            raise PackagingError(f"{path!r} cannot be the name of a file on every system; rename it")
        other = seen.setdefault(path.lower(), path)
        if other != path:
            raise PackagingError(f"{path!r} and {other!r} are one file where case does not count; rename one")


def _public_checks(project: Path, assignment: Assignment, tests: Sequence[RunnableTest]) -> dict[str, str]:
    """By path below public_checks/ the texts of the checks and of what they need."""
    public = [each for each in tests if _is_public(each)]
    names = {f"tests.hidden.test_{stem}": _functions(public, stem) for stem in assignment.stems}
    wanted = {"autograder.public_checks.checker": _CHECKER, "autograder.public_checks.expected": ("recorded",), **names}
    cut = slices(project, wanted, packages=("autograder", "tests"))
    texts = {_as_public(path): _as_public(text) for path, text in cut.items()}
    texts["reference/__init__.py"] = '"""Stands for the right solutions, which are not handed out."""\n'
    for stem, results in _recorded(project, assignment, public).items():
        texts[f"reference/{stem}.py"] = _REFERENCE
        texts[f"reference/{stem}.json"] = json.dumps(results, indent=1) + "\n"
    for name, (text, is_package) in read_starter_modules().items():
        texts[f"support/{name.replace('.', '/')}{'/__init__' if is_package else ''}.py"] = text
    listed = [_listed(question, [each.test for each in tests]) for question in assignment.questions]
    texts["questions.json"] = json.dumps(listed, indent=1) + "\n"
    return texts


def _as_public(text: str) -> str:
    """The text of a visible test under the names that students read."""
    for staffs, students in _NAMES.items():
        text = text.replace(staffs, students)
    return text


def _is_public(each: RunnableTest) -> bool:
    return each.test.visibility is Visibility.VISIBLE


def _functions(tests: Sequence[RunnableTest], stem: str) -> list[str]:
    return [_function(each.test) for each in tests if each.test.stem == stem]


def _function(test: HiddenTest) -> str:
    return test.test_id.rpartition("::")[2]


def _recorded(project: Path, assignment: Assignment, tests: Sequence[RunnableTest]) -> dict[str, dict[str, Any]]:
    """By stem the results of the reference that the tests ask for."""
    recorders = {stem: Recorder(importlib.import_module(f"reference.{stem}")) for stem in assignment.stems}
    with ExitStack() as listening:
        for recorder in recorders.values():
            listening.enter_context(recorder.listening())
        for each in tests:
            run_on_reference(project, assignment, each)
    return {stem: recorder.as_plain() for stem, recorder in recorders.items()}


def run_on_reference(project: Path, assignment: Assignment, runnable: RunnableTest) -> None:
    """Run a test on the text of the right solution; PackagingError where it fails."""
    stem = runnable.test.stem
    question = next(each for each in assignment.questions if each.stem == stem)
    text = (project / "reference" / f"{stem}.py").read_text(encoding="utf-8")
    local = LocalQuestion(stem, question.files, stem, _classes(question), frozenset())
    attempt = LocalAttempt({stem: local}, {stem: Source(f"{stem}.py", text, False)}, {})
    try:
        runnable.call(Student(attempt))
    except Exception as error:
        raise PackagingError(f"{runnable.test.test_id} fails on the right solution: {error}") from error
    finally:
        attempt.close()


def _classes(question: Question) -> dict[str, tuple[str, ...]]:
    """By name of each class that is asked for, its methods that are."""
    names = [function.name for function in question.functions]
    owners = dict.fromkeys(name.partition(".")[0] for name in names if "." in name)
    return {owner: tuple(name.partition(".")[2] for name in names if name.startswith(f"{owner}.")) for owner in owners}


def _listed(question: Question, tests: Sequence[HiddenTest]) -> Mapping[str, Any]:
    own = [test for test in tests if test.stem == question.stem]
    public = [test for test in own if test.visibility is Visibility.VISIBLE]
    fields = ("number", "title", "points", "hide_errors")
    checks = [{"function": _function(test)} | {name: getattr(test, name) for name in fields} for test in public]
    return {
        "stem": question.stem,
        "title": question.title,
        "files": question.files,
        "classes": _classes(question),
        "placeholders": sorted({name for function in question.functions for name in function.placeholders}),
        "checks": checks,
        "not_public": [len(own) - len(public), round(sum(test.points for test in own if test not in public), 2)],
    }
