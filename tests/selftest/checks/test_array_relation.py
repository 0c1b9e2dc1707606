"""A relation is described, in the right words, if a wrong array follows from the right one, and never otherwise."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.checks import Names
from autograder.checks.array_relation import list_relations
from autograder.checks.relation import Relation

pytestmark = pytest.mark.once

RIGHT = np.random.default_rng(0).normal(size=(4, 3))
SQUARE = np.random.default_rng(1).normal(size=(4, 4))
FLAT = RIGHT.ravel()
VECTOR = np.random.default_rng(2).normal(size=5)
SPARSE = RIGHT * np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [1, 0, 0]])
SHAPES = [(5,), (7,), (3, 3), (4, 3), (1, 6), (2, 5), (2, 3, 4)]


def describe_relation(got: np.ndarray, right: np.ndarray, **options: Any) -> str:
    """Return the clearest sentence that is true of a wrong array."""
    return str(next(iter(list_relations(got, right, **options)), ""))


def with_rows(right: np.ndarray, *rows: int) -> np.ndarray:
    """Return the array with other numbers in these rows."""
    wrong = right.copy()
    wrong[list(rows)] = np.random.default_rng(3).normal(size=wrong[list(rows)].shape)
    return wrong


OF_RIGHT: dict[str, np.ndarray] = {
    "all its entries are 0": 0 * RIGHT,
    "all its entries are the same number": 0 * RIGHT + 0.25,
    "all its rows are the same": np.tile(RIGHT[0], (4, 1)),
    "all its rows are the same, each the sum of the right rows": np.tile(RIGHT.sum(axis=0), (4, 1)),
    "every entry has the wrong sign": -RIGHT,
    "every entry is 2 times the right one": 2 * RIGHT,
    "every entry is 1/2 times the right one": RIGHT / 2,
    "every entry is 4 times the right one, and 4 is the number of rows": 4 * RIGHT,
    "every entry is 1/3 times the right one, and 3 is the number of columns": RIGHT / 3,
    "every entry is the right one times the same factor": 0.3712 * RIGHT,
    "it is the transpose of the right array": RIGHT.T,
    "the rows are in reverse order": RIGHT[::-1],
    "the columns are in reverse order": RIGHT[:, ::-1],
    "the rows are moved down by one": np.roll(RIGHT, 1, axis=0),
    "the rows are moved up by one": np.vstack([RIGHT[1:], 0 * RIGHT[:1]]),
    "the rows are in another order": RIGHT[[1, 0, 3, 2]],
    "the columns are in another order": RIGHT[:, [0, 2, 1]],
    "it holds the right numbers in other places": RIGHT.ravel(order="F").reshape(4, 3),
    "in each row one entry is too large by 1; the others are right": RIGHT + np.eye(3)[[0, 2, 1, 0]],
    "in each row one entry is too small by 1/2; the others are right": RIGHT - np.eye(3)[[0, 2, 1, 0]] / 2,
    "every entry is too large by 1": RIGHT + 1,
    "every entry is the absolute value of the right one": np.abs(RIGHT),
    "every entry is 1 over the right one": 1 / RIGHT,
    "only the first row is wrong": with_rows(RIGHT, 0),
    "only the last row is wrong": with_rows(RIGHT, 3),
    "only the last row is right": with_rows(RIGHT, 0, 1, 2),
    "only row 1 is wrong, counted from 0": with_rows(RIGHT, 1),
    "only rows 1 and 2 are wrong, counted from 0": with_rows(RIGHT, 1, 2),
    "some entries are 0 that should not be; the others are right": SPARSE,
    "each row is the right one times a different factor": RIGHT * SQUARE[:, :1],
    "each column is the right one times a different factor": RIGHT * SQUARE[0, :3],
    "it holds the right numbers in the right order, in another shape": RIGHT.ravel(),
    "it is the sum of the right array over axis 0": RIGHT.sum(axis=0),
    "the last row is missing; the others are right": RIGHT[:3],
    "the last 2 rows are too many; the others are right": np.vstack([RIGHT, SQUARE[:2, :3]]),
    "each of its rows is one of the right array": RIGHT[[2, 0, 2, 3, 3, 1]],
    "the entries that are finite are right": np.where(np.eye(4, 3, dtype=bool), np.nan, RIGHT),
}
PLANTED: list[tuple[np.ndarray, np.ndarray, str]] = [
    *((got, RIGHT, words) for words, got in OF_RIGHT.items()),
    (-3 * VECTOR, VECTOR, "every entry is -3 times the right one"),
    (VECTOR / 5, VECTOR, "every entry is 1/5 times the right one, and 5 is the number of entries"),
    (4 * SQUARE, SQUARE, "every entry is 4 times the right one"),
    (SQUARE.T, SQUARE, "it is the transpose of the right array"),
    (VECTOR[::-1], VECTOR, "the entries are in reverse order"),
    (VECTOR + np.eye(5)[2], VECTOR, "one entry is too large by 1; the others are right"),
    (VECTOR - 0.377, VECTOR, "every entry is too small by one and the same number"),
    (1 - VECTOR, VECTOR, "every entry is 1 minus the right one"),
    (VECTOR**2, VECTOR, "every entry is the square of the right one"),
    (np.log(RIGHT**2), RIGHT**2, "every entry is the logarithm of the right one"),
    (np.abs(RIGHT), RIGHT**2, "every entry is the square root of the right one"),
    (SQUARE + np.diag(VECTOR[:4]), SQUARE, "only the diagonal is wrong"),
    (np.diag(np.diag(SQUARE)), SQUARE, "only the diagonal is right"),
    (with_rows(SQUARE.T, 1).T, SQUARE, "only column 1 is wrong, counted from 0"),
    (SPARSE + (SPARSE == 0) * SQUARE[:, :3], SPARSE, "the entries that should be 0 are not; the others are right"),
    (VECTOR, VECTOR * np.eye(5)[2], "the entries that should be 0 are not; the others are right"),
    (VECTOR * np.eye(5)[2], VECTOR, "some entries are 0 that should not be; the others are right"),
    (RIGHT, RIGHT.sum(axis=0), "its sum over axis 0 is the right array"),
    (RIGHT, RIGHT.mean(axis=1), "its mean over axis 1 is the right array"),
]


@pytest.mark.parametrize(("got", "right", "words"), PLANTED, ids=[f"{n}-{row[2]}" for n, row in enumerate(PLANTED)])
def test_planted_relation_is_named(got: np.ndarray, right: np.ndarray, words: str) -> None:
    assert describe_relation(got, right) == words


class TestNames:
    @pytest.mark.parametrize(
        ("got", "right", "names", "words"),
        [
            (VECTOR * 7, VECTOR, Names(sizes={"the batch": 7}), "7 is the batch: a sum differs"),
            (SQUARE[0], SQUARE[1], Names(also={"the other gradient": SQUARE[0]}), "it equals the other gradient"),
            (RIGHT, VECTOR, Names(also={"the other gradient": RIGHT}), "it equals the other gradient"),
            (VECTOR + FLAT[:5], VECTOR, Names(terms={"b": FLAT[:5]}), "the right array plus b"),
            (RIGHT - SPARSE, RIGHT, Names(terms={"a": 2 * RIGHT, "b": SPARSE}), "it is the right array minus b"),
            (with_rows(RIGHT, 1), RIGHT, Names(rows={"the row of c": [1]}), "everything is right except the row of c"),
            (
                with_rows(FLAT, 0, 1, 11),
                FLAT,
                Names(rows={"W": [0, 1], "b": range(2, 11), "U": [11]}),
                "except W and U",
            ),
            (with_rows(RIGHT, 1, 2), RIGHT, Names(rows={"the row of c": [1]}), "only rows 1 and 2 are wrong"),
        ],
        ids=range(8),
    )
    def test_what_a_test_names_is_called_so(self, got: np.ndarray, right: np.ndarray, names: Names, words: str) -> None:
        assert words in describe_relation(got, right, names=names)

    def test_a_number_equals_a_neighbour_only_to_nine_digits(self) -> None:
        names = Names(also={"x after one step more": 0.8125})
        assert describe_relation(np.array(0.8125), np.array(0.5), names=names) == "it equals x after one step more"
        assert describe_relation(np.array(0.8125 * (1 + 1e-6)), np.array(0.5), names=names) == ""


def test_one_zero_that_is_none_suffices_beside_others() -> None:
    got, right = np.array([-2.5, -3.5]), np.array([0, -3.5])
    relation = Relation("not zero")
    assert relation in list_relations(got, right, is_confirmed=True) and relation not in list_relations(got, right)


class TestNothingIsSaid:
    def test_nothing_is_said_of_an_empty_argument(self) -> None:
        names = Names(also={"x as it was passed in": np.zeros((0, 3))})
        assert not describe_relation(RIGHT + VECTOR[:3], RIGHT, names=names)

    @pytest.mark.parametrize("factor", [2.0, -1.0, 0.5])
    @pytest.mark.parametrize(
        "right",
        [np.array(0.7), np.array([0.7]), np.array([0.7, -0.7]), np.array([[0.7, -0.7]] * 3), np.array([1.0, 2, 3])],
        ids=str,
    )
    def test_of_a_factor_where_few_numbers_show_it(self, right: np.ndarray, factor: float) -> None:
        assert describe_relation(factor * right, right) == ""

    def test_of_empty_and_of_huge_arrays(self) -> None:
        assert describe_relation(np.zeros((0, 3)), RIGHT) == describe_relation(RIGHT, np.zeros((0, 3))) == ""
        assert describe_relation(np.zeros((1000, 1000)), RIGHT) == ""


@given(shape=st.sampled_from(SHAPES), seed=st.integers(0, 10**6), other=st.sampled_from([None, *SHAPES]))
def test_random_arrays_have_no_relation(shape: tuple[int, ...], seed: int, other: tuple[int, ...] | None) -> None:
    rng = np.random.default_rng(seed)
    right, got = rng.normal(size=shape), rng.normal(size=other or shape)
    assert describe_relation(got, right) == ""
    probabilities = [np.exp(each) / np.exp(each).sum(axis=-1, keepdims=True) for each in (got, right)]
    assert describe_relation(*probabilities) == ""


@given(shape=st.sampled_from(SHAPES), seed=st.integers(0, 10**6), size=st.sampled_from([1e-2, 1.0, 1e6]))
def test_noise_has_no_relation(shape: tuple[int, ...], seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    right = rng.normal(size=shape)
    noise = rng.uniform(0.5, 1.5, size=shape) * rng.choice([-1, 1], size=shape)
    assert describe_relation(right + size * noise, right) == ""
    assert describe_relation(right * (1 + size * np.abs(noise)), right) == ""
