"""New assignment: writes a small assignment that grades, with three questions to be replaced, and its examples."""

from __future__ import annotations

import secrets
from pathlib import Path

from autograder import UserError
from autograder.assignment import DECLARATION, Assignment, load_assignment
from autograder.atomic_file import write_atomically
from autograder.mistakes import MistakeBank
from autograder.questions.new_question import insert_seed

_TEXTS = Path(__file__).with_name("small_assignment")  # each file with .txt after its name
_SUFFIX = ".txt"


class NewAssignmentError(UserError):
    """The assignment cannot be made; the text says why, and nothing was written."""


def make_assignment(root: Path) -> tuple[str, ...]:
    """Write the assignment into a new or empty folder, and return the paths; NewAssignmentError if that cannot be.

    The examples are made of the right solutions and of the first known mistake of each question, so the modules of the
    new assignment are imported: a process that has another assignment cannot make one.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise NewAssignmentError(f"{root} exists and is not an empty folder; name another")
    files = ((path.relative_to(_TEXTS).as_posix(), path) for path in sorted(_TEXTS.rglob(f"*{_SUFFIX}")))
    texts = {name.removesuffix(_SUFFIX): path.read_text(encoding="utf-8") for name, path in files}
    try:
        texts[DECLARATION] = insert_seed(texts[DECLARATION], secrets.token_hex(8))
        _write(root, texts)
        examples = _build_examples(load_assignment(root))
        _write(root, examples)
    except OSError as error:
        raise NewAssignmentError(f"{root} cannot be written: {error.strerror}") from error
    return (*texts, *examples)


def _build_examples(assignment: Assignment) -> dict[str, str]:
    bank = MistakeBank(assignment)
    examples = {}
    for question in assignment.questions:
        wrong = bank.load(question.stem)[0]
        examples[f"examples/right/{question.files[0]}"] = bank.read_right_source(question.stem)
        examples[f"examples/wrong/{question.files[0]}"] = bank.build_submission_source(wrong)
    return examples


def _write(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(root / path, [text.encode()], mode=0o644)
