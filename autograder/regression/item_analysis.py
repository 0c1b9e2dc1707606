"""Item analysis: turns the results of a class into the share that passes each test, its mean and its discrimination.

The numbers are those of classical test theory (Crocker and Algina 1986, chapter 14). A submission that has no score in
a test, through a fault of ours, does not count for this test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from autograder.regression.scores import TestScore
from autograder.regression.summary import Distribution, Item

Array = NDArray[np.float64]
_BARS = 10


class ScoreTable:
    """Points of a class: a row for each submission, a column for each test, NaN for missing values.

    The tests are those of the first submission that has any.
    """

    def __init__(self) -> None:
        self.tests: tuple[TestScore, ...] = ()
        self._points: list[Array] = []

    def add(self, tests: Mapping[str, TestScore]) -> None:
        """Add one submission, by the keys of its tests."""
        self.tests = self.tests or tuple(tests.values())
        if self.tests:
            found = [tests.get(test.key) for test in self.tests]
            scores = [None if test is None else test.score for test in found]
            self._points.append(np.array(scores, dtype=np.float64))  # None is NaN

    def analyse_items(self) -> list[Item]:
        """Analyse each test, in the order of the tests."""
        if not self.tests:
            return []
        points = np.array(self._points)  # (submissions, tests)
        total = np.nansum(points, axis=1)
        return [_analyse_item(test, points[:, column], total) for column, test in enumerate(self.tests)]


def compute_distribution(totals: Sequence[float], max_score: float) -> Distribution | None:
    """Compute the distribution of the totals; None if there are none."""
    if not totals:
        return None
    edges = np.linspace(0, max_score or 1.0, _BARS + 1)
    counts, _ = np.histogram(np.clip(totals, 0, max_score), bins=edges)
    return Distribution(
        count=len(totals),
        mean=round(float(np.mean(totals)), 2),
        edges=tuple(round(float(edge), 4) for edge in edges),
        counts=tuple(int(count) for count in counts),
    )


def _analyse_item(test: TestScore, points: Array, total: Array) -> Item:
    is_scored = ~np.isnan(points)
    scored, others = points[is_scored], (total - np.nan_to_num(points))[is_scored]
    max_score = test.max_score or 0.0
    passed = (scored >= max_score - 1e-9).astype(np.float64)
    return Item(
        test=test.key,
        title=test.title,
        question=test.question,
        max_score=max_score,
        passed=round(float(passed.mean()), 4) if scored.size else None,
        mean_score=round(float(scored.mean()), 4) if scored.size else None,
        discrimination=_compute_point_biserial(passed, others),
    )


def _compute_point_biserial(passed: Array, others: Array) -> float | None:
    """Correlate passing with the points of the other tests; None if either never varies."""
    if passed.size < 2 or np.ptp(passed) == 0 or np.ptp(others) < 1e-9:
        return None
    return round(float(np.corrcoef(passed, others)[0, 1]), 4)
