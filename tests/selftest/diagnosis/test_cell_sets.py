"""A mistake is named by sets of wrong cells: what is the same, what speaks against it, and what it misses."""

import math
from typing import Any

import numpy as np

from autograder.diagnosis.diagnosis import Wrong, choose, compare
from autograder.diagnosis.replies import WrongCell, is_same_reply


def make_cells(**values: Any) -> Wrong:
    """Make wrong cells: `loss_1=3.5` is the item loss of the reply to program 1."""
    cells = {}
    for name, value in values.items():
        item, _, place = name.partition("_")
        cells["test_a", "", int(place), item] = WrongCell(value, value not in (0.0, None) and isinstance(value, float))
    return cells


def name(theirs: Wrong, *, is_written: bool = True, **known: Wrong) -> list[str]:
    """Name the known mistakes."""
    return list(choose({each: compare(theirs, wrong) for each, wrong in known.items()}, is_written=is_written))


def test_rounding_noise_speaks_against_no_mistake() -> None:
    noise = np.array([3e-17, -2e-16])
    assert is_same_reply(noise, np.zeros(2)) and is_same_reply(noise, -noise)
    assert not is_same_reply(1e8 * noise, np.zeros(2))
    assert not is_same_reply(noise, np.array([3e-17, 1.0]))


def test_of_two_that_explain_the_same_none_is_named() -> None:
    theirs = make_cells(loss_1=3.5)
    assert name(theirs, first=make_cells(loss_1=3.5), second=make_cells(loss_1=3.5)) == []
    exact, guarded = make_cells(loss_1=3.5), make_cells(loss_1=3.5, loss_2=math.nan)
    assert name(theirs, guarded=guarded, exact=exact) == ["exact"]


def test_of_two_for_the_same_parts_the_one_that_explains_more_is_named() -> None:
    theirs = make_cells(loss_1=3.5, grad_1=7.5, more_1=9.5)
    less, more = make_cells(loss_1=3.5), make_cells(loss_1=3.5, grad_1=7.5)
    assert name(theirs, less=less, more=more) == ["more"]
