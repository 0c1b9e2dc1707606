"""The handout earns no points: neither as it is, nor with a line around everything in it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from autograder.assignment import Question
from autograder.grading.material import Material
from autograder.packaging import pack_handout
from autograder.results import Report
from autograder.submission import find_defined_names, read_submission
from tests.selftest.support.grading import ASSIGNMENT, grade_once
from tests.selftest.support.handout import list_texts

pytestmark = [pytest.mark.slow, pytest.mark.content, pytest.mark.once]

CODE = [question for question in ASSIGNMENT.questions if not question.answers]
GIVEN = {"getNegativeSamples"}  # part of the assignment's text; no check is about it
MOST_CANDIDATES = 30
SPELLINGS = {"normalizeRows": ["normalizeRows", "normalize_rows"]}
WRAP = """
try:
    from {module} import {name} as given_{function}
except BaseException:
    pass
def {function}(*arguments, **keywords): return given_{function}(*arguments, **keywords)
"""
WRAP_CLASS = """
from {module} import {name} as given_{function}
class {function}(given_{function}): pass
"""


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return list_texts(pack_handout(ASSIGNMENT))


def grade_files(folder: Path, files: Mapping[str, str], only: list[str] | None = None) -> Report:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return grade_once(read_submission(folder, ASSIGNMENT, only=only))


def name_module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def list_modules(files: Mapping[str, str]) -> dict[str, str]:
    """Return by name the texts of all modules, those that the grader supplies included."""
    texts = {name: text for name, (text, _) in ASSIGNMENT.starter_modules.items()}
    texts |= {name_module(path): text for path, text in files.items() if path.endswith(".py")}
    for path, text in files.items():
        recorded = json.loads(text).get("recorded") if path.endswith(".json") else None
        if recorded:
            defined = "".join(f"def {name}(*arguments): ...\n" for name in recorded["functions"])
            texts[f"grader.reference.{json.loads(text)['id']}"] += defined
    return texts


def find_candidates(function: str, files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return module and name of all that may be a function, as the module defines or imports its name."""
    own = {name_module(name) for question in CODE for name in question.files}
    texts = {module: text for module, text in list_modules(files).items() if module not in own}
    names = SPELLINGS.get(function, [function])
    return [(module, name) for module, text in texts.items() for name in names if name in list_bound_names(text)]


@cache
def list_bound_names(text: str) -> set[str]:
    """Return the names that a module defines or imports."""
    imports = re.findall(r"^(?:from .*)?import .*", text, re.MULTILINE)
    return {*find_defined_names(text), *re.findall(r"\w+", " ".join(imports))}


def list_wrapped(files: Mapping[str, str]) -> list[dict[str, str]]:
    """Return wrapped questions; the n-th wrap each function's n-th candidate, the handout beside them."""
    files = {f"given/{path}": text for path, text in files.items() if "/" not in path} | dict(files)
    submissions = []
    for number in range(MOST_CANDIDATES):
        texts = {question.files[0]: wrap_question(question, files, number) for question in CODE}
        wrapped = {path: text for path, text in texts.items() if text}
        kept = {path: text for path, text in files.items() if path not in texts}
        submissions += [kept | wrapped] if wrapped else []
    assert len(submissions) < MOST_CANDIDATES
    return submissions


def wrap_question(question: Question, files: Mapping[str, str], number: int) -> str:
    text = ""
    for name in dict.fromkeys(function.name.partition(".")[0] for function in question.functions):
        for module, given in find_candidates(name, files)[number : number + 1]:
            wrap = WRAP_CLASS if name[0].isupper() else WRAP
            text += wrap.format(module=module, name=given, function=name)
    return text


def find_earning(folder: Path, submissions: list[dict[str, str]]) -> set[str]:
    """Return the functions that earn points in any of the submissions."""
    reports = []
    for number, each in enumerate(submissions):
        stems = [question.stem for question in CODE if question.files[0] in each]
        reports.append(grade_files(folder / str(number), each, stems))
    return {name for report in reports for check in report.checks if check.score for name in check.functions}


@pytest.mark.ci
def test_it_earns_nothing_as_it_is(files: dict[str, str], tmp_path: Path) -> None:
    report = grade_files(tmp_path, files)
    assert (report.score, report.max_score) == (0, sum(question.points for question in ASSIGNMENT.questions))
    assert {question.file for question in report.questions} == {each.files[0] for each in ASSIGNMENT.questions}


@pytest.mark.ci
def test_it_earns_nothing_with_wrappers_around_everything(files: dict[str, str], tmp_path: Path) -> None:
    submissions = list_wrapped(files)
    lines = "".join(text for submission in submissions for text in submission.values())
    for given in ("given.word2vec import sigmoid", "utils.utils import softmax", "sigmoid import sigmoid_grad"):
        assert f"from {given} as given_" in lines
    assert find_earning(tmp_path, submissions) == set()


@pytest.mark.ci
def test_the_wrappers_earn_points_where_supplied_functions_do_not_refuse(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Material, "find_supplied", lambda *_: ())
    assert find_earning(tmp_path, list_wrapped(files)[2:3]) == {"sigmoid", "normalizeRows", "softmax", "sigmoid_grad"}


def test_it_holds_no_body_of_a_graded_function(files: dict[str, str]) -> None:
    graded = {name for question in CODE for function in question.functions for name in function.name.split(".")}
    bodies = {}
    for path, text in files.items():
        for node in ast.walk(ast.parse(text)) if path.endswith(".py") else ():
            if isinstance(node, ast.FunctionDef) and node.name in graded - GIVEN:
                bodies[f"{path}::{node.name}"] = [each for each in node.body if not is_docstring(each)]
    assert len(bodies) > 30
    assert [name for name, body in bodies.items() if len(body) != 1 or not isinstance(body[0], ast.Raise)] == []


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
