"""Toy calls: answers calls of the functions and objects that a check gives, with what their source makes here.

Run in the worker beside student code, so trusted by nobody. Calls of what somebody watches are written down, with their
arguments and their answers, and the grader repeats them; the others are counted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.calls.values import Values
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.messages import ToyCall
from autograder.sandbox.protocol.toy_source import make_from_source
from autograder.sandbox.protocol.wire import Export, Toy, WireError


class ToyCalls:
    """The calls of one check's toys; `most`, `most_of_one`: how many it has, of all and of each of them.

    `copies`: arguments and answers are what would cross to the grader and back. Else they are the objects themselves,
    which is faster, and good enough where only a pass counts.
    """

    def __init__(self, values: Values, most: int, most_of_one: int = limit.CALLBACKS, *, copies: bool = False) -> None:
        self.written: list[ToyCall] = []
        self.unwatched: Counter[int] = Counter()  # calls that were not written down, by the number of the export
        self._values = values
        self._most, self._most_of_one = most, most_of_one
        self._copies = copies
        self._made: dict[int, Any] = {}
        self._count = 0
        self._count_of_one: Counter[int] = Counter()

    def has_room(self, number: int) -> bool:
        """Whether an export may be called once more."""
        return self._count < self._most and self._count_of_one[number] < self._most_of_one

    def call(self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Return the answer to a call; any exception where the grader has to answer, in its own words."""
        toy = self._values.toys[export.id]
        self._count += 1
        self._count_of_one[export.id] += 1
        is_watched = bool(keywords) or len(arguments) != toy.unwatched.get(method, -1)
        given = b""
        if is_watched or (self._copies and arguments):  # before the call, which may change them
            given = self._values.pack((arguments, keywords), snapshot=export.snapshot)
        if self._copies:
            with np.errstate(all="ignore"):  # as in the grader
                answer = self._run(toy, method, *(self._copy(given) if given else ((), {})))
        else:
            answer = self._run(toy, method, arguments, keywords)
        payload = encode(answer) if is_watched or self._copies else b""
        if is_watched:
            self.written.append((export.id, method, given, payload))
        else:
            self.unwatched[export.id] += 1
        return decode(payload, allow_handles=False, allow_exports=False) if self._copies else answer

    def take(self) -> tuple[list[tuple[int, int]], list[ToyCall]]:
        """Return what the grader has to be told: calls by the number of their export, and those written down."""
        told = (list(self.unwatched.items()), self.written)
        self.unwatched, self.written = Counter(), []
        return told

    def _run(self, toy: Toy, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        made = self._make(toy)
        return _make_plain((getattr(made, method) if method else made)(*arguments, **keywords))

    def _make(self, toy: Toy) -> Any:
        made = self._made.get(toy.export.id)
        if made is None:
            made = self._made[toy.export.id] = make_from_source(toy.definition, toy.expression)
        return made

    def _copy(self, given: bytes) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments and keywords that cross; a toy among the arguments is the one that is called here."""
        if len(given) > limit.CALLBACK_BYTES:
            raise WireError("arguments too large for the grader's function")
        arguments, keywords = decode(given, allow_handles=False, allow_exports=True)
        toys = self._values.toys
        return [self._make(toys[each.id]) if type(each) is Export else each for each in arguments], keywords


def _make_plain(answer: Any) -> Any:
    """Return an answer as it would cross: with Python's numbers in place of numpy's."""
    if isinstance(answer, np.generic):
        return answer.item()
    return type(answer)([_make_plain(item) for item in answer]) if type(answer) in (list, tuple) else answer
