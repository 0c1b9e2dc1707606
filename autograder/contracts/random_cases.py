"""Random cases: draws cases of a contract in which much varies at once, and judges other functions by them.

The rows of a contract try one kind of input at a time. A mutant of the right function is judged by cases of another
seed, in which plans of the rows are united, so that what the rows do not look at can be seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from autograder.contracts.body import CheckBody, DerivesChecks, is_all_right
from autograder.contracts.call_values import name_leaves
from autograder.contracts.case import CONSTANTS, ROBUST, SIZES, STATE, VALUES
from autograder.contracts.case_design import CaseDesign, Designs
from autograder.contracts.check import CaseCheck
from autograder.contracts.drawing import Rng, pick
from autograder.contracts.sizes import LONG, SizeChooser
from autograder.programs.program import run_program

_SEED = "mutants"
_SMALLER_S = 2.0  # of computing time, to find a small case
_LARGEST_SIZE = 8
_ORDER_SHARE = 0.1  # any share: what counts is whether all is right
_UNITED = (SIZES, VALUES, VALUES, CONSTANTS, CONSTANTS)  # of each of these a case may have a plan
_ORDINARY_SIZES = 0.3  # the share of cases without drawn sizes
_LONG = 0.05  # the share of cases with a size up to LONG and a little more
_GIVEN = 2  # cases of the author's in a family
_ALIKE = 15  # others that are like the first case


def draw_designs(chooser: SizeChooser, rng: Rng, count: int, tried: Sequence[CaseDesign]) -> Designs:
    """Draw the plans of cases; each unites a few of those of the rows, `tried`, and has other sizes."""
    plain = [design for design in tried if not is_special(design)]
    for _ in range(count):
        united = _draw_sizes(chooser, rng)
        for group in _UNITED:
            plans = [design for design in plain if design.group == group]
            picked = int(rng.integers(2))
            for design in _pick_some(plans, picked, rng):
                united = united.unite(design)
        yield united


def is_special(design: CaseDesign) -> bool:
    """Return whether a plan is not united: of the author's, about robustness, or with a style that needs its sizes."""
    if design.given is not None or design.group == ROBUST:
        return True
    return bool(design.styles and design.sizes)


def draw_family(chooser: SizeChooser, rng: Rng, tried: Sequence[CaseDesign]) -> Designs:
    """Draw the plans of calls that differ from the first in one thing each, and of the first and others again."""
    alike = [design for design in tried if design.like_first and design.group in (VALUES, CONSTANTS)]
    given = [design for design in tried if design.given is not None]
    yield _draw_sizes(chooser, rng)
    yield from (design for design in tried if design.group == STATE)
    yield from _pick_some(alike, _ALIKE, rng)
    yield from _pick_some(given, _GIVEN, rng)
    yield _draw_sizes(chooser, rng)
    yield CaseDesign(VALUES, like_first=True)


def _pick_some(designs: Sequence[CaseDesign], count: int, rng: Rng) -> Designs:
    """Pick a few plans, all different."""
    for place in rng.permutation(len(designs))[:count]:
        yield designs[int(place)]


def _draw_sizes(chooser: SizeChooser, rng: Rng) -> CaseDesign:
    """Draw a plan with all sizes, or none, so that they fit each other; one may be long."""
    sizes = {}
    if rng.random() >= _ORDINARY_SIZES:
        for name in chooser.plain:
            sizes[name] = int(rng.integers(1, _LARGEST_SIZE + 1))
    if sizes and rng.random() < _LONG:
        name = pick(list(sizes), rng)
        sizes[name] = int(rng.integers(_LARGEST_SIZE + 1, LONG + _LARGEST_SIZE))
    return CaseDesign(VALUES, sizes=sizes)


def split_row(row: CaseCheck) -> Iterator[CaseCheck]:
    """Split a row into a check of each case, and one with the laws of a random function.

    Each asks for all that a row may ask for: where one of them fails, another function is wrong.
    """
    for number, case in enumerate(row.cases):
        alternatives = {words: (right[number],) for words, right in row.alternatives.items()}
        single = row._replace(cases=(case,), alternatives=alternatives)
        single = join_cases(single)
        yield single._replace(laws=())
        if row.laws and number == 0:
            yield single


def join_cases(row: CaseCheck) -> CaseCheck:
    """Return the check of all cases of a row: of the order of their parts, and of their arguments as they were."""
    order_share = _ORDER_SHARE * (len(row.places) > 1)
    rest = 1 - order_share
    numbers = range(len(row.cases))
    return row._replace(
        promising=tuple(numbers) if row.promise_share else (),
        shares={group: share * rest for group, share in row.shares.items()},
        promise_share=row.promise_share * rest,
        order_share=order_share,
        untouched="",
    )


@dataclass(frozen=True)
class DrawnCase:
    """A few calls that are judged together; its text is what staff read of a survivor."""

    check: Any

    @property
    def arguments(self) -> list[Any]:
        """The arguments of each call."""
        return [each.arguments for each in self.check.cases]

    def __repr__(self) -> str:
        return repr(self.arguments)

    @property
    def size(self) -> int:
        """The numbers and words in its arguments."""
        leaves = name_leaves("", self.arguments)
        return sum(map(np.size, leaves.values()))


class DrawnContract:
    """The random cases of one function, of all its contracts, and the comparison of what modules do with them."""

    def __init__(self, contracts: Sequence[DerivesChecks]) -> None:
        self._contracts = contracts

    @property
    def function(self) -> str:
        """The name of the function."""
        return self._contracts[0].name

    def draw_cases(self, number: int, count: int) -> list[DrawnCase]:
        """Draw cases; the same for the same seed `number`."""
        cases: list[DrawnCase] = []
        for contract in self._contracts:
            checks = contract.draw_checks(f"{_SEED} {number}", count)
            cases += map(DrawnCase, checks)
        return cases

    def observe(self, module: ModuleType, case: DrawnCase) -> list[Any]:
        """Run a module's functions on a case."""
        find = partial(getattr, module)
        with np.errstate(all="ignore"):  # staff read survivors, not what their own solution stands
            return [run_program(each, find) for each in case.check.programs]

    def agrees(self, case: DrawnCase, got: list[Any]) -> bool:
        """Return whether what a module did with a case is right."""
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


def list_contracts(calls: Iterable[object]) -> dict[str, DrawnContract]:
    """Return what judges the functions of a question, by function: the random cases of all its contracts.

    `calls`: the bodies of its hidden tests; those by hand have no contract.
    """
    found: dict[str, dict[DerivesChecks, None]] = {}
    for each in calls:
        if isinstance(each, CheckBody):
            contract = each.check.contract
            of_function = found.setdefault(contract.name, {})
            of_function[contract] = None
    return {name: DrawnContract(list(contracts)) for name, contracts in found.items()}
