"""Rows: turns the submissions of a summary into one row for each person, and rows into safe CSV text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from autograder.regression.summary import PersonRow, StudentRow, Summary

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run such text as a formula


def list_people(run: Summary) -> Iterator[tuple[StudentRow, PersonRow]]:
    """Yield each submission with each of its submitters; without submitters, its name stands for one."""
    for student in run.students:
        for person in student.people or (PersonRow(name=student.name, sid="", email=""),):
            yield student, person


def write_csv(rows: Iterable[Sequence[str]]) -> str:
    """Write rows as CSV text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def escape_person(person: PersonRow) -> tuple[str, str, str]:
    """Return name, sid and email so that a spreadsheet shows them and does not run them."""
    return escape_formula(person.name), escape_formula(person.sid), escape_formula(person.email)


def escape_formula(value: str) -> str:
    """Escape text so that a spreadsheet shows it and does not run it."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def format_score(student: StudentRow) -> str:
    """Return the score; empty, not 0, if the grader failed."""
    return "" if student.score is None else f"{student.score:g}"
