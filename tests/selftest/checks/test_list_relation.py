"""The difference of a wrong list to the right one is described in counts and indices, if it is clear."""

from typing import Any

import pytest

from autograder.checks.relation import list_relations_of_lists

pytestmark = pytest.mark.once


def describe_list_relation(got: Any, right: Any, **options: Any) -> str:
    """Return the clearest sentence."""
    return str(next(iter(list_relations_of_lists(got, right, **options)), ""))


WORDS = ["so", "far", "so", "good"]
ARCS = [("ROOT", "ran"), ("ran", "Kim"), ("ran", "fast"), ("Kim", "old")]


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ([], "it is empty"),
        (WORDS[::-1], "it is in reverse order"),
        (("good", "far", "so", "so"), "it holds the right items in another order"),
        (WORDS[:3], "its end is missing: 1 of 4 items"),
        ([*WORDS, "now", 7], "the right items are followed by 2 too many"),
        (WORDS[1:], "1 is missing; the others are right"),
        (["oh", "well", *WORDS], "2 are too many; the others are right"),
        (["so", "far", "too", "good"], "the first difference is at index 2, counted from 0"),
        (["not", "far", "so", "bad"], ""),
        ("so far", ""),
        (None, ""),
        (["x"] * 1000, ""),
    ],
    ids=str,
)
def test_lists_in_order(got: Any, words: str) -> None:
    assert describe_list_relation(got, WORDS) == words


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ([arc[::-1] for arc in ARCS], "head and dependent are swapped in every pair"),
        ([list(arc[::-1]) for arc in ARCS[:1]] + ARCS[1:], "head and dependent are swapped in 1 of 4 pairs"),
        ([ARCS[2], ARCS[0], ARCS[3]], "1 is missing; the others are right"),
        ([*ARCS[::-1], ("a", "b"), ("b", "a")], "2 are too many; the others are right"),
        ([*ARCS[:2], ("a", "b"), ("c", "d", "e")], "2 of the 4 right items are there, and 2 others"),
        ([("a", "b"), 5], ""),
        ([], "it is empty"),
    ],
    ids=str,
)
def test_pairs_in_any_order(got: Any, words: str) -> None:
    assert describe_list_relation(got, ARCS, parts=("head", "dependent")) == words


def test_nothing_is_said_where_the_right_list_is_empty() -> None:
    assert describe_list_relation(["a"], []) == ""
    assert describe_list_relation([1, 2], {1: 2}) == ""
