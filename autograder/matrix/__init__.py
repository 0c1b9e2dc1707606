"""Matrix: turns the known mistakes into a table that shows which hidden test catches which mistake.

It also turns the references into mutants, to find those that no hidden test catches. For course staff, who change tests
and mistakes together.
"""

from autograder.matrix.adequacy import run_generated
from autograder.matrix.catches import is_exact, run_bank
