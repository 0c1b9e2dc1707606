"""Catches: what hidden tests make of known mistakes: who catches whom, who survives, which test could go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from autograder.grading.hidden_test import HiddenTest


@dataclass(frozen=True)
class Catch:
    """One mistake; `named`: the tests that it says it fails, `caught`: those that it fails."""

    id: str
    function: str
    story: str
    named: frozenset[str]
    caught: frozenset[str]

    @property
    def survives(self) -> bool:
        """Whether a submission with this mistake loses nothing."""
        return not self.caught

    @property
    def is_exact(self) -> bool:
        """Whether it fails the tests that it names and no other."""
        return bool(self.caught) and self.caught == self.named


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
        """Whether nothing survives, differs from what is named, catches nothing, or blames the right solution."""
        return all(mistake.is_exact for mistake in self.mistakes) and not self.idle and not self.failed_by_right

    @property
    def idle(self) -> tuple[HiddenTest, ...]:
        """The tests that catch nothing."""
        return tuple(test for test in self.tests if not self.caught_by(test))

    @property
    def redundant(self) -> tuple[HiddenTest, ...]:
        """The tests of which each could go alone: every mistake that it catches is caught by another test too."""
        return tuple(test for test in self.tests if self.caught_by(test) and not self.caught_only_by(test))

    def caught_by(self, test: HiddenTest) -> tuple[Catch, ...]:
        """The mistakes that a test catches."""
        return tuple(mistake for mistake in self.mistakes if test.name in mistake.caught)

    def caught_only_by(self, test: HiddenTest) -> tuple[Catch, ...]:
        """The mistakes that nobody else catches."""
        return tuple(mistake for mistake in self.caught_by(test) if len(mistake.caught) == 1)

    def numbers(self, names: Iterable[str]) -> tuple[str, ...]:
        """The tests of these names, in order, as staff know them; a name that no test has as it is."""
        wanted = set(names)
        known = [f"{test.number} {test.name}" for test in self.tests if test.name in wanted]
        return (*known, *sorted(wanted - self._names))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(test.name for test in self.tests)


def is_exact(questions: Iterable[QuestionCatches]) -> bool:
    """Whether the bank and the hidden tests of all questions agree."""
    return all(question.is_exact for question in questions)
