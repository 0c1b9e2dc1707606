"""Dropped kinds: tells which kinds of input of contracts no mutant needs, by leaving them out one at a time.

A mutant survives without a kind, or a group of kinds, if its parts are wrong in the cases of that kind alone and no row
of another form catches it. What a mutant remembers from left out calls does not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from autograder.contracts import CheckBody
from autograder.contracts.body import find_failing_cases
from autograder.contracts.case import SIZES, Case
from autograder.contracts.check import CaseCheck
from autograder.grading.hidden_test import RunnableTest
from autograder.student import TestCall


class Kind(NamedTuple):
    """A kind of input, by its words, and the group that it is in."""

    group: str
    words: str

    def describe(self) -> str:
        """Name it for a message."""
        return f"{self.group}: {self.words}" if self.words else f"{self.group}: ordinary input"


class NeededKinds:
    """The kinds of the rows of one function.

    `calls`: by kind, its cases. `needed`, `needed_groups`: those without which a mutant survives.
    """

    def __init__(self, tests: Sequence[RunnableTest]) -> None:
        checks = (check for test in tests if (check := _get_check(test.call)) is not None)
        self.calls = Counter(_name_kind(case) for check in checks for case in check.cases)
        self.needed: set[Kind] = set()
        self.needed_groups: set[str] = set()

    def note(self, tests: Sequence[RunnableTest], run: Callable[[TestCall], object]) -> None:
        """Count a wrong mutant; `run` runs the body of a test on it, and returns true where it passes."""
        kinds: set[Kind] = set()
        for test in tests:
            found = _find_failing_kinds(test, run)
            if found is None:
                return
            kinds |= found
        groups = {kind.group for kind in kinds}
        self.needed |= kinds if len(kinds) == 1 else set()
        self.needed_groups |= groups if len(groups) == 1 else set()

    @property
    def redundant(self) -> Mapping[Kind, int]:
        """The kinds that no mutant needs, with their calls."""
        return {kind: calls for kind, calls in self.calls.items() if kind not in self.needed}

    @property
    def redundant_groups(self) -> Sequence[str]:
        """The groups that no mutant needs."""
        groups = dict.fromkeys(kind.group for kind in self.calls)
        return [group for group in groups if group not in self.needed_groups]


def _find_failing_kinds(test: RunnableTest, run: Callable[[TestCall], object]) -> set[Kind] | None:
    """Find the kinds in whose cases a mutant fails; None where something else fails too, whatever is left out."""
    check = _get_check(test.call)
    if check is None:
        return set() if run(test.call) else None
    found: list[tuple[int, ...] | None] = []
    run(lambda student: found.append(find_failing_cases(check, student, test.test.stem)))
    if not found or found[0] is None:
        return None
    return {_name_kind(check.cases[number]) for number in found[0]}


def _get_check(call: TestCall) -> CaseCheck | None:
    """Return the check of a row whose cases decide alone; None for other forms, and where laws of chance decide too."""
    check = call.derived if isinstance(call, CheckBody) else None
    return check if isinstance(check, CaseCheck) and not check.laws and not check.owner else None


def _name_kind(case: Case) -> Kind:
    """Name the kind of a case: its first words, or, for sizes, all that is special about them."""
    return Kind(case.group, "; ".join(case.kinds) if case.group == SIZES else next(iter(case.kinds), ""))
