"""Results JSON: turns a Report into Gradescope's results.json, writes the file atomically, and reads any grader's.

The records follow the "Autograder Specifications" page of Gradescope's documentation, field by field; fields that are
absent in a file are None here. A single NaN makes Gradescope reject the whole result, so none is written.

Students see the visible tests with their points, and how many more checks there are; nothing here adds up points of
tests that are not visible yet. Every text is sent as plain text, which Gradescope escapes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path
from textwrap import indent
from typing import Any, Literal

from pydantic import ConfigDict, JsonValue, NonNegativeFloat, RootModel

from autograder.atomic_file import write_atomically
from autograder.grading import overview
from autograder.machine import hide_all_paths
from autograder.plain_text import clean, count
from autograder.results import (
    ADVICE,
    AS_READ,
    ROBUSTNESS,
    CheckResult,
    LeaderboardEntry,
    Report,
    Verdict,
    Visibility,
    WrittenText,
    write_points,
)
from autograder.sandbox.protocol.layers import describe_check

OUTPUT_CHARACTERS = 20_000  # Gradescope cuts at 100,000; readers give up long before that
_FAULT_CHARACTERS = 2_000  # of what staff read in extra_data

Format = Literal["text"]  # how Gradescope shows a text: escaped, and in no other of its formats

_SHOWN_AS: Mapping[str, Any] = {
    "output_format": "text",
    "test_output_format": "text",
    "test_name_format": "text",
    "visibility": Visibility.VISIBLE,
    "stdout_visibility": Visibility.HIDDEN,
}
HIDDEN = {  # told to the staff
    Visibility.AFTER_DUE_DATE: "hidden until the due date",
    Visibility.AFTER_PUBLISHED: "hidden until the grades are published",
    Visibility.HIDDEN: "hidden from students",
}
_WHEN_SHOWN = {
    Visibility.HIDDEN: "shown to the course staff only",
    Visibility.AFTER_DUE_DATE: "shown after the due date",
    Visibility.AFTER_PUBLISHED: "shown when the grades are published",
}


class ResultsError(Exception):
    """results.json cannot be written; the text says why. `report`: the report that could not be written, if any."""

    report: Report | None = None


class Status(str, Enum):
    """The mark next to a test; if it is absent, Gradescope derives it from the score."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class GradedTest:
    """One test; a test without a score is only shown."""

    __pydantic_config__ = AS_READ

    name: str
    number: str | None = None
    score: float | None = None
    max_score: NonNegativeFloat | None = None
    status: Status | None = None
    output: str | None = None
    output_format: Format | None = None
    tags: tuple[str, ...] | None = None
    visibility: Visibility | None = None
    extra_data: dict[str, JsonValue] | None = None


@dataclass(frozen=True, kw_only=True)
class Results:
    """The content of results.json. `score` overrides the sum of the tests' scores; required if a test has no score."""

    __pydantic_config__ = AS_READ

    score: float | None = None
    execution_time: NonNegativeFloat | None = None
    output: str | None = None
    output_format: Format | None = None
    test_output_format: Format | None = None
    test_name_format: Format | None = None
    visibility: Visibility | None = None
    stdout_visibility: Visibility | None = None
    extra_data: dict[str, JsonValue] | None = None
    tests: tuple[GradedTest, ...] | None = None
    leaderboard: tuple[LeaderboardEntry, ...] | None = None

    def as_bytes(self) -> bytes:
        """Serialize to the file's content, in ASCII, so that no student text can be invalid in it.

        TypeError or ValueError for a value or a character that JSON cannot represent.
        """
        fields = self.as_fields()
        json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()  # fails on unpaired surrogates
        return json.dumps(fields, indent=1, allow_nan=False).encode("ascii") + b"\n"

    def as_fields(self) -> dict[str, Any]:
        """Return the file's content as plain values, without the fields that are None and this machine's folders."""
        fields = {name: _convert_to_json(value) for name, value in vars(self).items() if value is not None}
        return {name: hide_all_paths(value) for name, value in fields.items()}


class _Results(RootModel[Results]):
    # NaN is refused inside extra_data too, which the records' own setting skips. It is slow to build, so at first use.
    model_config = ConfigDict(allow_inf_nan=False, defer_build=True)


def read_results_json(content: bytes | str) -> Results:
    """Parse results from a file's content; ValidationError for unknown fields, wrong types, NaN and infinity."""
    return _Results.model_validate_json(content, strict=True).root


def build_results(report: Report) -> Results:
    """Build the results of a graded submission."""
    layers: list[Any] = [each._asdict() for each in report.layers]
    return Results(
        score=report.score,
        execution_time=round(report.visible_seconds, 2),
        output=clean(_summarise(report), OUTPUT_CHARACTERS),
        extra_data={
            "state": "graded",
            "notes": clean("; ".join(report.notes), _FAULT_CHARACTERS),
            "grader": asdict(report.grader),
            "layers": layers,
            "layers_are": describe_check(report.layers),
        },
        tests=(*_build_tests(report), *map(_build_text_test, report.texts)),
        leaderboard=report.leaderboard or None,
        **_SHOWN_AS,
    )


def build_placeholder() -> Results:
    """Build the results that results.json holds until grading is done, and keeps if the grader is killed or fails."""
    text = (
        "The grader did not finish, so there is no score yet. This is not your fault, and the 0 is not your grade.\n"
        "Course staff: run the autograder again for this submission; if this text stays, the output of run_autograder "
        "says why."
    )
    return Results(score=0.0, output=text, extra_data={"state": "unfinished"}, tests=(), **_SHOWN_AS)


def build_unreadable(reason: str) -> Results:
    """Build the results of a submission that could not be read; `reason`: a line for the student."""
    text = f"Nothing was graded, because the submission could not be read:\n  {reason}\nFix this and submit again."
    output = clean(text, OUTPUT_CHARACTERS)
    state: dict[str, Any] = {"state": "unreadable", "notes": clean(reason, _FAULT_CHARACTERS)}
    return Results(score=0.0, output=output, extra_data=state, tests=(), **_SHOWN_AS)


def build_undecided(fault: str) -> Results:
    """Build the results of a submission on which the grader failed; `fault`: for staff, what went wrong."""
    state: dict[str, Any] = {"state": "undecided", "fault": clean(fault, _FAULT_CHARACTERS)}
    return replace(build_placeholder(), extra_data=state)


def encode_valid(results: Results) -> bytes:
    """Encode results; TypeError or ValueError where Gradescope would refuse them."""
    content = results.as_bytes()
    read_results_json(content)
    return content


def write_placeholder(path: Path) -> None:
    """Write the results that stay if grading does not end; see `write_results`."""
    _write(path, build_placeholder().as_bytes())


def write_results(path: Path, results: Results) -> None:
    """Write results.json atomically, and create its folder if it is missing.

    A link at `path` is replaced, never followed. ResultsError if the file cannot be written; where the results are not
    valid, those of an undecided submission are written.
    """
    try:
        content = encode_valid(results)
    except (TypeError, ValueError) as error:
        _write(path, build_undecided(str(error)).as_bytes())
        raise ResultsError(f"{path}: Gradescope would refuse it: {error}") from error
    _write(path, content)


def _write(path: Path, content: bytes) -> None:
    try:
        write_atomically(path, [content])
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from error


def list_notes(report: Report) -> list[str]:
    """List the notes on the submission and on the file of each question; one on the file of several is listed once."""
    titles: dict[str, list[str]] = {}
    for status in report.questions:
        for note in status.notes:
            titles.setdefault(note, []).append(status.title)
    names = {note: each[0] if len(each) == 1 else f"{len(each)} questions" for note, each in titles.items()}
    return [*report.notes, *(f"{name}: {note}" for note, name in names.items())]


def _build_tests(report: Report) -> Iterator[GradedTest]:
    """Build a test for each check, labelled with the functions or answer keys that the check judges."""
    keys = {question.question_id: question.keys for question in report.questions}
    for check in report.checks:
        yield _build_test(check, [keys.get(check.question_id, {}).get(name, name) for name in check.functions])


def _build_test(check: CheckResult, judged: Sequence[str]) -> GradedTest:
    shown: dict[str, Any] = {}
    if check.score is not None and not check.is_advice:  # a test without a score shows its text alone
        status = Status.PASSED if check.verdict is Verdict.PASSED else Status.FAILED
        shown = {"score": round(check.score, 2), "max_score": check.points, "status": status}
    marks = (ROBUSTNESS,) if check.is_robustness else ()
    marks = (ADVICE,) if check.is_advice else marks
    return GradedTest(
        name=check.title,
        number=check.number,
        **shown,
        output=clean(check.output, OUTPUT_CHARACTERS),
        output_format="text",
        tags=(check.question_id, *judged, *marks),
        visibility=check.visibility,
        extra_data={
            "question": check.question_id,
            "functions": list(judged),
            "verdict": check.verdict.value,
            "diagnosis": list(check.diagnosis),
            "outcome": check.outcome,
            "attempts": list(check.attempts),
            **({"contradicts": True} if check.contradicts else {}),
            **({"advice": True} if check.is_advice else {}),
            **({"fault": clean(check.fault, _FAULT_CHARACTERS)} if check.fault else {}),  # for staff, who alone see it
        },
    )


def _build_text_test(text: WrittenText) -> GradedTest:
    """Build a test without a score: the text and its rubric, for staff; a missing text is shown to the student too."""
    if text.fault:
        output = "Not read: the grader itself failed here. This is not your fault."
    elif text.answer:
        marked = indent(text.answer, "  | ", lambda _: True)  # so that no line of it looks like the rubric
        output = f"To be graded by hand ({count(text.points, 'point')}):\n\n{marked}\n\nRubric\n{text.rubric}"
    else:
        output = f"Nothing is written here yet. This answer is graded by hand ({count(text.points, 'point')})."
    return GradedTest(
        name=f"{text.key}: {text.title}",
        number=text.number,
        output=clean(output, OUTPUT_CHARACTERS),
        output_format="text",
        tags=(text.question_id, text.key),
        visibility=Visibility.HIDDEN if text.answer else Visibility.VISIBLE,
        extra_data={
            "question": text.question_id,
            "functions": [text.key],
            "verdict": None,  # only a person can give it
            "text": {"title": text.title, "points": text.points, "answer": text.answer},
            **({"fault": text.fault} if text.fault else {}),
        },
    )


def _summarise(report: Report) -> str:
    """Summarise a report for students, from the checks that they see at once.

    The text stays as it is when more checks are shown, so each sentence has to be true then, too.
    """
    shown = [check for check in report.graded if check.visibility is Visibility.VISIBLE]
    functions = overview.list_functions(report, shown)
    first_steps = overview.write_first_steps(functions)
    lines = [
        *([f"{first_steps}\n"] if first_steps else []),
        f"{_count_checks(shown)} shown at once: {write_points(shown)}." if shown else "No check is shown at once.",
        *_summarise_hidden(report),
        *_summarise_texts(report),
        *_summarise_unjudged(shown),
        *(["\nBy function, in the checks shown at once", *overview.write_list(functions)] if first_steps else []),
        *_summarise_notes(report),
    ]
    return "\n".join(lines)


def _summarise_hidden(report: Report) -> Iterator[str]:
    for visibility, when in _WHEN_SHOWN.items():
        checks = [check for check in report.graded if check.visibility is visibility]
        if checks:
            yield f"{_count_checks(checks, 'more ')} {when}, worth {_describe_worth(checks)}."


def _summarise_texts(report: Report) -> Iterator[str]:
    if report.texts:
        written = sum(bool(text.answer) for text in report.texts)
        points = _describe_worth(report.texts)
        yield f"{written} of {len(report.texts)} texts are written; they are graded by hand, for {points} more."


def _summarise_unjudged(shown: Sequence[CheckResult]) -> Iterator[str]:
    """Count the visible checks without a verdict: student code could choose the number of hidden ones by its inputs."""
    undecided = [check for check in shown if check.verdict is Verdict.UNDECIDED]
    not_run = [check for check in shown if check.verdict is Verdict.NOT_RUN]
    if undecided:
        yield (
            f"{_count_checks(undecided)} not judged, because the grader itself failed. This is not your fault; the "
            "points are missing from the score until the course staff run the grader again."
        )
    if not_run:
        yield f"{_count_checks(not_run)} not run, because the time for the whole submission was used up."


def _summarise_notes(report: Report) -> Iterator[str]:
    notes = list_notes(report)
    if notes:
        yield "\nNotes on your files"
        yield from (f"- {note}" for note in notes)


def _count_checks(checks: Sequence[CheckResult], which: str = "") -> str:
    return f"1 {which}check is" if len(checks) == 1 else f"{len(checks)} {which}checks are"


def _describe_worth(parts: Sequence[CheckResult | WrittenText]) -> str:
    return count(round(sum(part.points for part in parts), 2), "point")


def _convert_to_json(value: object) -> object:
    if isinstance(value, (GradedTest, LeaderboardEntry)):
        return {name: _convert_to_json(field) for name, field in vars(value).items() if field is not None}
    if isinstance(value, tuple):
        return [_convert_to_json(item) for item in value]
    return value.value if isinstance(value, Enum) else value
