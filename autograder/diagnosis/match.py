"""Match: compares a mistake's replies with a student's and the right ones to the same requests, part by part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from types import ModuleType
from typing import cast

from autograder.contracts.body import DerivedCheck
from autograder.diagnosis.check_answers import list_answers
from autograder.diagnosis.parts import Item, Part, PartState, Three, has_items, split_value
from autograder.diagnosis.replay import RecordedReply, Replay
from autograder.diagnosis.replies import holds_handle, is_rich
from autograder.mistakes.bank import Reader
from autograder.programs.outcome import Outcome
from autograder.sandbox.protocol import messages
from autograder.student import ReplayStopped, TestCall

_WHOLE = (messages.GET, messages.SET, messages.CALL_RECORDING_WARNINGS)  # an object's state; a value and its warnings


def read_reply(reader: Reader, recorded: RecordedReply) -> object:
    """Return the part of a reply that is compared; of a request about several calls, of each of them."""
    calls, reply = recorded.calls, recorded.reply
    try:
        if calls and isinstance(reply, list) and len(reply) == len(calls):
            return [reader(arguments, each) for arguments, each in zip(calls, reply, strict=True)]
        return reader(recorded.arguments, reply)
    except Exception:  # noqa: BLE001  (a student's reply may be anything; it is then compared unread)
        return recorded.reply


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

    @cached_property
    def read(self) -> list[tuple[object, object]]:
        """Both replies to each request, as they are compared."""
        readers = self.make_reader(), self.make_reader()
        return [
            (read_reply(readers[0], right._replace(reply=theirs)), read_reply(readers[1], right))
            for theirs, right in zip(self.theirs, self.right, strict=False)
        ]

    def split(self, position: int, ours: object) -> Iterator[Part]:
        """Split the replies to the request at a position, with that of a mistake, as they are compared."""
        asked, (theirs, right) = self.right[position], self.read[position]
        values: Three = (theirs, ours, right)
        if asked.kind in _WHOLE:
            yield Part((asked.kind,), (position,), values)
        elif asked.kind == messages.EACH and all(has_items(each, len(asked.calls)) for each in (asked.reply, *values)):
            for case, pattern in enumerate(cast("Sequence[object]", asked.reply)):
                each: Three = (values[0][case], values[1][case], values[2][case])
                yield from split_value((asked.name,), (position, case), each, pattern)
        else:
            yield from split_value((asked.name,), (position,), values, asked.reply)

    @cached_property
    def parts(self) -> list[Part]:
        """The parts of the student's replies, beside the right ones alone."""
        return [part for position, (_, right) in enumerate(self.read) for part in self.split(position, right)]

    @cached_property
    def items(self) -> frozenset[Item]:
        """The items of these parts."""
        return frozenset(each.item for each in self.parts)


@dataclass
class Match:
    """A mistake and the student's function in one failed test, part by part, as the replies of the mistake come.

    `excuses_corners`: a part that is an error or not finite is no evidence against the mistake. `count`: of the replies
    compared. `missed`: the items of which some part is wrong, and not the mistake's. `ends_alike`: with the mistake's
    effects and the student's replies the test fails where it failed for the student. `is_exact`: the observations of
    the test agree too. `is_observed`: the test made such observations.
    """

    answered: Answered
    excuses_corners: bool = True
    parts: list[Part] = field(default_factory=list)
    count: int = 0
    missed: set[Item] = field(default_factory=set)
    ends_alike: bool = False
    is_exact: bool = False
    is_observed: bool = False

    def run(self, replay: AlignedReplay, call: TestCall, stem: str) -> None:
        """Compare a replay of the test whose replies these are, until the mistake cannot be the student's."""
        check = self.answered.check
        if check is None:
            self.ends_alike = replay.fails(call)
            return
        with suppress(RunEnds):
            for ours in islice(list_answers(check, replay, stem), len(self.answered.theirs)):
                self.add(ours)
            self.ends_alike = True

    def add(self, ours: RecordedReply) -> None:
        """Compare the replies to the next request; ends the run where the mistake cannot explain any item."""
        position = self.count
        if position >= len(self.answered.read):
            raise RunEnds
        self.count += 1
        for each in self.answered.split(position, read_reply(self._reader, ours)):
            self.parts.append(each)
            if each.state in (PartState.RIGHT, PartState.SAME):
                continue
            is_excused = self.excuses_corners and each.is_corner
            if each.state is PartState.OTHER and not is_excused:
                raise RunEnds
            self.missed |= set() if is_excused else {each.item}
        if self.missed >= self.answered.items:
            raise RunEnds

    @cached_property
    def _reader(self) -> Reader:
        return self.answered.make_reader()

    @cached_property
    def _same(self) -> list[Part]:
        """The wrong parts that are the mistake's."""
        return [each for each in self.parts if each.state is PartState.SAME]

    @property
    def explained(self) -> frozenset[tuple[object, ...]]:
        """The places of the wrong parts that are the mistake's."""
        return frozenset(each.key for each in self._same)

    @property
    def items(self) -> frozenset[Item]:
        """The items of these parts."""
        return frozenset(each.item for each in self._same)

    @property
    def is_whole(self) -> bool:
        """Whether the mistake gives all the student's replies."""
        return self.ends_alike and all(each.state in (PartState.RIGHT, PartState.SAME) for each in self.parts)

    @property
    def is_core(self) -> bool:
        """Whether the mistake explains what is wrong in its items, apart from corner cases."""
        return self.ends_alike and bool(self._same) and self.missed.isdisjoint(self.items)

    @property
    def is_telling(self) -> bool:
        """Whether some wrong reply is unlikely by chance."""
        return any(each.is_telling for each in self._same)

    @property
    def is_right_in_part(self) -> bool:
        """Whether some call returned a right value that is unlikely by chance, so that the function is written."""
        return any(each.state is PartState.RIGHT and is_rich(each.values[2]) for each in self.parts)


class AlignedReplay(Replay):
    """A replay in which the test gets a student's replies; `record` gets the others to the same requests.

    Without `record`, functions are called only where a reply is an object.
    """

    keeps_cases = True

    def __init__(
        self,
        references: Mapping[str, ModuleType],
        replies: Sequence[object],
        record: Callable[[RecordedReply], object] | None = None,
        *,
        tested: Collection[str] = (),
    ) -> None:
        super().__init__(references, record, tested=tested)
        self._replies = replies
        self._count = 0

    def fails(self, call: TestCall) -> bool:
        """Run the body; return whether the test fails after all of the student's replies."""
        with suppress(RunEnds):
            return not self.run(call) and self._count == len(self._replies)
        return False

    def answer(self, find: Callable[[], RecordedReply]) -> object:
        """Return the student's reply; objects in it are those of this run."""
        if self._count >= len(self._replies):
            raise RunEnds
        theirs, self._count = self._replies[self._count], self._count + 1
        if self._record is None and not holds_handle(theirs):
            return theirs
        found = find()
        if isinstance(theirs, Outcome) and isinstance(found.reply, list):
            errors = [each for each in found.reply if isinstance(each, Outcome)]
            found = found._replace(reply=errors[0]) if errors else found
        if self._record is not None:
            self._record(found)
        if not holds_handle(theirs):
            return theirs
        if not holds_handle(found.reply):
            raise RunEnds
        return found.reply
