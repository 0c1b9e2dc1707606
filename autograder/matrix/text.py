"""Text: turns catches into the matrix as a terminal shows it, one character a mistake and test."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from autograder.grading.hidden_test import HiddenTest
from autograder.matrix.catches import Catch, QuestionCatches, is_exact

MARKS = {
    (True, True): "x",  # the mistake names the test, and fails it
    (False, True): "+",
    (True, False): "-",
    (False, False): ".",
}
LEGEND = "x caught, + caught and not named by the mistake, - named and not caught"
_WIDTH = 100


def mark(mistake: Catch, test: HiddenTest) -> str:
    """The sign of one mistake and one test."""
    return MARKS[test.name in mistake.named, test.name in mistake.caught]


def findings(question: QuestionCatches) -> Iterator[str]:
    """What is not as it should be, a line each."""
    for name in question.numbers(question.failed_by_right):
        yield f"the right solution fails {name}"
    for mistake in question.mistakes:
        if mistake.survives:
            yield f"{mistake.id} survives: no test fails it"
            continue
        yield from (f"{mistake.id} fails {name}, which it does not name" for name in _more(question, mistake))
        yield from (f"{mistake.id} names {name}, which it passes" for name in _fewer(question, mistake))
    yield from (f"{test.number} {test.name} catches nothing" for test in question.idle)


def _more(question: QuestionCatches, mistake: Catch) -> Sequence[str]:
    return question.numbers(mistake.caught - mistake.named)


def _fewer(question: QuestionCatches, mistake: Catch) -> Sequence[str]:
    return question.numbers(mistake.named - mistake.caught)


def render(questions: Sequence[QuestionCatches]) -> str:
    """The whole text."""
    mistakes = sum(len(question.mistakes) for question in questions)
    tests = sum(len(question.tests) for question in questions)
    told = sum(1 for question in questions for _ in findings(question))
    verdict = "all as named" if is_exact(questions) else f"{told} not as it should be"
    parts = ["\n".join(_question(question)) for question in questions]
    return "\n\n".join([*parts, f"{LEGEND}\n{mistakes} mistakes, {tests} tests: {verdict}"])


def _question(question: QuestionCatches) -> Iterator[str]:
    yield f"{question.title} ({question.stem}): {len(question.mistakes)} mistakes, {len(question.tests)} tests"
    width = max((len(mistake.id) for mistake in question.mistakes), default=0)
    yield from (f"  {'':{width}}  {line}" for line in _upright([test.number for test in question.tests]))
    for mistake in question.mistakes:
        yield f"  {mistake.id:{width}}  {''.join(mark(mistake, test) for test in question.tests)}"
    yield from (f"  {line}" for line in findings(question))
    if question.redundant:
        numbers = ", ".join(test.number for test in question.redundant)
        text = f"Each of these could go alone, its mistakes are caught by others too: {numbers}"
        yield from textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _upright(numbers: Iterable[str]) -> Iterator[str]:
    """The last parts of the numbers from top to bottom, so that each takes one column."""
    last = [number.rpartition(".")[2] for number in numbers]
    height = max(map(len, last), default=0)
    for line in range(height):
        yield "".join(part.rjust(height)[line] for part in last)
