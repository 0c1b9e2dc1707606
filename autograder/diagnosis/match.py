"""Sitting: puts a known mistake into a test that a student's function failed, and compares reply by reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

from autograder.diagnosis.likeness import are_alike, is_telling
from autograder.diagnosis.replay import Heard, Rehearsal
from autograder.grading.evidence import Evidence
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import Enough

Reader = Callable[[tuple[Any, ...], object], object]  # takes arguments and reply; the part of the reply that counts


_OF_CODE_THAT_ENDS = {OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN, OutcomeKind.OUT_OF_MEMORY}


@dataclass(frozen=True)
class Match:
    """The mistake's replies are the student's.

    `is_telling`: a wrong reply among them is one that nobody gives by chance. `is_exact`: the types of errors and all
    that the test observed besides agree too. `is_observed`: there was something to observe.
    """

    is_telling: bool
    is_exact: bool
    is_observed: bool


class _Differs(Enough):
    """A reply is not the student's."""


@dataclass(frozen=True)
class Sitting:
    """A failed test, and how replies of its function are read; each rehearsal has a reader of its own."""

    evidence: Evidence
    references: Mapping[str, ModuleType]
    make_reader: Callable[[], Reader]

    def match_endless(self) -> Match | None:
        """How a mistake that runs for ever does in the test."""
        is_late = any(isinstance(each, Outcome) and each.kind is OutcomeKind.TIMED_OUT for each in self._replies)
        return Match(is_telling=False, is_exact=True, is_observed=False) if is_late else None

    @property
    def _replies(self) -> tuple[object, ...]:
        return self.evidence.replies or ()

    def match(self, function: str, code: Any) -> Match | None:
        """How `code` in the place of the function does in the test, where it replies as the student's; else None."""
        kinds = {each.kind for each in self._replies if isinstance(each, Outcome)}
        if self.evidence.replies is None or not kinds <= _OF_CODE_THAT_ENDS:
            return None
        heard: list[Heard] = []
        readers = self.make_reader(), self.make_reader()

        def hear(each: Heard) -> None:
            heard.append(each)
            if not self._is_alike(len(heard) - 1, each, readers):
                raise _Differs

        rehearsal = Rehearsal(self.references, hear).replace(self.evidence.test.stem, function, code)
        try:
            is_passed = rehearsal.passes(self.evidence.call)
        except _Differs:
            return None
        if is_passed or len(heard) < len(self._replies):
            return None
        return Match(
            is_telling=self._is_telling(heard),
            is_exact=self._is_exact(heard, rehearsal.observations),
            is_observed=any(rehearsal.observations),
        )

    def _is_alike(self, position: int, heard: Heard, readers: tuple[Reader, Reader]) -> bool:
        replies = self._replies
        if position >= len(replies):
            return False
        theirs, ours = map(_read, readers, (Heard(heard.arguments, replies[position]), heard))
        return are_alike(theirs, ours)

    def _is_telling(self, heard: Sequence[Heard]) -> bool:
        readers = self.make_reader(), self.make_reader()
        pairs = zip(heard, self._right, strict=False)
        return any(is_telling(*map(_read, readers, pair)) for pair in pairs)

    @cached_property
    def _right(self) -> list[Heard]:
        heard: list[Heard] = []
        Rehearsal(self.references, heard.append).passes(self.evidence.call)
        return heard

    def _is_exact(self, heard: Sequence[Heard], observations: Sequence[object]) -> bool:
        endings = [
            (mine.error_type, theirs.error_type)
            for mine, theirs in zip((each.reply for each in heard), self._replies, strict=True)
            if isinstance(mine, Outcome) and isinstance(theirs, Outcome)
        ]
        is_seen_alike = are_alike(list(observations), list(self.evidence.observations))
        return is_seen_alike and all(mine == theirs for mine, theirs in endings)


def _read(reader: Reader, heard: Heard) -> object:
    try:
        return reader(heard.arguments, heard.reply)
    except Exception:  # noqa: BLE001  (a reply of the student's may be anything; it is then compared as it is)
        return heard.reply
