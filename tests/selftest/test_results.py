"""Points of a share are the same on each Python, whatever rounding does to the sum of shares."""

import pytest

from autograder.results import round_points


@pytest.mark.parametrize("share", [0.9, 0.9 - 2e-16, 0.9 + 2e-16])
def test_half_a_cent_goes_up_whatever_the_rounding_of_the_share(share: float) -> None:
    assert round_points(share * 4.25) == 3.83


def test_nearly_half_a_cent_goes_down() -> None:
    assert round_points(0.8998 * 4.25) == 3.82
