"""Results: turns the ends of public checks into results, and results into the lines that a student reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from autograder.grading import explain
from autograder.plain_text import clean_line
from autograder.public_checks.syntax_error import mark_syntax_error
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind

_SHOWN_CHARACTERS = 160
_MARGIN = " " * 6
_NOT_WRITTEN = "Not written yet"


@dataclass(frozen=True)
class PublicCheck:
    """The result of one check.

    `is_written`: the function has more than a placeholder. `is_of_file`: the file as a whole failed, so that the output
    is the same for all checks of the question.
    """

    number: str
    title: str
    points: float
    passed: bool
    output: str
    is_written: bool = True
    is_of_file: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether other checks may have the same output for the same reason."""
        return self.is_of_file or not self.is_written


def build_check(check: Mapping[str, Any], passed: bool, output: str) -> PublicCheck:
    """Build the result of a check of `questions.json`."""
    if not passed and check["hide_errors"] is not None:
        output = check["hide_errors"]
    return PublicCheck(check["number"], check["title"], check["points"], passed, output)


def build_failure(check: Mapping[str, Any], text: str, lines: str = "", printed: bytes = b"") -> PublicCheck:
    """Build the result of a check that failed, with lines to run and what the student's code printed."""
    text = text if check["points"] else explain.mark_as_advice(text)
    parts = [text, explain.explain_reproducer(lines), explain.explain_printed(printed)]
    return build_check(check, passed=False, output="\n".join(filter(None, parts)))


def build_unwritten(check: Mapping[str, Any], text: str) -> PublicCheck:
    """Build the result of a check whose function has only a placeholder."""
    return replace(build_check(check, passed=False, output=text), is_written=check["hide_errors"] is not None)


def build_ended(
    check: Mapping[str, Any], outcome: Outcome, own: Mapping[str, str], *, lines: str = "", printed: bytes = b""
) -> PublicCheck:
    """Build the result of a check that got no value; `own`: the texts of the student's files, by path."""
    text = explain.explain_outcome(outcome, shows_values=True)
    if outcome.kind is OutcomeKind.NOT_WRITTEN:
        return build_unwritten(check, text)
    if outcome.is_at_load:
        text += mark_syntax_error(outcome, own)
    failed = build_failure(check, text, lines, printed)
    return replace(failed, is_of_file=outcome.is_at_load and check["hide_errors"] is None)


def describe_file(title: str, path: str | None) -> str:
    """Write the first line of a question."""
    return f"{title} ({clean_line(path or 'no file', _SHOWN_CHARACTERS)})"


def describe_check(check: PublicCheck) -> str:
    """Write the lines on one check."""
    word = "PASS" if check.passed else _choose_word(check.points)
    head = f"  {word} {check.number} {check.title} ({_count_points(check.points)})"
    return head if check.passed and check.output == "Passed." else _indent(head, check.output)


def describe_shared(checks: Iterable[PublicCheck]) -> list[str]:
    """Write the lines on checks that failed for a reason they share: an entry for each reason."""
    ordered = sorted(checks, key=lambda each: each.output)
    return [_describe_group(list(group)) for _, group in groupby(ordered, key=lambda each: each.output)]


def describe_rest(count: int, points: float) -> str:
    """Write the line on the checks that only Gradescope has, and an empty line."""
    return f"  On Gradescope {count} more {_choose_noun(count, 'check')}, worth {_count(points, 'point')}.\n"


def describe_total(checks: Sequence[PublicCheck]) -> str:
    """Write the last line."""
    worth = [check for check in checks if check.points]
    passed = [check for check in worth if check.passed]
    earned, most = (f"{sum(check.points for check in each):g}" for each in (passed, worth))
    unwritten = sum(not check.is_written for check in worth)
    more = f"; {unwritten} not written yet" if unwritten else ""
    return f"{len(passed)} of {len(worth)} public checks passed, {earned} of {most} points{more}"


def _describe_group(checks: Sequence[PublicCheck]) -> str:
    if checks[0].is_written and len(checks) == 1:
        return describe_check(checks[0])
    numbers, points = ", ".join(check.number for check in checks), sum(check.points for check in checks)
    if checks[0].is_written:
        return _indent(f"  {_choose_word(points)} {numbers} ({_count_points(points)})", checks[0].output)
    reason = checks[0].output.removeprefix(_NOT_WRITTEN)
    return f"  OPEN {numbers} not written yet ({_count_points(points)}){reason}"


def _choose_word(points: float) -> str:
    return "FAIL" if points else "NOTE"


def _count_points(points: float) -> str:
    return _count(points, "point") if points else "advice, no points"


def _count(number: float, noun: str) -> str:
    return f"{number:g} {_choose_noun(number, noun)}"


def _choose_noun(number: float, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _indent(head: str, output: str) -> str:
    """Indent an output below its first line, but for the lines to run, which are to be pasted."""
    lines, margin = [head], _MARGIN
    for line in output.splitlines():
        margin = _MARGIN if line == explain.PRINTED else margin
        lines.append(f"{margin}{line}" if line else "")
        margin = "" if line == explain.REPRODUCER else margin
    return "\n".join(lines)
