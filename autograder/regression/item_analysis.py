"""Item analysis: turns the points of a class into the difficulty, discrimination and redundancy of each test.

The numbers are those of classical test theory (Crocker and Algina 1986, chapter 14). A submission that has no score in
a test, through a fault of ours, does not count for this test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autograder.regression.summary import Distribution, Item, Seconds

Array = NDArray[np.float64]
QUANTILES_FROM = 100  # with fewer submissions, a tenth of the class is too few for a bar
_BARS_THAT_FIT = 20
FEWEST = 10  # with fewer submissions no test is called redundant or remarked on: tests may agree by chance


class ScoreTable:
    """Points and seconds of a class: a row for each submission, a column for each test, NaN for missing values."""

    def __init__(self, tests: Sequence[tuple[str, str, str, float]]) -> None:
        """Take the key, title, question and points of each test."""
        self.tests = tuple(tests)
        self._columns = {key: column for column, (key, *_) in enumerate(self.tests)}
        self._points: list[Array] = []
        self._seconds: list[Array] = []

    def add(self, scores: dict[str, float | None], seconds: dict[str, float]) -> None:
        """Add one submission, by the keys of its tests."""
        self._points.append(self._build_row(scores))
        self._seconds.append(self._build_row(seconds))

    def analyse_items(self) -> list[Item]:
        """Analyse each test, in the order of the tests."""
        points = np.array(self._points).reshape(len(self._points), len(self.tests))
        most = np.array([points for *_, points in self.tests])
        full = np.where(np.isnan(points), np.nan, points >= most - 1e-9)  # (submissions, tests)
        total = np.nansum(points, axis=1)
        return [
            _analyse_item(test, points[:, column], full[:, column], total) for column, test in enumerate(self.tests)
        ]

    def summarise_seconds(self) -> dict[str, Seconds]:
        """Return the duration of each test, by its key."""
        seconds = np.array(self._seconds).reshape(len(self._seconds), len(self.tests))
        timed = {key: seconds[~np.isnan(seconds[:, column]), column] for key, column in self._columns.items()}
        return {
            key: Seconds(mean=round(float(values.mean()), 4), longest=round(float(values.max()), 4))
            for key, values in timed.items()
            if values.size
        }

    def find_redundant(self) -> list[tuple[str, ...]]:
        """Find groups of tests that every submission passes or fails together (phi = 1), if some pass and some fail."""
        if len(self._points) < FEWEST:
            return []
        most = np.array([points for *_, points in self.tests])
        points = np.array(self._points)
        full = np.where(np.isnan(points), -1, points >= most - 1e-9).astype(np.int8)
        groups: dict[bytes, list[str]] = defaultdict(list)
        for column, (key, *_) in enumerate(self.tests):
            if np.unique(full[:, column]).size > 1:
                groups[full[:, column].tobytes()].append(key)
        return [tuple(group) for group in groups.values() if len(group) > 1]

    def _build_row(self, values: dict[str, float] | dict[str, float | None]) -> Array:
        row = np.full(len(self.tests), np.nan)
        for key, value in values.items():
            if value is not None and key in self._columns:
                row[self._columns[key]] = value
        return row


def compute_distribution(totals: Sequence[float], max_score: float) -> Distribution | None:
    """Compute the distribution of the totals; None if there are none."""
    if not totals:
        return None
    values = np.array(totals)
    has_quantiles = len(values) >= QUANTILES_FROM
    clipped = np.clip(values, 0, max_score)
    edges = _find_quantile_edges(clipped, max_score or 1.0) if has_quantiles else np.linspace(0, max_score or 1.0, 11)
    counts, _ = np.histogram(clipped, bins=edges)
    low, middle, high = (round(float(each), 2) for each in np.quantile(values, (0.25, 0.5, 0.75)))
    return Distribution(
        count=len(values),
        mean=round(float(values.mean()), 2),
        deviation=round(float(values.std(ddof=1)), 2) if len(values) > 1 else 0.0,
        quartiles=(low, middle, high),
        lowest=float(values.min()),
        highest=float(values.max()),
        edges=tuple(round(float(edge), 4) for edge in edges),
        counts=tuple(int(count) for count in counts),
        has_quantiles=has_quantiles,
    )


def _find_quantile_edges(values: Array, max_score: float) -> Array:
    """Find the borders between tenths of the class; tenths that are closer than a bar can show are one."""
    gap = max_score / _BARS_THAT_FIT
    lowest, *deciles = np.quantile(values, np.linspace(0, 1, 11))
    edges = [float(min(lowest, max_score - gap))]
    for edge in deciles:
        if edge - edges[-1] >= gap:
            edges.append(float(edge))
    highest = max(float(values.max()), edges[0] + gap)
    return np.array([*edges[: max(1, len(edges) - 1)], highest])


def _analyse_item(test: tuple[str, str, str, float], points: Array, full: Array, total: Array) -> Item:
    key, title, question, most = test
    scored = ~np.isnan(points)
    passed = float(full[scored].mean()) if scored.any() else None
    return Item(
        test=key,
        title=title,
        question=question,
        max_score=most,
        count=int(scored.sum()),
        passed=None if passed is None else round(passed, 4),
        mean_score=round(float(points[scored].mean()), 4) if scored.any() else None,
        discrimination=_compute_point_biserial(full[scored], (total - np.nan_to_num(points))[scored]),
        remark=_choose_remark(passed, int(scored.sum())),
    )


def _compute_point_biserial(passed: Array, others: Array) -> float | None:
    """Correlate passing with the points of the other tests; None if either never varies."""
    if passed.size < 2 or np.ptp(passed) == 0 or np.ptp(others) < 1e-9:
        return None
    return round(float(np.corrcoef(passed, others)[0, 1]), 4)


def _choose_remark(passed: float | None, count: int) -> str:
    if passed is None or count < FEWEST:
        return ""
    if passed == 1:
        return "every submission passes"
    return "no submission passes" if passed == 0 else ""
