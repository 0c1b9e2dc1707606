"""Tolerances: the quick test for right work never accepts what the comparison entry by entry refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from autograder.checks.tolerances import DOUBLE, NOISE, SINGLE, Tolerance

pytestmark = pytest.mark.once

TOLERANCES = (DOUBLE, SINGLE, Tolerance(relative=1e-9, floor=0.05, absolute=0.0))
_FLOATS = arrays(np.float64, 3, elements=st.floats(allow_nan=True, allow_infinity=True))
_ERRORS = arrays(np.float64, 3, elements=st.floats(-1e-3, 1e-3))


def holds(tolerance: Tolerance, got: np.ndarray, right: np.ndarray) -> bool:
    """Compare entry by entry, all of which have to be finite."""
    with np.errstate(all="ignore"):
        error = np.abs(got - right)
    return bool(
        np.isfinite(got).all() and np.isfinite(right).all() and (error <= tolerance.compute_allowed(right)).all()
    )


@pytest.mark.parametrize("tolerance", TOLERANCES)
@given(got=_FLOATS, right=_FLOATS)
def test_nothing_else_holds_easily(tolerance: Tolerance, got: np.ndarray, right: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        assert holds(tolerance, got, right) or not tolerance.holds_easily(got, right)


@pytest.mark.parametrize("tolerance", TOLERANCES)
@given(right=arrays(np.float64, 3, elements=st.floats(-10, 10)), errors=_ERRORS)
def test_no_larger_error_holds_easily(tolerance: Tolerance, right: np.ndarray, errors: np.ndarray) -> None:
    assert holds(tolerance, right + errors, right) or not tolerance.holds_easily(right + errors, right)


@pytest.mark.parametrize("right", [np.array([1.0, -2.0]), np.array([[1e300, 1e-300]]), np.zeros(3)])
def test_right_work_holds_easily(right: np.ndarray) -> None:
    assert DOUBLE.holds_easily(right.copy(), right)
    assert DOUBLE.holds_easily(right * (1 + 1e-12), right)


@pytest.mark.parametrize(("entry", "is_right"), [(0.9 * NOISE, True), (-0.9 * NOISE, True), (1.1 * NOISE, False)])
def test_noise_counts_as_zero_beside_zeros_only(entry: float, is_right: bool) -> None:
    zeros, got = np.zeros(3), np.array([0.0, entry, 0.0])
    assert holds(DOUBLE, got, zeros) is is_right
    assert DOUBLE.holds_easily(got, zeros) is is_right
    tiny = np.array([0.0, 0.0, 1e-14])
    assert not holds(DOUBLE, tiny + got, tiny)
    assert not DOUBLE.holds_easily(tiny + got, tiny)
