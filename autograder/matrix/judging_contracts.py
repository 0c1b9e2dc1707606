"""Judging contracts: finds what judges the mutants of each function: a strategy of the staff's, or its own contract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograder.assignment import Assignment
from autograder.contracts import CheckBody
from autograder.contracts import Contract as DerivingContract
from autograder.contracts.object_contract import MethodContract
from autograder.contracts.row import DerivesChecks
from autograder.grading.hidden_test import RunnableTest
from autograder.matrix.adequacy import Contract
from autograder.matrix.drawn_contract import DrawnContract


def list_contracts(assignment: Assignment, stem: str, tests: Sequence[RunnableTest]) -> dict[str, Contract]:
    """Return the strategies of `tests/contracts` by function, and random cases of the other contracts."""
    bank = _import_bank(assignment)
    found: dict[str, Contract] = {each.function: each for each in bank.load(stem)} if bank is not None else {}
    for contract in _find_contracts(stem, tests):
        if isinstance(contract, (DerivingContract, MethodContract)):
            found.setdefault(contract.name, DrawnContract(contract))
    return found


def read_excused(assignment: Assignment) -> dict[str, str]:
    """Read the survivors that are excused, each with its reason; none without `tests/contracts`."""
    bank = _import_bank(assignment)
    return bank.read_excused() if bank is not None else {}


def _import_bank(assignment: Assignment) -> Any:
    """Import the strategies; None where the assignment has none."""
    try:
        return assignment.import_contracts()
    except ModuleNotFoundError as error:
        if error.name in ("tests", "tests.contracts"):
            return None
        raise


def _find_contracts(stem: str, tests: Iterable[RunnableTest]) -> Iterable[DerivesChecks]:
    checks = (each.call.check for each in tests if each.test.stem == stem and isinstance(each.call, CheckBody))
    return (each.contract for each in checks)
