"""Transcript: keeps what came back from a student's code in one attempt at a hidden test.

Also which of the programs of a check are still worth asking, after some have ended their workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import Program
from autograder.sandbox import limits as limit

_CHARACTER_BYTES = 4  # of a text with one rare character
_SMALL_BYTES = 32  # a number, with its place in a list
_CONTAINER_BYTES = 64


@dataclass
class Transcript:
    """The replies in one attempt, in order: to requests, and to programs.

    `limit_bytes`: what they may take together. `is_probing`: the test has failed, and later calls only explain the
    failure: they are not kept.
    """

    limit_bytes: int = limit.REPLIES_BYTES
    replies: list[Any] = field(default_factory=list)
    is_probing: bool = False
    _bytes: int = 0

    @property
    def is_small(self) -> bool:
        """Whether the replies are few enough to keep when the attempt has ended."""
        return self._bytes <= limit.EVIDENCE_BYTES

    @property
    def is_over_limit(self) -> bool:
        """Whether the replies are more than a check may keep."""
        return self._bytes > self.limit_bytes

    def count(self, reply: object) -> None:
        """Count the bytes of a reply, until the test has failed."""
        if not self.is_probing:
            self._bytes += count_bytes(reply)

    def keep(self, reply: object) -> None:
        """Keep a reply that was counted, until the test has failed."""
        if not self.is_probing:
            self.replies.append(reply)


class AnsweredPrograms:
    """`replies`: by the number of the program. `groups`: of each program, by default one.

    `ends`: of the workers that programs ended.
    """

    def __init__(self, programs: Sequence[Program], groups: Sequence[str] = ()) -> None:
        self.programs = programs
        self.replies: dict[int, list[Any]] = {}
        self.ends: list[Outcome] = []
        self._groups = groups or [""] * len(programs)

    @property
    def left(self) -> list[int]:
        """The numbers of the programs without a reply."""
        numbers = range(len(self.programs))
        return [number for number in numbers if number not in self.replies]

    def end(self, end: Outcome) -> None:
        """Give this end to the first program without a reply, and to all that are not asked because of it.

        Endless code takes its whole time in each worker: what does not end in the first case is asked no more.
        """
        self.ends.append(end)
        first, *others = self.left
        self._give(first, end)
        is_endless = first == 0 and end.kind is OutcomeKind.TIMED_OUT
        is_last = is_endless or len(self.ends) == limit.ENDING_PROGRAMS
        for number in others:
            if is_last or self._groups[number] == self._groups[first]:
                self._give(number, replace(end, is_unasked=True))

    def list_first(self) -> Iterator[list[Any]]:
        """List the replies in the order of the programs, until one has none."""
        for number in range(len(self.programs)):
            if number not in self.replies:
                return
            yield self.replies[number]

    def _give(self, number: int, end: Outcome) -> None:
        self.replies[number] = [end] * len(self.programs[number].returned)


def count_bytes(value: object) -> int:
    """Estimate the bytes of a value, never much too low."""
    if isinstance(value, (list, tuple)):
        return _CONTAINER_BYTES + sum(map(count_bytes, value))
    if isinstance(value, dict):
        values = list(value.values())
        return sum(map(count_bytes, value)) + count_bytes(values)
    if isinstance(value, np.ndarray):
        return _CONTAINER_BYTES + int(value.nbytes)
    if isinstance(value, Outcome):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value.message)
    if isinstance(value, Handle):
        return _CONTAINER_BYTES + count_bytes(value.type_name) + count_bytes(value.attributes)
    if isinstance(value, str):
        return _CONTAINER_BYTES + _CHARACTER_BYTES * len(value)
    if isinstance(value, bytes):
        return _CONTAINER_BYTES + len(value)
    if isinstance(value, int):
        return _SMALL_BYTES + value.bit_length() // 8
    return _SMALL_BYTES
