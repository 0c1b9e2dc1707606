"""Replayed test: turns a failed test and a known mistake into a match, by a replay of the test with the mistake.

The requests of a contract's check are answered one by one. The body of a test written by hand gets the student's
replies and so takes the way that it took before, while the mistake and the right function answer the same requests
beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import ModuleType
from typing import Any, cast

from autograder.diagnosis.check_answers import find_check, list_answers, record_replies
from autograder.diagnosis.failed_rows import MOST_S, fails_row
from autograder.diagnosis.match import AlignedReplay, Answered, Match
from autograder.diagnosis.parts import Item, PartState
from autograder.diagnosis.replay import RecordedReply, Replay
from autograder.diagnosis.replies import is_same_reply
from autograder.diagnosis.time_limit import limit_time
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Evidence
from autograder.mistakes import Mistake, MistakeBank
from autograder.mistakes.bank import Reader
from autograder.programs.outcome import Outcome, OutcomeKind

_ENDINGS_OF_FINITE_CODE = {OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN, OutcomeKind.OUT_OF_MEMORY}
MOST_CASES = 20_000  # of known mistakes are compared for one submission, so that this ends on any machine alike


class BudgetSpent(Exception):
    """The diagnosis has compared so many cases that it stops; the text says so."""


@dataclass(frozen=True)
class Known:
    """The grader's side of an explanation.

    `references`: the right solutions by question id. `tests`: all tests by id. `failing`: whether known mistakes fail
    tests, as far as it was found; one for all submissions.
    """

    references: Mapping[str, ModuleType]
    bank: MistakeBank
    tests: Mapping[str, RunnableTest]
    failing: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def fails(self, mistake: Mistake, test_id: str) -> bool:
        """Whether a mistake fails a test."""
        key = (test_id, mistake.function, mistake.wrong)
        if key not in self.failing:
            self.failing[key] = fails_row(mistake, self.tests[test_id], self.references)
        return self.failing[key]


@dataclass(frozen=True)
class ReplayedTest:
    """A test that a function failed, to replay with mistakes; one that was replayed is not replayed again."""

    together: ReplayedTests
    evidence: Evidence
    function: str
    _matches: dict[tuple[object, ...], Match | None] = field(default_factory=dict)

    def match(self, mistake: Mistake) -> Match | None:
        """Replay the test with a mistake; None if nothing can be compared, parts disagree, or it does not end."""
        key = (mistake.function, mistake.wrong)
        if key not in self._matches:
            work = partial(self._match, mistake)
            self._matches[key] = limit_time(work, MOST_S, otherwise=None) if self._is_comparable else None
        return self._matches[key]

    def _match(self, mistake: Mistake) -> Match | None:
        self.together.require_left()
        test, excuses_corners = self.evidence.test, not self.evidence.test.is_robustness
        observations = () if self._noted_uses else self.evidence.observations
        match = Match(self._answered, excuses_corners)
        replay = AlignedReplay(self._references, self._replies, match.add, tested=test.functions)
        replay.replace(test.stem, mistake.function, mistake.wrong)
        match.run(replay, self.evidence.call, test.stem)
        self.together.compared += match.count
        match.is_exact = is_same_reply(replay.observations, list(observations))
        match.is_observed = any(replay.observations)
        return match

    @property
    def _references(self) -> Mapping[str, ModuleType]:
        return self.together.known.references

    @property
    def _replies(self) -> tuple[object, ...]:
        return self.evidence.replies or ()

    def _make_reader(self) -> Reader:
        return self.together.known.bank.make_reader(self.evidence.test.stem, self.function)

    @property
    def _noted_uses(self) -> Sequence[Any]:
        """What a contract's check noted of dialogues; a test written by hand may note anything."""
        is_derived = find_check(self.evidence.call) is not None
        return cast("Sequence[Any]", self.evidence.observations[0]) if is_derived and self.evidence.observations else ()

    @cached_property
    def _answered(self) -> Answered:
        """The replies that are compared; those to a contract's check, unless objects of student code are among them."""
        check, stem = find_check(self.evidence.call), self.evidence.test.stem
        if check is not None:
            theirs = record_replies(check, self._replies, self._noted_uses)
            right = self.together.find_right(self.evidence.test.test_id, stem)
            return Answered(theirs, right, self._make_reader, check)
        return Answered(self._replies, self._right, self._make_reader)

    @cached_property
    def wrong_items(self) -> frozenset[Item]:
        """The items in which the student's function is wrong, apart from errors and numbers that are not finite."""
        return frozenset(each.item for each in self._answered.parts if each.is_wrong and not each.is_corner)

    @cached_property
    def _is_comparable(self) -> bool:
        kinds = {each.kind for each in self._replies if isinstance(each, Outcome)}
        if self.evidence.replies is None or not kinds <= _ENDINGS_OF_FINITE_CODE:
            return False
        return not self._replies or not all(map(_is_end, self._replies))  # endless code has no values to compare

    @cached_property
    def _right(self) -> list[RecordedReply]:
        right: list[RecordedReply] = []
        if self._is_comparable:
            AlignedReplay(self._references, self._replies, right.append).fails(self.evidence.call)
        return right


def _is_end(reply: object) -> bool:
    """Tell whether a program ended its worker, or was not asked because of another that did."""
    return isinstance(reply, list) and bool(reply) and isinstance(reply[0], Outcome) and reply[0].ends_worker


class ReplayedTests:
    """The failed tests of a submission, each made once, so that what was replayed for the visible ones is known."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.compared = 0  # cases of known mistakes
        self._made: dict[tuple[str, str], ReplayedTest] = {}
        self._right: dict[str, list[RecordedReply]] = {}

    def find(self, evidence: Evidence, function: str) -> ReplayedTest:
        """Return a failed test to replay with mistakes of a function."""
        key = (evidence.test.test_id, function)
        return self._made.setdefault(key, ReplayedTest(self, evidence, function))

    def require_left(self) -> None:
        """Raise BudgetSpent where no case is left to compare."""
        if self.compared >= MOST_CASES:
            raise BudgetSpent(f"the diagnosis stopped after {MOST_CASES:,} cases of known mistakes")

    def find_right(self, test_id: str, stem: str) -> list[RecordedReply]:
        """Return the right replies to the requests of a test; they are computed once."""
        if test_id not in self._right:
            check = find_check(call := self.known.tests[test_id].call)
            found: list[RecordedReply] = []
            if check is None:
                Replay(self.known.references, found.append).run(call)
            else:
                found += list_answers(check, Replay(self.known.references), stem)
            self._right[test_id] = found
        return self._right[test_id]

    def fails_in_corners_alone(self, mistake: Mistake, test_id: str) -> bool:
        """Whether a mistake fails a test only by replies that are errors or not finite where right ones are."""
        right, check = self.find_right(test_id, mistake.stem), find_check(self.known.tests[test_id].call)
        match = Match(Answered([each.reply for each in right], right, lambda: lambda _, reply: reply, check))
        replay = AlignedReplay(self.known.references, match.answered.theirs, match.add)
        replay.replace(mistake.stem, mistake.function, mistake.wrong)
        run = partial(match.run, replay, self.known.tests[test_id].call, mistake.stem)
        if not limit_time(lambda: run() is None, MOST_S, otherwise=False):
            return False
        wrong = [each for each in match.parts if each.state is PartState.OTHER]
        return bool(wrong) and all(each.is_corner for each in wrong)
