"""Handout: turns an assignment into the zip for students: task sheet, templates, `check.py`, and checks they may see.

A public check is a visible one, as data with its right values, which Gradescope shows too if the check fails. Next to
the data are the grader's modules that run it, whole: none of them knows of an assignment or imports anything of Linux.
"""

from __future__ import annotations

import ast
import gzip
import inspect
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from autograder import ENGINE
from autograder.assignment import TASKS, TEMPLATES, Assignment, Question
from autograder.contracts import CheckBody
from autograder.contracts.body import judge_check
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.packaging.task_sheet import build_sheet
from autograder.packaging.tree import Files, PackagingError, build_zip, normalize_line_ends, read_files_below
from autograder.public_checks import expected
from autograder.public_checks.question_run import HomeModule
from autograder.public_checks.student_file import StudentFile
from autograder.results import Visibility

_CHECK = "autograder/public_checks/check.py"
_AT_HOME = ("autograder.public_checks.question_run", "autograder.public_checks.home_text")  # what check.py imports
_FIELDS = ("number", "title", "points", "functions", "hide_errors")
_STARTER_MODULES = "autograder/public_checks/starter_modules.json"


@dataclass(frozen=True)
class Handout:
    """The files for students.

    `checks`: the number of public checks with points that run at home; `left_out`: paths that git does not track;
    `only_there`: the numbers of the visible checks that run on Gradescope.
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

    PackagingError if a visible test fails on the right solutions, or a formula of the sheet is not TeX;
    AssignmentError or HiddenTestError for broken staff files.
    """
    assignment = _select_code(whole)
    tests = collect_hidden_tests(whole, question_ids=whole.question_ids)
    packed, left_out = read_files_below(assignment.root, [TEMPLATES])
    files = {}
    for path, content in packed.items():
        if not path.startswith(f"{TASKS}/"):
            files[path.removeprefix(f"{TEMPLATES}/")] = content
    files |= build_sheet(whole, [each.test for each in tests], packed)
    files["check.py"] = (ENGINE / _CHECK).read_bytes()
    checks = []
    for question in assignment.questions:
        own = [each for each in tests if each.test.question_id == question.question_id]
        described = describe_question(assignment, question, own)
        files[f"checks/{question.question_id}.json.gz"] = write_data(described)
        checks += described["checks"]
    modules = read_home_modules()
    modules[_STARTER_MODULES] = json.dumps(_take_starter_modules(assignment)).encode()
    files["checks/grader.zip"] = build_zip(modules, compressed=True)
    only_there = tuple(check["number"] for check in checks if "data" not in check)
    worth = [check for check in checks if "data" in check and check["points"] > 0]
    return Handout(files, len(worth), left_out, only_there)


def read_home_modules() -> dict[str, bytes]:
    """Read the grader's modules that run checks on a student's computer, as files of a zip.

    The other modules of their packages are left behind, so that a package itself is an empty file.
    """
    files: dict[str, bytes] = {}
    wanted = list(_AT_HOME)
    while wanted:
        name = wanted.pop()
        path = name.replace(".", "/") + ".py"
        if not name.startswith("autograder.") or path in files or not (ENGINE / path).exists():
            continue
        files[path] = normalize_line_ends((ENGINE / path).read_bytes())
        for node in ast.parse(files[path]).body:  # what is imported for annotations alone stands in an `if`
            if isinstance(node, ast.ImportFrom):
                wanted += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    for path in list(files):
        for package in PurePosixPath(path).parents[:-1]:
            files[f"{package}/__init__.py"] = b""
    files["autograder/__init__.py"] = normalize_line_ends((ENGINE / "autograder/__init__.py").read_bytes())
    return files


def _select_code(assignment: Assignment) -> Assignment:
    """Select the code questions: judging written answers needs the grader, and their data holds the solutions."""
    return replace(assignment, questions=tuple(each for each in assignment.questions if not each.answers))


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
            body = slice(node.body[0].lineno - 1, node.end_lineno)
            lines[body] = [f'    raise NotImplementedError("{refusal}")\n']
    return "".join(lines)


def describe_question(assignment: Assignment, question: Question, tests: Sequence[RunnableTest]) -> dict[str, Any]:
    """Describe a question for `check.py`: its files and its visible checks; those with `data` run at home.

    `tests`: those of the question. PackagingError for a visible check that fails on the right solution.
    """
    visible = [each for each in tests if each.test.visibility is Visibility.VISIBLE]
    hidden = [each.test.points for each in tests if each not in visible]
    placeholders: set[str] = set()
    for function in question.functions:
        placeholders.update(function.placeholders)
    functions = _describe_functions(assignment, question)
    return {
        "id": question.question_id,
        "place": assignment.question_ids.index(question.question_id),
        "title": question.title,
        "files": question.files,
        **functions,
        "variants": [asdict(variant) for variant in question.variants],
        "placeholders": sorted(placeholders),
        "seconds": assignment.limits.cpu_seconds,  # None where the assignment declares none
        "more": [len(hidden), round(sum(hidden), 2)],
        "checks": [_record_check(assignment, question, functions, each) for each in visible],
    }


def write_data(described: Mapping[str, Any]) -> bytes:
    """Write a question as compressed JSON; the same bytes for the same question."""
    return gzip.compress(json.dumps(described, separators=(",", ":")).encode(), mtime=0)


def _record_check(
    assignment: Assignment, question: Question, functions: Mapping[str, Any], runnable: RunnableTest
) -> dict[str, Any]:
    check = {name: getattr(runnable.test, name) for name in _FIELDS}
    if not isinstance(runnable.call, CheckBody):
        return check
    try:
        data = json.loads(json.dumps(expected.encode(runnable.call.derived)))
    except expected.OnlyOnGradescope:
        return check
    described = {"files": question.files, "placeholders": (), **functions}
    file = StudentFile(described, str(assignment.find_reference(question.question_id)), lambda _: None)
    try:
        derived = expected.decode(data)
        judgement = judge_check(derived, HomeModule(file).run(derived.programs))
        if judgement.failure is not None:
            raise judgement.failure
    except Exception as error:
        raise PackagingError(f"{runnable.test.test_id} fails on the right solution: {error}") from error
    finally:
        file.close()
    return check | {"data": data}


def _describe_functions(assignment: Assignment, question: Question) -> dict[str, Any]:
    """Describe the parameters of each graded function and class, and the graded methods of each class."""
    module = assignment.import_reference(question.question_id)
    parameters: dict[str, tuple[str, ...]] = {}
    classes: dict[str, list[str]] = {}
    for function in question.functions:
        owner, _, method = function.name.partition(".")
        found = getattr(module, owner)
        parameters[owner] = tuple(inspect.signature(found).parameters)
        if isinstance(found, type):
            classes.setdefault(owner, [])
        if method:
            classes[owner].append(method)
    return {"parameters": parameters, "classes": classes}
