"""Failed function: chooses the known mistakes that are named in the failed tests of one function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from autograder.assignment import find_owner
from autograder.diagnosis.match import Match
from autograder.diagnosis.replayed_test import Known, ReplayedTest, ReplayedTests
from autograder.mistakes import Mistake
from autograder.results import CheckResult, Verdict

_LOST = (Verdict.FAILED, Verdict.PARTIAL)


@dataclass(frozen=True)
class Explanation:
    """A mistake, and by the ids of the tests that fail because of it, its matches in `core`; and all failed tests.

    `is_excused`: it fails tests that the student's function passes, in corner cases alone.
    """

    mistake: Mistake
    core: Mapping[str, Match]
    tests: Mapping[str, ReplayedTest]
    known: Known
    is_excused: bool = False

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
    def is_partial(self) -> bool:
        """Whether it explains most of what is wrong in its own items, with a telling reply."""
        return bool(self.core) and self.is_telling and self._is_most

    @property
    def _is_most(self) -> bool:
        """Whether it explains more than half of the tests in which the student is wrong in its items."""
        items = frozenset(item for match in self.core.values() for item in match.items)
        relevant = [
            test_id
            for test_id, test in self.tests.items()
            if self.known.fails(self.mistake, test_id) or not items.isdisjoint(test.wrong_items)
        ]
        agreeing = [test_id for test_id in relevant if test_id in self.core or self._agrees_in(test_id)]
        return 2 * len(agreeing) > len(relevant)

    def _agrees_in(self, test_id: str) -> bool:
        match = None if self.known.fails(self.mistake, test_id) else self.tests[test_id].match(self.mistake)
        return match is not None and match.is_core

    def is_better(self, other: Explanation) -> bool:
        """Whether it may be named beside the other one: they explain different parts, or it explains more."""
        if self.explained.isdisjoint(other.explained) or self.explained > other.explained:
            return True
        ranks = [(each.is_whole, each.is_exact) for each in (self, other)]
        return self.explained == other.explained and ranks[0] > ranks[1]


def choose_explanations(explanations: Sequence[Explanation], *, failed: int, is_written: bool) -> Sequence[Explanation]:
    """Choose the mistakes to name; none of several that explain the same alike.

    One that explains all `failed` tests is named alone; two of them are told apart by the observations of the tests.
    Otherwise each is named that explains most of what is wrong in its own items with a telling reply, unless another
    explains one of the same parts as well. `is_written`: the function passes some test.
    """
    whole = [each for each in explanations if each.core and len(each.core) == failed and each.is_whole]
    complete = [each for each in whole if is_written or each.is_enough]
    if complete:
        sure = complete if len(complete) == 1 else [each for each in complete if each.is_exact]
        return sure if len(sure) == 1 else []
    partial = [each for each in explanations if each.is_partial]
    return [each for each in partial if all(each.is_better(other) for other in partial if other is not each)]


@dataclass(frozen=True)
class FailedFunction:
    """A function, the results of its tests, and the failed ones to replay, by their ids.

    Tests of robustness are explained by themselves: what they show is no evidence for other tests. `passed`: the tests
    that may rule a mistake out; `others`: the failed ones that may, too.
    """

    stem: str
    function: str
    checks: Sequence[CheckResult]
    tests: Mapping[str, ReplayedTest]
    passed: Sequence[str]
    others: Mapping[str, ReplayedTest]
    together: ReplayedTests

    @property
    def known(self) -> Known:
        """The grader's side."""
        return self.together.known

    def find_mistakes(self) -> Mapping[str, Sequence[Mistake]]:
        """Find the mistakes that explain the failed tests; returns them by the id of each test explained.

        BudgetSpent where too many cases would be compared.
        """
        failed = sum(check.was_run for check in self.checks if is_lost(check))
        explanations = [each for each in self._replay_mistakes() if not each.core or self._fits(each.mistake)]
        chosen = choose_explanations(explanations, failed=failed, is_written=bool(self.passed))
        return {name: [each.mistake for each in chosen if name in each.core] for name in self.tests}

    def _replay_mistakes(self) -> Iterator[Explanation]:
        owners = (self.function, find_owner(self.function))
        for mistake in self.known.bank.load(self.stem):
            if mistake.function not in owners:
                continue
            explanation = self._replay(mistake, self.tests)
            against = [test_id for test_id in self.passed if explanation.core and self.known.fails(mistake, test_id)]
            if not against:
                yield explanation
            elif explanation.is_telling and all(map(partial(self.together.fails_in_corners_alone, mistake), against)):
                yield replace(explanation, is_excused=True)

    def _fits(self, mistake: Mistake) -> bool:
        """Whether a mistake explains most of the other failed tests that it fails."""
        failed = [test_id for test_id in self.others if self.known.fails(mistake, test_id)]
        return not failed or 2 * len(self._replay(mistake, self.others).core) > len(failed)

    def _replay(self, mistake: Mistake, tests: Mapping[str, ReplayedTest]) -> Explanation:
        core = {}
        for test_id, test in tests.items():
            match = test.match(mistake)
            if match is not None and (match.is_core or match.is_whole) and self.known.fails(mistake, test_id):
                core[test_id] = match
        return Explanation(mistake, core, tests, self.known)


def is_lost(check: CheckResult) -> bool:
    """Whether the function lost points in the test."""
    return check.verdict in _LOST
