"""Question status: what a report says of a question beside its tests."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.grading.material import Material
from autograder.grading.written_questions import Written
from autograder.results import QuestionStatus


def describe_question(material: Material, written: Written | None, load_notes: Sequence[str]) -> QuestionStatus:
    """Return the file, the points and the notes of a question; `load_notes`: on how its file was loaded."""
    question, files = material.question, material.files
    return QuestionStatus(
        stem=files.stem,
        title=question.title,
        points=question.points,
        file=files.main.path if files.main else None,
        notes=(*files.notes, *load_notes, *(written.notes if written is not None else ())),
        keys={answer.name: answer.key for answer in question.answers},
    )
