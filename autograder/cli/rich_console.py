"""Rich console: renders the display of a report by rich, wrapped to the terminal's width, in colour.

Texts from a submission are `Text`, never markup, so that a student's brackets stay brackets.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from autograder.cli.console import COLUMNS, NUMBERS, Display, Line

_NARROWEST = 20  # minimum width of indented text


def render(content: Display, console: Console) -> str:
    """Render the table and the lines below it for a console."""
    lines = [text for line in content.lines for text in _wrap(line, console)]
    with console.capture() as captured:  # rich itself would end the process if the pipe is closed
        console.print(Group(_build_table(content), *lines), crop=False)  # lines to paste may be wider
    return captured.get()


def _build_table(content: Display) -> Table:
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
    if line.is_code:
        yield Text(line.text, no_wrap=True, overflow="ignore")
    elif not line.indent:
        yield _build_text(line)
    else:
        for part in _build_text(line).wrap(console, max(_NARROWEST, console.width - line.indent)):
            part.rstrip()
            yield Text(" " * line.indent) + part


def _build_text(line: Line) -> Text:
    return Text(*line.pieces[0]) if len(line.pieces) == 1 else Text.assemble(*line.pieces)
