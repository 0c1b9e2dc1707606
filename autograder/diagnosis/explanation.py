"""Explanation: chooses, of the known mistakes that explain failed tests in whole or in part, those that are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder.diagnosis.match import Match, ReplayedTest
from autograder.mistakes import Mistake


@dataclass(frozen=True)
class Explanation:
    """A known mistake, and by the id of the failed test its match, if parts agree, and the test.

    `is_excused`: it fails tests that the student's function passes, in corner cases alone.
    """

    mistake: Mistake
    matches: Mapping[str, Match]
    tests: Mapping[str, ReplayedTest]
    is_excused: bool = False

    @cached_property
    def core(self) -> Mapping[str, Match]:
        """The matches in tests that fail because of the mistake."""
        caught = self.mistake.caught_by
        found = {name: match for name, match in self.matches.items() if get_test_name(name) in caught}
        return {name: match for name, match in found.items() if match.is_whole or match.is_core}

    @cached_property
    def explained(self) -> frozenset[object]:
        """The wrong parts that are the mistake's, in all tests."""
        return frozenset((name, key) for name, match in self.core.items() for key in match.explained)

    @property
    def is_whole(self) -> bool:
        """Whether the mistake gives all replies of the tests that it explains."""
        return not self.is_excused and all(match.is_whole for match in self.core.values())

    @property
    def is_telling(self) -> bool:
        """Whether some reply is unlikely by chance."""
        return any(match.is_telling for match in self.core.values())

    @property
    def is_exact(self) -> bool:
        """Whether all observations of the tests agree."""
        return all(match.is_exact for match in self.core.values())

    @property
    def is_enough(self) -> bool:
        """Whether the replies are more than errors and Nones, which functions that do nothing give too."""
        is_observed = self.is_exact and any(match.is_observed for match in self.core.values())
        return is_observed or self.is_telling or any(match.is_right_in_part for match in self.core.values())

    @property
    def is_most(self) -> bool:
        """Whether it explains more than half of the tests in which the student is wrong in its items."""
        items = frozenset(item for match in self.core.values() for item in match.items)
        caught = self.mistake.caught_by
        relevant = [
            test_id
            for test_id, test in self.tests.items()
            if get_test_name(test_id) in caught or not items.isdisjoint(test.wrong_items)
        ]
        agreeing = [name for name in relevant if name in self.core or self._agrees_in(name)]
        return 2 * len(agreeing) > len(relevant)

    @property
    def is_partial(self) -> bool:
        """Whether it explains most of what is wrong in its own items, with a telling reply."""
        return bool(self.core) and self.is_telling and self.is_most

    def _agrees_in(self, test_id: str) -> bool:
        if get_test_name(test_id) in self.mistake.caught_by:
            return False
        match = self.tests[test_id].match(self.mistake.function, self.mistake.wrong)
        return match is not None and match.is_core


def get_test_name(test_id: str) -> str:
    """Return the name of a test, which mistakes use."""
    return test_id.rpartition("::")[2]


def choose_explanations(explanations: Sequence[Explanation], *, failed: int, is_written: bool) -> Sequence[Explanation]:
    """Choose the mistakes to name.

    One that explains all `failed` tests is named alone; two of them are told apart by the observations of the tests.
    Otherwise each is named that explains most of what is wrong in its own items with a telling reply, unless another
    explains one of the same parts as well. `is_written`: the function passes some test.
    """
    complete = _list_complete(explanations, failed, is_written=is_written)
    if complete:
        sure = complete if len(complete) == 1 else [each for each in complete if each.is_exact]
        return sure if len(sure) == 1 else []
    partial = [each for each in explanations if each.is_partial]
    return [each for each in partial if all(_is_better(each, other) for other in partial if other is not each)]


def is_explained(explanations: Sequence[Explanation], *, failed: int, is_written: bool) -> bool:
    """Whether some known mistake explains the failed tests, even if several do, so that none is named."""
    complete = _list_complete(explanations, failed, is_written=is_written)
    return bool(complete) or any(each.is_partial for each in explanations)


def _list_complete(explanations: Sequence[Explanation], failed: int, *, is_written: bool) -> list[Explanation]:
    whole = [each for each in explanations if each.core and len(each.core) == failed and each.is_whole]
    return [each for each in whole if is_written or each.is_enough]


def _is_better(one: Explanation, other: Explanation) -> bool:
    """Whether `one` may be named beside `other`: they explain different parts, or it explains more."""
    if one.explained.isdisjoint(other.explained) or one.explained > other.explained:
        return True
    ranks = [(each.is_whole, each.is_exact) for each in (one, other)]
    return one.explained == other.explained and ranks[0] > ranks[1]
