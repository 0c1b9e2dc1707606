"""Slopes by differences of the fourth order, exact for what is linear; a failure has a table of the worst entries."""

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed
from autograder.checks.gradient_check import (
    are_linear,
    compute_slopes,
    list_moved,
    measure_error,
    require_slopes,
    round_to_grid,
)
from autograder.checks.tolerances import SLOPES, SLOPES_OF_LINEAR

pytestmark = pytest.mark.once

AT = round_to_grid(np.random.default_rng(0).normal(size=(3, 4)))
SLOPES_THERE = np.array([[2.0, -0.5], [0.0, 1.0]])


def measure(function: Any, at: Any = AT) -> Any:
    """Return the slopes of a function, by entry."""
    return compute_slopes([function(each) for each in list_moved(at)])


def refuse(got: Any, **options: Any) -> CheckFailed:
    """Return the failure of a gradient."""
    with pytest.raises(CheckFailed) as caught:
        require_slopes("g", got, SLOPES_THERE, of="your loss", **options)
    return caught.value


def test_a_polynomial_of_the_fourth_degree_has_its_slopes() -> None:
    np.testing.assert_allclose(measure(lambda x: (x**4).sum()).reshape(AT.shape), 4 * AT**3, rtol=1e-11, atol=1e-11)


def test_a_smooth_loss_has_its_slopes_in_single_precision_too() -> None:
    slopes = measure(lambda x: np.float32(np.log(np.exp(np.float32(x)).sum()))).reshape(AT.shape)
    right = np.exp(AT) / np.exp(AT).sum()
    assert np.abs(slopes - right).max() < SLOPES / 4 * right.max()


def test_an_array_has_slopes_by_entry_and_what_is_linear_is_told() -> None:
    values = [each @ np.arange(8.0).reshape(4, 2) for each in list_moved(AT)]
    assert compute_slopes(values).shape == (12, 3, 2)
    assert are_linear(values)
    assert not are_linear([np.tanh(each) for each in values])


def test_an_integer_array_is_moved_by_a_step() -> None:
    assert [float(each[0]) for each in list_moved(np.array([3]), step=0.25)] == [3.25, 2.75, 3.5, 2.5]


@pytest.mark.parametrize("allowed", [SLOPES, SLOPES_OF_LINEAR])
@pytest.mark.parametrize(("share", "passes"), [(0.99, True), (1.01, False)])
@pytest.mark.parametrize("index", [(0, 0), (0, 1), (1, 0)])
def test_every_entry_is_held_to_a_share_of_the_largest(
    allowed: float, share: float, passes: bool, index: tuple[int, int]
) -> None:
    got = SLOPES_THERE.copy()
    got[index] += share * allowed * 2.0
    with nullcontext() if passes else pytest.raises(CheckFailed):
        require_slopes("g", got, SLOPES_THERE, of="f", allowed=allowed)


def test_the_worst_entries_are_in_a_table() -> None:
    failed = refuse(SLOPES_THERE + np.array([[0.0, 0.001], [0.5, 0.0]]), hint="Look.")
    assert (failed.what, failed.hint) == ("g", "Look.")
    assert failed.expected == "the slopes of your loss"
    assert failed.found == "2 of 4 entries are wrong, the worst at [1, 0]"
    assert list(failed.values) == [
        "expected: 0 at [1, 0], the slope of your loss (numeric)",
        "found:    0.5 at [1, 0] (analytic)",
        "entry            analytic      numeric       off by",
        "[1, 0]                0.5            0          0.5",
        "[0, 1]             -0.499         -0.5        0.001",
    ]


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_infinitely_far_from_any(wrong: float) -> None:
    broken = np.array([[2.0, wrong], [0.0, 1.0]])
    assert measure_error(broken, SLOPES_THERE) == measure_error(SLOPES_THERE, broken) == np.inf


def test_slopes_that_are_all_0_show_nothing() -> None:
    with pytest.raises(CheckFailed) as caught:
        require_slopes("g", np.zeros(2), np.zeros(2), of="your loss")
    assert caught.value.found == "slopes that are all 0: it stays the same when the argument changes"
