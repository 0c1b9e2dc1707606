"""Handout: turns an assignment into the zip for students: templates, `check.py`, and the checks that they may see.

A public check is a visible test: data, or its source text with the right results recorded. Gradescope shows students
the same tests and, if one fails, right values; nothing else leaves the staff's folders.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from autograder import ENGINE
from autograder.assignment import TEMPLATES, Assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.packaging.public_question import describe_questions, list_by_hand, write_data
from autograder.packaging.slices import slice_modules
from autograder.packaging.tree import Files, PackagingError, build_zip, read_files_below
from autograder.results import Visibility

_CHECK = "autograder/public_checks/check.py"
_RUN = {  # what check.py imports
    "autograder.public_checks.question_run": ("run_question",),
    "autograder.public_checks.report": ("Report", "write_end", "write_rest", "write_start", "write_total"),
}
_STARTER_MODULES = "autograder/public_checks/starter_modules.json"
_REFERENCE = '''"""Reference: the recorded right results of the public checks; no code here computes them."""

from autograder.public_checks.expected import load_recorded

globals().update(load_recorded("{}"))
'''
_NAMES = {"tests/hidden": "tests/public", "tests.hidden": "tests.public", '"""Hidden tests of': '"""Public checks of'}
_PORTABLE = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))})


@dataclass(frozen=True)
class Handout:
    """The files for students.

    `checks`: the number of public checks with points; `left_out`: paths that git does not track; `only_there`: the
    numbers of visible checks that only Gradescope can run.
    """

    files: Files
    checks: int
    left_out: tuple[str, ...]
    only_there: tuple[str, ...]

    def as_zip(self) -> bytes:
        """Return the bytes of handout.zip."""
        return build_zip(self.files, compressed=True)


def pack_handout(whole: Assignment) -> Handout:
    """Pack the files for students.

    PackagingError if a visible test fails on the right solutions, or a name is not a valid file name on Windows;
    AssignmentError or HiddenTestError for broken staff files.
    """
    assignment = _select_code(whole)
    tests = collect_hidden_tests(assignment, stems=assignment.stems)
    templates, left_out = read_files_below(assignment.root, [TEMPLATES])
    files = {path.removeprefix(f"{TEMPLATES}/"): content for path, content in templates.items()}
    files["check.py"] = (ENGINE / _CHECK).read_bytes()
    questions = describe_questions(assignment, tests)
    files |= {f"checks/{stem}.json.gz": write_data(described) for stem, described in questions.items()}
    files["checks/grader.zip"] = build_zip(_cut_grader(assignment, questions), compressed=True)
    require_portable(files)
    checks = [check for described in questions.values() for check in described["checks"]]
    shown = {check["number"] for check in checks}
    visible = [each.test.number for each in tests if each.test.visibility is Visibility.VISIBLE]
    only_there = tuple(number for number in visible if number not in shown)
    return Handout(files, sum(check["points"] > 0 for check in checks), left_out, only_there)


def _select_code(assignment: Assignment) -> Assignment:
    """Select the code questions: judging written answers needs the grader, and their data holds the solutions."""
    return replace(assignment, questions=tuple(each for each in assignment.questions if not each.answers))


def require_portable(paths: Iterable[str]) -> None:
    """Raise PackagingError for a path that is not valid on Windows or macOS, or clashes with another path."""
    seen: dict[str, str] = {}
    for path in paths:
        names = {part.partition(".")[0].lower() for part in path.split("/")}
        if not _PORTABLE.fullmatch(path) or names & _DEVICES or path.endswith("."):
            raise PackagingError(f"{path!r} is not a valid file name on every system; rename it")
        other = seen.setdefault(path.lower(), path)
        if other != path:
            raise PackagingError(
                f"{path!r} and {other!r} are the same file on systems that ignore case; rename one of them"
            )


def _cut_grader(assignment: Assignment, questions: Mapping[str, Mapping[str, Any]]) -> Files:
    """Cut out the parts of the grader, the starter modules, and the tests by hand with what they need."""
    written = {stem: list_by_hand(described["checks"]) for stem, described in questions.items()}
    by_hand = {f"tests.hidden.test_{stem}": names for stem, names in written.items() if names}
    recorded = {"autograder.public_checks.expected": ("load_recorded",)} if by_hand else {}
    texts = slice_modules({"autograder": ENGINE, "tests": assignment.root}, {**_RUN, **recorded, **by_hand})
    if by_hand:
        texts |= {
            f"reference/{stem}.py": _REFERENCE.format(stem) for stem in questions if "recorded" in questions[stem]
        }
    texts[_STARTER_MODULES] = json.dumps(_take_starter_modules(assignment))
    files = {_make_public(path): _make_public(_drop_docstrings(path, text)).encode() for path, text in texts.items()}
    packages = {parent.as_posix() for path in files for parent in PurePosixPath(path).parents[:-1]}
    return {**{f"{package}/__init__.py": b"" for package in packages}, **files}


def _drop_docstrings(path: str, text: str) -> str:
    """Drop the docstrings of a module of the grader, which nobody reads in a zip; the other lines stay as they are.

    A Python may write a syntax tree in a way that older ones, which students have, do not read.
    """
    if not path.startswith("autograder/") or not path.endswith(".py"):
        return text
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            last = docstring.end_lineno or docstring.lineno
            kept = "" if len(node.body) > 1 else " " * docstring.col_offset + "pass\n"
            lines[docstring.lineno - 1 : last] = [kept, *[""] * (last - docstring.lineno)]
    return "".join(lines)


def _take_starter_modules(assignment: Assignment) -> dict[str, tuple[str, bool]]:
    """Return by name the texts of the modules that the grader supplies, and whether they are packages."""
    graded = {function.name for question in assignment.questions for function in question.functions}
    found = assignment.starter_modules.items()
    return {name: (take_bodies(text, graded), is_package) for name, (text, is_package) in found}


def take_bodies(text: str, graded: Collection[str]) -> str:
    """Take the bodies out of a module's functions that are graded: with them, one line would be the answer."""
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        if isinstance(node, ast.FunctionDef) and node.name in graded:
            refusal = f"{node.name} is graded; the handout does not have it: write it yourself"
            lines[node.body[0].lineno - 1 : node.end_lineno] = [f'    raise NotImplementedError("{refusal}")\n']
    return "".join(lines)


def _make_public(text: str) -> str:
    """Replace staff names in the text of a visible test by the names that students see."""
    for staffs, students in _NAMES.items():
        text = text.replace(staffs, students)
    return text
