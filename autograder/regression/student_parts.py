"""Student parts: turns stored results into what the report shows of each submission, question by question.

The written answers to each text are shown side by side, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from autograder.plain_text import clean, count
from autograder.regression.scores import read_diagnosis, read_field
from autograder.regression.store import Load, StoredResult
from autograder.regression.summary import QuestionRow, StudentRow, Summary
from autograder.results import Verdict

OUTPUT_CHARACTERS = 3_000  # for one test; the result's own file has the whole output
_TEXT_CHARACTERS = 10_000
_VERDICTS = {
    Verdict.PARTIAL.value: "partly passed",
    Verdict.NOT_WRITTEN.value: "not written yet",
    Verdict.UNDECIDED.value: "not judged (a fault of the grader)",
    Verdict.NOT_RUN.value: "not run",
}
_NOTHING_TO_SAY = "Passed."


@dataclass(frozen=True)
class _TestPart:
    """One test with more to show than "Passed"."""

    number: str
    title: str
    verdict: str
    points: str
    diagnosis: tuple[str, ...]
    output: str


@dataclass(frozen=True)
class _QuestionPart:
    """One question of one submission; `passed`: the numbers of tests that just passed."""

    title: str
    score: float
    max_score: float
    tests: tuple[_TestPart, ...]
    passed: tuple[str, ...]


@dataclass(frozen=True)
class _StudentPart:
    """One submission; `output`: the text of its result, if it was not graded."""

    position: int
    row: StudentRow
    questions: tuple[_QuestionPart, ...]
    output: str


@dataclass(frozen=True)
class AnswerSheet:
    """One written question."""

    number: str
    title: str


def build_student_parts(run: Summary, load: Load) -> Iterator[_StudentPart]:
    """Yield the part of each submission, one after another."""
    titles = {question.stem: question for question in run.questions}
    for position, row in enumerate(run.students, 1):
        stored = load(row.name)
        if stored is None:
            continue
        output = clean(str(stored.fields.get("output") or ""), OUTPUT_CHARACTERS) if row.state != "graded" else ""
        yield _StudentPart(position, row, tuple(_build_question_parts(stored, titles)), output)


def _build_question_parts(stored: StoredResult, titles: Mapping[str, QuestionRow]) -> Iterator[_QuestionPart]:
    by_question: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for test in stored.tests:
        by_question[str((test.get("extra_data") or {}).get("question"))].append(test)
    for stem, tests in by_question.items():
        told = [test for test in tests if not _is_plain_pass(test)]
        yield _QuestionPart(
            title=titles[stem].title if stem in titles else stem,
            score=sum(test.get("score") or 0.0 for test in tests),
            max_score=sum(test.get("max_score") or 0.0 for test in tests),
            tests=tuple(_merge_unwritten(map(_build_test_part, told))),
            passed=tuple(str(test.get("number") or test.get("name")) for test in tests if _is_plain_pass(test)),
        )


def _merge_unwritten(tests: Iterable[_TestPart]) -> Iterator[_TestPart]:
    """Merge consecutive tests that are not written yet and have the same output."""
    for (verdict, _), group in groupby(tests, key=lambda test: (test.verdict, test.output)):
        first, *others = group
        if others and verdict == _VERDICTS[Verdict.NOT_WRITTEN.value]:
            numbers = ", ".join(test.number for test in (first, *others))
            yield replace(first, number=numbers, title="", points="")
        else:
            yield from (first, *others)


def _build_test_part(test: Mapping[str, Any]) -> _TestPart:
    extra = test.get("extra_data") or {}
    verdict, score, most = str(extra.get("verdict") or ""), test.get("score"), test.get("max_score")
    output = str(test.get("output") or "") + (f"\n\nFor staff:\n{extra['fault']}" if extra.get("fault") else "")
    return _TestPart(
        number=str(test.get("number") or ""),
        title=str(test.get("name") or ""),
        verdict=_VERDICTS.get(verdict, verdict or "for a person to read"),
        points="" if score is None or most is None else f"{score:g} of {count(most, 'point')}",
        diagnosis=read_diagnosis(extra),
        output=clean(output, OUTPUT_CHARACTERS),
    )


def _is_plain_pass(test: Mapping[str, Any]) -> bool:
    verdict = (test.get("extra_data") or {}).get("verdict")
    return verdict == Verdict.PASSED.value and test.get("output") == _NOTHING_TO_SAY


def build_sheets(run: Summary, load: Load) -> Iterator[AnswerSheet]:
    """Yield a sheet for each text of the assignment, as listed by the first graded submission."""
    graded = (stored for row in run.students if row.state == "graded" and (stored := load(row.name)) is not None)
    first = next(graded, None)
    for test in first.tests if first is not None else ():
        if _read_text(test) is not None:
            yield AnswerSheet(str(test.get("number") or ""), str(test.get("name") or ""))


def collect_answers(run: Summary, load: Load, title: str) -> Iterator[tuple[str, str]]:
    """Yield each submission's name and its answer to a written question; the results are read one after another."""
    for row in run.students:
        stored = load(row.name)
        for test in stored.tests if stored is not None else ():
            text = _read_text(test)
            if text is not None and test.get("name") == title:
                yield row.name, clean(text, _TEXT_CHARACTERS)


def _read_text(test: Mapping[str, Any]) -> str | None:
    """Return the written answer of a test that only shows a text; None for every other test."""
    text = (test.get("extra_data") or {}).get("text")
    return str(read_field(text, "answer") or "") if isinstance(text, Mapping) else None
