"""Canvas: turns a summary into the CSV file that Canvas's gradebook imports.

Source: "How do I import grades in the Gradebook?" of Canvas's instructor guide. The five columns of a student come
first, in this order; Canvas finds a student by one of the three ids. A second row has the points of the assignment. An
empty score leaves the grade as it is.
"""

from __future__ import annotations

from autograder.regression.gradebook_rows import escape_formula, escape_person, format_score, list_people, write_csv
from autograder.regression.summary import Summary

_STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS_POSSIBLE = "    Points Possible"  # as Canvas writes it, with the spaces


def build(run: Summary) -> str:
    """Build the CSV text: the sid is the SIS user id, the email the login."""
    rows = [[*_STUDENT, escape_formula(run.title)], [_POINTS_POSSIBLE, "", "", "", "", f"{run.max_score:g}"]]
    for student, person in list_people(run):
        name, sid, email = escape_person(person)
        rows.append([name, "", sid, email, "", format_score(student)])
    return write_csv(rows)
