"""Drawn contract: judges mutants by random cases of a contract, where nobody wrote a strategy for their inputs.

The cases are of another seed than the rows of the result, and combine what these try one at a time.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from autograder.contracts import CaseCheck, Contract, judge
from autograder.contracts.argument_leaves import name_leaves
from autograder.contracts.object_check import ObjectCheck
from autograder.contracts.object_contract import MethodContract
from autograder.contracts.request import answer_by

_SEED = "mutants"
_SMALLER_S = 2.0  # of computing time, to find a small case
_FAMILIES = 12  # of calls that differ in one argument


@dataclass(frozen=True)
class DrawnCase:
    """A few calls that are judged together; its text is what staff read of a survivor."""

    check: CaseCheck | ObjectCheck

    def __repr__(self) -> str:
        return repr(self._calls)

    @property
    def _calls(self) -> list[tuple[Any, ...]]:
        if isinstance(self.check, CaseCheck):
            return [each.arguments for each in self.check.cases]
        return [(*each.arguments, *(tuple(step) for step in each.steps)) for each in self.check.cases]

    @property
    def size(self) -> int:
        """The numbers in its arguments."""
        arguments = (value for call in self._calls for value in call)
        return sum(np.size(leaf) for value in arguments for leaf in name_leaves("", value).values())


class DrawnContract:
    """The random cases of one function or method, and the comparison of what modules do with them."""

    def __init__(self, contract: Contract | MethodContract) -> None:
        self._contract = contract
        self._drawn: list[DrawnCase] = []

    @property
    def function(self) -> str:
        """The name of the function."""
        return self._contract.name

    def draw_cases(self, number: int, count: int) -> list[DrawnCase]:
        """Draw cases; the same for the same seed `number`."""
        if isinstance(self._contract, MethodContract):
            self._drawn = list(_draw_objects(self._contract, f"{_SEED} {number}", count))
            return self._drawn
        check = self._contract.draw_random(f"{_SEED} {number}", count)
        families = (self._contract.draw_family(f"{_SEED} {number} {k}") for k in range(_FAMILIES))
        checks = [*(_select(check, k) for k in range(len(check.cases))), *families]
        self._drawn = [DrawnCase(_require_everything(each)) for each in checks]
        return self._drawn

    def observe(self, module: ModuleType, case: DrawnCase) -> list[Any]:
        """Run a module's functions on a case."""
        return [answer_by(lambda name: getattr(module, name), request) for request in case.check.requests]

    def agrees(self, case: DrawnCase, right: object, got: list[Any]) -> bool:
        """Tell whether a case is right."""
        if isinstance(case.check, CaseCheck):
            return judge(case.check, got).failure is None
        return case.check.judge(got).failure is None

    def find_smallest(self, is_wrong: Callable[[DrawnCase], bool], known: DrawnCase) -> DrawnCase:
        """Find a small case that is wrong among those that were drawn."""
        end = time.process_time() + _SMALLER_S
        for case in sorted(self._drawn, key=lambda each: each.size):
            if case.size >= known.size or time.process_time() > end:
                break
            if is_wrong(case):
                return case
        return known


def _draw_objects(contract: MethodContract, seed: str, count: int) -> Iterator[DrawnCase]:
    """Draw about so many objects, used in other walks than those of the rows."""
    drawn = 0
    for again in itertools.count():
        check = contract.derive("everywhere", f"{seed} {again}")
        yield from (DrawnCase(check._replace(cases=(each,), steps=())) for each in check.cases)
        yield DrawnCase(check._replace(steps=()))
        drawn += len(check.requests)
        if drawn >= count:
            return


def _select(check: CaseCheck, place: int) -> CaseCheck:
    """Return the check of one case."""
    alternatives = {words: (each[place],) for words, each in check.alternatives.items()}
    return check._replace(cases=(check.cases[place],), alternatives=alternatives)


def _require_everything(check: CaseCheck) -> CaseCheck:
    """Return the check of all that a row may ask for: the order of the parts, and arguments as they were."""
    promising = tuple(range(len(check.cases))) if check.promise_share else ()
    return check._replace(promising=promising, order_share=0.1 * (len(check.returned_parts) > 1), untouched="")
