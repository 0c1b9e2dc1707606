"""Contracts: turn what is said of a function once, in a signature and beside it, into the checks of that function.

Hidden tests use `Contract` through `autograder.authoring`; the grader runs a check through `CheckBody`.
"""

from autograder.contracts.body import (
    Check,
    CheckBody,
    DerivesChecks,
    ask_student,
    find_failing_cases,
    is_all_right,
    judge_functions,
    judge_row,
)
from autograder.contracts.case import ROBUST, SIZES, Case
from autograder.contracts.check import CaseCheck
from autograder.contracts.contract import Contract
from autograder.contracts.judgement import judge_uses
from autograder.contracts.law import Law
from autograder.contracts.live_argument import Constant, Generator, make_toy
from autograder.contracts.object_check import ObjectCase
from autograder.contracts.object_contract import ObjectContract
from autograder.contracts.object_walk import Action, Repeated
from autograder.contracts.signature import ContractError
from autograder.contracts.signature_parser import SignatureError, parse_signature
from autograder.contracts.wording import list_broken

__all__ = [
    "ROBUST",
    "SIZES",
    "Action",
    "Case",
    "CaseCheck",
    "Check",
    "CheckBody",
    "Constant",
    "Contract",
    "ContractError",
    "DerivesChecks",
    "Generator",
    "Law",
    "ObjectCase",
    "ObjectContract",
    "Repeated",
    "SignatureError",
    "ask_student",
    "find_failing_cases",
    "is_all_right",
    "judge_functions",
    "judge_row",
    "judge_uses",
    "list_broken",
    "make_toy",
    "parse_signature",
]
