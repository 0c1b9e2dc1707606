"""Similar pairs: writes the page of the closest pairs of a roster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

from autograder.assignment import Assignment
from autograder.regression.class_run import RegressRequest
from autograder.regression.roster import Entry, Roster
from autograder.similarity import compare_class, render_page
from autograder.similarity.similarity import collect_texts
from autograder.submission import Submission, SubmissionError, read_tree, select_questions


def render_similar_pairs(request: RegressRequest, assignment: Assignment, roster: Roster) -> Iterator[str]:
    """Compare the class and render the page in pieces; submissions that cannot be read are left out."""
    entries = {entry.name: entry for entry in roster.entries}
    questions = select_questions(assignment, request.only or None)

    def read(entry: Entry) -> Submission:
        return read_tree(entry.pack(), assignment, request.only or None)

    def find_texts(name: str, stem: str) -> Mapping[str, str]:
        return collect_texts(files for files in read(entries[name]).questions if files.stem == stem)

    def read_all() -> Iterator[tuple[str, Submission]]:
        for entry in roster.entries:
            with contextlib.suppress(SubmissionError):
                yield entry.name, read(entry)

    return render_page(
        compare_class(read_all(), assignment),
        title=assignment.title,
        titles={question.stem: question.title for question in questions},
        labels={name: _label(entry) for name, entry in entries.items()},
        find_texts=find_texts,
    )


def _label(entry: Entry) -> str:
    return ", ".join(person.name or person.email or person.sid for person in entry.people) or entry.name
