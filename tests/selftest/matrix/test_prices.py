"""Prices: the median cost of the mistakes of each severity, and the mistakes outside of their bands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import AssignmentError, Severity
from autograder.matrix import catches_text
from autograder.matrix.catches import BANDS
from autograder.mistakes import PriceReasonsError, mistake
from autograder.mistakes.bank import read_sections, require_mistakes
from tests.selftest.matrix.test_matrix import catch, question

pytestmark = pytest.mark.once

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


def test_shows_medians_and_outliers() -> None:
    assert list(catches_text.render_prices([PRICED])) == [
        "what a mistake costs, as a share of its function's points:",
        "  slip           3 mistakes, median 30 %, should be below 60 %, 1 outside",
        "  misconception  1 mistake, median 85 %, should be 60 to 85 %, 0 outside",
        "  fundamental    1 mistake, median 85 %, should be above 85 %, 1 outside",
        "  outside: sums.all_entries, slip 60 %: tests/mistakes/prices.toml gives no reason",
        "  outside: sums.cache, fundamental 85 %: It returns something.",
    ]


def test_a_mistake_that_names_no_test_yet_has_no_price() -> None:
    begun = catch("begun", named="", caught="odd", price=1.0)
    assert list(catches_text.render_prices([question(begun)])) == [
        "what a mistake costs, as a share of its function's points:"
    ]
    assert catches_text.render_price(begun) == "slip"
    assert catches_text.render([question(begun)]).splitlines()[3] == "  begun  ..+  slip"
    assert "slip 100" not in catches_text.render_page([question(begun)], title="Toy")


class TestReasons:
    STEMS = ("sums", "products")

    def read(self, path: Path, content: str) -> dict[str, dict[str, str]]:
        """Read a file of this content."""
        path.write_text(content, encoding="utf-8")
        return read_sections(path, self.STEMS)

    def test_are_read_by_question_and_mistake(self, tmp_path: Path) -> None:
        assert read_sections(tmp_path / "prices.toml", self.STEMS) == {}
        found = self.read(tmp_path / "prices.toml", '[sums]\nby_one = "It is rare."\n')
        assert found == {"sums": {"by_one": "It is rare."}}
        require_mistakes(tmp_path, "sums", found["sums"], ["by_one", "rounds"])

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            ("[sum]\n", "[sum] is no question; a section is one of sums, products"),
            ('by_one = "It is rare."\n', "'by_one' is in no section; a section is one of sums, products"),
            ("sums = 1\n", "'sums' is 1; write a section [sums] with a text for a mistake"),
            ("[sums]\nby_one = 1\n", "[sums] by_one is 1; write the reason as a text"),
            ('[sums]\nby_one = " "\n', "[sums] by_one is ' '; write the reason as a text"),
            ("[sums\n", "is not valid TOML: "),
        ],
    )
    def test_are_refused_with_what_is_allowed(self, tmp_path: Path, content: str, told: str) -> None:
        with pytest.raises(PriceReasonsError, match=re.escape(f"{tmp_path / 'prices.toml'}: {told}")):
            self.read(tmp_path / "prices.toml", content)

    @pytest.mark.parametrize(
        ("ids", "told"), [(["by_one"], "its mistakes are by_one"), ([], "it has no mistakes")], ids=["others", "none"]
    )
    def test_of_no_mistake_are_refused(self, ids: list[str], told: str) -> None:
        with pytest.raises(PriceReasonsError, match=rf"\[sums\] has 'by_two', which is no mistake .*; {told}"):
            require_mistakes(Path("prices.toml"), "sums", ["by_two"], ids)


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


@pytest.mark.parametrize("wrong", [type("Stack", (), {}), lambda a, b: a], ids=["a class", "a lambda"])
def test_a_mistake_that_is_no_function_is_refused(wrong: Any) -> None:
    declare = mistake("add", severity="slip", story="Adds wrongly.", hint="Look.")
    with pytest.raises(AssignmentError, match="it is no function; write a `def`, for a method one that takes self"):
        declare(wrong)
