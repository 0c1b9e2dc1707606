"""Judging contracts: finds what judges the mutants of each function, and which survivors are excused."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.assignment import Assignment, read_toml
from autograder.contracts import CheckBody, DerivesChecks
from autograder.grading.hidden_test import RunnableTest
from autograder.matrix.drawn_contract import DrawnContract


def list_contracts(stem: str, tests: Sequence[RunnableTest]) -> dict[str, DrawnContract]:
    """Return what judges the functions of a question, by function: the random cases of all its contracts."""
    found: dict[str, dict[DerivesChecks, None]] = {}
    for each in tests:
        if each.test.stem == stem and isinstance(each.call, CheckBody):
            contract = each.call.check.contract
            found.setdefault(contract.name, {})[contract] = None
    return {name: DrawnContract(list(contracts)) for name, contracts in found.items()}


def read_excused(assignment: Assignment) -> dict[str, str]:
    """Read the survivors that are excused, each with its reason; none where no file has any."""
    if not assignment.excused_path.is_file():
        return {}
    entries = read_toml(assignment.excused_path).get("excused", [])
    return {mutant: entry["reason"] for entry in entries for mutant in entry["mutants"]}
