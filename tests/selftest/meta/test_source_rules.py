"""Rules over sources: what students read of hidden tests is constant, and a text is run in the sandbox only."""

import ast
from collections.abc import Iterator

import pytest

from tests.selftest.support.project_sources import (
    GRADER,
    PROJECT,
    assert_none,
    list_files,
    list_grader_sources,
    list_nodes,
    locate,
    read_nodes,
)

pytestmark = pytest.mark.once

REFUSALS = ("Refuse", "RuntimeError")  # in a test by hand, and in a toy
RUN_TEXT = {"exec", "eval", "compile", "__import__"}
# A student's own code runs on their computer, and what a draft has written on that of staff.
RUN_TEXT_THERE = ("sandbox/", "programs/source.py", "public_checks/student_file.py", "questions/driver_draft.py")


def find_other_refusals(nodes: tuple[ast.AST, ...]) -> Iterator[tuple[int, str]]:
    """Yield the refusals whose text is no constant, and other uses of the class."""
    called = []
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in REFUSALS:
            called.append(node.func)
            if [type(argument) for argument in node.args] != [ast.Constant] or node.keywords:
                yield node.lineno, ast.unparse(node)
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == "Refuse" and node not in called:
            yield node.lineno, "Refuse is used without a call"


def find_calls_that_run_text(nodes: tuple[ast.AST, ...]) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each call that runs a text."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RUN_TEXT:
            yield node.lineno, node.func.id


def test_a_hidden_test_refuses_a_call_by_a_constant_text() -> None:
    paths = list_files(PROJECT / "tests" / "hidden", ".py")
    assert_none(locate(paths, lambda path: find_other_refusals(read_nodes(path))))
    for planted in ("raise Refuse(f'{n} parses')", "raise Refuse('a', word)", "kind = Refuse"):
        assert list(find_other_refusals(list_nodes(planted)))


def test_a_text_is_run_in_the_sandbox_only() -> None:
    paths = list_grader_sources()
    others = [path for path in paths if not path.relative_to(GRADER).as_posix().startswith(RUN_TEXT_THERE)]
    assert_none(locate(others, lambda path: find_calls_that_run_text(read_nodes(path))))
    assert list(find_calls_that_run_text(list_nodes("value = eval(text)")))
