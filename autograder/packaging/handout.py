"""Handout: turns an assignment into the zip for students: templates, the modules they import, and public checks.

A public check is a visible test: its source text, cut out of the hidden tests' file, with the right results recorded.
Gradescope shows students the same tests and, if one fails, right values; nothing else leaves the staff's folders.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from autograder import ENGINE
from autograder.assignment import TEMPLATES, Assignment, Question
from autograder.contracts import CheckBody
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.packaging.recording import Recorder
from autograder.packaging.slices import slice_modules
from autograder.packaging.tree import Files, PackagingError, read_files_below
from autograder.packaging.zip_file import build_zip
from autograder.public_checks.local_student import LocalAttempt, LocalQuestion, Source
from autograder.public_checks.recorded_check import encode_check
from autograder.results import Visibility
from autograder.student import Student

_CHECK = "autograder/public_checks/check.py"
_CHECKER = ("check_folder", "UnknownQuestionError")
_REFERENCE = '''"""Reference: the recorded right results of the public checks; no code here computes them."""

from pathlib import Path

from autograder.public_checks.expected import load_recorded

globals().update(load_recorded(Path(__file__).with_suffix(".json")))
'''
_LOAD = """from pathlib import Path

from autograder.public_checks.recorded_check import load_body

_RECORDED = Path(__file__).with_suffix(".json")
"""
_NAMES = {"tests/hidden": "tests/public", "tests.hidden": "tests.public", '"""Hidden tests of': '"""Public checks of'}
_PORTABLE = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))})


@dataclass(frozen=True)
class Handout:
    """The files for students.

    `checks`: the number of public checks with points; `left_out`: paths that git does not track.
    """

    files: Files
    checks: int
    left_out: tuple[str, ...]

    def as_zip(self) -> bytes:
        """Return the bytes of handout.zip."""
        return build_zip(self.files)


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
    for path, text in _build_public_checks(assignment, tests).items():
        files[f"public_checks/{path}"] = text.encode()
    require_portable(files)
    public = [each.test for each in tests if _is_public(each)]
    return Handout(files, sum(not test.is_advice for test in public), left_out)


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


def _build_public_checks(assignment: Assignment, tests: Sequence[RunnableTest]) -> dict[str, str]:
    """Build the texts of the checks and of the code that they need, by path below public_checks/."""
    public = [each for each in tests if _is_public(each)]
    by_hand = [each for each in public if not isinstance(each.call, CheckBody)]
    names = {f"tests.hidden.test_{stem}": _list_functions(by_hand, stem) for stem in assignment.stems}
    wanted = {
        "autograder.public_checks.checker": _CHECKER,
        "autograder.public_checks.expected": ("load_recorded",),
        "autograder.public_checks.recorded_check": ("load_body",) * (len(by_hand) < len(public)),
        **names,
    }
    cut = slice_modules({"autograder": ENGINE, "tests": assignment.root}, wanted)
    texts = {_make_public(path): _make_public(text) for path, text in cut.items()}
    texts["reference/__init__.py"] = '"""Reference: replaces the right solutions, which are not handed out."""\n'
    _add_recorded_checks(texts, public)
    for stem, results in _record_results(assignment, public).items():
        texts[f"reference/{stem}.py"] = _REFERENCE
        texts[f"reference/{stem}.json"] = json.dumps(results, indent=1) + "\n"
    graded = {function.name for question in assignment.questions for function in question.functions}
    for name, (text, is_package) in assignment.starter_modules.items():
        texts[f"support/{name.replace('.', '/')}{'/__init__' if is_package else ''}.py"] = take_bodies(text, graded)
    listed = [
        _describe_question(assignment, question, [each.test for each in tests]) for question in assignment.questions
    ]
    texts["questions.json"] = json.dumps(listed, indent=1) + "\n"
    return texts


def _add_recorded_checks(texts: dict[str, str], public: Sequence[RunnableTest]) -> None:
    """Add the checks of contracts as data, and to the files of checks the names under which they are run."""
    for stem in dict.fromkeys(each.test.stem for each in public):
        own = {_get_function(each.test): each.call for each in public if each.test.stem == stem}
        recorded = {name: encode_check(call.derived) for name, call in own.items() if isinstance(call, CheckBody)}
        if recorded:
            path = f"tests/public/test_{stem}"
            texts[f"{path}.json"] = json.dumps(recorded) + "\n"
            start = texts.get(f"{path}.py", f'"""Public checks of {stem}."""\n')
            loads = [f'{name} = load_body(_RECORDED, "{name}", "{stem}")\n' for name in recorded]
            texts[f"{path}.py"] = "\n".join([start, _LOAD, "".join(loads)])


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


def _is_public(each: RunnableTest) -> bool:
    return each.test.visibility is Visibility.VISIBLE


def _list_functions(tests: Sequence[RunnableTest], stem: str) -> list[str]:
    return [_get_function(each.test) for each in tests if each.test.stem == stem]


def _get_function(test: HiddenTest) -> str:
    return test.test_id.rpartition("::")[2]


def _record_results(assignment: Assignment, tests: Sequence[RunnableTest]) -> dict[str, dict[str, Any]]:
    """Record the results of the reference that the tests ask for, by stem."""
    recorders = {stem: Recorder(assignment.import_reference(stem)) for stem in assignment.stems}
    with ExitStack() as listening:
        for recorder in recorders.values():
            listening.enter_context(recorder.listen())
        for each in tests:
            run_on_reference(assignment, each)
    return {stem: recorder.serialize() for stem, recorder in recorders.items()}


def run_on_reference(assignment: Assignment, runnable: RunnableTest) -> None:
    """Run a test on the text of the right solution; PackagingError if it fails."""
    stem = runnable.test.stem
    question = assignment.get_question(stem)
    text = assignment.find_reference(stem).read_text(encoding="utf-8")
    local = LocalQuestion(stem, question.files, stem, _list_classes(question), frozenset())
    attempt = LocalAttempt({stem: local}, {stem: Source(f"{stem}.py", text, False)}, {})
    try:
        runnable.call(Student(attempt))
    except Exception as error:
        raise PackagingError(f"{runnable.test.test_id} fails on the right solution: {error}") from error
    finally:
        attempt.close()


def _list_classes(question: Question) -> dict[str, tuple[str, ...]]:
    """List the classes that the question asks for, each with its required methods."""
    names = [function.name for function in question.functions]
    owners = dict.fromkeys(name.partition(".")[0] for name in names if "." in name)
    return {owner: tuple(name.partition(".")[2] for name in names if name.startswith(f"{owner}.")) for owner in owners}


def _list_parameters(assignment: Assignment, question: Question) -> dict[str, tuple[str, ...]]:
    """List the parameters of each function and class, as the right solution names them."""
    module = assignment.import_reference(question.stem)
    names = dict.fromkeys(function.name.partition(".")[0] for function in question.functions)
    return {name: tuple(inspect.signature(getattr(module, name)).parameters) for name in names}


def _describe_question(assignment: Assignment, question: Question, tests: Sequence[HiddenTest]) -> Mapping[str, Any]:
    own = [test for test in tests if test.stem == question.stem]
    public = [test for test in own if test.visibility is Visibility.VISIBLE]
    fields = ("number", "title", "points", "hide_errors", "functions")
    checks = [{"function": _get_function(test)} | {name: getattr(test, name) for name in fields} for test in public]
    return {
        "stem": question.stem,
        "title": question.title,
        "files": question.files,
        "classes": _list_classes(question),
        "parameters": _list_parameters(assignment, question),
        "placeholders": sorted({name for function in question.functions for name in function.placeholders}),
        "checks": checks,
        "cpu_s": assignment.limits.cpu_seconds,  # None where the assignment declares none
        "not_public": [len(own) - len(public), round(sum(test.points for test in own if test not in public), 2)],
    }
