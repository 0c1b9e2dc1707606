"""New files: turns a right solution and its signatures into a question that grades: its four files and its table.

For a new course it writes a small assignment that grades, with three questions to be replaced, and its examples.
"""

from __future__ import annotations

import json
import re
import secrets
import sys
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograder import UserError
from autograder.assignment import DECLARATION, Assignment, Question, find_owner, list_question_files, load_assignment
from autograder.atomic_file import write_atomically
from autograder.contracts import ROWS, SignatureError
from autograder.contracts.promised import Slopes
from autograder.matrix.mutant import Reference
from autograder.mistakes import MistakeBank
from autograder.questions.contract_draft import (
    WITHOUT_JUMPS,
    DraftedContract,
    DraftedRow,
    draft_contracts,
    share_points,
)
from autograder.questions.drawn_report import describe_drawn
from autograder.questions.driver_draft import make_functions
from autograder.questions.first_mistakes import FirstMistake, choose_mistakes
from autograder.questions.solution import Solution, SolutionError
from autograder.sandbox.host.bounds import TooLong, limit_time
from autograder.templates import render_source

_TEMPLATES = Path(__file__).with_name("new_question")
_LONGEST = 120  # characters of a line
_INDENT = " " * len('    """')  # of a signature's lines
_IMPORTED = {"Contract", "JUMPS", "LEFT_OUT", "Slopes", "Where", "in_worker", "left", "sort_items"}  # where they occur
_OPTIONS = {  # of contracts, each with the comment behind it
    "driver": "",
    "draw": "",
    "gradient": "",
    "stable": "  # entries of 1000 have to give finite values; delete this where the text asks for no care",
    "cases": "  # no case at a tie or a kink, where right solutions may differ",
}
_TEXTS = Path(__file__).with_name("small_assignment")  # each file with .txt after its name
_SUFFIX = ".txt"
_NUMBER = re.compile(rf'(?:@number|{"=|".join(ROWS)}=)\(\s*"(\d+)')  # of a question, before that of a check
_POINTS_OF_FUNCTION = 5.0
_IMPORT_S = 10.0  # of computing time
_TAKEN = sys.stdlib_module_names | {"numpy", "check", "autograder", "reference", "tests"}  # of no question's files


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
    def question_id(self) -> str:
        """The question's id."""
        return self.question.question_id


def write_entry(draft: Draft) -> str:
    """Write the table in assignment.toml."""
    return _render("entry.toml", draft, contracts=draft.contracts)


def write_template(draft: Draft) -> str:
    """Write the students' file."""
    graded = {find_owner(each.name) for each in draft.contracts}
    return draft.solution.write_template(draft.question_id, graded)


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
    texts = [f"{each.source}{_write_contract(each)}" for each in contracts]
    return ", ".join(sorted(_IMPORTED & set(re.findall(r"\w+", "".join(texts)))))


def _list_tables(draft: Draft) -> Iterator[tuple[DraftedContract, list[tuple[DraftedRow, str, float]]]]:
    """List the rows of each contract, each with its number and points."""
    places = count(1)
    for contract, points in zip(draft.contracts, draft.points, strict=True):
        table = []
        shares = [each.share for each in contract.rows]
        for row, shared in zip(contract.rows, share_points(points, shares), strict=True):
            number = f"{draft.number}.{next(places)}"
            table.append((row, number, shared))
        yield contract, table


def write_mistakes(draft: Draft) -> str:
    """Write the first known mistakes."""
    return _render("mistakes.py", draft, mistakes=draft.mistakes, longest=_LONGEST)


def _render(name: str, draft: Draft, **values: Any) -> str:
    template = _TEMPLATES / f"{name}.jinja"
    return render_source(template, question_id=draft.question_id, question=draft.question, **values)


def _write_contract(each: DraftedContract) -> str:
    options = {}
    for option, comment in _OPTIONS.items():
        if option in each.options:
            options[f"{option}={_write_value(each.options[option])}"] = comment
    items = [f"reference.{each.name}", json.dumps(each.text), *options]
    short = f"{each.variable} = Contract({', '.join(items)})"
    if len(short) <= _LONGEST and not any(options.values()):
        return short
    if len(each.text) > _LONGEST - len('    "",'):
        wrapper = textwrap.TextWrapper(_LONGEST - 4, _INDENT, _INDENT, break_on_hyphens=False)
        items[1] = f'"""{wrapper.fill(each.text).strip()}"""'
    written = [f"    {item},{options.get(item, '')}" for item in items]
    return "\n".join([f"{each.variable} = Contract(", *written, ")"])


def _write_value(value: Any) -> str:
    if value is WITHOUT_JUMPS:
        return "[Where(JUMPS, group=LEFT_OUT)]"
    if isinstance(value, Slopes):
        by, of, times = map(_write_value, (value.by, value.of, value.times))
        return f"Slopes({by}, of={of}, times={times})"
    if callable(value):
        is_drafted = value.__module__ == make_functions.__module__
        return f"{'' if is_drafted else 'reference.'}{value.__name__}"
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {_write_value(each)}" for key, each in value.items()]
        return f"{{{', '.join(items)}}}"
    return json.dumps(value)


class NotMadeError(UserError):
    """A question or an assignment cannot be made; the text says why, and nothing was written."""


@dataclass(frozen=True)
class QuestionRequest:
    """The question to make: its id, and the signatures of its functions in the language of docs/contracts.md.

    `reference`: the file of the right solution. `title`: by default the id in words; `points`: by default five for each
    function.
    """

    question_id: str
    signatures: tuple[str, ...]
    reference: Path
    title: str = ""
    points: float = 0.0


_Drafted = tuple[Draft, Mapping[str, str], list[str]]  # with reasons of what is refused, and lines on what was drawn


class NewQuestion(NamedTuple):
    """What was written; `refused`: the reasons by the names of functions of which nothing was.

    `drawn`: of each other function, what was drawn and what is left open.
    """

    paths: tuple[str, ...]
    refused: Mapping[str, str]
    drawn: Sequence[str]


def make_question(assignment: Assignment, request: QuestionRequest) -> NewQuestion:
    """Write the four files and the table, with each function that is not refused.

    NotMadeError if that cannot be, AssignmentError if the assignment is not in order.
    """
    root, seed = assignment.root, assignment.seed or secrets.token_hex(8)
    draft, refused, drawn = _make_draft(replace(assignment, seed=seed), request)
    declared = assignment.file.read_text(encoding="utf-8")
    if not assignment.seed:
        declared = insert_seed(declared, seed)
    template = write_template(draft)
    texts = (draft.solution.text, template, write_hidden(draft), write_mistakes(draft))
    files = dict(zip(list_question_files(draft.question), texts, strict=True))
    taken = [path for path in files if (root / path).exists()]
    if taken:
        raise NotMadeError(f"{taken[0]} exists; choose another id, or remove the file")
    files[DECLARATION] = f"{declared.rstrip()}\n\n{write_entry(draft)}"
    _write(root, files)
    return NewQuestion(tuple(files), refused, drawn)


def make_assignment(root: Path) -> tuple[str, ...]:
    """Write the assignment into a new or empty folder, and return the paths; NotMadeError if that cannot be.

    The examples are made of the right solutions and of the first known mistake of each question, so the modules of the
    new assignment are imported: a process that has another assignment cannot make one.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise NotMadeError(f"{root} exists and is not an empty folder; name another")
    texts = {}
    for path in sorted(_TEXTS.rglob(f"*{_SUFFIX}")):
        name = path.relative_to(_TEXTS).as_posix().removesuffix(_SUFFIX)
        texts[name] = path.read_text(encoding="utf-8")
    try:
        texts[DECLARATION] = insert_seed(texts[DECLARATION], secrets.token_hex(8))
        _write(root, texts)
        examples = _build_examples(load_assignment(root))
        _write(root, examples)
    except OSError as error:
        raise NotMadeError(f"{root} cannot be written: {error.strerror}") from error
    return (*texts, *examples)


def _build_examples(assignment: Assignment) -> dict[str, str]:
    bank = MistakeBank(assignment)
    examples = {}
    for question in assignment.questions:
        wrong = bank.load(question.question_id)[0]
        examples[f"examples/right/{question.files[0]}"] = bank.read_right_source(question.question_id)
        examples[f"examples/wrong/{question.files[0]}"] = bank.build_submission_source(wrong)
    return examples


def insert_seed(text: str, seed: str) -> str:
    """Insert the private seed behind the title of an assignment."""
    comment = "# The hidden cases are drawn from it: it is in no handout. Another text changes all of them."
    lines = f'{comment}\nseed = "{seed}"'
    return re.sub(r"^title = .*$", rf"\g<0>\n\n{lines}", text, count=1, flags=re.MULTILINE)


def _make_draft(assignment: Assignment, request: QuestionRequest) -> _Drafted:
    question_id = request.question_id
    if not re.fullmatch(r"[a-z][a-z0-9_]*", question_id):
        raise NotMadeError(f"{question_id!r} is no id; write small letters, digits and _, such as 'linear_layer'")
    if question_id in _TAKEN:
        advice = f"choose another id, such as 'my_{question_id}'"
        raise NotMadeError(f"a file {question_id}.py would hide the module {question_id!r}; {advice}")
    if question_id in assignment.question_ids:
        advice = "choose another id, or remove its files and its table"
        raise NotMadeError(f"there is a question {question_id!r} already; {advice}")
    try:
        return _draft(assignment, request)
    except (SignatureError, SolutionError) as error:
        raise NotMadeError(str(error)) from error


def _draft(assignment: Assignment, request: QuestionRequest) -> _Drafted:
    title = request.title or request.question_id.replace("_", " ").capitalize()
    path = request.reference
    solution = Solution(path.read_text(encoding="utf-8"), path.name)
    module = _import(request.question_id, path)
    contracts, refused = draft_contracts(module, request.signatures)
    if not contracts:
        raise NotMadeError("\n".join(refused.values()))
    mistakes: list[FirstMistake] = []
    drawn = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of the right solution, which staff see in their own runs
        for each in contracts:
            rows = [each.contract.derive(row.kind, assignment.seed) for row in each.rows]
            mistakes += choose_mistakes(module, each.name, rows)
            drawn.append(describe_drawn(module, each, rows))
    points = request.points or _POINTS_OF_FUNCTION * len(contracts)
    if points < len(contracts):
        raise NotMadeError(f"{len(contracts)} functions need at least {len(contracts)} points")
    question = Question(request.question_id, title, points, (f"{request.question_id}.py",), ())
    shared = share_points(points, [1 / len(contracts)] * len(contracts))
    number = _find_free_number(assignment)
    draft = Draft(question, solution, contracts, mistakes, number, shared)
    return draft, refused, drawn


def _import(question_id: str, path: Path) -> ModuleType:
    try:
        with limit_time(_IMPORT_S):
            return Reference(question_id, path).make_module()
    except TooLong as error:
        raise SolutionError(f"{path.name} computes for more than {_IMPORT_S:g} s while it is imported") from error
    except Exception as error:  # a module of staff, which may raise anything
        raise SolutionError(f"{path.name} cannot be imported: {type(error).__name__}: {error}") from error


def _find_free_number(assignment: Assignment) -> int:
    """Find the first number that no check's number begins with, nor any above it."""
    numbers = [0]
    for path in assignment.hidden_tests.glob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        numbers += map(int, _NUMBER.findall(text))
    return max(numbers) + 1


def _write(root: Path, texts: Mapping[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(root / path, [text.encode()], mode=0o644)
