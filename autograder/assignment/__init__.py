"""Assignment: turns reference/assignment.toml into questions, functions and policies.

The grader knows a course by this file alone; no other package reads it.
"""

from autograder.assignment.assignment import (
    Answer,
    AnswerKind,
    Assignment,
    Function,
    Question,
    Variant,
    list_question_files,
    load_assignment,
    read_assignment,
    require_question_files,
)
from autograder.assignment.policies import AttemptPolicy, FeedbackPolicy, LatePolicy, PartialCredit
from autograder.assignment.severity import Severity, read_keeps, read_severity
from autograder.assignment.toml_table import AssignmentError

__all__ = [
    "Answer",
    "AnswerKind",
    "Assignment",
    "AssignmentError",
    "AttemptPolicy",
    "FeedbackPolicy",
    "Function",
    "LatePolicy",
    "PartialCredit",
    "Question",
    "Severity",
    "Variant",
    "list_question_files",
    "load_assignment",
    "read_assignment",
    "read_keeps",
    "read_severity",
    "require_question_files",
]
