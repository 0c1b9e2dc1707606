"""Bounds: reads the bounds of ratios, and judges measured ratios: within, worse, or not clear yet."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True)
class Bound:
    """The bound of a ratio; `is_ceiling`: an upper bound, else a lower one; `noise`: relative excess allowed."""

    name: str
    what: str
    value: float
    is_ceiling: bool
    noise: float
    last: float

    @property
    def limit(self) -> float:
        """The bound including its noise."""
        return self.value * (1 + self.noise if self.is_ceiling else 1 - self.noise)

    def is_beyond(self, ratio: float) -> bool:
        """Tell whether the ratio is worse than the limit."""
        return ratio > self.limit if self.is_ceiling else ratio < self.limit


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
    side = "most" if bound.is_ceiling else "least"
    return (
        f"{bound.name}: {bound.what} is {found.middle:.2f} ({found.low:.2f} to {found.high:.2f} in {rounds} rounds); "
        f"it may be at {side} {bound.value:g}, with {bound.noise:.0%} of noise {bound.limit:.2f}; last {bound.last:g}"
    )


def read_bounds(path: Path, known: Iterable[str]) -> list[Bound]:
    """Read the bounds of a file, one for each known ratio; BoundsError if the file is invalid."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BoundsError(f"{path.name} is not TOML: {error}") from error
    missing, strange = sorted(set(known) - set(tables)), sorted(set(tables) - set(known))
    if missing or strange:
        told = [f"has no [{name}]" for name in missing] + [f"has [{name}], which is not measured" for name in strange]
        raise BoundsError(f"{path.name} {' and '.join(told)}")
    return [_bound(name, table, f"{path.name}, {name}") for name, table in tables.items()]


def with_last(text: str, name: str, ratio: float) -> str:
    """Replace `last` of one ratio in the text of the file."""
    pattern = rf"(^\[{name}\]\n(?:[^\[].*\n)*?last = )\S+$"
    return re.sub(pattern, lambda found: f"{found[1]}{ratio:.2f}", text, flags=re.MULTILINE)


def _bound(name: str, table: Any, location: str) -> Bound:
    if not isinstance(table, dict):
        raise BoundsError(f"{location}: is {table!r}; it should be a table, [{name}]")
    sides = [key for key in ("at_most", "at_least") if key in table]
    if len(sides) != 1:
        raise BoundsError(f"{location}: has {len(sides)} of at_most and at_least; it should have one")
    wanted = {"what", *sides, "noise", "last"}
    if set(table) != wanted:
        raise BoundsError(f"{location}: has {_listed(table)}; it should have {_listed(wanted)}")
    if not isinstance(table["what"], str):
        raise BoundsError(f"{location}: what is {table['what']!r}; it should be a text")
    value, noise, last = (_number(table, key, location) for key in (*sides, "noise", "last"))
    if noise >= 1:
        raise BoundsError(f"{location}: noise is {noise:g}; it should be a share, less than 1")
    return Bound(name, table["what"], value, sides == ["at_most"], noise, last)


def _number(table: dict[str, Any], key: str, location: str) -> float:
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise BoundsError(f"{location}: {key} is {value!r}; it should be a number above 0")
    return float(value)


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(sorted(keys))
