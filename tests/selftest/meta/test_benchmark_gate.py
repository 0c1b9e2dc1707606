"""The gate refuses what is slower than its bound and noise, passes what is not."""

import pytest

from benchmarks.bounds import Bound, State, read_bounds, state_of
from benchmarks.gate import BOUNDS, RATIOS

pytestmark = pytest.mark.once

CEILING = Bound(name="cpu", what="CPU time to plain pytest", at_most=3.0, noise=0.1, last=2.9)  # to 3.3
FLOOR = Bound(name="rate", what="submissions a second", at_least=0.5, noise=0.2, last=0.6)  # from 0.4


def around(middle: float) -> list[float]:
    """Ratios of a busy machine: off by up to 3 percent."""
    return [middle * (1 + off) for off in (-0.03, 0.01, 0.0, 0.03, -0.01)]


@pytest.mark.parametrize(
    ("bound", "ratios", "state"),
    [
        pytest.param(CEILING, around(3.15), State.WITHIN, id="slower-by-less-than-the-noise"),
        pytest.param(CEILING, around(3.3), State.UNCLEAR, id="at-the-limit"),
        pytest.param(CEILING, around(3.45), State.WORSE, id="slower-by-more-than-the-noise"),
        pytest.param(CEILING, [9.0] * 2, State.UNCLEAR, id="two-rounds-are-too-few"),
        pytest.param(CEILING, [9.0] * 3, State.WORSE, id="three-rounds-are-enough"),
        pytest.param(CEILING, [2.9, 3.0, 9.0, 2.8, 3.1, 2.9, 3.0], State.WITHIN, id="one-slow-round"),
        pytest.param(FLOOR, around(0.37), State.WORSE, id="fewer-by-more-than-the-noise"),
    ],
)
def test_a_ratio_is_judged_by_bound_and_noise(bound: Bound, ratios: list[float], state: State) -> None:
    assert state_of(bound, ratios) is state


def test_the_projects_file_is_good() -> None:
    names = [name for names in RATIOS.values() for name in names]
    bounds = read_bounds(BOUNDS, names)
    assert sorted(bound.name for bound in bounds) == sorted(names)
    assert [bound.name for bound in bounds if bound.at_least] == ["class_rate"]
