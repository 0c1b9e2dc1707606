"""Questions: turns right solutions and signatures into the files of a question, and right solutions into a verdict.

A check that the right solution fails is wrong; nothing is built or graded for students before it is corrected.
"""

from autograder.questions.assignment_lint import find_examples, find_problems, find_warnings
from autograder.questions.new_assignment import NewAssignmentError, make_assignment
from autograder.questions.new_question import NewQuestionError, QuestionRequest, make_question
from autograder.questions.right_solution import RightSolutionError, require_right_solution

__all__ = [
    "NewAssignmentError",
    "NewQuestionError",
    "QuestionRequest",
    "RightSolutionError",
    "find_examples",
    "find_problems",
    "find_warnings",
    "make_assignment",
    "make_question",
    "require_right_solution",
]
