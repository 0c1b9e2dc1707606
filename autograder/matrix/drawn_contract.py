"""Drawn contract: judges the mutants of a function by random cases of its contracts.

The cases are of another seed than the rows of the result, and combine what these try one at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from autograder.contracts import CheckBody
from autograder.contracts.body import DerivesChecks, is_all_right
from autograder.contracts.call_values import name_leaves
from autograder.contracts.object_check import ObjectCase
from autograder.contracts.object_contract import MethodContract
from autograder.contracts.request import answer_by
from autograder.grading.hidden_test import RunnableTest

_SEED = "mutants"
_SMALLER_S = 2.0  # of computing time, to find a small case


@dataclass(frozen=True)
class DrawnCase:
    """A few calls that are judged together; its text is what staff read of a survivor."""

    check: Any

    def __repr__(self) -> str:
        return repr([_describe(each) for each in self.check.cases])

    @property
    def size(self) -> int:
        """The numbers and words in its arguments."""
        values = (value for each in self.check.cases for value in _list_given(each))
        return sum(np.size(leaf) for value in values for leaf in name_leaves("", value).values())


class DrawnContract:
    """The random cases of one function, of all its contracts, and the comparison of what modules do with them."""

    def __init__(self, contracts: Sequence[DerivesChecks]) -> None:
        self._contracts = contracts

    @property
    def function(self) -> str:
        """The name of the function."""
        return self._contracts[0].name

    @property
    def silent(self) -> list[str]:
        """The methods whose errors show in what this one returns alone."""
        methods = [each for each in self._contracts if isinstance(each, MethodContract)]
        return [f"{each.owner.name}.{name}" for each in methods for name in each.list_silent()]

    def draw_cases(self, number: int, count: int) -> list[DrawnCase]:
        """Draw cases; the same for the same seed `number`."""
        drawn = (each.draw_checks(f"{_SEED} {number}", count) for each in self._contracts)
        return [DrawnCase(check) for checks in drawn for check in checks]

    def observe(self, module: ModuleType, case: DrawnCase) -> list[Any]:
        """Run a module's functions on a case."""
        with np.errstate(all="ignore"):  # staff read survivors, not what their own solution stands
            return [answer_by(partial(getattr, module), request) for request in case.check.requests]

    def agrees(self, case: DrawnCase, got: list[Any]) -> bool:
        """Tell whether what a module did with a case is right."""
        return is_all_right(case.check, got)


def find_smallest(cases: Sequence[DrawnCase], is_wrong: Callable[[DrawnCase], bool], known: DrawnCase) -> DrawnCase:
    """Find a small case that is wrong, among these; `known` where none is smaller."""
    end = time.process_time() + _SMALLER_S
    for case in sorted(cases, key=lambda each: each.size):
        if case.size >= known.size or time.process_time() > end:
            break
        if is_wrong(case):
            return case
    return known


def list_contracts(stem: str, tests: Sequence[RunnableTest]) -> dict[str, DrawnContract]:
    """Return what judges the functions of a question, by function: the random cases of all its contracts."""
    found: dict[str, dict[DerivesChecks, None]] = {}
    for each in tests:
        if each.test.stem == stem and isinstance(each.call, CheckBody):
            contract = each.call.check.contract
            found.setdefault(contract.name, {})[contract] = None
    return {name: DrawnContract(list(contracts)) for name, contracts in found.items()}


def _list_given(case: Any) -> tuple[Any, ...]:
    """List what a case gives: arguments, those of the call whose cache is one of them, and an object's attributes."""
    if isinstance(case, ObjectCase):
        return (*case.arguments, *case.assigned.values())
    return (*(case.earlier or ()), *case.arguments)


def _describe(case: Any) -> Any:
    if not isinstance(case, ObjectCase):
        return _list_given(case)
    return (*case.arguments, dict(case.assigned), *(tuple(each) for each in case.steps))
