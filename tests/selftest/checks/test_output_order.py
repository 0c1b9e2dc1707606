"""Output order: a right value is found at another's place, and a wrong one nowhere."""

from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed, find_places, require_order, take_parts

pytestmark = pytest.mark.once

LOSS, GRAD, BIAS = 2.5, np.array([[1.0, -2.0, 0.5]]), np.array([3.0, 0.25, -1.0])
RIGHT = {"loss": LOSS, "grad": GRAD, "bias": BIAS}
NOISE = np.array([9.0, 8.0, 7.0])


@pytest.mark.parametrize(
    ("got", "places"),
    [
        ((LOSS, GRAD, BIAS), [0, 1, 2]),
        ((LOSS, BIAS, GRAD), [0, 2, 1]),
        ((BIAS, LOSS, GRAD), [1, 2, 0]),
        ([GRAD.astype(np.float32), np.array([LOSS]), BIAS.tolist()], [1, 0, 2]),
        ((GRAD, NOISE, NOISE), [0, 0, 2]),  # the gradient is right somewhere, the others nowhere
        ((LOSS, NOISE, GRAD), [0, 2, 2]),
        ((LOSS, LOSS, BIAS), [0, 1, 2]),
        ((BIAS, BIAS, BIAS), [0, 1, 2]),  # right at its own place
        ((NOISE, -GRAD, None), [0, 1, 2]),
        ((np.full(3, np.nan), "text", {}), [0, 1, 2]),
    ],
    ids=str,
)
def test_a_right_value_is_found_at_another_place(got: Any, places: list[int]) -> None:
    assert find_places("step", got, RIGHT) == dict(zip(RIGHT, places, strict=True))
    taken = take_parts("step", got, RIGHT)
    assert list(taken) == list(RIGHT)
    assert all(value is got[place] for value, place in zip(taken.values(), places, strict=True))


def test_lists_and_dicts_of_arrays_are_values_too() -> None:
    right = {"weights": [GRAD, BIAS], "params": {"W": GRAD, "b": BIAS}}
    weights, params = right.values()
    assert find_places("gradients", (params, weights), right) == {"weights": 1, "params": 0}
    assert find_places("gradients", ({**params, "W": -GRAD}, [GRAD]), right) == {"weights": 0, "params": 1}


@pytest.mark.parametrize("got", [(LOSS, GRAD), None, 3.0])
@pytest.mark.parametrize("check", [take_parts, find_places, require_order])
def test_a_missing_value_fails(check: Any, got: Any) -> None:
    with pytest.raises(CheckFailed, match=r"expected 3 values \(loss, grad, bias\)"):
        check("step", got, RIGHT)


@pytest.mark.parametrize(
    ("got", "found"),
    [
        ((LOSS, BIAS, GRAD), "loss, bias, grad"),
        ((NOISE, LOSS, BIAS), "another value, loss, bias"),
        ((NOISE, NOISE, NOISE), "no value is right, so their order cannot be judged"),
    ],
    ids=str,
)
def test_another_order_fails_and_so_do_values_without_one(got: Any, found: str) -> None:
    with pytest.raises(CheckFailed) as caught:
        require_order("step", got, RIGHT)
    failed = caught.value
    assert (failed.what, failed.expected) == ("the order of the values", "loss, grad, bias")
    assert failed.values == (f"found: {found}",)
    assert bool(failed.hint) == (found[0] != "n")
