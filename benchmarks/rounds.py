"""Rounds: runs rivals in turns, and turns their costs into ratios with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import numpy as np

_RESAMPLES = 2000
_SEED = 20260911
_TAIL = 2.5  # percent on either side
T = TypeVar("T")


@dataclass(frozen=True)
class Estimate:
    """A median and its 95 % interval."""

    middle: float
    low: float
    high: float


def in_rounds(rivals: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """Measure each rival in each round; every other round runs backwards.

    So other load affects all rivals, and none always follows the same rival. A first round, for caches, does not count.
    """
    taken: dict[str, list[T]] = {name: [] for name in rivals}
    order = list(rivals)
    for number in range(1 + rounds):
        for name in order if number % 2 else reversed(order):
            cost = rivals[name]()
            if number:
                taken[name].append(cost)
    return taken


def ratios(values: Sequence[float], base: Sequence[float]) -> list[float]:
    """Compute the ratio of each round."""
    return [value / other for value, other in zip(values, base, strict=True)]


def estimate(values: Sequence[float]) -> Estimate:
    """Compute the median and its interval by resampling; the same values give the same interval."""
    generator = np.random.default_rng(_SEED)
    drawn = generator.choice(np.asarray(values), size=(_RESAMPLES, len(values)))  # (resamples, rounds)
    low, high = np.percentile(np.median(drawn, axis=1), [_TAIL, 100 - _TAIL])
    return Estimate(median(values), float(low), float(high))
