"""Answered programs: the replies to the programs of a check so far, and which of them are still worth asking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from autograder.programs.outcome import Outcome
from autograder.programs.program import Program
from autograder.sandbox import limits as limit


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
        return [number for number in range(len(self.programs)) if number not in self.replies]

    def end(self, end: Outcome) -> None:
        """Give this end to the first program without a reply, and to all that are not asked because of it."""
        self.ends.append(end)
        first, *others = self.left
        self._give(first, end)
        is_last = len(self.ends) == limit.ENDING_PROGRAMS
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
