"""Account: turns compared mistakes into lines for staff: why one was named, and why the nearest other was not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from autograder.diagnosis.cell_sets import Compared
from autograder.diagnosis.cells import Cell
from autograder.plain_text import count


def write_account(compared: Mapping[str, Compared], named: Sequence[str]) -> Iterator[str]:
    """Write a line for each mistake that is named, and one for the nearest other one."""
    for name in named:
        each = compared[name]
        total = count(len(each.theirs), "wrong value")
        elsewhere = "elsewhere it differs by errors and numbers that are not finite alone"
        rest = elsewhere if each.excused else "it is wrong nowhere else"
        yield f"{name}: {len(each.same)} of {total} are its own, and {rest}"
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
