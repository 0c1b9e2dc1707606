"""Matrix: turns the known mistakes into a table that shows which hidden test catches which mistake.

It also turns the references into mutants, to find those that no hidden test catches. For course staff, who change tests
and mistakes together.
"""

from autograder.matrix.adequacy_run import run_generated
from autograder.matrix.bank_run import run_bank
from autograder.matrix.catches import is_exact
