"""A mistake is named by sets of wrong cells: what is the same, what speaks against it, and what it misses."""

from __future__ import annotations

import math
from typing import Any

import pytest

from autograder.diagnosis.cell_sets import Wrong, choose, compare
from autograder.diagnosis.cells import WrongCell
from autograder.programs.outcome import Outcome, OutcomeKind

RAISED = Outcome(OutcomeKind.RAISED, error_type="ValueError")
REFUSED = [Outcome(OutcomeKind.RAISED, error_type="ValueError", refusal=why) for why in ("too often", "too late")]


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


def test_a_mistake_with_the_same_wrong_cells_is_named() -> None:
    theirs = make_cells(loss_1=3.5, grad_2=7.5)
    assert name(theirs, same=make_cells(loss_1=3.5 + 1e-12, grad_2=7.5), other=make_cells(loss_1=4.5)) == ["same"]


def test_a_cell_that_is_wrong_in_the_mistake_alone_speaks_against_it() -> None:
    assert name(make_cells(loss_1=3.5), more=make_cells(loss_1=3.5, loss_2=4.5)) == []
    assert name(make_cells(loss_1=3.5, loss_2=9.5), other=make_cells(loss_1=3.5, loss_2=4.5)) == []


@pytest.mark.parametrize("value", [math.nan, math.inf, RAISED], ids=["NaN", "infinity", "an error"])
def test_what_is_not_finite_speaks_against_nothing(value: object) -> None:
    for theirs in (make_cells(loss_1=3.5), make_cells(loss_1=3.5, loss_2=9.5)):
        compared = compare(theirs, make_cells(loss_1=3.5, loss_2=value))
        assert (compared.against, len(compared.excused)) == (frozenset(), 1)
    compared = compare(make_cells(loss_1=3.5, loss_2=value), make_cells(loss_1=3.5, loss_2=4.5))
    assert (compared.against, len(compared.excused)) == (frozenset(), 1)
    assert name(make_cells(loss_1=3.5), guarded=make_cells(loss_1=3.5, loss_2=value)) == ["guarded"]


def test_a_refusal_for_another_reason_speaks_against_a_mistake() -> None:
    often, late = (make_cells(loss_1=each) for each in REFUSED)
    assert len(compare(often, often).same) == len(compare(often, late).against) == 1


def test_of_two_that_explain_the_same_none_is_named() -> None:
    theirs = make_cells(loss_1=3.5)
    assert name(theirs, first=make_cells(loss_1=3.5), second=make_cells(loss_1=3.5)) == []
    exact, guarded = make_cells(loss_1=3.5), make_cells(loss_1=3.5, loss_2=math.nan)
    assert name(theirs, guarded=guarded, exact=exact) == ["exact"]


def test_one_that_explains_everything_is_named_alone() -> None:
    theirs = make_cells(loss_1=3.5, grad_1=7.5)
    of_parts = {"loss": make_cells(loss_1=3.5), "grad": make_cells(grad_1=7.5)}
    assert name(theirs, **of_parts) == ["loss", "grad"]
    assert name(theirs, **of_parts, both=make_cells(loss_1=3.5, grad_1=7.5)) == ["both"]


def test_one_that_misses_something_is_named_for_whole_parts_alone() -> None:
    known = make_cells(loss_1=3.5, loss_2=4.5)
    assert name(make_cells(loss_1=3.5, loss_2=4.5, grad_1=9.5), loss=known) == ["loss"]
    assert name(make_cells(loss_1=3.5, loss_2=4.5, loss_3=9.5), loss=known) == []
    assert name(make_cells(loss_1=3.5, loss_2=4.5, loss_3=math.nan), loss=known) == ["loss"]


def test_of_two_for_the_same_parts_the_one_that_explains_more_is_named() -> None:
    theirs = make_cells(loss_1=3.5, grad_1=7.5, more_1=9.5)
    less, more = make_cells(loss_1=3.5), make_cells(loss_1=3.5, grad_1=7.5)
    assert name(theirs, less=less, more=more) == ["more"]


def test_values_that_a_placeholder_has_name_nothing_that_is_not_all() -> None:
    zeros = make_cells(loss_1=0.0, loss_2=0.0)
    assert name(zeros, zeros=zeros) == ["zeros"]
    assert name(zeros, is_written=False, zeros=zeros) == []
    assert name({**zeros, **make_cells(grad_1=7.5)}, zeros=zeros) == []
