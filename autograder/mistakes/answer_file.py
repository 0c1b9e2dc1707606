"""Answer file: turns functions that return one expression each into the TOML file that a student would submit.

The answer is the text of the expression for a formula or a count, and its value for the other kinds.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterable
from types import ModuleType

from autograder.assignment import Answer, AnswerKind


def build_answer_file(answers: Iterable[Answer], reference: ModuleType, **replaced: str) -> str:
    """Build the file of the reference's answers, except for those in `replaced`: texts by the names of functions."""
    tables: dict[str, list[str]] = {}
    for answer in answers:
        table, _, key = answer.key.rpartition(".")
        function = replaced.get(answer.name) or inspect.getsource(getattr(reference, answer.name))
        tables.setdefault(table, []).append(f"{key} = {_quote(_write_answer(function, answer))}")
    return "\n".join(f"[{table}]\n" + "\n".join(lines) + "\n" for table, lines in tables.items())


def _write_answer(function: str, answer: Answer) -> str:
    returned = _parse_returned(function)
    if answer.kind in (AnswerKind.FORMULA, AnswerKind.COUNT):
        return ast.unparse(returned)
    while isinstance(returned, ast.Call):  # the function that turns the text of a table into rows
        returned = returned.args[0]
    return str(ast.literal_eval(returned))


def _parse_returned(function: str) -> ast.expr:
    definition = ast.parse(function).body[0]
    returns = [node.value for node in ast.walk(definition) if isinstance(node, ast.Return) and node.value is not None]
    if len(returns) != 1:
        raise ValueError(f"{ast.unparse(definition).partition(chr(10))[0]} does not return one expression")
    return returns[0]


def _quote(text: str) -> str:
    return f"'''\n{text}'''" if "\n" in text else json.dumps(text)
