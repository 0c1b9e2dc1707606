"""Tolerances: define how far a right answer may be from the float64 reference, and why; all comparisons use them.

A value `g` is accepted for the reference value `G` if `|g - G| <= relative * (|G| + floor * max|G|) + absolute`. The
term with `floor` is for entries that are tiny by cancellation: float64 has no exact digits there. Where float32 work is
right there is an `absolute` term. Where all entries of `G` are 0, rounding noise is right: an entry up to NOISE.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Tolerance:
    """`|g - G| <= relative * (|G| + floor * max|G|) + absolute`, entry by entry."""

    relative: float
    floor: float
    absolute: float

    def compute_allowed(self, right: NDArray[Any]) -> NDArray[Any]:
        """Compute how far each entry may be from the entry of `right`, which is not empty."""
        sizes = np.abs(right)
        largest = sizes.max()
        relative = self.relative * (sizes + self.floor * largest)
        return np.asarray(relative + self._allow_always(largest))

    def holds_easily(self, got: object, right: NDArray[Any]) -> bool:
        """Whether `got` is a float64 array, and each entry as near as the nearest has to be: quick for right work."""
        if type(got) is not np.ndarray or got.dtype != np.float64:
            return False
        if got.shape != right.shape or not right.size:
            return False
        with np.errstate(all="ignore"):
            error = np.abs(got - right).max()
            largest = np.abs(right).max()
            allowed = self.relative * self.floor * largest + self._allow_always(largest)
        return bool(error <= allowed < np.inf)  # False for NaN

    def _allow_always(self, largest: float) -> float:
        return self.absolute if largest else max(self.absolute, NOISE)


# A difference that is 0, such as y_hat - y where both are 1, has an error of 1e-16 for each of its terms in another
# order of operations; a few hundred terms of about 10 make 1e-12 at most.
NOISE = 1e-12
"""The largest entry that counts as 0 where the right value is 0 in all entries."""


# Two right float64 implementations (loops, einsum, another order of summation) differ by at most 1e-12 of the largest
# entry here; a wrong sign, scale or missing term by at least 1e-3. A gradient by central differences still fits.
DOUBLE = Tolerance(relative=3e-5, floor=0.05, absolute=0.0)
"""The tolerance of `close` for float64 answers."""

# float32 keeps 24 bits: a sum of a few hundred products loses up to two of its seven digits.
SINGLE = Tolerance(relative=2e-4, floor=0.0, absolute=2e-5)
"""The tolerance of `close` where answers are float32, and with `single`."""

# A loss: relative to its size, absolute below 1, where cancellation inside a log sets the error.
LOSS_RELATIVE = 3e-5


# Float32 losses have an error of 6e-8, and 24 times that in a difference over 1/16. Cases are chosen where right work
# needs a quarter of this; an error of 0.1 % shows in every entry above 0.14 of the largest.
SLOPES = 1e-4
"""The largest error of a gradient compared with the slopes of a loss, as a share of the largest slope."""

# What is linear is exact on the grid, but for a factor such as 1 / 0.6; kept slopes are exact.
SLOPES_OF_LINEAR = 1e-5
"""The same for slopes of what is linear in its argument, and for slopes that are kept."""


def choose_tolerance(values: NDArray[Any], *, single: bool, rtol: float | None = None) -> Tolerance:
    """Choose the tolerance of `close` by the values that are compared; `single`: the inputs were float32.

    `rtol` replaces the relative tolerance.
    """
    tolerance = SINGLE if single or values.dtype in (np.float32, np.float16) else DOUBLE
    return tolerance if rtol is None else replace(tolerance, relative=rtol)
