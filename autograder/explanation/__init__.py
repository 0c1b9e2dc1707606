"""Explanation: turns one check and one submission into an account of its verdict, for staff.

The check is judged in the sandbox as `grade` does it, and the transcript and the comparisons of each attempt are
written out. The account holds hidden inputs and right values, so it is never part of a result.
"""

from autograder.explanation.explanation import Explanation, explain
from autograder.explanation.text import write_explanation
