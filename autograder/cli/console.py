"""Console: turns a Report into lines of styled text for a terminal; prints nothing.

Words carry every verdict; colour only repeats them. rich renders the lines, wrapped to the terminal's width. Texts from
a submission are `Text`, never markup, so that a student's brackets stay brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.console import Console, OverflowMethod
from rich.table import Table
from rich.text import Text

from autograder.gradescope.results_json import HIDDEN, list_notes
from autograder.grading import overview
from autograder.grading.explain import PRINTED, REPRODUCER
from autograder.plain_text import count
from autograder.results import CheckResult, Report, Verdict, add_points, write_points
from autograder.sandbox.protocol.layers import describe_check

_WORDS = {
    Verdict.PASSED: ("passed", "green"),
    Verdict.PARTIAL: ("partly passed", "yellow"),
    Verdict.FAILED: ("failed", "bold red"),
    Verdict.NOT_WRITTEN: ("not written yet", "yellow"),
    Verdict.UNDECIDED: ("not judged (a fault of the grader)", "bold magenta"),
    Verdict.NOT_RUN: ("not run", "magenta"),
}
_NARROWEST = 20  # minimum width of indented text, where it is wrapped
_TITLED = (Verdict.FAILED, Verdict.PARTIAL, Verdict.UNDECIDED)  # listed by title even if many end alike


class Line(NamedTuple):
    """A line of text; `indent`: also applied to its wrapped lines.

    `is_code`: a line of Python that a student pastes, which is neither wrapped nor indented.
    """

    text: Text
    indent: int = 0
    is_code: bool = False


_EMPTY = Line(Text())


def render(report: Report, console: Console) -> str:
    """Render a report for a console: a table by question, details of checks, notes, the total."""
    below = (_list_first_steps, _describe_checks, _list_notes, _list_texts, _list_missing_layers, _summarise_total)
    with console.capture() as captured:  # rich itself would end the process if the pipe is closed
        console.print(_build_table(report))
        for part in below:
            for line in part(report):
                overflow: OverflowMethod | None = "ignore" if line.is_code else None
                for text in _wrap(line, console):  # lines to paste may be wider; print keeps no settings of a text
                    console.print(text, crop=False, no_wrap=line.is_code, overflow=overflow)
    return captured.get()


def _build_table(report: Report) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("Question")
    table.add_column("File", overflow="fold")
    table.add_column("Passed", justify="right", no_wrap=True)
    table.add_column("Points", justify="right", no_wrap=True)
    for question in report.questions:
        file = Text(question.file) if question.file else Text("no file", "yellow")
        checks = [check for check in report.graded if check.question_id == question.question_id]
        table.add_row(Text(question.title), file, *_format_counts(checks))
    table.add_row(Text("Total", "bold"), Text(), *_format_counts(report.graded))
    return table


def _format_counts(checks: Sequence[CheckResult]) -> tuple[Text, Text]:
    passed = _count_passed(checks)
    style = "green" if passed == len(checks) else ""
    score, most = add_points(checks)
    return Text(f"{passed} of {len(checks)}", style), Text(f"{score:g} of {most:g}", style)


def _wrap(line: Line, console: Console) -> Iterator[Text]:
    """Yield the lines of a line that keeps its indentation when wrapped, without trailing blanks."""
    if line.is_code or not line.indent:
        yield line.text
        return
    width = max(_NARROWEST, console.width - line.indent)
    for part in line.text.wrap(console, width):
        part.rstrip()
        yield Text(" " * line.indent) + part


def _make_line(text: str, style: str = "", *, indent: int = 0) -> Line:
    return Line(Text(text, style), indent)


def _list_first_steps(report: Report) -> Iterator[Line]:
    text = overview.write_first_steps(overview.list_functions(report, report.graded))
    if text:
        yield _EMPTY
        yield _make_line(text)


def _describe_checks(report: Report) -> Iterator[Line]:
    for question in report.questions:
        checks = [check for check in report.checks if check.question_id == question.question_id and _has_details(check)]
        if checks:
            yield _EMPTY
            yield _make_line(question.title, "bold")
        for _, group in groupby(checks, key=lambda check: (check.is_advice, check.verdict, check.output, check.fault)):
            yield from _describe_group(list(group))


def _has_details(check: CheckResult) -> bool:
    if check.is_advice and check.verdict is Verdict.NOT_WRITTEN:
        return False  # there is no advice on it, and it has no points
    return check.verdict is not Verdict.PASSED or bool(_get_body(check))


def _describe_group(alike: Sequence[CheckResult]) -> Iterator[Line]:
    """Describe checks that ended alike, such as those of a question that is not written yet, with a single text."""
    yield _EMPTY
    yield from _list_heads(alike)
    if not alike[0].is_advice:
        yield Line(Text.assemble(_WORDS[alike[0].verdict], f", {write_points(alike)}"), indent=4)
    is_code = False
    for line in _get_body(alike[0]).splitlines():
        is_code = is_code and line != PRINTED
        content = line.lstrip(" ")
        indent = 4 + len(line) - len(content)
        yield Line(Text(line), is_code=True) if is_code else _make_line(content, indent=indent)
        is_code = is_code or line == REPRODUCER


def _list_heads(alike: Sequence[CheckResult]) -> Iterator[Line]:
    if len(alike) <= 2 or alike[0].verdict in _TITLED:
        for check in alike:
            hidden = f" ({HIDDEN[check.visibility]})" if check.visibility in HIDDEN else ""
            yield Line(Text.assemble(f"{check.number} {check.title}", (hidden, "dim")), indent=2)
    else:
        functions = dict.fromkeys(name for check in alike for name in check.functions)
        text = f"{alike[0].number} to {alike[-1].number} ({len(alike)} checks): {', '.join(functions)}"
        yield _make_line(text, indent=2)


def _get_body(check: CheckResult) -> str:
    """Return the output of a check without its verdict."""
    if check.verdict is Verdict.UNDECIDED:
        return check.fault
    if check.verdict is Verdict.NOT_WRITTEN:
        return check.output.removeprefix("Not written yet").removeprefix(": ")
    first, _, rest = check.output.partition("\n")
    return rest if first in ("Passed.", "Partial.") else check.output


def _list_notes(report: Report) -> Iterator[Line]:
    notes = list_notes(report)
    if notes:
        yield _EMPTY
        yield _make_line("Notes on the files", "bold")
    for note in notes:
        yield _make_line(note, indent=2)


def _list_texts(report: Report) -> Iterator[Line]:
    """List the texts that a person grades: the points to be given, and the texts that are not written."""
    if not report.texts:
        return
    written = [text for text in report.texts if text.answer]
    waiting = f"{round(sum(text.points for text in written), 2):g} of {report.points_by_hand:g}"
    yield _EMPTY
    yield _make_line("Texts to grade by hand", "bold")
    count = f"{len(written)} of {len(report.texts)} are written"
    yield _make_line(f"{waiting} points wait for a person: {count}", indent=2)
    for text in report.texts:
        if not text.answer:
            yield _make_line(f"{text.key}: {text.fault or 'nothing is written yet'}", indent=2)


def _list_missing_layers(report: Report) -> Iterator[Line]:
    missing = [f"{layer.name} ({layer.reason})" for layer in report.layers if not layer.is_active]
    if missing:
        what = f"Layers of the sandbox ({describe_check(report.layers)}) that were not active"
        yield _EMPTY
        yield _make_line(f"{what}: {', '.join(missing)}", "dim")


def _summarise_total(report: Report) -> Iterator[Line]:
    undecided = sum(check.verdict is Verdict.UNDECIDED for check in report.checks)
    if undecided:
        yield _EMPTY
        verb = "has" if undecided == 1 else "have"
        told = f"{undecided} of {count(len(report.graded), 'check')} {verb} no score: the grader failed there"
        yield _make_line(told, "bold magenta")
    passed = f"{_count_passed(report.graded)} of {count(len(report.graded), 'check')} passed"
    yield _EMPTY
    yield _make_line(f"{write_points(report.checks)}, {passed}, {report.seconds:.1f} s", "bold")


def _count_passed(checks: Iterable[CheckResult]) -> int:
    return sum(check.verdict is Verdict.PASSED for check in checks)
