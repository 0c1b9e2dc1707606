"""Match: compares a replayed mistake with the student's function in a failed test, part by part.

The requests of a contract's check are answered one by one. The body of a test written by hand gets the student's
replies and so takes the way that it took before, while the mistake and the right function answer the same requests
beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from types import ModuleType
from typing import Any, NamedTuple, cast

from autograder.diagnosis.case_budget import CaseBudget
from autograder.diagnosis.check_answers import ask_check, find_check, list_answers
from autograder.diagnosis.comparison import AlignedRun, Answered, Comparison, RunEnds
from autograder.diagnosis.observed_calls import ObservedCall, Reader, keep_state, observe_calls
from autograder.diagnosis.parts import Item, Part, PartState
from autograder.diagnosis.replay import RecordedReply, Replay
from autograder.diagnosis.replies import holds_handle, is_same_reply
from autograder.grading.transcript import Evidence
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import Student, TestCall

_ENDINGS_OF_FINITE_CODE = {OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN, OutcomeKind.OUT_OF_MEMORY}


@dataclass(frozen=True)
class Match:
    """A mistake and the student's function in one failed test, part by part.

    `ends_alike`: with the mistake's effects and the student's replies the test fails where it failed for the student.
    `is_exact`: the observations of the test agree too. `is_observed`: the test made such observations.
    `excuses_corners`: a part that is an error or not finite is no evidence against the mistake.
    """

    parts: tuple[Part, ...]
    ends_alike: bool
    is_exact: bool
    is_observed: bool
    excuses_corners: bool = True

    @property
    def explained(self) -> frozenset[tuple[object, ...]]:
        """The places of the wrong parts that are the mistake's."""
        return frozenset(each.key for each in self.parts if each.state is PartState.SAME)

    @property
    def items(self) -> frozenset[Item]:
        """The items of these parts."""
        return frozenset(each.item for each in self.parts if each.state is PartState.SAME)

    @property
    def is_whole(self) -> bool:
        """Whether the mistake gives all the student's replies."""
        return self.ends_alike and all(each.state in (PartState.RIGHT, PartState.SAME) for each in self.parts)

    @property
    def is_core(self) -> bool:
        """Whether the mistake explains what is wrong in its items, apart from corner cases."""
        if not self.ends_alike or not self.explained:
            return False
        missed = [each for each in self.parts if each.state is PartState.MISSED and each.item in self.items]
        return not any(each.is_against(excuses_corners=self.excuses_corners) for each in self.parts) and all(
            each.is_corner and self.excuses_corners for each in missed
        )

    @property
    def is_telling(self) -> bool:
        """Whether some wrong reply is unlikely by chance."""
        return any(each.state is PartState.SAME and each.is_telling for each in self.parts)

    @property
    def is_right_in_part(self) -> bool:
        """Whether some call returned a right value that is unlikely by chance, so that the function is written."""
        return any(each.state is PartState.RIGHT and each.is_rich for each in self.parts)


class Call(NamedTuple):
    """The arguments of a call, the student's value and the right one."""

    arguments: tuple[Any, ...]
    theirs: object
    right: object


@dataclass(frozen=True)
class ReplayedTest:
    """A failed test to replay with mistakes; `make_reader` makes the reader of the function's replies, anew each time.

    Readers are made anew because they may keep state from reply to reply. A mistake that was replayed is not replayed
    again. `budget`: of the cases that are compared.
    """

    evidence: Evidence
    references: Mapping[str, ModuleType]
    make_reader: Callable[[], Reader]
    budget: CaseBudget
    _matches: dict[tuple[object, ...], Match | None] = field(default_factory=dict)

    def match_endless(self) -> Match | None:
        """Match a mistake that never ends, without running it: it matches a student's call that timed out."""
        is_late = any(isinstance(each, Outcome) and each.kind is OutcomeKind.TIMED_OUT for each in self._replies)
        return Match((), ends_alike=True, is_exact=True, is_observed=False) if is_late else None

    @property
    def _replies(self) -> tuple[object, ...]:
        return self.evidence.replies or ()

    def match(self, function: str, code: Any, *, needs_whole: bool = False) -> Match | None:
        """Replay the test with `code` in place of the function; None if nothing can be compared, or parts disagree.

        `needs_whole`: only as long as it gives all of the student's replies.
        """
        key = (function, code, needs_whole)
        if key not in self._matches:
            self._matches[key] = self._match(function, code, needs_whole=needs_whole) if self._is_comparable else None
        return self._matches[key]

    def _match(self, function: str, code: Any, *, needs_whole: bool) -> Match:
        test, excuses_corners = self.evidence.test, not self.evidence.test.is_robustness
        observations = () if self._noted_uses else self.evidence.observations
        self.budget.require()
        comparison = Comparison(self._answered, excuses_corners, needs_whole)
        run = AlignedRun(self._replies, comparison.add)
        replay = Replay(self.references, run.answer, tested=test.functions, answers=True)
        replay.replace(test.stem, function, code)
        if self._answered.check is not None:
            ends_alike = comparison.add_all(list_answers(self._answered.check, replay, test.stem))
        else:
            ends_alike = run.run(replay, self.evidence.call) and run.count == len(self._replies)
        self.budget.used += comparison.count
        return Match(
            tuple(comparison.parts),
            ends_alike=ends_alike,
            is_exact=is_same_reply(replay.observations, list(observations)),
            is_observed=any(replay.observations),
            excuses_corners=excuses_corners,
        )

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
            run = AlignedRun(self._replies, lambda *_: None)
            with suppress(RunEnds):
                student = Student(Replay(self.references, run.answer, answers=True))
                check, theirs = ask_check(check, student, stem, self._noted_uses)
                if not any(map(holds_handle, theirs)):
                    right = islice(list_answers(check, Replay(self.references, lambda _: None), stem), len(theirs))
                    return Answered(theirs, list(right), self.make_reader, check)
        return Answered(self._replies, self._right, self.make_reader)

    @cached_property
    def wrong_items(self) -> frozenset[Item]:
        """The items in which the student's function is wrong, apart from errors and numbers that are not finite."""
        parts = self._answered.compare(self._answered.right)
        return frozenset(each.item for each in parts if each.is_wrong and not each.is_corner)

    @cached_property
    def is_telling(self) -> bool:
        """Whether some wrong reply of the student's function is unlikely by chance."""
        answered = self._answered
        own = [right._replace(reply=theirs) for theirs, right in zip(answered.theirs, answered.right, strict=False)]
        return any(each.state is PartState.SAME and each.is_telling for each in answered.compare(own))

    def list_calls(self, function: str) -> Iterator[Call]:
        """List the calls of a function by the test itself that have a value."""
        for right, theirs in zip(self._right, self._replies, strict=False):
            if right.name != function or isinstance(theirs, Outcome):
                continue
            if right.kind == messages.CALL:
                yield Call(right.arguments, theirs, right.reply)
            elif right.calls and right.part is None and isinstance(theirs, list) and len(theirs) == len(right.calls):
                replies = zip(right.calls, theirs, cast("list[object]", right.reply), strict=True)
                yield from (Call(*each) for each in replies)

    def observe_calls(self, function: str) -> list[ObservedCall]:
        """Observe the calls of a function by the test itself, until one of them has no value."""
        return observe_calls(function, list(zip(self._right, self._replies, strict=False)), self.make_reader)

    @cached_property
    def _is_comparable(self) -> bool:
        kinds = {each.kind for each in self._replies if isinstance(each, Outcome)}
        return self.evidence.replies is not None and kinds <= _ENDINGS_OF_FINITE_CODE

    @cached_property
    def _right(self) -> list[RecordedReply]:
        right: list[RecordedReply] = []
        run = AlignedRun(self._replies, lambda _, each: right.append(keep_state(each)))
        if self._is_comparable:
            run.run(Replay(self.references, run.answer, answers=True), self.evidence.call)
        return right


class ReplayedTests:
    """The failed tests of a submission, each made once, so that what was replayed for the visible ones is known."""

    def __init__(self, budget: CaseBudget | None = None) -> None:
        self._budget = budget or CaseBudget()
        self._made: dict[tuple[str, str], ReplayedTest] = {}

    def find(
        self,
        evidence: Evidence,
        references: Mapping[str, ModuleType],
        function: str,
        make_reader: Callable[[str], Reader],
    ) -> ReplayedTest:
        """Return a failed test to replay with mistakes of a function."""
        key = (evidence.test.test_id, function)
        if key not in self._made:
            self._made[key] = ReplayedTest(evidence, references, partial(make_reader, function), self._budget)
        return self._made[key]


def fails_in_corners_alone(
    call: TestCall, references: Mapping[str, ModuleType], stem: str, name: str, code: Any
) -> bool:
    """Whether a mistake fails a test only by replies that are errors or not finite where right ones are."""
    check, right = find_check(call), list[RecordedReply]()
    replaced = Replay(references, lambda _: None).replace(stem, name, code)
    if check is not None:
        right += list_answers(check, Replay(references, lambda _: None), stem)
    else:
        Replay(references, right.append).run(call)
    replies = [each.reply for each in right]
    comparison = Comparison(Answered(replies, right, lambda: lambda _, reply: reply))
    if check is not None:
        comparison.add_all(list_answers(check, replaced, stem))
    else:
        run = AlignedRun(replies, comparison.add)
        run.run(Replay(references, run.answer, answers=True).replace(stem, name, code), call)
    wrong = [each for each in comparison.parts if each.state is PartState.OTHER]
    return bool(wrong) and all(each.is_corner for each in wrong)


def observe_right(
    call: TestCall, references: Mapping[str, ModuleType], function: str, make_reader: Callable[[], Reader]
) -> list[ObservedCall]:
    """Observe the calls of a function in a test that passed, in which all values are right."""
    right: list[RecordedReply] = []
    Replay(references, lambda each: right.append(keep_state(each))).run(call)
    return observe_calls(function, [(each, each.reply) for each in right], make_reader)
