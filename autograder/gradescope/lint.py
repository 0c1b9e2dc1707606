"""Gradescope lint: turns the bytes of any results.json into findings: content that Gradescope rejects or reinterprets.

Gradescope's harness parses the file with Python's lenient JSON parser and sends it on with a strict one: NaN can be
read but not sent, and the whole submission fails. The fields and their types are those of `schema`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import ValidationError

from autograder.gradescope.files import read_results, read_results_json
from autograder.gradescope.schema import OutputFormat, Results
from autograder.plain_text import clean_line

FILE_BYTES = 64 * 2**20  # beyond this Gradescope has other problems
_OUTPUT_CHARACTERS = 100_000  # Gradescope cuts the middle out of longer texts
_SHOWN_CHARACTERS = 80
_SURROGATE = re.compile("[\ud800-\udfff]")
_CENT = 0.005  # points are shown with two decimals
_UNKNOWN_FIELD = "unexpected_keyword_argument"


class Severity(str, Enum):
    """ERROR: Gradescope rejects the file or shows another result than intended. NOTE: the author should know it."""

    ERROR = "error"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One finding: its location in the file, such as `tests[3].score`, the value found there, and advice."""

    location: str
    found: str
    advice: str
    severity: Severity = Severity.ERROR


def lint_results(content: bytes, *, points: float | None = None) -> tuple[Finding, ...]:
    """Return the findings for a results.json in file order; `points`: the points of the assignment's outline."""
    try:
        value = _parse(content)
    except (ValueError, RecursionError) as error:
        return (Finding("the file", _explain_no_json(error), "write valid JSON; this one scores 0"),)
    if not isinstance(value, _Object):
        advice = 'write an object, such as {"score": 1, "tests": []}'
        return (Finding("the file", f"{_show_value(value)} at the top", advice),)
    findings = [*_find_unsendable(value, ""), *_find_type_errors(value)]
    if not findings:
        results = read_results(value)
        findings = [
            *_check_scores(results, points),
            *_check_texts(results),
            *_find_repeated_numbers(results),
            *_check_visibility(results),
        ]
    return tuple(findings)


class _Object(dict[str, Any]):
    """A JSON object that remembers its repeated keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]


def _parse(content: bytes) -> Any:
    if len(content) > FILE_BYTES:
        raise ValueError(f"{len(content)} bytes")
    text = content.decode("utf-8")
    if text.startswith("\ufeff"):
        raise ValueError("a byte order mark before the JSON")
    return json.loads(text, object_pairs_hook=_Object)


def _explain_no_json(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    # Else it is too large, begins with a mark, or has an integer of thousands of digits.
    return "lists or objects are nested too deeply" if isinstance(error, RecursionError) else str(error)


def _find_unsendable(value: Any, location: str) -> Iterator[Finding]:
    """Yield a finding for each value that cannot be serialized again, at any depth."""
    if isinstance(value, float) and not math.isfinite(value):
        advice = "write a finite number; this one cannot be sent, and the whole submission fails"
        yield Finding(location, str(value), advice)
    elif isinstance(value, str) and _SURROGATE.search(value):
        yield Finding(location, "an unpaired UTF-16 surrogate", "escape the text first")
    elif isinstance(value, _Object):
        for key in value.repeated:
            yield Finding(_join_location(location, key), "the field twice", "keep one; the last one counts")
        for key, item in value.items():
            yield from _find_unsendable(key, _join_location(location, key))
            yield from _find_unsendable(item, _join_location(location, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _find_unsendable(item, f"{location}[{index}]")


def _find_type_errors(value: _Object) -> Iterator[Finding]:
    """Yield a finding for each value of a wrong type and each field that Gradescope does not document."""
    try:
        read_results_json(_SURROGATE.sub("?", json.dumps(value, ensure_ascii=False)))
    except ValidationError as error:
        seen = set()
        for each in error.errors(include_url=False):
            location, held = _locate(value, each["loc"], is_missing=each["type"] == "missing")
            if location not in seen and not (isinstance(held, float) and not math.isfinite(held)):
                seen.add(location)
                yield _describe_type_error(location, held, each["type"], each["msg"])


def _locate(value: Any, parts: Sequence[int | str], *, is_missing: bool) -> tuple[str, Any]:
    """Return the location as text and the value there; pydantic appends the names of alternatives to a location."""
    location = ""
    for part in parts:
        if isinstance(value, dict) and isinstance(part, str) and (part in value or is_missing):
            location, value = _join_location(location, part), value.get(part)
        elif isinstance(value, list) and isinstance(part, int):
            location, value = f"{location}[{part}]", value[part]
    return location, value


def _describe_type_error(location: str, held: Any, kind: str, message: str) -> Finding:
    if kind == "missing":
        severity = Severity.NOTE if location.startswith("tests") else Severity.ERROR  # a test without a name is shown
        return Finding(location, "nothing", "add the field", severity)
    if kind == _UNKNOWN_FIELD:
        advice = "correct its spelling, or put it into extra_data; Gradescope ignores it"
        return Finding(location, "a field that Gradescope does not know", advice)
    wanted = message.removeprefix("Input should be ").replace("greater than", "a number greater than")
    return Finding(location, _show_value(held), f"write {wanted}")


def _check_scores(results: Results, points: float | None) -> Iterator[Finding]:
    tests = results.tests or ()
    scored = [test.score for test in tests if test.score is not None]
    unscored = [index for index, test in enumerate(tests) if test.score is None]
    if results.score is None and (unscored or not tests):
        missing = (f"tests[{unscored[0]}]", "no score, and none at the top") if unscored else ("score", "nothing")
        yield Finding(*missing, "add a score at the top, or a score to each test")
    elif results.score is not None and scored and abs(results.score - sum(scored)) > _CENT:
        found = f"{results.score:g}, but the tests add up to {sum(scored):g}"
        yield Finding("score", found, "the score at the top counts", Severity.NOTE)
    for index, test in enumerate(tests):
        if test.score is not None and test.max_score is not None and not 0 <= test.score <= test.max_score:
            found = f"{test.score:g} of {test.max_score:g} points"
            advice = "correct only if extra points or deductions are intended"
            yield Finding(f"tests[{index}].score", found, advice, Severity.NOTE)
    most = sum(test.max_score or 0.0 for test in tests)
    if points is not None and abs(most - points) > _CENT:
        found = f"max_score adds up to {most:g}, but the outline has {points:g} points"
        yield Finding("tests", found, "set the outline's points to the tests' sum")


def _check_texts(results: Results) -> Iterator[Finding]:
    texts = [("output", results.output, results.output_format)]
    for index, test in enumerate(results.tests or ()):
        texts.append((f"tests[{index}].output", test.output, test.output_format or results.test_output_format))
        texts.append((f"tests[{index}].name", test.name, test.name_format or results.test_name_format))
    for location, text, text_format in texts:
        if text is not None and len(text) > _OUTPUT_CHARACTERS:
            advice = f"shorten it; Gradescope cuts the middle beyond {_OUTPUT_CHARACTERS}"
            yield Finding(location, f"{len(text)} characters", advice, Severity.NOTE)
        if text_format is OutputFormat.HTML:
            yield Finding(location, "HTML", "escape all student text in it, or use the format text", Severity.NOTE)


def _find_repeated_numbers(results: Results) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for index, test in enumerate(results.tests or ()):
        if test.number is not None and test.number in seen:
            found = f"{test.number!r}, the same as tests[{seen[test.number]}]"
            yield Finding(f"tests[{index}].number", found, "give each test its own number", Severity.NOTE)
        seen.setdefault(test.number or "", index)


def _check_visibility(results: Results) -> Iterator[Finding]:
    hidden = [each.visibility for each in results.tests or () if each.visibility not in (None, "visible")]
    if hidden:
        found = f"{len(hidden)} of {len(results.tests or ())} tests are not visible to students at once"
        advice = "nothing, if this is intended; students then do not see their total either"
        yield Finding("tests", found, advice, Severity.NOTE)
    if results.stdout_visibility == "visible":
        advice = "make sure that the grader prints nothing that students must not see"
        yield Finding("stdout_visibility", "visible", advice, Severity.NOTE)


def _join_location(location: str, key: str) -> str:
    name = key if key.isidentifier() else f'["{clean_line(key, _SHOWN_CHARACTERS)}"]'
    return f"{location}.{name}" if location and key.isidentifier() else f"{location}{name}"


def _show_value(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else clean_line(json.dumps(value), _SHOWN_CHARACTERS)
