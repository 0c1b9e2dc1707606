"""Checker: checks a student's folder with the public checks, and shows each result with Gradescope's messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.plain_text import clean_line
from autograder.public_checks.child import Task
from autograder.public_checks.question_run import QuestionRun
from autograder.public_checks.results import (
    PublicCheck,
    describe_check,
    describe_file,
    describe_rest,
    describe_shared,
    describe_total,
)
from autograder.submission.source_text import decode_source

OURS = frozenset({"check.py", "public_checks"})  # in the student's folder
_NOT_THE_STUDENTS = OURS | {"__pycache__", "venv", "env", "site-packages", "node_modules"}
_FILES = 500  # more files are an environment, or a whole disk
_NOTEBOOKS = 3  # named in full; a folder of lecture notes has dozens
_SHOWN_CHARACTERS = 160


class UnknownQuestionError(Exception):
    """The question does not exist; the text lists the existing ones."""


def check_folder(folder: Path, material: Path, wanted: Sequence[str], show: Callable[[str], None]) -> bool:
    """Check the questions `wanted` by id, file name or number of a check, or all; return whether every check passed.

    `material`: the folder of the handout that contains the checks. `show`: is given each line as soon as it is known.
    """
    questions = json.loads((material / "questions.json").read_text(encoding="utf-8"))
    chosen = _choose_questions(questions, wanted)
    for note in _write_notes_on_notebooks(folder):
        show(note)
    own = _read_sources(folder)
    checks: list[PublicCheck] = []
    for question in chosen:
        path = _find_main_file(own, question["files"])
        show(describe_file(question["title"], path))
        checks += _check_question(Task(question, own, path, folder, material), show)
        show(describe_rest(*question["not_public"]))
    show(describe_total(checks))
    return all(each.passed or not each.points for each in checks)


def _check_question(task: Task, show: Callable[[str], None]) -> list[PublicCheck]:
    checks: list[PublicCheck] = []
    told: set[str] = set()
    for checked in QuestionRun(task).run():
        for note in checked.load.write_notes() if checked.load else ():
            if note not in told:
                show(f"  {note}")
                told.add(note)
        checks.append(checked.check)
        if not checked.check.is_shared:
            show(describe_check(checked.check))
    for group in describe_shared(each for each in checks if each.is_shared):
        show(group)
    return checks


def _choose_questions(questions: Sequence[dict[str, Any]], wanted: Sequence[str]) -> list[dict[str, Any]]:
    chosen = []
    for word in wanted:
        name = Path(word).name.lower()
        found = [each for each in questions if name in (each["stem"].lower(), *map(str.lower, each["files"]))]
        if not found:
            found = [{**each, "checks": [one]} for each in questions for one in each["checks"] if one["number"] == word]
        if not found:
            stems = ", ".join(each["stem"] for each in questions)
            raise UnknownQuestionError(f"there is no question {word!r}; there are: {stems}")
        chosen += found
    return chosen or list(questions)


def _read_sources(folder: Path) -> dict[str, str]:
    """Read the student's Python files by path; files of a folder come before those of its subfolders."""
    paths = _list_theirs(folder, "*.py")[:_FILES]
    return {path.relative_to(folder).as_posix(): decode_source(path.read_bytes())[0] for path in paths}


def _list_theirs(folder: Path, pattern: str) -> list[Path]:
    """List the student's files of a kind; those of a folder come before those of its subfolders."""
    found = sorted(folder.rglob(pattern), key=lambda each: (len(each.parts), each.as_posix()))
    return [path for path in found if path.is_file() and not _is_foreign(path.relative_to(folder).parts)]


def _is_foreign(parts: Sequence[str]) -> bool:
    return any(part.startswith(".") or part.lower() in _NOT_THE_STUDENTS for part in parts)


def _find_main_file(own: Mapping[str, str], names: Sequence[str]) -> str | None:
    for name in names:
        for path in own:
            if path.rpartition("/")[2].lower() == name.lower():
                return path
    return None


def _write_notes_on_notebooks(folder: Path) -> Iterator[str]:
    """Write what to do with each notebook that is newer than the Python file of its name."""
    found = [path for path in _list_theirs(folder, "*.ipynb") if _is_newer(path, path.with_suffix(".py"))]
    for path in found[:_NOTEBOOKS]:
        name, made = (clean_line(each, _SHOWN_CHARACTERS) for each in (path.name, path.with_suffix(".py").name))
        yield f"{name} is a notebook, which check.py does not read. Save its code as {made}: in Jupyter by File, Save"
        yield f"and Export Notebook As, Executable Script; or by: jupyter nbconvert --to script {name}\n"
    if len(found) > _NOTEBOOKS:
        yield f"The same goes for {len(found) - _NOTEBOOKS} more notebooks.\n"


def _is_newer(path: Path, other: Path) -> bool:
    return not other.exists() or path.stat().st_mtime > other.stat().st_mtime
