"""Question texts: turns a draft of a question into the texts of its four files and its table in assignment.toml."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from autograder.assignment import Question
from autograder.contracts import SignatureError
from autograder.contracts.kinds import ScalarKind
from autograder.contracts.signature import Signature
from autograder.contracts.slopes import Slopes
from autograder.questions.contract_draft import WITHOUT_JUMPS, DraftedContract, DraftedRow
from autograder.questions.first_mistakes import FirstMistake
from autograder.questions.solution import EXAMPLE, Solution
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
    return draft.solution.write_template(draft.stem, {each.name.partition(".")[0] for each in draft.contracts})


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
    names = ["Contract"]
    if any(isinstance(each.options.get("gradient"), Slopes) for each in contracts):
        names.append("Slopes")
    if any("cases" in each.options for each in contracts):
        names = ["JUMPS", "LEFT_OUT", *names, "Where"]
    sources = "".join(each.source for each in contracts)
    return ", ".join(
        [*names, *(each for each in ("beside", "left", "sort_items") if re.search(rf"\b{each}\b", sources))]
    )


def _list_tables(draft: Draft) -> Iterator[tuple[DraftedContract, list[tuple[DraftedRow, str, float]]]]:
    """List the rows of each contract, each with its number and points."""
    places = count(1)
    for contract, points in zip(draft.contracts, draft.points, strict=True):
        numbers = [f"{draft.number}.{next(places)}" for _ in contract.rows]
        yield contract, list(zip(contract.rows, numbers, contract.share_points(points), strict=True))


def write_mistakes(draft: Draft) -> str:
    """Write the first known mistakes."""
    return _render("mistakes.py", draft, mistakes=draft.mistakes, longest=_LONGEST)


def _render(name: str, draft: Draft, **values: Any) -> str:
    return render_source(_TEMPLATES / f"{name}.jinja", stem=draft.stem, question=draft.question, **values)


def _write_contract(each: DraftedContract) -> str:
    name, known = each.variable, each.options
    options = [_write_option(option, known[option], comment) for option, comment in _OPTIONS.items() if option in known]
    joined = ", ".join([f"reference.{each.name}", json.dumps(each.text), *options])
    if len(f"{name} = Contract({joined})") <= _LONGEST and "#" not in joined:
        return f"{name} = Contract({joined})"
    lines = _wrap_signature(each.text)
    text = f'"{lines[0]}"' if len(lines) == 1 else '"""' + "\n       ".join(lines) + '"""'
    items = [item.partition("  #") for item in (f"reference.{each.name}", text, *options)]
    return f"{name} = Contract(\n" + "".join(f"    {item},{''.join(comment)}\n" for item, *comment in items) + ")"


def _wrap_signature(text: str) -> list[str]:
    """Break the text of a contract's signature at commas, `->` and `where` into lines that fit."""
    if len(text) <= _LONGEST - len('    "",'):
        return [text]
    parts = text.replace(" -> ", "\0-> ").replace(" where ", "\0where ").split("\0")
    return [line for part in parts for line in _wrap_part(part, _LONGEST - len('       """'))]


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


def _write_option(name: str, value: Any, comment: str) -> str:
    return f"{name}={_write_value(value)}{comment}"


def _write_value(value: Any) -> str:
    if value is WITHOUT_JUMPS:
        return "[Where(JUMPS, group=LEFT_OUT)]"
    if isinstance(value, Slopes):
        return f"Slopes({_write_value(value.by)}, of={_write_value(value.of)}, times={_write_value(value.times)})"
    if callable(value):
        return str(value.__name__)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {_write_value(each)}" for key, each in value.items()) + "}"
    return "True" if value is True else json.dumps(value)


def write_example(stem: str, title: str, signatures: Sequence[Signature]) -> str:
    """Write functions of arrays and numbers that depend on each argument; SignatureError for other signatures."""
    for each in signatures:
        _require_example(each)
    values = {"stem": stem, "title": title, "functions": signatures, "example": EXAMPLE}
    return render_source(_TEMPLATES / "example.py.jinja", **values)


def _require_example(signature: Signature) -> None:
    """Raise SignatureError for a signature that no example has."""
    is_loss = len(signature.parts) == 2 and signature.parts[0].kind == ScalarKind("float")
    kinds = [argument.kind for argument in signature.arguments]
    is_plain = kinds[0].is_real and all(kind.is_scalar or kind.is_real for kind in kinds)
    if not is_plain or not (is_loss or len(signature.parts) == 1):
        raise SignatureError(
            f"{signature.name}: an example is written for functions of arrays and numbers that return one array of the "
            "first argument's shape, or a loss and its gradient; give the right solution as --reference FILE"
        )


_LONGEST = 120  # characters of a line
_OPTIONS = {  # of contracts, each with the comment behind it
    "driver": "",
    "draw": "",
    "gradient": "",
    "stable": "  # entries of 1000 have to give finite values; delete this where the text asks for no care",
    "cases": "  # no case at a tie or a kink, where right solutions may differ",
}
