"""Prices: the median cost of the mistakes of each severity, and the mistakes outside of their bands."""

from __future__ import annotations

import pytest

from autograder.assignment import AssignmentError, Severity
from autograder.matrix.prices import BANDS, list_outliers, render_prices
from tests.mistakes import mistake
from tests.selftest.matrix.test_matrix import catch, question

PRICED = question(
    catch("sign", named="odd", caught="odd", price=0.1),
    catch("index", named="odd", caught="odd", price=0.3),
    catch("all_entries", named="odd", caught="odd", price=0.6),
    catch("formula", named="odd", caught="odd", severity=Severity.MISCONCEPTION, price=0.85),
    catch(
        "cache", named="odd", caught="odd", severity=Severity.FUNDAMENTAL, price=0.85, reason="It returns something."
    ),
)


@pytest.mark.parametrize(
    ("price", "severities"),
    [(0.0, ["slip"]), (0.59, ["slip"]), (0.6, ["misconception"]), (0.85, ["misconception"]), (1.0, ["fundamental"])],
)
def test_bands_meet_without_overlap(price: float, severities: list[str]) -> None:
    assert [severity.value for severity, band in BANDS.items() if band.holds(price)] == severities


def test_a_price_outside_of_its_band_is_listed() -> None:
    assert [(stem, mistake.id) for stem, mistake in list_outliers([PRICED])] == [
        ("sums", "all_entries"),
        ("sums", "cache"),
    ]


def test_shows_medians_and_outliers() -> None:
    assert list(render_prices([PRICED])) == [
        "what a mistake costs, as a share of its function's points:",
        "  slip             3 mistakes, median 30 %, should be below 60 %, 1 outside",
        "  misconception    1 mistakes, median 85 %, should be 60 to 85 %, 0 outside",
        "  fundamental      1 mistakes, median 85 %, should be above 85 %, 1 outside",
        "  outside: sums.all_entries, slip 60 %: tests/mistakes/prices.toml gives no reason",
        "  outside: sums.cache, fundamental 85 %: It returns something.",
    ]


@pytest.mark.parametrize("severity", ["", "serious"])
def test_a_mistake_of_no_known_severity_is_refused(severity: str) -> None:
    declare = mistake("add", severity=severity, story="Adds wrongly.", hint="Look.", caught_by=["test_small"])
    with pytest.raises(AssignmentError) as refused:
        declare(adds_one_more)
    assert str(refused.value) == (
        "tests/mistakes/test_prices.py: the mistake adds_one_more: "
        f"`severity` is {severity!r}; write one of slip, misconception, fundamental"
    )


def adds_one_more(a: int, b: int) -> int:
    """A mistake."""
    return a + b + 1
