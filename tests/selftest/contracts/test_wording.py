"""What is wrong is said by the fewest kinds that explain the failing cases."""

from __future__ import annotations

import pytest

from autograder.contracts.wording import describe_failures, find_explanation

KINDS = [(), ("N = 1", "N < D"), ("N = 2", "N < D"), ("N = 5", "N > D"), ("x is 0",), ("x is 1",)]


@pytest.mark.parametrize(
    ("failing", "kinds"),
    [
        ([1], ("N = 1",)),
        ([1, 2], ("N < D",)),
        ([2, 3], ("N = 2", "N = 5")),
        ([1, 2, 4], ("N < D", "x is 0")),
        ([1, 3, 4, 5], ()),  # four kinds say less than a number
        ([0], ()),
        ([0, 1], ()),
    ],
)
def test_the_fewest_kinds_are_found(failing: list[int], kinds: tuple[str, ...]) -> None:
    assert find_explanation(failing, KINDS) == kinds


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({}, ""),
        ({"a": [1]}, "a is wrong N = 1; b and c are right"),
        ({"a": [1], "b": [1], "c": [1]}, "a, b and c are wrong N = 1; right in all other cases"),
        ({"a": [1], "b": [4, 5]}, "a is wrong N = 1; b is wrong x is 0 and x is 1; c is right"),
        ({"a": [0, 1]}, "a is wrong in 2 of 6 cases, such as N = 1; b and c are right"),
        ({"a": [0, 1, 2, 3, 5]}, "a is wrong but x is 0; b and c are right"),
        ({part: [0, 1, 2, 3, 5] for part in "abc"}, "a, b and c are wrong but x is 0"),
        ({"a": [0, 1, 3, 4, 5], "b": [1, 2, 3, 4, 5]}, "a is wrong but N = 2; b is wrong in 5 of 6 cases; c is right"),
        ({"a": range(6), "b": range(6), "c": range(6)}, "a, b and c are wrong"),
    ],
)
def test_parts_that_fail_alike_share_a_sentence(wrong: dict[str, list[int]], text: str) -> None:
    right = [{part: number not in wrong.get(part, ()) for part in "abc"} for number in range(6)]
    assert describe_failures("abc", KINDS, right) == text


def test_a_label_explains_alone_or_not_at_all() -> None:
    kinds = [
        ["where an entry of y is 1"],
        ["where N = 1", "where an entry of y is 1"],
        ["where N = 2"],
        ["where N = 3"],
    ]
    assert find_explanation([0, 1], kinds) == ("where an entry of y is 1",)
    assert find_explanation([0, 1, 2], kinds) == ()
