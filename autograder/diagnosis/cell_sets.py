"""Cell sets: chooses the known mistakes to name, from the sets of wrong cells alone, and says why.

A mistake is possible if some of its wrong cells are the student's, and none speaks against it: wrong in the mistake,
and not so in the student's code. It is named if it misses nothing that is wrong and no other explains as much. One that
misses something is named if what it explains is whole parts, with a value that is unlikely by chance. A value that is
not finite, or an error, speaks against no mistake: students guard such cases, or fail there in another way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from autograder.diagnosis.cells import Cell, WrongCell
from autograder.diagnosis.replies import is_corner, is_same_reply
from autograder.plain_text import count

Wrong = Mapping[Cell, WrongCell]
"""Wrong cells of several tests: the id of the test comes first."""

_RIGHT = WrongCell(0.0, False)  # stands for what is not wrong: a right value is finite


class Compared(NamedTuple):
    """The wrong cells of a mistake next to those of a student's function, by cell.

    `same`: wrong in both, and equal. `against`: wrong in the mistake, and not so in the student's. `excused`: the same
    where a value is not finite or an error. `missed`: wrong in the student's alone.
    """

    same: Set[Cell]
    against: Set[Cell]
    excused: Set[Cell]
    missed: Set[Cell]
    theirs: Wrong

    @property
    def is_possible(self) -> bool:
        """Whether the student may make the mistake."""
        return bool(self.same) and not self.against

    @property
    def is_complete(self) -> bool:
        """Whether it explains all that is wrong."""
        return not self.missed and not self.excused

    @property
    def is_telling(self) -> bool:
        """Whether a value that it explains is unlikely by chance or as a placeholder."""
        return any(self.theirs[cell].is_telling for cell in self.same)

    @property
    def has_whole_parts(self) -> bool:
        """Whether it explains all finite values that are wrong in the parts of which it explains any."""
        parts = set(map(_get_part, self.same))
        for cell in self.missed:
            is_guarded = is_corner(self.theirs[cell].value, _RIGHT.value)
            if _get_part(cell) in parts and not is_guarded:
                return False
        return True

    def is_better(self, other: Compared) -> bool:
        """Whether it may be named together with another one: both explain other cells, or it explains more."""
        if self.same == other.same:
            return len(self.excused) < len(other.excused)
        is_more = self.same > other.same
        return is_more or self.same.isdisjoint(other.same)


def _get_part(cell: Cell) -> Cell:
    """Return which item of a reply a cell is, in all replies."""
    _, name, _, *way = cell
    return (name, *way)


def compare(theirs: Wrong, known: Wrong) -> Compared:
    """Compare the wrong cells of a student's function and of a mistake, of which both were asked."""
    same: set[Cell] = set()
    against: set[Cell] = set()
    excused: set[Cell] = set()
    for cell, wrong in known.items():
        found = theirs.get(cell, _RIGHT)
        if cell in theirs and is_same_reply(found.value, wrong.value):
            same.add(cell)
        elif is_corner(found.value, wrong.value):
            excused.add(cell)
        else:
            against.add(cell)
    missed = theirs.keys() - known.keys()
    return Compared(same, against, excused, missed, theirs)


def choose(compared: Mapping[str, Compared], *, is_written: bool) -> Sequence[str]:
    """Choose the mistakes to name, by their ids; `is_written`: the function does more than return placeholders."""
    complete, partial = [], {}
    for name, each in compared.items():
        if not each.is_possible:
            continue
        if each.is_complete and (is_written or each.is_telling):
            complete.append(name)
        if each.is_telling and each.has_whole_parts:
            partial[name] = each
    if complete:
        return complete if len(complete) == 1 else []
    chosen = []
    for name, each in partial.items():
        others = [other for other in partial.values() if other is not each]
        if all(map(each.is_better, others)):
            chosen.append(name)
    return chosen


def write_account(compared: Mapping[str, Compared], named: Sequence[str]) -> Iterator[str]:
    """Write a line for each mistake that is named, and one for the nearest other one."""
    for name in named:
        each = compared[name]
        total = count(len(each.theirs), "wrong value")
        elsewhere = "differs elsewhere only in errors and numbers that are not finite"
        rest = elsewhere if each.excused else "no other wrong value"
        yield f"{name} gives {len(each.same)} of {total}, and {rest}"
    others = {name: each for name, each in compared.items() if name not in named and each.same}
    if others:
        nearest = min(others, key=lambda name: (len(others[name].against), -len(others[name].same)))
        yield f"not {nearest}: {_explain_other(others[nearest])}"


def _explain_other(other: Compared) -> str:
    same = f"{count(len(other.same), 'value')} the same"
    if other.against:
        return f"{same}, but it has another wrong value in {_list_cells(other.against)}"
    unexplained = other.missed | other.excused
    if unexplained:
        return f"{same}, but it does not explain {_list_cells(unexplained)}"
    return f"{same}, and another mistake gives them too"


def _list_cells(cells: Collection[Cell]) -> str:
    """Name the first cell and say how many more there are."""
    test_id, _, place, *way = min(cells, key=repr)
    _, _, row = test_id.partition("::")
    number = place[0] if isinstance(place, tuple) else place
    shown = f"{row}, program {number + 1}" if isinstance(number, int) else row
    if way:
        shown += f", item {way[-1] + 1 if isinstance(way[-1], int) else way[-1]}"
    more = len(cells) - 1
    return f"{shown}, and {more} more" if more else shown
