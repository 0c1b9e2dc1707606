"""Histogram: turns a distribution into the bars and the axis of a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from autograder.regression.summary import Distribution

LEFT, WIDTH, HEIGHT, BASE = 20.0, 410.0, 140.0, 170.0  # of the plot, in units of the chart's view box of 440 by 200
_WIDE = 14.0  # of a bar with its count above it
_TICKS = 4


@dataclass(frozen=True)
class Bar:
    """One bar, whose area stands for its `count`; `label`: what it counts."""

    x: float
    width: float
    height: float
    count: int
    label: str

    @property
    def is_wide(self) -> bool:
        """Whether the count fits above it."""
        return self.width >= _WIDE


@dataclass(frozen=True)
class Histogram:
    """The chart: its bars, the ticks of its axis with their texts, and whether each bar has about a tenth of all."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    has_quantiles: bool


def build_histogram(distribution: Distribution | None, max_score: float) -> Histogram | None:
    """Build the chart of the points; None if there are none."""
    if distribution is None:
        return None
    most = max(max_score, distribution.edges[-1]) or 1.0
    bins = [
        (low, high, count) for (low, high), count in zip(pairwise(distribution.edges), distribution.counts, strict=True)
    ]
    densest = max(count / (high - low) for low, high, count in bins)
    bars = tuple(_build_bar(each, most, densest) for each in bins)
    marks = (max_score * number / _TICKS for number in range(_TICKS + 1))
    ticks = tuple((_place(mark, most), f"{mark:.3g}") for mark in marks)
    return Histogram(bars, ticks, distribution.has_quantiles)


def _build_bar(each: Sequence[float], most: float, densest: float) -> Bar:
    low, high, count = each
    x, right = _place(low, most), _place(high, most)
    height = round(count / (high - low) / densest * HEIGHT, 1)
    label = f"{count:g} from {low:.4g} to {high:.4g} points"
    return Bar(x, round(max(1.0, right - x - 2), 1), height, int(count), label)


def _place(points: float, most: float) -> float:
    return round(LEFT + WIDTH * points / most, 1)
