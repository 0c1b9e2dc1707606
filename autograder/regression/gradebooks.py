"""Gradebooks: turns a summary into CSV files, with a row for each person: our own, and those that platforms import.

A new one is a function and a line of `FORMATS`. Every cell is quoted, and none can start a formula in a worksheet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence

from autograder.regression.class_results import Person
from autograder.regression.summary import StudentRow, Summary

# A spreadsheet would run such text as a formula; where East Asian text is usual, also behind a wide sign.
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_BREAKS = ("\t", "\r", "\n")
_CANVAS_STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS_POSSIBLE = "    Points Possible"  # as Canvas writes it, with the spaces
_NO_GRADE_IN_MOODLE = "-"


def build_gradebook(run: Summary) -> str:
    """Build the CSV text with all that a course may want; if the grader failed, the score is empty, not 0."""
    question_ids = [question.question_id for question in run.questions]
    rows = [["name", "sid", "email", "submission", "state", "score", "max_score", *question_ids]]
    for student, person in _list_people(run):
        points = [_format_points(student.questions.get(question_id)) for question_id in question_ids]
        whole = [student.member.name, student.state, _format_points(student.score), f"{run.max_score:g}"]
        rows.append([*person, *whole, *points])
    return _write_csv(rows)


def build_canvas(run: Summary) -> str:
    """Build the CSV text that Canvas's gradebook imports: the sid is the SIS user id, the email the login.

    Source: "How do I import grades in the Gradebook?" of Canvas's instructor guide. The five columns of a student come
    first, in this order; Canvas finds a student by one of the three ids. A second row has the points of the assignment.
    An empty score leaves the grade as it is.
    """
    rows = [[*_CANVAS_STUDENT, run.title], [_POINTS_POSSIBLE, "", "", "", "", f"{run.max_score:g}"]]
    for student, (name, sid, email) in _list_people(run):
        rows.append([name, "", sid, email, "", _format_points(student.score)])
    return _write_csv(rows)


def build_moodle(run: Summary) -> str:
    """Build the CSV text for Moodle's grade import.

    Source: "Grade import" of Moodle's documentation. The first row names the columns, of which the importing teacher
    maps one to the user ("Email address" or "ID number") and one to the grade item. "-" stands for no grade.
    """
    rows = [["Full name", "ID number", "Email address", run.title]]
    for student, person in _list_people(run):
        rows.append([*person, _format_points(student.score) or _NO_GRADE_IN_MOODLE])
    return _write_csv(rows)


FORMATS: Mapping[str, Callable[[Summary], str]] = {"canvas": build_canvas, "moodle": build_moodle}


def _list_people(run: Summary) -> Iterator[tuple[StudentRow, list[str]]]:
    """Yield each submission with name, sid and email of each submitter; without submitters, its name stands for one."""
    for student in run.students:
        for person in student.member.people or (Person(name=student.member.name, sid="", email=""),):
            yield student, [person.name, person.sid, person.email]


def _write_csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        writer.writerow([_escape_formula(cell) for cell in row])
    return text.getvalue()


def _escape_formula(cell: str) -> str:
    """Escape text so that a worksheet shows it and does not run it, where it trims blanks in front too."""
    may_start_one = cell.strip().startswith(_FORMULA) or cell.startswith(_BREAKS)
    return f"'{cell}" if may_start_one and cell != _NO_GRADE_IN_MOODLE else cell


def _format_points(points: float | None) -> str:
    """Return the points; empty, not 0, if there are none, because the grader failed or did not judge the question."""
    return "" if points is None else f"{points:g}"
