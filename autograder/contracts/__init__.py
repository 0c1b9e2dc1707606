"""Contracts: turn what is said of a function once, in a signature and options, into the checks of that function.

Hidden tests use `Contract` through `autograder.authoring`; the grader runs a check through `CheckBody`.
"""

from autograder.contracts.body import Check, CheckBody, judge_functions
from autograder.contracts.case import ROBUST
from autograder.contracts.contract import Contract
from autograder.contracts.given import JUMPS, LEFT_OUT, Given, Where
from autograder.contracts.law import Law
from autograder.contracts.part_comparison import InAllCases
from autograder.contracts.row_table import ROWS, RowError, RowTable, TableRow, require_distinct
from autograder.contracts.signature import ContractError
from autograder.contracts.signature_parser import SignatureError, parse_signature
from autograder.programs.recipes import Constant, Generator, make_toy
