"""Catches: records which hidden tests catch which known mistakes, which mistakes survive, which tests are redundant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from autograder.assignment import Severity
from autograder.grading.hidden_test import HiddenTest


class Band(NamedTuple):
    """Prices from `least` to `most`, both included; `words` say it."""

    least: float
    most: float
    words: str

    def holds(self, price: float) -> bool:
        """Whether a price is in the band, to a thousandth."""
        return self.least <= round(price, 3) <= self.most


# A slip leaves most of the points of a right method, a misconception some, and what is no such function next to none.
BANDS: Mapping[Severity, Band] = {
    Severity.SLIP: Band(0.0, 0.599, "below 60 %"),
    Severity.MISCONCEPTION: Band(0.6, 0.85, "60 to 85 %"),
    Severity.FUNDAMENTAL: Band(0.851, 1.0, "above 85 %"),
}
"""What mistakes should cost."""


@dataclass(frozen=True)
class Catch:
    """One mistake; `named`: the tests that it should fail, `caught`: the tests that it fails.

    `price`: the share of the function's points that it costs, from 0 to 1. `reason`: why this is another than the
    severity should cost. `breaks`: the parts that it declares to break, `broken`: those that are wrong. `is_late`: it
    ran out of time, and should end. `is_derived`: it does not say itself which tests it fails.
    """

    id: str
    function: str
    story: str
    named: frozenset[str]
    caught: frozenset[str]
    severity: Severity
    price: float
    reason: str = ""
    breaks: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    is_late: bool = False
    is_derived: bool = False

    @property
    def survives(self) -> bool:
        """Whether a submission with this mistake loses no points."""
        return not self.caught

    @property
    def is_priced(self) -> bool:
        """Whether its price counts: a mistake that names no part or test yet is not finished."""
        return bool(self.breaks if self.is_derived else self.named)

    @property
    def is_outlier(self) -> bool:
        """Whether its price counts and is outside of the band of its severity."""
        return self.is_priced and not BANDS[self.severity].holds(self.price)

    @property
    def is_exact(self) -> bool:
        """Whether it fails exactly the tests that it names, and breaks the parts that it names."""
        return bool(self.caught) and self.caught == self.named and self.is_right_on_parts and not self.is_late

    @property
    def is_right_on_parts(self) -> bool:
        """Whether the parts that are wrong are those that it declares to break."""
        return set(self.breaks) == set(self.broken)


@dataclass(frozen=True)
class QuestionCatches:
    """One question: its tests in the order of their numbers, its mistakes, the tests that the right solution fails."""

    stem: str
    title: str
    tests: tuple[HiddenTest, ...]
    mistakes: tuple[Catch, ...]
    failed_by_right: frozenset[str] = frozenset()

    @property
    def is_exact(self) -> bool:
        """Whether all mistakes fail exactly the tests they name, all tests catch one, and the right solution passes."""
        return all(mistake.is_exact for mistake in self.mistakes) and not self.idle and not self.failed_by_right

    @property
    def idle(self) -> tuple[HiddenTest, ...]:
        """The tests that catch nothing."""
        return tuple(test for test in self.tests if not self.list_caught_by(test))

    @property
    def redundant(self) -> tuple[HiddenTest, ...]:
        """The tests that could each be removed alone: another test catches every mistake that they catch."""
        return tuple(test for test in self.tests if self.list_caught_by(test) and not self.list_caught_only_by(test))

    def list_caught_by(self, test: HiddenTest) -> tuple[Catch, ...]:
        """List the mistakes that a test catches."""
        return tuple(mistake for mistake in self.mistakes if test.name in mistake.caught)

    def list_caught_only_by(self, test: HiddenTest) -> tuple[Catch, ...]:
        """List the mistakes that only this test catches."""
        return tuple(mistake for mistake in self.list_caught_by(test) if len(mistake.caught) == 1)

    def label_tests(self, names: Iterable[str]) -> tuple[str, ...]:
        """Label tests by number and name, in the order of the numbers; unknown names come last, unchanged."""
        wanted = set(names)
        labels = {test.name: f"{test.number} {test.name}" for test in self.tests}
        known = [label for name, label in labels.items() if name in wanted]
        return (*known, *sorted(wanted - labels.keys()))


def is_exact(questions: Iterable[QuestionCatches]) -> bool:
    """Tell whether the bank and the hidden tests of all questions agree."""
    return all(question.is_exact for question in questions)
