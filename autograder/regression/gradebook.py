"""Plain gradebook: turns a summary into CSV rows with all that a course may want of them."""

from __future__ import annotations

from autograder.regression.gradebook_rows import escape_formula, escape_person, format_score, list_people, write_csv
from autograder.regression.summary import PersonRow, StudentRow, Summary


def build_gradebook(run: Summary) -> str:
    """Build the CSV text; if the grader failed, the score is empty, not 0."""
    stems = [question.stem for question in run.questions]
    late = ["late_days", "late_percent"] if any(student.late for student in run.students) else []
    head = ["name", "sid", "email", "submission", "state", "score", "max_score", *late, *stems]
    return write_csv(
        [head, *(_build_row(student, person, run.max_score, stems) for student, person in list_people(run))]
    )


def _build_row(student: StudentRow, person: PersonRow, max_score: float, stems: list[str]) -> list[str]:
    names = [*escape_person(person), escape_formula(student.name)]
    questions = [f"{student.questions[stem]:g}" if stem in student.questions else "" for stem in stems]
    late = [f"{student.late.days}", f"{student.late.percent:g}"] if student.late else []
    return [*names, student.state, format_score(student), f"{max_score:g}", *late, *questions]
