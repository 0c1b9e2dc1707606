"""Rich console: turns the display of a report into rich's renderables, wrapped to the terminal's width, in colour.

Texts from a submission are `Text`, never markup, so that a student's brackets stay brackets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.cli.console import COLUMNS, NUMBERS, Display, Line

_NARROWEST = 20  # minimum width of indented text


def render(content: Display) -> RenderableType:
    """Render the table and the lines below it."""
    return Group(_build_table(content), *map(_Indented, content.lines))


@dataclass(frozen=True)
class _Indented:
    """A line that keeps its indentation when wrapped, without trailing blanks."""

    line: Line

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        if self.line.is_code:
            yield Text(self.line.text, no_wrap=True, overflow="ignore")
            return
        if not self.line.indent:
            yield _build_text(self.line)
            return
        width = max(_NARROWEST, options.max_width - self.line.indent)
        for line in _build_text(self.line).wrap(console, width):
            line.rstrip()
            yield Text(" " * self.line.indent) + line


def _build_table(content: Display) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(COLUMNS[0])
    table.add_column(COLUMNS[1], overflow="fold")
    for name in COLUMNS[NUMBERS:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in content.table:
        table.add_row(*map(_build_text, row))
    return table


def _build_text(line: Line) -> Text:
    if len(line.pieces) == 1:
        return Text(*line.pieces[0])
    return Text.assemble(*line.pieces)
