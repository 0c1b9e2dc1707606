"""Law: what holds of many calls of a random function with one generator, however it draws.

A claim is about the mean of numbers between 0 and 1 that are independent in right work. Hoeffding's inequality bounds
how far a right mean is from the expected one: beyond a distance t with probability at most 2 exp(-2 n t^2), for n
numbers. The claims of a row share `ERROR`, the probability that right work fails one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.talk import Draws
from autograder.sandbox.host.callbacks import CallbackSource, read_callback_source

ERROR = 1e-9  # that right work fails any claim of a row: one in a thousand million submissions


@dataclass(frozen=True)
class Law:
    """Calls in turn with one generator, and claims about the values that they return.

    `arguments`: those of each call, or a function of a generator that returns them. `calls`: how many. `claims`: a
    function of the values and the arguments; by the words of a claim, independent numbers from 0 to 1 in right work,
    and their expectation. Of its module it may use only `np`. `is_basic`: where it does not hold, nothing else counts.
    """

    arguments: Any
    calls: int
    claims: Callable[[Sequence[Any], Sequence[Any]], Mapping[str, tuple[Any, float]]]
    is_basic: bool = False


class LawRun(NamedTuple):
    """The calls of a law as data, and the source of its claims."""

    request: Draws
    source: CallbackSource
    is_basic: bool = False

    def list_claims(self, values: Any) -> dict[str, tuple[Any, float]]:
        """List the claims about returned values; none where they are of another form."""
        arguments = [each for k, each in enumerate(self.request.arguments) if k != self.request.generator]
        try:
            with np.errstate(all="ignore"):
                return dict(self.source.make()(values, arguments))
        except Exception:  # noqa: BLE001  (a value of another form may cause anything)
            return {}


class BrokenClaim(NamedTuple):
    """A claim that does not hold; `mean`: the one that was found, the expected one, and how far it may be off."""

    words: str
    mean: tuple[float, float, float] | None


def make_run(law: Law, function: str, arguments: Sequence[Any], generator: int) -> LawRun:
    """Make the data of a law; `arguments`: with the generator at its place."""
    request = Draws(function, tuple(arguments), generator, law.calls)
    return LawRun(request, read_callback_source(law.claims), law.is_basic)


def compute_tolerance(count: int, error: float) -> float:
    """Compute how far the mean of independent numbers from 0 to 1 may be off, but for this probability."""
    return math.sqrt(math.log(2 / error) / (2 * max(count, 1)))


def list_broken(claims: Mapping[str, tuple[Any, float]], error: float) -> Iterator[BrokenClaim]:
    """List the claims that do not hold; `error`: for each of them, that right work breaks it."""
    for words, (numbers, expected) in claims.items():
        found = np.asarray(numbers, dtype=np.float64).ravel()
        if not found.size:
            raise ValueError(f"the claim on {words} is about no number")
        mean, tolerance = float(found.mean()), compute_tolerance(found.size, error)
        if not (abs(mean - expected) <= tolerance and found.min() >= 0 and found.max() <= 1):
            yield BrokenClaim(words, (mean, expected, tolerance))
