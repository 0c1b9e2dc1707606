"""What is wrong is said by the fewest kinds that explain the failing cases."""

import pytest

from autograder.checks.wording import END, describe_failures

KINDS = [(), ("N = 1", "N < D"), ("N = 2", "N < D"), ("N = 5", "N > D"), ("x is 0",), ("x is 1",)]


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({}, ""),
        ({"a": [1]}, "a is wrong N = 1; b and c are right"),
        ({"a": [1], "b": [1], "c": [1]}, "a, b and c are wrong N = 1; right in the other cases tried"),
        ({"a": [1], "b": [4, 5]}, "a is wrong N = 1; b is wrong x is 0 and x is 1; c is right"),
        ({"a": [1, 2]}, "a is wrong N < D; b and c are right"),
        ({"a": [2, 3]}, "a is wrong in 2 of 6 cases, such as N = 2; b and c are right"),  # N = 5, or N > D,
        ({"a": [1, 2, 4]}, "a is wrong N < D and x is 0; b and c are right"),
        ({"a": [1, 3, 4, 5]}, "a is wrong in 4 of 6 cases; b and c are right"),  # four kinds say less than a number
        ({"a": [0]}, "a is wrong in 1 of 6 cases; b and c are right"),
        ({"a": [0, 1]}, "a is wrong in 2 of 6 cases; b and c are right"),  # the first case has no kind, and fails too
        ({"a": [0, 1, 2, 3, 5]}, "a is wrong in all cases tried except x is 0; b and c are right"),
        ({part: [0, 1, 2, 3, 5] for part in "abc"}, "a, b and c are wrong in all cases tried except x is 0"),
        (
            {"a": [0, 1, 3, 4, 5], "b": [1, 2, 3, 4, 5]},
            "a is wrong in all cases tried except N = 2; b is wrong in 5 of 6 cases; c is right",
        ),
        ({"a": range(6), "b": range(6), "c": range(6)}, "a, b and c are wrong"),
    ],
)
def test_parts_that_fail_alike_share_a_sentence(wrong: dict[str, list[int]], text: str) -> None:
    right = [{part: number not in wrong.get(part, ()) for part in "abc"} for number in range(6)]
    assert describe_failures("abc", KINDS, right) == text


def tell(kinds: list[list[str]], failing: set[int]) -> str:
    """Say where a fails."""
    return describe_failures("ab", kinds, [{"a": k not in failing, "b": True} for k in range(len(kinds))])


def test_a_kind_is_the_place_only_where_nothing_else_is_as_special_of_its_cases() -> None:
    kinds = [["N = 1"], ["N = 2"], ["x is 0", "N = 3"], ["N = 2", "x is 1"]]
    assert tell(kinds, {3}) == "a is wrong x is 1; b is right"
    assert tell(kinds, {2}) == "a is wrong in 1 of 4 cases, such as x is 0; b is right"
    assert tell([*kinds, ["N = 3"]], {2}) == "a is wrong x is 0; b is right"


@pytest.mark.parametrize(
    ("ended", "wrong", "text"),
    [
        ({1}, {}, "f raised E N = 1; right in the other cases tried"),
        ({1}, {4}, "f raised E N = 1; a is wrong x is 0; b and c are right"),
        ({*range(6)}, {}, "f raised E"),
        ({0, 1, 2}, {3, 4, 5}, "f raised E in 3 of 6 cases; a is wrong; b and c are right"),
        ({2}, {1}, "f raised E N = 2; a is wrong N = 1; b and c are right"),
        ({1}, {0, 3, 4, 5}, "f raised E N = 1; a is wrong in all cases tried except N = 2; b and c are right"),
    ],
)
def test_calls_without_a_value_are_told_apart(ended: set[int], wrong: set[int], text: str) -> None:
    right: list[dict[str, bool]] = []
    for number in range(6):
        looked = {part: part != "a" or number not in wrong for part in "abc"}
        right.append({END: False} if number in ended else {END: True, **looked})
    assert describe_failures((END, *"abc"), KINDS, right, end="f raised E") == text


def test_a_kind_of_calls_without_a_value_is_no_place_of_a_wrong_one() -> None:
    right = [{END: False}, {END: True, "a": False}, {END: True, "a": True}]
    text = describe_failures((END, "a"), [["N > C"], ["N > C"], ["N = C"]], right, end="f raised E")
    assert text == "f raised E in 1 of 3 cases; a is wrong in 1 of 2 cases"


def test_an_example_is_a_kind_of_failing_cases_alone_and_of_most_of_them() -> None:
    single = [["N = 1", f"x is {k}"] for k in range(5)]
    rest = [["N = 1"]] * 5 + [["N = 2"]] * 5
    told = "a is wrong in 5 of 15 cases, such as {}; b is right"
    assert tell([*single, *rest], set(range(5))) == told.format("x is 0")
    often = [*single[:3], ["N = 1", "x is 3", "y is 0"], ["N = 1", "x is 4", "y is 0"]]
    assert tell([*often, *rest], set(range(5))) == told.format("y is 0")


def test_a_part_is_neither_right_nor_wrong_where_it_is_not_looked_at() -> None:
    kinds = [[], ["N = 1"], ["N = 2"], ["x is huge"]]
    right = [{"a": number == 1, "b": True} for number in range(3)] + [{"b": True}]
    assert describe_failures("ab", kinds, right) == "a is wrong in all cases tried except N = 1; b is right"
    right[1]["a"] = False
    assert describe_failures("ab", kinds, right) == "a is wrong; b is right"
    assert describe_failures("ab", kinds, [{**each, "b": False} for each in right]) == "a and b are wrong"
