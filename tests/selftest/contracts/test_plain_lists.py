"""Lists of texts and numbers, and arrays of labels: their cases tell a right function from a wrong one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.contracts import Contract, judge_functions
from tests.selftest.questions.second_course.solution import edit_distance


def count_pairs(labels: np.ndarray, guesses: np.ndarray, C: int) -> np.ndarray:
    counts = np.zeros((C, C))
    np.add.at(counts, (labels, guesses), 1)
    return counts


def count_pairs_once(labels: np.ndarray, guesses: np.ndarray, C: int) -> np.ndarray:
    return np.minimum(count_pairs(labels, guesses, C), 1)


def list_new(tokens: list[str]) -> list[int]:
    return [k for k, token in enumerate(tokens) if token not in tokens[:k]]


def list_all(tokens: list[str]) -> list[int]:
    return list(range(len(tokens)))


def count_differences(source: list[str], target: list[str]) -> int:
    return sum(one != other for one, other in zip(source, target, strict=False)) + abs(len(source) - len(target))


def distance_of_equal_lengths(source: list[str], target: list[str]) -> int:
    return edit_distance(source[: len(target)], target[: len(source)])


def add_up(rows: list[list[int]], k: int) -> int:
    return sum(row[0] + k * len(row) for row in rows)


def add_first_rows(rows: list[list[int]], k: int) -> int:
    return add_up(rows[:1] * len(rows), k)


LABELS = "labels: (N,) < C, guesses: (N,) < C, C: int -> counts"
MISTAKES = [
    (LABELS, count_pairs, count_pairs_once),
    ("tokens: [str] -> places", list_new, list_all),
    ("source: [str], target: [str] -> distance", edit_distance, count_differences),
    ("source: str (N,), target: str (M,) -> distance", edit_distance, distance_of_equal_lengths),
    ("rows: [[int < 5]], k: 1 | 2 -> total", add_up, add_first_rows),
]


@pytest.mark.parametrize(("signature", "right", "wrong"), MISTAKES)
def test_a_wrong_function_of_lists_loses_points(
    signature: str, right: Callable[..., Any], wrong: Callable[..., Any]
) -> None:
    check = Contract(right, signature).derive("everywhere", "a seed")
    assert judge_functions(check, {right.__name__: right}.get) == (1.0, None)
    share, failed = judge_functions(check, {right.__name__: wrong}.get)
    assert (share < 1, failed is not None) == (True, True)


def test_a_list_of_numbers_is_right_as_an_array() -> None:
    check = Contract(list_new, "tokens: [str] -> places").derive("everywhere", "a seed")
    assert judge_functions(check, {"list_new": lambda tokens: np.array(list_new(tokens), dtype=int)}.get)[0] == 1.0


def test_a_text_list_with_a_length_has_the_kinds_of_a_size() -> None:
    check = Contract(edit_distance, "source: str (N,), target: str (M,) -> distance").derive("everywhere", "a seed")
    kinds = {words for case in check.cases for words in case.kinds}
    assert {"where N < M", "where N > M", "where N = 130", "where all items of source differ"} <= kinds
    assert "where source and target are equal" not in kinds  # their lengths are not the same


def test_a_number_of_the_condition_is_changed_in_a_second_call() -> None:
    def crop(x: np.ndarray, pad: int) -> np.ndarray:
        return x[pad:]

    check = Contract(crop, "x: (N,), pad: 1 | 0 | 2 -> y where N >= pad + 1").derive("everywhere", "a seed")
    second = [case for case in check.cases if "in a second call with another pad" in case.kinds]
    assert [case.arguments[1] for case in second] == [0, 2]
    assert all(np.array_equal(case.arguments[0], check.cases[0].arguments[0]) for case in second)
