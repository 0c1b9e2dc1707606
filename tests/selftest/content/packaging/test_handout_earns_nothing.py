"""The handout earns no points as it is, and holds the body of no graded function."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.packaging import pack_handout
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, grade_once
from tests.selftest.support.handout import list_texts

pytestmark = [pytest.mark.slow, pytest.mark.content, pytest.mark.once]

CODE = [question for question in ASSIGNMENT.questions if not question.answers]
GIVEN = {"getNegativeSamples"}  # part of the assignment's text; no check is about it


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return list_texts(pack_handout(ASSIGNMENT))


@pytest.mark.ci
def test_it_earns_nothing_as_it_is(files: dict[str, str], tmp_path: Path) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    report = grade_once(read_submission(tmp_path, ASSIGNMENT))
    assert (report.score, report.max_score) == (0, sum(question.points for question in ASSIGNMENT.questions))
    assert {question.file for question in report.questions} == {each.files[0] for each in ASSIGNMENT.questions}


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
