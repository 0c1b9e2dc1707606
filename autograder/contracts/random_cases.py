"""Random cases: draws cases of a contract in which everything varies at once, and judges other functions by them.

The rows of a contract try one kind of input at a time. A mutant of the right function is judged by cases of another
seed, in which sizes, styles and constants are combined, so that what the rows do not look at can be seen.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from autograder.contracts.body import CheckBody, DerivesChecks, is_all_right
from autograder.contracts.call_values import name_leaves
from autograder.contracts.case import ROBUST, VALUES
from autograder.contracts.case_design import SINGLE, CaseDesign, Designs, list_indices, list_second_calls
from autograder.contracts.check import CaseCheck
from autograder.contracts.drawing import Sizes, pick
from autograder.contracts.kinds import ITEMS, Leaf, Way
from autograder.contracts.promised import Promised
from autograder.contracts.sizes import LONG, SizeChooser
from autograder.programs.program import run_program

_SEED = "mutants"
_SMALLER_S = 2.0  # of computing time, to find a small case
_LARGEST_SIZE = 8
_ORDER_SHARE = 0.1  # any share: what counts is whether all is right
_SPECIAL = 0.3  # the share of arrays in a style, of constants with another value than the ordinary one, of listed sizes
_LONG = 0.05  # the share of cases with a size up to LONG and a little more
_SINGLE = 0.05
_GIVEN = 2  # cases of the author's in a family
_ALIKE = 0.1  # the share of cases in which two arrays are equal, where they may be


def draw_designs(promised: Promised, rng: np.random.Generator, count: int, tried: Sequence[CaseDesign]) -> Designs:
    """Draw the plans of cases; `tried`: those of the rows, whose styles and equal arrays are combined."""
    signature = promised.parsed
    chooser = promised.chooser
    styles = _collect_styles(tried)
    alike = [design.alike for design in tried if design.alike]
    leaves = [(way, leaf) for way, leaf in signature.list_leaves() if leaf.name not in chooser.names]
    optional = [each.name for each in signature.arguments if each.is_optional]
    has_lists = any(leaf.kind.is_pool for _, leaf in leaves)
    wanted = list(chooser.list_wanted())
    for _ in range(count):
        sizes = _draw_sizes(chooser, wanted, rng)
        if has_lists:
            sizes[ITEMS] = int(rng.integers(1, _LARGEST_SIZE + 1))
        yield CaseDesign(
            VALUES,
            sizes=sizes,
            styles=dict(_draw_styles(styles, rng)),
            constants=dict(_draw_constants(leaves, rng)),
            left_out=str(rng.choice(optional)) if optional and rng.random() < _SPECIAL else "",
            absent=_draw_absent(leaves, rng),
            all_arrays=SINGLE if rng.random() < _SINGLE else "",
            alike=_draw_alike(alike, rng),
        )


def is_special(design: CaseDesign) -> bool:
    """Tell whether a plan stands alone: of the author's, about robustness, or with a style that needs its sizes."""
    return design.given is not None or design.group == ROBUST or bool(design.styles and design.sizes)


def draw_family(promised: Promised, rng: np.random.Generator, tried: Sequence[CaseDesign]) -> Designs:
    """Draw the plans of calls that differ from the first in one argument each, and of the first and others again."""
    chooser = promised.chooser
    leaves = list(promised.parsed.list_leaves())
    wanted = list(chooser.list_wanted())
    yield CaseDesign(VALUES, sizes=_draw_sizes(chooser, wanted, rng))
    yield CaseDesign(VALUES, like_first=True)
    yield from list_second_calls(promised.parsed, leaves)
    for way, leaf in leaves:
        yield from itertools.islice(list_indices(way, leaf, chooser), 2)
        if leaf.name in chooser.names:
            continue
        for value, _ in leaf.list_values()[1:2]:
            yield CaseDesign(VALUES, constants={way: value}, like_first=True)
    for way, styles in _collect_styles(tried).items():
        yield CaseDesign(VALUES, styles={way: str(rng.choice(styles))}, like_first=True)
    given = [design for design in tried if design.given is not None]
    for place in rng.permutation(len(given))[:_GIVEN]:
        yield given[int(place)]
    yield CaseDesign(VALUES, sizes=_draw_sizes(chooser, wanted, rng))
    yield CaseDesign(VALUES, like_first=True)


def _draw_sizes(chooser: SizeChooser, wanted: Sequence[Sizes], rng: np.random.Generator) -> dict[str, Any]:
    if wanted and rng.random() < _SPECIAL:
        return dict(pick(wanted, rng))
    sizes = {name: int(rng.integers(1, _LARGEST_SIZE + 1)) for name in chooser.plain}
    if sizes and rng.random() < _LONG:
        sizes[str(rng.choice(list(sizes)))] = int(rng.integers(_LARGEST_SIZE + 1, LONG + _LARGEST_SIZE))
    return sizes


def _collect_styles(tried: Iterable[CaseDesign]) -> dict[Way, list[str]]:
    """Collect the styles of each argument that any case may have, also those of the author's."""
    found: dict[Way, list[str]] = {}
    for design in tried:
        if is_special(design):
            continue
        for way, style in design.styles.items():
            styles = found.setdefault(way, [])
            if style not in styles:
                styles.append(style)
    return found


def _draw_styles(styles: Mapping[Way, Sequence[str]], rng: np.random.Generator) -> Iterator[tuple[Way, str]]:
    for way, known in styles.items():
        if rng.random() < _SPECIAL:
            yield way, pick(known, rng)


def _draw_alike(groups: Sequence[tuple[Way, ...]], rng: np.random.Generator) -> tuple[Way, ...]:
    """Draw two arrays that are equal; one with bounds stands first."""
    if not groups or rng.random() >= _ALIKE:
        return ()
    group = pick(groups, rng)
    places = sorted(rng.permutation(len(group))[:2])
    return tuple(group[place] for place in places)


def _draw_constants(leaves: Sequence[Leaf], rng: np.random.Generator) -> Iterator[tuple[Way, Any]]:
    for way, leaf in leaves:
        values = leaf.list_values()
        if values and rng.random() < _SPECIAL:
            yield way, pick(values, rng)[0]


def _draw_absent(leaves: Sequence[Leaf], rng: np.random.Generator) -> Way:
    ways = [way for way, leaf in leaves if leaf.may_be_absent or (len(way) > 1 and leaf.default is not None)]
    return pick(ways, rng) if ways and rng.random() < _SPECIAL else ()


def split_row(row: CaseCheck) -> Iterator[CaseCheck]:
    """Split a row into a check of each case, and one with the laws of a random function.

    Each asks for all that a row may ask for: where one of them fails, another function is wrong.
    """
    for number in range(len(row.cases)):
        yield join_cases(row._replace(laws=()), (number,))
    if row.laws:
        yield join_cases(row, (0,))


def join_cases(row: CaseCheck, numbers: Sequence[int]) -> CaseCheck:
    """Return the check of some cases: of the order of their parts, and of their arguments as they were."""
    order_share = _ORDER_SHARE * (len(row.places) > 1)
    return row._replace(
        cases=tuple(row.cases[number] for number in numbers),
        alternatives={words: tuple(each[number] for number in numbers) for words, each in row.alternatives.items()},
        promising=tuple(range(len(numbers))) if row.promise_share else (),
        shares={group: share * (1 - order_share) for group, share in row.shares.items()},
        promise_share=row.promise_share * (1 - order_share),
        order_share=order_share,
        untouched="",
    )


@dataclass(frozen=True)
class DrawnCase:
    """A few calls that are judged together; its text is what staff read of a survivor."""

    check: Any

    def __repr__(self) -> str:
        return repr([each.arguments for each in self.check.cases])

    @property
    def size(self) -> int:
        """The numbers and words in its arguments."""
        values = (value for each in self.check.cases for value in each.arguments)
        return sum(np.size(leaf) for value in values for leaf in name_leaves("", value).values())


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
        drawn = (each.draw_checks(f"{_SEED} {number}", count) for each in self._contracts)
        return [DrawnCase(check) for checks in drawn for check in checks]

    def observe(self, module: ModuleType, case: DrawnCase) -> list[Any]:
        """Run a module's functions on a case."""
        with np.errstate(all="ignore"):  # staff read survivors, not what their own solution stands
            return [run_program(each, partial(getattr, module)) for each in case.check.programs]

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


def list_contracts(calls: Iterable[object]) -> dict[str, DrawnContract]:
    """Return what judges the functions of a question, by function: the random cases of all its contracts.

    `calls`: the bodies of its hidden tests; those by hand have no contract.
    """
    found: dict[str, dict[DerivesChecks, None]] = {}
    for each in calls:
        if isinstance(each, CheckBody):
            found.setdefault(each.check.function, {})[each.check.contract] = None
    return {name: DrawnContract(list(contracts)) for name, contracts in found.items()}
