"""New question: turns a right solution and its signatures into the four files of a question and its table.

What it writes is a whole question that grades. Without a solution an example stands in its place, which staff replace.
"""

from __future__ import annotations

import re
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from autograder import UserError
from autograder.assignment import DECLARATION, TEMPLATES, Assignment, Question, list_question_files
from autograder.atomic_file import write_atomically
from autograder.contracts import ContractError, SignatureError, parse_signature
from autograder.mutation.mutant import Reference
from autograder.questions.contract_draft import DraftedContract, draft_contracts, read_annotated
from autograder.questions.example_solution import write_example
from autograder.questions.first_mistakes import FirstMistake, choose_mistakes
from autograder.questions.question_texts import (
    Draft,
    write_entry,
    write_hidden,
    write_mistakes,
    write_row,
    write_template,
)
from autograder.questions.solution import Solution, SolutionError

_README = f"{TEMPLATES}/README.md"
_NUMBER = re.compile(r'^@number\("(\d+)', re.MULTILINE)
_POINTS_OF_FUNCTION = 5.0
_QUARTERS = 4  # of a point: functions are worth whole ones


class NewQuestionError(UserError):
    """The question cannot be made; the text says why, and nothing was written."""


@dataclass(frozen=True)
class QuestionRequest:
    """The question to make: its id, and the signatures of its functions in the language of docs/contracts.md.

    `reference`: the file of the right solution; by default an example is written. Without signatures, the solution's
    annotations are read. `title`: by default the id in words; `points`: by default five for each function.
    """

    stem: str
    signatures: tuple[str, ...] = ()
    reference: Path | None = None
    title: str = ""
    points: float = 0.0


def make_question(assignment: Assignment, request: QuestionRequest) -> tuple[str, ...]:
    """Write the four files, the table and a row in the students' README, and return their paths.

    NewQuestionError if that cannot be, AssignmentError if the assignment is not in order.
    """
    root, seed = assignment.root, assignment.seed or secrets.token_hex(8)
    draft = _make_draft(replace(assignment, seed=seed), request)
    declared = assignment.file.read_text(encoding="utf-8")
    declared = declared if assignment.seed else insert_seed(declared, seed)
    texts = (draft.solution.text, write_template(draft), write_hidden(draft), write_mistakes(draft))
    files = dict(zip(list_question_files(draft.question), texts, strict=True))
    taken = [path for path in files if (root / path).exists()]
    if taken:
        raise NewQuestionError(f"{taken[0]} exists; choose another id, or remove the file")
    for path, text in files.items():
        _write(root / path, text)
    _write(assignment.file, f"{declared.rstrip()}\n\n{write_entry(draft)}")
    readme = (root / _README).read_text(encoding="utf-8")
    _write(root / _README, insert_row(readme, write_row(draft)))
    return (*files, DECLARATION, _README)


def insert_seed(text: str, seed: str) -> str:
    """Insert the private seed behind the title of an assignment."""
    line = (
        f'# The hidden cases are drawn from it: it is in no handout. Another text changes all of them.\nseed = "{seed}"'
    )
    return re.sub(r"^title = .*$", lambda found: f"{found[0]}\n\n{line}", text, count=1, flags=re.MULTILINE)


def insert_row(text: str, row: str) -> str:
    """Insert a row at the end of the first table of a page; unchanged if it has no table."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith("|")), None)
    if first is None:
        return text
    end = next((number for number in range(first, len(lines)) if not lines[number].startswith("|")), len(lines))
    return "\n".join([*lines[:end], row, *lines[end:]]) + "\n"


def _make_draft(assignment: Assignment, request: QuestionRequest) -> Draft:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", request.stem):
        raise NewQuestionError(f"{request.stem!r} is no id; write small letters, digits and _, such as 'linear_layer'")
    if request.stem in assignment.stems:
        raise NewQuestionError(f"there is a question {request.stem!r} already")
    try:
        return _draft(assignment, request)
    except (SignatureError, ContractError, SolutionError) as error:
        raise NewQuestionError(str(error)) from error


def _draft(assignment: Assignment, request: QuestionRequest) -> Draft:
    title = request.title or request.stem.replace("_", " ").capitalize()
    with tempfile.TemporaryDirectory() as folder:
        path = request.reference or _write_example(Path(folder), request, title)
        solution = Solution(path.read_text(encoding="utf-8"), path.name)
        module = _import(request.stem, path)
        signatures = request.signatures or read_annotated(module)
        if not signatures:
            raise SignatureError(f'{path.name} has no annotations such as Float[Array, "N D"]; give a SIGNATURE')
        contracts = draft_contracts(module, signatures)
        mistakes = [one for each in contracts for one in _choose_mistakes(assignment, module, each)]
    points = request.points or _POINTS_OF_FUNCTION * len(contracts)
    if points < len(contracts):
        raise NewQuestionError(f"{len(contracts)} functions need at least {len(contracts)} points")
    question = Question(request.stem, title, points, (f"{request.stem}.py",), ())
    shared = _share_points(points, len(contracts))
    return Draft(question, solution, contracts, mistakes, _find_free_number(assignment), shared)


def _write_example(folder: Path, request: QuestionRequest, title: str) -> Path:
    path = folder / f"{request.stem}.py"
    signatures = [parse_signature(text) for text in request.signatures]
    path.write_text(write_example(request.stem, title, signatures), encoding="utf-8")
    return path


def _import(stem: str, path: Path) -> ModuleType:
    try:
        return Reference(stem, path).make_module()
    except Exception as error:  # a module of staff, which may raise anything
        raise SolutionError(f"{path.name} cannot be imported: {type(error).__name__}: {error}") from error


def _choose_mistakes(assignment: Assignment, module: ModuleType, contract: DraftedContract) -> Sequence[FirstMistake]:
    rows = [(row.share, contract.contract.derive(row.kind, assignment.seed)) for row in contract.rows]
    return choose_mistakes(module, contract.name, rows)


def _find_free_number(assignment: Assignment) -> int:
    """Find the first number that no check's number begins with, nor any above it."""
    texts = (path.read_text(encoding="utf-8") for path in assignment.hidden_tests.glob("test_*.py"))
    return 1 + max((int(number) for text in texts for number in _NUMBER.findall(text)), default=0)


def _share_points(points: float, functions: int) -> tuple[float, ...]:
    """Share points among functions, in whole quarters; the first gets what is left."""
    each = points / functions * _QUARTERS // 1 / _QUARTERS
    return (round(points - each * (functions - 1), 2), *[each] * (functions - 1))


def _write(path: Path, text: str) -> None:
    write_atomically(path, [text.encode()], mode=0o644)
