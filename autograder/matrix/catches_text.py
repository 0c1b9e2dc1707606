"""Catches text: turns catches into a matrix for the terminal, a character for each mistake and test, and a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.catches import Catch, QuestionCatches, is_exact
from autograder.plain_text import count
from autograder.templates import open_template

LEGEND = "x: the test catches the mistake"
_WIDTH = 100


def mark(mistake: Catch, test: HiddenTest) -> str:
    """Mark one mistake and one test with the legend's sign."""
    return "x" if test.name in mistake.caught else "."


def render(questions: Sequence[QuestionCatches]) -> str:
    """Render the matrices of all questions and the conclusion."""
    mistakes = sum(len(question.mistakes) for question in questions)
    tests = sum(len(question.tests) for question in questions)
    told = sum(1 for question in questions for _ in question.list_findings())
    verdict = count(told, "problem") if told else "all are caught"
    parts = ["\n".join(_render_question(question)) for question in questions]
    return "\n\n".join([*parts, f"{LEGEND}\n{_count_all(mistakes, tests)}: {verdict}"])


def _render_question(question: QuestionCatches) -> Iterator[str]:
    yield f"{question.title} ({question.stem}): {_count_all(len(question.mistakes), len(question.tests))}"
    width = max((len(mistake.id) for mistake in question.mistakes), default=0)
    for line in _stack_digits([test.number for test in question.tests]):
        yield f"  {'':{width}}  {line}"
    for mistake in question.mistakes:
        marks = "".join(mark(mistake, test) for test in question.tests)
        yield f"  {mistake.id:{width}}  {marks}"
    yield from (f"  {line}" for line in question.list_findings())
    if question.redundant:
        numbers = ", ".join(test.number for test in question.redundant)
        text = f"No need to act: any one of these could go, because other tests catch its mistakes too: {numbers}"
        yield from textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


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
        legend=LEGEND,
    )
