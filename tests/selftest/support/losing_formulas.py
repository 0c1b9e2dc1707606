"""Losing formulas: what naive right formulas of a contract lose outside of robustness."""

from functools import partial

from autograder.contracts import Contract
from autograder.contracts.case import ORDINARY, ROBUST
from autograder.contracts.check import CaseCheck
from autograder.contracts.judgement import judge
from autograder.programs.program import run_program


def find_losing_formulas(contract: Contract, seed: str) -> dict[str, str]:
    """Return what is lost, by the name of each formula of `naive` that loses anything."""
    lost: dict[str, str] = {}
    for purpose in (ORDINARY, "everywhere"):
        row = contract.derive(purpose, seed)
        assert isinstance(row, CaseCheck)  # as all but those of gradients
        pointed = tuple(case for case in row.cases if case.group != ROBUST)
        check = row._replace(cases=pointed, promising=(), promise_share=0.0, laws=())
        for formula in contract.naive:
            replies = [run_program(each, partial(contract.find_right, function=formula)) for each in check.programs]
            failure = judge(check, replies).failure
            if failure is not None:
                lost[formula.__name__] = failure.what
    return lost
