"""Moodle: turns a summary into a CSV file for Moodle's grade import.

Source: "Grade import" of Moodle's documentation. The first row names the columns, of which the importing teacher maps
one to the user ("Email address" or "ID number") and one to the grade item. "-" stands for no grade.
"""

from __future__ import annotations

from autograder.regression.gradebook_rows import escape_formula, escape_person, format_score, list_people, write_csv
from autograder.regression.summary import Summary

_NO_GRADE = "-"


def build(run: Summary) -> str:
    """Build the CSV text."""
    rows = [["Full name", "ID number", "Email address", escape_formula(run.title)]]
    for student, person in list_people(run):
        rows.append([*escape_person(person), format_score(student) or _NO_GRADE])
    return write_csv(rows)
