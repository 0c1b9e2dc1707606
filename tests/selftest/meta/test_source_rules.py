"""Rules over sources: each has no offender in the project, and finds every one that is planted."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.selftest.support.grading import ASSIGNMENT
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

Nodes = Sequence[ast.AST]
Found = Iterator[tuple[int, str]]

REFUSALS = ("Refuse", "RuntimeError")  # in a test by hand, and in a toy
HIDDEN = list_files(PROJECT / "tests" / "hidden", ".py")
RUN_TEXT = {"exec", "eval", "compile", "__import__"}
QUESTIONS = {function.name for question in ASSIGNMENT.questions for function in question.functions}
QUESTIONS |= {name for stem in ASSIGNMENT.stems for name in (stem, f"{stem}.py")}


class Rule(NamedTuple):
    """Where a rule holds, what finds its offenders, and sources with the number of those planted in them."""

    paths: Sequence[Path]
    find: Callable[[Nodes], Iterable[tuple[int, str]]]
    planted: Mapping[str, int]


def list_others(*apart: str) -> list[Path]:
    """List the modules of the grader but for those whose path begins so."""
    return [path for path in list_grader_sources() if not path.relative_to(GRADER).as_posix().startswith(apart)]


def find_other_refusals(nodes: Nodes) -> Found:
    """Yield the refusals whose text is no constant, and other uses of the class: students read them of hidden tests."""
    called = []
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in REFUSALS:
            called.append(node.func)
            if [type(argument) for argument in node.args] != [ast.Constant] or node.keywords:
                yield node.lineno, ast.unparse(node)
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == "Refuse" and node not in called:
            yield node.lineno, "Refuse is used without a call"


def find_calls_that_run_text(nodes: Nodes) -> Found:
    """Yield the line and the name of each call that runs a text."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RUN_TEXT:
            yield node.lineno, node.func.id


def find_questions(nodes: Nodes) -> Found:
    """Yield the names of questions and functions of the course.

    A question is data. Examples in messages and docstrings may name one; nothing that runs may depend on it.
    """
    for node in nodes:
        for field in ("id", "attr", "arg", "name", "value"):
            word = getattr(node, field, None)
            if isinstance(word, str) and word in QUESTIONS:
                yield getattr(node, "lineno", 1), word


RULES = {
    "a hidden test refuses a call by a constant text": Rule(
        HIDDEN,
        find_other_refusals,
        {
            "raise Refuse(f'{n} parses')": 1,
            "raise Refuse('%d parses' % n)": 1,
            "raise Refuse('a parse of ' + word)": 1,
            "raise Refuse(reason)": 1,
            "raise Refuse('a', word)": 1,
            "kind = Refuse": 1,
            "raise Refuse('no parses')": 0,
        },
    ),
    # And on a student's computer, where the code is their own.
    "a text is run in the sandbox only": Rule(
        list_others("sandbox/", "public_checks/student_file.py"),
        find_calls_that_run_text,
        {"exec(text)": 1, "value = eval(text)": 1, "pattern.compile(text)": 0},
    ),
    "the grader names no question": Rule(
        list_others(), find_questions, {"if stem == 'adam': pass": 1, "student.normalizeRows": 1, "student.add": 0}
    ),
}
PLANTED = [(name, source, count) for name, rule in RULES.items() for source, count in rule.planted.items()]


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_has_no_offender(rule: Rule) -> None:
    assert rule.paths
    assert_none(locate(rule.paths, lambda path: rule.find(read_nodes(path))))


@pytest.mark.parametrize(("name", "source", "count"), PLANTED)
def test_a_planted_offender_is_found(name: str, source: str, count: int) -> None:
    assert len(list(RULES[name].find(list_nodes(source)))) == count
