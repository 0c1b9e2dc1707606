"""Questions: turns the staff's files of questions into problems to solve before anybody is graded.

The right solution has to pass every check; `find_failures` says which it does not.
"""

from autograder.questions.right_solution import RightSolutionError, require_right_solution

__all__ = ["RightSolutionError", "require_right_solution"]
