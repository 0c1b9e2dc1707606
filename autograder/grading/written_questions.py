"""Written: reads what no machine judges in a file of answers: the texts for a person, and notes on the file.

A worker reads the file, as for a hidden test; nothing here decides about points.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from autograder.assignment import Answer
from autograder.grading.answers import PROBLEMS
from autograder.grading.attempt import Attempt, Material
from autograder.grading.explain import clean_student_text
from autograder.grading.judge import Judge
from autograder.results import WrittenText
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.host.replies import CallFailed
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import Module, Student
from autograder.submission import SourceFile

ANSWER_CHARACTERS = 10_000  # a text that nobody would read; beside a rubric it fits into what Gradescope shows
_NOTES = 20
_NOTE_CHARACTERS = 300
_TRIES = 3  # a module that the library imports late, and a sandbox that fails once


@dataclass(frozen=True)
class Written:
    """The texts of one question, in the assignment's order, and one-line notes on its file."""

    texts: tuple[WrittenText, ...]
    notes: tuple[str, ...]


def read_written(judge: Judge, material: Material) -> Written:
    """What is for a person in the submission's file of answers."""
    names = [answer.name for answer in material.question.texts]
    got = _asked(judge, material, lambda questions: [_value(questions, name) for name in (*names, PROBLEMS)])
    values, fault = ([None] * (len(names) + 1), got.detail) if isinstance(got, Outcome) else (got, "")
    texts = [_text(material, *each, fault=fault) for each in zip(material.question.texts, values[:-1], strict=True)]
    return Written(tuple(texts), _notes(material.files.main, values[-1]))


def rubric_of(reference: ModuleType, name: str) -> str:
    """What stands under `Rubric:` in the docstring of the reference's answer."""
    rubric = (inspect.getdoc(getattr(reference, name)) or "").partition("Rubric:\n")[2]
    return inspect.cleandoc(rubric)


def _text(material: Material, answer: Answer, got: object, *, fault: str) -> WrittenText:
    return WrittenText(
        stem=material.question.stem,
        key=answer.key,
        title=answer.title,
        number=answer.number,
        points=answer.points_by_hand,
        answer=clean_student_text(got, ANSWER_CHARACTERS).strip() if isinstance(got, str) else "",
        rubric=rubric_of(material.reference, answer.name),
        fault=clean_student_text(fault, _NOTE_CHARACTERS),
    )


def _notes(file: SourceFile | None, got: object) -> tuple[str, ...]:
    if file is None or not isinstance(got, list):
        return ()
    texts = [" ".join(clean_student_text(line, _NOTE_CHARACTERS).split()) for line in got if isinstance(line, str)]
    more = [f"and {len(texts) - _NOTES} more problems"] if len(texts) > _NOTES else []
    return tuple(f"{file.path} {text}" for text in [*texts[:_NOTES], *more])


def _value(questions: Module, name: str) -> Any:
    """The answer; None where there is none."""
    try:
        return getattr(questions, name)()
    except CallFailed as error:
        if error.outcome.kind is OutcomeKind.SANDBOX_FAILED:
            raise
        return None


def _asked(judge: Judge, material: Material, ask: Callable[[Module], list[Any]]) -> list[Any] | Outcome:
    """What the question's functions answer; how the sandbox failed where nothing is known."""
    outcome = Outcome(OutcomeKind.SANDBOX_FAILED)
    for _ in range(_TRIES):
        try:
            attempt = Attempt(judge.start(), judge.materials, judge.memory, (), judge.deadline)
        except (SandboxError, OSError) as error:
            outcome = replace(outcome, detail=str(error))
            continue
        try:
            return ask(getattr(Student(attempt), material.question.stem))
        except CallFailed as error:
            outcome = error.outcome
        finally:
            _close(judge, attempt)
    return outcome


def _close(judge: Judge, attempt: Attempt) -> None:
    try:
        attempt.close()
    except SandboxError:
        judge.close()  # the next attempt starts another zygote
