"""Student parts: turns stored results into what the report shows of each submission, question by question.

The written answers to each text are shown side by side, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from autograder.plain_text import clean
from autograder.regression.scores import TestScore
from autograder.regression.store import Load
from autograder.regression.summary import StudentRow, Summary
from autograder.results import Verdict

OUTPUT_CHARACTERS = 3_000  # for one test; the result's own file has the whole output
_TEXT_CHARACTERS = 10_000
_VERDICTS = {
    "": "for a person to read",
    Verdict.PARTIAL.value: "partly passed",
    Verdict.NOT_WRITTEN.value: "not written yet",
    Verdict.UNDECIDED.value: "not judged (a fault of the grader)",
    Verdict.NOT_RUN.value: "not run",
}
_NOTHING_TO_SAY = "Passed."


@dataclass(frozen=True)
class _QuestionPart:
    """One question of one submission, its verdicts in words; `passed`: the numbers of tests that just passed."""

    title: str
    score: float
    max_score: float
    tests: tuple[TestScore, ...]
    passed: tuple[str, ...]


@dataclass(frozen=True)
class _StudentPart:
    """One submission; `output`: the text of its result, if it was not graded."""

    row: StudentRow
    questions: tuple[_QuestionPart, ...]
    output: str


def build_student_parts(run: Summary, load: Load) -> Iterator[_StudentPart]:
    """Yield the part of each submission, one after another."""
    titles = {question.stem: question.title for question in run.questions}
    for row, stored in run.read_results(load):
        output = clean(str(stored.fields.get("output") or ""), OUTPUT_CHARACTERS) if row.state != "graded" else ""
        yield _StudentPart(row, tuple(_build_question_parts(stored.tests, titles)), output)


def _build_question_parts(tests: Iterable[TestScore], titles: Mapping[str, str]) -> Iterator[_QuestionPart]:
    by_question: dict[str, list[TestScore]] = defaultdict(list)
    for test in tests:
        by_question[test.question].append(test)
    for stem, own in by_question.items():
        yield _QuestionPart(
            title=titles.get(stem, stem),
            score=sum(test.score or 0.0 for test in own),
            max_score=sum(test.max_score or 0.0 for test in own),
            tests=tuple(_merge_unwritten(_put_in_words(test) for test in own if not _is_plain_pass(test))),
            passed=tuple(test.key for test in own if _is_plain_pass(test)),
        )


def _merge_unwritten(tests: Iterable[TestScore]) -> Iterator[TestScore]:
    """Merge consecutive tests that are not written yet and have the same output."""
    for (verdict, _), group in groupby(tests, key=lambda test: (test.verdict, test.output)):
        first, *others = group
        if others and verdict == _VERDICTS[Verdict.NOT_WRITTEN.value]:
            numbers = ", ".join(test.key for test in (first, *others))
            yield replace(first, key=numbers, title="", score=None)
        else:
            yield from (first, *others)


def _put_in_words(test: TestScore) -> TestScore:
    output = test.output + (f"\n\nFor staff:\n{test.fault}" if test.fault else "")
    return replace(test, verdict=_VERDICTS.get(test.verdict, test.verdict), output=clean(output, OUTPUT_CHARACTERS))


def _is_plain_pass(test: TestScore) -> bool:
    return test.verdict == Verdict.PASSED.value and test.output == _NOTHING_TO_SAY


def list_texts(run: Summary, load: Load) -> Sequence[TestScore]:
    """List the texts of the assignment that a person grades, as the first graded submission has them."""
    graded = (stored.tests for row, stored in run.read_results(load) if row.state == "graded")
    return [test for test in next(graded, ()) if test.answer is not None]


def collect_answers(run: Summary, load: Load, title: str) -> Iterator[tuple[str, str]]:
    """Yield each submission's name and its answer to a written question; the results are read one after another."""
    for row, stored in run.read_results(load):
        for test in stored.tests:
            if test.answer is not None and test.title == title:
                yield row.name, clean(test.answer, _TEXT_CHARACTERS)
