"""A test's function refuses a call with a constant text: students read it of hidden tests too."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.selftest.support.grading import PROJECT

PATHS = sorted((PROJECT / "tests" / "hidden").glob("*.py"))


def find_refusals(text: str) -> list[ast.Call]:
    """Return the calls of `Refuse` in a source."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [node for node in calls if ast.unparse(node.func).rpartition(".")[2] == "Refuse"]


def find_other_texts(text: str) -> list[str]:
    """Return the refusals of a source whose text is no constant, and other uses of the class."""
    refusals = find_refusals(text)
    constant = [each for each in refusals if [type(argument) for argument in each.args] == [ast.Constant]]
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name) and node.id == "Refuse"]
    other = [ast.unparse(each) for each in refusals if each not in constant or each.keywords]
    return other + ["Refuse is used without a call"] * (len(names) - len(refusals))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_refusals_are_constant_texts(path: Path) -> None:
    assert find_other_texts(path.read_text(encoding="utf-8")) == []


def test_hidden_tests_refuse_calls() -> None:
    assert sum(len(find_refusals(path.read_text(encoding="utf-8"))) for path in PATHS) >= 8


@pytest.mark.parametrize(
    "source",
    [
        "raise Refuse(f'{n} parses')",
        "raise Refuse('%d parses' % n)",
        "raise Refuse('a parse of ' + word)",
        "raise Refuse(reason)",
        "raise Refuse('a', word)",
        "kind = Refuse",
    ],
)
def test_any_other_text_is_found(source: str) -> None:
    assert len(find_other_texts(source)) == 1
