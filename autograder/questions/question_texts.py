"""Question texts: turns a draft of a question into the texts of its four files and its table in assignment.toml."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from autograder.assignment import Question, find_owner
from autograder.contracts.slopes import Slopes
from autograder.questions.contract_draft import WITHOUT_JUMPS, DraftedContract, DraftedRow
from autograder.questions.first_mistakes import FirstMistake
from autograder.questions.solution import Solution
from autograder.templates import render_source

_TEMPLATES = Path(__file__).with_name("new_question")


@dataclass(frozen=True)
class Draft:
    """A question to be written; `number`: of its checks, before the dot; `points`: of each function."""

    question: Question
    solution: Solution
    contracts: Sequence[DraftedContract]
    mistakes: Sequence[FirstMistake]
    number: int
    points: Sequence[float]

    @property
    def stem(self) -> str:
        """The question's id."""
        return self.question.stem


def write_entry(draft: Draft) -> str:
    """Write the table in assignment.toml."""
    return _render("entry.toml", draft, contracts=draft.contracts)


def write_template(draft: Draft) -> str:
    """Write the students' file."""
    graded = {find_owner(each.name) for each in draft.contracts}
    return draft.solution.write_template(draft.stem, graded)


def write_hidden(draft: Draft) -> str:
    """Write the contract of each function, and its rows."""
    return _render(
        "hidden_tests.py",
        draft,
        contracts=draft.contracts,
        sources=[each.source for each in draft.contracts if each.source],
        write_contract=_write_contract,
        imported=_list_imported(draft.contracts),
        tables=list(_list_tables(draft)),
    )


def _list_imported(contracts: Sequence[DraftedContract]) -> str:
    """List the names that the contracts need of autograder.authoring."""
    names = {"Contract"}
    for contract in contracts:
        if isinstance(contract.options.get("gradient"), Slopes):
            names.add("Slopes")
        if "cases" in contract.options:
            names |= {"JUMPS", "LEFT_OUT", "Where"}
        names |= _OF_DRIVERS & set(re.findall(r"\w+", contract.source))
    return ", ".join(sorted(names, key=_place_import))


def _place_import(name: str) -> tuple[bool, bool, str]:
    """Return the key that sorts names as an import does: constants, classes, functions."""
    return name.islower(), not name.isupper(), name


def _list_tables(draft: Draft) -> Iterator[tuple[DraftedContract, list[tuple[DraftedRow, str, float]]]]:
    """List the rows of each contract, each with its number and points."""
    places = count(1)
    for contract, points in zip(draft.contracts, draft.points, strict=True):
        table = []
        for row, shared in zip(contract.rows, contract.share_points(points), strict=True):
            number = f"{draft.number}.{next(places)}"
            table.append((row, number, shared))
        yield contract, table


def write_mistakes(draft: Draft) -> str:
    """Write the first known mistakes."""
    return _render("mistakes.py", draft, mistakes=draft.mistakes, longest=_LONGEST)


def _render(name: str, draft: Draft, **values: Any) -> str:
    template = _TEMPLATES / f"{name}.jinja"
    return render_source(template, stem=draft.stem, question=draft.question, **values)


def _write_contract(each: DraftedContract) -> str:
    options = {}
    for option, comment in _OPTIONS.items():
        if option in each.options:
            options[f"{option}={_write_value(each.options[option])}"] = comment
    items = [f"reference.{each.name}", json.dumps(each.text), *options]
    short = f"{each.variable} = Contract({', '.join(items)})"
    if len(short) <= _LONGEST and not any(options.values()):
        return short
    lines = _wrap_signature(each.text)
    if len(lines) > 1:
        wrapped = "\n       ".join(lines)
        items[1] = f'"""{wrapped}"""'
    written = [f"    {item},{options.get(item, '')}" for item in items]
    return "\n".join([f"{each.variable} = Contract(", *written, ")"])


def _wrap_signature(text: str) -> list[str]:
    """Break the text of a contract's signature at commas, `->` and `where` into lines that fit."""
    if len(text) <= _LONGEST - len('    "",'):
        return [text]
    lines: list[str] = []
    for part in re.split(" (?=-> |where )", text):
        lines += _wrap_part(part, _LONGEST - len('       """'))
    return lines


def _wrap_part(part: str, width: int) -> Iterator[str]:
    line = ""
    for piece in part.split(", "):
        joined = f"{line}, {piece}" if line else piece
        if len(joined) > width and line:
            yield line + ","
            line = piece
        else:
            line = joined
    yield line


def _write_value(value: Any) -> str:
    if value is WITHOUT_JUMPS:
        return "[Where(JUMPS, group=LEFT_OUT)]"
    if isinstance(value, Slopes):
        by, of, times = map(_write_value, (value.by, value.of, value.times))
        return f"Slopes({by}, of={of}, times={times})"
    if callable(value):
        return str(value.__name__)
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {_write_value(each)}" for key, each in value.items()]
        return f"{{{', '.join(items)}}}"
    return "True" if value is True else json.dumps(value)


_LONGEST = 120  # characters of a line
_OF_DRIVERS = {"beside", "left", "sort_items"}  # functions that their sources call
_OPTIONS = {  # of contracts, each with the comment behind it
    "driver": "",
    "draw": "",
    "gradient": "",
    "stable": "  # entries of 1000 have to give finite values; delete this where the text asks for no care",
    "cases": "  # no case at a tie or a kink, where right solutions may differ",
}
