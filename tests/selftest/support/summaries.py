"""Summaries: builds made-up records of runs for the self-tests; each function takes the fields to change."""

from typing import Any

from autograder.regression.class_results import Member
from autograder.regression.summary import VERSION, Item, QuestionRow, StudentRow, Summary, Timing, compute_distribution
from tests.selftest.support.reports import GRADER


def student(name: str, **changes: Any) -> StudentRow:
    """Build a graded submission with 2 of 4 points."""
    fields: dict[str, Any] = {
        "member": Member(name, name, changes.pop("people", ())),
        "state": "graded",
        "score": 2.0,
        "questions": {"algebra": 2.0},
        "not_passed": 1,
        "notes": "",
        "fault": "",
    }
    return StudentRow(**{**fields, **changes})


def item(number: str, **changes: Any) -> Item:
    """Build a row that half of the class passes."""
    fields: dict[str, Any] = {
        "number": number,
        "title": f"the test {number}",
        "question": "algebra",
        "max_score": 2.0,
        "passed": 0.5,
        "discrimination": 0.4,
    }
    return Item(**{**fields, **changes})


def summary(*students: StudentRow, **changes: Any) -> Summary:
    """Build a complete run over these submissions."""
    totals = [each.score for each in students if each.score is not None]
    fields: dict[str, Any] = {
        "version": VERSION,
        "title": "Toy",
        "is_complete": True,
        "grader": GRADER,
        "only": (),
        "max_score": 4.0,
        "submissions": len(students),
        "states": {},
        "students": students,
        "questions": (QuestionRow(question_id="algebra", title="Algebra", max_score=4.0, share=0.5),),
        "rows": (item("1.1"), item("1.2", discrimination=None, passed=1.0)),
        "mistakes": (),
        "distribution": compute_distribution(totals, 4.0),
        "baseline": None,
        "notes": (),
        "timing": Timing(seconds=1.0, graded=1, kept=0),
    }
    return Summary(**{**fields, **changes})
