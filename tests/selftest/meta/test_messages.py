"""The names of requests and replies stand in one file; a bare string of that kind anywhere else is an error."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.sandbox.protocol import messages
from tests.selftest.support.grading import PROJECT

NAMES = {value for name, value in vars(messages).items() if name.isupper() and isinstance(value, str)}
SPEAKERS = ("sandbox", "grading", "diagnosis", "public_checks", "student.py")
# Strings that are equal to a name and mean something else.
OTHER_MEANINGS = {
    ("autograder/sandbox/protocol/outcome.py", "returned"),  # kinds of outcomes
    ("autograder/sandbox/protocol/outcome.py", "raised"),
    ("autograder/sandbox/host/callbacks.py", "callback"),  # the name that a student's print shows
    ("autograder/public_checks/local_callbacks.py", "callback"),
    ("autograder/sandbox/zygote/warm_up.py", "callback"),
}


def find_speakers() -> list[Path]:
    """Return the modules that send, receive or pass on messages."""
    roots = [PROJECT / "autograder" / name for name in SPEAKERS]
    paths = [path for root in roots for path in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]
    return [path for path in paths if path.name != "messages.py"]


def find_bare_names(text: str, path: str = "") -> list[tuple[int, str]]:
    """Return the lines with a string that is the name of a request or a reply."""
    tree = ast.parse(text)
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES
        if id(node) not in inside and (path, node.value) not in OTHER_MEANINGS
    ]


@pytest.mark.parametrize("path", find_speakers(), ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_messages_are_named_by_their_constants(path: Path) -> None:
    relative = path.relative_to(PROJECT).as_posix()
    assert find_bare_names(path.read_text(encoding="utf-8"), relative) == []


def test_a_bare_name_is_found() -> None:
    assert find_bare_names("worker.exchange(('call', f))") == [(1, "call")]


def test_no_two_messages_have_one_name() -> None:
    assert len(NAMES) == sum(name.isupper() and isinstance(value, str) for name, value in vars(messages).items())
