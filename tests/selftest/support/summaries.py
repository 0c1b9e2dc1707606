"""Summaries: builds made-up records of runs for the self-tests; each function takes the fields to change."""

from __future__ import annotations

from typing import Any

from autograder.regression.item_analysis import compute_distribution
from autograder.regression.summary import VERSION, Item, QuestionRow, StudentRow, Summary, Timing
from tests.selftest.support.reports import GRADER


def student(name: str, **changes: Any) -> StudentRow:
    """Build a graded submission with 2 of 4 points."""
    fields: dict[str, Any] = {
        "name": name,
        "people": (),
        "file": "ann.json",
        "submission": "0f" * 32,
        "state": "graded",
        "score": 2.0,
        "questions": {"algebra": 2.0},
        "published": None,
        "attempts": 0,
        "diagnoses": (),
        "not_passed": 1,
    }
    return StudentRow(**{**fields, **changes})


def item(test: str, **changes: Any) -> Item:
    """Build a test that half of the class passes."""
    fields: dict[str, Any] = {
        "test": test,
        "title": f"the test {test}",
        "question": "algebra",
        "max_score": 2.0,
        "passed": 0.5,
        "mean_score": 1.0,
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
        "key": "00",
        "only": (),
        "max_score": 4.0,
        "submissions": len(students),
        "students": students,
        "questions": (QuestionRow(stem="algebra", title="Algebra", max_score=4.0, mean_score=2.0),),
        "tests": (item("1.1"), item("1.2", discrimination=None, passed=1.0)),
        "diagnoses": (),
        "distribution": compute_distribution(totals, 4.0),
        "baseline": None,
        "published": None,
        "twins": None,
        "notes": (),
        "timing": Timing(seconds=1.0, graded=1, kept=0),
    }
    return Summary(**{**fields, **changes})
