"""Gradebook: turns a summary into CSV rows for a course's gradebook, one for each submitter."""

from __future__ import annotations

import csv
import io

from autograder.regression.summary import PersonRow, StudentRow, Summary

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run such text as a formula


def build_gradebook(run: Summary) -> str:
    """Build the CSV text; if the grader failed, the score is empty, not 0."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    stems = [question.stem for question in run.questions]
    writer.writerow(["name", "sid", "email", "submission", "state", "score", "max_score", *stems])
    for student in run.students:
        for person in student.people or (PersonRow(name=student.name, sid="", email=""),):
            writer.writerow(_build_row(student, person, run.max_score, stems))
    return text.getvalue()


def _build_row(student: StudentRow, person: PersonRow, max_score: float, stems: list[str]) -> list[str]:
    names = [_escape_formula(each) for each in (person.name, person.sid, person.email, student.name)]
    score = "" if student.score is None else f"{student.score:g}"
    questions = [f"{student.questions[stem]:g}" if stem in student.questions else "" for stem in stems]
    return [*names, student.state, score, f"{max_score:g}", *questions]


def _escape_formula(value: str) -> str:
    """Escape text so that a spreadsheet shows it and does not run it."""
    return f"'{value}" if value.startswith(_FORMULA) else value
