"""New question: turns signatures into the four files of a question and its table in assignment.toml.

What it writes is a whole question that grades: an example stands where the right solution goes, the checks compare with
it, and each mistake is caught. Staff replace the example; the checks and mistakes hold for what replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment import DECLARATION, TEMPLATES, Assignment, Question, list_question_files
from autograder.atomic_file import write_atomically
from autograder.questions.question_texts import (
    Draft,
    write_entry,
    write_hidden,
    write_mistakes,
    write_reference,
    write_row,
    write_template,
)
from autograder.questions.signature import Signature, SignatureError, parse_signature

_README = f"{TEMPLATES}/README.md"
_NUMBER = re.compile(r'^@number\("(\d+)', re.MULTILINE)
_POINTS_OF_FUNCTION = 5.0


class NewQuestionError(Exception):
    """The question cannot be made; the text says why, and nothing was written."""


@dataclass(frozen=True)
class QuestionRequest:
    """The question to make: its id, the signatures of its functions, and those of them that return a loss.

    `title`: by default the id in words; `points`: by default five for each function.
    """

    stem: str
    signatures: tuple[str, ...]
    losses: tuple[str, ...] = ()
    title: str = ""
    points: float = 0.0


def make_question(assignment: Assignment, request: QuestionRequest) -> tuple[str, ...]:
    """Write the four files, the table and a row in the students' README, and return their paths.

    NewQuestionError if that cannot be, AssignmentError if the assignment is not in order.
    """
    root, draft = assignment.root, _make_draft(assignment, request)
    files = dict(zip(list_question_files(draft.question), _write_texts(draft), strict=True))
    taken = [path for path in files if (root / path).exists()]
    if taken:
        raise NewQuestionError(f"{taken[0]} exists; choose another id, or remove the file")
    for path, text in files.items():
        _write(root / path, text)
    entry = assignment.file.read_text(encoding="utf-8")
    _write(assignment.file, f"{entry.rstrip()}\n\n{write_entry(draft)}")
    readme = (root / _README).read_text(encoding="utf-8")
    _write(root / _README, insert_row(readme, write_row(draft)))
    return (*files, DECLARATION, _README)


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
    signatures = _parse(request)
    points = request.points or _POINTS_OF_FUNCTION * len(signatures)
    title = request.title or request.stem.replace("_", " ").capitalize()
    question = Question(request.stem, title, points, (f"{request.stem}.py",), ())
    return Draft(question, signatures, _find_free_number(assignment), _share_points(points, len(signatures)))


def _parse(request: QuestionRequest) -> tuple[Signature, ...]:
    try:
        signatures = tuple(parse_signature(text, request.losses) for text in request.signatures)
    except SignatureError as error:
        raise NewQuestionError(str(error)) from error
    names = [each.name for each in signatures]
    for name in request.losses:
        if name not in names:
            raise NewQuestionError(f"--loss {name}: that function has no signature; there are {', '.join(names)}")
    if len(set(names)) < len(names):
        raise NewQuestionError("two signatures have the same name")
    return signatures


def _find_free_number(assignment: Assignment) -> int:
    """Find the first number that no check's number begins with, nor any above it."""
    texts = (path.read_text(encoding="utf-8") for path in assignment.hidden_tests.glob("test_*.py"))
    return 1 + max((int(number) for text in texts for number in _NUMBER.findall(text)), default=0)


def _share_points(points: float, functions: int) -> tuple[float, ...]:
    """Share points among functions, in whole tenths; the first gets what is left."""
    each = points / functions * 10 // 1 / 10
    return (round(points - each * (functions - 1), 2), *[each] * (functions - 1))


def _write_texts(draft: Draft) -> Iterator[str]:
    yield write_reference(draft)
    yield write_template(draft)
    yield write_hidden(draft)
    yield write_mistakes(draft)


def _write(path: Path, text: str) -> None:
    write_atomically(path, [text.encode()], mode=0o644)
