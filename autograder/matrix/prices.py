"""Prices: turns what known mistakes cost into a comparison with what mistakes of their severity should cost.

A price is the share of its function's points that a mistake costs in a submission that is right except for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from autograder.assignment import Severity
from autograder.matrix.catches import Catch, QuestionCatches
from autograder.plain_text import count


class Band(NamedTuple):
    """Prices from `least` to `most`, both included."""

    least: float
    most: float

    def holds(self, price: float) -> bool:
        """Whether a price is in the band, to a thousandth."""
        return self.least <= round(price, 3) <= self.most


# A slip leaves most of the points of a right method, a misconception some, and what is no such function next to none.
BANDS: Mapping[Severity, Band] = {
    Severity.SLIP: Band(0.0, 0.599),
    Severity.MISCONCEPTION: Band(0.6, 0.85),
    Severity.FUNDAMENTAL: Band(0.851, 1.0),
}
_WORDS = {
    Severity.SLIP: "below 60 %",
    Severity.MISCONCEPTION: "60 to 85 %",
    Severity.FUNDAMENTAL: "above 85 %",
}


def list_prices(questions: Iterable[QuestionCatches], severity: Severity) -> list[float]:
    """List the prices of the mistakes of a severity."""
    mistakes = (mistake for question in questions for mistake in question.mistakes if mistake.is_priced)
    return [mistake.price for mistake in mistakes if mistake.severity is severity]


def list_outliers(questions: Iterable[QuestionCatches]) -> Iterator[tuple[str, Catch]]:
    """List the mistakes whose prices are outside of their bands, each after its question's id."""
    for question in questions:
        for mistake in question.mistakes:
            if mistake.is_priced and not BANDS[mistake.severity].holds(mistake.price):
                yield question.stem, mistake


def render_price(mistake: Catch) -> str:
    """Render a price with its severity, such as "slip 25 %"; without the price if it does not count yet."""
    if not mistake.is_priced:
        return mistake.severity.value
    return f"{mistake.severity.value} {mistake.price:.0%}".replace("%", " %")


def render_prices(questions: Sequence[QuestionCatches]) -> Iterator[str]:
    """Render the medians by severity and the mistakes outside of their bands, a line each."""
    outliers = list(list_outliers(questions))
    yield "what a mistake costs, as a share of its function's points:"
    for severity in Severity:
        prices = list_prices(questions, severity)
        if prices:
            outside = sum(1 for _, mistake in outliers if mistake.severity is severity)
            middle = f"median {100 * median(prices):.0f} %, should be {_WORDS[severity]}"
            yield f"  {severity.value:13}  {count(len(prices), 'mistake')}, {middle}, {outside} outside"
    for stem, mistake in outliers:
        reason = mistake.reason or "tests/mistakes/prices.toml gives no reason"
        yield f"  outside: {stem}.{mistake.id}, {render_price(mistake)}: {reason}"
