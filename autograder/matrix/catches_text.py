"""Catches text: turns catches into a matrix for the terminal, a character for each mistake and test, and a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.catches import BANDS, Catch, QuestionCatches, is_exact
from autograder.plain_text import count
from autograder.templates import open_template

MARKS = {
    (True, True): "x",  # the mistake should fail the test, and fails it
    (False, True): "+",
    (True, False): "-",
    (False, False): ".",
}
LEGEND = "x caught; + and - differ from what the mistake names, or does where the grader runs it"
_WIDTH = 100


def mark(mistake: Catch, test: HiddenTest) -> str:
    """Mark one mistake and one test with the legend's sign."""
    return MARKS[test.name in mistake.named, test.name in mistake.caught]


def render(questions: Sequence[QuestionCatches]) -> str:
    """Render the matrices of all questions and the conclusion."""
    mistakes = sum(len(question.mistakes) for question in questions)
    tests = sum(len(question.tests) for question in questions)
    told = sum(1 for question in questions for _ in question.list_findings())
    verdict = count(told, "problem") if told else "all as named"
    parts = ["\n".join(_render_question(question)) for question in questions]
    return "\n\n".join(
        [*parts, "\n".join(render_prices(questions)), f"{LEGEND}\n{_count_all(mistakes, tests)}: {verdict}"]
    )


def _render_question(question: QuestionCatches) -> Iterator[str]:
    yield f"{question.title} ({question.stem}): {_count_all(len(question.mistakes), len(question.tests))}"
    width = max((len(mistake.id) for mistake in question.mistakes), default=0)
    yield from (f"  {'':{width}}  {line}" for line in _stack_digits([test.number for test in question.tests]))
    for mistake in question.mistakes:
        marks = "".join(mark(mistake, test) for test in question.tests)
        yield f"  {mistake.id:{width}}  {marks}  {render_price(mistake)}"
    yield from (f"  {line}" for line in question.list_findings())
    if question.redundant:
        numbers = ", ".join(test.number for test in question.redundant)
        text = f"No need to act: any one of these could go, because other tests catch its mistakes too: {numbers}"
        yield from textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def render_price(mistake: Catch) -> str:
    """Render a price with its severity, such as "slip 25 %"; without the price if it does not count yet."""
    return mistake.severity.value + (f" {100 * mistake.price:.0f} %" if mistake.is_priced else "")


def render_prices(questions: Sequence[QuestionCatches]) -> Iterator[str]:
    """Render the medians by severity and the mistakes outside of their bands, a line each."""
    priced = [(each.stem, mistake) for each in questions for mistake in each.mistakes if mistake.is_priced]
    yield "what a mistake costs, as a share of its function's points:"
    for severity, band in BANDS.items():
        ours = [mistake for _, mistake in priced if mistake.severity is severity]
        if ours:
            middle = f"median {100 * median(each.price for each in ours):.0f} %, should be {band.words}"
            outside = sum(each.is_outlier for each in ours)
            yield f"  {severity.value:13}  {count(len(ours), 'mistake')}, {middle}, {outside} outside"
    for stem, mistake in priced:
        if mistake.is_outlier:
            reason = mistake.reason or "tests/mistakes/prices.toml gives no reason"
            yield f"  outside: {stem}.{mistake.id}, {render_price(mistake)}: {reason}"


def _count_all(mistakes: int, tests: int) -> str:
    return f"{count(mistakes, 'mistake')}, {count(tests, 'test')}"


def _stack_digits(numbers: Iterable[str]) -> Iterator[str]:
    """Write the last part of each number vertically, so that it takes one column."""
    last = [number.rpartition(".")[2] for number in numbers]
    height = max(map(len, last), default=0)
    for line in range(height):
        yield "".join(part.rjust(height)[line] for part in last)


def render_page(questions: Sequence[QuestionCatches], *, title: str) -> str:
    """Render one self-contained HTML file, readable without network, script or colour; every text is escaped."""
    return open_template(Path(__file__).with_name("page.html.jinja")).render(
        questions=questions,
        title=title,
        is_exact=is_exact(questions),
        mark=mark,
        render_price=render_price,
        prices=list(render_prices(questions)),
        legend=LEGEND,
    )
