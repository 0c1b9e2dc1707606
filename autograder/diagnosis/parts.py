"""Parts: compares the items of a reply: the student's, a mistake's, and the right one.

A part is one item of a tuple or dict that the right function returns, such as the loss or one gradient, in one case of
a request about several. Its item says which item it is, in all calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Any

from autograder.checks.values import is_sequence
from autograder.diagnosis.replies import is_finite, is_same_reply, is_telling
from autograder.programs.outcome import Outcome

Item = tuple[object, ...]  # the way to a part of a value
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


def split_value(item: Item, key: tuple[object, ...], values: Three, pattern: Any) -> Iterator[Part]:
    """Split three values into parts; `pattern`: the right one as it was returned."""
    if isinstance(pattern, dict) and isinstance(values[2], dict):
        found = {name: [each.get(name) if isinstance(each, dict) else each for each in values] for name in pattern}
    elif isinstance(pattern, tuple) and pattern and has_items(values[2], count := len(pattern)):
        found = {k: [each[k] if has_items(each, count) else each for each in values] for k in range(count)}
    else:
        yield Part(item, key, values)
        return
    for name, (theirs, ours, right) in found.items():
        yield from split_value((*item, name), (*key, name), (theirs, ours, right), pattern[name])


def has_items(value: object, count: int) -> bool:
    """Whether a value is a sequence of so many items."""
    return is_sequence(value) and len(value) == count
