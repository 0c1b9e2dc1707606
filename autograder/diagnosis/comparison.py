"""Comparison: compares a mistake's replies with a student's and the right ones to the same requests, part by part.

A part is one item of a tuple or dict that the right function returns, such as the loss or one gradient, in one case of
a request about several. Its item says which item it is, in all calls.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from itertools import islice
from types import ModuleType
from typing import Any

from autograder.checks.values import is_sequence
from autograder.contracts.body import DerivedCheck
from autograder.contracts.object_check import ObjectCheck
from autograder.diagnosis.check_answers import list_answers
from autograder.diagnosis.observed_calls import Item, ObservedCall, observe_calls, observe_objects, read_reply
from autograder.diagnosis.replay import RecordedReply, Replay
from autograder.diagnosis.replies import holds_handle, is_finite, is_same_reply, is_telling
from autograder.mistakes.bank import Reader
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome
from autograder.student import ReplayStopped, TestCall

_WHOLE = (messages.GET, messages.SET, messages.CALL_RECORDING_WARNINGS)  # an object's state; a value and its warnings
Three = tuple[Any, Any, Any]  # the student's, the mistake's and the right value


class PartState(Enum):
    """How a part of the student's compares with a mistake's and with the right one."""

    RIGHT = auto()  # all three are the same
    SAME = auto()  # the student's is the mistake's, and wrong
    MISSED = auto()  # the student's is wrong, the mistake's right
    OTHER = auto()  # the mistake's is wrong, the student's is not that


@dataclass(frozen=True)
class Part:
    """One part of one reply; `key`: its place in the test.

    What needs a look at all of its numbers is found when it is asked for: most mistakes end with their first parts.
    """

    item: Item
    key: tuple[object, ...]
    values: Three

    @cached_property
    def state(self) -> PartState:
        """How the three values compare."""
        theirs, ours, right = self.values
        if is_same_reply(ours, right):
            return PartState.RIGHT if is_same_reply(theirs, right) else PartState.MISSED
        return PartState.SAME if is_same_reply(theirs, ours) else PartState.OTHER

    @cached_property
    def is_corner(self) -> bool:
        """Whether the student's or the mistake's is no finite value."""
        theirs, ours, _ = self.values
        if isinstance(theirs, Outcome) and isinstance(ours, Outcome) and theirs.refusal and ours.refusal:
            return theirs.refusal == ours.refusal  # two reasons why a test refuses a call are two errors
        return not (is_finite(theirs) and is_finite(ours))

    @cached_property
    def is_telling(self) -> bool:
        """Whether the mistake's is wrong, and unlikely by chance."""
        return is_telling(*self.values[1:])

    @property
    def is_wrong(self) -> bool:
        """Whether the student's part is known to be wrong."""
        return self.state in (PartState.SAME, PartState.MISSED)

    def is_against(self, *, excuses_corners: bool) -> bool:
        """Whether the part shows that the student does not make this mistake."""
        return self.state is PartState.OTHER and not (self.is_corner and excuses_corners)

    def is_missed(self, *, excuses_corners: bool) -> bool:
        """Whether the part shows that the mistake does not explain its item."""
        return self.state is PartState.MISSED and not (self.is_corner and excuses_corners)


def split_replies(position: int, kind: str, name: str, values: Three, pattern: object) -> Iterator[Part]:
    """Split the replies to the request at a position; `pattern`: the right reply as it was returned."""
    if kind in _WHOLE:
        yield Part((kind,), (position,), values)
    elif kind == messages.EACH and isinstance(pattern, list) and all(_has_items(each, len(pattern)) for each in values):
        for case, right in enumerate(pattern):
            theirs, ours, wanted = (each[case] for each in values)
            yield from _split((name,), (position, case), (theirs, ours, wanted), right)
    else:
        yield from _split((name,), (position,), values, pattern)


def _split(item: Item, key: tuple[object, ...], values: Three, pattern: Any) -> Iterator[Part]:
    if isinstance(pattern, dict) and isinstance(values[2], dict):
        found = {name: [each.get(name) if isinstance(each, dict) else each for each in values] for name in pattern}
    elif isinstance(pattern, tuple) and pattern and _has_items(values[2], count := len(pattern)):
        found = {k: [each[k] if _has_items(each, count) else each for each in values] for k in range(count)}
    else:
        yield Part(item, key, values)
        return
    for name, (theirs, ours, right) in found.items():
        yield from _split((*item, name), (*key, name), (theirs, ours, right), pattern[name])


def _has_items(value: object, count: int) -> bool:
    return is_sequence(value) and len(value) == count


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

    def observe(self, function: str, reference: ModuleType) -> list[ObservedCall]:
        """Observe the calls of a function, a method or a constructor."""
        pairs = list(zip(self.right, self.theirs, strict=False))
        if not isinstance(self.check, ObjectCheck):
            return observe_calls(function, pairs, self.make_reader)
        replies = [(right.reply, theirs) for right, theirs in pairs]
        return observe_objects(function, getattr(reference, self.check.owner), self.check.requests, replies)

    @cached_property
    def items(self) -> frozenset[Item]:
        """All items that parts may have."""
        found: set[Item] = {(right.name,) for right in self.right if right.kind == messages.EACH}
        for position, (right, (_, wanted)) in enumerate(zip(self.right, self.read, strict=False)):
            parts = split_replies(position, right.kind, right.name, (wanted, wanted, wanted), right.reply)
            found |= {each.item for each in parts}
        return frozenset(found)


@dataclass
class Comparison:
    """Compares the replies of a mistake, as they come.

    `excuses_corners`: a part that is an error or not finite is no evidence against the mistake. `needs_whole`: the
    mistake has to give all of the student's replies. `seeks`: it ends where the mistake cannot explain any item.
    `count`: of the replies compared.
    """

    answered: Answered
    excuses_corners: bool = True
    needs_whole: bool = False
    seeks: bool = False
    parts: list[Part] = field(default_factory=list)
    count: int = 0
    _missed: set[Item] = field(default_factory=set)

    def run(self, replay: AlignedReplay, call: TestCall, stem: str) -> bool:
        """Compare a replay of the test whose replies these are; return whether it fails where the student's does."""
        check = self.answered.check
        return replay.fails(call) if check is None else self.add_all(list_answers(check, replay, stem))

    def add_all(self, answers: Iterable[RecordedReply]) -> bool:
        """Compare the replies to all requests; False where one cannot be the student's, which ends it."""
        with suppress(RunEnds):
            for position, ours in enumerate(islice(answers, len(self.answered.theirs))):
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
            self._missed |= {each.item} if each.is_missed(excuses_corners=self.excuses_corners) else set()
        if self.seeks and self._missed >= self.answered.items:
            raise RunEnds

    @cached_property
    def _reader(self) -> Reader:
        return self.answered.make_reader()


class AlignedReplay(Replay):
    """A replay in which the test gets a student's replies; `compare` gets the others to the same requests.

    Without `compare`, functions are called only where a reply is an object.
    """

    keeps_cases = True

    def __init__(
        self,
        references: Mapping[str, ModuleType],
        replies: Sequence[object],
        compare: Callable[[int, RecordedReply], object] | None = None,
        *,
        tested: Collection[str] = (),
    ) -> None:
        super().__init__(references, tested=tested)
        self._replies = replies
        self._compare = compare
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
        if self._compare is None and not holds_handle(theirs):
            return theirs
        found = find()
        if isinstance(theirs, Outcome) and isinstance(found.reply, list):
            errors = [each for each in found.reply if isinstance(each, Outcome)]
            found = found._replace(reply=errors[0]) if errors else found
        if self._compare is not None:
            self._compare(self._count - 1, found)
        if not holds_handle(theirs):
            return theirs
        if not holds_handle(found.reply):
            raise RunEnds
        return found.reply
