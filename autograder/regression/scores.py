"""Scores: turns a results.json of any origin into the scores of its tests.

Files of this grader, of older versions and of Gradescope's exports are read alike; a field that is missing or of an
unexpected type counts as not given.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.plain_text import clean_line
from autograder.results import Verdict

_TEXT_CHARACTERS = 200


@dataclass(frozen=True)
class TestScore:
    """One test of one submission. `key`: identifies it in every run: its number, or its name if it has none.

    `verdict` and `diagnosis`: empty if another grader wrote the results. `output`, `fault` and `answer`:
    texts as they were written, not cleaned; `answer` is None but for a text that a person grades. `is_advice`: without
    points, it only shows a text.
    """

    key: str
    title: str
    question: str
    score: float | None
    max_score: float | None
    verdict: str
    diagnosis: tuple[str, ...]
    output: str = field(default="", compare=False)
    fault: str = field(default="", compare=False)
    answer: str | None = field(default=None, compare=False)
    is_advice: bool = False


@dataclass(frozen=True)
class Scores:
    """The tests of one submission by their keys, and its total; None if it has no score."""

    total: float | None
    tests: Mapping[str, TestScore]


def read_scores(fields: Mapping[Any, Any], *, total: object = None) -> Scores | None:
    """Read the scores of a results.json; None if it has none. `total`: the score that an export gives beside it."""
    found = read_tests(fields)  # some only show a text
    tests = [test for test in found if test.score is not None or (test.verdict and not test.is_advice)]
    score = _read_number(read_field(fields, "score") if total is None else total)
    if not tests and score is None:
        return None
    return Scores(score, {test.key: test for test in tests})


def read_tests(fields: Mapping[Any, Any]) -> list[TestScore]:
    """Read all tests of a results.json, with those that only show a text."""
    listed = read_field(fields, "tests")
    return [_read_test(each) for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []


def read_field(fields: Mapping[Any, Any], name: str) -> Any:
    """Read a field by its name, which an export may write as a Ruby symbol."""
    return fields.get(f":{name}", fields.get(name))


def restrict_scores(scores: Scores, stems: Collection[str]) -> Scores:
    """Return the scores of these questions, or of all if none is named; tests of unknown questions are kept."""
    if not stems:
        return scores
    tests = {key: test for key, test in scores.tests.items() if not test.question or test.question in stems}
    if len(tests) == len(scores.tests):
        return scores
    return replace(scores, total=add_points(tests.values()), tests=tests)


def add_points(tests: Iterable[TestScore]) -> float:
    """Return the sum of the points of some tests."""
    return round(sum(test.score or 0.0 for test in tests), 2)


def _read_test(fields: Mapping[Any, Any]) -> TestScore:
    extra = read_field(fields, "extra_data")
    ours = extra if isinstance(extra, Mapping) else {}
    title, number = read_text(read_field(fields, "name")), read_text(read_field(fields, "number"))
    score, max_score = _read_number(read_field(fields, "score")), _read_number(read_field(fields, "max_score"))
    text = read_field(ours, "text")
    return TestScore(
        key=number or title,
        title=title or number,
        question=read_text(read_field(ours, "question")),
        score=score,
        max_score=max_score,
        verdict=read_text(read_field(ours, "verdict")) or _derive_verdict(score, max_score),
        diagnosis=_read_texts(read_field(ours, "diagnosis")),  # an older grader wrote one id or none
        output=str(read_field(fields, "output") or ""),
        fault=str(read_field(ours, "fault") or ""),
        answer=str(read_field(text, "answer") or "") if isinstance(text, Mapping) else None,
        is_advice=read_field(ours, "advice") is True,
    )


def _read_texts(found: object) -> tuple[str, ...]:
    return tuple(filter(None, map(read_text, found if isinstance(found, list) else [found])))


def _derive_verdict(score: float | None, max_score: float | None) -> str:
    """Derive the verdict of a test from its points."""
    if score is None or max_score is None:
        return ""
    full = Verdict.PASSED if score >= max_score else Verdict.PARTIAL
    return (full if score > 0 or max_score == 0 else Verdict.FAILED).value


def _read_number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def read_text(value: object, limit: int = _TEXT_CHARACTERS) -> str:
    """Read a text or a number as a line of text; "" for anything else."""
    return clean_line(str(value), limit) if isinstance(value, (str, int, float)) else ""
