"""Parts: splits the replies to one request into the parts that a student may get right or wrong separately.

A part is one item of a tuple or dict that the right function returns, such as the loss or one gradient, in one case of
a request about several. Its item says which item it is, in all calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Any

import numpy as np

from autograder.diagnosis.replies import is_finite, is_rich, is_same_reply, is_telling
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import Outcome

Item = tuple[object, ...]
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
    state: PartState
    values: Three

    @cached_property
    def is_corner(self) -> bool:
        """Whether the student's or the mistake's is no finite value."""
        theirs, ours, _ = self.values
        return not (is_finite(theirs) and is_finite(ours)) and not _are_refused_otherwise(theirs, ours)

    @cached_property
    def is_telling(self) -> bool:
        """Whether the mistake's is wrong, and unlikely by chance."""
        _, ours, right = self.values
        return self.state in (PartState.SAME, PartState.OTHER) and is_telling(ours, right)

    @cached_property
    def is_rich(self) -> bool:
        """Whether the right one is unlikely by chance."""
        return is_rich(self.values[2])

    @property
    def is_wrong(self) -> bool:
        """Whether the student's part is known to be wrong."""
        return self.state in (PartState.SAME, PartState.MISSED)

    def is_against(self, *, excuses_corners: bool) -> bool:
        """Whether the part shows that the student does not make this mistake."""
        return self.state is PartState.OTHER and not (self.is_corner and excuses_corners)


def split_replies(position: int, kind: str, name: str, values: Three, pattern: object) -> Iterator[Part]:
    """Split the replies to the request at a position; `pattern`: the right reply as it was returned."""
    if kind in _WHOLE:
        yield _make_part((kind,), (position,), values)
    elif kind == messages.EACH and isinstance(pattern, list) and all(_has_items(each, len(pattern)) for each in values):
        for case, right in enumerate(pattern):
            found = (each[case] for each in values)
            yield from _split((name,), (position, case), tuple(found), right)
    else:
        yield from _split((name,), (position,), values, pattern)


def _split(item: Item, key: tuple[object, ...], values: Three, pattern: object) -> Iterator[Part]:
    count = len(pattern) if isinstance(pattern, tuple) else 0
    if isinstance(pattern, dict) and isinstance(values[2], dict):
        for name, right in pattern.items():
            found = tuple(each.get(name) if isinstance(each, dict) else each for each in values)
            yield from _split((*item, name), (*key, name), found, right)  # type: ignore[arg-type]
    elif count and _has_items(values[2], count):
        for index, right in enumerate(pattern):  # type: ignore[arg-type]
            found = tuple(each[index] if _has_items(each, count) else each for each in values)
            yield from _split((*item, index), (*key, index), found, right)  # type: ignore[arg-type]
    else:
        yield _make_part(item, key, values)


def _has_items(value: object, count: int) -> bool:
    is_sequence = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
    return is_sequence and len(value) == count  # type: ignore[arg-type]


def _are_refused_otherwise(one: object, other: object) -> bool:
    """Whether calls of the test's functions were refused to both, for different reasons."""
    is_refused = all(isinstance(each, Outcome) and each.refusal for each in (one, other))
    return is_refused and one.refusal != other.refusal  # type: ignore[attr-defined]


def _make_part(item: Item, key: tuple[object, ...], values: Three) -> Part:
    theirs, ours, right = values
    is_right = is_same_reply(ours, right)
    if is_right:
        state = PartState.RIGHT if is_same_reply(theirs, right) else PartState.MISSED
    else:
        state = PartState.SAME if is_same_reply(theirs, ours) else PartState.OTHER
    return Part(item, key, state, values)
