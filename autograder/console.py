"""Console: turns a Report into what the person at a terminal reads; returns renderables, prints nothing.

Words carry every verdict; colour only repeats them. Texts from a submission are `Text`, never markup, so that a
student's brackets stay brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

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
_TITLED = (Verdict.FAILED, Verdict.PARTIAL, Verdict.UNDECIDED)  # these are listed by title even where many end alike
_NARROWEST = 20  # columns for text, however deep it is indented


def render(report: Report) -> RenderableType:
    """The whole report: a table by question, what is to be said of single checks, notes, the total."""
    parts = (_details(report), *(part(report) for part in (_notes, _for_people, _sandbox, _total)))
    return Group(_table(report), *(each for part in parts for each in part))


@dataclass(frozen=True)
class _Indented:
    """A line of text that keeps its indentation where it is wrapped, without blanks at its end."""

    text: Text
    indent: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = max(_NARROWEST, options.max_width - self.indent)
        for line in self.text.wrap(console, width):
            line.rstrip()
            yield Text(" " * self.indent) + line


def _table(report: Report) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("Question")
    table.add_column("File", overflow="fold")
    table.add_column("Passed", justify="right", no_wrap=True)
    table.add_column("Points", justify="right", no_wrap=True)
    for question in report.questions:
        file = Text(question.file) if question.file else Text("no file", "yellow")
        table.add_row(Text(question.title), file, *_counts(_checks_of(question, report)))
    table.add_row(Text("Total", "bold"), "", *_counts(report.checks))
    return table


def _checks_of(question: QuestionStatus, report: Report) -> list[CheckResult]:
    return [check for check in report.checks if check.stem == question.stem]


def _counts(checks: Sequence[CheckResult]) -> tuple[Text, Text]:
    passed = _passed(checks)
    style = "green" if passed == len(checks) else ""
    return Text(f"{passed} of {len(checks)}", style), Text(_points(checks), style)


def _details(report: Report) -> Iterator[RenderableType]:
    for question in report.questions:
        checks = [check for check in _checks_of(question, report) if _has_something_to_say(check)]
        if checks:
            yield Text(f"\n{question.title}", "bold")
        for _, group in groupby(checks, key=lambda check: (check.verdict, check.output, check.fault)):
            yield from _detail(list(group))


def _has_something_to_say(check: CheckResult) -> bool:
    return check.verdict is not Verdict.PASSED or bool(_body(check))


def _detail(alike: Sequence[CheckResult]) -> Iterator[RenderableType]:
    """Checks that ended alike, such as those of a question that is not written: what they are, then one text."""
    yield Text()
    for head in _heads(alike):
        yield _Indented(head, 2)
    word, style = _WORDS[alike[0].verdict]
    yield _Indented(Text.assemble((word, style), f", {_points(alike)} points"), 4)
    for line in _body(alike[0]).splitlines():
        content = line.lstrip(" ")
        yield _Indented(Text(content), 4 + len(line) - len(content))


def _heads(alike: Sequence[CheckResult]) -> Iterator[Text]:
    if len(alike) <= 2 or alike[0].verdict in _TITLED:
        for check in alike:
            yield Text.assemble(f"{check.number} {check.title}", (_HIDDEN[check.visibility], "dim"))
    else:
        functions = dict.fromkeys(name for check in alike for name in check.functions)
        yield Text(f"{alike[0].number} to {alike[-1].number} ({len(alike)} checks): {', '.join(functions)}")


def _body(check: CheckResult) -> str:
    """What there is to say beyond the verdict."""
    if check.verdict is Verdict.UNDECIDED:
        return check.fault
    if check.verdict is Verdict.NOT_WRITTEN:
        return check.output.removeprefix("Not written yet").removeprefix(": ")
    first, _, rest = check.output.partition("\n")
    return rest if first in ("Passed.", "Partial.") else check.output


def _notes(report: Report) -> Iterator[RenderableType]:
    notes = [*report.notes, *(f"{question.title}: {note}" for question in report.questions for note in question.notes)]
    if notes:
        yield Text("\nNotes on the files", "bold")
    for note in notes:
        yield _Indented(Text(note), 2)


def _for_people(report: Report) -> Iterator[RenderableType]:
    """The texts that no machine judges: how many points wait for a person, and which are not written."""
    if not report.texts:
        return
    written = [text for text in report.texts if text.answer]
    waiting, all_points = (f"{round(sum(text.points for text in texts), 2):g}" for texts in (written, report.texts))
    yield Text("\nTexts for a person to grade", "bold")
    yield _Indented(
        Text(f"{waiting} of {all_points} points wait for a person: {len(written)} of {len(report.texts)} are written"),
        2,
    )
    for text in report.texts:
        if not text.answer:
            yield _Indented(Text(f"{text.key}: {text.fault or 'nothing is written yet'}"), 2)


def _sandbox(report: Report) -> Iterator[RenderableType]:
    missing = [f"{layer.name} ({layer.reason})" for layer in report.layers if not layer.is_active]
    if missing:
        yield Text(f"\nLayers of the sandbox that were not active: {', '.join(missing)}", "dim")


def _total(report: Report) -> Iterator[RenderableType]:
    undecided = sum(check.verdict is Verdict.UNDECIDED for check in report.checks)
    if undecided:
        yield Text(
            f"\n{undecided} of {len(report.checks)} checks have no score: the grader failed there", "bold magenta"
        )
    passed = f"{_passed(report.checks)} of {len(report.checks)} checks passed"
    yield Text(f"\n{_points(report.checks)} points, {passed}, {report.seconds:.1f} s", "bold")


def _passed(checks: Iterable[CheckResult]) -> int:
    return sum(check.verdict is Verdict.PASSED for check in checks)


def _points(checks: Sequence[CheckResult]) -> str:
    score = sum(round(check.score or 0.0, 2) for check in checks)
    return f"{round(score, 2):g} of {round(sum(check.points for check in checks), 2):g}"
