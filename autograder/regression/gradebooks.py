"""Gradebooks: turns a summary into CSV files, with a row for each person: our own, and those that platforms import.

A new one is a function and a line of `FORMATS`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence

from autograder.regression.gradescope_export import Person
from autograder.regression.summary import StudentRow, Summary

# A spreadsheet would run such text as a formula; where East Asian text is usual, also behind a wide sign.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_CANVAS_STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS_POSSIBLE = "    Points Possible"  # as Canvas writes it, with the spaces
_NO_GRADE_IN_MOODLE = "-"


def build_gradebook(run: Summary) -> str:
    """Build the CSV text with all that a course may want; if the grader failed, the score is empty, not 0."""
    stems = [question.stem for question in run.questions]
    rows = [["name", "sid", "email", "submission", "state", "score", "max_score", *stems]]
    for student, person in _list_people(run):
        questions = [f"{student.questions[stem]:g}" if stem in student.questions else "" for stem in stems]
        name = _escape_formula(student.name)
        rows.append([*person, name, student.state, _format_score(student), f"{run.max_score:g}", *questions])
    return _write_csv(rows)


def build_canvas(run: Summary) -> str:
    """Build the CSV text that Canvas's gradebook imports: the sid is the SIS user id, the email the login.

    Source: "How do I import grades in the Gradebook?" of Canvas's instructor guide. The five columns of a student come
    first, in this order; Canvas finds a student by one of the three ids. A second row has the points of the assignment.
    An empty score leaves the grade as it is.
    """
    rows = [[*_CANVAS_STUDENT, _escape_formula(run.title)], [_POINTS_POSSIBLE, "", "", "", "", f"{run.max_score:g}"]]
    for student, (name, sid, email) in _list_people(run):
        rows.append([name, "", sid, email, "", _format_score(student)])
    return _write_csv(rows)


def build_moodle(run: Summary) -> str:
    """Build the CSV text for Moodle's grade import.

    Source: "Grade import" of Moodle's documentation. The first row names the columns, of which the importing teacher
    maps one to the user ("Email address" or "ID number") and one to the grade item. "-" stands for no grade.
    """
    rows = [["Full name", "ID number", "Email address", _escape_formula(run.title)]]
    for student, person in _list_people(run):
        rows.append([*person, _format_score(student) or _NO_GRADE_IN_MOODLE])
    return _write_csv(rows)


FORMATS: Mapping[str, Callable[[Summary], str]] = {"canvas": build_canvas, "moodle": build_moodle}


def _list_people(run: Summary) -> Iterator[tuple[StudentRow, list[str]]]:
    """Yield each submission with name, sid and email of each submitter; without submitters, its name stands for one."""
    for student in run.students:
        for person in student.people or (Person(name=student.name, sid="", email=""),):
            yield student, [_escape_formula(each) for each in (person.name, person.sid, person.email)]


def _write_csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _escape_formula(value: str) -> str:
    """Escape text so that a spreadsheet shows it and does not run it."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def _format_score(student: StudentRow) -> str:
    """Return the score; empty, not 0, if the grader failed."""
    return "" if student.score is None else f"{student.score:g}"
