"""A test's function refuses a call with a constant text: students read it of hidden tests too."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest

from tests.selftest.support.project_sources import PROJECT, assert_none, list_nodes, locate, read_nodes

REFUSALS = ("Refuse", "RuntimeError")  # in a test by hand, and in a toy
PATHS = sorted((PROJECT / "tests" / "hidden").glob("*.py"))


def find_refusals(nodes: Sequence[ast.AST]) -> list[ast.Call]:
    """Return the calls of what refuses a call in a source."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return [node for node in calls if ast.unparse(node.func).rpartition(".")[2] in REFUSALS]


def find_other_texts(nodes: Sequence[ast.AST]) -> list[tuple[int, str]]:
    """Return the refusals of a source whose text is no constant, and other uses of the class, each after its line."""
    refusals = find_refusals(nodes)
    constant = [each for each in refusals if [type(argument) for argument in each.args] == [ast.Constant]]
    called = [each.func for each in refusals]
    other = [each for each in refusals if each not in constant or each.keywords]
    names = [node for node in nodes if isinstance(node, ast.Name) and node.id == "Refuse" and node not in called]
    return [(each.lineno, ast.unparse(each)) for each in other] + [
        (node.lineno, "Refuse is used without a call") for node in names
    ]


def test_refusals_are_constant_texts() -> None:
    assert_none(locate(PATHS, lambda path: find_other_texts(read_nodes(path))))


def test_hidden_tests_refuse_calls() -> None:
    assert sum(len(find_refusals(read_nodes(path))) for path in PATHS) >= 6


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
    assert len(find_other_texts(list_nodes(source))) == 1
