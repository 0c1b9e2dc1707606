"""Bounds: reads the bounds of ratios, and judges measured ratios: within, worse, or not clear yet."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from benchmarks.rounds import Estimate, estimate

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FEWEST_RATIOS = 3  # an interval of fewer ratios is meaningless


class BoundsError(Exception):
    """The file of bounds is invalid; the text says what to fix."""


class State(Enum):
    """The state of a ratio."""

    WITHIN = "within"
    WORSE = "WORSE"
    UNCLEAR = "not clear"


class Bound(BaseModel, frozen=True, extra="forbid", strict=True, allow_inf_nan=False):
    """The bound of a ratio: `at_most` or `at_least`; `noise`: relative excess allowed."""

    name: str
    what: str
    at_most: float | None = Field(None, gt=0)
    at_least: float | None = Field(None, gt=0)
    noise: float = Field(gt=0, lt=1)
    last: float = Field(gt=0)

    @property
    def value(self) -> float:
        """The bound without its noise."""
        return self.at_most or self.at_least or 0.0

    @property
    def limit(self) -> float:
        """The bound including its noise."""
        return self.value * (1 + self.noise if self.at_most else 1 - self.noise)

    def is_beyond(self, ratio: float) -> bool:
        """Tell whether the ratio is worse than the limit."""
        return ratio > self.limit if self.at_most else ratio < self.limit


def state_of(bound: Bound, ratios: Sequence[float]) -> State:
    """Judge a ratio; the verdict is clear if it is the same at both ends of the ratio's interval."""
    if len(ratios) < _FEWEST_RATIOS:
        return State.UNCLEAR
    found = estimate(ratios)
    beyond = {bound.is_beyond(found.low), bound.is_beyond(found.high)}
    return State.UNCLEAR if len(beyond) == 2 else State.WORSE if beyond == {True} else State.WITHIN


def final_state(bound: Bound, ratios: Sequence[float]) -> State:
    """Judge a ratio by its median, when the time is up."""
    return State.WORSE if bound.is_beyond(estimate(ratios).middle) else State.WITHIN


def sentence(bound: Bound, found: Estimate, rounds: int) -> str:
    """Describe a ratio that is worse: its value, bound and noise."""
    side = "most" if bound.at_most else "least"
    return (
        f"{bound.name}: {bound.what} is {found.middle:.2f} ({found.low:.2f} to {found.high:.2f} in {rounds} rounds); "
        f"it may be at {side} {bound.value:g}, with {bound.noise:.0%} of noise {bound.limit:.2f}; last {bound.last:g}"
    )


def read_bounds(path: Path, known: Iterable[str]) -> list[Bound]:
    """Read the bounds of a file, one for each known ratio; BoundsError if the file is invalid."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        bounds = [Bound(name=name, **table) for name, table in tables.items()]
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError) as error:
        raise BoundsError(f"{path.name}: {error}") from error
    for name in set(known) ^ set(tables):
        problem = "is not measured" if name in tables else "is missing"
        raise BoundsError(f"{path.name}: [{name}] {problem}")
    for bound in bounds:
        if (bound.at_most is None) is (bound.at_least is None):
            raise BoundsError(f"{path.name}, {bound.name}: it should have one of at_most and at_least")
    return bounds


def with_last(text: str, name: str, ratio: float) -> str:
    """Replace `last` of one ratio in the text of the file."""
    pattern = rf"(^\[{name}\]\n(?:[^\[].*\n)*?last = )\S+$"
    return re.sub(pattern, lambda found: f"{found[1]}{ratio:.2f}", text, flags=re.MULTILINE)
