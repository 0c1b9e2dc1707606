"""Gradescope lint: turns the bytes of anybody's results.json into what Gradescope refuses or reads in another way.

Gradescope's harness parses the file with Python, which is lenient, and then sends it on, which is not: NaN is read and
cannot be sent, and then the whole submission fails. The fields and their types are those of `gradescope_format`.
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

from autograder.gradescope.results_file import read_results, read_results_json
from autograder.gradescope.schema import OutputFormat, Results
from autograder.plain_text import clean_line

FILE_BYTES = 64 * 2**20  # beyond this Gradescope has other troubles
_OUTPUT_CHARACTERS = 100_000  # longer texts are shown with their middle left out
_SHOWN_CHARACTERS = 80
_SURROGATE = re.compile("[\ud800-\udfff]")
_CENT = 0.005  # points are shown with two decimals
_UNKNOWN_FIELD = "unexpected_keyword_argument"


class Severity(str, Enum):
    """Whether Gradescope takes another result than the file means to give, or takes it and the author should know."""

    ERROR = "error"
    NOTE = "note"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One finding: its place in the file as `tests[3].score`, what is there, and what to do."""

    place: str
    found: str
    advice: str
    severity: Severity = Severity.ERROR


def lint(content: bytes, *, points: float | None = None) -> tuple[Finding, ...]:
    """What is to be said of a results.json, in the order of its places; `points`: those of the assignment's outline."""
    try:
        value = _parsed(content)
    except _NoJson as problem:
        return (Finding(place="the file", found=str(problem), advice="write valid JSON; this one scores 0"),)
    if not isinstance(value, _Object):
        advice = 'write an object, such as {"score": 1, "tests": []}'
        return (Finding(place="the file", found=f"{_shown(value)} at the top", advice=advice),)
    findings = [*_walk(value, ""), *_misfits(value)]
    if not findings:
        results = read_results(value)
        findings = [*_scores(results, points), *_texts(results), *_twins(results), *_hidden_total(results)]
    return tuple(findings)


class _NoJson(Exception):
    pass


class _Object(dict[str, Any]):
    """A JSON object, and the keys that it was given more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]


def _parsed(content: bytes) -> Any:
    if len(content) > FILE_BYTES:
        raise _NoJson(f"{len(content)} bytes")
    try:
        text = content.decode("utf-8")
        if text.startswith("\ufeff"):
            raise _NoJson("a byte order mark before the JSON")
        return json.loads(text, object_pairs_hook=_Object)
    except UnicodeDecodeError as error:
        raise _NoJson(f"byte {error.start} is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise _NoJson(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise _NoJson("lists or objects in each other without end") from error
    except ValueError as error:  # an integer of thousands of digits
        raise _NoJson(str(error)) from error


def _walk(value: Any, place: str) -> Iterator[Finding]:
    """What JSON cannot carry on, at any depth."""
    if isinstance(value, float) and not math.isfinite(value):
        yield Finding(
            place=place, found=str(value), advice="write a finite number; this one cannot be sent, and all fails"
        )
    elif isinstance(value, str) and _SURROGATE.search(value):
        yield Finding(place=place, found="half of a UTF-16 pair, which is no character", advice="escape the text first")
    elif isinstance(value, _Object):
        for key in value.repeated:
            yield Finding(place=_below(place, key), found="the field twice", advice="keep one; the last one counts")
        for key, item in value.items():
            yield from _walk(key, _below(place, key))
            yield from _walk(item, _below(place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, f"{place}[{index}]")


def _misfits(value: _Object) -> Iterator[Finding]:
    """What is not of the type that Gradescope documents, and fields that it does not know."""
    try:
        read_results_json(json.dumps(_sendable(value)))
    except ValidationError as error:
        seen = set()
        for each in error.errors(include_url=False):
            place, held = _located(value, each["loc"], is_missing=each["type"] == "missing")
            if place not in seen and not (isinstance(held, float) and not math.isfinite(held)):
                seen.add(place)
                yield _misfit(place, held, each["type"], each["msg"])


def _sendable(value: Any) -> Any:
    """The value without what `_walk` finds."""
    if isinstance(value, dict):
        return {_sendable(key): _sendable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_sendable(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return 0.0
    return _SURROGATE.sub("?", value) if isinstance(value, str) else value


def _located(value: Any, location: Sequence[int | str], *, is_missing: bool) -> tuple[str, Any]:
    """The place as text and what is there; pydantic adds the names of alternatives to the end of a location."""
    place = ""
    for part in location:
        if isinstance(value, dict) and isinstance(part, str) and (part in value or is_missing):
            place, value = _below(place, part), value.get(part)
        elif isinstance(value, list) and isinstance(part, int):
            place, value = f"{place}[{part}]", value[part]
    return place, value


def _misfit(place: str, held: Any, kind: str, message: str) -> Finding:
    if kind == "missing":
        severity = Severity.NOTE if place.startswith("tests") else Severity.ERROR  # a test without a name is shown
        return Finding(place=place, found="nothing", advice="add the field", severity=severity)
    if kind == _UNKNOWN_FIELD:
        advice = "correct its spelling, or put it into extra_data; Gradescope ignores it"
        return Finding(place=place, found="a field that Gradescope does not know", advice=advice)
    wanted = message.removeprefix("Input should be ").replace("greater than", "a number greater than")
    return Finding(place=place, found=_shown(held), advice=f"write {wanted}")


def _scores(results: Results, points: float | None) -> Iterator[Finding]:
    tests = results.tests or ()
    scored = [test.score for test in tests if test.score is not None]
    unscored = [index for index, test in enumerate(tests) if test.score is None]
    if results.score is None and (unscored or not tests):
        place, found = (f"tests[{unscored[0]}]", "no score, nor one at the top") if unscored else ("score", "nothing")
        yield Finding(place=place, found=found, advice="add a score at the top, or one to each test")
    elif results.score is not None and scored and abs(results.score - sum(scored)) > _CENT:
        yield _note(
            "score", f"{results.score:g}, and {sum(scored):g} as the sum of the tests", "the first is what counts"
        )
    for index, test in enumerate(tests):
        if test.score is not None and test.max_score is not None and not 0 <= test.score <= test.max_score:
            found = f"{test.score:g} of {test.max_score:g} points"
            yield _note(f"tests[{index}].score", found, "right only where extra points or deductions are meant")
    most = sum(test.max_score or 0.0 for test in tests)
    if points is not None and abs(most - points) > _CENT:
        found = f"{most:g} as the sum of max_score, and {points:g} points in the outline"
        yield Finding(place="tests", found=found, advice="make the outline's points the tests'")


def _texts(results: Results) -> Iterator[Finding]:
    texts = [("output", results.output, results.output_format)]
    for index, test in enumerate(results.tests or ()):
        texts.append((f"tests[{index}].output", test.output, test.output_format or results.test_output_format))
        texts.append((f"tests[{index}].name", test.name, test.name_format or results.test_name_format))
    for place, text, text_format in texts:
        if text is not None and len(text) > _OUTPUT_CHARACTERS:
            yield _note(place, f"{len(text)} characters", f"shorten it; beyond {_OUTPUT_CHARACTERS} its middle is cut")
        if text_format is OutputFormat.HTML:
            yield _note(place, "HTML", "escape in it whatever comes from a student, or use the format text")


def _twins(results: Results) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for index, test in enumerate(results.tests or ()):
        if test.number is not None and test.number in seen:
            first = f"tests[{seen[test.number]}]"
            yield _note(f"tests[{index}].number", f"{test.number!r}, as {first} has", "number each test differently")
        seen.setdefault(test.number or "", index)


def _hidden_total(results: Results) -> Iterator[Finding]:
    hidden = [each.visibility for each in results.tests or () if each.visibility not in (None, "visible")]
    if hidden:
        found = f"{len(hidden)} of {len(results.tests or ())} tests that students do not see at once"
        yield _note("tests", found, "nothing, if it is meant; students then do not see their total either")
    if results.stdout_visibility == "visible":
        yield _note(
            "stdout_visibility", "visible", "make sure that the grader prints nothing that students may not see"
        )


def _note(place: str, found: str, advice: str) -> Finding:
    return Finding(place=place, found=found, advice=advice, severity=Severity.NOTE)


def _below(place: str, key: str) -> str:
    name = key if key.isidentifier() else f'["{clean_line(key, _SHOWN_CHARACTERS)}"]'
    return f"{place}.{name}" if place and key.isidentifier() else f"{place}{name}"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else clean_line(json.dumps(value), _SHOWN_CHARACTERS)
