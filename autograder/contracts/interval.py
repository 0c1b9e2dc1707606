"""Interval: records which numbers an argument may be, and chooses ordinary and special ones among them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_MODERATE = 16  # a sum of this many products of two drawn numbers needs no care in an exponential
_SPAN = 20  # integers of an array that has no bound at one end
_WHOLE = (2, 0, 1, 3, 4, 5, 6, 7, 9, 129)  # from the lower end on
_REALS = (0.7, -1.3, 1.9, 0.0, 1.0, 12.5)
_SHARES = (0.6, 0.25, 0.5, 0.0, 1.0, 0.99)  # of the way between two ends
_ABOVE = (0.1, 0.5, 0.01, 1.0, 2.5, 0.0)  # the only lower end
_BELOW = (0.5, 3.0, 1.2, 0.0)  # the only upper end


class Interval(NamedTuple):
    """The numbers between two ends, None where there is none; an open end does not belong to it."""

    low: float | None = None
    high: float | None = None
    is_low_open: bool = False
    is_high_open: bool = False

    @property
    def is_all(self) -> bool:
        """Whether every number belongs to it."""
        return self.low is None and self.high is None

    def contains(self, low: float, high: float) -> bool:
        """Return whether all numbers from `low` to `high` belong to it."""
        if self.low is not None and low < self.low:
            return False
        if self.high is not None and high > self.high:
            return False
        has_low = self.is_low_open and low == self.low
        has_high = self.is_high_open and high == self.high
        return not has_low and not has_high

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[Any]:
        """Draw an array of ordinary numbers, which are not near an end."""
        if self.is_all:
            # The longer the array, the smaller they are, so that sums along it stay as moderate as others.
            share = _MODERATE / max(shape, default=1)
            scale = np.sqrt(min(1.0, share))
            return np.asarray(rng.normal(size=shape) * scale)
        low, high = self._find_middle()
        return np.asarray(rng.uniform(low, high, size=shape))

    def _find_middle(self) -> tuple[float, float]:
        low = self.low
        high = self.high
        if low is not None and high is not None:
            margin = 0.05 * (high - low)
            return low + margin, high - margin
        if low is not None:
            return low + 0.2, low + 2.0
        high = high or 0.0
        return high - 2.0, high - 0.2

    def list_integers(self) -> list[int]:
        """List integers that are worth a case, the ordinary one first; some may lie above the interval."""
        if self.low is None:
            return [2, 1, 3, 0, -1]
        low = int(np.floor(self.low)) + self.is_low_open
        return [low + number for number in _WHOLE]

    def find_integers(self) -> tuple[int, int]:
        """Find the integers that are drawn for arrays: from the first, below the second."""
        low = self.low
        high = self.high
        if low is None:
            low = -_SPAN / 2 if high is None else high - _SPAN
        if high is None:
            high = low + _SPAN
        near = range(math.floor(low), math.ceil(high) + 1)
        inside = [number for number in near if self.contains(number, number)]
        return inside[0], inside[-1] + 1

    def list_reals(self, default: Any) -> list[float]:
        """List reals that are worth a case, the ordinary one first; some may be an open end, or beyond the other one.

        `default`: of the argument, or None. What is not bounded lies in [0, 1] or above 0 if the default does.
        """
        low = self.low
        high = self.high
        has_positive_default = default is not None and default > 0
        if self.is_all and has_positive_default and default < 1:
            return [0.6, 0.25]
        if low is not None and high is not None:
            return [low + share * (high - low) for share in _SHARES]
        if low is not None or has_positive_default:
            return [(low or 0.0) + number for number in _ABOVE]
        if high is not None:
            return [high - number for number in _BELOW]
        return list(_REALS)


ALL = Interval()
