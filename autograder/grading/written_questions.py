"""Written questions: turns a file of answers into a module for workers, and reads the texts that a person grades.

The grader never parses the file: its text and the names of the answers go to a worker, and the functions of the module,
one for each answer, read it there (`sandbox/worker/answer_file.py`). Nothing here decides about points.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from autograder.assignment import Answer, Question
from autograder.grading.attempt import Attempt
from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.explain import clean_student_text
from autograder.grading.material import Material
from autograder.results import WrittenText
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.student import Module, Student
from autograder.submission import QuestionFiles, SourceFile

PROBLEMS = "problems of the file"  # the name, which no answer can have, of the function that lists them
ANSWER_CHARACTERS = 10_000  # a text that nobody would read; beside a rubric it fits into what Gradescope shows
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
    asked = [(answer.name, answer.key, answer.kind.value, answer.words) for answer in question.answers]
    text = (
        "from autograder.sandbox.worker.answer_file import build_functions\n"
        f"globals().update(build_functions({files.main.text!r}, {asked!r}, problems={PROBLEMS!r}, module=__name__))\n"
    )
    return {files.main.module: (files.main.path, text, False)}


def read_written(runner: AttemptRunner, material: Material, deadline: float) -> Written:
    """Return the texts and the notes of a submission's file of answers; `deadline` is the end of the run."""
    names = [answer.name for answer in material.question.texts]
    got = _request_answers(
        runner, material, lambda questions: [_read_value(questions, name) for name in (*names, PROBLEMS)], deadline
    )
    values, fault = ([None] * (len(names) + 1), got.detail) if isinstance(got, Outcome) else (got, "")
    pairs = zip(material.question.texts, values[:-1], strict=True)
    texts = [_read_text(material, answer, value, fault=fault) for answer, value in pairs]
    return Written(tuple(texts), _read_notes(material.files.main, values[-1]))


def read_rubric(reference: ModuleType, name: str) -> str:
    """Return the text under `Rubric:` in the docstring of the reference's answer."""
    rubric = (inspect.getdoc(getattr(reference, name)) or "").partition("Rubric:\n")[2]
    return inspect.cleandoc(rubric)


def _read_text(material: Material, answer: Answer, got: object, *, fault: str) -> WrittenText:
    return WrittenText(
        stem=material.question.stem,
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
    texts = [" ".join(clean_student_text(line, _NOTE_CHARACTERS).split()) for line in got if isinstance(line, str)]
    more = [f"and {len(texts) - _NOTES} more problems"] if len(texts) > _NOTES else []
    return tuple(f"{file.path} {text}" for text in [*texts[:_NOTES], *more])


def _read_value(questions: Module, name: str) -> Any:
    """Return the answer; None where there is none."""
    try:
        return getattr(questions, name)()
    except CallFailed as error:
        if error.outcome.kind is OutcomeKind.SANDBOX_FAILED:
            raise
        return None


def _request_answers(
    runner: AttemptRunner, material: Material, ask: Callable[[Module], list[Any]], deadline: float
) -> list[Any] | Outcome:
    """Return the values of the question's functions, or how the sandbox failed."""
    outcome = Outcome(OutcomeKind.SANDBOX_FAILED)
    for _ in range(_TRIES):
        try:
            with runner.open_run(Attempt((), deadline)) as run:
                return ask(getattr(Student(run), material.question.stem))
        except CallFailed as error:
            outcome = error.outcome
        except (SandboxError, OSError) as error:
            outcome = replace(outcome, detail=str(error))
    return outcome
