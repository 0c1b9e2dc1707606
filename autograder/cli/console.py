"""Console: turns a Report into what the person at a terminal reads: lines with words and styles; prints nothing.

Words carry every verdict; colour only repeats them. `terminal` shows the lines on any terminal; where nothing needs to
be wrapped or coloured, as in most files and pipes, they are text already.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from autograder.results import CheckResult, QuestionStatus, Report, Verdict, Visibility

_WORDS = {
    Verdict.PASSED: ("passed", "green"),
    Verdict.PARTIAL: ("partly passed", "yellow"),
    Verdict.FAILED: ("failed", "bold red"),
    Verdict.NOT_WRITTEN: ("not written yet", "yellow"),
    Verdict.UNDECIDED: ("not judged through a fault of the grader", "bold magenta"),
    Verdict.NOT_RUN: ("not run", "magenta"),
}
_HIDDEN = {
    Visibility.VISIBLE: "",
    Visibility.HIDDEN: " (hidden)",
    Visibility.AFTER_DUE_DATE: " (hidden until the due date)",
    Visibility.AFTER_PUBLISHED: " (hidden until grades are published)",
}
COLUMNS = ("Question", "File", "Passed", "Points")
NUMBERS = 2  # the first of the columns whose texts end, not begin, below each other
_GAP = "  "
_TITLED = (Verdict.FAILED, Verdict.PARTIAL, Verdict.UNDECIDED)  # these are listed by title even where many end alike


class Line(NamedTuple):
    """A line in pieces, each a text and its style or ""; `indent`: blanks before it, also where it is wrapped."""

    pieces: tuple[tuple[str, str], ...] = ()
    indent: int = 0

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(text for text, _ in self.pieces)


class Shown(NamedTuple):
    """What is shown of a report: the rows of a table with these columns, and lines below it."""

    table: tuple[tuple[Line, ...], ...]
    lines: tuple[Line, ...]


def shown(report: Report) -> Shown:
    """The whole report: a table by question, what is to be said of single checks, notes, the total."""
    parts = (_details(report), *(part(report) for part in (_notes, _for_people, _sandbox, _total)))
    return Shown(tuple(_rows(report)), tuple(line for part in parts for line in part))


def plain(content: Shown, width: int) -> str | None:
    """The text without styles; None where something is wider than this, or its width is not plain to see."""
    table = _table([COLUMNS, *([cell.text for cell in row] for row in content.table)], width)
    lines = [" " * line.indent + line.text for line in content.lines]
    is_plain = all(line.isascii() and line.isprintable() and len(line.rstrip()) == len(line) <= width for line in lines)
    return "".join(f"{line}\n" for line in (*table, *lines)) if table and is_plain else None


def _table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The lines of the table, the first column wrapped where need be; none where more would have to be."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = [text for row in rows for text in row]
    if not all(text.isascii() and text.isprintable() and " ".join(text.split()) == text for text in texts):
        return []
    room = width - sum(widths[1:]) - len(_GAP) * (len(widths) - 1)
    if widths[0] > room:
        widths[0] = room
        if room < max(widths[1], *(len(word) for title, *_ in rows for word in title.split())):
            return []
    return [line for row in rows for line in _wrapped(row, widths)]


def _wrapped(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    title, *others = row
    parts = textwrap.wrap(title, widths[0], break_on_hyphens=False) or [""]
    yield _GAP.join(_aligned([parts[0], *others], widths))
    for part in parts[1:]:
        yield _GAP.join(_aligned([part, *[""] * len(others)], widths))


def _aligned(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for column, (text, width) in enumerate(zip(row, widths, strict=True)):
        yield text.ljust(width) if column < NUMBERS else text.rjust(width)


def _line(text: str, style: str = "", *, indent: int = 0) -> Line:
    return Line(((text, style),), indent)


def _rows(report: Report) -> Iterator[tuple[Line, ...]]:
    for question in report.questions:
        file = _line(question.file) if question.file else _line("no file", "yellow")
        yield _line(question.title), file, *_counts(_checks_of(question, report))
    yield _line("Total", "bold"), Line(), *_counts(report.checks)


def _checks_of(question: QuestionStatus, report: Report) -> list[CheckResult]:
    return [check for check in report.checks if check.stem == question.stem]


def _counts(checks: Sequence[CheckResult]) -> tuple[Line, Line]:
    passed = _passed(checks)
    style = "green" if passed == len(checks) else ""
    return _line(f"{passed} of {len(checks)}", style), _line(_points(checks), style)


def _details(report: Report) -> Iterator[Line]:
    for question in report.questions:
        checks = [check for check in _checks_of(question, report) if _has_something_to_say(check)]
        if checks:
            yield Line()
            yield _line(question.title, "bold")
        for _, group in groupby(checks, key=lambda check: (check.verdict, check.output, check.fault)):
            yield from _detail(list(group))


def _has_something_to_say(check: CheckResult) -> bool:
    return check.verdict is not Verdict.PASSED or bool(_body(check))


def _detail(alike: Sequence[CheckResult]) -> Iterator[Line]:
    """Checks that ended alike, such as those of a question that is not written: what they are, then one text."""
    yield Line()
    yield from _heads(alike)
    word, style = _WORDS[alike[0].verdict]
    yield Line(((word, style), (f", {_points(alike)} points", "")), indent=4)
    for line in _body(alike[0]).splitlines():
        content = line.lstrip(" ")
        yield _line(content, indent=4 + len(line) - len(content))


def _heads(alike: Sequence[CheckResult]) -> Iterator[Line]:
    if len(alike) <= 2 or alike[0].verdict in _TITLED:
        for check in alike:
            yield Line(((f"{check.number} {check.title}", ""), (_HIDDEN[check.visibility], "dim")), indent=2)
    else:
        functions = dict.fromkeys(name for check in alike for name in check.functions)
        text = f"{alike[0].number} to {alike[-1].number} ({len(alike)} checks): {', '.join(functions)}"
        yield _line(text, indent=2)


def _body(check: CheckResult) -> str:
    """What there is to say beyond the verdict."""
    if check.verdict is Verdict.UNDECIDED:
        return check.fault
    if check.verdict is Verdict.NOT_WRITTEN:
        return check.output.removeprefix("Not written yet").removeprefix(": ")
    first, _, rest = check.output.partition("\n")
    return rest if first in ("Passed.", "Partial.") else check.output


def _notes(report: Report) -> Iterator[Line]:
    notes = [*report.notes, *(f"{question.title}: {note}" for question in report.questions for note in question.notes)]
    if notes:
        yield Line()
        yield _line("Notes on the files", "bold")
    for note in notes:
        yield _line(note, indent=2)


def _for_people(report: Report) -> Iterator[Line]:
    """The texts that no machine judges: how many points wait for a person, and which are not written."""
    if not report.texts:
        return
    written = [text for text in report.texts if text.answer]
    waiting, all_points = (f"{round(sum(text.points for text in texts), 2):g}" for texts in (written, report.texts))
    yield Line()
    yield _line("Texts for a person to grade", "bold")
    count = f"{len(written)} of {len(report.texts)} are written"
    yield _line(f"{waiting} of {all_points} points wait for a person: {count}", indent=2)
    for text in report.texts:
        if not text.answer:
            yield _line(f"{text.key}: {text.fault or 'nothing is written yet'}", indent=2)


def _sandbox(report: Report) -> Iterator[Line]:
    missing = [f"{layer.name} ({layer.reason})" for layer in report.layers if not layer.is_active]
    if missing:
        yield Line()
        yield _line(f"Layers of the sandbox that were not active: {', '.join(missing)}", "dim")


def _total(report: Report) -> Iterator[Line]:
    undecided = sum(check.verdict is Verdict.UNDECIDED for check in report.checks)
    if undecided:
        yield Line()
        yield _line(
            f"{undecided} of {len(report.checks)} checks have no score: the grader failed there", "bold magenta"
        )
    passed = f"{_passed(report.checks)} of {len(report.checks)} checks passed"
    yield Line()
    yield _line(f"{_points(report.checks)} points, {passed}, {report.seconds:.1f} s", "bold")


def _passed(checks: Iterable[CheckResult]) -> int:
    return sum(check.verdict is Verdict.PASSED for check in checks)


def _points(checks: Sequence[CheckResult]) -> str:
    score = sum(round(check.score or 0.0, 2) for check in checks)
    return f"{round(score, 2):g} of {round(sum(check.points for check in checks), 2):g}"
