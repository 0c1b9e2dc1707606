"""Match: compares the replies of a replayed mistake with those of the student's function in a failed test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from autograder.checks import DOUBLE, SINGLE
from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes
from autograder.diagnosis.replay import RecordedReply, Replay
from autograder.grading.evidence import Evidence
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.sandbox.protocol.wire import Handle
from autograder.student import ReplayStopped

Reader = Callable[[tuple[Any, ...], object], object]  # takes arguments and reply; returns the part that is compared

_ENDINGS_OF_FINITE_CODE = {OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN, OutcomeKind.OUT_OF_MEMORY}
_PLAIN = (0, 1, -1, 0.5, 2)  # numbers that a function without a computation returns


@dataclass(frozen=True)
class Match:
    """The mistake's replies equal the student's.

    `is_telling`: some wrong reply is unlikely by chance. `is_exact`: the observations of the test agree too.
    `is_observed`: the test made such observations. `is_right_in_part`: some call returned the right
    value, so the function is written.
    """

    is_telling: bool
    is_exact: bool
    is_observed: bool
    is_right_in_part: bool = False


class _ReplyDiffers(ReplayStopped):
    """A reply is not the student's."""


@dataclass(frozen=True)
class ReplayedTest:
    """A failed test to replay with mistakes; `make_reader` makes the reader of the function's replies, anew each time.

    Readers are made anew because they may keep state from reply to reply.
    """

    evidence: Evidence
    references: Mapping[str, ModuleType]
    make_reader: Callable[[], Reader]

    def match_endless(self) -> Match | None:
        """Match a mistake that never ends, without running it: it matches a student's call that timed out."""
        is_late = any(isinstance(each, Outcome) and each.kind is OutcomeKind.TIMED_OUT for each in self._replies)
        return Match(is_telling=False, is_exact=True, is_observed=False) if is_late else None

    @property
    def _replies(self) -> tuple[object, ...]:
        return self.evidence.replies or ()

    def match(self, function: str, code: Any) -> Match | None:
        """Replay the test with `code` in place of the function; None if a reply differs from the student's."""
        kinds = {each.kind for each in self._replies if isinstance(each, Outcome)}
        if self.evidence.replies is None or not kinds <= _ENDINGS_OF_FINITE_CODE:
            return None
        recorded: list[RecordedReply] = []
        readers = self.make_reader(), self.make_reader()

        def record(each: RecordedReply) -> None:
            recorded.append(each)
            if not self._is_same(len(recorded) - 1, each, readers):
                raise _ReplyDiffers

        replay = Replay(self.references, record, tested=self.evidence.test.functions)
        replay.replace(self.evidence.test.stem, function, code)
        try:
            is_passed = replay.run(self.evidence.call)
        except _ReplyDiffers:
            return None
        if is_passed or len(recorded) < len(self._replies):
            return None
        return Match(
            is_telling=self._is_telling(recorded),
            is_exact=is_same_reply(replay.observations, list(self.evidence.observations)),
            is_observed=any(replay.observations),
            is_right_in_part=self._is_right_in_part(recorded),
        )

    def _is_same(self, position: int, recorded: RecordedReply, readers: tuple[Reader, Reader]) -> bool:
        replies = self._replies
        if position >= len(replies):
            return False
        theirs, ours = map(_read, readers, (RecordedReply(recorded.arguments, replies[position]), recorded))
        return is_same_reply(theirs, ours)

    def _is_telling(self, recorded: Sequence[RecordedReply]) -> bool:
        readers = self.make_reader(), self.make_reader()
        pairs = zip(recorded, self._right, strict=False)
        return any(is_telling(*map(_read, readers, pair)) for pair in pairs)

    def _is_right_in_part(self, recorded: Sequence[RecordedReply]) -> bool:
        readers = self.make_reader(), self.make_reader()
        pairs = [(mine, right) for mine, right in zip(recorded, self._right, strict=False) if right.arguments]
        return any(
            is_same_reply(mine, right) and _is_rich(right)
            for mine, right in (map(_read, readers, pair) for pair in pairs)
        )

    @cached_property
    def _right(self) -> list[RecordedReply]:
        recorded: list[RecordedReply] = []
        Replay(self.references, recorded.append).run(self.evidence.call)
        return recorded


def _read(reader: Reader, recorded: RecordedReply) -> object:
    try:
        return reader(recorded.arguments, recorded.reply)
    except Exception:  # noqa: BLE001  (a student's reply may be anything; it is then compared unread)
        return recorded.reply


def is_same_reply(first: Any, second: Any) -> bool:
    """Whether two replies, values or outcomes, are the same answer.

    Numbers are compared within the tolerances of the checks, NaN equals NaN; lists, tuples and arrays are
    interchangeable, and so are shapes that differ by axes of length 1. Two calls without a value are compared by
    `is_same_ending`.
    """
    if isinstance(first, Outcome) or isinstance(second, Outcome):
        return isinstance(first, Outcome) and isinstance(second, Outcome) and is_same_ending(first, second)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_same_reply(first[key], second[key]) for key in first)
    if _is_compared_by_item(first) and _is_compared_by_item(second):
        return len(first) == len(second) and all(map(is_same_reply, first, second))
    if isinstance(first, Handle) and isinstance(second, Handle):
        return True
    try:
        return _are_close(convert_to_numbers(first), convert_to_numbers(second))
    except NotNumbers:
        return type(first) is type(second) and isinstance(first, (str, bytes, type(None))) and bool(first == second)


def is_telling(wrong: Any, right: Any) -> bool:
    """Whether a wrong reply is unlikely by chance or as a placeholder.

    None, an error, all zeros, and the same entry everywhere are not telling.
    """
    if isinstance(wrong, dict) and isinstance(right, dict) and wrong.keys() == right.keys():
        return any(is_telling(wrong[key], right[key]) for key in wrong)
    if _is_compared_by_item(wrong) and _is_compared_by_item(right) and len(wrong) == len(right):
        return any(map(is_telling, wrong, right))
    return not is_same_reply(wrong, right) and _is_rich(wrong)


def _is_rich(value: Any) -> bool:
    if _is_compared_by_item(value):
        return any(map(_is_rich, value))
    if isinstance(value, dict):
        return any(map(_is_rich, value.values()))
    if isinstance(value, (str, bytes)):
        return bool(value)
    try:
        numbers = convert_to_numbers(value).astype(np.float64)
    except NotNumbers:
        return False
    found = np.unique(numbers[np.isfinite(numbers)])
    return len(found) > 1 or (len(found) == 1 and found[0] not in _PLAIN)


def is_same_ending(first: Outcome, second: Outcome) -> bool:
    """Whether two calls without a value ended alike; exceptions by type, place and the reason of a test's refusal."""
    if first.kind is not OutcomeKind.RAISED:
        return first.kind is second.kind
    ours, theirs = ((each.kind, each.error_type, each.place, each.refusal) for each in (first, second))
    return ours == theirs


def _is_compared_by_item(value: object) -> bool:
    """Whether the value is a sequence whose items have scales of their own, so that each is compared alone."""
    if not isinstance(value, (list, tuple)):
        return False
    return not value or not all(type(item) in (bool, int, float) for item in value)


def _are_close(first: Array, second: Array) -> bool:
    if drop_unit_axes(first.shape) != drop_unit_axes(second.shape):
        return False
    is_single = any(each.dtype in (np.float32, np.float16) for each in (first, second))
    first, second = (each.astype(np.float64).reshape(-1) for each in (first, second))
    finite = np.isfinite(first) & np.isfinite(second)
    if not np.array_equal(first[~finite], second[~finite], equal_nan=True):
        return False
    first, second = first[finite], second[finite]
    if not first.size:
        return True
    allowed = (SINGLE if is_single else DOUBLE).compute_allowed(second)
    with np.errstate(over="ignore"):
        return bool((np.abs(first - second) <= allowed).all())
