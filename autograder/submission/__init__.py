"""Submission: turns a folder, a zip or one file into the files of each question.

Student code is neither run nor imported here: files are read up to a size and searched as text.
"""

from autograder.submission.file_tree import SubmissionError
from autograder.submission.imports import find_reachable
from autograder.submission.source_scan import (
    Body,
    find_defined_names,
    find_gap,
    find_other_definition,
    have_code,
    scan_body,
    takes_all,
)
from autograder.submission.submission import (
    QuestionFiles,
    SourceFile,
    Submission,
    open_tree,
    read_submission,
    read_tree,
    select_questions,
)
