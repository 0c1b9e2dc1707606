"""The handout earns no points: neither as it is, nor with a line around everything in it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.grading.material import Material
from autograder.packaging import pack_handout
from autograder.packaging.handout import take_bodies
from autograder.results import Report
from autograder.submission import read_starter_modules, read_submission
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, grader

CODE = [question for question in ASSIGNMENT.questions if not question.answers]
GIVEN = {"getNegativeSamples"}  # part of the assignment's text; no check is about it
SPELLINGS = {"normalizeRows": ["normalizeRows", "normalize_rows"]}
COLLECT = """
try:
    from {module} import {name} as given
    GIVEN.setdefault({function!r}, []).append(given)
except BaseException:
    pass
"""
WRAP = """
def {function}(*arguments, **keywords):
    for given in GIVEN.get({function!r}, []):
        try:
            return given(*arguments, **keywords)
        except Exception:
            pass
    raise NotImplementedError
"""
WRAP_CLASS = """
class {function}(*GIVEN.get({function!r}, [])[:1]):
    pass
"""


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return {path: content.decode() for path, content in pack_handout(PROJECT).files.items()}


def grade_files(folder: Path, files: Mapping[str, str]) -> Report:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return grader().grade(read_submission(folder, ASSIGNMENT))


def name_module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def wrap_everything(files: Mapping[str, str]) -> dict[str, str]:
    """Return the handout, its templates again in `given/`, and files that try all that bears a function's name."""
    templates = {f"given/{path}": text for path, text in files.items() if "/" not in path}
    texts = {name_module(path): text for path, text in (templates | dict(files)).items() if path.endswith(".py")}
    texts |= {name: text for name, (text, _) in read_starter_modules().items()}
    for path, text in files.items():
        if path.endswith(".json") and "/reference/" in path:
            texts[name_module(path.replace(".json", ".py"))] += " ".join(json.loads(text)["functions"])
    wrapped = {}
    for question in CODE:
        names = dict.fromkeys(function.name.partition(".")[0] for function in question.functions)
        own = {question.stem, *(name_module(name) for name in question.files)}
        others = {module: text for module, text in texts.items() if module not in own or module in ("sigmoid",)}
        wrapped[question.files[0]] = "GIVEN = {}\n" + "".join(wrap(name, others) for name in names)
    return templates | dict(files) | wrapped


def wrap(function: str, texts: Mapping[str, str]) -> str:
    spellings = SPELLINGS.get(function, [function])
    found = [(module, name) for module, text in texts.items() for name in spellings if re.search(rf"\b{name}\b", text)]
    collected = [COLLECT.format(module=module, name=name, function=function) for module, name in found]
    return "".join(collected) + (WRAP_CLASS if function[0].isupper() else WRAP).format(function=function)


def test_it_earns_nothing_as_it_is(files: dict[str, str], tmp_path: Path) -> None:
    report = grade_files(tmp_path, files)
    assert (report.score, report.max_score) == (0, ASSIGNMENT.points)
    assert {question.file for question in report.questions} == {each.files[0] for each in ASSIGNMENT.questions}


def test_it_earns_nothing_with_wrappers_around_everything(files: dict[str, str], tmp_path: Path) -> None:
    wrapped = wrap_everything(files)
    assert "from given.word2vec import sigmoid as given" in wrapped["word2vec.py"]
    assert "from utils.utils import normalizeRows as given" in wrapped["normalization.py"]
    assert "from public_checks.reference.adam import adam_step as given" in wrapped["adam.py"]
    report = grade_files(tmp_path, wrapped)
    assert [check.test_id for check in report.checks if check.score] == []
    assert report.score == 0


def test_the_wrappers_earn_points_where_supplied_functions_do_not_refuse(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Material, "find_supplied", lambda *_: ())
    report = grade_files(tmp_path, wrap_everything(files))
    earning = {name for check in report.checks if check.score for name in check.functions}
    assert {"sigmoid", "normalizeRows", "softmax", "sigmoid_grad"} <= earning


def test_the_wrappers_earn_points_where_the_handout_ships_a_right_body(files: dict[str, str], tmp_path: Path) -> None:
    body, _ = read_starter_modules()["_grader_utils"]
    report = grade_files(tmp_path, wrap_everything(files | {"utils/utils.py": body}))
    earning = {name for check in report.checks if check.score for name in check.functions}
    assert {"normalizeRows", "softmax"} <= earning


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


def test_bodies_are_taken_out_of_graded_functions_only() -> None:
    text = '"""Two."""\n\n\ndef one(x):\n    """One."""\n    return x\n\n\ndef two(x):\n    y = x\n\n    return y\n'
    taken = take_bodies(text, {"two"})
    assert taken.startswith('"""Two."""\n\n\ndef one(x):\n    """One."""\n    return x\n\n\ndef two(x):\n    raise ')
    with pytest.raises(NotImplementedError, match="two is graded; the handout does not have it"):
        exec(taken + "two(1)\n", {})  # noqa: S102  (the text is above)
