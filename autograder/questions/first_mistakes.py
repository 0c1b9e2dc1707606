"""First mistakes: chooses edits of a right solution that people would make, as the first bank of known mistakes.

Each is told in words, loses points, and is written as an edit of the solution's text.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from types import ModuleType
from typing import Any

import numpy as np

from autograder.contracts.body import DerivedCheck, is_all_right
from autograder.contracts.call_values import name_leaves
from autograder.matrix.mutant import Edit, EditKind, list_edits, strip
from autograder.mistakes import apply_edits, mistake_edit, read_text, replace_code
from autograder.programs.outcome import Outcome
from autograder.programs.program import run_program
from autograder.sandbox.host.bounds import TooLong, limit_time

_MOST = 5  # mistakes of a function
_SECONDS = 5.0  # of computing time for one
_TRIES = 6  # edits of a kind that are judged, and again for a row that none of the mistakes fails
_LONGEST = 108  # characters of both texts of an edit, which stand on one line
_SHORTEST = 3  # characters of the text that is replaced: fewer say nothing to a reader
_ASKED: Mapping[EditKind, tuple[str, str]] = {  # the ends of ids, and what students are asked; the telling kinds first
    EditKind.MISSING_TERM: ("without_term", "Which terms and factors has the formula?"),
    EditKind.SIGN: ("wrong_sign", "Which sign has each term of the formula?"),
    EditKind.OPTION: ("without_option", "Which shape has the result of each of your calls?"),
    EditKind.CONSTANT: ("wrong_axis", "Over which axis is each sum, mean and maximum?"),
    EditKind.RELATED: ("related_function", "Is it a sum, a mean or a maximum that is asked for?"),
    EditKind.ADDED: ("overwrites", "Which of your values get contributions from several places?"),
    EditKind.CONDITION: ("without_case", "Which cases does the text tell apart?"),
    EditKind.TRANSPOSED: ("transposed", "Which shapes have the factors of each product?"),
    EditKind.BORDER: ("border", "What happens where the two sides are equal?"),
    EditKind.INDEX: ("off_by_one", "Which are the first and the last entry of each of your ranges?"),
    EditKind.OPERATION: ("other_operation", "Which operation joins the parts of the formula?"),
    EditKind.MISSING_STEP: ("without_step", "Which steps has the computation?"),
    EditKind.VARIABLE: ("other_variable", "What does each of your variables stand for?"),
}


@dataclass(frozen=True)
class FirstMistake:
    """A mistake to be written; `old`, `new`: the text of the function, and its replacement."""

    id: str
    function: str
    old: str
    new: str
    story: str
    hint: str
    rows: frozenset[int] = frozenset()


def choose_mistakes(module: ModuleType, function: str, rows: Sequence[DerivedCheck]) -> list[FirstMistake]:
    """Choose mistakes of a function: one of a kind, and more while a row catches none."""
    known: dict[EditKind, list[FirstMistake]] = {kind: [] for kind in _ASKED}
    for kind, mistake in _list_mistakes(module, function):
        known[kind].append(mistake)

    def judge(mistakes: Sequence[FirstMistake], place: int | None = None) -> FirstMistake | None:
        for each in mistakes:
            judged = _judge(module, each, rows)
            if judged is not None and (place is None or place in judged.rows):
                return judged
        return None

    firsts = (judge(of_kind[:_TRIES]) for of_kind in known.values())
    chosen = list(islice(filter(None, firsts), _MOST))
    listed = [*chain.from_iterable(known.values())]
    for place in range(len(rows)):
        if any(place in each.rows for each in chosen):
            continue
        another = judge(listed[: _TRIES * len(_ASKED)], place)
        if another is not None:
            chosen.append(another)
    return chosen


def _list_mistakes(module: ModuleType, function: str) -> Iterator[tuple[EditKind, FirstMistake]]:
    """List the edits of a function that can be told and written, each with its kind."""
    right = read_text(module, function)
    node: Any = ast.parse(right).body[0]
    has_loop = any(isinstance(each, ast.While) for each in ast.walk(node))
    used: Counter[str] = Counter()
    for edit in list_edits(node):
        kind, story = edit.proposal.kind, edit.proposal.tell()
        may_not_end = has_loop and not isinstance(edit.nodes[0], ast.Return)
        if may_not_end or not story:
            continue
        pair = _find_pair(edit, right)
        if pair is not None:
            slug, hint = _ASKED[kind]
            name = f"{function.replace('.', '_').lower()}_{slug}"
            used[name] += 1
            yield kind, FirstMistake(f"{name}_{used[name]}", function, *pair, story, hint)


def _find_pair(edit: Edit, right: str) -> tuple[str, str] | None:
    """Find a text that occurs once in the right function, and the text by which the edit replaces it."""
    node, replacement = edit.nodes[-1], edit.proposal.replacement
    if isinstance(replacement, list) or not _is_on_one_line(node):
        return None
    written = ast.unparse(replacement)
    for text in (written, f"({written})"):
        for around in reversed(edit.nodes):
            if not _is_on_one_line(around):
                break
            pair = _write_pair(node, around, text, right)
            if pair is not None and _is_edited(right.replace(*pair), edit):
                return pair
    return None


def _is_on_one_line(node: ast.AST) -> bool:
    if not isinstance(node, (ast.expr, ast.stmt, ast.keyword)):
        return False
    return node.lineno == node.end_lineno


def _write_pair(node: Any, around: Any, text: str, right: str) -> tuple[str, str] | None:
    """Write what stands around a node, and the same with another text in its place; None unless the first is once."""
    line = right.splitlines()[node.lineno - 1].encode()
    before = line[around.col_offset : node.col_offset]
    after = line[node.end_col_offset : around.end_col_offset]
    old = line[around.col_offset : around.end_col_offset].decode()
    new = (before + text.encode() + after).decode()
    written = json.dumps(old) + json.dumps(new)
    is_found = len(old) >= _SHORTEST and right.count(old) == 1
    return (old, new) if is_found and len(written) <= _LONGEST else None


def _is_edited(text: str, edit: Edit) -> bool:
    try:
        (made,) = ast.parse(text).body
    except SyntaxError:
        return False
    if not isinstance(made, ast.FunctionDef):
        return False
    return ast.unparse(strip(made)) == edit.text


def _judge(module: ModuleType, mistake: FirstMistake, rows: Sequence[DerivedCheck]) -> FirstMistake | None:
    """Add the rows that a mistake fails; None where it loses nothing, computes nothing, or does not end."""
    edits = {mistake.old: mistake.new}
    described = mistake_edit(mistake.function, edits, story=mistake.story, hint=mistake.hint)
    applied = apply_edits({mistake.id: described}, module)
    name, made = replace_code(module, mistake.function, applied[mistake.id].wrong)
    changed = {**vars(module), name: made}
    try:
        with limit_time(_SECONDS):
            replies = [_run(check, changed) for check in rows]
            right = _run(rows[0], vars(module))
    except TooLong:
        return None
    failed = []
    for place, check in enumerate(rows):
        if not is_all_right(check, replies[place]):
            failed.append(place)
    if not failed or all(map(_is_idle, replies[0], right)):
        return None
    return replace(mistake, rows=frozenset(failed))


def _run(check: DerivedCheck, names: Mapping[str, Any]) -> list[list[Any]]:
    return [run_program(each, names.__getitem__) for each in check.programs]


def _is_idle(got: Sequence[Any], right: Sequence[Any]) -> bool:
    """Return whether a call raises an error, or gives equal numbers alone where the right ones differ."""
    if isinstance(got[0], Outcome):
        return True
    return _is_flat(got) and not _is_flat(right)


def _is_flat(value: Any) -> bool:
    leaves = name_leaves("", value).values()
    return all(np.unique(leaf).size < 2 for leaf in leaves)
