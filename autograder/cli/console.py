"""Console: turns a Report into lines of styled text for a terminal; prints nothing.

Words carry every verdict; colour only repeats them. rich renders the lines, wrapped to the terminal's width; if nothing
needs wrapping or colour, as in most files and pipes, `render_plain` renders them without it. Texts from a submission
are `Text`, never markup, so that a student's brackets stay brackets.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from autograder.gradescope.results_json import list_notes
from autograder.grading import overview
from autograder.grading.explain import PRINTED, REPRODUCER
from autograder.plain_text import count
from autograder.results import CheckResult, Report, Verdict, Visibility, add_points, write_points

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_WORDS = {
    Verdict.PASSED: ("passed", "green"),
    Verdict.PARTIAL: ("partly passed", "yellow"),
    Verdict.FAILED: ("failed", "bold red"),
    Verdict.NOT_WRITTEN: ("not written yet", "yellow"),
    Verdict.UNDECIDED: ("not judged (a fault of the grader)", "bold magenta"),
    Verdict.NOT_RUN: ("not run", "magenta"),
}
_HIDDEN = {
    Visibility.VISIBLE: "",
    Visibility.HIDDEN: " (hidden)",
    Visibility.AFTER_DUE_DATE: " (hidden until the due date)",
    Visibility.AFTER_PUBLISHED: " (hidden until grades are published)",
}
COLUMNS = ("Question", "File", "Passed", "Points")
NUMBERS = 2  # the first right-aligned column
_GAP = "  "
_NARROWEST = 20  # minimum width of indented text, where it is wrapped
_TITLED = (Verdict.FAILED, Verdict.PARTIAL, Verdict.UNDECIDED)  # listed by title even if many end alike


class Line(NamedTuple):
    """A line in pieces, each a text and its style or ""; `indent`: also applied to its wrapped lines.

    `is_code`: a line of Python that a student pastes, which is neither wrapped nor indented.
    """

    pieces: tuple[tuple[str, str], ...] = ()
    indent: int = 0
    is_code: bool = False

    @property
    def text(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.pieces)


class Display(NamedTuple):
    """The display of a report: the rows of a table with the columns COLUMNS, and lines below it."""

    table: tuple[tuple[Line, ...], ...]
    lines: tuple[Line, ...]


def build_display(report: Report) -> Display:
    """Build the display of a report: a table by question, details of checks, notes, the total."""
    below = (_list_first_steps, _describe_checks, _list_notes, _list_texts, _list_missing_layers, _summarise_total)
    return Display(tuple(_build_rows(report)), tuple(line for part in below for line in part(report)))


def render(content: Display, console: Console) -> str:
    """Render the table and the lines below it for a console."""
    from rich.console import Group

    lines = [text for line in content.lines for text in _wrap(line, console)]
    with console.capture() as captured:  # rich itself would end the process if the pipe is closed
        console.print(Group(_build_table(content), *lines), crop=False)  # lines to paste may be wider
    return captured.get()


def _build_table(content: Display) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(COLUMNS[0])
    table.add_column(COLUMNS[1], overflow="fold")
    for name in COLUMNS[NUMBERS:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in content.table:
        table.add_row(*map(_build_text, row))
    return table


def _wrap(line: Line, console: Console) -> Iterator[Text]:
    """Yield the lines of a line that keeps its indentation when wrapped, without trailing blanks."""
    from rich.text import Text

    if line.is_code:
        yield Text(line.text, no_wrap=True, overflow="ignore")
    elif not line.indent:
        yield _build_text(line)
    else:
        for part in _build_text(line).wrap(console, max(_NARROWEST, console.width - line.indent)):
            part.rstrip()
            yield Text(" " * line.indent) + part


def _build_text(line: Line) -> Text:
    from rich.text import Text

    return Text(*line.pieces[0]) if len(line.pieces) == 1 else Text.assemble(*line.pieces)


def render_plain(content: Display, width: int) -> str | None:
    """Render without styles; None if a line is wider than `width`, or its width is not its number of characters."""
    table = _render_table([COLUMNS, *([cell.text for cell in row] for row in content.table)], width)
    lines = [" " * line.indent + line.text for line in content.lines]
    is_plain = all(
        text.isascii() and text.isprintable() and (line.is_code or len(text.rstrip()) == len(text) <= width)
        for text, line in zip(lines, content.lines, strict=True)
    )
    return "".join(f"{line}\n" for line in (*table, *lines)) if table and is_plain else None


def _render_table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Render the lines of the table, with a wrapped first column if needed; empty if that is not enough."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = [text for row in rows for text in row]
    if not all(text.isascii() and text.isprintable() and " ".join(text.split()) == text for text in texts):
        return []
    room = width - sum(widths[1:]) - len(_GAP) * (len(widths) - 1)
    if widths[0] > room:
        widths[0] = room
        if room < max(widths[1], *(len(word) for title, *_ in rows for word in title.split())):
            return []
    return [line for row in rows for line in _wrap_row(row, widths)]


def _wrap_row(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    title, *others = row
    parts = textwrap.wrap(title, widths[0], break_on_hyphens=False) or [""]
    for texts in zip_longest(parts, *([text] for text in others), fillvalue=""):
        left = [text.ljust(width) for text, width in zip(texts, widths[:NUMBERS], strict=False)]
        right = [text.rjust(width) for text, width in zip(texts[NUMBERS:], widths[NUMBERS:], strict=True)]
        yield _GAP.join([*left, *right])


def _make_line(text: str, style: str = "", *, indent: int = 0) -> Line:
    return Line(((text, style),), indent)


def _build_rows(report: Report) -> Iterator[tuple[Line, ...]]:
    for question in report.questions:
        file = _make_line(question.file) if question.file else _make_line("no file", "yellow")
        checks = [check for check in report.graded if check.stem == question.stem]
        yield _make_line(question.title), file, *_format_counts(checks)
    yield _make_line("Total", "bold"), Line(), *_format_counts(report.graded)


def _format_counts(checks: Sequence[CheckResult]) -> tuple[Line, Line]:
    passed = _count_passed(checks)
    style = "green" if passed == len(checks) else ""
    score, most = add_points(checks)
    return _make_line(f"{passed} of {len(checks)}", style), _make_line(f"{score:g} of {most:g}", style)


def _list_first_steps(report: Report) -> Iterator[Line]:
    text = overview.write_first_steps(overview.list_functions(report, report.graded))
    if text:
        yield Line()
        yield _make_line(text)


def _describe_checks(report: Report) -> Iterator[Line]:
    for question in report.questions:
        checks = [check for check in report.checks if check.stem == question.stem and _has_details(check)]
        if checks:
            yield Line()
            yield _make_line(question.title, "bold")
        for _, group in groupby(checks, key=lambda check: (check.is_advice, check.verdict, check.output, check.fault)):
            yield from _describe_group(list(group))


def _has_details(check: CheckResult) -> bool:
    if check.is_advice and check.verdict is Verdict.NOT_WRITTEN:
        return False  # there is no advice on it, and it has no points
    return check.verdict is not Verdict.PASSED or bool(_get_body(check))


def _describe_group(alike: Sequence[CheckResult]) -> Iterator[Line]:
    """Describe checks that ended alike, such as those of a question that is not written yet, with a single text."""
    yield Line()
    yield from _list_heads(alike)
    if not alike[0].is_advice:
        yield Line((_WORDS[alike[0].verdict], (f", {write_points(alike)}", "")), indent=4)
    is_code = False
    for line in _get_body(alike[0]).splitlines():
        is_code = is_code and line != PRINTED
        content = line.lstrip(" ")
        yield Line(((line, ""),), is_code=True) if is_code else _make_line(content, indent=4 + len(line) - len(content))
        is_code = is_code or line == REPRODUCER


def _list_heads(alike: Sequence[CheckResult]) -> Iterator[Line]:
    if len(alike) <= 2 or alike[0].verdict in _TITLED:
        for check in alike:
            yield Line(((f"{check.number} {check.title}", ""), (_HIDDEN[check.visibility], "dim")), indent=2)
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
        yield Line()
        yield _make_line("Notes on the files", "bold")
    for note in notes:
        yield _make_line(note, indent=2)


def _list_texts(report: Report) -> Iterator[Line]:
    """List the texts that a person grades: the points to be given, and the texts that are not written."""
    if not report.texts:
        return
    written = [text for text in report.texts if text.answer]
    waiting = f"{round(sum(text.points for text in written), 2):g} of {report.points_by_hand:g}"
    yield Line()
    yield _make_line("Texts for a person to grade", "bold")
    count = f"{len(written)} of {len(report.texts)} are written"
    yield _make_line(f"{waiting} points wait for a person: {count}", indent=2)
    for text in report.texts:
        if not text.answer:
            yield _make_line(f"{text.key}: {text.fault or 'nothing is written yet'}", indent=2)


def _list_missing_layers(report: Report) -> Iterator[Line]:
    missing = [f"{layer.name} ({layer.reason})" for layer in report.layers if not layer.is_active]
    if missing:
        yield Line()
        yield _make_line(f"Layers of the sandbox that were not active: {', '.join(missing)}", "dim")


def _summarise_total(report: Report) -> Iterator[Line]:
    undecided = sum(check.verdict is Verdict.UNDECIDED for check in report.checks)
    if undecided:
        yield Line()
        verb = "has" if undecided == 1 else "have"
        told = f"{undecided} of {count(len(report.graded), 'check')} {verb} no score: the grader failed there"
        yield _make_line(told, "bold magenta")
    passed = f"{_count_passed(report.graded)} of {count(len(report.graded), 'check')} passed"
    yield Line()
    yield _make_line(f"{write_points(report.checks)}, {passed}, {report.seconds:.1f} s", "bold")


def _count_passed(checks: Iterable[CheckResult]) -> int:
    return sum(check.verdict is Verdict.PASSED for check in checks)
