"""Item analysis: turns the results of a class into the difficulty, discrimination and redundancy of each test.

The checks that fewest pass are shown with their commonest mistake and outputs of failed ones as examples, without names
of submissions, so that a class can see them; a student's own text in them is cut and escaped like all of it.

The numbers are those of classical test theory (Crocker and Algina 1986, chapter 14). A submission that has no score in
a test, through a fault of ours, does not count for this test.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from autograder.plain_text import clean
from autograder.regression.scores import TestScore
from autograder.regression.summary import Distribution, Item, Seconds
from autograder.results import Verdict

Array = NDArray[np.float64]
QUANTILES_FROM = 100  # with fewer submissions, a tenth of the class is too few for a bar
_BARS_THAT_FIT = 20
SHOWN_HARD = 10  # checks, on the page of the class
_OF_A_QUESTION = 5
_EXAMPLES = 3
_EXAMPLE_CHARACTERS = 700
_FAILED = (Verdict.FAILED.value, Verdict.PARTIAL.value)
FEWEST = 10  # with fewer submissions no test is called redundant or remarked on: tests may agree by chance


@dataclass
class Failures:
    """What was seen of the failures of one check: their number, mistakes, some outputs of each ("": none known)."""

    failed: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)
    outputs: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def note(self, test: TestScore) -> None:
        """Count one submission that fails it."""
        self.failed += 1
        self.mistakes.update(test.diagnosis)
        kept = self.outputs[test.diagnosis[0] if test.diagnosis else ""]
        text = clean(test.output, _EXAMPLE_CHARACTERS)
        if len(kept) < _EXAMPLES and text not in kept:
            kept.append(text)

    @property
    def mistake(self) -> str:
        """The known mistake that most of the failed submissions make, or ""; so many as `mistakes` says."""
        return min(self.mistakes, key=lambda name: (-self.mistakes[name], name), default="")

    @property
    def examples(self) -> tuple[str, ...]:
        """A few different outputs, those of the commonest mistake first."""
        order = sorted(self.outputs, key=lambda name: (name != self.mistake, -self.mistakes[name], name))
        return tuple(dict.fromkeys(text for name in order for text in self.outputs[name]))[:_EXAMPLES]


HardCheck = tuple[Item, Failures]


class ScoreTable:
    """Points and seconds of a class: a row for each submission, a column for each test, NaN for missing values.

    The tests are those of the first submission that has any.
    """

    def __init__(self) -> None:
        self.tests: tuple[TestScore, ...] = ()
        self._points: list[Array] = []
        self._seconds: list[Array] = []
        self._failures: defaultdict[str, Failures] = defaultdict(Failures)  # by the keys of tests

    def add(self, tests: Mapping[str, TestScore], seconds: Mapping[str, float]) -> None:
        """Add one submission, by the keys of its tests."""
        self.tests = self.tests or tuple(tests.values())
        if self.tests:
            self._points.append(self._build_row({key: test.score for key, test in tests.items()}))
            self._seconds.append(self._build_row(seconds))
        for key, test in tests.items():
            if test.verdict in _FAILED:
                self._failures[key].note(test)

    def analyse_items(self) -> list[Item]:
        """Analyse each test, in the order of the tests."""
        if not self.tests:
            return []
        points, full = np.array(self._points), self._find_full()
        total = np.nansum(points, axis=1)
        return [
            _analyse_item(test, points[:, column], full[:, column], total) for column, test in enumerate(self.tests)
        ]

    def summarise_seconds(self) -> dict[str, Seconds]:
        """Return the duration of each test that was timed, by its key."""
        columns = zip(self.tests, np.transpose(self._seconds), strict=True) if self.tests else ()
        timed = {test.key: seconds[~np.isnan(seconds)] for test, seconds in columns}
        return {
            key: Seconds(mean=round(float(values.mean()), 4), longest=round(float(values.max()), 4))
            for key, values in timed.items()
            if values.size
        }

    def find_redundant(self) -> list[tuple[str, ...]]:
        """Find groups of tests that every submission passes or fails together (phi = 1), if some pass and some fail."""
        if len(self._points) < FEWEST:
            return []
        groups: dict[bytes, list[str]] = defaultdict(list)
        for test, full in zip(self.tests, np.nan_to_num(self._find_full(), nan=-1).T, strict=True):
            if np.unique(full).size > 1:
                groups[full.tobytes()].append(test.key)
        return [tuple(group) for group in groups.values() if len(group) > 1]

    def list_hard(self, items: Iterable[Item]) -> list[HardCheck]:
        """List the hardest tests of each question, the hardest of all first, and how they failed."""
        taken: Counter[str] = Counter()
        hard = []
        for item in sorted(items, key=lambda item: (item.passed or 0.0, item.test)):
            if item.passed is not None and item.passed < 1 and taken[item.question] < _OF_A_QUESTION:
                taken[item.question] += 1
                hard.append((item, self._failures[item.test]))
        return hard

    def _find_full(self) -> Array:
        """Find who has full points in which test: 1, else 0; NaN without a score; (submissions, tests)."""
        points = np.array(self._points)
        return np.where(np.isnan(points), np.nan, points >= [(test.max_score or 0.0) - 1e-9 for test in self.tests])

    def _build_row(self, values: Mapping[str, float | None]) -> Array:
        return np.array([values.get(test.key) for test in self.tests], dtype=np.float64)  # None is NaN


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


def _analyse_item(test: TestScore, points: Array, full: Array, total: Array) -> Item:
    scored = ~np.isnan(points)
    passed = float(full[scored].mean()) if scored.any() else None
    return Item(
        test=test.key,
        title=test.title,
        question=test.question,
        max_score=test.max_score or 0.0,
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
    return {1.0: "every submission passes", 0.0: "no submission passes"}.get(passed, "")
