"""Assignment: turns the folder of an assignment into questions, functions and policies, and knows its files.

The grader knows a course by this folder alone; no other package builds a path in it or reads its assignment.toml.
"""

from autograder.assignment.assignment import (
    DECLARATION,
    DERIVED_CHECKS,
    DERIVED_MISTAKES,
    HIDDEN,
    MISTAKES,
    PACKAGES,
    PARTS,
    REFERENCE,
    TASKS,
    TEMPLATES,
    Answer,
    AnswerKind,
    Assignment,
    Function,
    LatePolicy,
    Prerequisite,
    Question,
    Variant,
    WorkerLimits,
    find_owner,
    is_assignment,
    list_question_files,
    list_roots_above,
)
from autograder.assignment.assignment_file import load_assignment, read_assignment, read_toml
from autograder.assignment.toml_table import AssignmentError, GoneKeyError
