"""Functions take by position what they take by keyword alone, by the names of the right solution."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from autograder.sandbox.calls.by_position import ByName, find_by_name, take_by_position


def right(x: int, *, rate: int, shift: int = 3) -> tuple[int, int, int]:
    """Return the arguments."""
    return x, rate, shift


def ordered_otherwise(x: int, *, shift: int = 3, rate: int) -> tuple[int, int, int]:
    return x, rate, shift


def by_position(x: int, rate: int, shift: int = 3) -> tuple[int, int, int]:
    return x, rate, shift


def takes_all(*arguments: int, rate: int = 2) -> tuple[Any, ...]:
    return (*arguments, rate)


@pytest.mark.parametrize("function", [right, ordered_otherwise, by_position, lambda x, **others: (x, *others.values())])
def test_each_style_gets_its_arguments_by_the_names_of_the_right_solution(function: Any) -> None:
    call = take_by_position(function, find_by_name(right))
    assert call(1, 2, 5) == (1, 2, 5)
    assert call(1, rate=2, shift=4) == (1, 2, 4)
    if function.__name__ != "<lambda>":
        assert call(1, 2) == (1, 2, 3)


def test_a_function_without_them_is_itself() -> None:
    assert take_by_position(by_position) is by_position
    assert [find_by_name(each).names for each in (by_position, takes_all, int, len, None)] == [()] * 5


def test_it_is_done_once() -> None:
    call = take_by_position(right)
    assert find_by_name(call) == find_by_name(right) == ByName(1, ("rate", "shift"))
    assert take_by_position(call) is take_by_position(call, find_by_name(right)) is call


def test_its_signature_is_by_position() -> None:
    assert str(inspect.signature(take_by_position(right))).startswith("(x: 'int', rate: 'int', shift: 'int' = 3)")
    assert str(inspect.signature(take_by_position(ordered_otherwise))).startswith(
        "(x: 'int', shift: 'int', rate: 'int')"
    )
