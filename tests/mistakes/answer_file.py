"""Answer file: turns functions that return one expression each into the TOML file that a student would hand in.

The expression is the answer: as its text for a formula or a count, as its value for the others.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.assignment import Answer, AnswerKind, load_assignment

ASSIGNMENT = load_assignment(Path(__file__).resolve().parents[2])
ANSWERS = {question.stem: question.answers for question in ASSIGNMENT.questions if question.answers}


def answer_file(stem: str, **replaced: Callable[..., Any]) -> str:
    """The file with the reference's answers, but for those that are replaced, by the name of their function."""
    reference = importlib.import_module(f"reference.{stem}")
    tables: dict[str, list[str]] = {}
    for answer in ANSWERS[stem]:
        table, _, key = answer.key.rpartition(".")
        function = replaced.get(answer.name) or getattr(reference, answer.name)
        tables.setdefault(table, []).append(f"{key} = {_quoted(_text_of(function, answer))}")
    return "\n".join(f"[{table}]\n" + "\n".join(lines) + "\n" for table, lines in tables.items())


def _text_of(function: Callable[..., Any], answer: Answer) -> str:
    returned = _returned(function)
    if answer.kind in (AnswerKind.FORMULA, AnswerKind.COUNT):
        return ast.unparse(returned)
    while isinstance(returned, ast.Call):  # what turns the text of a table into rows
        returned = returned.args[0]
    return str(ast.literal_eval(returned))


def _returned(function: Callable[..., Any]) -> ast.expr:
    lines = textwrap.dedent(inspect.getsource(function))
    definition = ast.parse(lines[lines.index("def ") :]).body[0]
    returns = [node.value for node in ast.walk(definition) if isinstance(node, ast.Return) and node.value is not None]
    if len(returns) != 1:
        raise ValueError(f"{function.__name__} does not return one expression")
    return returns[0]


def _quoted(text: str) -> str:
    return f"'''\n{text}'''" if "\n" in text else json.dumps(text)
