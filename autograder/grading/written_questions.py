"""Written questions: turns a file of answers into a module for workers, and reads the texts that a person grades.

The grader never parses the file: its text and the names of the answers go to a worker, and the functions of the module,
one for each answer, read it there (`sandbox/worker/answer_file.py`). Nothing here decides about points.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from autograder.assignment import Answer, Question
from autograder.grading.attempt import Attempt
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.explain import clean_student_text
from autograder.grading.material import Material
from autograder.plain_text import cut_lines
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.results import WrittenText
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.protocol import messages
from autograder.student import Student
from autograder.submission import QuestionFiles, SourceFile

CONTENT = "content of the file"  # the name, which no answer can have, of the function that returns all of it
ANSWER_CHARACTERS = 10_000  # a text that nobody would read; next to a rubric it fits into what Gradescope shows
_NOTES = 20
_NOTE_CHARACTERS = 300
_TRIES = 3  # a module that the library imports late, and a sandbox that fails once


@dataclass(frozen=True)
class Written:
    """The texts of one question, in the assignment's order, and one-line notes on its file."""

    texts: tuple[WrittenText, ...]
    notes: tuple[str, ...]


def write_answer_module(question: Question, files: QuestionFiles) -> dict[str, tuple[str, str, bool]]:
    """Return the sources that a worker loads as the student's: path shown, text, whether a package, by module name."""
    if files.main is None:
        return {}
    asked = []
    for answer in question.answers:
        asked.append((answer.name, answer.key, answer.kind.value, answer.words))
    text = (
        "from autograder.sandbox.worker.answer_file import build_functions\n"
        f"globals().update(build_functions({files.main.text!r}, {asked!r}, content={CONTENT!r}, module=__name__))\n"
    )
    return {files.main.module: (files.main.path, text, False)}


def read_written(runner: AttemptRunner, material: Material) -> Written:
    """Return the texts and the notes of a submission's file of answers."""
    got = _request_content(runner, material)
    fault = got.detail if isinstance(got, Outcome) else ""
    values, problems = got if messages.has_form(got, (dict, object)) else ({}, None)
    texts = []
    for answer in material.question.texts:
        text = values.get(answer.name)
        texts.append(_read_text(material, answer, text, fault=fault))
    return Written(tuple(texts), _read_notes(material.files.main, problems))


def read_rubric(reference: ModuleType, name: str) -> str:
    """Return the text under `Rubric:` in the docstring of the reference's answer."""
    text = inspect.getdoc(getattr(reference, name)) or ""
    _, _, rubric = text.partition("Rubric:\n")
    return inspect.cleandoc(rubric)


def _read_text(material: Material, answer: Answer, got: object, *, fault: str) -> WrittenText:
    return WrittenText(
        question_id=material.question.question_id,
        key=answer.key,
        title=answer.title,
        number=answer.number,
        points=answer.points_by_hand,
        answer=clean_student_text(got, ANSWER_CHARACTERS).strip() if isinstance(got, str) else "",
        rubric=read_rubric(material.reference, answer.name),
        fault=clean_student_text(fault, _NOTE_CHARACTERS),
    )


def _read_notes(file: SourceFile | None, got: object) -> tuple[str, ...]:
    if file is None or not isinstance(got, list):
        return ()
    texts = []
    for line in got:
        if isinstance(line, str):
            words = clean_student_text(line, _NOTE_CHARACTERS).split()
            texts.append(" ".join(words))
    return tuple(f"{file.path} {text}" for text in cut_lines(texts, _NOTES, "and {} more problems"))


def _request_content(runner: AttemptRunner, material: Material) -> Any:
    """Return the texts by name and the problems of a file; None where it has none, or how the sandbox failed."""
    outcome = Outcome(OutcomeKind.SANDBOX_FAILED)
    question_id = material.question.question_id
    for _ in range(_TRIES):
        try:
            with runner.open_run(Attempt((), runner.deadline), question_id) as run:
                return getattr(getattr(Student(run), question_id), CONTENT)()
        except CallFailed as error:
            if error.outcome.kind is not OutcomeKind.SANDBOX_FAILED:
                return None
            outcome = error.outcome
        except (SandboxError, OSError) as error:
            outcome = replace(outcome, detail=str(error))
    return outcome
