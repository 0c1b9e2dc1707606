"""Comparison: compares a mistake's replies with a student's and the right ones to the same requests, part by part."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from autograder.contracts.judgement import DerivedCheck
from autograder.diagnosis.observed_calls import Reader, read_reply
from autograder.diagnosis.parts import Part, PartState, split_replies
from autograder.diagnosis.replay import RecordedReply, Replay
from autograder.diagnosis.replies import holds_handle
from autograder.sandbox.protocol.outcome import Outcome
from autograder.student import ReplayStopped, TestCall


class RunEnds(ReplayStopped):
    """Ends a replay: what follows cannot be compared, or would change nothing."""


@dataclass(frozen=True)
class Answered:
    """A student's replies to the requests of a test, and the right ones.

    `make_reader` makes the reader of the function's replies, anew for each run, because it may keep state. `check`: the
    contract's check whose requests they are; None for a body by hand, which has to run again.
    """

    theirs: Sequence[object]
    right: Sequence[RecordedReply]
    make_reader: Callable[[], Reader]
    check: DerivedCheck | None = None

    def compare(self, answers: Iterable[RecordedReply]) -> Sequence[Part]:
        """Compare with other replies to these requests, until one cannot be compared."""
        comparison = Comparison(self)
        comparison.add_all(answers)
        return comparison.parts

    @cached_property
    def read(self) -> list[tuple[object, object]]:
        """Both replies to each request, as they are compared."""
        readers = self.make_reader(), self.make_reader()
        return [
            (read_reply(readers[0], right._replace(reply=theirs)), read_reply(readers[1], right))
            for theirs, right in zip(self.theirs, self.right, strict=False)
        ]


@dataclass
class Comparison:
    """Compares the replies of a mistake, as they come.

    `excuses_corners`: a part that is an error or not finite is no evidence against the mistake. `needs_whole`: the
    mistake has to give all of the student's replies.
    """

    answered: Answered
    excuses_corners: bool = True
    needs_whole: bool = False
    parts: list[Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.count = 0  # of the replies compared
        self._reader = self.answered.make_reader()

    def add_all(self, answers: Iterable[RecordedReply]) -> bool:
        """Compare the replies to all requests; False where one cannot be the student's, which ends it."""
        with suppress(RunEnds):
            for position, ours in enumerate(itertools.islice(answers, len(self.answered.theirs))):
                self.add(position, ours)
            return True
        return False

    def add(self, position: int, ours: RecordedReply) -> None:
        """Compare the replies at a position; ends the run where the mistake cannot be the student's."""
        if position >= len(self.answered.read):
            raise RunEnds
        self.count += 1
        theirs, wanted = self.answered.read[position]
        right, read = self.answered.right[position], read_reply(self._reader, ours)
        for each in split_replies(position, right.kind, right.name, (theirs, read, wanted), right.reply):
            self.parts.append(each)
            is_missed = self.needs_whole and each.state not in (PartState.RIGHT, PartState.SAME)
            if is_missed or each.is_against(excuses_corners=self.excuses_corners):
                raise RunEnds


class AlignedRun:
    """One run of a test's body on the replies of a student; `compare` gets the others to the same requests."""

    def __init__(self, replies: Sequence[object], compare: Callable[[int, RecordedReply], object]) -> None:
        self._replies = replies
        self._compare = compare
        self.count = 0

    def run(self, replay: Replay, call: TestCall) -> bool:
        """Run the body; return whether the test fails, as far as the run came."""
        try:
            return not replay.run(call)
        except RunEnds:
            return False

    def answer(self, ours: RecordedReply) -> object:
        """Return the student's reply; objects in it are those of this run."""
        position = self.count
        if position >= len(self._replies):
            raise RunEnds
        theirs = self._replies[position]
        if isinstance(theirs, Outcome) and isinstance(ours.reply, list):
            errors = [each for each in ours.reply if isinstance(each, Outcome)]
            ours = ours._replace(reply=errors[0]) if errors else ours
        self.count += 1
        self._compare(position, ours)
        if not holds_handle(theirs):
            return theirs
        if not holds_handle(ours.reply):
            raise RunEnds
        return ours.reply
