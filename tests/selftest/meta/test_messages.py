"""The names of requests and replies stand in one file; a bare string of that kind anywhere else is an error."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from autograder.sandbox.protocol import messages
from tests.selftest.support.project_sources import (
    GRADER,
    assert_none,
    get_relative,
    list_grader_sources,
    list_nodes,
    locate,
    read_nodes,
)

NAMES = {value for name, value in vars(messages).items() if name.isupper() and isinstance(value, str)}
SPEAKERS = ("sandbox", "grading", "diagnosis", "public_checks", "student.py")
# Strings that are equal to a name and mean something else.
OTHER_MEANINGS = {
    ("autograder/sandbox/protocol/outcome.py", "returned"),  # kinds of outcomes
    ("autograder/sandbox/protocol/outcome.py", "raised"),
    ("autograder/sandbox/host/exports.py", "callback"),  # the name that a student's print shows
    ("autograder/sandbox/zygote/warm_up.py", "callback"),
}


def find_speakers() -> list[Path]:
    """Return the modules that send, receive or pass on messages."""
    paths = [path for path in list_grader_sources() if path.relative_to(GRADER).parts[0] in SPEAKERS]
    return [path for path in paths if path.name != "messages.py"]


def find_bare_names(nodes: Sequence[ast.AST], path: str = "") -> list[tuple[int, str]]:
    """Return the lines with a string that is the name of a request or a reply."""
    inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    return [
        (node.lineno, node.value)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES
        if id(node) not in inside and (path, node.value) not in OTHER_MEANINGS
    ]


def test_messages_are_named_by_their_constants() -> None:
    assert {path.relative_to(GRADER).parts[0] for path in find_speakers()} == set(SPEAKERS)
    assert_none(locate(find_speakers(), lambda path: find_bare_names(read_nodes(path), get_relative(path))))


def test_a_bare_name_is_found() -> None:
    assert find_bare_names(list_nodes("worker.exchange(('call', f))")) == [(1, "call")]


def test_no_two_messages_have_one_name() -> None:
    assert len(NAMES) == sum(name.isupper() and isinstance(value, str) for name, value in vars(messages).items())
