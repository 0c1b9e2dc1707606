"""Matrix: turns the known mistakes into a table that shows which hidden test catches which mistake.

For course staff, who change tests and mistakes together.
"""

from autograder.matrix.bank_run import BankError, run_bank
from autograder.matrix.catches import is_exact

__all__ = ["BankError", "is_exact", "run_bank"]
